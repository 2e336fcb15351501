// Reads all transactions from the service. The parameter DispoKey has the API key.
let
    Response = Web.Contents("https://dispo.example/api", [
        RelativePath = "v1/transactions",
        Headers = [#"X-API-Key" = DispoKey, Accept = "text/csv"]
    ]),
    File = Csv.Document(Response, [Delimiter = ",", Encoding = 65001, QuoteStyle = QuoteStyle.Csv]),
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
