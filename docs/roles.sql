-- Creates Dispo's roles and database. Run it once, before the first `dispo
-- migrate`, as a superuser or as the administrator of a managed PostgreSQL:
--
--   DISPO_OWNER_PASSWORD=… DISPO_SERVICE_PASSWORD=… DISPO_OPERATOR_PASSWORD=… \
--     psql --set ON_ERROR_STOP=1 --file docs/roles.sql "$ADMIN_URL"
--
-- It needs psql 14 or newer.
\getenv owner_password DISPO_OWNER_PASSWORD
\getenv service_password DISPO_SERVICE_PASSWORD
\getenv operator_password DISPO_OPERATOR_PASSWORD

-- The roles that Dispo works as. They cannot sign in, own no tables, and do not
-- bypass row-level security.
CREATE ROLE dispo_app NOLOGIN;      -- one organization at a time
CREATE ROLE dispo_operator NOLOGIN; -- every organization
CREATE ROLE dispo_keeper NOLOGIN;   -- nobody works as it but functions that delete

-- The login roles of `dispo migrate`, `dispo serve` and the operator's commands.
CREATE ROLE dispo_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE dispo_service LOGIN PASSWORD :'service_password';
CREATE ROLE dispo_commands LOGIN PASSWORD :'operator_password';

GRANT dispo_app, dispo_operator, dispo_keeper TO dispo_owner;
GRANT dispo_app TO dispo_service;
GRANT dispo_operator TO dispo_commands;

-- To create a database for another role, an administrator who is not a superuser
-- must be a member of that role.
GRANT dispo_owner TO CURRENT_USER;
CREATE DATABASE dispo OWNER dispo_owner;
REVOKE CONNECT, TEMPORARY ON DATABASE dispo FROM PUBLIC;
GRANT CONNECT ON DATABASE dispo TO dispo_service, dispo_commands;
GRANT TEMPORARY ON DATABASE dispo TO dispo_operator; -- for imports

-- Dispo makes no large objects, which would take room. Only a superuser can take that
-- right from everybody.
\connect dispo
SELECT 'REVOKE EXECUTE ON FUNCTION lo_creat(integer), lo_create(oid), lo_from_bytea(oid, bytea) FROM PUBLIC'
FROM pg_roles WHERE rolname = current_user AND rolsuper \gexec
