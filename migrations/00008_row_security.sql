-- +goose Up
-- +goose StatementBegin
-- Every table with rows of organizations has two policies, which hold for its owner too:
-- the service sees the rows of the transaction's organization, the operator all rows.
-- The service's role has no policy, and so no row, where the second column is null. The
-- third says what it may do.
-- Queries name their organization in the WHERE clause, too. With that, a policy that is a
-- plain comparison costs one check per query.
DO $$
DECLARE
    name   text;
    own    text;
    rights text;
BEGIN
    FOR name, own, rights IN VALUES
        ('organizations', 'id', 'SELECT, UPDATE (name, time_zone, notification_address, expected_by, expected_since, require_second_factor)'),
        ('memberships', 'organization_id', 'SELECT, INSERT, UPDATE, DELETE'),
        ('invitations', 'organization_id', 'SELECT, INSERT, DELETE'),
        ('audit_log', 'organization_id', 'SELECT, INSERT'),
        ('companies', 'organization_id', 'SELECT'),
        ('delivery_files', 'organization_id', 'SELECT'),
        ('transactions', 'organization_id', 'SELECT'),
        ('daily_totals', 'organization_id', 'SELECT'),
        ('withdrawn_files', 'organization_id', 'SELECT'),
        ('withdrawn_totals', 'organization_id', 'SELECT'),
        ('held_records', 'only_organization_id', 'SELECT'), -- records that wait for a company of one organization only concern that one
        ('delivery_withdrawals', 'organization_id', NULL),
        ('deliveries', NULL, NULL),
        ('delivery_names', NULL, NULL),
        ('delivery_bytes', NULL, NULL),
        ('api_keys', 'organization_id', 'SELECT, INSERT, UPDATE'),
        ('key_usage', 'organization_id', 'SELECT'),
        ('key_callers', 'organization_id', 'SELECT, UPDATE (dismissed_at)'),
        ('refused_requests', 'organization_id', 'SELECT'),
        ('running_tasks', 'organization_id', 'SELECT, INSERT, UPDATE, DELETE'),
        ('mails', 'organization_id', 'INSERT'),
        ('delivery_notices', 'organization_id', 'SELECT, INSERT')
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY operator ON %I TO dispo_operator USING (true)', name);
        IF own IS NOT NULL THEN
            EXECUTE format('CREATE POLICY tenant ON %I TO dispo_app USING (%I = current_organization())', name, own);
        END IF;
        IF rights IS NOT NULL THEN
            EXECUTE format('GRANT %s ON %I TO dispo_app', rights, name);
        END IF;
    END LOOP;
END
$$;

-- The operator's role changes all but the past: it only adds to the audit log and to what
-- was withdrawn, a transaction never changes, and an organization stays real or a sandbox.
-- It can read everything, so that it can dump the database: the owner cannot, because the
-- policies hold for it, and a managed PostgreSQL has no superuser.
DO $$
DECLARE
    name   regclass;
    rights text;
BEGIN
    FOR name, rights IN SELECT oid, CASE relkind WHEN 'r' THEN 'SELECT, INSERT, UPDATE, DELETE' ELSE 'SELECT' END FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'S') AND relowner = current_user::regrole
    LOOP
        EXECUTE format('GRANT %s ON %s TO dispo_operator', rights, name);
    END LOOP;
END
$$;
REVOKE INSERT, UPDATE, DELETE ON goose_db_version FROM dispo_operator;
REVOKE UPDATE ON transactions FROM dispo_operator;
REVOKE UPDATE, DELETE ON audit_log, withdrawn_files, withdrawn_totals, organizations FROM dispo_operator;
GRANT UPDATE (change_id) ON withdrawn_files TO dispo_operator;
GRANT UPDATE (slug, name, company_count, delivery_file_count, transaction_count, total_amount_dkk, data_version, last_id, updated_at, suspended_at,
    require_second_factor, time_zone, notification_address, expected_by, expected_since, sandbox_day) ON organizations TO dispo_operator;

-- The functions that cross organizations on purpose run as the operator's role, whose
-- policies allow every row. Nobody but the two roles may call them. To become the owner
-- of a function, a role needs CREATE on the schema.
GRANT CREATE ON SCHEMA public TO dispo_operator;
DO $$
DECLARE
    name regprocedure;
BEGIN
    FOR name IN SELECT oid FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosecdef AND proowner = current_user::regrole LOOP
        EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', name);
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO dispo_app', name);
        EXECUTE format('ALTER FUNCTION %s OWNER TO dispo_operator', name);
    END LOOP;
END
$$;
REVOKE CREATE ON SCHEMA public FROM dispo_operator;
-- +goose StatementEnd
