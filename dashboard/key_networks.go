package dashboard

import (
	"errors"
	"net/netip"
	"slices"
	"strings"

	"dispo/dashboard/site"
	"dispo/models"
	"dispo/models/keys"
	"dispo/web"
)

// fillKeyNetworks fills in the addresses that used the key. With fill=used, it also adds those to
// the field from which the key may not be used by the list as it is.
func fillKeyNetworks(r *site.Request, tenant models.Tenant, key keys.Key, view *web.KeyView) error {
	callers, err := keys.Callers(r.Context(), tenant, key.ID, r.Now.Add(-keys.CallersWindow))
	for _, caller := range callers {
		switch {
		case caller.LastUsed == nil:
		case caller.Other():
			view.UsedFromOthers = true
		default:
			view.UsedFrom = append(view.UsedFrom, caller.Address)
		}
	}
	slices.Sort(view.UsedFrom)
	view.UsedFrom = slices.Compact(view.UsedFrom)
	if r.Query("fill") == "used" && view.KeyForms == (web.KeyForms{}) {
		lines := key.Networks.Texts()
		for _, used := range view.UsedFrom {
			from, err := netip.ParseAddr(used)
			if err == nil && (len(key.Networks) == 0 || !key.Networks.Allow(from)) {
				lines = append(lines, used)
			}
		}
		view.Networks.Value = strings.Join(lines, "\n")
	}
	return err
}

// errShutsOut means that a list shuts out what uses the key, and nobody was warned of that.
var errShutsOut = models.NewError(models.KindInvalid, "")

// keyBind sets what the key may be used from. A list that shuts out an address that uses the key
// is saved when the form is sent again after the warning that names it.
func keyBind(r *site.Request) error {
	text, shutsOut, warning := r.Typed("networks"), "", ""
	return changeKey(r, func(tenant models.Tenant) (key keys.Detail, notice string, err error) {
		networks, err := keys.ReadNetworks(text)
		if err != nil {
			return key, "", err
		}
		if key, err = keys.Get(r.Context(), tenant, r.ID); err != nil {
			return key, "", err
		}
		callers, err := keys.Callers(r.Context(), tenant, r.ID, r.Now.Add(-keys.CallersWindow))
		if err != nil {
			return key, "", err
		}
		shutsOut, warning = shutOut(r, key.Key, callers, networks)
		if shutsOut != "" && shutsOut != r.Typed("shuts_out") {
			return key, "", errShutsOut
		}
		key, err = keys.Bind(r.Context(), tenant, r.ID, networks)
		return key, r.T("Saved."), err
	}, func(err error) web.KeyForms {
		if errors.Is(err, errShutsOut) {
			return web.KeyForms{Networks: web.Field{Value: text, Error: warning}, ShutsOut: shutsOut}
		}
		return web.KeyForms{Networks: web.Field{Value: text, Error: r.Message(err)}}
	})
}

// shutOut returns what a list shuts out though it uses the key, and a warning that says so. Both
// are empty if there is nothing.
func shutOut(r *site.Request, key keys.Key, callers []keys.KeyCaller, to keys.Networks) (who, warning string) {
	addresses, others := keys.ShutOut(key, callers, to)
	who = strings.Join(addresses, ", ")
	if len(addresses) > 0 {
		warning = r.N(int64(len(addresses)),
			"This list shuts out {n} address that used the key in the last 30 days: {addresses}.",
			"This list shuts out {n} addresses that used the key in the last 30 days: {addresses}.", "addresses", who)
	}
	if others {
		who += "…"
		warning += " " + r.T("The key has more than 100 callers. Those beyond are counted together, so it may shut out more.")
	}
	return who, strings.TrimSpace(warning)
}
