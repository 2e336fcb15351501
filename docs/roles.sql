-- The roles and the database of Dispo, made once, by a superuser (or whatever
-- administrator a managed PostgreSQL has), before the first `dispo migrate`:
--
--   DISPO_OWNER_PASSWORD=… DISPO_SERVICE_PASSWORD=… DISPO_OPERATOR_PASSWORD=… \
--     psql --set ON_ERROR_STOP=1 --file docs/roles.sql "$ADMIN_URL"
--
-- Needs psql 14 or newer.
\getenv owner_password DISPO_OWNER_PASSWORD
\getenv service_password DISPO_SERVICE_PASSWORD
\getenv operator_password DISPO_OPERATOR_PASSWORD

-- What is worked as. Neither signs in, owns a table, or gets past row-level security.
CREATE ROLE dispo_app NOLOGIN;      -- one organization at a time
CREATE ROLE dispo_operator NOLOGIN; -- every organization

-- Who signs in: `dispo migrate`, `dispo serve`, and the operator's commands.
CREATE ROLE dispo_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE dispo_service LOGIN PASSWORD :'service_password';
CREATE ROLE dispo_commands LOGIN PASSWORD :'operator_password';

GRANT dispo_app, dispo_operator TO dispo_owner;
GRANT dispo_app TO dispo_service;
GRANT dispo_operator TO dispo_commands;

-- An administrator that is no superuser must be a member of the owner's role first.
GRANT dispo_owner TO CURRENT_USER;
CREATE DATABASE dispo OWNER dispo_owner;
REVOKE CONNECT, TEMPORARY ON DATABASE dispo FROM PUBLIC;
GRANT CONNECT ON DATABASE dispo TO dispo_service, dispo_commands;
GRANT TEMPORARY ON DATABASE dispo TO dispo_operator; -- for imports
