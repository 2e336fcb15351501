-- +goose Up
ALTER TABLE api_keys
    -- What people want to remember about the key.
    ADD COLUMN note                    text NOT NULL DEFAULT '' CHECK (length(note) <= 500),
    -- A paused key is refused until it is resumed.
    ADD COLUMN paused_at               timestamptz,
    -- The key is revoked by itself: at revoke_at, or after so many days without use.
    ADD COLUMN revoke_at               timestamptz,
    ADD COLUMN revoke_after_quiet_days int CHECK (revoke_after_quiet_days BETWEEN 1 AND 365),
    ADD COLUMN revoke_scheduled_at     timestamptz,
    ADD CHECK (num_nonnulls(revoke_at, revoke_after_quiet_days) = num_nonnulls(revoke_scheduled_at));
CREATE INDEX api_keys_scheduled ON api_keys (id) WHERE revoked_at IS NULL AND revoke_scheduled_at IS NOT NULL;

CREATE OR REPLACE TRIGGER changed AFTER UPDATE OF revoked_at, paused_at, expires_at, secret_hash, organization_id ON api_keys
    FOR EACH ROW EXECUTE FUNCTION api_key_changed();

-- api_keys_read is api_keys_find with paused_at. It reads across organizations on
-- purpose. api_keys_find stays for instances that still run the previous version, which
-- refuse a paused key as revoked.
CREATE FUNCTION api_keys_read(wanted text[])
    RETURNS TABLE (id uuid, organization_id uuid, lookup_id text, secret_hash text, fingerprint bytea,
        expires_at timestamptz, revoked_at timestamptz, paused_at timestamptz, suspended boolean)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp ROWS 10
    AS 'SELECT k.id, k.organization_id, k.lookup_id, k.secret_hash, k.fingerprint, k.expires_at, k.revoked_at, k.paused_at, o.suspended_at IS NOT NULL
        FROM api_keys k JOIN organizations o ON o.id = k.organization_id WHERE k.lookup_id = ANY (wanted)';
CREATE OR REPLACE FUNCTION api_keys_find(wanted text[])
    RETURNS TABLE (id uuid, organization_id uuid, lookup_id text, secret_hash text, fingerprint bytea,
        expires_at timestamptz, revoked_at timestamptz, suspended boolean)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp ROWS 10
    AS 'SELECT k.id, k.organization_id, k.lookup_id, k.secret_hash, k.fingerprint, k.expires_at, coalesce(k.revoked_at, k.paused_at), o.suspended_at IS NOT NULL
        FROM api_keys k JOIN organizations o ON o.id = k.organization_id WHERE k.lookup_id = ANY (wanted)';

-- api_key_revokes_at returns when a scheduled key is revoked, if it is not used again.
CREATE FUNCTION api_key_revokes_at(key api_keys) RETURNS timestamptz
    LANGUAGE sql STABLE
    AS 'SELECT coalesce(key.revoke_at, greatest(key.revoke_scheduled_at, key.last_used_at) + key.revoke_after_quiet_days * interval ''24 hours'')';

-- api_keys_due returns the keys whose scheduled time came before the given time. It
-- reads across organizations on purpose.
CREATE FUNCTION api_keys_due(before timestamptz) RETURNS TABLE (id uuid, organization_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
    AS 'SELECT k.id, k.organization_id FROM api_keys k
        WHERE k.revoked_at IS NULL AND k.revoke_scheduled_at IS NOT NULL AND api_key_revokes_at(k) <= before ORDER BY k.id';

REVOKE ALL ON FUNCTION api_keys_read(text[]) FROM PUBLIC;
REVOKE ALL ON FUNCTION api_keys_due(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION api_keys_read(text[]) TO dispo_app, dispo_operator;
GRANT EXECUTE ON FUNCTION api_keys_due(timestamptz) TO dispo_app;
GRANT CREATE ON SCHEMA public TO dispo_operator;
ALTER FUNCTION api_keys_read(text[]) OWNER TO dispo_operator;
ALTER FUNCTION api_keys_due(timestamptz) OWNER TO dispo_operator;
REVOKE CREATE ON SCHEMA public FROM dispo_operator;

-- The key that an entry is about, for the page of that key.
ALTER TABLE audit_log ADD COLUMN key_id uuid;
CREATE INDEX audit_log_key ON audit_log (organization_id, key_id, id) WHERE key_id IS NOT NULL;
