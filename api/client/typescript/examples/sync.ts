import { FileStore } from '../src/file-store.ts'
import { Dispo } from '../src/index.ts'

const dispo = new Dispo({ baseURL: process.env.DISPO_URL!, key: process.env.DISPO_KEY! })
const store = new FileStore('dispo-copy')

let report = await dispo.sync(store)
console.log(`${report.companies} companies, ${report.new} new transactions`)

// A program that runs all the time hears of each change within a second.
while (process.argv.includes('--follow')) {
  await dispo.changed(report.etag, { wait: 60 })
  report = await dispo.sync(store)
  console.log(`${report.companies} companies, ${report.new} new transactions`)
}
