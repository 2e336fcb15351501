import { Dispo, DispoError } from '../src/index.ts'

const dispo = new Dispo({
  baseURL: process.env.DISPO_URL!, // such as https://dispo.example/api
  key: process.env.DISPO_KEY!,
  onPause: ({ seconds, cause }) => console.error(`${cause}; trying again in ${seconds} s`),
})

for await (const company of dispo.companies()) {
  for await (const transaction of dispo.transactions(company.cvr)) {
    console.log(company.cvr, transaction.dispositionDate, transaction.amountDkk)
  }
}

try {
  await dispo.company('37065048')
} catch (error) {
  if (!(error instanceof DispoError && error.code === 'COMPANY_NOT_FOUND')) throw error
  console.log('no such company')
}
