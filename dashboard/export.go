package dashboard

import (
	"context"
	"fmt"
	"strings"
	"time"

	"dispo/dashboard/export"
	"dispo/dashboard/site"
	"dispo/models"
	"dispo/models/ledger"
	"dispo/web"
)

var (
	errNoFormat = models.NewError(models.KindInvalid,
		"There is no such file format. Choose one of the links under Download.")
	errBadFilter = models.NewError(models.KindInvalid,
		"The filter in this address is not valid. Go back, change the filter and download again.")
)

// exported says what a file has.
type exported struct {
	action string   // for the audit log
	filter []string // in English, like all entries of the audit log
	name   string   // of the file, after the organization's
}

// sendExport answers with a file of all rows in the format that the address names.
func sendExport[T any](r *site.Request, what exported, table export.Table[T], rows export.Source[T]) error {
	format := export.Format(r.Query("format"))
	if format.ContentType() == "" {
		return errNoFormat
	}
	name := r.NameOf(r.Organization) + " " + what.name
	if format == export.API { // a spreadsheet would take some of its values for formulas
		name += " " + r.T("for programs")
	}
	return r.SendFile(site.File{
		ContentType: format.ContentType(),
		Disposition: export.Disposition(name, format),
		Action:      what.action,
		Subject:     strings.Join(append([]string{web.DownloadFormats[string(format)]}, what.filter...), ", "),
		Write:       export.Writer(format, r.Zone, table, rows),
		Whole:       format == export.XLSX,
	})
}

func auditExport(r *site.Request) error {
	filter, shown := auditFilter(r.Zone, r.ShownQuery)
	what := exported{models.ActionAuditLogExported, shown.Describe(), r.T("audit log {day}", "day", today(r))}
	tenant := r.Tenant()
	return sendExport(r, what, auditTable(r.Frame), func(ctx context.Context, each func(*models.AuditEntry) error) error {
		return models.EachAuditEntry(ctx, tenant, filter, each)
	})
}

func transactionExport(r *site.Request) error { return exportTransactions(r, "", "") }

func companyTransactionExport(r *site.Request) error {
	cvr := r.Param("cvr")
	if !cvrForm.MatchString(cvr) {
		return errNoCompany
	}
	company, err := ledger.Company(r.Context(), r.Tenant(), cvr)
	if err != nil {
		return err
	}
	return exportTransactions(r, cvr, company.Name)
}

// exportTransactions sends those of one company, or with an empty CVR of all.
func exportTransactions(r *site.Request, cvr, company string) error {
	filter, form := transactionFilter(r.Frame, r.Query)
	if !form.Valid() {
		return errBadFilter
	}
	if cvr != "" {
		filter.CVR, form.CVR.Value = cvr, cvr
	}
	tenant := r.Tenant()
	// The name has the filter, so that nobody takes a part for the whole.
	parts := []string{company, filter.CVR, form.Type.Value, r.T("transactions"),
		amountsOf(r.Frame, filter), periodOf(r.Frame, form)}
	name := strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
	what := exported{models.ActionTransactionExport, form.Describe(), name}
	return sendExport(r, what, transactionTable(r.Frame), func(ctx context.Context, each func(*ledger.Item) error) error {
		return ledger.EachTransaction(ctx, tenant, filter, each)
	})
}

func amountsOf(f web.Frame, filter ledger.TransactionFilter) string {
	switch least, most := filter.AmountFrom, filter.AmountTo; {
	case least == most && filter.Unsigned:
		return "±" + least
	case least == most:
		return least
	case most == "":
		return f.T("of at least {amount}", "amount", least)
	case least == "":
		return f.T("of at most {amount}", "amount", most)
	default:
		return f.T("of {least} to {most}", "least", least, "most", most)
	}
}

func periodOf(f web.Frame, form web.TransactionFilter) string {
	from, to := form.From.Value, form.To.Value
	switch {
	case from != "" && to != "":
		return f.T("{first} to {last}", "first", from, "last", to)
	case from != "":
		return f.T("from {day}", "day", from)
	case to != "":
		return f.T("to {day}", "day", to)
	}
	return f.T("all dates")
}

func deliveryExport(r *site.Request) error {
	tenant := r.Tenant()
	what := exported{models.ActionDeliveryExport, nil, r.T("deliveries {day}", "day", today(r))}
	return sendExport(r, what, deliveryTable(r.Frame), func(ctx context.Context, f func(*ledger.Arrival) error) error {
		return ledger.EachArrival(ctx, tenant, f)
	})
}

func deliveryRecordExport(r *site.Request) error {
	tenant := r.Tenant()
	file, err := ledger.FindArrival(r.Context(), tenant, r.ID)
	if err != nil {
		return err
	}
	if file.WithdrawnAt != nil {
		return models.NewError(models.KindConflict, "This delivery was withdrawn, so it has no transactions to download.")
	}
	what := exported{models.ActionTransactionExport, []string{fmt.Sprintf("delivery %s", file.Filename)},
		r.T("{file} transactions", "file", file.Filename)}
	return sendExport(r, what, transactionTable(r.Frame), func(ctx context.Context, each func(*ledger.Item) error) error {
		return ledger.EachArrivedRecord(ctx, tenant, file, each)
	})
}

// today is the organization's day.
func today(r *site.Request) string { return r.Now.In(r.Zone).Format(time.DateOnly) }

func companyExport(r *site.Request) error {
	wanted := companySearch(r)
	what := exported{models.ActionCompanyExport, nil, r.T("companies {day}", "day", today(r))}
	if wanted.Text != "" {
		what.filter = append(what.filter, fmt.Sprintf("search “%s”", wanted.Text))
	}
	if wanted.Status != "" {
		what.filter = append(what.filter, fmt.Sprintf("status %s", wanted.Status))
	}
	tenant := r.Tenant()
	return sendExport(r, what, companyTable(r.Frame), func(ctx context.Context, each func(*models.Company) error) error {
		return ledger.EachCompany(ctx, tenant, wanted, each)
	})
}
