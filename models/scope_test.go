package models_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
	"gorm.io/gorm/schema"

	"dispo/migrations"
	"dispo/models"
	"dispo/models/accounts"
	"dispo/models/database"
	"dispo/models/keys"
	"dispo/models/mail"
	"dispo/models/modelstest"
	"dispo/models/secrets"
	"dispo/models/signon"
	"dispo/models/tasks"
	"dispo/models/terms"
)

var rowNumber atomic.Int64

// tenantModels returns a new row of every model whose rows belong to an organization.
func tenantModels() []any {
	id, at := database.NewID(), time.Now().UTC()
	return []any{
		&models.Organization{Slug: fmt.Sprintf("o%d", rowNumber.Add(1)), Name: "x"},
		&models.HeldRecord{},
		&models.Company{
			ID:        id,
			CVR:       fmt.Sprintf("%08d", rowNumber.Add(1)),
			Name:      "x",
			StartDate: at,
			EndDate:   at,
			Status:    "CREATED",
		},
		&models.DeliveryFile{ID: id, DeliveryID: id, LastID: id, Filename: "x", Layout: "csv"},
		&models.DeliveryWithdrawal{DeliveryID: id, Reason: "x"},
		&models.Writer{},
		&models.Transaction{
			ID:              id,
			DeliveryFileID:  id,
			CVR:             "10000001",
			RegNumber:       "1234",
			AccountNumber:   "1",
			TransferType:    "CARD",
			DispositionDate: at,
			AmountDKK:       "1.00",
		},
		&keys.Key{ID: id, Name: "x", LookupID: rand.Text()[:12]},
		&models.AuditEntry{ID: id, At: at},
		&models.Member{UserID: id, Role: terms.Viewer},
		&mail.Mail{
			ID:            id,
			Kind:          mail.Password,
			Recipient:     "x@example.com",
			Details:       "{}",
			CreatedAt:     at,
			NextAttemptAt: at,
		},
		&mail.DeliveryNotice{Kind: mail.DeliveryLate, StartsAt: at, EndsAt: at},
		&accounts.Invitation{ID: id, Email: id.String() + "@example.com", Role: terms.Viewer, ExpiresAt: at},
		&keys.Hour{KeyID: id, Hour: at},
		&models.DailyTotal{
			CVR:             "10000001",
			DispositionDate: at,
			TransferType:    id.String(),
			Count:           1,
			AmountDKK:       "1.00",
			FirstID:         id,
			LastID:          id,
		},
		&models.WithdrawnFile{ID: id, TotalAmountDKK: "1.00"},
		&models.WithdrawnTotal{CVR: "10000001", DispositionDate: at, FileID: id, Count: 1, AmountDKK: "1.00"},
		&tasks.Task{Task: id.String(), ID: id, RenewedAt: at},
		&keys.KeyCaller{KeyID: id, Address: "192.0.2.1", FirstSeen: at, LastSeen: at},
		&keys.RefusedRequest{ID: id, At: at, KeyID: id},
		&keys.ServedRequest{ID: id, At: at, KeyID: id},
		&accounts.Provider{Issuer: "https://x", ClientID: "x", ClientSecret: []byte("x")},
		&accounts.ProviderLink{Issuer: "https://x", ClientID: "x", Subject: id.String(), UserID: id},
		&signon.State{StateHash: secrets.TokenHash(id.String()), ExpiresAt: at},
	}
}

// tenantField returns the field that says whose a model's row is, and its column.
func tenantField(model reflect.Type) (field, column string) {
	switch model {
	case reflect.TypeFor[models.Organization]():
		return "ID", "id"
	case reflect.TypeFor[models.HeldRecord]():
		return "OnlyOrganizationID", "only_organization_id"
	}
	return "OrganizationID", "organization_id"
}

// columnOf is tenantField for a pointer to a row.
func columnOf(model any) string {
	_, column := tenantField(reflect.TypeOf(model).Elem())
	return column
}

