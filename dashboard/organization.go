package dashboard

import (
	"github.com/gofiber/fiber/v2"

	"dispo/models"
	"dispo/web"
)

func (h *handler) organizationShow(v *visit) error {
	return v.show(web.OrganizationPage(web.OrganizationView{Frame: v.frame,
		Name: web.Field{Value: v.session.Current.Name}, TimeZone: web.Field{Value: v.session.Current.TimeZone}}))
}

func (h *handler) organizationChange(v *visit) error {
	view := web.OrganizationView{Frame: v.frame, Name: web.Field{Value: v.typed("name")}, TimeZone: web.Field{Value: v.typed("time_zone")}}
	err := h.tenant(v).OrganizationChange(v.UserContext(), view.Name.Value, view.TimeZone.Value)
	if models.ErrorKind(err) == models.KindInvalid {
		if _, zoneErr := models.Location(view.TimeZone.Value); zoneErr != nil {
			view.TimeZone.Error = messageOf(zoneErr)
		} else {
			view.Name.Error = messageOf(err)
		}
		return v.showAs(fiber.StatusUnprocessableEntity, web.OrganizationPage(view))
	}
	if err != nil {
		return err
	}
	return h.done(v, "/settings/organization", "Settings saved.")
}
