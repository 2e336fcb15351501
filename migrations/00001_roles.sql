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
COMMENT ON TABLE goose_db_version IS 'dispo edition 95a323b9817e';

-- current_organization returns the organization that the transaction works for. It
-- returns null if none is set, and then no row is visible.
CREATE OR REPLACE FUNCTION current_organization() RETURNS uuid
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN nullif(current_setting('dispo.organization_id', true), '')::uuid;

-- +goose StatementBegin
-- What the functions that begin with keep_ share. Each deletes at most about 1,000 rows that
-- were kept for a period, and returns how many.

-- keep_before returns the time before which what was kept for a period has to go. It fails
-- for a shorter one than the shortest.
CREATE OR REPLACE FUNCTION keep_before(period interval, shortest interval DEFAULT '30 days') RETURNS timestamptz
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    IF (now() - period <= now() - shortest) IS NOT TRUE THEN
        RAISE EXCEPTION 'nothing is kept for less than %', shortest USING ERRCODE = 'invalid_parameter_value';
    END IF;
    RETURN now() - period;
END
$$;

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
