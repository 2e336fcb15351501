package dashboard

import (
	"strconv"

	"dispo/dashboard/export"
	"dispo/models"
	"dispo/models/keys"
	"dispo/models/ledger"
	"dispo/web"
)

// column returns a column with its heading for programs, which is the API's field, and its
// heading for people. Either may be empty.
func column[T any](field, title string, kind export.Kind, value func(*T) string) export.Column[T] {
	return export.Column[T]{Field: field, Title: title, Kind: kind, Value: value}
}

func transactionTable(f web.Frame) export.Table[ledger.Item] {
	type row = ledger.Item
	date := func(x *row) string { return apiDate(x.DispositionDate) }
	transferType := func(x *row) string { return x.TransferType }
	file := func(x *row) string { return x.Filename }
	index := func(x *row) string { return whole(x.RecordIndex) }
	imported := func(x *row) string { return optional(x.ProcessedAt, apiTime) }
	id := func(x *row) string { return x.ID.String() }
	return export.Table[row]{Name: f.T("Transactions"), Sum: f.T("Sum of this sheet"), Columns: []export.Column[row]{
		column("", f.T("Disposition date"), export.Date, date),
		column("id", "", export.Text, id),
		column("cardNetworkDeliveryFileId", "", export.Text, func(x *row) string { return x.DeliveryFileID.String() }),
		column("recordIndex", "", export.Integer, index),
		column("cvr", f.T("CVR"), export.Text, func(x *row) string { return x.CVR }),
		column("", f.T("Company"), export.Text, func(x *row) string { return x.CompanyName }),
		column("", f.T("Type"), export.Text, transferType),
		column("regNumber", f.T("Registration number"), export.Text, func(x *row) string { return x.RegNumber }),
		column("accountNumber", f.T("Account number"), export.Text, func(x *row) string { return x.AccountNumber }),
		column("transferType", "", export.Text, transferType),
		column("dispositionDate", "", export.Date, date),
		column("count", f.T("Count"), export.Integer, func(x *row) string { return whole(x.Count) }).Summed(),
		column("amountDkk", f.T("Amount, DKK"), export.Decimal, func(x *row) string { return x.AmountDKK }).Summed(),
		column("", f.T("Delivery file"), export.Text, file),
		column("", f.T("Record"), export.Integer, index),
		column("", f.T("Imported"), export.Time, imported),
		column("rawLine", f.T("Line as delivered"), export.Text, func(x *row) string { return x.RawLine }),
		column("createdAt", "", export.Time, func(x *row) string { return apiTime(x.CreatedAt) }),
		column("updatedAt", "", export.Time, func(x *row) string { return apiTime(x.CreatedAt) }), // records never change
		column("filename", "", export.Text, file),
		column("processedAt", "", export.Time, imported),
		column("", f.T("ID"), export.Text, id),
	}}
}

// companyTable has the companies' accounts, which every member may see on their pages.
func companyTable(f web.Frame) export.Table[models.Company] {
	type row = models.Company
	return export.Table[row]{Name: f.T("Companies"), Columns: []export.Column[row]{
		column("id", "", export.Text, func(x *row) string { return x.ID.String() }),
		column("cvr", f.T("CVR"), export.Text, func(x *row) string { return x.CVR }),
		column("name", f.T("Name"), export.Text, func(x *row) string { return x.Name }),
		column("address", f.T("Address"), export.Text, func(x *row) string { return valueOf(x.Address) }),
		column("", f.T("Status"), export.Text, func(x *row) string { return f.CompanyStatus(x.Status) }),
		column("startDate", f.T("Registered from"), export.Date, func(x *row) string { return apiDate(x.StartDate) }),
		column("endDate", "", export.Date, func(x *row) string { return apiDate(x.EndDate) }),
		column("", f.T("To"), export.Date, func(x *row) string { return lastDay(x.EndDate) }),
		column("status", "", export.Text, func(x *row) string { return x.Status }),
		column("senderRegNumber", f.T("Sender registration number"), export.Text,
			func(x *row) string { return valueOf(x.SenderRegNumber) }),
		column("senderAccountNumber", f.T("Sender account number"), export.Text,
			func(x *row) string { return valueOf(x.SenderAccountNumber) }),
		column("receiverRegNumber", f.T("Receiver registration number"), export.Text,
			func(x *row) string { return valueOf(x.ReceiverRegNumber) }),
		column("receiverAccountNumber", f.T("Receiver account number"), export.Text,
			func(x *row) string { return valueOf(x.ReceiverAccountNumber) }),
		column("defaultAmountCents", "", export.Integer,
			func(x *row) string { return optional(x.DefaultAmountCents, whole) }),
		column("", f.T("Default amount, DKK"), export.Decimal,
			func(x *row) string { return optional(x.DefaultAmountCents, kroner) }),
		column("", f.T("Transactions"), export.Integer, func(x *row) string { return whole(x.TransactionCount) }),
		column("createdAt", f.T("Imported"), export.Time, func(x *row) string { return apiTime(x.CreatedAt) }),
		column("updatedAt", f.T("Last changed"), export.Time, func(x *row) string { return apiTime(x.UpdatedAt) }),
	}}
}

