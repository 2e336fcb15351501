// Package client reads an organization's companies and transactions from Dispo, and keeps
// a copy of them.
//
// A [Client] iterates over whole lists, page by page. It waits when a limit is reached or
// the service is unavailable, tries again when the network fails, and gives up after a
// number of tries. Every error of the API is an [*Error] with its code:
//
//	var problem *client.Error
//	if errors.As(err, &problem) && problem.Code == client.CodeCompanyNotFound {
//
// [Client.Sync] brings a copy up to date, and proves that it is complete. The copy is in a
// [Store]: in files ([FileStore]), or in a database of your own.
//
// Amounts are decimal strings with two decimals, such as "-1234.50", as the API sends
// them. So nothing is rounded, and no decimal library is imposed on you. Parse them with
// the one that you use.
//
// The types are generated from the API's OpenAPI document. The package imports only the
// standard library, so you can copy its folder into your own module.
package client

//go:generate go run github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 -config oapi-codegen.yaml ../openapi.yaml
