-- +goose Up
-- Mails wait here until they are sent. A row is written in the transaction of what it
-- reports. It says what to report to whom, and its text is made when it is sent. It has
-- no secrets: the token of a link is made from the row's id and the server's secret.
CREATE TABLE mails (
    -- There is no foreign key, because Citus allows none to organizations.
    organization_id uuid NOT NULL,
    -- It is part of the Message-ID, so it stays the same when a mail is sent again.
    id              uuid NOT NULL,
    kind            text NOT NULL CHECK (kind <> ''),
    recipient       text NOT NULL CHECK (recipient LIKE '%_@_%'),
    -- Null if the recipient has no account, or is the organization's notification address.
    user_id         uuid,
    -- What the text names, such as a key.
    details         jsonb NOT NULL,
    created_at      timestamptz NOT NULL DEFAULT now(),
    attempts        int NOT NULL DEFAULT 0,
    next_attempt_at timestamptz NOT NULL DEFAULT now(),
    -- What the mail server answered last.
    answer          text NOT NULL DEFAULT '',
    sent_at         timestamptz,
    given_up_at     timestamptz,
    PRIMARY KEY (organization_id, id),
    CHECK (num_nonnulls(sent_at, given_up_at) <= 1)
);
CREATE INDEX mails_due ON mails (next_attempt_at) WHERE sent_at IS NULL AND given_up_at IS NULL;
CREATE INDEX mails_unsent ON mails (created_at) WHERE sent_at IS NULL;
CREATE INDEX mails_created ON mails (created_at);
ALTER TABLE mails ENABLE ROW LEVEL SECURITY;
ALTER TABLE mails FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON mails TO dispo_app USING (organization_id = current_organization());
CREATE POLICY operator ON mails TO dispo_operator USING (true);
GRANT INSERT ON mails TO dispo_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON mails TO dispo_operator;

-- When an instance was last ready to send. Mails are only written while there is one, so
-- that nothing piles up where nothing is sent. The operator's commands see it too, which
-- do not know the mail server.
CREATE TABLE mail_senders (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    seen_at  timestamptz NOT NULL
);
GRANT SELECT ON mail_senders TO dispo_app;
GRANT SELECT, INSERT, UPDATE ON mail_senders TO dispo_operator;

