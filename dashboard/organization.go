package dashboard

import (
	"github.com/gofiber/fiber/v2"

	"dispo/models"
	"dispo/web"
)

func (h *handler) organizationShow(r *request) error {
	address, err := h.tenant(r).NotificationAddress(r.context())
	if err != nil {
		return err
	}
	return r.show(web.OrganizationPage(web.OrganizationView{Frame: r.frame, Mail: h.Mail,
		Name: web.Field{Value: r.session.Current.Name}, TimeZone: web.Field{Value: r.session.Current.TimeZone}, NotificationAddress: web.Field{Value: address}}))
}

func (h *handler) organizationChange(r *request) error {
	view := web.OrganizationView{Frame: r.frame, Mail: h.Mail, Name: web.Field{Value: r.typed("name")}, TimeZone: web.Field{Value: r.typed("time_zone")},
		NotificationAddress: web.Field{Value: r.typed("notification_address")}}
	err := h.tenant(r).OrganizationChange(r.context(), models.OrganizationSettings{Name: view.Name.Value, TimeZone: view.TimeZone.Value,
		NotificationAddress: view.NotificationAddress.Value})
	if models.ErrorKind(err) == models.KindInvalid {
		_, zoneErr := models.Location(view.TimeZone.Value)
		_, addressErr := models.ReadNotificationAddress(view.NotificationAddress.Value)
		view.TimeZone.Error, view.NotificationAddress.Error = r.message(zoneErr), r.message(addressErr)
		if zoneErr == nil && addressErr == nil {
			view.Name.Error = r.message(err)
		}
		return r.showAs(fiber.StatusUnprocessableEntity, web.OrganizationPage(view))
	}
	if err != nil {
		return err
	}
	return h.done(r, "/settings/organization", r.frame.T("Settings saved."))
}
