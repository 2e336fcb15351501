package dashboard

import (
	"github.com/gofiber/fiber/v2"

	"dispo/models"
	"dispo/web"
)

func (h *handler) organizationShow(v *visit) error {
	address, err := h.tenant(v).NotificationAddress(v.UserContext())
	if err != nil {
		return err
	}
	return v.show(web.OrganizationPage(web.OrganizationView{Frame: v.frame, Mail: h.Mail,
		Name: web.Field{Value: v.session.Current.Name}, TimeZone: web.Field{Value: v.session.Current.TimeZone}, NotificationAddress: web.Field{Value: address}}))
}

func (h *handler) organizationChange(v *visit) error {
	view := web.OrganizationView{Frame: v.frame, Mail: h.Mail, Name: web.Field{Value: v.typed("name")}, TimeZone: web.Field{Value: v.typed("time_zone")},
		NotificationAddress: web.Field{Value: v.typed("notification_address")}}
	err := h.tenant(v).OrganizationChange(v.UserContext(), models.OrganizationSettings{Name: view.Name.Value, TimeZone: view.TimeZone.Value,
		NotificationAddress: view.NotificationAddress.Value})
	if models.ErrorKind(err) == models.KindInvalid {
		_, zoneErr := models.Location(view.TimeZone.Value)
		_, addressErr := models.ReadNotificationAddress(view.NotificationAddress.Value)
		view.TimeZone.Error, view.NotificationAddress.Error = v.message(zoneErr), v.message(addressErr)
		if zoneErr == nil && addressErr == nil {
			view.Name.Error = v.message(err)
		}
		return v.showAs(fiber.StatusUnprocessableEntity, web.OrganizationPage(view))
	}
	if err != nil {
		return err
	}
	return h.done(v, "/settings/organization", v.frame.T("Settings saved."))
}
