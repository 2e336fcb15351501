-- +goose Up
-- +goose StatementBegin
CREATE TABLE api_keys (
    id                      uuid PRIMARY KEY,
    organization_id         uuid NOT NULL,
    -- The text of a sandbox's key begins with dispo_test_, so a key belongs to one kind
    -- of organization for good.
    sandbox                 boolean NOT NULL DEFAULT false,
    -- The public part of the key, used to look it up.
    lookup_id               text NOT NULL UNIQUE CHECK (lookup_id ~ '^[0-9A-Za-z]{12}$'),
    -- The key's bcrypt hash. The key itself is not stored.
    secret_hash             text NOT NULL CHECK (secret_hash LIKE '$2_$%'),
    -- Four bytes that identify the server's secret, then the HMAC-SHA-256 of the
    -- key under that secret. Null until the service has verified the key.
    fingerprint             bytea CHECK (length(fingerprint) = 36),
    -- The key's last four characters, so that people can tell keys apart.
    hint                    text NOT NULL,
    name                    text NOT NULL CHECK (name <> ''),
    -- What people want to remember about the key.
    note                    text NOT NULL DEFAULT '' CHECK (length(note) <= 500),
    -- Null if the operator's command created the key. The user may have been deleted since.
    created_by              uuid,
    -- The key that this one replaces.
    successor_of            uuid,
    expires_at              timestamptz,
    -- The last notice that the key expires: 30, 7 or 1 days before its last day. Null if none was given.
    expiry_notice_days      int CHECK (expiry_notice_days IN (30, 7, 1)),
    -- A paused key is refused until it is resumed.
    paused_at               timestamptz,
    -- When the backup was made by whose restore the key was paused. Null if somebody paused
    -- it, or once it is resumed. Until then the days without use do not count.
    restored_from           timestamptz,
    revoked_at              timestamptz,
    -- The key is revoked by itself: at revoke_at, or after so many days without use.
    revoke_at               timestamptz,
    revoke_after_idle_days int CHECK (revoke_after_idle_days BETWEEN 1 AND 365),
    revoke_scheduled_at     timestamptz,
    last_used_at            timestamptz,
    last_used_address       text,
    last_used_user_agent    text,
    -- When the test command of a page last worked with the key. That does not count as use.
    tested_at               timestamptz,
    -- The networks that the key may be used from, with commas between them. Empty for anywhere.
    networks                text NOT NULL DEFAULT '' CHECK (networks = '' OR cardinality(string_to_array(networks, ',')::cidr[]) <= 50),
    -- The latest request from elsewhere, and when the mail about such requests was written.
    elsewhere_at            timestamptz,
    elsewhere_address       text,
    elsewhere_mailed_at     timestamptz,
    -- When the key was first reported as leaked, and when the last mail about that was written.
    leaked_at               timestamptz,
    leak_mailed_at          timestamptz,
    created_at              timestamptz NOT NULL DEFAULT clock_timestamp(),
    UNIQUE (organization_id, id),
    FOREIGN KEY (organization_id, sandbox) REFERENCES organizations (id, sandbox),
    FOREIGN KEY (organization_id, successor_of) REFERENCES api_keys (organization_id, id) ON DELETE SET NULL (successor_of),
    CHECK (num_nonnulls(revoke_at, revoke_after_idle_days) = num_nonnulls(revoke_scheduled_at))
);
CREATE INDEX api_keys_successor_of ON api_keys (successor_of) WHERE successor_of IS NOT NULL;
CREATE INDEX api_keys_scheduled ON api_keys (id) WHERE revoked_at IS NULL AND revoke_scheduled_at IS NOT NULL;
CREATE INDEX api_keys_leaked ON api_keys (id) WHERE leaked_at IS NOT NULL AND revoked_at IS NULL;
CREATE INDEX api_keys_elsewhere ON api_keys (id) WHERE elsewhere_at IS NOT NULL;
CREATE INDEX api_keys_expiring ON api_keys (expires_at) WHERE revoked_at IS NULL AND expires_at IS NOT NULL;

-- The change feed notifies every instance at once of the keys that changed, so that it
-- drops what it has cached of them. A key's callers are told of its successor, so a
-- change of that concerns the key too.
CREATE FUNCTION api_key_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('dispo', 'key ' || id) FROM unnest(ARRAY[coalesce(NEW.id, OLD.id), coalesce(NEW.successor_of, OLD.successor_of)]) id WHERE id IS NOT NULL;
    RETURN NULL;
