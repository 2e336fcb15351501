package dashboard

import (
	"strconv"
	"time"

	"dispo/dashboard/export"
	"dispo/models"
	"dispo/models/ledger"
	"dispo/web"
)

// transactionTable returns what an export of transactions has: in the API's form its
// fields, else what people read, with headings in their language.
func transactionTable(f web.Frame, format export.Format) export.Table[ledger.Item] {
	type row = ledger.Item
	table := export.Table[row]{Name: f.T("Transactions")}
	if format == export.API {
		table.Columns = []export.Column[row]{
			{Title: "id", Value: func(x *row) string { return x.ID.String() }},
			{Title: "cardNetworkDeliveryFileId", Value: func(x *row) string { return x.DeliveryFileID.String() }},
			{Title: "recordIndex", Value: func(x *row) string { return whole(x.RecordIndex) }},
			{Title: "cvr", Value: func(x *row) string { return x.CVR }},
			{Title: "regNumber", Value: func(x *row) string { return x.RegNumber }},
			{Title: "accountNumber", Value: func(x *row) string { return x.AccountNumber }},
			{Title: "transferType", Value: func(x *row) string { return x.TransferType }},
			{Title: "dispositionDate", Value: func(x *row) string { return apiDate(x.DispositionDate) }},
			{Title: "count", Value: func(x *row) string { return whole(x.Count) }},
			{Title: "amountDkk", Value: func(x *row) string { return x.AmountDKK }},
			{Title: "rawLine", Value: func(x *row) string { return x.RawLine }},
			{Title: "createdAt", Value: func(x *row) string { return apiTime(&x.CreatedAt) }},
			{Title: "updatedAt", Value: func(x *row) string { return apiTime(&x.CreatedAt) }}, // records never change
			{Title: "filename", Value: func(x *row) string { return x.Filename }},
			{Title: "processedAt", Value: func(x *row) string { return apiTime(x.ProcessedAt) }},
		}
		return table
	}
	table.Columns = []export.Column[row]{
		{Title: f.T("Disposition date"), Kind: export.Date, Value: func(x *row) string { return apiDate(x.DispositionDate) }},
		{Title: f.T("CVR"), Value: func(x *row) string { return x.CVR }},
		{Title: f.T("Company"), Value: func(x *row) string { return x.CompanyName }},
		{Title: f.T("Type"), Value: func(x *row) string { return x.TransferType }},
		{Title: f.T("Registration number"), Value: func(x *row) string { return x.RegNumber }},
		{Title: f.T("Account number"), Value: func(x *row) string { return x.AccountNumber }},
		{Title: f.T("Count"), Kind: export.Integer, Value: func(x *row) string { return whole(x.Count) }},
		{Title: f.T("Amount, DKK"), Kind: export.Decimal, Value: func(x *row) string { return x.AmountDKK }},
		{Title: f.T("Delivery file"), Value: func(x *row) string { return x.Filename }},
		{Title: f.T("Record"), Kind: export.Integer, Value: func(x *row) string { return whole(x.RecordIndex) }},
		{Title: f.T("Imported"), Kind: export.Time, Value: func(x *row) string { return apiTime(x.ProcessedAt) }},
		{Title: f.T("Line as delivered"), Value: func(x *row) string { return x.RawLine }},
		{Title: f.T("ID"), Value: func(x *row) string { return x.ID.String() }},
	}
	return table
}

