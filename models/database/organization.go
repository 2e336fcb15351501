package database

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

type (
	organizationKey struct{}
	operatorKey     struct{}
	deferSettingKey struct{} // true: Read sends the setting together with its queries
)

// WithOrganization returns a context whose queries work for that organization
// alone: by GORM's scope, and by row-level security.
func WithOrganization(ctx context.Context, id uuid.UUID) context.Context {
	return context.WithValue(ctx, organizationKey{}, id)
}

// WithOperator returns a context whose queries cross organizations on purpose.
// Row-level security still shows nothing to connections that work as Service.
func WithOperator(ctx context.Context) context.Context {
	return context.WithValue(ctx, operatorKey{}, true)
}

// organizationOf returns the organization that ctx works for, uuid.Nil for none.
func organizationOf(ctx context.Context) uuid.UUID {
	id, _ := ctx.Value(organizationKey{}).(uuid.UUID)
	return id
}

func isOperator(ctx context.Context) bool { return ctx.Value(operatorKey{}) != nil }

// The row-level security policies compare a row's organization with this setting
// of the connection. Without it no row is visible.
const (
	organizationSetting = "dispo.organization_id"
	settingSQL          = `SELECT set_config('` + organizationSetting + `', $1, false)`
)

func settingText(id uuid.UUID) string {
	if id == uuid.Nil {
		return ""
	}
	return id.String()
}

// unknownSetting marks a connection on which setting the organization failed: what
// it is set to now is not known, and it matches no organization.
var unknownSetting = uuid.Max

// currentSetting returns the organization that the connection was last set to:
// uuid.Nil if it never was.
func currentSetting(conn *pgx.Conn) uuid.UUID {
	id, _ := conn.PgConn().CustomData()[organizationSetting].(uuid.UUID)
	return id
}

// setOrganization sets a connection that was just acquired to the organization of
// ctx, unless it is already or Read does so itself.
func setOrganization(ctx context.Context, conn *pgx.Conn) (bool, error) {
	id := organizationOf(ctx)
	if id == currentSetting(conn) || ctx.Value(deferSettingKey{}) != nil {
		return true, nil
	}
	custom := conn.PgConn().CustomData()
	if _, err := conn.Exec(ctx, settingSQL, settingText(id)); err != nil {
		custom[organizationSetting] = unknownSetting
		return false, err
	}
	custom[organizationSetting] = id
	return true, nil
}
