-- +goose Up
-- api_keys_check is api_keys_read with whether the key has a successor that would be
-- accepted now. It reads across organizations on purpose. api_keys_read stays for
-- instances that still run the previous version.
CREATE FUNCTION api_keys_check(wanted text[])
    RETURNS TABLE (id uuid, organization_id uuid, lookup_id text, secret_hash text, fingerprint bytea,
        expires_at timestamptz, revoked_at timestamptz, paused_at timestamptz, suspended boolean, replaced boolean)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp ROWS 10
    AS 'SELECT k.id, k.organization_id, k.lookup_id, k.secret_hash, k.fingerprint, k.expires_at, k.revoked_at, k.paused_at, o.suspended_at IS NOT NULL,
            EXISTS (SELECT FROM api_keys s WHERE s.successor_of = k.id AND s.revoked_at IS NULL AND s.paused_at IS NULL AND (s.expires_at IS NULL OR s.expires_at > now()))
        FROM api_keys k JOIN organizations o ON o.id = k.organization_id WHERE k.lookup_id = ANY (wanted)';
REVOKE ALL ON FUNCTION api_keys_check(text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION api_keys_check(text[]) TO dispo_app, dispo_operator;
GRANT CREATE ON SCHEMA public TO dispo_operator;
ALTER FUNCTION api_keys_check(text[]) OWNER TO dispo_operator;
REVOKE CREATE ON SCHEMA public FROM dispo_operator;

-- A key's callers are told of its successor, so a change of that concerns the key too.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION api_key_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        PERFORM pg_notify('dispo', 'key ' || OLD.id);
    END IF;
    IF coalesce(NEW.successor_of, OLD.successor_of) IS NOT NULL THEN
        PERFORM pg_notify('dispo', 'key ' || coalesce(NEW.successor_of, OLD.successor_of));
    END IF;
    RETURN NULL;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER succeeded AFTER INSERT ON api_keys FOR EACH ROW WHEN (NEW.successor_of IS NOT NULL) EXECUTE FUNCTION api_key_changed();
