-- +goose Up
-- api_keys_lookup returns the keys with the given lookup ids. Like api_key_lookup, it
-- reads across organizations on purpose. api_key_lookup stays for instances that
-- still run the previous version.
CREATE FUNCTION api_keys_lookup(wanted text[]) RETURNS SETOF api_keys
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp ROWS 10
    AS 'SELECT * FROM api_keys WHERE lookup_id = ANY (wanted)';
REVOKE ALL ON FUNCTION api_keys_lookup(text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION api_keys_lookup(text[]) TO dispo_app, dispo_operator;
GRANT CREATE ON SCHEMA public TO dispo_operator;
ALTER FUNCTION api_keys_lookup(text[]) OWNER TO dispo_operator;
REVOKE CREATE ON SCHEMA public FROM dispo_operator;
