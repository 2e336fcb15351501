-- +goose Up
-- When the test command of a page last worked with a key. It is no use of the key.
ALTER TABLE api_keys ADD COLUMN tested_at timestamptz;

-- +goose StatementBegin
CREATE FUNCTION api_keys_tested(ids uuid[], times timestamptz[]) RETURNS void
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp
    -- It locks in order of id, like api_keys_used.
    AS 'SELECT FROM api_keys WHERE id = ANY (ids) ORDER BY id FOR NO KEY UPDATE;
        UPDATE api_keys k SET tested_at = greatest(k.tested_at, u.at) FROM unnest(ids, times) AS u (id, at) WHERE k.id = u.id';
-- +goose StatementEnd

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
    -- because the key is revoked, expired or paused.
    last_used       timestamptz,
    last_refused    timestamptz,
    -- requests includes refused, the number of requests answered 401.
    requests        bigint NOT NULL,
    refused         bigint NOT NULL,
    -- Set if somebody said that this caller need not move to the key's successor.
    dismissed_at    timestamptz,
    PRIMARY KEY (organization_id, key_id, address, client)
);
CREATE INDEX key_callers_last_seen ON key_callers (last_seen);
ALTER TABLE key_callers ENABLE ROW LEVEL SECURITY;
ALTER TABLE key_callers FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON key_callers TO dispo_app USING (organization_id = current_organization());
CREATE POLICY operator ON key_callers TO dispo_operator USING (true);
GRANT SELECT, UPDATE (dismissed_at) ON key_callers TO dispo_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON key_callers TO dispo_operator;

-- +goose StatementBegin
-- key_callers_add stores what the service has counted of many organizations' callers.
-- It keeps 100 callers of each key, for 35 days: the pages compare 30, and the longest
-- silence that a key may need is 35.
CREATE FUNCTION key_callers_add(organizations uuid[], keys uuid[], addresses text[], clients text[], user_agents text[],
    first_times timestamptz[], last_times timestamptz[], use_times timestamptz[], refusal_times timestamptz[], added bigint[], added_refused bigint[]) RETURNS void
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp
    AS $$
        DELETE FROM key_callers d WHERE (d.organization_id, d.key_id, d.address, d.client) IN (
            SELECT o.organization_id, o.key_id, o.address, o.client FROM key_callers o
            WHERE o.last_seen < now() - interval '35 days' ORDER BY o.last_seen LIMIT 1000 FOR UPDATE SKIP LOCKED);
        INSERT INTO key_callers AS c (organization_id, key_id, address, client, user_agent, first_seen, last_seen, last_used, last_refused, requests, refused)
        SELECT p.organization_id, p.key_id, p.address, p.client, (array_agg(p.user_agent ORDER BY p.last_seen DESC))[1],
            min(p.first_seen), max(p.last_seen), max(p.last_used), max(p.last_refused), sum(p.requests), sum(p.refused)
        FROM (
            SELECT n.organization_id, n.key_id, n.user_agent, n.first_seen, n.last_seen, n.last_used, n.last_refused, n.requests, n.refused,
                CASE WHEN n.room THEN n.address ELSE '' END AS address, CASE WHEN n.room THEN n.client ELSE '' END AS client
            FROM (
                SELECT g.*, g.known OR g.place + (SELECT count(*) FROM key_callers s
                    WHERE s.organization_id = g.organization_id AND s.key_id = g.key_id AND s.address <> '') <= 100 AS room
                FROM (
                    SELECT u.*, e.known, row_number() OVER (PARTITION BY u.key_id, e.known ORDER BY u.first_seen) AS place
                    FROM unnest(organizations, keys, addresses, clients, user_agents, first_times, last_times, use_times, refusal_times, added, added_refused)
                        AS u (organization_id, key_id, address, client, user_agent, first_seen, last_seen, last_used, last_refused, requests, refused)
                    JOIN api_keys k ON k.id = u.key_id AND k.organization_id = u.organization_id
                    CROSS JOIN LATERAL (SELECT EXISTS (SELECT FROM key_callers x
                        WHERE x.organization_id = u.organization_id AND x.key_id = u.key_id AND x.address = u.address AND x.client = u.client) AS known) e
                ) g
            ) n
        ) p
        GROUP BY p.organization_id, p.key_id, p.address, p.client
        ORDER BY p.organization_id, p.key_id, p.address, p.client
        ON CONFLICT (organization_id, key_id, address, client) DO UPDATE
        SET user_agent = CASE WHEN excluded.last_seen >= c.last_seen THEN excluded.user_agent ELSE c.user_agent END,
            first_seen = least(c.first_seen, excluded.first_seen), last_seen = greatest(c.last_seen, excluded.last_seen),
            last_used = greatest(c.last_used, excluded.last_used), last_refused = greatest(c.last_refused, excluded.last_refused),
            requests = c.requests + excluded.requests, refused = c.refused + excluded.refused
    $$;
-- +goose StatementEnd
REVOKE ALL ON FUNCTION api_keys_tested(uuid[], timestamptz[]) FROM PUBLIC;
REVOKE ALL ON FUNCTION key_callers_add(uuid[], uuid[], text[], text[], text[], timestamptz[], timestamptz[], timestamptz[], timestamptz[], bigint[], bigint[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION api_keys_tested(uuid[], timestamptz[]) TO dispo_app;
GRANT EXECUTE ON FUNCTION key_callers_add(uuid[], uuid[], text[], text[], text[], timestamptz[], timestamptz[], timestamptz[], timestamptz[], bigint[], bigint[]) TO dispo_app;
GRANT CREATE ON SCHEMA public TO dispo_operator;
ALTER FUNCTION api_keys_tested(uuid[], timestamptz[]) OWNER TO dispo_operator;
ALTER FUNCTION key_callers_add(uuid[], uuid[], text[], text[], text[], timestamptz[], timestamptz[], timestamptz[], timestamptz[], bigint[], bigint[]) OWNER TO dispo_operator;
REVOKE CREATE ON SCHEMA public FROM dispo_operator;

-- A key's own hours, over 90 days, show how long it is silent between its requests.
CREATE INDEX key_usage_key ON key_usage (organization_id, key_id, hour);

-- What is known of each key's last caller counts from the start. The client is without
-- its versions, see ClientName in models/keys/callers.go.
SET LOCAL ROLE dispo_operator;
INSERT INTO key_callers (organization_id, key_id, address, client, user_agent, first_seen, last_seen, last_used, requests, refused)
SELECT organization_id, id, last_used_address, btrim(regexp_replace(last_used_user_agent, '[/: ][vV]?[0-9][0-9A-Za-z._+-]*', '', 'g')), last_used_user_agent,
    last_used_at, last_used_at, last_used_at, 1, 0
FROM api_keys WHERE last_used_at > now() - interval '35 days' AND last_used_address IS NOT NULL AND last_used_user_agent IS NOT NULL;
RESET ROLE;
