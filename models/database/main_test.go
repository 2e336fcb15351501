package database_test

import (
	"context"
	"os"
	"testing"

	"dispo/models"
	"dispo/models/ledger"
	"dispo/models/modelstest"

	"gorm.io/gorm"
)

func TestMain(m *testing.M) { os.Exit(modelstest.Main(m)) }

// reads are the ways to read.
var reads = map[string]func(context.Context, models.Tenant) error{
	"Read": func(ctx context.Context, tenant models.Tenant) error {
		return modelstest.ErrorOf(ledger.Companies(ctx, tenant, ledger.Cursor{Limit: 1}))
	},
	"Read of one": func(ctx context.Context, tenant models.Tenant) error {
		return modelstest.ErrorOf(ledger.Company(ctx, tenant, "10000001"))
	},
	"GORM": func(ctx context.Context, tenant models.Tenant) error {
		return models.Wrap(tenant.DB(ctx).Find(&[]models.Company{}).Error)
	},
	"GORM's transaction": func(ctx context.Context, tenant models.Tenant) error {
		return tenant.Write(ctx, func(tx *gorm.DB) error { return tx.Find(&[]models.Company{}).Error })
	},
}
