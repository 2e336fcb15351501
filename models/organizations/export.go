package organizations

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"dispo/models"
	"dispo/models/database"
)

// exported lists the tables that an organization's export has, each with the query of its
// rows: all that the service may read of an organization, so that a new table is not
// forgotten, except what only the service needs. Hashes, what is computed from other columns,
// and ids that organizations never see are left out.
const exported = `
	SELECT t.name, format('SELECT %s FROM %I x WHERE %I = %L ORDER BY %s',
		(SELECT string_agg('x.' || quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute
			WHERE attrelid = t.name::regclass AND attnum > 0 AND NOT attisdropped AND atttypid <> 'bytea'::regtype
				AND attname NOT IN ('secret_hash', 'folded_name', 'delivery_id', 'only_organization_id', 'number')) || CASE t.name WHEN 'memberships' THEN ', (SELECT email FROM users u WHERE u.id = x.user_id)' ELSE '' END,
		t.name, t.own, $1::uuid, coalesce((SELECT string_agg('x.' || quote_ident(attname), ', ' ORDER BY array_position(indkey::int2[], attnum))
			FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY (indkey) WHERE indrelid = t.name::regclass AND indisprimary), 'x.cvr, x.delivery_id, x.record_index')) AS query
	FROM tenant_tables() t WHERE t.own IS NOT NULL AND t.rights LIKE '%SELECT%' AND t.name NOT IN ('running_tasks', 'delivery_notices')`

// lines makes COPY write JSON as it is, because JSON has none of these characters.
const lines = `FORMAT csv, DELIMITER E'\x02', QUOTE E'\x01'`

// Export writes everything that an organization has into a folder, for the operator: each
// table as NAME.csv and NAME.jsonl, all of one moment. The folder must not exist; it gets its
// name when it is complete. Files can be read by their owner alone.
// Errors: KindConflict if the folder exists.
func Export(ctx context.Context, s *models.Store, organization models.Organization, folder string) (err error) {
	if folder, err = filepath.Abs(folder); err != nil {
		return err
	}
	if _, err := os.Lstat(folder); err == nil {
		return models.NewError(models.KindConflict,
			fmt.Sprintf("%s is there already: name a folder that does not exist yet", folder))
	}
	partial, err := os.MkdirTemp(filepath.Dir(folder), filepath.Base(folder)+".partial-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(partial) // does nothing after the rename
	if err := models.ReadSnapshot(ctx, s.Tenant(organization.ID), func(snapshot database.Snapshot) error {
		tables, err := database.Rows[struct{ Name, Query string }](snapshot, exported, organization.ID)
		if err != nil {
			return err
		}
		for _, table := range tables {
			path := filepath.Join(partial, table.Name)
			if err := copyTo(path+".csv", snapshot, table.Query, "FORMAT csv, HEADER"); err != nil {
				return err
			}
			if err := copyTo(path+".jsonl", snapshot, "SELECT row_to_json(x) FROM ("+table.Query+") x", lines); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return err
	}
	return os.Rename(partial, folder)
}

// copyTo writes the rows of a query to a new file, and returns when they are on disk.
func copyTo(path string, snapshot database.Snapshot, query, options string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	to := bufio.NewWriterSize(file, 1<<20)
	err = snapshot.Copy(to, query, options)
	return errors.Join(err, to.Flush(), file.Sync(), file.Close())
}
