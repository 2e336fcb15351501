-- +goose Up
-- +goose StatementBegin
-- Every table with rows of organizations has these policies, which hold for its owner too:
-- the service sees the rows of the transaction's organization, the operator and the keeper
-- all rows.
-- Queries name their organization in the WHERE clause, too. With that, a policy that is a
-- plain comparison costs one check per query.

-- tenant_tables returns these tables. The service's role has no policy, and so no row,
-- where the second column is null. The third says what it may do.
CREATE FUNCTION tenant_tables() RETURNS TABLE (name text, own text, rights text) LANGUAGE sql IMMUTABLE AS $$
    VALUES
        ('organizations', 'id', 'SELECT, UPDATE (name, time_zone, notification_address, expected_by, expected_since, require_second_factor, tell_of_leaks)'),
        ('memberships', 'organization_id', 'SELECT, INSERT, UPDATE, DELETE'),
        ('invitations', 'organization_id', 'SELECT, INSERT, DELETE'),
        ('sign_in_providers', 'organization_id', 'SELECT, INSERT, UPDATE, DELETE'),
        ('sign_in_links', 'organization_id', 'SELECT, INSERT, UPDATE, DELETE'),
        ('sign_in_states', 'organization_id', 'INSERT'),
        ('audit_log', 'organization_id', 'SELECT, INSERT'),
        ('companies', 'organization_id', 'SELECT'),
        ('delivery_files', 'organization_id', 'SELECT'),
        ('transactions', 'organization_id', 'SELECT'),
        ('daily_totals', 'organization_id', 'SELECT'),
        ('withdrawn_files', 'organization_id', 'SELECT'),
        ('withdrawn_totals', 'organization_id', 'SELECT'),
        ('held_records', 'only_organization_id', 'SELECT'), -- records that wait for a company of one organization only concern that one
        ('delivery_withdrawals', 'organization_id', NULL),
        ('writers', 'organization_id', NULL),
        ('deliveries', NULL, NULL),
        ('delivery_names', NULL, NULL),
        ('delivery_bytes', NULL, NULL),
        ('api_keys', 'organization_id', 'SELECT, INSERT, UPDATE'),
        ('key_usage', 'organization_id', 'SELECT'),
        ('key_callers', 'organization_id', 'SELECT, UPDATE (dismissed_at)'),
        ('refused_requests', 'organization_id', 'SELECT'),
        ('served_requests', 'organization_id', 'SELECT'),
        ('running_tasks', 'organization_id', 'SELECT, INSERT, UPDATE, DELETE'),
        ('erasures', NULL, NULL),
        ('erasure_files', NULL, NULL),
        ('mails', 'organization_id', 'INSERT'),
        ('delivery_notices', 'organization_id', 'SELECT, INSERT')
$$;
DO $$
DECLARE
    name   text;
    own    text;
    rights text;
BEGIN
    FOR name, own, rights IN SELECT * FROM tenant_tables()
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
        EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', name);
        EXECUTE format('CREATE POLICY operator ON %I TO dispo_operator USING (true)', name);
        EXECUTE format('CREATE POLICY keeper ON %I TO dispo_keeper USING (true)', name);
        EXECUTE format('GRANT SELECT, DELETE ON %I TO dispo_keeper', name);
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
REVOKE INSERT, UPDATE, DELETE ON goose_db_version, kept_periods FROM dispo_operator;
REVOKE UPDATE ON transactions FROM dispo_operator;
REVOKE UPDATE, DELETE ON audit_log, withdrawn_files, withdrawn_totals, organizations FROM dispo_operator;
GRANT UPDATE (slug, name, company_count, delivery_file_count, transaction_count, total_amount_dkk, data_version, history, last_id, suspended_at, deletion_started_at,
    require_second_factor, tell_of_leaks, limit_minute, limit_hour, time_zone, notification_address, expected_by, expected_since, sandbox_day) ON organizations TO dispo_operator;

GRANT SELECT, DELETE ON sessions, password_links, password_requests, sign_in_failures TO dispo_keeper;
REVOKE ALL ON erasures, erasure_files FROM dispo_keeper;
GRANT INSERT, UPDATE ON key_usage TO dispo_keeper; -- hours are added up to days

-- The functions that cross organizations on purpose run as the operator's role, whose
-- policies allow every row. Those that begin with keep_ run as the keeper's. Nobody but their owner
-- and the service may call them. To become the owner of a function, a role needs CREATE on the schema.
GRANT CREATE ON SCHEMA public TO dispo_operator, dispo_keeper;
DO $$
DECLARE
    name regprocedure;
BEGIN
    FOR name IN SELECT oid FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosecdef AND proowner = current_user::regrole LOOP
        EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', name);
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO dispo_app', name);
        EXECUTE format('ALTER FUNCTION %s OWNER TO %I', name, CASE WHEN name::text LIKE 'keep\_%' THEN 'dispo_keeper' ELSE 'dispo_operator' END);
    END LOOP;
