// Copies your companies and transactions into a SQLite file, and proves that the copy is
// complete. Each run reads only what is new. With --follow it keeps waiting for changes:
//
//   DISPO_KEY=dispo_… node sync.mts [--follow] [FILE]
//
// The service's page /docs/clients says how to get the client. Needs Node 22.18 or later.
async function main() {
  const { Dispo } = await import('dispo-client')
  const follow = process.argv.includes('--follow')
  const [path = 'dispo.sqlite'] = process.argv.slice(2).filter((argument) => argument !== '--follow')
  const dispo = new Dispo({
    baseURL: process.env.DISPO_URL || 'https://dispo.example/api',
    key: process.env.DISPO_KEY ?? '',
    onPause: ({ seconds, cause }) => console.error(`${cause}; trying again in ${seconds} s`),
  })
  await dispo.follow(path, (report) => {
    console.error(`The copy is complete: ${report.new} new transactions, ${report.withdrawn} withdrawn deliveries, ${report.companies} new or changed companies.`)
    return follow
  })
}

main().catch((error) => {
  console.error(`The copy is not complete: ${error.message}`)
  process.exitCode = 1
})
