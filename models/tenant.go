package models

import (
	"context"

	"github.com/google/uuid"
	"gorm.io/gorm"
)

// Tenant is the store bound to one organization: whatever is asked of it, it
// answers from that organization's rows alone. Queries on tenants' tables exist
// as its methods only.
type Tenant struct {
	organizationID uuid.UUID
	store          *Store
	actor          *Actor // nil: the operator
}

// Tenant binds the store to an organization.
func (s *Store) Tenant(organizationID uuid.UUID) Tenant {
	return Tenant{organizationID: organizationID, store: s}
}

// from starts every query of GORM on a tenant's table: by the WHERE, and by the
// connection's setting that row-level security compares.
func (t Tenant) from(ctx context.Context, table any) *gorm.DB {
	return t.store.db.WithContext(t.bind(ctx)).Model(table).Where("organization_id = ?", t.organizationID)
}

// bind marks ctx, so that the connection works for the organization.
func (t Tenant) bind(ctx context.Context) context.Context {
	return withOrganization(ctx, t.organizationID)
}
