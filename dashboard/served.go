package dashboard

import (
	"net/url"

	"github.com/google/uuid"

	"dispo/dashboard/site"
	"dispo/models/keys"
	"dispo/web"
)

const keyServedShown = 3 // on the key's page

func requestsPath(key uuid.UUID) string { return "/settings/api-keys/" + key.String() + "/requests" }

func servedRows(requests []keys.ServedRequest) (rows []web.ServedRow) {
	for _, q := range requests {
		caller := url.Values{"address": {q.Address}, "client": {q.Client}}
		rows = append(rows, web.ServedRow{At: q.At, Path: q.Path, Status: q.Status, Rows: q.RowCount,
			Address: q.Address, UserAgent: q.UserAgent, CallerPath: requestsPath(q.KeyID) + "?" + caller.Encode()})
	}
	return rows
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
	view := web.KeyRequestsView{Frame: r.Frame, Key: keyRow(key), Kept: keys.ServedKept, Days: days}
	var caller *keys.KeyCaller
	kept := url.Values{}
	if r.Ctx.Context().QueryArgs().Has("address") {
		caller = &keys.KeyCaller{Address: r.ShownQuery("address"), Client: r.ShownQuery("client")}
		view.Caller = &web.CallerView{Address: caller.Address, UserAgent: caller.Client}
		kept = url.Values{"address": {caller.Address}, "client": {caller.Client}}
	}
	before := r.IDIn("before")
	requests, more, err := keys.Served(r.Context(), tenant, r.ID, caller, before, pageSize)
	if err != nil {
		return err
	}
	view.Rows = servedRows(requests)
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
