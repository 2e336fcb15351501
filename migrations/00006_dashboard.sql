-- +goose Up
-- Users and sessions do not belong to an organization, since a user may be a member
-- of several. Members see each other through memberships, which row-level security
-- keeps apart.
ALTER TABLE users
    -- The second factor's secret, encrypted with the server's secret. Set once the
    -- user has entered a first code, which proves that their app has it.
    ADD COLUMN totp_secret bytea,
    -- The time step of the last accepted code, so that a code is accepted only once.
    ADD COLUMN totp_step   bigint NOT NULL DEFAULT 0;
GRANT SELECT, INSERT, UPDATE ON users TO dispo_app;
GRANT SELECT, INSERT, DELETE ON password_links TO dispo_app;

CREATE TABLE recovery_codes (
    user_id   uuid NOT NULL REFERENCES users (id),
    code_hash bytea NOT NULL CHECK (length(code_hash) = 32),
    PRIMARY KEY (user_id, code_hash)
);
GRANT SELECT, INSERT, DELETE ON recovery_codes TO dispo_app;

GRANT SELECT, INSERT, UPDATE, DELETE ON memberships TO dispo_app;

-- An organization always has an owner.
-- +goose StatementBegin
CREATE FUNCTION membership_keeps_owner() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- Owners who leave at once are looked at one after the other.
    PERFORM FROM memberships WHERE organization_id = OLD.organization_id AND role = 'owner' FOR UPDATE;
    IF OLD.role = 'owner' AND NOT EXISTS (
        SELECT FROM memberships WHERE organization_id = OLD.organization_id AND role = 'owner' AND user_id <> OLD.user_id
    ) AND (TG_OP = 'DELETE' OR NEW.role <> 'owner') THEN
        RAISE EXCEPTION 'an organization keeps its last owner' USING ERRCODE = 'check_violation', CONSTRAINT = 'last_owner';
    END IF;
    RETURN CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER keeps_owner BEFORE UPDATE OF role OR DELETE ON memberships
    FOR EACH ROW EXECUTE FUNCTION membership_keeps_owner();

-- Sessions of the dashboard. The token itself is only in the browser's cookie.
CREATE TABLE sessions (
    id              uuid PRIMARY KEY,
    token_hash      bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    user_id         uuid NOT NULL REFERENCES users (id),
    -- The organization that the user currently works in.
    organization_id uuid NOT NULL REFERENCES organizations (id),
    address         text NOT NULL,
    user_agent      text NOT NULL,
    created_at      timestamptz NOT NULL DEFAULT now(),
    seen_at         timestamptz NOT NULL DEFAULT now(),
    expires_at      timestamptz NOT NULL
);
CREATE INDEX sessions_user ON sessions (user_id);
GRANT SELECT, INSERT, UPDATE, DELETE ON sessions TO dispo_app;
GRANT SELECT, DELETE ON sessions TO dispo_operator; -- a new password ends them