END
$$;
CREATE TRIGGER changed AFTER INSERT OR DELETE OR UPDATE OF revoked_at, paused_at, expires_at, networks, secret_hash, organization_id ON api_keys
    FOR EACH ROW EXECUTE FUNCTION api_key_changed();

-- The outbox of what was deleted or revoked. A line waits here until it is in the file of
-- DISPO_ERASURES, from which the restore of an older backup takes it away again. Lines have ids
-- alone, and belong to no organization.
CREATE TABLE erasures (
    number     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at         timestamptz NOT NULL DEFAULT clock_timestamp(),
    kind       text NOT NULL CHECK (kind IN ('organization', 'user', 'key')),
    id         uuid NOT NULL,
    -- The deletion failed that a line before this one names.
    taken_back boolean NOT NULL DEFAULT false
);

-- The files of DISPO_ERASURES that are kept, each as a machine and a path. Whoever keeps one
-- says so every minute. After ten minutes without that it is forgotten.
CREATE TABLE erasure_files (
    file    text PRIMARY KEY,
    since   timestamptz NOT NULL DEFAULT now(),
    seen_at timestamptz NOT NULL DEFAULT now()
);

-- api_key_revoked adds the line of a key in the transaction that revokes it, whoever that is.
CREATE FUNCTION api_key_revoked() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    INSERT INTO erasures (kind, id) VALUES ('key', NEW.id);
    RETURN NULL;
END
$$;
CREATE TRIGGER revoked AFTER UPDATE OF revoked_at ON api_keys
    FOR EACH ROW WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL) EXECUTE FUNCTION api_key_revoked();

-- erasures_take hands out the lines that wait, and nobody else gets them meanwhile. They are
-- gone once the transaction commits, which it does when they are in the file.
CREATE FUNCTION erasures_take() RETURNS TABLE (at timestamptz, kind text, id uuid, taken_back boolean)
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    WITH free AS MATERIALIZED (
        SELECT number FROM erasures FOR UPDATE SKIP LOCKED
    ), taken AS (
        DELETE FROM erasures e USING free WHERE e.number = free.number RETURNING e.*
    )
    SELECT t.at, t.kind, t.id, t.taken_back FROM taken t ORDER BY t.number
$$;

-- erasures_keep notes that a file is kept.
CREATE FUNCTION erasures_keep(kept text) RETURNS void
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    DELETE FROM erasure_files WHERE seen_at <= now() - interval '10 minutes';
    INSERT INTO erasure_files (file) VALUES (kept) ON CONFLICT (file) DO UPDATE SET seen_at = excluded.seen_at
$$;

