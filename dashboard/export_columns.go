package dashboard

import (
	"strconv"
	"time"

	"dispo/dashboard/export"
	"dispo/models"
	"dispo/models/ledger"
	"dispo/web"
)

// column is a column of files for programs, of files for people, or of both.
type column[T any] struct {
	field string // its heading for programs, which is the API's field; empty if they get none
	title string // its heading for people, in their language; empty if they get none
	kind  export.Kind
	value func(*T) string
}

func tableOf[T any](name string, format export.Format, columns []column[T]) export.Table[T] {
	table := export.Table[T]{Name: name}
	for _, c := range columns {
		title := c.title
		if format.ForPrograms() {
			title = c.field
		}
		if title != "" {
			table.Columns = append(table.Columns, export.Column[T]{Title: title, Kind: c.kind, Value: c.value})
		}
	}
	return table
}

func transactionTable(f web.Frame, format export.Format) export.Table[ledger.Item] {
	type row = ledger.Item
	date := func(x *row) string { return apiDate(x.DispositionDate) }
	transferType := func(x *row) string { return x.TransferType }
	file := func(x *row) string { return x.Filename }
	index := func(x *row) string { return whole(x.RecordIndex) }
	imported := func(x *row) string { return apiTime(x.ProcessedAt) }
	id := func(x *row) string { return x.ID.String() }
	return tableOf(f.T("Transactions"), format, []column[row]{
		{"", f.T("Disposition date"), export.Date, date},
		{"id", "", export.Text, id},
		{"cardNetworkDeliveryFileId", "", export.Text, func(x *row) string { return x.DeliveryFileID.String() }},
		{"recordIndex", "", export.Integer, index},
		{"cvr", f.T("CVR"), export.Text, func(x *row) string { return x.CVR }},
		{"", f.T("Company"), export.Text, func(x *row) string { return x.CompanyName }},
		{"", f.T("Type"), export.Text, transferType},
		{"regNumber", f.T("Registration number"), export.Text, func(x *row) string { return x.RegNumber }},
		{"accountNumber", f.T("Account number"), export.Text, func(x *row) string { return x.AccountNumber }},
		{"transferType", "", export.Text, transferType},
		{"dispositionDate", "", export.Date, date},
		{"count", f.T("Count"), export.Integer, func(x *row) string { return whole(x.Count) }},
		{"amountDkk", f.T("Amount, DKK"), export.Decimal, func(x *row) string { return x.AmountDKK }},
		{"", f.T("Delivery file"), export.Text, file},
		{"", f.T("Record"), export.Integer, index},
		{"", f.T("Imported"), export.Time, imported},
		{"rawLine", f.T("Line as delivered"), export.Text, func(x *row) string { return x.RawLine }},
		{"createdAt", "", export.Time, func(x *row) string { return apiTime(&x.CreatedAt) }},
		{"updatedAt", "", export.Time, func(x *row) string { return apiTime(&x.CreatedAt) }}, // records never change
		{"filename", "", export.Text, file},
		{"processedAt", "", export.Time, imported},
		{"", f.T("ID"), export.Text, id},
	})
}

// companyTable has the companies' accounts, which every member may see on their pages.
func companyTable(f web.Frame, format export.Format) export.Table[models.Company] {
	type row = models.Company
	return tableOf(f.T("Companies"), format, []column[row]{
		{"id", "", export.Text, func(x *row) string { return x.ID.String() }},
		{"cvr", f.T("CVR"), export.Text, func(x *row) string { return x.CVR }},
		{"name", f.T("Name"), export.Text, func(x *row) string { return x.Name }},
		{"address", f.T("Address"), export.Text, func(x *row) string { return textOf(x.Address) }},
		{"", f.T("Status"), export.Text, func(x *row) string { return web.CompanyStatus(x.Status).Title(f) }},
		{"startDate", f.T("Registered from"), export.Date, func(x *row) string { return apiDate(x.StartDate) }},
		{"endDate", "", export.Date, func(x *row) string { return apiDate(x.EndDate) }},
		{"", f.T("To"), export.Date, func(x *row) string { return lastDay(x.EndDate) }},
		{"status", "", export.Text, func(x *row) string { return x.Status }},
		{"senderRegNumber", f.T("Sender registration number"), export.Text, func(x *row) string { return textOf(x.SenderRegNumber) }},
		{"senderAccountNumber", f.T("Sender account number"), export.Text, func(x *row) string { return textOf(x.SenderAccountNumber) }},
		{"receiverRegNumber", f.T("Receiver registration number"), export.Text, func(x *row) string { return textOf(x.ReceiverRegNumber) }},
		{"receiverAccountNumber", f.T("Receiver account number"), export.Text, func(x *row) string { return textOf(x.ReceiverAccountNumber) }},
		{"defaultAmountCents", "", export.Integer, func(x *row) string { return cents(x.DefaultAmountCents) }},
		{"", f.T("Default amount, DKK"), export.Decimal, func(x *row) string { return kroner(x.DefaultAmountCents) }},
		{"", f.T("Transactions"), export.Integer, func(x *row) string { return whole(x.TransactionCount) }},
		{"createdAt", f.T("Imported"), export.Time, func(x *row) string { return apiTime(&x.CreatedAt) }},
		{"updatedAt", f.T("Last changed"), export.Time, func(x *row) string { return apiTime(&x.UpdatedAt) }},
	})
}

