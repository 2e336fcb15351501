-- +goose Up
-- api_keys_lookup is api_key_lookup for many keys at once: like that one it crosses
-- organizations on purpose, and gives just the keys that have these lookup ids.
-- (api_key_lookup stays for instances of the version before, until a later one.)
CREATE FUNCTION api_keys_lookup(wanted text[]) RETURNS SETOF api_keys
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp ROWS 10
    AS 'SELECT * FROM api_keys WHERE lookup_id = ANY (wanted)';
REVOKE ALL ON FUNCTION api_keys_lookup(text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION api_keys_lookup(text[]) TO dispo_app, dispo_operator;
GRANT CREATE ON SCHEMA public TO dispo_operator;
ALTER FUNCTION api_keys_lookup(text[]) OWNER TO dispo_operator;
REVOKE CREATE ON SCHEMA public FROM dispo_operator;
