package dashboard

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"github.com/google/uuid"
	"gorm.io/gorm"

	"dispo/dashboard/export"
	"dispo/models"
	"dispo/models/fairqueue"
	"dispo/models/ledger"
	"dispo/web"
)

// An organization downloads so many files at once. It gets fewer than the connections
// that exports have, so that it cannot keep others waiting.
var exportLimits = fairqueue.Limits[uuid.UUID]{PerSubject: 2, Waiting: 10}

// exportPatience is how long an answer waits for the first row, so that it can be an
// error page instead.
const exportPatience = 500 * time.Millisecond

var (
	errCrowdedExports = models.NewError(models.KindBusy, "Others are downloading at the moment. Try again in a minute.")
	errExporting      = models.NewError(models.KindBusy, "You or others in your organization are downloading two files already. Try again when one of them is done.")
	errNoRoom         = models.NewError(models.KindBusy, "The server has no room for this file at the moment. Try again later, or choose a shorter period.")
	errTooLong        = models.NewError(models.KindBusy, "This took longer than 15 minutes and was stopped. Choose a shorter period.")
	errStopping       = models.NewError(models.KindBusy, "The service is being restarted. Try again in a minute.")
	errNoFormat       = models.NewError(models.KindInvalid, "There is no such file format. Choose one of the links under Download.")
	errBadFilter      = models.NewError(models.KindInvalid, "The filter in this address is not valid. Go back, change the filter and download again.")
)

// exported says what a file has.
type exported struct {
	action string   // for the audit log
	filter []string // in English, as are all entries of the audit log
	name   string   // of the file, after the organization's
}

func exportFormat(r *request) (export.Format, error) {
	for _, format := range export.Formats {
		if string(format) == r.query("format") {
			return format, nil
		}
	}
	return "", errNoFormat
}

// sendExport answers with a file of all rows. The file is sent while it grows, if the
// client can tell a part of it from all. A workbook, which does not grow, is sent when
// it is whole.
func sendExport[T any](h *handler, r *request, what exported, format export.Format, table export.Table[T], rows export.Source[T]) error {
	setHeaders := func() {
		r.c.Set(fiber.HeaderCacheControl, "no-store")
		r.c.Set(fiber.HeaderContentType, format.ContentType())
		r.c.Set(fiber.HeaderContentDisposition, export.Disposition(r.frame.NameOf(r.frame.Organization)+" "+what.name, format))
	}
	if r.c.Method() == fiber.MethodHead {
		setHeaders()
		return nil
	}
	tenant, organization := h.tenant(r), r.session.Current.OrganizationID
	r.later = func() error {
		patience, cancel := context.WithTimeout(context.Background(), queueTimeout)
		defer cancel()
		leave, ok := h.exporting.Enter(patience, organization)
		if !ok {
			return errExporting
		}
		file, err := export.Start(patience, h.Exports, format, r.frame.Zone, table, rows)
		if err != nil {
			leave()
			return exportError(err)
		}
		fail := func(err error) error {
			file.Close()
			leave()
			return exportError(err)
		}
		client := r.c.Context().Conn()
		go giveUpIfGone(file, client)
		if err := file.Begun(exportPatience); err != nil {
			return fail(err)
		}
		noting, stopNoting := context.WithTimeout(context.Background(), requestDeadline)
		defer stopNoting()
		subject := strings.Join(append([]string{web.DownloadFormats[string(format)]}, what.filter...), ", ")
		if err := tenant.Change(noting, func(tx *gorm.DB) error { return tenant.Note(tx, what.action, subject) }); err != nil {
			return fail(err)
		}
		size := int64(-1)
		if format == export.XLSX || !r.c.Request().Header.IsHTTP11() {
			if size, err = file.Whole(); err != nil {
				return fail(err)
			}
		}
		log := h.Log
		setHeaders()
		r.c.Context().SetBodyStream(file.Body(client, func(sent int64, err error) {
			leave()
			if err != nil {
				log.Warn("export stopped", "error", err, "organization", organization, "export", what.action, "bytes", sent)
			}
		}), int(size))
		return nil
	}
	return nil
}