// companyTable returns what an export of companies has. Every member may see a company's
// accounts, on its page.
func companyTable(f web.Frame, format export.Format) export.Table[models.Company] {
	type row = models.Company
	table := export.Table[row]{Name: f.T("Companies")}
	if format == export.API {
		table.Columns = []export.Column[row]{
			{Title: "id", Value: func(x *row) string { return x.ID.String() }},
			{Title: "cvr", Value: func(x *row) string { return x.CVR }},
			{Title: "name", Value: func(x *row) string { return x.Name }},
			{Title: "address", Value: func(x *row) string { return textOf(x.Address) }},
			{Title: "startDate", Value: func(x *row) string { return apiDate(x.StartDate) }},
			{Title: "endDate", Value: func(x *row) string { return apiDate(x.EndDate) }},
			{Title: "status", Value: func(x *row) string { return x.Status }},
			{Title: "senderRegNumber", Value: func(x *row) string { return textOf(x.SenderRegNumber) }},
			{Title: "senderAccountNumber", Value: func(x *row) string { return textOf(x.SenderAccountNumber) }},
			{Title: "receiverRegNumber", Value: func(x *row) string { return textOf(x.ReceiverRegNumber) }},
			{Title: "receiverAccountNumber", Value: func(x *row) string { return textOf(x.ReceiverAccountNumber) }},
			{Title: "defaultAmountCents", Value: func(x *row) string { return cents(x.DefaultAmountCents) }},
			{Title: "createdAt", Value: func(x *row) string { return apiTime(&x.CreatedAt) }},
			{Title: "updatedAt", Value: func(x *row) string { return apiTime(&x.UpdatedAt) }},
		}
		return table
	}
	table.Columns = []export.Column[row]{
		{Title: f.T("CVR"), Value: func(x *row) string { return x.CVR }},
		{Title: f.T("Name"), Value: func(x *row) string { return x.Name }},
		{Title: f.T("Address"), Value: func(x *row) string { return textOf(x.Address) }},
		{Title: f.T("Status"), Value: func(x *row) string { return web.CompanyStatus(x.Status).Title(f) }},
		{Title: f.T("Registered from"), Kind: export.Date, Value: func(x *row) string { return apiDate(x.StartDate) }},
		{Title: f.T("To"), Kind: export.Date, Value: func(x *row) string { return lastDay(x.EndDate) }},
		{Title: f.T("Sender registration number"), Value: func(x *row) string { return textOf(x.SenderRegNumber) }},
		{Title: f.T("Sender account number"), Value: func(x *row) string { return textOf(x.SenderAccountNumber) }},
		{Title: f.T("Receiver registration number"), Value: func(x *row) string { return textOf(x.ReceiverRegNumber) }},
		{Title: f.T("Receiver account number"), Value: func(x *row) string { return textOf(x.ReceiverAccountNumber) }},
		{Title: f.T("Default amount, DKK"), Kind: export.Decimal, Value: func(x *row) string { return kroner(x.DefaultAmountCents) }},
		{Title: f.T("Transactions"), Kind: export.Integer, Value: func(x *row) string { return whole(x.TransactionCount) }},
		{Title: f.T("Imported"), Kind: export.Time, Value: func(x *row) string { return apiTime(&x.CreatedAt) }},
		{Title: f.T("Last changed"), Kind: export.Time, Value: func(x *row) string { return apiTime(&x.UpdatedAt) }},
	}
	return table
}

// deliveryTable returns what an export of deliveries has.
func deliveryTable(f web.Frame, format export.Format) export.Table[ledger.Arrival] {
	type row = ledger.Arrival
	table := export.Table[row]{Name: f.T("Deliveries")}
	if format == export.API {
		table.Columns = []export.Column[row]{
			{Title: "id", Value: func(x *row) string { return x.ID.String() }},
			{Title: "filename", Value: func(x *row) string { return x.Filename }},
			{Title: "layout", Value: func(x *row) string { return x.Layout }},
			{Title: "recordCount", Value: func(x *row) string { return whole(x.RecordCount) }},
			{Title: "totalAmountDkk", Value: func(x *row) string { return x.TotalAmountDKK }},
			{Title: "firstDispositionDate", Value: func(x *row) string { return dayOf(x.FirstDate) }},
			{Title: "lastDispositionDate", Value: func(x *row) string { return dayOf(x.LastDate) }},
			{Title: "createdAt", Value: func(x *row) string { return apiTime(x.CreatedAt) }},
			{Title: "withdrawnAt", Value: func(x *row) string { return apiTime(x.WithdrawnAt) }},
			{Title: "withdrawnReason", Value: func(x *row) string { return x.Reason }},
		}
		return table
	}
	table.Columns = []export.Column[row]{
		{Title: f.T("File"), Value: func(x *row) string { return x.Filename }},
		{Title: f.T("Arrived"), Kind: export.Time, Value: func(x *row) string { return apiTime(x.CreatedAt) }},
		{Title: f.T("Records"), Kind: export.Integer, Value: func(x *row) string { return whole(x.RecordCount) }},
		{Title: f.T("Sum, DKK"), Kind: export.Decimal, Value: func(x *row) string { return x.TotalAmountDKK }},
		{Title: f.T("First disposition date"), Kind: export.Date, Value: func(x *row) string { return dayOf(x.FirstDate) }},
		{Title: f.T("Last disposition date"), Kind: export.Date, Value: func(x *row) string { return dayOf(x.LastDate) }},
		{Title: f.T("Withdrawn"), Kind: export.Time, Value: func(x *row) string { return apiTime(x.WithdrawnAt) }},
		{Title: f.T("Reason"), Value: func(x *row) string { return x.Reason }},
		{Title: f.T("Layout"), Value: func(x *row) string { return x.Layout }},
		{Title: f.T("ID"), Value: func(x *row) string { return x.ID.String() }},
	}
	return table
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
