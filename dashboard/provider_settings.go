package dashboard

import (
	"context"

	"dispo/dashboard/site"
	"dispo/models"
	"dispo/models/signon"
	"dispo/models/terms"
	"dispo/web"
)

func (c Config) providerView(r *site.Request) (web.ProviderView, error) {
	tenant := r.Tenant()
	view := web.ProviderView{
		Frame: r.Frame, IsOwner: r.Session.Current.Role == terms.Owner,
		ReturnURL: c.SignOn.ReturnURL(tenant.OrganizationID()), StartURL: r.URL("/sign-in/" + r.Session.Current.Slug),
	}
	present, err := signon.Get(r.Context(), tenant)
	if err != nil || present == nil {
		return view, err
	}
	view.Issuer.Value, view.ClientID.Value = present.Issuer, present.ClientID
	view.Provider = &web.ProviderState{Host: present.Host(), TriedAt: valueOf(present.TriedAt), Enabled: present.Enabled,
		Required: present.Required, Trusted: present.SecondFactorTrusted}
	return view, nil
}

func (c Config) providerShow(r *site.Request) error {
	view, err := c.providerView(r)
	if err != nil {
		return err
	}
	return r.Show(web.ProviderPage(view))
}

func (c Config) providerSet(r *site.Request) error {
	to := signon.Settings{
		Issuer:       r.Typed("issuer"),
		ClientID:     r.Typed("client_id"),
		ClientSecret: r.Field("client_secret"),
	}
	err := c.SignOn.Set(r.Context(), r.Tenant(), to)
	if models.ErrorKind(err) != models.KindInvalid {
		return r.DoneUnless(err, "/settings/sign-in", r.T("Settings saved. Try it before you turn it on."))
	}
	view, viewErr := c.providerView(r)
	if viewErr != nil {
		return viewErr
	}
	view.Issuer, view.ClientID.Value = web.Field{Value: to.Issuer, Error: r.Message(err)}, to.ClientID
	return r.ShowInvalid(web.ProviderPage(view))
}

func (c Config) providerTry(r *site.Request) error {
	if r.Session.Current.Role != terms.Owner {
		return models.ErrNotAllowed
	}
	return c.toProvider(r, r.Tenant(), signon.Start{Purpose: signon.ToTry, Session: r.Session.ID}, "/settings/sign-in")
}

// providerSwitch is a form that switches something on or off.
func providerSwitch(set func(ctx context.Context, r *site.Request, on bool) error) site.Page {
	return func(r *site.Request) error {
		return r.DoneUnless(set(r.Context(), r, r.Field("on") == "yes"), "/settings/sign-in", r.T("Settings saved."))
	}
}

var (
	providerEnable = providerSwitch(func(ctx context.Context, r *site.Request, on bool) error {
		return signon.Enable(ctx, r.Tenant(), on)
	})
	providerRequire = providerSwitch(func(ctx context.Context, r *site.Request, on bool) error {
		return signon.Require(ctx, r.Tenant(), *r.Session, on)
	})
	providerTrust = providerSwitch(func(ctx context.Context, r *site.Request, on bool) error {
		return signon.Trust(ctx, r.Tenant(), on)
	})
)

func providerRemoveForm(r *site.Request) error {
	if r.Session.Current.Role != terms.Owner {
		return models.ErrNotAllowed
	}
	present, err := signon.Get(r.Context(), r.Tenant())
	if err != nil {
		return err
	}
	if present == nil {
		return r.Redirect("/settings/sign-in")
	}
	return r.Show(web.ProviderRemovePage(web.ProviderRemoveView{Frame: r.Frame, Host: present.Host()}))
}

func providerRemove(r *site.Request) error {
	err := signon.Remove(r.Context(), r.Tenant())
	return r.DoneUnless(err, "/settings/sign-in", r.T("Single sign-on removed."))
}