// tenantModel returns a new row of the model with that number in tenantModels.
func tenantModel(number int) any { return tenantModels()[number] }

// openWithoutPolicies opens a database as its superuser, for whom row-level security
// does not hold, without triggers and foreign keys. So only the GORM scope keeps
// organizations apart.
func openWithoutPolicies(t *testing.T) *database.DB {
	t.Helper()
	url := modelstest.Database(t)
	conn := modelstest.Conn(t, url)
	// So one organization has several rows, as in other tables.
	modelstest.Execute(
		t,
		conn,
		`ALTER TABLE organizations DROP CONSTRAINT organizations_pkey CASCADE, DROP CONSTRAINT organizations_id_sandbox_key CASCADE`,
	)
	for _, column := range modelstest.Column[string](t, conn, `SELECT column_name::text FROM information_schema.columns WHERE table_name = 'held_records'`) {
		modelstest.Execute(t, conn, `ALTER TABLE held_records ALTER `+column+` DROP NOT NULL`)
	}
	modelstest.Execute(t, conn, `ALTER TABLE writers DROP CONSTRAINT writers_pkey`)
	modelstest.Execute(t, conn, `ALTER TABLE sign_in_providers DROP CONSTRAINT sign_in_providers_pkey`)
	modelstest.Execute(
		t,
		conn,
		`ALTER TABLE companies ALTER change_id SET DEFAULT gen_random_uuid(), ALTER folded_name SET DEFAULT '', ALTER sort_key SET DEFAULT ''`,
	)
	modelstest.Execute(t, conn, `ALTER TABLE api_keys ALTER secret_hash SET DEFAULT '$2a$'`)
	modelstest.Execute(t, conn,
		`ALTER TABLE invitations ALTER token_hash SET DEFAULT sha256(gen_random_uuid()::text::bytea)`)
	superuser := modelstest.Value[string](t, conn, `SELECT current_user`)
	db := modelstest.Open(t, url+"&session_replication_role=replica", database.Role(superuser)).DB()
	require.True(t, modelstest.Value[bool](t, conn, `SELECT rolsuper FROM pg_roles WHERE rolname = current_user`))
	return db
}

// Every table with rows of organizations has a model that is scoped by the same column:
// every table that refers to an organization or whose policy for the service compares
// one, except the sessions, which belong to users.
func TestTenantTablesHaveScopedModels(t *testing.T) {
	t.Parallel()
	db := openWithoutPolicies(t)
	scoped := []string{"sessions.organization_id"}
	for _, model := range tenantModels() {
		query := db.GORM(database.WithOrganization(t.Context(), uuid.New())).
			Session(&gorm.Session{DryRun: true}).
			Find(rowOf(model))
		require.NoError(t, query.Error)
		where := query.Statement.Clauses["WHERE"].Expression.(clause.Where)
		require.Len(t, where.Exprs, 1, "%T", model)
		scoped = append(scoped, query.Statement.Schema.Table+"."+where.Exprs[0].(clause.Eq).Column.(clause.Column).Name)
	}
	tables := modelstest.Column[string](
		t,
		modelstest.Conn(t, modelstest.Database(t)),
		`SELECT tablename || '.' || substring(qual FROM '(\w+) = ') FROM pg_policies
			WHERE schemaname = 'public' AND 'dispo_app' = ANY (roles) AND qual LIKE '%organization%'
		UNION SELECT c.conrelid::regclass || '.' || a.attname FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
			WHERE c.contype = 'f' AND c.confrelid = 'organizations'::regclass`,
	)
	require.ElementsMatch(t, tables, scoped)
	var names []string
	for _, column := range tables {
		names = append(names, strings.Split(column, ".")[0])
	}
	require.ElementsMatch(t, append(slices.Clone(migrations.TenantTables()), "sessions"), names, "the plugin's list")
}

