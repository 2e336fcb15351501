-- +goose Up
-- +goose StatementBegin
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
-- Nobody gets two mails of a kind about one day of an organization, but for what arrived later.
CREATE UNIQUE INDEX mails_once ON mails (organization_id, recipient, kind, (details ->> 'day')) WHERE details ? 'day' AND kind <> 'deliveries_later';

-- When an instance was last ready to send. Mails are only written while there is one, so
-- that nothing piles up where nothing is sent. The operator's commands see it too, which
-- do not know the mail server.
CREATE TABLE mail_senders (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    seen_at  timestamptz NOT NULL
);
GRANT SELECT ON mail_senders TO dispo_app;

-- What was decided about mails that are due at a time: the mails were written in the same
-- transaction, or found not to be needed. So one instance decides, once, and
-- enabling a mail later sends nothing retroactively.
CREATE TABLE delivery_notices (
    organization_id uuid NOT NULL,
    kind            text NOT NULL CHECK (kind IN ('delivery_arrived', 'delivery_late')),
    -- Between these times the arrivals are decided: those of a day until a mail, or those
    -- between two mails. Or the time by which a delivery was expected, twice.
    starts_at       timestamptz NOT NULL,
    ends_at         timestamptz NOT NULL CHECK (ends_at >= starts_at),
    PRIMARY KEY (organization_id, kind, starts_at)
);

-- deliveries_undecided returns the organizations with deliveries that arrived between three
-- days and an hour before a time, and about which nothing is decided, and when the first of
-- these did. It reads across organizations on purpose.
CREATE FUNCTION deliveries_undecided(at timestamptz) RETURNS TABLE (organization_id uuid, time_zone text, first_at timestamptz)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT o.id, o.time_zone, min(f.created_at) FROM organizations o JOIN delivery_files f ON f.organization_id = o.id
    WHERE o.suspended_at IS NULL AND NOT o.sandbox AND f.created_at > at - interval '72 hours' AND f.created_at <= at - interval '1 hour'
        AND NOT EXISTS (SELECT FROM delivery_notices n WHERE n.organization_id = o.id AND n.kind = 'delivery_arrived'
            AND f.created_at >= n.starts_at AND f.created_at < n.ends_at)
    GROUP BY o.id ORDER BY o.id
$$;

-- deliveries_expected returns the organizations that expect deliveries, and the last time
-- about which it is decided whether one is late. It reads across organizations on purpose.
CREATE FUNCTION deliveries_expected()
    RETURNS TABLE (organization_id uuid, time_zone text, expected_by text, expected_since timestamptz, decided timestamptz)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT o.id, o.time_zone, o.expected_by, o.expected_since,
        (SELECT max(n.starts_at) FROM delivery_notices n WHERE n.organization_id = o.id AND n.kind = 'delivery_late')
    FROM organizations o WHERE o.expected_by <> '' AND o.suspended_at IS NULL AND NOT o.sandbox ORDER BY o.id
$$;

-- mail_claim returns a mail of any organization that is due, and locks it until the
-- transaction ends. Mails that somebody waits for come first. Those of an organization that
-- is gone are left out before one is chosen, so that they hold up no others. It also returns the language
-- of the mail's reader, and whether the reader is a member of the organization. Somebody
-- without an account gets mail in the inviter's language, and the notification address in
-- that of the organization's first owner. It crosses organizations on purpose.
CREATE FUNCTION mail_claim()
    RETURNS TABLE (organization_id uuid, id uuid, kind text, recipient text, details jsonb, created_at timestamptz, attempts int,
        organization_name text, time_zone text, language text, member boolean)
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    WITH due AS (
        SELECT * FROM mails d WHERE sent_at IS NULL AND given_up_at IS NULL AND next_attempt_at <= now()
            AND EXISTS (SELECT FROM organizations o WHERE o.id = d.organization_id)
        ORDER BY kind IN ('password', 'unlock', 'provider_link', 'invitation', 'sign_in') DESC, next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED
    )
    SELECT m.organization_id, m.id, m.kind, m.recipient, m.details, m.created_at, m.attempts,
        o.name || CASE WHEN o.sandbox THEN ' (sandbox)' ELSE '' END, o.time_zone, coalesce(nullif(u.language, ''), u.browser_language, ''),
        m.user_id IS NULL OR u.disabled_at IS NULL AND EXISTS (SELECT FROM memberships s WHERE s.organization_id = m.organization_id AND s.user_id = m.user_id)
    FROM due m JOIN organizations o ON o.id = m.organization_id LEFT JOIN users u ON u.id = coalesce(m.user_id,
        (SELECT id FROM users WHERE email = m.recipient), (SELECT id FROM users WHERE email = m.details ->> 'inviter'),
        (SELECT s.user_id FROM memberships s WHERE s.organization_id = m.organization_id AND s.role = 'owner' ORDER BY s.created_at, s.user_id LIMIT 1))
$$;

-- mail_account writes a mail about a user's account, which no one organization owns. The
-- user's first organization keeps it.
CREATE FUNCTION mail_account(about uuid, id uuid, kind text, details jsonb) RETURNS void
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    INSERT INTO mails (organization_id, id, kind, recipient, user_id, details)
    SELECT m.organization_id, $2, $3, u.email, u.id, $4 FROM users u JOIN memberships m ON m.user_id = u.id
    WHERE u.id = about ORDER BY m.created_at, m.organization_id LIMIT 1
$$;

-- mail_settle notes how an attempt to send a claimed mail ended: sent, later or never.
CREATE FUNCTION mail_settle(organization uuid, mail uuid, outcome text, server_answer text, pause interval) RETURNS void
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    UPDATE mails SET attempts = attempts + 1, answer = server_answer, next_attempt_at = clock_timestamp() + pause,
        sent_at = CASE WHEN outcome = 'sent' THEN clock_timestamp() END, given_up_at = CASE WHEN outcome = 'never' THEN clock_timestamp() END
    WHERE organization_id = organization AND id = mail
$$;

-- mail_tend notes that an instance is ready to send, deletes the unsent mails of organizations
-- that are gone, which a transaction that outlasts the deletion can leave, and counts the mails
-- that wait and those of the last 30 days that were given up.
CREATE FUNCTION mail_tend() RETURNS TABLE (waiting bigint, given_up bigint)
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    INSERT INTO mail_senders (seen_at) VALUES (now()) ON CONFLICT (only_row) DO UPDATE SET seen_at = excluded.seen_at;
    DELETE FROM mails WHERE (organization_id, id) IN (SELECT m.organization_id, m.id FROM mails m
        WHERE m.sent_at IS NULL AND NOT EXISTS (SELECT FROM organizations o WHERE o.id = m.organization_id) FOR UPDATE SKIP LOCKED);
    SELECT count(*) FILTER (WHERE given_up_at IS NULL), count(*) FILTER (WHERE given_up_at IS NOT NULL AND created_at > now() - interval '30 days') FROM mails WHERE sent_at IS NULL
$$;

-- keep_mails also deletes what was decided about mails.
CREATE FUNCTION keep_mails() RETURNS bigint
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT keep_batch('mails', 'created_at', kept_before('mails')) + keep_batch('delivery_notices', 'ends_at', kept_before('mails'))
$$;
-- +goose StatementEnd
