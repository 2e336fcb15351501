package database

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/google/uuid"
	"gorm.io/gorm"
)

// Composed is a query that GORM composes once, with its scope, and that then runs
// with other arguments. It is for reads so small that composing them takes a tenth
// of the whole request.
type Composed[T any] struct {
	query func(db *gorm.DB) *gorm.DB
	once  sync.Once
	sql   string
	vars  []any
	err   error
}

// Parameter stands for an argument of a Composed query, by its index.
type Parameter int

// tenantPlaceholder stands for the organization while a query is composed.
var tenantPlaceholder = uuid.Max

// ComposeOnce returns a query on tenants' rows whose arguments are Parameters.
func ComposeOnce[T any](query func(db *gorm.DB) *gorm.DB) *Composed[T] {
	return &Composed[T]{query: query}
}

// Read runs the query for the context's organization. Its errors are those of the
// function Read.
func (c *Composed[T]) Read(ctx context.Context, db *DB, arguments ...any) ([]*T, error) {
	c.once.Do(func() { c.compose(db) })
	organization := organizationOf(ctx)
	if c.err == nil && organization == uuid.Nil {
		return nil, fmt.Errorf("%w (%T)", ErrNoTenant, *new(T))
	}
	if c.err != nil {
		return nil, c.err
	}
	vars := make([]any, len(c.vars))
	for i, value := range c.vars {
		switch value := value.(type) {
		case Parameter:
			vars[i] = arguments[value]
		case uuid.UUID:
			if value == tenantPlaceholder {
				vars[i] = organization
				continue
			}
			vars[i] = value
		default:
			vars[i] = value
		}
	}
	return Query[T](ctx, db, c.sql, vars...)
}

func (c *Composed[T]) compose(db *DB) {
	c.err = fmt.Errorf("%w (%T)", ErrNoTenant, *new(T)) // also if query panics
	composed := c.query(db.Compose(WithOrganization(context.Background(), tenantPlaceholder))).Find(new([]T))
	c.sql, c.vars = composed.Statement.SQL.String(), composed.Statement.Vars
	switch {
	case composed.Error != nil:
		c.err = composed.Error
	case slices.Contains(c.vars, any(tenantPlaceholder)): // the scope was applied
		c.err = nil
	}
}
