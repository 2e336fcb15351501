package database

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/google/uuid"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
	"gorm.io/gorm/schema"

	"dispo/migrations"
)

// ErrNoTenant means that a query on tenants' rows had neither an organization nor
// the operator in its context. That is a mistake in the program.
var ErrNoTenant = errors.New(
	"a query on an organization's rows has no organization: use WithOrganization or WithOperator")

// ErrOtherTenant means that a row was to be created for another organization than
// the context's. That is a mistake in the program.
var ErrOtherTenant = errors.New("a row of another organization than the context's cannot be created")

// errNoModel refuses rows whose organization the scope can neither set nor compare.
var errNoModel = errors.New("an organization's rows must be created from their model, not from a map")

// errNoField refuses a second struct for a table of organizations' rows, if it leaves out
// the field by which rows are scoped.
var errNoField = errors.New(
	"a struct of an organization's rows has no field OrganizationID, and none with the tag gorm:\"tenant\"")

type (
	organizationKey struct{}
	operatorKey     struct{}
	composingKey    struct{} // of a Statement, for no organization yet
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

func isComposing(ctx context.Context) bool { return ctx.Value(composingKey{}) != nil }

// errNamedTable refuses a table that is named in Table or Joins, because nothing says
// whether its rows belong to an organization.
var errNamedTable = errors.New(
	`a query names a table in Table or Joins: use the query of a model instead, such as Joins("JOIN (?) AS c ON …", tx.Model(&Company{}))`,
)

// tenantScope is a GORM plugin. It scopes every model whose rows belong to an
// organization: queries, updates and deletes get the condition that the rows are the
// context's organization's, and new rows get that organization. Where the context has
// none, it refuses with ErrNoTenant, unless the context is the operator's. Table and
// Joins take queries of models, which are scoped themselves. Raw SQL passes as it is:
// there row-level security is the only wall.
type tenantScope struct{}

// Name is the plugin's name.
func (tenantScope) Name() string { return "dispo:tenant" }

// Initialize registers the scope on every verb.
func (tenantScope) Initialize(db *gorm.DB) error {
	const name = "dispo:tenant"
	callbacks := db.Callback()
	return errors.Join(callbacks.Query().Before("gorm:query").Register(name, restrict),
		callbacks.Row().Before("gorm:row").Register(name, restrict),
		callbacks.Update().Before("gorm:update").Register(name, restrictChange),
		callbacks.Delete().Before("gorm:delete").Register(name, restrictChange),
		callbacks.Create().Before("gorm:create").Register(name, stamp))
}

// tenantField returns the field that says whose a row is: OrganizationID, or the one
// with the tag gorm:"tenant". It is nil for a model that belongs to no organization. For a
// struct that lacks the field of its table it adds errNoField to the statement. The
// field's name decides, not its column: a session has a column organization_id, but
// belongs to its user.
func tenantField(statement *gorm.Statement) *schema.Field {
	if statement.Schema == nil {
		return nil
	}
	if field := statement.Schema.FieldsByName["OrganizationID"]; field != nil {
		return field
	}
	for _, field := range statement.Schema.Fields {
		if _, tagged := field.TagSettings["TENANT"]; tagged {
			return field
		}
	}
	if slices.Contains(migrations.TenantTables(), statement.Schema.Table) {
		_ = statement.AddError(fmt.Errorf("%w (%s)", errNoField, statement.Schema.Name))
	}
	return nil
}

// restrictChange is restrict for updates and deletes. GORM refuses those without a
// condition, but would count the organization's as one. It is enough for the
// organization's own row.
func restrictChange(db *gorm.DB) {
	field := tenantField(db.Statement)
	if _, ok := db.Statement.Clauses["WHERE"]; !ok && field != nil &&
		field != db.Statement.Schema.PrioritizedPrimaryField &&
		!db.AllowGlobalUpdate {
		_ = db.AddError(gorm.ErrMissingWhereClause)
		return
	}
	restrict(db)
}

// namedTable finds what follows FROM, JOIN or, between tables, a comma, if that is
// neither in brackets nor a function.
var namedTable = regexp.MustCompile(`(?i)(?:\b(?:FROM|JOIN)\b|,)\s*(?:LATERAL\b\s*)?[\w."]+\s*(\(?)`)

// namesTable reports whether the statement selects from anything but its model's table
// and other queries.
func namesTable(statement *gorm.Statement) bool {
	var sources []string
	if statement.TableExpr != nil {
		sources = append(sources, "FROM "+statement.TableExpr.SQL)
	}
	for _, join := range statement.Joins {
		sources = append(sources, join.Name)
		if !strings.Contains(join.Name, " ") { // a relation of the model
			return true
		}
	}
	for _, source := range sources {
		for _, found := range namedTable.FindAllStringSubmatch(source, -1) {
			if found[1] == "" {
				return true
			}
		}
	}
	return false
}

// restrict adds the organization's condition to the WHERE of a statement.
func restrict(db *gorm.DB) {
	id := organizationOf(db.Statement.Context)
	if db.Statement.SQL.Len() > 0 || id == uuid.Nil && isOperator(db.Statement.Context) {
		return
	}
	if namesTable(db.Statement) {
		_ = db.AddError(errNamedTable)
		return
	}
	if db.Statement.TableExpr != nil {
		return
	}
	field := tenantField(db.Statement)
	if field == nil {
		return
	}
	var organization any = id
	if isComposing(db.Statement.Context) {
		organization = clause.Expr{SQL: "@" + organizationName}
	} else if id == uuid.Nil {
		_ = db.AddError(fmt.Errorf("%w (%s)", ErrNoTenant, db.Statement.Schema.Name))
		return
	}
	// An OR anywhere in the conditions would bypass a condition beside it. So they
	// become one group.
	if where, ok := db.Statement.Clauses["WHERE"].Expression.(clause.Where); ok && len(where.Exprs) > 0 {
		db.Statement.Clauses["WHERE"] = clause.Clause{
			Name:       "WHERE",
			Expression: clause.Where{Exprs: []clause.Expression{group{where}}},
		}
	}
	db.Statement.AddClause(clause.Where{Exprs: []clause.Expression{
		clause.Eq{Column: clause.Column{Table: clause.CurrentTable, Name: field.DBName}, Value: organization},
	}})
}

// group is a condition in brackets. GORM itself writes them only where it recognizes
// an OR in the text.
type group struct{ where clause.Where }

// Build writes the condition.
func (g group) Build(b clause.Builder) {
	_ = b.WriteByte('(')
	g.where.Build(b)
	_ = b.WriteByte(')')
}

func stamp(db *gorm.DB) {
	field := tenantField(db.Statement)
	if field == nil {
		return
	}
	id := organizationOf(db.Statement.Context)
	if id == uuid.Nil && !isOperator(db.Statement.Context) {
		_ = db.AddError(fmt.Errorf("%w (%s)", ErrNoTenant, db.Statement.Schema.Name))
		return
	}
	each(db.Statement.ReflectValue, func(row reflect.Value) {
		if row.Kind() != reflect.Struct {
			_ = db.AddError(errNoModel)
			return
		}
		value, zero := field.ValueOf(db.Statement.Context, row)
		switch {
		case !zero && id != uuid.Nil && value != any(id):
			_ = db.AddError(ErrOtherTenant)
		case zero && id == uuid.Nil:
			_ = db.AddError(fmt.Errorf("%w (%s)", ErrNoTenant, db.Statement.Schema.Name))
		case zero:
			_ = db.AddError(field.Set(db.Statement.Context, row, id))
		}
	})
}

// each calls f with every row that is created: with one, or with those of a slice.
func each(value reflect.Value, f func(row reflect.Value)) {
	if value.Kind() != reflect.Slice && value.Kind() != reflect.Array {
		f(value)
		return
	}
	for _, row := range value.Seq2() {
		f(reflect.Indirect(row))
	}
}
