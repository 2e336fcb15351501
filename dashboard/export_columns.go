package dashboard

import (
	"strconv"
	"time"

	"dispo/dashboard/export"
	"dispo/models"
)

// transactionTable returns what an export of transactions has: in the API's form its
// fields, else what people read.
func transactionTable(format export.Format) export.Table[models.LedgerItem] {
	type row = models.LedgerItem
	table := export.Table[row]{Name: "Transactions"}
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
		{Title: "Disposition date", Kind: export.Date, Value: func(x *row) string { return apiDate(x.DispositionDate) }},
		{Title: "CVR", Value: func(x *row) string { return x.CVR }},
		{Title: "Company", Value: func(x *row) string { return x.CompanyName }},
		{Title: "Type", Value: func(x *row) string { return x.TransferType }},
		{Title: "Registration number", Value: func(x *row) string { return x.RegNumber }},
		{Title: "Account number", Value: func(x *row) string { return x.AccountNumber }},
		{Title: "Count", Kind: export.Integer, Value: func(x *row) string { return whole(x.Count) }},
		{Title: "Amount, DKK", Kind: export.Decimal, Value: func(x *row) string { return x.AmountDKK }},
		{Title: "Delivery file", Value: func(x *row) string { return x.Filename }},
		{Title: "Record", Kind: export.Integer, Value: func(x *row) string { return whole(x.RecordIndex) }},
		{Title: "Imported", Kind: export.Time, Value: func(x *row) string { return apiTime(x.ProcessedAt) }},
		{Title: "Line as delivered", Value: func(x *row) string { return x.RawLine }},
		{Title: "ID", Value: func(x *row) string { return x.ID.String() }},
	}
	return table
}

// companyTable returns what an export of companies has. Every member may see a company's
// accounts, on its page.
func companyTable(format export.Format) export.Table[models.Company] {
	type row = models.Company
	table := export.Table[row]{Name: "Companies"}
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
		{Title: "CVR", Value: func(x *row) string { return x.CVR }},
		{Title: "Name", Value: func(x *row) string { return x.Name }},
		{Title: "Address", Value: func(x *row) string { return textOf(x.Address) }},
		{Title: "Status", Value: func(x *row) string { return x.Status }},
		{Title: "Registered from", Kind: export.Date, Value: func(x *row) string { return apiDate(x.StartDate) }},
		{Title: "To", Kind: export.Date, Value: func(x *row) string { return lastDay(x.EndDate) }},
		{Title: "Sender registration number", Value: func(x *row) string { return textOf(x.SenderRegNumber) }},
		{Title: "Sender account number", Value: func(x *row) string { return textOf(x.SenderAccountNumber) }},
		{Title: "Receiver registration number", Value: func(x *row) string { return textOf(x.ReceiverRegNumber) }},
		{Title: "Receiver account number", Value: func(x *row) string { return textOf(x.ReceiverAccountNumber) }},
		{Title: "Default amount, DKK", Kind: export.Decimal, Value: func(x *row) string { return kroner(x.DefaultAmountCents) }},
		{Title: "Transactions", Kind: export.Integer, Value: func(x *row) string { return whole(x.TransactionCount) }},
		{Title: "Imported", Kind: export.Time, Value: func(x *row) string { return apiTime(&x.CreatedAt) }},
		{Title: "Last changed", Kind: export.Time, Value: func(x *row) string { return apiTime(&x.UpdatedAt) }},
	}
	return table
}

// deliveryTable returns what an export of deliveries has.
func deliveryTable(format export.Format) export.Table[models.Arrival] {
	type row = models.Arrival
	table := export.Table[row]{Name: "Deliveries"}
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
		{Title: "File", Value: func(x *row) string { return x.Filename }},
		{Title: "Arrived", Kind: export.Time, Value: func(x *row) string { return apiTime(x.CreatedAt) }},
		{Title: "Records", Kind: export.Integer, Value: func(x *row) string { return whole(x.RecordCount) }},
		{Title: "Sum, DKK", Kind: export.Decimal, Value: func(x *row) string { return x.TotalAmountDKK }},
		{Title: "First disposition date", Kind: export.Date, Value: func(x *row) string { return dayOf(x.FirstDate) }},
		{Title: "Last disposition date", Kind: export.Date, Value: func(x *row) string { return dayOf(x.LastDate) }},
		{Title: "Withdrawn", Kind: export.Time, Value: func(x *row) string { return apiTime(x.WithdrawnAt) }},
		{Title: "Reason", Value: func(x *row) string { return x.Reason }},
		{Title: "Layout", Value: func(x *row) string { return x.Layout }},
		{Title: "ID", Value: func(x *row) string { return x.ID.String() }},
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