// GORM stores no time of its own: a row's times are the database's.
func TestModelsStoreNoTimeOfGORM(t *testing.T) {
	t.Parallel()
	for _, model := range append(tenantModels(), &accounts.User{}) {
		parsed, err := schema.Parse(model, new(sync.Map), schema.NamingStrategy{})
		require.NoError(t, err)
		for _, field := range parsed.Fields {
			created := field.AutoCreateTime > 0 && field.Creatable && !field.HasDefaultValue
			updated := field.AutoUpdateTime > 0 && field.Updatable
			require.False(t, created || updated, "%T.%s: add a default, or make it read-only", model, field.Name)
		}
	}
}

// nameless is a struct of a table of organizations that leaves out the organization.
type nameless struct {
	CVR  string
	Name string
}

func (nameless) TableName() string { return "companies" }

// A struct that leaves out the organization of its table is refused, not left unscoped.
func TestStructWithoutOrganizationIsRefused(t *testing.T) {
	t.Parallel()
	w := modelstest.NewWorld(t)
	a := w.Organization(t, "a", "10000001")
	tx := w.Service.Tenant(a.ID).DB(t.Context())
	for name, err := range map[string]error{
		"Find":   tx.Find(&[]nameless{}).Error,
		"Update": tx.Model(&nameless{}).Where("cvr <> ''").Update("name", "x").Error,
		"Delete": tx.Where("cvr <> ''").Delete(&nameless{}).Error,
		"Create": tx.Create(&nameless{CVR: "10000002", Name: "x"}).Error,
	} {
		require.ErrorContains(t, err, "no field OrganizationID", name)
	}
}

// verb is a way to read, to count or to change rows. It returns their organizations, or as
// many times uuid.Nil as there are rows if it cannot tell.
type verb func(tx *gorm.DB, model any) ([]uuid.UUID, error)

// scopeVerbs concern all rows.
var scopeVerbs = map[string]verb{
	"Find": func(tx *gorm.DB, model any) (ids []uuid.UUID, err error) {
		rows := reflect.New(reflect.SliceOf(reflect.TypeOf(model).Elem()))
		err = tx.Select(columnOf(model)).Find(rows.Interface()).Error
		for i := range rows.Elem().Len() {
			ids = append(ids, organizationOf(rows.Elem().Index(i)))
		}
		return ids, err
	},
	"Find into another type": func(tx *gorm.DB, model any) (ids []uuid.UUID, err error) {
		var rows []struct{ Owner uuid.UUID }
		err = tx.Model(model).Select(columnOf(model) + " AS owner").Find(&rows).Error
		for _, row := range rows {
			ids = append(ids, row.Owner)
		}
		return ids, err
	},
	"Pluck": func(tx *gorm.DB, model any) (ids []uuid.UUID, err error) {
		return ids, tx.Model(model).Pluck(columnOf(model), &ids).Error
	},
	"Rows": func(tx *gorm.DB, model any) (ids []uuid.UUID, err error) {
		rows, err := tx.Model(model).Select(columnOf(model)).Rows()
		if err != nil {
			return nil, err
		}
		defer rows.Close()
		for rows.Next() {
			var id uuid.UUID
			if err := rows.Scan(&id); err != nil {
				return nil, err
			}
			ids = append(ids, id)
		}
		return ids, rows.Err()
	},
	"subquery": func(tx *gorm.DB, model any) (ids []uuid.UUID, err error) {
		operator := tx.Session(&gorm.Session{NewDB: true, Context: database.WithOperator(context.Background())})
		return ids, operator.Raw("SELECT "+columnOf(model)+" FROM (?) AS x", tx.Model(model).Select(columnOf(model))).
			Scan(&ids).Error
	},
	"Count": func(tx *gorm.DB, model any) ([]uuid.UUID, error) {
		var count int64
		err := tx.Model(model).Count(&count).Error
		return make([]uuid.UUID, count), err
	},
	"Update": func(tx *gorm.DB, model any) ([]uuid.UUID, error) {
		return affected(tx.Model(model).Update(columnOf(model), gorm.Expr(columnOf(model))))
	},
	"UpdateColumns": func(tx *gorm.DB, model any) ([]uuid.UUID, error) {
		return affected(tx.Model(model).UpdateColumns(map[string]any{columnOf(model): gorm.Expr(columnOf(model))}))
	},
	"Delete": func(tx *gorm.DB, model any) ([]uuid.UUID, error) { return affected(tx.Delete(model)) },
}

