-- +goose Up
-- +goose StatementBegin
-- Every table with rows of organizations has two policies, which hold for its owner too:
-- the service sees the rows of the transaction's organization, the operator all rows.
-- The service's role has no policy, and so no row, where the second column is null.
-- Queries name their organization in the WHERE clause, too. With that, a policy that is a
-- plain comparison costs one check per query.
DO $$
DECLARE
    name text;
    own  text;
BEGIN
    FOR name, own IN VALUES
        ('organizations', 'id'), ('memberships', 'organization_id'), ('invitations', 'organization_id'), ('audit_log', 'organization_id'),
        ('companies', 'organization_id'), ('delivery_files', 'organization_id'), ('transactions', 'organization_id'),
        ('daily_totals', 'organization_id'), ('withdrawn_files', 'organization_id'), ('withdrawn_totals', 'organization_id'),
        ('delivery_withdrawals', 'organization_id'),
        ('held_records', 'only_organization_id'), -- records that wait for a company of one organization only concern that one
        ('deliveries', NULL), ('delivery_names', NULL), ('delivery_bytes', NULL),
        ('api_keys', 'organization_id'), ('key_usage', 'organization_id'),
        ('refused_requests', 'organization_id'), ('key_callers', 'organization_id'), ('mails', 'organization_id'), ('delivery_notices', 'organization_id'), ('running_tasks', 'organization_id')
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY operator ON %I TO dispo_operator USING (true)', name);
        IF own IS NOT NULL THEN
            EXECUTE format('CREATE POLICY tenant ON %I TO dispo_app USING (%I = current_organization())', name, own);
        END IF;
    END LOOP;
END
$$;

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
