package dashboard

import (
	"context"
	"fmt"
	"net/url"
	"regexp"

	"github.com/google/uuid"

	"dispo/dashboard/site"
	"dispo/models"
	"dispo/models/keys"
	"dispo/models/ledger"
	"dispo/web"
)

const keyServedShown = 3 // on the key's page

func requestsPath(key uuid.UUID) string { return "/settings/api-keys/" + key.String() + "/requests" }

// companyPath is the path of a request for one company.
var companyPath = regexp.MustCompile(`^/api/v1/companies/([0-9]{8})\b`)

func servedRows(r *site.Request, requests []keys.ServedRequest) (rows []web.ServedRow, err error) {
	var cvrs []string
	for _, q := range requests {
		caller := url.Values{"address": {q.Address}, "client": {q.Client}}
		row := web.ServedRow{At: q.At, Path: q.Path, Status: q.Status, Rows: q.RowCount,
			Bulk: q.Bulk, Address: q.Address, UserAgent: q.UserAgent, CallerPath: requestsPath(q.KeyID) + "?" + caller.Encode()}
		if named := companyPath.FindStringSubmatch(q.Path); named != nil {
			row.Company.CVR, cvrs = named[1], append(cvrs, named[1])
		}
		rows = append(rows, row)
	}
	if len(cvrs) == 0 {
		return rows, nil
	}
	names, err := ledger.CompanyNames(r.Context(), r.Tenant(), cvrs)
	for i := range rows {
		rows[i].Company.Name = names[rows[i].Company.CVR]
	}
	return rows, err
}

// wantedCaller returns the caller whose requests the address asks for, as parameters too; nil for all.
func wantedCaller(r *site.Request) (*keys.KeyCaller, url.Values) {
	if !r.Ctx.Context().QueryArgs().Has("address") {
		return nil, url.Values{}
	}
	caller := keys.KeyCaller{Address: r.ShownQuery("address"), Client: r.ShownQuery("client")}
	return &caller, url.Values{"address": {caller.Address}, "client": {caller.Client}}
}

func keyRequestExport(r *site.Request) error {
	tenant := r.Tenant()
	key, err := keys.Get(r.Context(), tenant, r.ID)
	if err != nil {
		return err
	}
	caller, _ := wantedCaller(r)
	what := exported{models.ActionRequestExport, []string{fmt.Sprintf("key %s", key.Subject())},
		r.T("what was read with {key} {day}", "key", key.Name+" "+key.Hint, "day", today(r))}
	return sendExport(r, what, servedTable(r.Frame), func(ctx context.Context, f func(*keys.ServedRequest) error) error {
		return keys.EachServed(ctx, tenant, r.ID, caller, f)
	})
}

// keyRequests shows what was read with a key, by all callers or by one.
func keyRequests(r *site.Request) error {
	tenant := r.Tenant()
	key, err := keys.Get(r.Context(), tenant, r.ID)
	if err != nil {
		return err
	}
	days, err := keys.ServedDays(r.Context(), tenant)
	if err != nil {
		return err
	}
	caller, kept := wantedCaller(r)
	view := web.KeyRequestsView{Frame: r.Frame, Key: keyRow(key), Kept: keys.ServedKept, Days: days,
		Download: web.Download{Path: requestsPath(r.ID) + "/export", Query: kept.Encode(), Log: true}}
	if caller != nil {
		view.Caller = &web.CallerView{Address: caller.Address, UserAgent: caller.Client}
	}
	callers, err := keys.Callers(r.Context(), tenant, r.ID, r.Now.Add(-keys.CallersWindow))
	if err != nil {
		return err
	}
	for _, c := range callers {
		if c.LastUsed == nil || caller != nil && (c.Address != caller.Address || c.Client != caller.Client) {
			continue
		}
		view.RowsSent += c.RowCount
		if view.First.IsZero() || c.FirstSeen.Before(view.First) {
			view.First = c.FirstSeen
		}
		if c.LastUsed.After(view.Last) {
			view.Last = *c.LastUsed
		}
	}
	before := r.IDIn("before")
	requests, more, err := keys.Served(r.Context(), tenant, r.ID, caller, before, pageSize)
	if err != nil {
		return err
	}
	if view.Rows, err = servedRows(r, requests); err != nil {
		return err
	}
	if caller != nil {
		for i := range view.Rows {
			view.Rows[i].CallerPath = "" // it leads here
		}
	}
	if more {
		view.Pager.Next = pageLink(requestsPath(r.ID), kept, "before", requests[len(requests)-1].ID)
	}
	if before != nil {
		view.Pager.Prev = requestsPath(r.ID) + "?" + kept.Encode()
	}
	return r.Show(web.KeyRequestsPage(view))
}
