// Replaces the sheet "Transactions" with all transactions of your organization. The script
// property DISPO_KEY has the API key.
function readTransactions() {
  const key = PropertiesService.getScriptProperties().getProperty('DISPO_KEY')
  const response = UrlFetchApp.fetch('https://dispo.example/api/v1/transactions', {
    headers: { 'X-API-Key': key, Accept: 'text/csv' },
    muteHttpExceptions: true,
  })
  if (response.getResponseCode() !== 200) throw new Error(response.getContentText())

  const [names, ...records] = Utilities.parseCsv(response.getContentText())
  const headers = Object.entries(response.getHeaders())
  const [, total] = headers.find(([name]) => name.toLowerCase() === 'x-total-count')
  if (records.length !== Number(total)) throw new Error('The response was cut off. Run this again.')

  const columns = ['dispositionDate', 'cvr', 'regNumber', 'accountNumber', 'transferType', 'count', 'amountDkk']
  const numbers = ['count', 'amountDkk']
  const rows = records.map((record) => columns.map((column) => {
    const value = record[names.indexOf(column)]
    return numbers.includes(column) ? Number(value) : value
  }))

  const book = SpreadsheetApp.getActive()
  const sheet = book.getSheetByName('Transactions') || book.insertSheet('Transactions')
  sheet.clearContents()
  sheet.getRange('B:E').setNumberFormat('@') // text, which keeps leading zeros
  sheet.getRange(1, 1, rows.length + 1, columns.length).setValues([columns, ...rows])
}