-- erasures_waiting counts the lines that have waited for over a minute, and names the files
-- that are kept and since when. It is empty if none is.
CREATE FUNCTION erasures_waiting() RETURNS TABLE (lines bigint, since timestamptz, files text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT count(*), min(at), coalesce((SELECT string_agg(format('%s since %s', f.file, to_char(f.since AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI"Z"')), ', ' ORDER BY f.file)
        FROM erasure_files f WHERE f.seen_at > now() - interval '10 minutes'), '')
    FROM erasures WHERE at < now() - interval '1 minute'
$$;

-- api_key_find returns the key with a lookup id, if its text begins as the keys of its
-- organization do: a sandbox's or a real one's. It also returns whether the key has a
-- successor that would be accepted now, and the organization's own limits. It reads across organizations on purpose, because a
-- key's organization is not known until the key is found.
CREATE FUNCTION api_key_find(wanted text, wanted_sandbox boolean)
    RETURNS TABLE (id uuid, organization_id uuid, secret_hash text, fingerprint bytea,
        expires_at timestamptz, revoked_at timestamptz, paused_at timestamptz, suspended boolean, networks text, replaced boolean, limit_minute bigint, limit_hour bigint)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp ROWS 1 AS $$
    SELECT k.id, k.organization_id, k.secret_hash, k.fingerprint, k.expires_at, k.revoked_at, k.paused_at, o.suspended_at IS NOT NULL, k.networks,
        EXISTS (SELECT FROM api_keys s WHERE s.successor_of = k.id AND s.revoked_at IS NULL AND s.paused_at IS NULL AND (s.expires_at IS NULL OR s.expires_at > now())), o.limit_minute, o.limit_hour
    FROM api_keys k JOIN organizations o ON o.id = k.organization_id AND o.sandbox = k.sandbox
    WHERE k.lookup_id = wanted AND k.sandbox = wanted_sandbox
$$;

-- api_keys_find returns the keys with these lookup ids that are not revoked. It reads across
-- organizations on purpose, because somebody has found them.
CREATE FUNCTION api_keys_find(wanted text[])
    RETURNS TABLE (id uuid, organization_id uuid, lookup_id text, sandbox boolean, secret_hash text, fingerprint bytea)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT k.id, k.organization_id, k.lookup_id, k.sandbox, k.secret_hash, k.fingerprint
    FROM api_keys k WHERE k.lookup_id = ANY (wanted) AND k.revoked_at IS NULL
$$;

-- api_key_revokes_at returns when a scheduled key is revoked, if it is not used again.
CREATE FUNCTION api_key_revokes_at(key api_keys) RETURNS timestamptz
    LANGUAGE sql STABLE AS $$
    SELECT coalesce(key.revoke_at, CASE WHEN key.restored_from IS NULL THEN greatest(key.revoke_scheduled_at, key.last_used_at) ELSE now() END
        + key.revoke_after_idle_days * interval '24 hours')
$$;

-- api_keys_due returns the keys whose scheduled time came before the given time. It
-- reads across organizations on purpose.
CREATE FUNCTION api_keys_due(before timestamptz) RETURNS TABLE (id uuid, organization_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT k.id, k.organization_id FROM api_keys k
    WHERE k.revoked_at IS NULL AND k.revoke_scheduled_at IS NOT NULL AND api_key_revokes_at(k) <= before ORDER BY k.id
$$;

-- api_keys_expiring returns the keys of which a notice is due: for how many days, and how many
-- are left. They are days of the calendar where the organization is. A key gets no notice of as
-- many days as it was made for, and none before 7 in the morning. It reads across organizations
-- on purpose.
CREATE FUNCTION api_keys_expiring() RETURNS TABLE (id uuid, organization_id uuid, days int, days_left int)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT k.id, k.organization_id, n.days, d.days_left
    FROM api_keys k JOIN organizations o ON o.id = k.organization_id
    CROSS JOIN LATERAL (SELECT now() AT TIME ZONE z AS now, ((k.expires_at - interval '1 microsecond') AT TIME ZONE z)::date AS last_day,
        (k.created_at AT TIME ZONE z)::date AS created FROM known_zone(o.time_zone) z) t
    CROSS JOIN LATERAL (SELECT t.last_day - t.now::date AS days_left, t.last_day - t.created AS days) d
    CROSS JOIN LATERAL (SELECT min(notice) AS days FROM unnest(ARRAY[30, 7, 1]) notice WHERE d.days_left <= notice) n
    WHERE k.revoked_at IS NULL AND k.paused_at IS NULL AND k.expires_at > now() AND k.expires_at <= now() + interval '32 days'
        AND o.suspended_at IS NULL AND (k.expiry_notice_days IS NULL OR k.expiry_notice_days > n.days)
        AND d.days > n.days AND t.now::time >= '07:00'
    ORDER BY k.expires_at, k.id
$$;

-- api_keys_elsewhere returns the keys of which a mail is due, because they were used from an
-- address that they are not allowed from: a day after the last such mail. It reads across
-- organizations on purpose.
CREATE FUNCTION api_keys_elsewhere() RETURNS TABLE (id uuid, organization_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT k.id, k.organization_id FROM api_keys k
    WHERE k.elsewhere_at IS NOT NULL AND (k.elsewhere_mailed_at IS NULL OR k.elsewhere_at >= k.elsewhere_mailed_at + interval '24 hours') ORDER BY k.id
$$;

-- api_keys_leaked returns the leaked keys that still work and of which a mail is due, a day after
-- the last one. It reads across organizations on purpose.
CREATE FUNCTION api_keys_leaked() RETURNS TABLE (id uuid, organization_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT k.id, k.organization_id FROM api_keys k JOIN organizations o ON o.id = k.organization_id
    WHERE k.leaked_at IS NOT NULL AND k.revoked_at IS NULL AND k.paused_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
        AND o.suspended_at IS NULL AND k.leak_mailed_at <= now() - interval '24 hours' ORDER BY k.id
$$;

-- The service counts requests of many organizations in memory, and stores them in
-- batches with the functions below, which get rows of the tables as JSON. Those that add
-- rows skip keys that have been deleted meanwhile, so that the rest of the batch is stored.

-- api_keys_used stores the last uses and tests of keys, and their last requests from elsewhere. One that is older than the stored
-- one, which may come from another instance, is ignored. It locks in order of id, so that
-- instances that write at once cannot deadlock.
CREATE FUNCTION api_keys_used(used jsonb) RETURNS void
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT FROM api_keys WHERE id IN (SELECT id FROM jsonb_populate_recordset(NULL::api_keys, used)) ORDER BY id FOR NO KEY UPDATE;
    UPDATE api_keys k
    SET last_used_at = u.last_used_at, last_used_address = u.last_used_address, last_used_user_agent = u.last_used_user_agent
    FROM jsonb_populate_recordset(NULL::api_keys, used) u WHERE k.id = u.id AND u.last_used_at > coalesce(k.last_used_at, '-infinity');
    UPDATE api_keys k SET tested_at = u.tested_at
    FROM jsonb_populate_recordset(NULL::api_keys, used) u WHERE k.id = u.id AND u.tested_at > coalesce(k.tested_at, '-infinity');
    UPDATE api_keys k SET elsewhere_at = u.elsewhere_at, elsewhere_address = u.elsewhere_address
    FROM jsonb_populate_recordset(NULL::api_keys, used) u WHERE k.id = u.id AND u.elsewhere_at > coalesce(k.elsewhere_at, '-infinity')
$$;

-- Requests per key and hour. refused counts those answered 401, because the key is
-- revoked or expired, or 429.
CREATE TABLE key_usage (
    organization_id uuid NOT NULL REFERENCES organizations (id),
    hour            timestamptz NOT NULL,
    key_id          uuid NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
    requests        bigint NOT NULL,
    refused         bigint NOT NULL,
    -- The row stands for the day that begins at hour in the organization's time zone.
    by_day          boolean NOT NULL DEFAULT false,
    PRIMARY KEY (organization_id, hour, key_id)
);
-- A key's own hours, over 90 days, show how long it is idle between its requests.
CREATE INDEX key_usage_key ON key_usage (organization_id, key_id, hour);

CREATE INDEX key_usage_age ON key_usage (by_day, hour);

CREATE FUNCTION key_usage_add(added jsonb) RETURNS void
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    INSERT INTO key_usage (organization_id, hour, key_id, requests, refused)
    SELECT k.organization_id, u.hour, k.id, u.requests, u.refused
    FROM jsonb_populate_recordset(NULL::key_usage, added) u JOIN api_keys k ON k.id = u.key_id AND k.organization_id = u.organization_id
    ORDER BY k.organization_id, u.hour, k.id
    ON CONFLICT (organization_id, hour, key_id) DO UPDATE
    SET requests = key_usage.requests + excluded.requests, refused = key_usage.refused + excluded.refused
$$;

-- keep_usage_hours adds up hours from before the period to days. Pages read 90 days of hours.
-- A day's first hour may be one of those, or the row of its day already.
CREATE FUNCTION keep_usage_hours() RETURNS bigint
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    before timestamptz := kept_before('usage_hours');
    folded bigint;
BEGIN
    WITH gone AS (
        DELETE FROM key_usage WHERE ctid = ANY (ARRAY(SELECT ctid FROM key_usage WHERE NOT by_day AND hour < before ORDER BY hour LIMIT 1000)) RETURNING *
    ), days AS (
        INSERT INTO key_usage AS d (organization_id, hour, key_id, requests, refused, by_day)
        SELECT g.organization_id, date_trunc('day', g.hour, known_zone(o.time_zone)), g.key_id, sum(g.requests), sum(g.refused), true
        FROM gone g JOIN organizations o ON o.id = g.organization_id GROUP BY 1, 2, 3
        ON CONFLICT (organization_id, hour, key_id) DO UPDATE
        SET requests = d.requests + excluded.requests, refused = d.refused + excluded.refused, by_day = true
    )
    SELECT count(*) FROM gone INTO folded;
    RETURN folded;
END
$$;

CREATE FUNCTION keep_usage() RETURNS bigint
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    before  timestamptz := kept_before('usage');
    deleted bigint;
BEGIN
    DELETE FROM key_usage WHERE ctid = ANY (ARRAY(SELECT ctid FROM key_usage WHERE by_day AND hour < before LIMIT 1000) || ARRAY(SELECT ctid FROM key_usage WHERE NOT by_day AND hour < before LIMIT 1000));
    GET DIAGNOSTICS deleted = ROW_COUNT;
    RETURN deleted;
END
$$;

-- The latest refused requests, which show people why a client fails.
CREATE TABLE refused_requests (
    organization_id uuid NOT NULL REFERENCES organizations (id),
    id              uuid NOT NULL,
    at              timestamptz NOT NULL,
    key_id          uuid NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
    status          int NOT NULL,
    -- Why it was answered 401: revoked, expired, paused, suspended or elsewhere. Empty with 429.
    reason          text NOT NULL,
    method          text NOT NULL,
    path            text NOT NULL,
    address         text NOT NULL,
    user_agent      text NOT NULL,
    PRIMARY KEY (organization_id, id)
);

-- refused_requests_add keeps as many of each organization's as a page shows, and some
-- more. Two instances that do this at once leave each other alone.
CREATE FUNCTION refused_requests_add(added jsonb) RETURNS void
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    INSERT INTO refused_requests (organization_id, id, at, key_id, status, reason, method, path, address, user_agent)
    SELECT u.organization_id, u.id, u.at, u.key_id, u.status, u.reason, u.method, u.path, u.address, u.user_agent
    FROM jsonb_populate_recordset(NULL::refused_requests, added) u JOIN api_keys k ON k.id = u.key_id AND k.organization_id = u.organization_id;
    DELETE FROM refused_requests r WHERE (r.organization_id, r.id) IN (
        SELECT d.organization_id, d.id
        FROM (SELECT DISTINCT organization_id FROM jsonb_populate_recordset(NULL::refused_requests, added)) o
        CROSS JOIN LATERAL (SELECT k.id FROM refused_requests k WHERE k.organization_id = o.organization_id ORDER BY k.id DESC OFFSET 99 LIMIT 1) oldest
        JOIN refused_requests d ON d.organization_id = o.organization_id AND d.id < oldest.id
        FOR UPDATE OF d SKIP LOCKED)
$$;

-- Who uses each key, so that people can see who has not got the new one yet. A caller
-- is a client's name, without its version, at an address. The caller with the address
-- '' stands for all those for which there was no room.
CREATE TABLE key_callers (
    organization_id uuid NOT NULL REFERENCES organizations (id),
    key_id          uuid NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
    address         text NOT NULL,
    client          text NOT NULL,
    -- The latest user agent, with its version.
    user_agent      text NOT NULL,
    first_seen      timestamptz NOT NULL,
    last_seen       timestamptz NOT NULL,
    -- The latest request whose key was accepted, and the latest one answered 401,
    -- because the key is revoked, expired, paused, or not allowed from the address.
    last_used       timestamptz,
    last_refused    timestamptz,
    -- requests includes refused, the number of requests answered 401.
    requests        bigint NOT NULL,
    refused         bigint NOT NULL,
    -- Set if somebody said that this caller need not move to the key's successor.
    dismissed_at    timestamptz,
    -- The data that was sent.
    row_count       bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (organization_id, key_id, address, client)
);
CREATE INDEX key_callers_last_seen ON key_callers (last_seen);

-- key_callers_add keeps 100 callers of each key. Rows of one caller, with different
-- versions of its client, are added up.
CREATE FUNCTION key_callers_add(added jsonb) RETURNS void
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    INSERT INTO key_callers AS c (organization_id, key_id, address, client, user_agent, first_seen, last_seen, last_used, last_refused, requests, refused, row_count)
    SELECT organization_id, key_id, CASE WHEN room THEN address ELSE '' END, CASE WHEN room THEN client ELSE '' END, (array_agg(user_agent ORDER BY last_seen DESC))[1],
        min(first_seen), max(last_seen), max(last_used), max(last_refused), sum(requests), sum(refused), sum(coalesce(row_count, 0))
    FROM (
        SELECT u.*, e.key_id IS NOT NULL OR dense_rank() OVER (PARTITION BY u.key_id, e.key_id ORDER BY u.address DESC, u.client) + (SELECT count(*) FROM key_callers s
            WHERE s.organization_id = u.organization_id AND s.key_id = u.key_id AND s.address <> '') <= 100 AS room
        FROM jsonb_populate_recordset(NULL::key_callers, added) u JOIN api_keys k ON k.id = u.key_id AND k.organization_id = u.organization_id
        LEFT JOIN key_callers e ON e.organization_id = u.organization_id AND e.key_id = u.key_id AND e.address = u.address AND e.client = u.client
    ) n
    GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (organization_id, key_id, address, client) DO UPDATE
    SET user_agent = CASE WHEN excluded.last_seen >= c.last_seen THEN excluded.user_agent ELSE c.user_agent END,
        first_seen = least(c.first_seen, excluded.first_seen), last_seen = greatest(c.last_seen, excluded.last_seen),
        last_used = greatest(c.last_used, excluded.last_used), last_refused = greatest(c.last_refused, excluded.last_refused),
        requests = c.requests + excluded.requests, refused = c.refused + excluded.refused, row_count = c.row_count + excluded.row_count
$$;

-- keep_callers also deletes refused requests. The pages compare 30 days of callers.
CREATE FUNCTION keep_callers() RETURNS bigint
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT keep_batch('key_callers', 'last_seen', kept_before('callers')) + keep_batch('refused_requests', 'at', kept_before('callers'))
$$;

-- The newest requests that were let in, which show people what somebody has read with a key.
-- A caller is one of key_callers, and '' if that has no row for it.
CREATE TABLE served_requests (
    organization_id uuid NOT NULL REFERENCES organizations (id),
    key_id          uuid NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
    id              uuid NOT NULL, -- in order of time
    at              timestamptz NOT NULL,
    address         text NOT NULL,
    client          text NOT NULL,
    user_agent      text NOT NULL, -- with its versions; empty for a caller that is not listed
    -- The path, with the parameters after, limit and dispositionDate alone.
    path            text NOT NULL,
    status          int NOT NULL,
    row_count       bigint NOT NULL,
    bulk            boolean NOT NULL DEFAULT false,
    PRIMARY KEY (organization_id, key_id, id)
);
CREATE INDEX served_requests_caller ON served_requests (organization_id, key_id, address, client, id);
CREATE INDEX served_requests_at ON served_requests (at);

-- served_requests_add keeps 200 of each caller. Two instances that do this at once leave each
-- other alone.
CREATE FUNCTION served_requests_add(added jsonb) RETURNS void
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    INSERT INTO served_requests (organization_id, key_id, id, at, address, client, user_agent, path, status, row_count, bulk)
    SELECT k.organization_id, k.id, u.id, u.at, coalesce(c.address, ''), coalesce(c.client, ''), CASE WHEN c.address <> '' THEN u.user_agent ELSE '' END, u.path, u.status, u.row_count, coalesce(u.bulk, false)
    FROM jsonb_populate_recordset(NULL::served_requests, added) u JOIN api_keys k ON k.id = u.key_id AND k.organization_id = u.organization_id
    LEFT JOIN key_callers c ON c.organization_id = k.organization_id AND c.key_id = k.id AND c.address = u.address AND c.client = u.client;
    DELETE FROM served_requests r WHERE (r.organization_id, r.key_id, r.id) IN (
        SELECT d.organization_id, d.key_id, d.id
        FROM (SELECT DISTINCT s.organization_id, s.key_id, s.address, s.client FROM jsonb_populate_recordset(NULL::served_requests, added) u
            JOIN served_requests s ON s.organization_id = u.organization_id AND s.key_id = u.key_id AND s.id = u.id) c
        CROSS JOIN LATERAL (SELECT k.id FROM served_requests k WHERE (k.organization_id, k.key_id, k.address, k.client) = (c.organization_id, c.key_id, c.address, c.client)
            ORDER BY k.id DESC OFFSET 199 LIMIT 1) oldest
        JOIN served_requests d ON (d.organization_id, d.key_id, d.address, d.client) = (c.organization_id, c.key_id, c.address, c.client) AND d.id < oldest.id
        FOR UPDATE OF d SKIP LOCKED)
$$;

CREATE FUNCTION keep_requests() RETURNS bigint
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT keep_batch('served_requests', 'at', kept_before('requests'))
$$;

-- What an organization does once at a time over all instances, such as reading in bulk.
-- The instance deletes the row when it is done. If it was killed, the row ends ten seconds after its renewal.
CREATE TABLE running_tasks (
    organization_id uuid NOT NULL REFERENCES organizations (id),
    task            text NOT NULL,
    id              uuid NOT NULL, -- another one each time
    renewed_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (organization_id, task)
);

-- +goose StatementEnd