func deliveryTable(f web.Frame) export.Table[ledger.Arrival] {
	type row = ledger.Arrival
	id := func(x *row) string { return x.ID.String() }
	layout := func(x *row) string { return x.Layout }
	arrived := func(x *row) string { return optional(x.CreatedAt, apiTime) }
	return export.Table[row]{Name: f.T("Deliveries"), Columns: []export.Column[row]{
		column("id", "", export.Text, id),
		column("filename", f.T("File"), export.Text, func(x *row) string { return x.Filename }),
		column("layout", "", export.Text, layout),
		column("", f.T("Arrived"), export.Time, arrived),
		column("recordCount", f.T("Records"), export.Integer, func(x *row) string { return whole(x.RecordCount) }),
		column("totalAmountDkk", f.T("Sum, DKK"), export.Decimal, func(x *row) string { return x.TotalAmountDKK }),
		column("firstDispositionDate", f.T("First disposition date"), export.Date,
			func(x *row) string { return optional(x.FirstDate, apiDate) }),
		column("lastDispositionDate", f.T("Last disposition date"), export.Date,
			func(x *row) string { return optional(x.LastDate, apiDate) }),
		column("createdAt", "", export.Time, arrived),
		column("withdrawnAt", f.T("Withdrawn"), export.Time, func(x *row) string { return optional(x.WithdrawnAt, apiTime) }),
		column("withdrawnReason", f.T("Reason"), export.Text, func(x *row) string { return x.Reason }),
		column("", f.T("Layout"), export.Text, layout),
		column("", f.T("ID"), export.Text, id),
	}}
}

// dayTable has a row for each day and transfer type.
func dayTable(f web.Frame) export.Table[models.DailyTotal] {
	type row = models.DailyTotal
	return export.Table[row]{Name: f.T("Days"), Sum: f.T("Sum of this sheet"), Columns: []export.Column[row]{
		column("dispositionDate", f.T("Disposition date"), export.Date,
			func(x *row) string { return apiDate(x.DispositionDate) }),
		column("transferType", f.T("Type"), export.Text, func(x *row) string { return x.TransferType }),
		column("count", f.T("Transactions"), export.Integer, func(x *row) string { return whole(x.Count) }).Summed(),
		column("amountDkk", f.T("Amount, DKK"), export.Decimal, func(x *row) string { return x.AmountDKK }).Summed(),
	}}
}

func servedTable(f web.Frame) export.Table[keys.ServedRequest] {
	type row = keys.ServedRequest
	return export.Table[row]{Name: f.T("Requests"), Sum: f.T("Sum of this sheet"), Columns: []export.Column[row]{
		column("at", f.T("Time"), export.Time, func(x *row) string { return apiTime(x.At) }),
		column("path", f.T("Request"), export.Text, func(x *row) string { return x.Path }),
		column("bulk", f.T("In bulk"), export.Text, func(x *row) string { return strconv.FormatBool(x.Bulk) }),
		column("status", f.T("Status"), export.Integer, func(x *row) string { return strconv.Itoa(x.Status) }),
		column("rows", f.T("Rows sent"), export.Integer, func(x *row) string { return whole(x.RowCount) }).Summed(),
		column("address", f.T("IP address"), export.Text, func(x *row) string { return x.Address }),
		column("userAgent", f.T("Client"), export.Text, func(x *row) string { return x.UserAgent }),
	}}
}

// auditTable has descriptions in English for programs, as are the stored subjects.
func auditTable(f web.Frame) export.Table[models.AuditEntry] {
	type row = models.AuditEntry
	return export.Table[row]{Name: f.T("Audit log"), Columns: []export.Column[row]{
		column("at", f.T("Time"), export.Time, func(x *row) string { return apiTime(x.At) }),
		column("person", f.T("Person"), export.Text, func(x *row) string { return x.UserEmail }),
		column("action", "", export.Text, func(x *row) string { return x.Action }),
		column("description", "", export.Text,
			func(x *row) string { action, _ := auditRow(*x).Texts(web.Frame{}); return action }),
		column("", f.T("Action"), export.Text, func(x *row) string { action, _ := auditRow(*x).Texts(f); return action }),
		column("subject", "", export.Text, func(x *row) string { return x.Subject }),
		column("", f.T("Concerns"), export.Text, func(x *row) string { _, subject := auditRow(*x).Texts(f); return subject }),
		column("address", f.T("IP address"), export.Text, func(x *row) string { return x.Address }),
	}}
}
