// Package models is the domain: organizations, companies, transactions, delivery
// files, API keys and the audit log, each a GORM model, and the queries on them. It
// knows neither HTTP nor HTML.
package models

import (
	"context"

	"github.com/google/uuid"

	"dispo/models/database"
	"dispo/models/secrets"
)

// Store gives access to the models. It is safe for concurrent use.
type Store struct {
	db       *database.DB
	secret   secrets.Secret
	versions *versions
	erasures string
}

// NewStore returns a store on the database.
func NewStore(db *database.DB, secret secrets.Secret) *Store {
	return &Store{db: db, secret: secret, versions: newVersions(db)}
}

// DB returns the store's database.
func (s *Store) DB() *database.DB { return s.db }

// Secret returns the server's secret.
func (s *Store) Secret() secrets.Secret { return s.secret }

// KeepErasures sets the path of the file that package erasures appends to. Call it before the
// store is used.
func (s *Store) KeepErasures(path string) { s.erasures = path }

// Erasures returns the path of that file, or "" if there is none.
func (s *Store) Erasures() string { return s.erasures }

// Tenant returns the store bound to one organization. Only a database that works as the
// operator's role makes the operator its actor. Else it has none until As names one, so
// a change that forgets to say who acts is refused instead of being the operator's.
func (s *Store) Tenant(organizationID uuid.UUID) Tenant {
	tenant := Tenant{organizationID: organizationID, store: s}
	if s.db.Role == database.Operator {
		tenant.actor = OperatorActor
	}
	return tenant
}

// ForPages returns the store over the connections that are kept for pages. It shares
// everything else with s.
func (s *Store) ForPages() *Store {
	pages := *s
	pages.db = s.db.ForPages()
	return &pages
}

// Ping checks that the database answers. Errors: KindUnavailable.
func (s *Store) Ping(ctx context.Context) error { return Wrap(s.db.Ping(ctx)) }
