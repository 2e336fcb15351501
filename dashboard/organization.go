package dashboard

import (
	"dispo/dashboard/site"
	"dispo/models"
	"dispo/models/organizations"
	"dispo/web"
)

func organizationShow(r *site.Request) error {
	settings, err := r.Tenant().Settings(r.Context())
	if err != nil {
		return err
	}
	return r.Show(web.OrganizationPage(web.OrganizationView{
		Frame:       r.Frame,
		TellOfLeaks: settings.TellOfLeaks,
		Mail:        r.Site.Mail,
		Name:        web.Field{Value: settings.Name},
		TimeZone:    web.Field{Value: settings.TimeZone},
		NotificationAddress: web.Field{
			Value: settings.NotificationAddress,
		},
		ExpectedBy: web.Field{Value: settings.ExpectedBy},
	}))
}

// leaksChange sets what happens to keys that are reported as leaked.
func leaksChange(r *site.Request) error {
	if err := organizations.TellOfLeaks(r.Context(), r.Tenant(), r.Field("leaks") == "tell"); err != nil {
		return err
	}
	return r.Done("/settings/organization", r.T("Settings saved."))
}

func organizationChange(r *site.Request) error {
	view := web.OrganizationView{
		Frame:    r.Frame,
		Mail:     r.Site.Mail,
		Name:     web.Field{Value: r.Typed("name")},
		TimeZone: web.Field{Value: r.Typed("time_zone")},
		NotificationAddress: web.Field{
			Value: r.Typed("notification_address"),
		},
		ExpectedBy: web.Field{Value: r.Typed("expected_by")},
	}
	err := organizations.Change(r.Context(), r.Tenant(), models.OrganizationSettings{
		Name: view.Name.Value, TimeZone: view.TimeZone.Value,
		NotificationAddress: view.NotificationAddress.Value, ExpectedBy: view.ExpectedBy.Value,
	})
	if models.ErrorKind(err) == models.KindInvalid {
		settings, settingsErr := r.Tenant().Settings(r.Context())
		if settingsErr != nil {
			return settingsErr
		}
		view.TellOfLeaks = settings.TellOfLeaks
		zoneErr := organizations.CheckZone(r.Context(), r.Tenant(), view.TimeZone.Value)
		_, addressErr := organizations.ReadNotificationAddress(view.NotificationAddress.Value)
		_, expectedErr := organizations.ReadExpectedBy(view.ExpectedBy.Value)
		view.TimeZone.Error, view.ExpectedBy.Error = r.Message(zoneErr), r.Message(expectedErr)
		view.NotificationAddress.Error = r.Message(addressErr)
		if zoneErr == nil && addressErr == nil && expectedErr == nil {
			view.Name.Error = r.Message(err)
		}
		return r.ShowInvalid(web.OrganizationPage(view))
	}
	if err != nil {
		return err
	}
	return r.Done("/settings/organization", r.T("Settings saved."))
}
