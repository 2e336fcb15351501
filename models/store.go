// Package models is the domain: organizations, companies, transactions, delivery
// files, API keys and the audit log, each a GORM model, and the queries on them. It
// knows neither HTTP nor HTML.
package models

import (
	"context"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"dispo/models/database"
	"dispo/models/secrets"
	"dispo/models/terms"
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
// a change without an actor is refused instead of being the operator's.
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

// Tenant is the store bound to one organization. Its queries see that
// organization's rows alone, and its changes are noted as its actor's.
type Tenant struct {
	organizationID uuid.UUID
	store          *Store
	actor          Actor
}

// OrganizationID returns the id of the organization.
func (t Tenant) OrganizationID() uuid.UUID { return t.organizationID }

// Store returns the store that the tenant belongs to.
func (t Tenant) Store() *Store { return t.store }

// Actor returns the author of the tenant's changes.
func (t Tenant) Actor() Actor { return t.actor }

// Secret returns the server's secret.
func (t Tenant) Secret() secrets.Secret { return t.store.secret }

// As returns the tenant with another actor.
func (t Tenant) As(actor Actor) Tenant {
	t.actor = actor
	return t
}

// DB returns a GORM session on the organization's rows.
func (t Tenant) DB(ctx context.Context) *gorm.DB { return t.store.db.GORM(t.bind(ctx)) }

// Read is database.Read for the tenant. Its errors have their kinds.
func Read[T any](
	ctx context.Context, t Tenant, statement *database.Statement[T], arguments database.Arguments,
) ([]T, error) {
	rows, err := database.Read(t.bind(ctx), t.store.db, statement, arguments)
	return rows, Wrap(err)
}

// ReadBoth is database.ReadBoth for the tenant. Its errors have their kinds.
func ReadBoth[A, B any](
	ctx context.Context, t Tenant, first *database.Statement[A], second *database.Statement[B],
	arguments database.Arguments,
) ([]A, []B, error) {
	a, b, err := database.ReadBoth(t.bind(ctx), t.store.db, first, second, arguments)
	return a, b, Wrap(err)
}

// Find runs a query from DB and returns its rows. Its errors have their kinds.
func Find[T any](query *gorm.DB) (rows []T, err error) {
	err = query.Find(&rows).Error
	return rows, Wrap(err)
}

// Each runs a query from DB in a snapshot of ReadData, and calls f with each row. Its
// errors may be f's.
func Each[T any](ctx context.Context, t Tenant, query *gorm.DB, f func(*T) error) error {
	return ReadData(ctx, t, func(s database.Snapshot) error { return database.Each(s, query, f) })
}

// ReadData is ReadSnapshot for what the data version covers: companies, transactions and
// delivery files. It reads on a replica of the database if one has the present version.
func ReadData(ctx context.Context, t Tenant, f func(database.Snapshot) error) error {
	if t.store.db.Replicas.Any() {
		version, err := t.DataVersion(ctx)
		if err != nil {
			return err
		}
		if counted, err := t.store.db.ReadReplica(t.bind(ctx), version, f); counted {
			return Wrap(err)
		}
	}
	return ReadSnapshot(ctx, t, f)
}

// OnReplica calls read with the tenant on a replica of the database, if one is ready, for
// at most 200 ms. read returns the data version of the snapshot that it has read. OnReplica
// reports whether that is the expected version. If not, what was read does not count: read
// it on the primary.
func (t Tenant) OnReplica(
	ctx context.Context, version Version, read func(context.Context, Tenant) (Version, error),
) bool {
	counted, _ := t.store.db.Replicas.Read(ctx, version,
		func(ctx context.Context, db *database.DB, counts func(Version) bool) error {
			replica, store := t, *t.store
			store.db, replica.store = db, &store
			found, err := read(ctx, replica)
			if err == nil {
				counts(found)
			}
			return err
		})
	return counted
}

// ReadSnapshot calls f, which reads the organization's data of one moment over the
// connections that are kept for exports. Its errors may be f's.
func ReadSnapshot(ctx context.Context, t Tenant, f func(database.Snapshot) error) error {
	return Wrap(database.ReadSnapshot(t.bind(ctx), t.store.db.ForExports(), f))
}

// Write runs f in one transaction on the organization's rows.
func (t Tenant) Write(ctx context.Context, f func(tx *gorm.DB) error) error {
	return Wrap(t.DB(ctx).Transaction(f))
}

// Note adds an entry to the audit log, in the transaction of what it records. It
// masks keys.
func (t Tenant) Note(tx *gorm.DB, action, subject string) error {
	return t.note(tx, action, subject, nil)
}

// NoteAlone is Note in a transaction of its own.
func (t Tenant) NoteAlone(ctx context.Context, action, subject string) error {
	return t.Write(ctx, func(tx *gorm.DB) error { return t.Note(tx, action, subject) })
}

// NoteKey is Note for what was done to a key.
func (t Tenant) NoteKey(tx *gorm.DB, action, subject string, keyID uuid.UUID) error {
	return t.note(tx, action, subject, &keyID)
}

func (t Tenant) note(tx *gorm.DB, action, subject string, keyID *uuid.UUID) error {
	return tx.Create(&AuditEntry{
		ID: database.NewID(), UserID: t.actor.UserID, UserEmail: MaskKeys(t.actor.Email),
		Action: action, Subject: MaskKeys(subject), Address: t.actor.Address, KeyID: keyID,
	}).Error
}

func (t Tenant) bind(ctx context.Context) context.Context {
	return database.WithOrganization(ctx, t.organizationID)
}

// Member is a user's membership in an organization.
type Member struct {
	OrganizationID uuid.UUID
	UserID         uuid.UUID
	Role           terms.Role
	CreatedAt      time.Time `gorm:"default:clock_timestamp()"`
}

// TableName is the members' table.
func (Member) TableName() string { return "memberships" }

// Manage runs f in one transaction on the organization's rows, for a change that only
// owners and admins may make. It first locks the actor's membership, so f can rely on
// the role: a demotion that has committed counts, and a later one waits until the
// change is done. The operator acts as an owner. Errors: KindForbidden.
func (t Tenant) Manage(ctx context.Context, f func(tx *gorm.DB, actor terms.Role) error) error {
	return t.Write(ctx, func(tx *gorm.DB) error {
		actor, err := t.lockActor(tx)
		switch {
		case err != nil:
			return err
		case actor != terms.Owner && actor != terms.Admin:
			return ErrNotAllowed
		}
		return f(tx, actor)
	})
}

// lockActor returns the actor's role, or "" if the actor is not a member.
func (t Tenant) lockActor(tx *gorm.DB) (terms.Role, error) {
	if t.actor == OperatorActor {
		return terms.Owner, nil
	}
	var found []Member
	err := tx.Clauses(clause.Locking{Strength: "SHARE"}).Where("user_id = ?", t.actor.UserID).Find(&found).Error
	if err != nil || len(found) == 0 {
		return "", err
	}
	return found[0].Role, nil
}

// ErrNotAllowed refuses a change that the actor's role does not allow.
var ErrNotAllowed = NewError(KindForbidden, "You don’t have permission to do that. Ask an owner of the organization.")
