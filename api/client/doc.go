// Package client reads an organization's companies and transactions from Dispo, and keeps
// a copy of them.
//
// A [Client] iterates over whole lists, page by page. When a limit is reached, the service
// is unavailable or the network fails, it waits and tries again, a limited number of times.
// Every error of the API is an [*Error] with its code:
//
//	var problem *client.Error
//	if errors.As(err, &problem) && problem.Code == client.CodeCompanyNotFound {
//
// [Client.Sync] brings a copy up to date, and proves that it is complete. [Client.Follow]
// does it again as soon as something changes. The copy is a SQLite file, which other programs
// can query at any time, but must not change:
//
//   - companies and transactions have the API's fields as columns, but amountOere, an
//     integer, for amountDkk;
//   - copy has one row: the last change that was handled (after), the X-Data-Version that the
//     copy was proved at (version), or an empty text if it is not proved, number and sum of
//     the transactions, and the X-Data-History of the data (history).
//
// Amounts are decimal strings with two decimals, such as "-1234.50", as the API sends
// them. Parse them with a decimal library, never as floating point.
//
// The package requires modernc.org/sqlite, which needs no C compiler. The types are generated
// from the API's OpenAPI document.
package client

//go:generate go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 -config oapi-codegen.yaml ../openapi.yaml
//go:generate node typescript/node_modules/openapi-typescript/bin/cli.js ../openapi.yaml --output typescript/src/schema.ts
