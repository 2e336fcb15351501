-- +goose Up
-- +goose StatementBegin
-- Users and sessions do not belong to an organization, since a user may be a member
-- of several. Members see each other through memberships, which row-level security
-- keeps apart.
CREATE TABLE users (
    id               uuid PRIMARY KEY,
    -- Stored in lower case, so that the unique index ignores case.
    email            text NOT NULL UNIQUE CHECK (email = lower(email) AND email LIKE '%_@_%'),
    -- When the user proved that the e-mail address is theirs. Only links that reach
    -- nobody else prove it: an inviter sees the link of an invitation too.
    email_proven_at  timestamptz,
    -- bcrypt of a SHA-384; null until the user has set a password.
    password_hash    text,
    -- The second factor's secret, encrypted with the server's secret. Set once the
    -- user has entered a first code, which proves that their app has it.
    totp_secret      bytea,
    -- The time step of the last accepted code, so that a code is accepted only once.
    totp_step        bigint NOT NULL DEFAULT 0,
    -- From when on the user needs a second factor, if the service requires one. Null until the
    -- user's week to set one up has begun.
    totp_due_at      timestamptz,
    -- A disabled user cannot sign in. Null means enabled.
    disabled_at      timestamptz,
    -- The topics of which the user does not want mails. Others cannot be switched off. A
    -- daily mail that nobody asked for is soon left unread, so arrivals have to be chosen.
    unwanted_mail    text[] NOT NULL DEFAULT '{arrivals}',
    -- The language that the user chose for pages and e-mails; empty means the browser's.
    language         text NOT NULL DEFAULT '' CHECK (language IN ('', 'en', 'da')),
    -- The language that the user's browser preferred when it last asked for a page.
    browser_language text NOT NULL DEFAULT '' CHECK (browser_language IN ('', 'en', 'da')),
    created_at       timestamptz NOT NULL DEFAULT clock_timestamp()
);
GRANT SELECT, INSERT, UPDATE ON users TO dispo_app;

CREATE TABLE recovery_codes (
    user_id   uuid NOT NULL REFERENCES users (id),
    -- SHA-256, encrypted with the server's secret.
    code_hash bytea NOT NULL CHECK (length(code_hash) = 60),
    PRIMARY KEY (user_id, code_hash)
);
GRANT SELECT, INSERT, UPDATE (code_hash), DELETE ON recovery_codes TO dispo_app;

CREATE TABLE memberships (
    organization_id uuid NOT NULL REFERENCES organizations (id),
    user_id         uuid NOT NULL REFERENCES users (id),
    role            text NOT NULL CHECK (role IN ('owner', 'admin', 'viewer')),
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (organization_id, user_id)
);
CREATE INDEX memberships_user ON memberships (user_id);

-- The identity providers (OpenID Connect) by which members sign in to an organization. A provider
-- vouches for its organization alone.
CREATE TABLE sign_in_providers (
    organization_id       uuid PRIMARY KEY,
    issuer                text NOT NULL CHECK (length(issuer) BETWEEN 8 AND 500),
    client_id             text NOT NULL CHECK (length(client_id) BETWEEN 1 AND 500),
    -- Encrypted with the server's secret, for this organization.
    client_secret         bytea NOT NULL,
    -- When an owner last tried it as it is. Null for not yet.
    tried_at              timestamptz,
    -- Members can sign in by it.
    enabled               boolean NOT NULL DEFAULT false,
    -- They cannot by password, except owners who also have a second factor.
    required              boolean NOT NULL DEFAULT false,
    -- Where a second factor is required, its word is enough.
    second_factor_trusted boolean NOT NULL DEFAULT false,
    CHECK (enabled OR NOT required)
);

-- Which account somebody at a provider has here, proved by that account. Another issuer or
-- client is another provider.
CREATE TABLE sign_in_links (
    organization_id uuid NOT NULL,
    issuer          text NOT NULL,
    client_id       text NOT NULL,
    -- The provider's name for the person.
    subject         text NOT NULL CHECK (length(subject) BETWEEN 1 AND 255),
    user_id         uuid NOT NULL REFERENCES users (id),
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    used_at         timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (organization_id, issuer, client_id, subject),
    UNIQUE (organization_id, user_id)
);
CREATE INDEX sign_in_links_user ON sign_in_links (user_id);

-- The states of sign-ins that came back from a provider. Each is accepted once.
CREATE TABLE sign_in_states (
    organization_id uuid NOT NULL,
    state_hash      bytea NOT NULL CHECK (length(state_hash) = 32),
    expires_at      timestamptz NOT NULL,
    PRIMARY KEY (organization_id, state_hash)
);
CREATE INDEX sign_in_states_expiry ON sign_in_states (expires_at);

-- sign_in_organization returns the organization with a provider that has that slug. It crosses
-- organizations on purpose, for somebody who has not signed in yet.
CREATE FUNCTION sign_in_organization(wanted text) RETURNS uuid
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT o.id FROM organizations o JOIN sign_in_providers p ON p.organization_id = o.id WHERE o.slug = wanted AND p.enabled AND o.suspended_at IS NULL
$$;