-- user_memberships returns the organizations of a signed-in user. It reads across
-- organizations on purpose, but only for that user.
CREATE FUNCTION user_memberships(wanted uuid)
    RETURNS TABLE (organization_id uuid, slug text, name text, role text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
    AS 'SELECT o.id, o.slug, o.name, m.role FROM memberships m JOIN organizations o ON o.id = m.organization_id
        WHERE m.user_id = wanted ORDER BY o.name, o.id';
REVOKE ALL ON FUNCTION user_memberships(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION user_memberships(uuid) TO dispo_app;

-- One-time links to join an organization.
CREATE TABLE invitations (
    token_hash      bytea PRIMARY KEY CHECK (length(token_hash) = 32),
    organization_id uuid NOT NULL REFERENCES organizations (id),
    id              uuid NOT NULL UNIQUE,
    email           text NOT NULL CHECK (email = lower(email)),
    role            text NOT NULL CHECK (role IN ('owner', 'admin', 'member')),
    invited_by      uuid REFERENCES users (id),
    expires_at      timestamptz NOT NULL,
    created_at      timestamptz NOT NULL DEFAULT now(),
    UNIQUE (organization_id, email)
);
ALTER TABLE invitations ENABLE ROW LEVEL SECURITY;
ALTER TABLE invitations FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON invitations TO dispo_app USING (organization_id = (SELECT current_organization()));
CREATE POLICY operator ON invitations TO dispo_operator USING (true);
GRANT SELECT, INSERT, DELETE ON invitations TO dispo_app, dispo_operator;

-- invitation_lookup returns the invitation with a link's token, in any organization.
-- Whoever has the token may see the invitation.
CREATE FUNCTION invitation_lookup(wanted bytea)
    RETURNS TABLE (id uuid, organization_id uuid, organization_name text, email text, role text, invited_by uuid, expires_at timestamptz)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
    AS 'SELECT i.id, i.organization_id, o.name, i.email, i.role, i.invited_by, i.expires_at
        FROM invitations i JOIN organizations o ON o.id = i.organization_id WHERE i.token_hash = wanted';
REVOKE ALL ON FUNCTION invitation_lookup(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION invitation_lookup(bytea) TO dispo_app;

-- Recent failed sign-ins, by account and by address.
CREATE TABLE sign_in_failures (
    subject    text PRIMARY KEY,
    count      int NOT NULL,
    expires_at timestamptz NOT NULL
);
GRANT SELECT, INSERT, UPDATE, DELETE ON sign_in_failures TO dispo_app;

-- Who did what. Rows are never changed or deleted: no role has the privilege, and a
-- trigger refuses it to the owner too.
CREATE TABLE audit_log (
    organization_id uuid NOT NULL REFERENCES organizations (id),
    id              uuid NOT NULL,
    at              timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- Null for the operator's commands.
    user_id         uuid REFERENCES users (id),
    user_email      text NOT NULL,
    action          text NOT NULL,
    -- A description of the object: a key's name and hint, or a member's e-mail.
    subject         text NOT NULL,
    address         text NOT NULL,
    PRIMARY KEY (organization_id, id)
);
ALTER TABLE audit_log ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_log FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON audit_log TO dispo_app USING (organization_id = (SELECT current_organization()));
CREATE POLICY operator ON audit_log TO dispo_operator USING (true);
GRANT SELECT, INSERT ON audit_log TO dispo_app, dispo_operator;
-- +goose StatementBegin
CREATE FUNCTION audit_log_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'insufficient_privilege';
END
$$;
-- +goose StatementEnd
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION audit_log_append_only();

-- The key that this one replaces.
ALTER TABLE api_keys ADD COLUMN successor_of uuid REFERENCES api_keys (id);
CREATE INDEX api_keys_successor_of ON api_keys (successor_of) WHERE successor_of IS NOT NULL;

-- Requests per key and hour. refused counts those answered 401, because the key is
-- revoked or expired, or 429.
CREATE TABLE key_usage (
    organization_id uuid NOT NULL REFERENCES organizations (id),
    hour            timestamptz NOT NULL,
    key_id          uuid NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
    requests        bigint NOT NULL,
    refused         bigint NOT NULL,
    PRIMARY KEY (organization_id, hour, key_id)
);
ALTER TABLE key_usage ENABLE ROW LEVEL SECURITY;
ALTER TABLE key_usage FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON key_usage TO dispo_app USING (organization_id = (SELECT current_organization()));
CREATE POLICY operator ON key_usage TO dispo_operator USING (true);
GRANT SELECT ON key_usage TO dispo_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON key_usage TO dispo_operator;

-- The latest refused requests, which show people why a client fails.
CREATE TABLE refused_requests (
    organization_id uuid NOT NULL REFERENCES organizations (id),
    id              uuid NOT NULL,
    at              timestamptz NOT NULL,
    key_id          uuid NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
    status          int NOT NULL,
    method          text NOT NULL,
    path            text NOT NULL,
    address         text NOT NULL,
    user_agent      text NOT NULL,
    PRIMARY KEY (organization_id, id)
);
ALTER TABLE refused_requests ENABLE ROW LEVEL SECURITY;
ALTER TABLE refused_requests FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON refused_requests TO dispo_app USING (organization_id = (SELECT current_organization()));
CREATE POLICY operator ON refused_requests TO dispo_operator USING (true);
GRANT SELECT ON refused_requests TO dispo_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON refused_requests TO dispo_operator;

-- The service counts requests of many organizations in memory, and stores them in
-- batches with these two functions. They skip keys that have been deleted meanwhile,
-- so that the rest of the batch is stored.
CREATE FUNCTION key_usage_add(organizations uuid[], keys uuid[], hours timestamptz[], added bigint[], added_refused bigint[]) RETURNS void
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp
    AS 'INSERT INTO key_usage (organization_id, hour, key_id, requests, refused)
        SELECT k.organization_id, u.hour, k.id, u.requests, u.refused
        FROM unnest(organizations, hours, keys, added, added_refused) AS u (organization_id, hour, key_id, requests, refused)
        JOIN api_keys k ON k.id = u.key_id AND k.organization_id = u.organization_id
        ORDER BY k.organization_id, u.hour, k.id
        ON CONFLICT (organization_id, hour, key_id) DO UPDATE
        SET requests = key_usage.requests + excluded.requests, refused = key_usage.refused + excluded.refused';
-- +goose StatementBegin
CREATE FUNCTION refused_requests_add(organizations uuid[], ids uuid[], times timestamptz[], keys uuid[], statuses int[],
    methods text[], paths text[], addresses text[], user_agents text[]) RETURNS void
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp
    AS 'INSERT INTO refused_requests
        SELECT u.* FROM unnest(organizations, ids, times, keys, statuses, methods, paths, addresses, user_agents)
            AS u (organization_id, id, at, key_id, status, method, path, address, user_agent)
        JOIN api_keys k ON k.id = u.key_id AND k.organization_id = u.organization_id;
        -- As many as a page shows, and some more, are kept of each. Two instances
        -- that do this at once leave each other alone.
        DELETE FROM refused_requests r WHERE (r.organization_id, r.id) IN (
            SELECT d.organization_id, d.id FROM refused_requests d
            WHERE d.organization_id = ANY (organizations) AND d.id < (
                SELECT k.id FROM refused_requests k WHERE k.organization_id = d.organization_id ORDER BY k.id DESC OFFSET 99 LIMIT 1)
            FOR UPDATE SKIP LOCKED)';
-- +goose StatementEnd
REVOKE ALL ON FUNCTION key_usage_add(uuid[], uuid[], timestamptz[], bigint[], bigint[]) FROM PUBLIC;
REVOKE ALL ON FUNCTION refused_requests_add(uuid[], uuid[], timestamptz[], uuid[], int[], text[], text[], text[], text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION key_usage_add(uuid[], uuid[], timestamptz[], bigint[], bigint[]) TO dispo_app;
GRANT EXECUTE ON FUNCTION refused_requests_add(uuid[], uuid[], timestamptz[], uuid[], int[], text[], text[], text[], text[]) TO dispo_app;

GRANT CREATE ON SCHEMA public TO dispo_operator;
ALTER FUNCTION user_memberships(uuid) OWNER TO dispo_operator;
ALTER FUNCTION invitation_lookup(bytea) OWNER TO dispo_operator;
ALTER FUNCTION key_usage_add(uuid[], uuid[], timestamptz[], bigint[], bigint[]) OWNER TO dispo_operator;
ALTER FUNCTION refused_requests_add(uuid[], uuid[], timestamptz[], uuid[], int[], text[], text[], text[], text[]) OWNER TO dispo_operator;
REVOKE CREATE ON SCHEMA public FROM dispo_operator;
