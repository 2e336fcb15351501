package imports

import (
	"fmt"

	"dispo/models"
)

// refuseSandbox refuses to import something for a sandbox. Nothing real may arrive
// there, because whoever has a test key can read it. The organization may be nil.
func refuseSandbox(organization *models.Organization) error {
	if organization == nil || !organization.Sandbox {
		return nil
	}
	return models.NewError(models.KindForbidden, fmt.Sprintf("%s is a sandbox: its data is made up and arrives by itself, and nothing can be imported", organization.Slug))
}

// notSandbox is the condition that a column has the id of a real organization.
func notSandbox(column string) string {
	return column + ` <> ALL (ARRAY(SELECT id FROM organizations WHERE sandbox))`
}