-- sign_in_secrets returns the encrypted secrets of all providers, to encrypt them under another
-- secret of the server. It crosses organizations on purpose.
CREATE FUNCTION sign_in_secrets() RETURNS TABLE (organization_id uuid, client_secret bytea)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT organization_id, client_secret FROM sign_in_providers
$$;

-- organizations_of_user returns the organizations of a signed-in user. It reads across
-- organizations on purpose, but only for that user.
CREATE FUNCTION organizations_of_user(wanted uuid)
    RETURNS TABLE (organization_id uuid, slug text, name text, role text, suspended boolean, require_second_factor boolean, time_zone text, sandbox boolean,
        limit_minute bigint, limit_hour bigint, provider_enabled boolean, provider_required boolean, provider_trusted boolean)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT o.id, o.slug, o.name, m.role, o.suspended_at IS NOT NULL, o.require_second_factor, o.time_zone, o.sandbox, o.limit_minute, o.limit_hour,
        coalesce(p.enabled, false), coalesce(p.required, false), coalesce(p.second_factor_trusted, false)
    FROM memberships m JOIN organizations o ON o.id = m.organization_id LEFT JOIN sign_in_providers p ON p.organization_id = o.id
    WHERE m.user_id = wanted ORDER BY o.id
$$;

-- only_way_in reports whether a user is the last owner who could come in by password to an
-- organization that requires its provider. With hold, the owners stay as they are until the
-- transaction ends. It reads across organizations on purpose, but only for that user.
CREATE FUNCTION only_way_in(wanted uuid, hold boolean) RETURNS boolean
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF hold THEN
        PERFORM FROM memberships m
        WHERE m.organization_id IN (SELECT organization_id FROM memberships WHERE user_id = wanted AND role = 'owner')
        ORDER BY m.organization_id, m.user_id FOR UPDATE;
    END IF;
    RETURN EXISTS (
        SELECT FROM memberships m JOIN sign_in_providers p ON p.organization_id = m.organization_id
        WHERE m.user_id = wanted AND m.role = 'owner' AND p.required AND NOT EXISTS (
            SELECT FROM memberships o JOIN users u ON u.id = o.user_id
            WHERE o.organization_id = m.organization_id AND o.role = 'owner' AND o.user_id <> wanted
                AND u.password_hash IS NOT NULL AND u.totp_secret IS NOT NULL AND u.disabled_at IS NULL));
END
$$;

