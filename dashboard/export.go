package dashboard

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"

	"dispo/api/download"
	"dispo/dashboard/export"
	"dispo/models"
	"dispo/models/fairqueue"
	"dispo/models/ledger"
	"dispo/web"
)

// A user downloads one file at a time, and an organization two.
var (
	userDownloads         = fairqueue.Limits[uuid.UUID]{PerSubject: 1, Waiting: 4}
	organizationDownloads = fairqueue.Limits[uuid.UUID]{PerSubject: 2, Waiting: 20}
)

var (
	errExporting = models.NewError(
		models.KindBusy,
		"You or others in your organization are downloading other files. Try again when one of them is done.",
	)
	errNoFormat = models.NewError(
		models.KindInvalid,
		"There is no such file format. Choose one of the links under Download.",
	)
	errBadFilter = models.NewError(
		models.KindInvalid,
		"The filter in this address is not valid. Go back, change the filter and download again.",
	)
)

// exported says what a file has.
type exported struct {
	action string   // for the audit log
	filter []string // in English, as are all entries of the audit log
	name   string   // of the file, after the organization's
}

// sendExport answers with a file of all rows in the format that the address names. It notes
// that in the audit log before it sends anything. The file is sent while it grows, if the
// client can tell a part of it from all. A workbook, which does not grow, is sent when it
// is whole. An error before the first row is answered with the error page.
func sendExport[T any](h *handler, r *request, what exported, table export.Table[T], rows export.Source[T]) error {
	format := export.Format(r.query("format"))
	if format.ContentType() == "" {
		return errNoFormat
	}
	name := r.frame.NameOf(r.frame.Organization) + " " + what.name
	if format == export.API { // a spreadsheet would take some of its values for formulas
		name += " " + r.frame.T("for programs")
	}
	setHeaders := func() {
		r.c.Set(fiber.HeaderCacheControl, "no-store")
		r.c.Set(fiber.HeaderContentType, format.ContentType())
		r.c.Set(fiber.HeaderContentDisposition, export.Disposition(name, format))
	}
	if r.c.Method() == fiber.MethodHead {
		setHeaders()
		return nil
	}
	tenant, session, log, exchange := h.tenant(r), *r.session, h.Log, r.exchange()
	r.later = func() error {
		// Until the ones that stand still were ended.
		wait, cancel := context.WithTimeout(context.Background(), h.Downloads.Patience*4/3)
		defer cancel()
		leave, ok := enterBoth(wait, h.userDownloads, h.organizationDownloads, session)
		if !ok {
			return errExporting
		}
		file, err := h.Downloads.Start(
			wait,
			r.c.Context().Conn(),
			download.Job{Kind: download.Dashboard, Write: export.Writer(format, r.frame.Zone, table, rows)},
		)
		if err != nil {
			leave()
			return err
		}
		whole := format == export.XLSX || !r.c.Request().Header.IsHTTP11()
		size, err := file.Ready(whole)
		if err == nil {
			noting, stopNoting := context.WithTimeout(context.Background(), h.Timeout)
			defer stopNoting()
			subject := strings.Join(append([]string{web.DownloadFormats[string(format)]}, what.filter...), ", ")
			err = tenant.NoteAlone(noting, what.action, subject)
		}
		if err != nil {
			_ = file.Close()
			leave()
			return err
		}
		file.Closed = func(sent int64, err error) {
			leave()
			if err != nil {
				log.Warn("export stopped", append(exchange.Attributes(), "error", err, "export", what.action, "bytes", sent)...)
			}
			exchange.Sent(sent)
		}
		setHeaders()
		exchange.Streams()
		r.c.Context().SetBodyStream(file, size)
		return nil
	}
	return nil
}

func (h *handler) auditExport(r *request) error {
	filter, shown := auditFilter(r.frame.Zone, r.shownQuery)
	what := exported{models.ActionAuditLogExported, shown.Describe(), r.frame.T("audit log {day}", "day", today(r))}
	tenant := h.tenant(r)
	return sendExport(
		h,
		r,
		what,
		auditTable(r.frame),
		func(ctx context.Context, each func(*models.AuditEntry) error) error {
			return models.EachAuditEntry(ctx, tenant, filter, each)
		},
	)
}

func (h *handler) transactionExport(r *request) error { return h.exportTransactions(r, "", "") }

func (h *handler) companyTransactionExport(r *request) error {
	cvr := r.param("cvr")
	if !cvrForm.MatchString(cvr) {
		return errNoCompany
	}
	company, err := ledger.Company(r.context(), h.tenant(r), cvr)
	if err != nil {
		return err
	}
	return h.exportTransactions(r, cvr, company.Name)
}

// exportTransactions sends those of one company, or with an empty CVR of all.
func (h *handler) exportTransactions(r *request, cvr, company string) error {
	filter, form := transactionFilter(r.frame, r.query)
	if !form.Valid() {
		return errBadFilter
	}
	if cvr != "" {
		filter.CVR, form.CVR.Value = cvr, cvr
	}
	tenant := h.tenant(r)
	// The name says what is left out, so that nobody takes a part for the whole.
	parts := []string{
		company,
		filter.CVR,
		form.Type.Value,
		r.frame.T("transactions"),
		amountsOf(r.frame, filter),
		periodOf(r.frame, form),
	}
	name := strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
	what := exported{models.ActionTransactionExport, form.Describe(), name}
	return sendExport(
		h,
		r,
		what,
		transactionTable(r.frame),
		func(ctx context.Context, each func(*ledger.Item) error) error {
			return ledger.EachTransaction(ctx, tenant, filter, each)
		},
	)
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

func (h *handler) deliveryExport(r *request) error {
	tenant := h.tenant(r)
	what := exported{models.ActionDeliveryExport, nil, r.frame.T("deliveries {day}", "day", today(r))}
	return sendExport(h, r, what, deliveryTable(r.frame), func(ctx context.Context, f func(*ledger.Arrival) error) error {
		return ledger.EachArrival(ctx, tenant, f)
	})
}

func (h *handler) deliveryRecordExport(r *request) error {
	tenant := h.tenant(r)
	file, err := ledger.FindArrival(r.context(), tenant, r.id)
	if err != nil {
		return err
	}
	if file.WithdrawnAt != nil {
		return models.NewError(models.KindConflict, "This delivery was withdrawn, so it has no transactions to download.")
	}
	what := exported{
		models.ActionTransactionExport,
		[]string{fmt.Sprintf("delivery %s", file.Filename)},
		r.frame.T("{file} transactions", "file", file.Filename),
	}
	return sendExport(
		h,
		r,
		what,
		transactionTable(r.frame),
		func(ctx context.Context, each func(*ledger.Item) error) error {
			return ledger.EachArrivedRecord(ctx, tenant, file, each)
		},
	)
}

// today is the organization's day.
func today(r *request) string { return r.frame.Now.In(r.frame.Zone).Format(time.DateOnly) }

func (h *handler) companyExport(r *request) error {
	wanted := companySearch(r)
	what := exported{models.ActionCompanyExport, nil, r.frame.T("companies {day}", "day", today(r))}
	if wanted.Text != "" {
		what.filter = append(what.filter, fmt.Sprintf("search “%s”", wanted.Text))
	}
	if wanted.Status != "" {
		what.filter = append(what.filter, fmt.Sprintf("status %s", wanted.Status))
	}
	tenant := h.tenant(r)
	return sendExport(
		h,
		r,
		what,
		companyTable(r.frame),
		func(ctx context.Context, each func(*models.Company) error) error {
			return ledger.EachCompany(ctx, tenant, wanted, each)
		},
	)
}