-- Where somebody asked for a link to set a new password. Whether there is such an
-- account is looked up later, so that the answer cannot depend on it.
CREATE TABLE password_requests (
    id         uuid PRIMARY KEY,
    email      text NOT NULL,
    -- From where it was asked.
    address    text NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX password_requests_created ON password_requests (created_at);
GRANT SELECT, INSERT, DELETE ON password_requests TO dispo_app;
GRANT SELECT ON password_requests TO dispo_operator;

-- Gets the mails that owners and admins get. Empty for none.
ALTER TABLE organizations ADD COLUMN notification_address text NOT NULL DEFAULT '' CHECK (length(notification_address) <= 254);
GRANT UPDATE (notification_address) ON organizations TO dispo_app;

-- The topics of which the user does not want mails. Others cannot be switched off.
ALTER TABLE users ADD COLUMN unwanted_mail text[] NOT NULL DEFAULT '{}';

-- The last notice that the key expires: 30, 7 or 1 days before. Null if none was given.
ALTER TABLE api_keys ADD COLUMN expiry_notice_days int CHECK (expiry_notice_days IN (30, 7, 1));
CREATE INDEX api_keys_expiring ON api_keys (expires_at) WHERE revoked_at IS NULL AND expires_at IS NOT NULL;

-- The link in the mail of an invitation has a token of its own. Nobody else sees it, so
-- it proves that the address belongs to whoever opens it.
ALTER TABLE invitations ADD COLUMN mail_token_hash bytea UNIQUE CHECK (length(mail_token_hash) = 32);

-- invitation_find is invitation_lookup for both tokens. Whoever has one may see the
-- invitation. invitation_lookup stays for instances that still run the previous version.
CREATE FUNCTION invitation_find(wanted bytea)
    RETURNS TABLE (id uuid, organization_id uuid, organization_name text, email text, role text, invited_by uuid, expires_at timestamptz, mailed boolean)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
    AS 'SELECT i.id, i.organization_id, o.name, i.email, i.role, i.invited_by, i.expires_at, i.token_hash <> wanted
        FROM invitations i JOIN organizations o ON o.id = i.organization_id WHERE i.token_hash = wanted OR i.mail_token_hash = wanted';

-- api_keys_expiring returns the keys of which a notice is due, and for how many days
-- before the end. It reads across organizations on purpose.
CREATE FUNCTION api_keys_expiring() RETURNS TABLE (id uuid, organization_id uuid, days int)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
    AS 'SELECT k.id, k.organization_id, n.days FROM api_keys k JOIN organizations o ON o.id = k.organization_id
        CROSS JOIN LATERAL (SELECT min(d) AS days FROM unnest(ARRAY[30, 7, 1]) d WHERE k.expires_at <= now() + d * interval ''24 hours'') n
        WHERE k.revoked_at IS NULL AND k.paused_at IS NULL AND k.expires_at > now() AND k.expires_at <= now() + interval ''720 hours''
            AND o.suspended_at IS NULL AND (k.expiry_notice_days IS NULL OR k.expiry_notice_days > n.days)
            AND k.created_at <= k.expires_at - n.days * interval ''24 hours''
        ORDER BY k.expires_at, k.id LIMIT 100';

-- mail_claim returns a mail of any organization that is due, and locks it until the
-- transaction ends. Mails that somebody waits for come first. It crosses organizations on purpose.
CREATE FUNCTION mail_claim()
    RETURNS TABLE (organization_id uuid, id uuid, kind text, recipient text, details jsonb, created_at timestamptz, attempts int,
        organization_name text, time_zone text)
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp
    AS 'SELECT m.organization_id, m.id, m.kind, m.recipient, m.details, m.created_at, m.attempts, o.name, o.time_zone
        FROM mails m JOIN organizations o ON o.id = m.organization_id
        WHERE m.sent_at IS NULL AND m.given_up_at IS NULL AND m.next_attempt_at <= now()
        ORDER BY m.kind IN (''password'', ''invitation'', ''sign_in'') DESC, m.next_attempt_at LIMIT 1 FOR UPDATE OF m SKIP LOCKED';

-- mail_settle notes how an attempt to send a claimed mail ended: sent, later or never.
CREATE FUNCTION mail_settle(organization uuid, mail uuid, outcome text, server_answer text, pause interval) RETURNS void
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp
    AS 'UPDATE mails SET attempts = attempts + 1, answer = server_answer, next_attempt_at = clock_timestamp() + pause,
            sent_at = CASE WHEN outcome = ''sent'' THEN clock_timestamp() END, given_up_at = CASE WHEN outcome = ''never'' THEN clock_timestamp() END
        WHERE organization_id = organization AND id = mail';

-- +goose StatementBegin
-- mail_tend notes that an instance is ready to send, deletes what is older than 30 days,
-- and counts the mails that wait and those that were given up.
CREATE FUNCTION mail_tend() RETURNS TABLE (waiting bigint, given_up bigint)
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp
    AS 'INSERT INTO mail_senders (seen_at) VALUES (now()) ON CONFLICT (only_row) DO UPDATE SET seen_at = excluded.seen_at;
        DELETE FROM mails WHERE created_at < now() - interval ''30 days'';
        SELECT count(*) FILTER (WHERE sent_at IS NULL AND given_up_at IS NULL), count(*) FILTER (WHERE given_up_at IS NOT NULL) FROM mails WHERE sent_at IS NULL';
-- +goose StatementEnd

REVOKE ALL ON FUNCTION invitation_find(bytea) FROM PUBLIC;
REVOKE ALL ON FUNCTION api_keys_expiring() FROM PUBLIC;
REVOKE ALL ON FUNCTION mail_claim() FROM PUBLIC;
REVOKE ALL ON FUNCTION mail_settle(uuid, uuid, text, text, interval) FROM PUBLIC;
REVOKE ALL ON FUNCTION mail_tend() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION invitation_find(bytea) TO dispo_app;
GRANT EXECUTE ON FUNCTION api_keys_expiring() TO dispo_app;
GRANT EXECUTE ON FUNCTION mail_claim() TO dispo_app;
GRANT EXECUTE ON FUNCTION mail_settle(uuid, uuid, text, text, interval) TO dispo_app;
GRANT EXECUTE ON FUNCTION mail_tend() TO dispo_app;
GRANT CREATE ON SCHEMA public TO dispo_operator;
ALTER FUNCTION invitation_find(bytea) OWNER TO dispo_operator;
ALTER FUNCTION api_keys_expiring() OWNER TO dispo_operator;
ALTER FUNCTION mail_claim() OWNER TO dispo_operator;
ALTER FUNCTION mail_settle(uuid, uuid, text, text, interval) OWNER TO dispo_operator;
ALTER FUNCTION mail_tend() OWNER TO dispo_operator;
REVOKE CREATE ON SCHEMA public FROM dispo_operator;