// scopeSingles concern one row, the first or the last.
var scopeSingles = map[string]verb{
	"Take":      take(""),
	"Take last": take(" DESC"),
	"Row": func(tx *gorm.DB, model any) ([]uuid.UUID, error) {
		var id uuid.UUID
		tx = tx.Model(model).Select(columnOf(model))
		row := tx.Row()
		if tx.Error != nil {
			return nil, tx.Error
		}
		err := row.Scan(&id)
		return []uuid.UUID{id}, err
	},
}

func take(direction string) verb {
	return func(tx *gorm.DB, model any) ([]uuid.UUID, error) {
		row := reflect.New(reflect.TypeOf(model).Elem())
		err := tx.Select(columnOf(model)).Order(columnOf(model) + direction).Take(row.Interface()).Error
		return []uuid.UUID{organizationOf(row.Elem())}, err
	}
}

func affected(tx *gorm.DB) ([]uuid.UUID, error) { return make([]uuid.UUID, tx.RowsAffected), tx.Error }

// scopeConditions are conditions that every row meets, some of them beside an OR.
var scopeConditions = map[string]func(tx *gorm.DB) *gorm.DB{
	"one":             func(tx *gorm.DB) *gorm.DB { return tx.Where("1 = ?", 1) },
	"OR in a text":    func(tx *gorm.DB) *gorm.DB { return tx.Where("1 = 0 OR 1 = ?", 1) },
	"OR in a lone Or": func(tx *gorm.DB) *gorm.DB { return tx.Or("1 = ? OR 1 = 0", 1) },
	"Or":              func(tx *gorm.DB) *gorm.DB { return tx.Where("1 = 0").Or("1 = ?", 1) },
	"Or, then more":   func(tx *gorm.DB) *gorm.DB { return tx.Where("1 = 0").Or("1 = ?", 1).Where("2 = 2") },
	"only Or":         func(tx *gorm.DB) *gorm.DB { return tx.Or("1 = ?", 1) },
	"two Ors":         func(tx *gorm.DB) *gorm.DB { return tx.Or("1 = 0").Or("1 = ?", 1) },
	"Not, then Or":    func(tx *gorm.DB) *gorm.DB { return tx.Not("1 = 1").Or("1 = ?", 1) },
	"group":           func(tx *gorm.DB) *gorm.DB { return tx.Where(fresh(tx).Where("1 = 0").Or("1 = ?", 1)) },
	"group in an Or": func(tx *gorm.DB) *gorm.DB {
		return tx.Where("1 = 0").Or(fresh(tx).Where("1 = 1").Where("2 = ?", 2))
	},
	"unscoped": func(tx *gorm.DB) *gorm.DB { return tx.Unscoped().Where("1 = 1") },
}

// fresh returns a session without tx's conditions.
func fresh(tx *gorm.DB) *gorm.DB { return tx.Session(&gorm.Session{NewDB: true}) }

func organizationOf(row reflect.Value) uuid.UUID {
	field, _ := tenantField(row.Type())
	return row.FieldByName(field).Interface().(uuid.UUID)
}

