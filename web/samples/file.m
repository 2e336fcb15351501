// Reads the file of the scheduled download.
let
    Path = "C:\Dispo\transactions.csv",
    File = Csv.Document(File.Contents(Path), [Delimiter = ",", Encoding = 65001, QuoteStyle = QuoteStyle.Csv]),
    Rows = Table.PromoteHeaders(File),
    Needed = Table.SelectColumns(Rows,
        {"dispositionDate", "cvr", "regNumber", "accountNumber", "transferType", "count", "amountDkk"}),
    Typed = Table.TransformColumnTypes(Needed, {
        {"dispositionDate", type date},
        {"count", Int64.Type},
        {"amountDkk", Currency.Type}
    }, "en-US")
in
    Typed
