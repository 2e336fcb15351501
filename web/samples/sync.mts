// Copies your companies and transactions into a folder, and proves that the copy is
// complete. Each run reads only what is new. With --follow it keeps waiting for changes:
//
//   DISPO_KEY=dispo_… node sync.mts [--follow] [FOLDER]
//
// The service's page /docs/clients says how to get the client. Needs Node 22.18 or later.
import { Dispo } from 'dispo-client'
import { FileStore } from 'dispo-client/file-store'

async function sync(folder: string, follow: boolean): Promise<void> {
  const dispo = new Dispo({
    baseURL: process.env.DISPO_URL || 'https://dispo.example/api',
    key: process.env.DISPO_KEY ?? '',
    onPause: ({ seconds, cause }) => console.error(`${cause}; trying again in ${seconds} s`),
  })
  await dispo.follow(new FileStore(folder), (report) => {
    console.error(`The copy is complete: ${report.new} new transactions, ${report.withdrawn} withdrawn deliveries, ${report.companies} new or changed companies.`)
    return follow
  })
}

const [folder = 'dispo-copy'] = process.argv.slice(2).filter((argument) => argument !== '--follow')
sync(folder, process.argv.includes('--follow')).catch((error: unknown) => {
  console.error(`The copy is not complete: ${error}`)
  process.exitCode = 1
})
