package dashboard

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"
	"gorm.io/gorm"

	"dispo/models"
	"dispo/web"
)

// An export has the newest entries, at most exportLimit, and reads so many at once.
const (
	exportLimit = 100_000
	exportPage  = 1_000
)

// auditExport answers with the filtered audit log as a file. The export is itself noted,
// after its first page was read, so it does not contain itself.
func (h *handler) auditExport(r *request) error {
	filter, shown := auditFilter(r.frame.Zone, r.typed)
	format, contentType := "csv", "text/csv; charset=utf-8"
	if r.field("format") == "jsonl" {
		format, contentType = "jsonl", "application/jsonl; charset=utf-8"
	}
	tenant := h.tenant(r)
	entries, more, err := tenant.AuditLog(r.context(), filter, nil, exportPage)
	if err != nil {
		return err
	}
	err = tenant.Change(r.context(), func(tx *gorm.DB) error {
		return tenant.Note(tx, models.ActionAuditLogExported, shown.Describe(strings.ToUpper(format)))
	})
	if err != nil {
		return err
	}
	export := &auditFile{format: auditLines[format], left: exportLimit, entries: entries, more: more}
	organization, user := r.session.Current.OrganizationID, r.session.UserID
	// The file is written after the handler has returned, so it takes turns by itself.
	export.read = func(last models.AuditEntry) ([]models.AuditEntry, bool, error) {
		ctx, cancel := context.WithTimeout(context.Background(), requestDeadline)
		defer cancel()
		leaveUser, ok := h.users.Enter(ctx, user)
		if !ok {
			return nil, false, errCrowded
		}
		defer leaveUser()
		leaveOrganization, ok := h.organizations.Enter(ctx, organization)
		if !ok {
			return nil, false, errCrowded
		}
		defer leaveOrganization()
		entries, more, err := tenant.AuditLog(ctx, filter, &last.ID, exportPage)
		if err != nil {
			h.Log.Error("export of the audit log stopped", "error", err, "organization", organization)
		}
		return entries, more, err
	}
	r.c.Set(fiber.HeaderCacheControl, "no-store")
	r.c.Set(fiber.HeaderContentType, contentType)
	name := "audit-log-"
	if r.session.Current.Sandbox {
		name = "sandbox-" + name
	}
	r.c.Set(fiber.HeaderContentDisposition, `attachment; filename="`+name+r.frame.Now.UTC().Format(time.DateOnly)+"."+format+`"`)
	r.c.Context().SetBodyStream(export, -1)
	return nil
}

// auditFile is the file as a stream, of which one page at a time is in memory. If a
// page cannot be read, reading fails, so that the browser does not take a part for all.
type auditFile struct {
	read    func(last models.AuditEntry) (entries []models.AuditEntry, more bool, err error)
	format  func(b *bytes.Buffer, entries []models.AuditEntry, first bool) error
	entries []models.AuditEntry // the next page
	more    bool                // pages follow it
	left    int                 // entries that may still be written
	started bool
	text    bytes.Buffer // what is not read yet
}

// Read reads the file.
func (f *auditFile) Read(p []byte) (int, error) {
	if f.text.Len() == 0 {
		if err := f.fill(); err != nil {
			return 0, err
		}
	}
	return f.text.Read(p)
}

func (f *auditFile) fill() error {
	if f.started {
		if !f.more || f.left == 0 {
			return io.EOF
		}
		var err error
		if f.entries, f.more, err = f.read(f.entries[len(f.entries)-1]); err != nil {
			return err
		}
		if len(f.entries) == 0 {
			return errors.New("a page of the audit log is empty")
		}
	}
	page := f.entries[:min(len(f.entries), f.left)]
	f.left -= len(page)
	err := f.format(&f.text, page, !f.started)
	f.started = true
	return err
}

// auditLines writes entries in each format.
var auditLines = map[string]func(b *bytes.Buffer, entries []models.AuditEntry, first bool) error{
	"csv": func(b *bytes.Buffer, entries []models.AuditEntry, first bool) error {
		w := csv.NewWriter(b)
		if first {
			_ = w.Write([]string{"at", "person", "action", "description", "subject", "address"})
		}
		for _, e := range entries {
			r := auditRecordOf(e)
			_ = w.Write([]string{r.At, cell(r.Person), r.Action, cell(r.Description), cell(r.Subject), cell(r.Address)})
		}
		w.Flush()
		return w.Error()
	},
	"jsonl": func(b *bytes.Buffer, entries []models.AuditEntry, _ bool) error {
		w := json.NewEncoder(b)
		w.SetEscapeHTML(false)
		for _, e := range entries {
			if err := w.Encode(auditRecordOf(e)); err != nil {
				return err
			}
		}
		return nil
	},
}

// auditRecord is an entry of the audit log in an export.
type auditRecord struct {
	At          string `json:"at"`          // RFC 3339 in UTC, with milliseconds
	Person      string `json:"person"`      // e-mail, or operator
	Action      string `json:"action"`      // such as key.create
	Description string `json:"description"` // such as Created a key
	Subject     string `json:"subject"`     // may be empty
	Address     string `json:"address"`     // IP address, or command line
}

func auditRecordOf(e models.AuditEntry) auditRecord {
	return auditRecord{
		At: e.At.UTC().Format("2006-01-02T15:04:05.000Z"), Person: e.UserEmail, Action: e.Action,
		Description: web.ActionText(auditRow(e)), Subject: e.Subject, Address: e.Address,
	}
}

// cell keeps spreadsheets from running text as a formula.
func cell(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}
