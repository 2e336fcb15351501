package dashboard

import (
	"github.com/gofiber/fiber/v2"

	"dispo/models"
	"dispo/models/organizations"
	"dispo/web"
)

func (h *handler) organizationShow(r *request) error {
	settings, err := h.tenant(r).Settings(r.context())
	if err != nil {
		return err
	}
	return r.show(web.OrganizationPage(web.OrganizationView{
		Frame:    r.frame,
		Mail:     h.Mail,
		Name:     web.Field{Value: settings.Name},
		TimeZone: web.Field{Value: settings.TimeZone},
		NotificationAddress: web.Field{
			Value: settings.NotificationAddress,
		},
		ExpectedBy: web.Field{Value: settings.ExpectedBy},
	}))
}

func (h *handler) organizationChange(r *request) error {
	view := web.OrganizationView{
		Frame:    r.frame,
		Mail:     h.Mail,
		Name:     web.Field{Value: r.typed("name")},
		TimeZone: web.Field{Value: r.typed("time_zone")},
		NotificationAddress: web.Field{
			Value: r.typed("notification_address"),
		},
		ExpectedBy: web.Field{Value: r.typed("expected_by")},
	}
	err := organizations.Change(r.context(), h.tenant(r), models.OrganizationSettings{
		Name: view.Name.Value, TimeZone: view.TimeZone.Value,
		NotificationAddress: view.NotificationAddress.Value, ExpectedBy: view.ExpectedBy.Value,
	})
	if models.ErrorKind(err) == models.KindInvalid {
		zoneErr := organizations.CheckZone(r.context(), h.tenant(r), view.TimeZone.Value)
		_, addressErr := organizations.ReadNotificationAddress(view.NotificationAddress.Value)
		_, expectedErr := organizations.ReadExpectedBy(view.ExpectedBy.Value)
		view.TimeZone.Error, view.ExpectedBy.Error = r.message(zoneErr), r.message(expectedErr)
		view.NotificationAddress.Error = r.message(addressErr)
		if zoneErr == nil && addressErr == nil && expectedErr == nil {
			view.Name.Error = r.message(err)
		}
		return r.showAs(fiber.StatusUnprocessableEntity, web.OrganizationPage(view))
	}
	if err != nil {
		return err
	}
	return h.done(r, "/settings/organization", r.frame.T("Settings saved."))
}
