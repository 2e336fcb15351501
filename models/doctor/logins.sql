-- Who may work as which role. The owner of the tables, an administrator who may become the owner,
-- and a superuser may work as all. $1: the database is the embedded one, whose only login is the owner's.
WITH logins AS (
    SELECT rolname, rolsuper OR pg_has_role(oid, (SELECT relowner FROM pg_class WHERE oid = 'organizations'::regclass), 'MEMBER') AS owns,
        pg_has_role(oid, 'dispo_app', 'MEMBER') AS app, pg_has_role(oid, 'dispo_operator', 'MEMBER') AS operator, pg_has_role(oid, 'dispo_keeper', 'MEMBER') AS keeper
    FROM pg_roles WHERE rolcanlogin
)
SELECT 'failure' AS level, format('%s may work as dispo_operator and as dispo_app: whoever steals the service''s login could read every organization.', rolname) AS message,
    format('Give each its own login: as an administrator, run: REVOKE dispo_operator FROM %I; or, if it is not the service''s: REVOKE dispo_app FROM %1$I', rolname) AS "do"
FROM logins WHERE app AND operator AND NOT owns
UNION ALL
SELECT 'failure', format('%s may work as dispo_keeper, which deletes what is kept.', rolname), format('As an administrator, run: REVOKE dispo_keeper FROM %I', rolname)
FROM logins WHERE keeper AND NOT owns
UNION ALL
SELECT 'failure', format('%s may bypass row-level security, or sign in.', rolname), format('As an administrator, run: ALTER ROLE %I NOSUPERUSER NOBYPASSRLS NOLOGIN', rolname)
FROM pg_roles WHERE rolname IN ('dispo_app', 'dispo_operator', 'dispo_keeper') AND (rolsuper OR rolbypassrls OR rolcanlogin)
UNION ALL
SELECT 'warning', format('The login %s is in use here, which is not the service''s or the commands'', but the tables'' owner or a superuser.', rolname), 'Use those two for everything but `dispo migrate`.'
FROM logins WHERE owns AND NOT $1 AND (rolname = session_user OR rolname IN (SELECT usename FROM pg_stat_activity WHERE datname = current_database()))
