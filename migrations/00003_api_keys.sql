-- +goose Up
CREATE TABLE api_keys (
    id                   uuid PRIMARY KEY,
    organization_id      uuid NOT NULL REFERENCES organizations (id),
    -- The public part of the key, used to look it up.
    lookup_id            text NOT NULL UNIQUE CHECK (lookup_id ~ '^[0-9A-Za-z]{12}$'),
    -- The key's bcrypt hash. The key itself is not stored.
    secret_hash          text NOT NULL CHECK (secret_hash LIKE '$2_$%'),
    -- Four bytes that identify the server's secret, then the HMAC-SHA-256 of the
    -- key under that secret. Null until the service has verified the key.
    fingerprint          bytea CHECK (length(fingerprint) = 36),
    -- The key's last four characters, so that people can tell keys apart.
    hint                 text NOT NULL,
    name                 text NOT NULL CHECK (name <> ''),
    -- Null if the operator's command created the key.
    created_by           uuid REFERENCES users (id),
    expires_at           timestamptz,
    revoked_at           timestamptz,
    last_used_at         timestamptz,
    last_used_address    text,
    last_used_user_agent text,
    created_at           timestamptz NOT NULL DEFAULT now(),
    updated_at           timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX api_keys_organization ON api_keys (organization_id, id);

ALTER TABLE api_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE api_keys FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON api_keys TO dispo_app USING (organization_id = (SELECT current_organization()));
CREATE POLICY operator ON api_keys TO dispo_operator USING (true);
GRANT SELECT, INSERT, UPDATE ON api_keys TO dispo_app, dispo_operator;

-- api_key_lookup returns the key with a lookup id. It reads across organizations on
-- purpose, because a key's organization is not known until the key is found.
CREATE FUNCTION api_key_lookup(wanted text) RETURNS SETOF api_keys
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp ROWS 1
    AS 'SELECT * FROM api_keys WHERE lookup_id = wanted';
REVOKE ALL ON FUNCTION api_key_lookup(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION api_key_lookup(text) TO dispo_app, dispo_operator;
-- The function runs as its owner, the operator's role, whose policy allows every
-- key. To become the owner, a role needs CREATE on the schema.
GRANT CREATE ON SCHEMA public TO dispo_operator;
ALTER FUNCTION api_key_lookup(text) OWNER TO dispo_operator;
REVOKE CREATE ON SCHEMA public FROM dispo_operator;

-- The change feed notifies every instance at once of the keys that changed, so that
-- it drops what it has cached of them.
-- +goose StatementBegin
CREATE FUNCTION api_key_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('dispo', 'key ' || OLD.id);
    RETURN NULL;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER changed AFTER UPDATE OF revoked_at, expires_at, secret_hash, organization_id ON api_keys
    FOR EACH ROW EXECUTE FUNCTION api_key_changed();
CREATE TRIGGER deleted AFTER DELETE ON api_keys
    FOR EACH ROW EXECUTE FUNCTION api_key_changed();


-- api_keys_used stores the last uses of keys of many organizations. The service
-- collects them in memory and writes them in batches. A use that is older than the
-- stored one, which may come from another instance, is ignored.
-- +goose StatementBegin
CREATE FUNCTION api_keys_used(ids uuid[], times timestamptz[], addresses text[], user_agents text[]) RETURNS void
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp
    -- It locks in order of id, so that instances that write at once cannot deadlock.
    AS 'SELECT FROM api_keys WHERE id = ANY (ids) ORDER BY id FOR NO KEY UPDATE;
        UPDATE api_keys k
        SET last_used_at = u.at, last_used_address = u.address, last_used_user_agent = u.user_agent
        FROM unnest(ids, times, addresses, user_agents) AS u (id, at, address, user_agent)
        WHERE k.id = u.id AND (k.last_used_at IS NULL OR k.last_used_at < u.at)';
-- +goose StatementEnd
REVOKE ALL ON FUNCTION api_keys_used(uuid[], timestamptz[], text[], text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION api_keys_used(uuid[], timestamptz[], text[], text[]) TO dispo_app;
GRANT CREATE ON SCHEMA public TO dispo_operator;
ALTER FUNCTION api_keys_used(uuid[], timestamptz[], text[], text[]) OWNER TO dispo_operator;
REVOKE CREATE ON SCHEMA public FROM dispo_operator;
