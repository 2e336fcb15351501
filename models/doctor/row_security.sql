-- What keeps organizations apart, and what keeps their past as it was.
WITH tables AS (
    SELECT c.oid, c.relname, c.relrowsecurity AND c.relforcerowsecurity AS forced, t.name IS NOT NULL AS known, CASE WHEN t.own IS NOT NULL THEN format('(%I = current_organization())', t.own) END AS own
    FROM pg_class c LEFT JOIN tenant_tables() t ON t.name = c.relname
    WHERE c.relkind IN ('r', 'p') AND c.relnamespace = 'public'::regnamespace
), policies AS (
    SELECT p.polname, t.relname, t.own, pg_get_expr(p.polqual, p.polrelid) AS shown, coalesce(pg_get_expr(p.polwithcheck, p.polrelid), pg_get_expr(p.polqual, p.polrelid)) AS written, p.polpermissive
    FROM pg_policy p JOIN tables t ON t.oid = p.polrelid
    WHERE p.polroles && ARRAY[0::oid, 'dispo_app'::regrole::oid] OR EXISTS (SELECT FROM unnest(p.polroles) r
        WHERE r NOT IN (0, 'dispo_operator'::regrole, 'dispo_keeper'::regrole) AND pg_has_role('dispo_app', r, 'MEMBER')) -- rights.sql finds those two
)
SELECT 'failure' AS level, format('Row-level security of the table %s is not forced: the service could see every organization''s rows.', relname) AS message,
    format('As the owner, run: ALTER TABLE %I ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', relname) AS "do"
FROM tables WHERE known AND NOT forced
UNION ALL
SELECT 'failure', format('The table %s has rows of organizations, and no row-level security.', relname), 'Nothing in dispo makes this table: drop it, or move it to another schema.'
FROM tables t WHERE NOT known AND NOT forced AND relname <> 'sessions' -- a session is its user's, and notes where they work
    AND EXISTS (SELECT FROM pg_attribute WHERE attrelid = t.oid AND attname = 'organization_id' AND NOT attisdropped) AND has_table_privilege('dispo_app', t.oid, 'SELECT')
UNION ALL
SELECT 'failure', format('The policy %s of the table %s lets the service see or write other organizations'' rows.', polname, relname), format('As the owner, run: DROP POLICY %I ON %I', polname, relname)
FROM policies WHERE polpermissive AND (shown, written) IS DISTINCT FROM (own, own)
UNION ALL
SELECT 'failure', format('The table %s has lost a policy: its rows are hidden.', t.name), 'Restore a backup, or ask whoever dropped it.'
FROM tenant_tables() t WHERE t.own IS NOT NULL AND NOT EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = t.name::regclass AND polname = 'tenant')
    OR NOT EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = t.name::regclass AND polname = 'operator')
UNION ALL
SELECT 'failure', format('The trigger %s of the table %s is disabled.', tgname, tgrelid::regclass), format('As the owner, run: ALTER TABLE %s ENABLE TRIGGER %I', tgrelid::regclass, tgname)
FROM pg_trigger JOIN tables t ON t.oid = tgrelid WHERE tgenabled = 'D' AND NOT tgisinternal