// The GORM scope alone keeps organizations apart, in every verb and beside every
// condition. A query without an organization fails, and the operator's sees all rows.
// Conditions are tried with one model of each column, the first three.
func TestScope(t *testing.T) {
	t.Parallel()
	db := openWithoutPolicies(t)
	a, b := uuid.New(), uuid.New()
	const rowsOfA, rowsOfB = 2, 3
	for number, model := range tenantModels() {
		t.Run(reflect.TypeOf(model).Elem().Name(), func(t *testing.T) {
			for range rowsOfA {
				require.NoError(t, db.GORM(database.WithOrganization(t.Context(), a)).Create(tenantModel(number)).Error)
			}
			for range rowsOfB {
				require.NoError(t, db.GORM(database.WithOrganization(t.Context(), b)).Create(tenantModel(number)).Error)
			}
			blank := reflect.New(reflect.TypeOf(model).Elem()).Interface()
			for condition, with := range scopeConditions {
				if number > 2 && condition != "one" {
					continue
				}
				requireScope(t, db, condition, blank, with, map[uuid.UUID]int{a: rowsOfA, b: rowsOfB, uuid.New(): 0})
			}
		})
	}
}

// requireScope runs every verb for each organization, for none, and for the operator,
// and requires the given numbers of rows.
func requireScope(
	t *testing.T, db *database.DB, condition string, model any, with func(*gorm.DB) *gorm.DB, counts map[uuid.UUID]int,
) {
	t.Helper()
	total := 0
	for _, count := range counts {
		total += count
	}
	run := func(ctx context.Context, name string, verb verb, count int, of ...uuid.UUID) {
		t.Helper()
		ids, err := rolledBack(db.GORM(ctx), with, verb, model)
		_, single := scopeSingles[name]
		if single && count == 0 {
			modelstest.RequireKind(t, models.KindNotFound, models.Wrap(err))
			return
		} else if single {
			count = 1
		}
		require.NoError(t, err, "%s, %s", name, condition)
		require.Len(t, ids, count, "%s, %s", name, condition)
		if single && of != nil {
			require.Equal(t, of, ids, "%s, %s", name, condition)
		} else if of != nil {
			require.Subset(t, append(of, uuid.Nil), ids, "%s, %s", name, condition)
		}
	}
	for _, verbs := range []map[string]verb{scopeVerbs, scopeSingles} {
		for name, verb := range verbs {
			for organization, count := range counts {
				run(database.WithOrganization(t.Context(), organization), name, verb, count, organization)
			}
			run(database.WithOperator(t.Context()), name, verb, total)
			_, err := rolledBack(db.GORM(t.Context()), with, verb, model)
			if name == "subquery" { // GORM drops its error, and leaves its place empty
				require.ErrorContains(t, err, "syntax error")
				continue
			}
			require.ErrorIs(t, err, database.ErrNoTenant, "%s, %s", name, condition)
		}
	}
}

// rolledBack runs a verb beside a condition, and undoes what it has changed.
func rolledBack(db *gorm.DB, with func(*gorm.DB) *gorm.DB, verb verb, model any) (ids []uuid.UUID, err error) {
	tx := db.Begin()
	defer tx.Rollback()
	if tx.Error != nil {
		return nil, tx.Error
	}
	return verb(with(tx), model)
}

