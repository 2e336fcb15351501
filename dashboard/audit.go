package dashboard

import (
	"strings"
	"time"

	"github.com/google/uuid"

	"dispo/dashboard/site"
	"dispo/models"
	"dispo/web"
)

const auditPath = "/settings/audit-log"

// auditFilter reads the filter of the audit log from parameters or fields, which value
// returns. Days are those of the organization's time zone. Invalid values are left out.
func auditFilter(zone *time.Location, value func(name string) string) (models.AuditFilter, web.AuditFilter) {
	shown := web.AuditFilter{Person: strings.ToLower(strings.TrimSpace(value("person"))), Action: value("action")}
	if !web.KnownAction(shown.Action) {
		shown.Action = ""
	}
	filter := models.AuditFilter{Person: shown.Person, Action: shown.Action}
	if id, err := uuid.Parse(value("key")); err == nil {
		shown.Key, filter.KeyID = id.String(), id
	}
	if day, err := time.ParseInLocation(time.DateOnly, value("from"), zone); err == nil {
		shown.From, filter.From = value("from"), day
	}
	if day, err := time.ParseInLocation(time.DateOnly, value("to"), zone); err == nil {
		shown.To, filter.Until = value("to"), day.AddDate(0, 0, 1)
	}
	return filter, shown
}

func auditLog(r *site.Request) error {
	filter, shown := auditFilter(r.Zone, r.ShownQuery)
	before := r.IDIn("before")
	entries, more, err := r.Tenant().AuditLog(r.Context(), filter, before, pageSize)
	if err != nil {
		return err
	}
	view := web.AuditLogView{Frame: r.Frame, Filter: shown}
	for _, e := range entries {
		view.Rows = append(view.Rows, auditRow(e))
	}
	kept := parameters(map[string]string{"person": shown.Person, "action": shown.Action, "key": shown.Key,
		"from": shown.From, "to": shown.To})
	view.Download = web.Download{Path: auditPath + "/export", Query: kept.Encode(), Log: true}
	if more {
		view.Pager.Next = pageLink(auditPath, kept, "before", entries[len(entries)-1].ID)
	}
	if before != nil {
		view.Pager.Prev = strings.TrimSuffix(auditPath+"?"+kept.Encode(), "?")
	}
	return r.Show(web.AuditLogPage(view))
}

func auditRow(e models.AuditEntry) web.AuditRow {
	row := web.AuditRow{At: e.At, Actor: e.UserEmail, Action: e.Action, Subject: e.Subject, Address: e.Address}
	switch {
	case e.UserID == nil && e.UserEmail == models.ScheduleActor.Email:
		row.Address = web.Automatic
	case e.UserID == nil:
		row.Actor, row.Address = "", ""
	case e.Address == models.OperatorActor.Address:
		row.Address = ""
	}
	if e.KeyID != nil {
		row.KeyID = e.KeyID.String()
	}
	return row
}
