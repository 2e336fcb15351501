-- +goose Up
ALTER TABLE users
    -- When the user proved that the e-mail address is theirs. Only the operator's links
    -- prove it: an inviter sees the link of an invitation too.
    ADD COLUMN email_proven_at timestamptz,
    -- A disabled user cannot sign in. Null means enabled.
    ADD COLUMN disabled_at     timestamptz;

-- So far the operator's commands alone proved an address. The audit log knows them.
SET LOCAL ROLE dispo_operator;
UPDATE users u SET email_proven_at = now() WHERE EXISTS (
    SELECT FROM audit_log a WHERE a.user_id IS NULL
        AND (a.action = 'user.create' AND starts_with(a.subject, u.email || ': ') OR a.action = 'password.link' AND a.subject = u.email));
RESET ROLE;

-- When the user last signed in or gave the password or a code again.
ALTER TABLE sessions ADD COLUMN confirmed_at timestamptz NOT NULL DEFAULT now();
UPDATE sessions SET confirmed_at = created_at;

ALTER TABLE organizations
    -- Keys of a suspended organization are refused, and its members cannot work in it.
    ADD COLUMN suspended_at          timestamptz,
    ADD COLUMN require_second_factor boolean NOT NULL DEFAULT false;
GRANT UPDATE (require_second_factor) ON organizations TO dispo_app;

GRANT SELECT, DELETE ON recovery_codes TO dispo_operator;
GRANT SELECT, DELETE ON sign_in_failures TO dispo_operator;

-- Instances drop what they remember of a suspended organization's keys.
-- +goose StatementBegin
CREATE FUNCTION organization_suspended() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('dispo', 'key ' || k.id) FROM api_keys k WHERE k.organization_id = NEW.id;
    RETURN NULL;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER suspended AFTER UPDATE OF suspended_at ON organizations
    FOR EACH ROW EXECUTE FUNCTION organization_suspended();

-- api_keys_find is api_keys_lookup with the state of the key's organization. It reads
-- across organizations on purpose. api_keys_lookup stays for instances that still run
-- the previous version.
CREATE FUNCTION api_keys_find(wanted text[])
    RETURNS TABLE (id uuid, organization_id uuid, lookup_id text, secret_hash text, fingerprint bytea,
        expires_at timestamptz, revoked_at timestamptz, suspended boolean)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp ROWS 10
    AS 'SELECT k.id, k.organization_id, k.lookup_id, k.secret_hash, k.fingerprint, k.expires_at, k.revoked_at, o.suspended_at IS NOT NULL
        FROM api_keys k JOIN organizations o ON o.id = k.organization_id WHERE k.lookup_id = ANY (wanted)';

-- user_organizations is user_memberships with the state of each organization. It reads
-- across organizations on purpose, but only for that user. user_memberships stays for
-- instances that still run the previous version.
CREATE FUNCTION user_organizations(wanted uuid)
    RETURNS TABLE (organization_id uuid, slug text, name text, role text, suspended boolean, require_second_factor boolean)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
    AS 'SELECT o.id, o.slug, o.name, m.role, o.suspended_at IS NOT NULL, o.require_second_factor
        FROM memberships m JOIN organizations o ON o.id = m.organization_id
        WHERE m.user_id = wanted ORDER BY o.name, o.id';

-- audit_log_everywhere adds an entry about a user, whom no one organization owns, to
-- the audit log of each of the user's organizations.
CREATE FUNCTION audit_log_everywhere(about uuid, id uuid, at timestamptz, user_id uuid, user_email text, action text, subject text, address text)
    RETURNS void
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp
    AS 'INSERT INTO audit_log (organization_id, id, at, user_id, user_email, action, subject, address)
        SELECT m.organization_id, $2, $3, $4, $5, $6, $7, $8 FROM memberships m WHERE m.user_id = about ORDER BY m.organization_id';

REVOKE ALL ON FUNCTION api_keys_find(text[]) FROM PUBLIC;
REVOKE ALL ON FUNCTION user_organizations(uuid) FROM PUBLIC;
REVOKE ALL ON FUNCTION audit_log_everywhere(uuid, uuid, timestamptz, uuid, text, text, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION api_keys_find(text[]) TO dispo_app, dispo_operator;
GRANT EXECUTE ON FUNCTION user_organizations(uuid) TO dispo_app, dispo_operator;
GRANT EXECUTE ON FUNCTION audit_log_everywhere(uuid, uuid, timestamptz, uuid, text, text, text, text) TO dispo_app, dispo_operator;
GRANT CREATE ON SCHEMA public TO dispo_operator;
ALTER FUNCTION api_keys_find(text[]) OWNER TO dispo_operator;
ALTER FUNCTION user_organizations(uuid) OWNER TO dispo_operator;
ALTER FUNCTION audit_log_everywhere(uuid, uuid, timestamptz, uuid, text, text, text, text) OWNER TO dispo_operator;
REVOKE CREATE ON SCHEMA public FROM dispo_operator;