// New rows get the context's organization, one by one and in a slice. A row of
// another organization is refused, and so is a row without an organization, also the
// operator's. Nothing of a refused slice is stored.
func TestScopeOfNewRows(t *testing.T) {
	t.Parallel()
	db := openWithoutPolicies(t)
	a, b := uuid.New(), uuid.New()
	of := func(organization uuid.UUID) *gorm.DB {
		return db.GORM(database.WithOrganization(t.Context(), organization))
	}
	operator, none := db.GORM(database.WithOperator(t.Context())), db.GORM(t.Context())
	for number, model := range tenantModels() {
		t.Run(reflect.TypeOf(model).Elem().Name(), func(t *testing.T) {
			row := func(organization uuid.UUID) any {
				row := tenantModel(number)
				field, _ := tenantField(reflect.TypeOf(row).Elem())
				reflect.ValueOf(row).Elem().FieldByName(field).Set(reflect.ValueOf(organization))
				return row
			}
			rowType := reflect.TypeOf(model)
			values := func(organizations ...uuid.UUID) any { // *[]Model
				rows := reflect.New(reflect.SliceOf(rowType.Elem()))
				for _, organization := range organizations {
					rows.Elem().Set(reflect.Append(rows.Elem(), reflect.ValueOf(row(organization)).Elem()))
				}
				return rows.Interface()
			}
			pointers := func(organizations ...uuid.UUID) any { // []*Model
				rows := reflect.MakeSlice(reflect.SliceOf(rowType), 0, 0)
				for _, organization := range organizations {
					rows = reflect.Append(rows, reflect.ValueOf(row(organization)))
				}
				return rows.Interface()
			}
			stored := map[uuid.UUID]int{}
			create := func(tx *gorm.DB, rows any, organizations ...uuid.UUID) {
				t.Helper()
				require.NoError(t, tx.Create(rows).Error)
				for _, organization := range organizations {
					stored[organization]++
				}
			}
			one := row(uuid.Nil)
			create(of(a), one, a)
			require.Equal(t, a, organizationOf(reflect.ValueOf(one).Elem()))
			create(of(a), row(a), a)
			create(of(b), values(uuid.Nil, b, uuid.Nil), b, b, b)
			create(of(b), pointers(uuid.Nil, b), b, b)
			create(operator, row(a), a)
			create(operator, values(a, b), a, b)

			for expected, refused := range map[error][]*gorm.DB{
				database.ErrOtherTenant: {of(a).Create(row(b)), of(a).Create(values(uuid.Nil, b)), of(a).Create(values(b, a)), of(a).Create(pointers(a, b)), of(a).CreateInBatches(values(b, b), 1)},
				database.ErrNoTenant: {none.Create(row(uuid.Nil)), none.Create(row(a)), none.Create(values(a, b)), none.Create(pointers(uuid.Nil)),
					operator.Create(row(uuid.Nil)), operator.Create(values(a, uuid.Nil)), operator.Create(pointers(uuid.Nil, a))},
			} {
				for i, tx := range refused {
					require.ErrorIs(t, tx.Error, expected, "%v: %d", expected, i)
				}
			}
			// A map has no field to set or to compare.
			for _, values := range []any{map[string]any{columnOf(model): b}, []map[string]any{{columnOf(model): b}}} {
				require.Error(t, of(a).Model(rowOf(model)).Create(values).Error)
			}

			for _, organization := range []uuid.UUID{a, b} {
				var count int64
				require.NoError(t, operator.Model(rowOf(model)).Where(columnOf(model)+" = ?", organization).Count(&count).Error)
				require.EqualValues(t, stored[organization], count)
			}
		})
	}
}

// rowOf returns a new row of the model without any values.
func rowOf(model any) any { return reflect.New(reflect.TypeOf(model).Elem()).Interface() }

// An update or a delete without a condition of its own is refused, as GORM does:
// the organization's condition alone would change all of its rows.
func TestScopeKeepsTheNeedForACondition(t *testing.T) {
	t.Parallel()
	db := openWithoutPolicies(t)
	for _, model := range tenantModels() {
		if _, own := model.(*models.Organization); own {
			continue // it has one row
		}
		tx := db.GORM(database.WithOrganization(t.Context(), uuid.Must(uuid.NewV7())))
		require.ErrorIs(t, tx.Delete(model).Error, gorm.ErrMissingWhereClause, "%T", model)
		tx = db.GORM(database.WithOrganization(t.Context(), uuid.Must(uuid.NewV7())))
		require.ErrorIs(t, tx.Model(model).Update(columnOf(model), uuid.Nil).Error, gorm.ErrMissingWhereClause, "%T", model)
	}
}

