-- +goose NO TRANSACTION
-- +goose Up
-- Dispo never works as the owner of the tables. On every connection it switches to
-- one of the first two roles, so that row-level security applies even if the login role
-- is the owner or a superuser.
--   dispo_app       the role of `dispo serve`: one organization at a time
--   dispo_operator  the role of the operator's commands: every organization
--   dispo_keeper    nobody's role: functions work as it that delete what nobody else may
-- Roles belong to the whole server, so the migration of another database may have
-- created them already, or may be creating them now. Each statement runs in its own
-- transaction, because an older transaction might not see such a role. Therefore
-- each can be repeated if the file was only partly applied.
-- +goose StatementBegin
DO $$
DECLARE
    role_name text;
BEGIN
    FOREACH role_name IN ARRAY ARRAY['dispo_app', 'dispo_operator', 'dispo_keeper'] LOOP
        IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role_name) THEN
            BEGIN
                EXECUTE format('CREATE ROLE %I NOLOGIN', role_name);
            EXCEPTION WHEN duplicate_object OR unique_violation THEN
                NULL;
            END;
        END IF;
    END LOOP;
END
$$;
-- +goose StatementEnd

-- The migrating role must be able to switch to these roles. This tries it, because
-- membership is not enough: since PostgreSQL 16 the creator of a role is a member
-- that may grant the role but not switch to it.
-- +goose StatementBegin
DO $$
DECLARE
    role_name text;
BEGIN
    FOREACH role_name IN ARRAY ARRAY['dispo_app', 'dispo_operator', 'dispo_keeper'] LOOP
        BEGIN
            EXECUTE format('SET LOCAL ROLE %I', role_name);
            RESET ROLE;
        EXCEPTION WHEN insufficient_privilege THEN
            BEGIN
                EXECUTE format('GRANT %I TO %I', role_name, current_user);
            EXCEPTION WHEN unique_violation THEN
                NULL;
            END;
        END;
    END LOOP;
END
$$;
-- +goose StatementEnd

GRANT USAGE ON SCHEMA public TO dispo_app, dispo_operator, dispo_keeper;
GRANT SELECT ON goose_db_version TO dispo_app, dispo_operator;

-- The edition of these files, see migrations.go. Until the first release they are
-- edited in place, and each edit changes the edition: go test ./migrations says to what.
COMMENT ON TABLE goose_db_version IS 'dispo edition fc566747cbd7';

-- current_organization returns the organization that the transaction works for. It
-- returns null if none is set, and then no row is visible.
CREATE OR REPLACE FUNCTION current_organization() RETURNS uuid
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN nullif(current_setting('dispo.organization_id', true), '')::uuid;

-- +goose StatementBegin
-- How long everything is kept, in days or years, such as 35d or 2y. Transactions may be kept
-- for good: none. Only the owner of the table may change a period, and not even the owner can
-- set a shorter one than these. So no login can delete what is younger.
CREATE TABLE IF NOT EXISTS kept_periods (
    kind           text PRIMARY KEY,
    period         text NOT NULL,
    default_period text NOT NULL,
    CHECK (CASE WHEN period = 'none' THEN kind = 'transactions' ELSE period ~ '^[1-9][0-9]*[dy]$' AND period::interval <= '300 years'
        AND period::interval >= CASE WHEN kind = 'requests' THEN '1 day'::interval WHEN kind IN ('usage', 'usage_hours') THEN '91 days' ELSE '30 days' END END)
);
INSERT INTO kept_periods SELECT kind, period, period FROM (VALUES ('audit_log', '2y'), ('callers', '35d'), ('usage_hours', '100d'), ('usage', '2y'), ('requests', '7d'),
    ('sessions', '30d'), ('mails', '30d'), ('held_records', '1y'), ('withdrawn_totals', '2y'), ('transactions', 'none')) k (kind, period) ON CONFLICT DO NOTHING;
GRANT SELECT ON kept_periods TO dispo_app, dispo_keeper;

-- kept_before returns the time before which what is kept of a kind has to go; null for none.
CREATE OR REPLACE FUNCTION kept_before(wanted text) RETURNS timestamptz LANGUAGE sql STABLE AS $$
    SELECT now() - nullif(period, 'none')::interval FROM kept_periods WHERE kind = wanted
$$;

-- kept_otherwise returns the periods that differ from these settings, by kind. The setting
-- "default" stands for the default. Kinds that are not set differ from nothing.
CREATE OR REPLACE FUNCTION kept_otherwise(settings jsonb) RETURNS TABLE (kind text, setting text, period text, wanted text) LANGUAGE sql STABLE AS $$
    SELECT k.kind, 'DISPO_KEEP_' || upper(k.kind), k.period, w.wanted FROM kept_periods k JOIN jsonb_each_text(coalesce(settings, '{}')) s ON s.key = k.kind
        CROSS JOIN LATERAL (SELECT CASE s.value WHEN 'default' THEN k.default_period ELSE s.value END AS wanted) w
    WHERE w.wanted <> k.period ORDER BY k.kind
$$;

-- keep_as_set stores these settings, for the owner of the table, and returns a line for each
-- period that was another one before. If unset is not "", it stands for those that are not set.
CREATE OR REPLACE FUNCTION keep_as_set(settings jsonb, unset text) RETURNS text LANGUAGE sql VOLATILE AS $$
    WITH stored AS (
        UPDATE kept_periods k SET period = o.wanted
        FROM kept_otherwise((SELECT jsonb_object_agg(kind, coalesce(settings ->> kind, unset)) FROM kept_periods WHERE settings ? kind OR unset <> '')) o
        WHERE o.kind = k.kind RETURNING o.*
    )
    SELECT coalesce(string_agg(format('%s is %s now, and was %s', setting, wanted, period), E'\n'), '') FROM stored
$$;

-- The other functions that begin with keep_ each delete at most about 1,000 rows that were kept for
-- long enough, and return how many.

-- keep_batch deletes the 1,000 rows of a table with the lowest times in a column, before a time. That
-- stands in both conditions, because a row that changes meanwhile may have to stay.
CREATE OR REPLACE FUNCTION keep_batch(relation name, age name, before timestamptz) RETURNS bigint
    LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    deleted bigint;
BEGIN
    EXECUTE format('DELETE FROM %1$I WHERE %2$I < $1 AND ctid = ANY (ARRAY(SELECT ctid FROM %1$I WHERE %2$I < $1 ORDER BY %2$I LIMIT 1000))', relation, age) USING before;
    GET DIAGNOSTICS deleted = ROW_COUNT;
    RETURN deleted;
END
$$;
-- +goose StatementEnd