-- Sessions of the dashboard. The token itself is only in the browser's cookie.
CREATE TABLE sessions (
    id              uuid PRIMARY KEY,
    token_hash      bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
    user_id         uuid NOT NULL REFERENCES users (id),
    -- The organization that the user currently works in.
    organization_id uuid NOT NULL REFERENCES organizations (id),
    -- What opened it. A provider's sees its organization alone, and nothing of the account.
    -- With "provider and code", the user's second factor was given too.
    opened_by       text NOT NULL DEFAULT 'password' CHECK (opened_by IN ('password', 'provider', 'provider and code')),
    address         text NOT NULL,
    user_agent      text NOT NULL,
    created_at      timestamptz NOT NULL DEFAULT now(),
    seen_at         timestamptz NOT NULL DEFAULT now(),
    -- When the user last signed in or gave the password or a code again.
    confirmed_at    timestamptz NOT NULL DEFAULT now(),
    -- Until when the provider that opened it has said that the user signed in there.
    provider_at     timestamptz,
    expires_at      timestamptz NOT NULL
);
CREATE INDEX sessions_user ON sessions (user_id);
CREATE INDEX sessions_expiry ON sessions (expires_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON sessions TO dispo_app;

-- Recent failed sign-ins, by account and by address.
CREATE TABLE sign_in_failures (
    subject    text PRIMARY KEY,
    count      int NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE INDEX sign_in_failures_expiry ON sign_in_failures (expires_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON sign_in_failures TO dispo_app;

-- One-time links to set a password, to sign in although too many others have tried, or to prove
-- whose account somebody at a provider has. The token itself is only in the link.
CREATE TABLE password_links (
    token_hash bytea PRIMARY KEY CHECK (length(token_hash) = 32),
    kind       text NOT NULL CHECK (kind IN ('password', 'unlock', 'provider_link')),
    user_id    uuid NOT NULL REFERENCES users (id),
    -- The hash of whom at which provider it is for, if it links somebody there.
    bound_to   bytea CHECK (length(bound_to) = 32),
    expires_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
GRANT SELECT, INSERT, DELETE ON password_links TO dispo_app;

-- Where somebody asked for such a link by mail. Whether there is such an account is looked
-- up later, so that the answer cannot depend on it.
CREATE TABLE password_requests (
    id         uuid PRIMARY KEY,
    kind       text NOT NULL CHECK (kind IN ('password', 'unlock')),
    email      text NOT NULL,
    -- From where it was asked.
    address    text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX password_requests_created ON password_requests (created_at);
GRANT SELECT, INSERT, DELETE ON password_requests TO dispo_app;

-- One-time links to join an organization.
CREATE TABLE invitations (
    token_hash      bytea PRIMARY KEY CHECK (length(token_hash) = 32),
    -- The link in the mail has a token of its own. Nobody else sees it, so it proves
    -- that the address belongs to whoever opens it.
    mail_token_hash bytea UNIQUE CHECK (length(mail_token_hash) = 32),
    organization_id uuid NOT NULL REFERENCES organizations (id),
    id              uuid NOT NULL UNIQUE,
    email           text NOT NULL CHECK (email = lower(email)),
    role            text NOT NULL CHECK (role IN ('owner', 'admin', 'viewer')),
    invited_by      uuid REFERENCES users (id),
    expires_at      timestamptz NOT NULL,
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    UNIQUE (organization_id, email)
);

-- invitation_find returns the invitation with either token, in any organization. Anyone
-- with the token may see the invitation.
CREATE FUNCTION invitation_find(wanted bytea)
    RETURNS TABLE (id uuid, organization_id uuid, organization_name text, time_zone text, email text, role text, invited_by uuid, expires_at timestamptz, mailed boolean)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT i.id, i.organization_id, o.name, o.time_zone, i.email, i.role, i.invited_by, i.expires_at, i.token_hash <> wanted
    FROM invitations i JOIN organizations o ON o.id = i.organization_id WHERE i.token_hash = wanted OR i.mail_token_hash = wanted
$$;

-- Who did what. Nobody changes or deletes rows: no role has the privilege, and a trigger
-- refuses it to the owner too. Only dispo_keeper may, and nobody works as that role but
-- the functions that erase an organization or a user, or delete what is too old.
CREATE TABLE audit_log (
    organization_id uuid NOT NULL REFERENCES organizations (id),
    id              uuid NOT NULL,
    at              timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- Null for the operator's commands. The user may have been deleted since. Then the
    -- e-mail is "a deleted user".
    user_id         uuid,
    user_email      text NOT NULL,
    action          text NOT NULL,
    -- A description of the object: a key's name and hint, or a member's e-mail.
    subject         text NOT NULL,
    address         text NOT NULL,
    -- The key that an entry is about, for the page of that key.
    key_id          uuid,
    PRIMARY KEY (organization_id, id)
);
-- The log is filtered by key, by person, by action, or by the latter two. Each index has
-- a filter's entries in the order of the log, so a page reads only the entries that it
-- shows. A filter by time needs none: ids begin with the time.
CREATE INDEX audit_log_at ON audit_log (at);
CREATE INDEX audit_log_key ON audit_log (organization_id, key_id, id) WHERE key_id IS NOT NULL;
CREATE INDEX audit_log_person ON audit_log (organization_id, user_email, id);
CREATE INDEX audit_log_action ON audit_log (organization_id, action, id);
CREATE INDEX audit_log_person_action ON audit_log (organization_id, user_email, action, id);
CREATE FUNCTION audit_log_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_user = 'dispo_keeper' AND TG_OP <> 'TRUNCATE' THEN
        RETURN NULL;
    END IF;
    RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'insufficient_privilege';
END
$$;
CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION audit_log_append_only();

-- audit_log_everywhere adds an entry about a user, whom no one organization owns, to
-- the audit log of each of the user's organizations.
CREATE FUNCTION audit_log_everywhere(about uuid, id uuid, user_id uuid, user_email text, action text, subject text, address text) RETURNS void
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    INSERT INTO audit_log (organization_id, id, user_id, user_email, action, subject, address)
    SELECT m.organization_id, $2, $3, $4, $5, $6, $7 FROM memberships m WHERE m.user_id = about ORDER BY m.organization_id
$$;

-- without_email returns a text in which a user's e-mail address is "a deleted user".
CREATE FUNCTION without_email(value text, email text) RETURNS text LANGUAGE sql IMMUTABLE
    RETURN regexp_replace(value, '(?<![[:alnum:]!#$%&''*+/=?^_`{|}~.@-])' || regexp_replace(email, '([^[:alnum:]])', '\\\1', 'g') || '(?![[:alnum:]@-]|\.[[:alnum:]])',
        'a deleted user', 'gi');

CREATE FUNCTION keep_audit_log() RETURNS bigint
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT keep_batch('audit_log', 'at', kept_before('audit_log'))
$$;

-- keep_sessions deletes sessions, links and invitations that ended before the period. A session
-- also ends 24 hours after its last use. Counts of attempts go as soon as they do not count any
-- more, and requests for links when nobody gets one for them any more.
CREATE FUNCTION keep_sessions() RETURNS bigint
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT keep_batch('sessions', 'expires_at', kept_before('sessions')) + keep_batch('sessions', 'seen_at', kept_before('sessions') - interval '24 hours')
        + keep_batch('sign_in_failures', 'expires_at', now()) + keep_batch('password_requests', 'created_at', now() - interval '2 hours')
        + keep_batch('sign_in_states', 'expires_at', now())
        + keep_batch('password_links', 'expires_at', kept_before('sessions'))
        + keep_batch('invitations', 'expires_at', kept_before('sessions'))
$$;
-- +goose StatementEnd