// A join is a query on a model, which is scoped itself, and so is what Table selects from,
// whatever the rows are read into. A table that is named there is refused.
func TestScopeOfJoins(t *testing.T) {
	t.Parallel()
	db := openWithoutPolicies(t)
	a, b := uuid.New(), uuid.New()
	for _, organization := range []uuid.UUID{a, b} {
		tx := db.GORM(database.WithOrganization(t.Context(), organization))
		id, at := database.NewID(), time.Now().UTC()
		require.NoError(t,
			tx.Create(&models.Company{ID: id, CVR: "10000001", Name: "x", StartDate: at, EndDate: at, Status: "CREATED"}).Error)
		require.NoError(
			t,
			tx.Create(&models.Transaction{
				ID:              id,
				DeliveryFileID:  id,
				CVR:             "10000001",
				RegNumber:       "1234",
				AccountNumber:   "1",
				TransferType:    "CARD",
				DispositionDate: at,
				AmountDKK:       "1.00",
			}).Error,
		)
	}
	for name, join := range map[string]func(tx, transactions, companies *gorm.DB) *gorm.DB{
		"JOIN": func(_, transactions, companies *gorm.DB) *gorm.DB {
			return transactions.Joins("JOIN (?) AS c ON c.cvr = transactions.cvr", companies)
		},
		"LEFT JOIN": func(_, transactions, companies *gorm.DB) *gorm.DB {
			return transactions.Joins("LEFT JOIN (?) AS c USING (cvr)", companies)
		},
		"LATERAL": func(_, transactions, companies *gorm.DB) *gorm.DB {
			return transactions.Joins("CROSS JOIN LATERAL (?) AS c", companies.Where("companies.cvr = transactions.cvr"))
		},
		"Table": func(tx, transactions, companies *gorm.DB) *gorm.DB {
			return tx.Table("(?) AS transactions, LATERAL (?) AS c", transactions.Select("*"), companies)
		},
		"Table and Joins": func(tx, transactions, companies *gorm.DB) *gorm.DB {
			return tx.Table("(?) AS transactions", transactions.Select("*")).Joins("JOIN (?) AS c ON true", companies)
		},
	} {
		t.Run(name, func(t *testing.T) {
			query := func(ctx context.Context) *gorm.DB {
				tx := func() *gorm.DB { return db.GORM(ctx) }
				return join(tx(), tx().Model(&models.Transaction{}), tx().Model(&models.Company{}).Select("organization_id, cvr"))
			}
			type row struct{ OrganizationID, Other uuid.UUID }
			var rows []row
			ctx := database.WithOrganization(t.Context(), a)
			require.NoError(t, query(ctx).Select("transactions.organization_id, c.organization_id AS other").Find(&rows).Error)
			require.Equal(t, []row{{a, a}}, rows)
			var count int64
			require.NoError(t, query(ctx).Select("count(*)").Scan(&count).Error)
			require.EqualValues(t, 1, count)
			require.NoError(t, query(database.WithOperator(t.Context())).Select("count(*)").Scan(&count).Error)
			require.EqualValues(t, 4, count)
			require.Error(t, query(t.Context()).Select("count(*)").Scan(&count).Error)
		})
	}

	for _, ctx := range []context.Context{database.WithOrganization(t.Context(), a), t.Context()} {
		for _, join := range []string{"JOIN companies c ON true", `LEFT JOIN "companies" ON true`, "CROSS JOIN LATERAL (SELECT * FROM companies) AS c", "JOIN LATERAL companies ON true", "Company"} {
			tx := db.GORM(ctx).Model(&models.Transaction{}).Joins(join).Find(&[]models.Transaction{})
			require.ErrorContains(t, tx.Error, "names a table", join)
		}
		for _, table := range []string{"companies", "companies c", "public.companies", "companies AS c, (?) AS t", "(?) AS t,companies", "(SELECT * FROM companies) AS c"} {
			tx := db.GORM(ctx).Table(table, db.GORM(ctx).Model(&models.Transaction{})).Find(&[]models.Company{})
			require.ErrorContains(t, tx.Error, "names a table", table)
		}
	}
}