// exportError gives an error its message for the user.
func exportError(err error) error {
	var public error
	switch {
	case errors.Is(err, export.ErrBusy):
		public = errCrowdedExports
	case errors.Is(err, export.ErrStopped):
		public = errStopping
	case export.TimedOut(err):
		public = errTooLong
	case errors.As(err, new(*os.PathError)):
		public = errNoRoom
	default:
		return err
	}
	return fmt.Errorf("%w: %w", public, err)
}

// goneCheck is how often a client is asked whether it is still there.
const goneCheck = time.Second

// giveUpIfGone gives up a file whose client has closed the connection. While nothing is
// sent, nothing else notices.
func giveUpIfGone(file *export.File, client net.Conn) {
	ticker := time.NewTicker(goneCheck)
	defer ticker.Stop()
	for {
		select {
		case <-file.Finished():
			return
		case <-ticker.C:
			if gone(client) {
				file.GiveUp()
				return
			}
		}
	}
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
	format, err := exportFormat(r)
	if err != nil {
		return err
	}
	filter, form := transactionFilter(r.frame, r.query)
	if !form.Valid() {
		return errBadFilter
	}
	if cvr != "" {
		filter.CVR, form.CVR.Value = cvr, cvr
	}
	tenant := h.tenant(r)
	// The name says what is left out, so that nobody takes a part for the whole.
	parts := []string{company, filter.CVR, form.Type.Value, r.frame.T("transactions"), amountsOf(r.frame, filter), periodOf(r.frame, form)}
	name := strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
	what := exported{models.ActionTransactionExport, form.Describe(), name}
	return sendExport(h, r, what, format, transactionTable(r.frame, format), func(ctx context.Context, each func(*ledger.Item) error) error {
		return ledger.EachTransaction(ctx, tenant, filter, each)
	})
}

func amountsOf(f web.Frame, filter ledger.TransactionFilter) string {
	switch least, most := filter.AmountFrom, filter.AmountTo; {
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
	format, err := exportFormat(r)
	if err != nil {
		return err
	}
	tenant := h.tenant(r)
	what := exported{models.ActionDeliveryExport, nil, r.frame.T("deliveries {day}", "day", today(r))}
	return sendExport(h, r, what, format, deliveryTable(r.frame, format), func(ctx context.Context, f func(*ledger.Arrival) error) error {
		return ledger.EachArrival(ctx, tenant, f)
	})
}

func (h *handler) deliveryRecordExport(r *request) error {
	format, err := exportFormat(r)
	if err != nil {
		return err
	}
	id, err := r.id()
	if err != nil {
		return err
	}
	tenant := h.tenant(r)
	file, err := ledger.FindArrival(r.context(), tenant, id)
	if err != nil {
		return err
	}
	if file.WithdrawnAt != nil {
		return models.NewError(models.KindConflict, "This delivery was withdrawn, so it has no transactions to download.")
	}
	what := exported{models.ActionTransactionExport, []string{fmt.Sprintf("delivery %s", file.Filename)}, r.frame.T("{file} transactions", "file", file.Filename)}
	return sendExport(h, r, what, format, transactionTable(r.frame, format), func(ctx context.Context, each func(*ledger.Item) error) error {
		return ledger.EachArrivedRecord(ctx, tenant, file, each)
	})
}

// today is the organization's day.
func today(r *request) string { return r.frame.Now.In(r.frame.Zone).Format(time.DateOnly) }

func (h *handler) companyExport(r *request) error {
	format, err := exportFormat(r)
	if err != nil {
		return err
	}
	wanted := companySearch(r)
	what := exported{models.ActionCompanyExport, nil, r.frame.T("companies {day}", "day", today(r))}
	if wanted.Text != "" {
		what.filter = append(what.filter, fmt.Sprintf("search “%s”", wanted.Text))
	}
	if wanted.Status != "" {
		what.filter = append(what.filter, fmt.Sprintf("status %s", wanted.Status))
	}
	tenant := h.tenant(r)
	return sendExport(h, r, what, format, companyTable(r.frame, format), func(ctx context.Context, each func(*models.Company) error) error {
		return ledger.EachCompany(ctx, tenant, wanted, each)
	})
}