END
$$;
REVOKE CREATE ON SCHEMA public FROM dispo_operator, dispo_keeper;

-- organization_erase deletes at most so many rows of an organization that is being deleted,
-- and the organization after its last one. It returns how many it deleted: zero when
-- nothing is left. Companies and files go first, so that imports and backfills find either
-- all of a delivery's records or none.
-- It also returns the row that it reached, and goes on after the one that it is given. While
-- somebody reads an older snapshot, the indexes keep deleted rows, and each batch would read
-- all of them again. After the last table it begins once more, for rows that came behind it.
CREATE FUNCTION organization_erase(gone uuid, most bigint, INOUT reached jsonb, OUT erased bigint)
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off SET enable_sort = off AS $$
DECLARE
    after   jsonb := reached;
    resumed boolean := reached IS NOT NULL;
    name    text;
    own     text;
    keys    text; -- of a unique index that begins with the organization
    n       bigint;
BEGIN
    IF EXISTS (SELECT FROM organizations o WHERE o.id = gone AND o.deletion_started_at IS NULL) THEN
        RAISE EXCEPTION 'organization % is not being deleted', gone USING ERRCODE = 'insufficient_privilege';
    END IF;
    erased := 0;
    FOR name, own, keys IN
        SELECT t.name, t.own, (SELECT string_agg('x.' || pg_get_indexdef(indexrelid, k, true), ', ' ORDER BY k) FROM generate_series(1, indnkeyatts) k)
        FROM tenant_tables() t LEFT JOIN LATERAL (
            SELECT indexrelid, indnkeyatts FROM pg_index
            WHERE indrelid = t.name::regclass AND indisunique AND pg_get_indexdef(indexrelid, 1, true) = t.own ORDER BY NOT indisprimary, indexrelid LIMIT 1
        ) i ON true WHERE t.own IS NOT NULL AND t.name NOT IN ('organizations', 'memberships')
        ORDER BY t.name <> 'companies', t.name <> 'delivery_files', t.name = 'api_keys', t.name
    LOOP
        CONTINUE WHEN after ->> 'table' <> name;
        EXECUTE format('
            WITH batch AS (SELECT x.ctid AS place, %3$s FROM %1$I x WHERE %2$I = $1 %4$s ORDER BY %3$s LIMIT $2),
                deleted AS (DELETE FROM %1$I WHERE ctid = ANY (ARRAY(SELECT place FROM batch)))
            SELECT count(*), (SELECT to_jsonb(x) || $4 FROM batch x ORDER BY (%3$s) DESC LIMIT 1) FROM batch',
            name, own, keys, CASE WHEN after IS NOT NULL THEN format('AND (%2$s) > (SELECT %2$s FROM jsonb_populate_record(NULL::%1$I, $3) x)', name, keys) END)
            INTO n, reached USING gone, most - erased, after, jsonb_build_object('table', name);
        after := NULL;
        erased := erased + n;
        IF erased >= most THEN
            RETURN;
        END IF;
    END LOOP;
    IF resumed THEN
        n := erased;
        SELECT e.reached, n + e.erased FROM organization_erase(gone, most - n, NULL) e INTO reached, erased;
        RETURN;
    END IF;
    DELETE FROM sessions s WHERE s.organization_id = gone;
    DELETE FROM memberships m WHERE m.organization_id = gone;
    DELETE FROM organizations o WHERE o.id = gone;
    GET DIAGNOSTICS n = ROW_COUNT;
    PERFORM pg_notify('dispo', 'data ' || gone);
    erased := erased + n;
    reached := NULL;
END
$$;

-- audit_log_forget takes a user out of all audit logs. What they did stays.
CREATE FUNCTION audit_log_forget(gone uuid, email text) RETURNS void
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    UPDATE audit_log SET subject = without_email(subject, email), user_email = without_email(user_email, email),
        address = CASE WHEN user_id = gone OR user_email = email THEN '' ELSE address END
    WHERE user_id = gone OR user_email = email OR strpos(lower(subject), email) > 0
$$;

-- These two work as the keeper, and only the operator may call them.
GRANT UPDATE (user_email, subject, address) ON audit_log TO dispo_keeper;
GRANT CREATE ON SCHEMA public TO dispo_keeper;
DO $$
DECLARE
    name regprocedure;
BEGIN
    FOR name IN SELECT oid FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prosecdef AND proowner = current_user::regrole LOOP
        EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', name);
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO dispo_operator', name);
        EXECUTE format('ALTER FUNCTION %s OWNER TO dispo_keeper', name);
    END LOOP;
END
$$;
REVOKE CREATE ON SCHEMA public FROM dispo_keeper;