func deliveryTable(f web.Frame, format export.Format) export.Table[ledger.Arrival] {
	type row = ledger.Arrival
	id := func(x *row) string { return x.ID.String() }
	layout := func(x *row) string { return x.Layout }
	arrived := func(x *row) string { return apiTime(x.CreatedAt) }
	return tableOf(f.T("Deliveries"), format, []column[row]{
		{"id", "", export.Text, id},
		{"filename", f.T("File"), export.Text, func(x *row) string { return x.Filename }},
		{"layout", "", export.Text, layout},
		{"", f.T("Arrived"), export.Time, arrived},
		{"recordCount", f.T("Records"), export.Integer, func(x *row) string { return whole(x.RecordCount) }},
		{"totalAmountDkk", f.T("Sum, DKK"), export.Decimal, func(x *row) string { return x.TotalAmountDKK }},
		{"firstDispositionDate", f.T("First disposition date"), export.Date, func(x *row) string { return dayOf(x.FirstDate) }},
		{"lastDispositionDate", f.T("Last disposition date"), export.Date, func(x *row) string { return dayOf(x.LastDate) }},
		{"createdAt", "", export.Time, arrived},
		{"withdrawnAt", f.T("Withdrawn"), export.Time, func(x *row) string { return apiTime(x.WithdrawnAt) }},
		{"withdrawnReason", f.T("Reason"), export.Text, func(x *row) string { return x.Reason }},
		{"", f.T("Layout"), export.Text, layout},
		{"", f.T("ID"), export.Text, id},
	})
}

// auditTable has descriptions in English, as are the subjects.
func auditTable(f web.Frame, format export.Format) export.Table[models.AuditEntry] {
	type row = models.AuditEntry
	return tableOf(f.T("Audit log"), format, []column[row]{
		{"at", f.T("Time"), export.Time, func(x *row) string { return apiTime(&x.At) }},
		{"person", f.T("Person"), export.Text, func(x *row) string { return x.UserEmail }},
		{"action", "", export.Text, func(x *row) string { return x.Action }},
		{"description", f.T("Action"), export.Text, func(x *row) string { return web.ActionText(auditRow(*x)) }},
		{"subject", f.T("Concerns"), export.Text, func(x *row) string { return x.Subject }},
		{"address", f.T("IP address"), export.Text, func(x *row) string { return x.Address }},
	})
}

func dayOf(day *time.Time) string {
	if day == nil {
		return ""
	}
	return apiDate(*day)
}

func whole(n int64) string { return strconv.FormatInt(n, 10) }

func cents(n *int64) string {
	if n == nil {
		return ""
	}
	return whole(*n)
}

// apiDate returns a day as the API writes it.
func apiDate(day time.Time) string { return day.UTC().Format(time.DateOnly) }

// apiTime returns a time as the API writes it.
func apiTime(at *time.Time) string {
	if at == nil {
		return ""
	}
	return at.UTC().Format("2006-01-02T15:04:05.000Z")
}

// lastDay returns a day, or nothing for the end of a registration that is open-ended.
func lastDay(day time.Time) string {
	if day.Year() == openEndYear {
		return ""
	}
	return apiDate(day)
}

const openEndYear = 9999
