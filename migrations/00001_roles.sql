-- +goose NO TRANSACTION
-- +goose Up
-- The service never works as the owner of the tables: on every connection it
-- takes one of these two roles, so that row-level security holds also where the
-- login role is the owner or a superuser.
--   dispo_app       what `dispo serve` reads and writes as: one organization at a time
--   dispo_operator  what the operator's commands work as: every organization
-- Roles belong to the whole server, so they may be there already, made by
-- another database's migration, possibly at this very moment. Each statement is a
-- transaction of its own, since one that began before need not notice such a role;
-- so each can be repeated, where the file was left half applied.
-- +goose StatementBegin
DO $$
DECLARE
    role_name text;
BEGIN
    FOREACH role_name IN ARRAY ARRAY['dispo_app', 'dispo_operator'] LOOP
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

-- Who migrates has to be able to take both roles. That is tried, not looked up:
-- since PostgreSQL 16 who makes a role is a member of it, and may grant it, but
-- may not take it.
-- +goose StatementBegin
DO $$
DECLARE
    role_name text;
BEGIN
    FOREACH role_name IN ARRAY ARRAY['dispo_app', 'dispo_operator'] LOOP
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

GRANT USAGE ON SCHEMA public TO dispo_app, dispo_operator;
GRANT SELECT ON goose_db_version TO dispo_app, dispo_operator;

-- current_organization is the organization that this connection works for, or
-- null (and then no row is visible) where it was not told one.
CREATE OR REPLACE FUNCTION current_organization() RETURNS uuid
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN nullif(current_setting('dispo.organization_id', true), '')::uuid;