-- Whoever could make tables, functions or types where the functions above look for theirs
-- could run code of their own as the operator's role. By default everybody may make temporary
-- ones. The functions and imports need them. Only the database's owner can change that:
-- for anybody else these are warnings, and rights_to_correct says what is left to do.
DO $$
BEGIN
    EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
    EXECUTE format('GRANT TEMPORARY ON DATABASE %I TO dispo_operator', current_database());
END
$$;
REVOKE CREATE ON SCHEMA public FROM PUBLIC;

-- Nothing here makes large objects, which would take room. Only a superuser can take that right
-- from everybody.
DO $$
BEGIN
    IF (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) THEN
        REVOKE EXECUTE ON FUNCTION lo_creat(integer), lo_create(oid), lo_from_bytea(oid, bytea) FROM PUBLIC;
    END IF;
END
$$;

-- rights_to_correct returns the statements that take away what dispo_app may do beyond what
-- these files grant it, and give dispo_operator what it needs. There are none if all is well.
-- Large objects do no harm but take room, so that whoever steals the service's login cannot keep
-- the service from starting.
CREATE FUNCTION rights_to_correct() RETURNS SETOF text LANGUAGE sql STABLE AS $$
    WITH database AS (
        SELECT oid, format('DATABASE %I', datname) AS object, coalesce(datacl, acldefault('d', datdba)) AS acl FROM pg_database WHERE datname = current_database()
    ), granted AS (
        SELECT object, 'CONNECT' AS allowed, a.* FROM database, aclexplode(acl) a
        UNION ALL
        SELECT 'SCHEMA public', 'USAGE', a.* FROM pg_namespace, aclexplode(nspacl) a WHERE nspname = 'public'
        UNION ALL
        SELECT CASE c.relkind WHEN 'S' THEN 'SEQUENCE ' ELSE '' END || c.oid::regclass,
            CASE WHEN c.relkind NOT IN ('r', 'p') THEN '' WHEN c.relname = 'kept_periods' THEN 'SELECT' WHEN t.name IS NULL THEN 'SELECT, INSERT, UPDATE, DELETE' ELSE coalesce(t.rights, '') END, a.*
        FROM pg_class c LEFT JOIN tenant_tables() t ON t.name = c.relname, LATERAL (
            SELECT * FROM aclexplode(c.relacl)
            UNION ALL
            SELECT x.grantor, x.grantee, format('%s (%I)', x.privilege_type, attname), x.is_grantable
            FROM pg_attribute, aclexplode(attacl) x WHERE attrelid = c.oid
        ) a
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
        AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = c.oid AND deptype = 'e') -- extensions may let everybody read their views
    ), excess AS (
        SELECT object, allowed, CASE grantee WHEN 0 THEN 'PUBLIC' ELSE 'dispo_app' END AS grantee, string_agg(privilege_type, ', ' ORDER BY privilege_type) AS rights
        FROM granted, LATERAL (SELECT split_part(privilege_type, ' ', 1) AS kind, substring(privilege_type FROM '\((.*)\)') AS of_column) p
        WHERE grantee IN (0, 'dispo_app'::regrole)
        AND allowed !~ ('\m' || kind || '\M(?! \()') -- a right to some columns is not one to all
        AND (of_column IS NULL OR allowed !~ ('\m' || kind || ' \([^)]*\m' || of_column || '\M'))
        GROUP BY 1, 2, 3
    )
    SELECT 'ALTER ROLE dispo_app NOSUPERUSER NOBYPASSRLS NOCREATEROLE NOCREATEDB NOREPLICATION' FROM pg_roles
    WHERE rolname = 'dispo_app' AND (rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb OR rolreplication)
    UNION ALL
    SELECT format('REVOKE %s FROM dispo_app', roleid::regrole) FROM pg_auth_members WHERE member = 'dispo_app'::regrole
    UNION ALL
    SELECT DISTINCT 'REASSIGN OWNED BY dispo_app TO CURRENT_USER' FROM pg_shdepend s, database d
    WHERE s.refobjid = 'dispo_app'::regrole AND s.deptype = 'o' AND s.classid <> 'pg_largeobject'::regclass AND (s.dbid = d.oid OR s.dbid = 0 AND s.objid = d.oid)
    UNION ALL
    SELECT 'GRANT TEMPORARY ON ' || object || ' TO dispo_operator' FROM database
    WHERE NOT EXISTS (SELECT FROM aclexplode(acl) WHERE grantee = 'dispo_operator'::regrole AND privilege_type = 'TEMPORARY')
    UNION ALL
    -- Taking away a right to a table takes away those to its columns.
    SELECT format('REVOKE %s ON %s FROM %s', rights, object, grantee) || CASE WHEN allowed LIKE '%(%' THEN format('; GRANT %s ON %s TO dispo_app', allowed, object) ELSE '' END
    FROM excess
$$;
-- +goose StatementEnd
