-- +goose Up
-- What the dashboard reads must not grow with what other organizations store, and
-- hardly with what its own does.

-- company_grams returns what a company can be found by: numbers for its status and for
-- each three characters of its name in a row, up to a length of 1,000. They differ by
-- organization, so an organization's search costs the same however many companies
-- others have. The extension pg_trgm indexes text in the same way, but not every
-- database has it, and it does not keep organizations apart.
-- +goose StatementBegin
CREATE FUNCTION company_grams(organization_id uuid, name text, status text) RETURNS int[]
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
    seed  int := uuid_hash(organization_id);
    chars text := left(lower(name), 1000);
    grams int[] := ARRAY[hashtext(status) # seed];
BEGIN
    FOR n IN 1..length(chars) - 2 LOOP
        grams[n + 1] := hashtext(substr(chars, n, 3)) # seed;
    END LOOP;
    RETURN grams;
END
$$;
-- +goose StatementEnd
CREATE INDEX companies_grams ON companies USING gin (company_grams(organization_id, name, status));

-- company_matches returns ids of the organization's companies whose name contains
-- text, of at least three characters, or whose CVR begins with it, and which have the
-- status. Either may be empty, but not both. It returns at most as many as wanted, in
-- no order. It runs as the operator's role, because under the policy of dispo_app
-- PostgreSQL must check a row's organization before any other condition, and then no
-- index helps. So it restricts itself to the connection's organization.
-- +goose StatementBegin
CREATE FUNCTION company_matches(wanted_text text, wanted_status text, wanted int) RETURNS SETOF uuid
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp SET enable_bitmapscan = on SET enable_seqscan = off AS $$
DECLARE
    organization uuid := current_organization();
    needle       text := lower(wanted_text);
    grams        int[] := company_grams(organization, needle, wanted_status);
BEGIN
    IF wanted_status = '' THEN
        grams := grams[2:];
    END IF;
    RETURN QUERY
        SELECT c.id FROM companies c
        WHERE company_grams(c.organization_id, c.name, c.status) @> grams
            -- IS TRUE keeps PostgreSQL from reading all of the organization's companies
            -- by the primary key instead.
            AND (c.organization_id = organization) IS TRUE
            AND strpos(lower(c.name), needle) > 0 AND wanted_status IN ('', c.status)
        LIMIT wanted;
    IF needle ~ '^[0-9]{3,8}$' THEN
        RETURN QUERY
            SELECT c.id FROM companies c
            WHERE c.organization_id = organization AND c.cvr BETWEEN rpad(needle, 8, '0') AND rpad(needle, 8, '9')
                AND strpos(lower(c.name), needle) = 0 AND wanted_status IN ('', c.status)
            LIMIT wanted;
    END IF;
END
$$;
-- +goose StatementEnd
REVOKE ALL ON FUNCTION company_matches(text, text, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION company_matches(text, text, int) TO dispo_app;
GRANT CREATE ON SCHEMA public TO dispo_operator;
ALTER FUNCTION company_matches(text, text, int) OWNER TO dispo_operator;
REVOKE CREATE ON SCHEMA public FROM dispo_operator;

-- Every page looks up its user's memberships, and every sign-in deletes what has
-- expired.
CREATE INDEX memberships_user ON memberships (user_id);
CREATE INDEX sessions_expiry ON sessions (expires_at);
CREATE INDEX sign_in_failures_expiry ON sign_in_failures (expires_at);

-- Requests per key and day in UTC, the sums of key_usage. A chart of 30 days would
-- otherwise read 24 times as many rows.
CREATE TABLE key_usage_days (
    organization_id uuid NOT NULL REFERENCES organizations (id),
    day             timestamptz NOT NULL,
    key_id          uuid NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
    requests        bigint NOT NULL,
    refused         bigint NOT NULL,
    PRIMARY KEY (organization_id, day, key_id)
);
ALTER TABLE key_usage_days ENABLE ROW LEVEL SECURITY;
ALTER TABLE key_usage_days FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON key_usage_days TO dispo_app USING (organization_id = (SELECT current_organization()));
CREATE POLICY operator ON key_usage_days TO dispo_operator USING (true);
GRANT SELECT ON key_usage_days TO dispo_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON key_usage_days TO dispo_operator;

-- +goose StatementBegin
CREATE OR REPLACE FUNCTION key_usage_add(organizations uuid[], keys uuid[], hours timestamptz[], added bigint[], added_refused bigint[]) RETURNS void
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp
    AS 'INSERT INTO key_usage (organization_id, hour, key_id, requests, refused)
        SELECT k.organization_id, u.hour, k.id, u.requests, u.refused
        FROM unnest(organizations, hours, keys, added, added_refused) AS u (organization_id, hour, key_id, requests, refused)
        JOIN api_keys k ON k.id = u.key_id AND k.organization_id = u.organization_id
        ORDER BY k.organization_id, u.hour, k.id
        ON CONFLICT (organization_id, hour, key_id) DO UPDATE
        SET requests = key_usage.requests + excluded.requests, refused = key_usage.refused + excluded.refused;
        INSERT INTO key_usage_days (organization_id, day, key_id, requests, refused)
        SELECT k.organization_id, date_trunc(''day'', u.hour, ''UTC''), k.id, sum(u.requests), sum(u.refused)
        FROM unnest(organizations, hours, keys, added, added_refused) AS u (organization_id, hour, key_id, requests, refused)
        JOIN api_keys k ON k.id = u.key_id AND k.organization_id = u.organization_id
        GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
        ON CONFLICT (organization_id, day, key_id) DO UPDATE
        SET requests = key_usage_days.requests + excluded.requests, refused = key_usage_days.refused + excluded.refused';
-- +goose StatementEnd
LOCK TABLE key_usage IN SHARE MODE;
SET LOCAL ROLE dispo_operator;
INSERT INTO key_usage_days
SELECT organization_id, date_trunc('day', hour, 'UTC'), key_id, sum(requests), sum(refused) FROM key_usage GROUP BY 1, 2, 3;
RESET ROLE;
