-- +goose Up
-- A delivery is one thing to the operator, whatever number of organizations have
-- records of it. Until now only the file of each organization was stored. The
-- organizations see neither these tables nor their ids.
CREATE TABLE deliveries (
    id               uuid PRIMARY KEY,
    -- The order of the imports, also if the clock is set back.
    number           bigint GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME deliveries_number_seq) UNIQUE,
    filename         text NOT NULL,
    layout           text NOT NULL,
    -- Of the parsed records. Null for deliveries from before this migration.
    records_sha256   bytea CHECK (length(records_sha256) = 32),
    -- Of the whole file. Before this migration only what organizations got was stored.
    record_count     bigint NOT NULL CHECK (record_count >= 0),
    total_amount_dkk numeric(38, 2) NOT NULL,
    -- The first and the last disposition date. Null if there are no records.
    first_date       date,
    last_date        date,
    created_at       timestamptz NOT NULL DEFAULT now(),
    -- A delivery stays listed when it was withdrawn from every organization.
    withdrawn_at     timestamptz,
    withdrawn_reason text,
    CHECK ((withdrawn_at IS NULL) = (withdrawn_reason IS NULL))
);

-- What a delivery says that it is, in words. A file that holds several deliveries has
-- several names. Two deliveries have the same name only if the operator said so.
CREATE TABLE delivery_names (
    delivery_id uuid NOT NULL REFERENCES deliveries (id),
    position    int NOT NULL,
    name        text NOT NULL CHECK (name <> ''),
    PRIMARY KEY (delivery_id, position)
);
CREATE INDEX delivery_names_name ON delivery_names (name);

-- The SHA-256 of every file that was recognized as the delivery.
CREATE TABLE delivery_bytes (
    sha256      bytea NOT NULL CHECK (length(sha256) = 32),
    delivery_id uuid NOT NULL REFERENCES deliveries (id),
    PRIMARY KEY (sha256, delivery_id)
);
CREATE INDEX delivery_bytes_delivery ON delivery_bytes (delivery_id);

-- Records of companies that no organization has. They wait for the first organization
-- that gets the company, or for only_organization_id if the import was for that one.
-- As with transactions, foreign keys would check every row.
CREATE TABLE held_records (
    delivery_id          uuid NOT NULL,
    only_organization_id uuid,
    record_index         bigint NOT NULL CHECK (record_index >= 0),
    count                bigint NOT NULL CHECK (count >= 0),
    disposition_date     date NOT NULL,
    cvr                  text NOT NULL CHECK (length(cvr) = 8),
    reg_number           text NOT NULL,
    account_number       text NOT NULL,
    transfer_type        text NOT NULL CHECK (transfer_type <> ''),
    amount_dkk           numeric(14, 2) NOT NULL,
    raw_line             text NOT NULL
);
CREATE INDEX held_records_cvr ON held_records (cvr);
CREATE UNIQUE INDEX held_records_once ON held_records
    (delivery_id, record_index, coalesce(only_organization_id, '00000000-0000-0000-0000-000000000000'));

-- A delivery that was withdrawn from one organization does not come back to it, unless
-- the operator imports it again for that organization.
CREATE TABLE delivery_withdrawals (
    organization_id uuid NOT NULL REFERENCES organizations (id),
    delivery_id     uuid NOT NULL REFERENCES deliveries (id),
    reason          text NOT NULL,
    created_at      timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (organization_id, delivery_id)
);

ALTER TABLE deliveries ENABLE ROW LEVEL SECURITY;
ALTER TABLE deliveries FORCE ROW LEVEL SECURITY;
CREATE POLICY operator ON deliveries TO dispo_operator USING (true);
ALTER TABLE delivery_names ENABLE ROW LEVEL SECURITY;
ALTER TABLE delivery_names FORCE ROW LEVEL SECURITY;
CREATE POLICY operator ON delivery_names TO dispo_operator USING (true);
ALTER TABLE delivery_bytes ENABLE ROW LEVEL SECURITY;
ALTER TABLE delivery_bytes FORCE ROW LEVEL SECURITY;
CREATE POLICY operator ON delivery_bytes TO dispo_operator USING (true);
ALTER TABLE held_records ENABLE ROW LEVEL SECURITY;
ALTER TABLE held_records FORCE ROW LEVEL SECURITY;
CREATE POLICY operator ON held_records TO dispo_operator USING (true);
ALTER TABLE delivery_withdrawals ENABLE ROW LEVEL SECURITY;
ALTER TABLE delivery_withdrawals FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON delivery_withdrawals TO dispo_app USING (organization_id = current_organization());
CREATE POLICY operator ON delivery_withdrawals TO dispo_operator USING (true);
GRANT SELECT, INSERT, UPDATE ON deliveries TO dispo_operator;
GRANT SELECT ON SEQUENCE deliveries_number_seq TO dispo_operator;
GRANT SELECT, INSERT, DELETE ON delivery_names, delivery_bytes, held_records, delivery_withdrawals TO dispo_operator;

-- Imports wait, and readers go on, while the records of before are counted below.
LOCK TABLE transactions IN SHARE ROW EXCLUSIVE MODE;

-- The migrating role owns the tables, but the policies hold for it too. So the
-- operator's role reads and writes the rows.
SET LOCAL ROLE dispo_operator;
CREATE TEMPORARY TABLE old_files ON COMMIT DROP AS
    SELECT f.organization_id, f.id, f.sha256, d.delivery_id, f.filename, f.layout, f.created_at
    FROM delivery_files f
    JOIN (SELECT sha256, layout, gen_random_uuid() AS delivery_id FROM delivery_files GROUP BY sha256, layout) d
        ON d.sha256 = f.sha256 AND d.layout = f.layout;
CREATE TEMPORARY TABLE old_companies ON COMMIT DROP AS
    SELECT organization_id, cvr, sum(amount_dkk) AS total FROM transactions GROUP BY organization_id, cvr;
CREATE TEMPORARY TABLE old_sums ON COMMIT DROP AS
    SELECT organization_id, delivery_file_id, sum(amount_dkk) AS total, max(id::text COLLATE "C")::uuid AS last_id
    FROM transactions GROUP BY organization_id, delivery_file_id;
-- A record that several organizations have is one record of the delivery.
INSERT INTO deliveries (id, filename, layout, record_count, total_amount_dkk, first_date, last_date, created_at)
    SELECT o.delivery_id, o.filename, o.layout, coalesce(r.n, 0), coalesce(r.total, 0), r.first_date, r.last_date, o.created_at
    FROM (SELECT DISTINCT ON (delivery_id) * FROM old_files ORDER BY delivery_id, created_at, id) o
    LEFT JOIN (
        SELECT delivery_id, count(*) AS n, sum(amount_dkk) AS total, min(disposition_date) AS first_date, max(disposition_date) AS last_date
        FROM (SELECT DISTINCT f.delivery_id, t.record_index, t.amount_dkk, t.disposition_date FROM transactions t
              JOIN old_files f ON f.organization_id = t.organization_id AND f.id = t.delivery_file_id) x
        GROUP BY delivery_id
    ) r ON r.delivery_id = o.delivery_id
    ORDER BY o.created_at, o.delivery_id;
INSERT INTO delivery_bytes SELECT DISTINCT sha256, delivery_id FROM old_files;
RESET ROLE;

-- An organization has a file for each time that records of the delivery reached it.
-- Their ids, and no others of that organization, lie between id and last_id.
ALTER TABLE delivery_files
    ADD COLUMN delivery_id      uuid REFERENCES deliveries (id),
    ADD COLUMN last_id          uuid,
    ADD COLUMN total_amount_dkk numeric(38, 2) NOT NULL DEFAULT 0,
    DROP CONSTRAINT delivery_files_organization_id_sha256_key;
-- The sum of the amounts of the company's transactions, kept like their count.
ALTER TABLE companies ADD COLUMN total_amount_dkk numeric(38, 2) NOT NULL DEFAULT 0;
SET LOCAL ROLE dispo_operator;
UPDATE delivery_files f SET delivery_id = o.delivery_id, last_id = coalesce(s.last_id, o.id), total_amount_dkk = coalesce(s.total, 0)
    FROM old_files o LEFT JOIN old_sums s ON s.organization_id = o.organization_id AND s.delivery_file_id = o.id
    WHERE f.organization_id = o.organization_id AND f.id = o.id;
UPDATE companies c SET total_amount_dkk = o.total FROM old_companies o WHERE c.organization_id = o.organization_id AND c.cvr = o.cvr;
RESET ROLE;
ALTER TABLE delivery_files
    ALTER COLUMN delivery_id SET NOT NULL,
    ALTER COLUMN last_id SET NOT NULL,
    DROP COLUMN sha256;
CREATE INDEX delivery_files_delivery ON delivery_files (delivery_id);

-- move_totals now moves the sums of the amounts too.
DROP FUNCTION move_totals(uuid[], text[], uuid[], bigint[]);
-- +goose StatementBegin
CREATE FUNCTION move_totals(organization_ids uuid[], cvrs text[], delivery_file_ids uuid[], counts bigint[], amounts numeric[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    strayed bigint;
BEGIN
    WITH per_company AS (
        SELECT organization_id, cvr, sum(n)::bigint AS n, sum(amount) AS amount
        FROM unnest(organization_ids, cvrs, counts, amounts) AS moved (organization_id, cvr, n, amount) GROUP BY organization_id, cvr
    ), counted AS (
        -- This moves data_version and tells the change feed, by the trigger on companies.
        UPDATE companies c SET transaction_count = c.transaction_count + p.n, total_amount_dkk = c.total_amount_dkk + p.amount
        FROM per_company p
        WHERE c.organization_id = p.organization_id AND c.cvr = p.cvr
        RETURNING 1
    )
    SELECT (SELECT count(*) FROM per_company) - (SELECT count(*) FROM counted) INTO strayed;
    IF strayed <> 0 THEN
        RAISE EXCEPTION 'transactions of a company that the organization does not have'
            USING ERRCODE = 'foreign_key_violation';
    END IF;

    WITH per_file AS (
        SELECT organization_id, delivery_file_id, sum(n)::bigint AS n, sum(amount) AS amount
        FROM unnest(organization_ids, delivery_file_ids, counts, amounts) AS moved (organization_id, delivery_file_id, n, amount) GROUP BY organization_id, delivery_file_id
    ), counted AS (
        UPDATE delivery_files f SET record_count = f.record_count + p.n, total_amount_dkk = f.total_amount_dkk + p.amount
        FROM per_file p
        WHERE f.organization_id = p.organization_id AND f.id = p.delivery_file_id
        RETURNING 1
    )
    SELECT (SELECT count(*) FROM per_file) - (SELECT count(*) FROM counted) INTO strayed;
    IF strayed <> 0 THEN
        RAISE EXCEPTION 'transactions of a delivery file that the organization does not have'
            USING ERRCODE = 'foreign_key_violation';
    END IF;
END
$$;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION transactions_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    sign int := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
    IF current_setting('dispo.totals', true) = 'moved at the end' THEN
        RETURN NULL;
    END IF;
    PERFORM move_totals(array_agg(organization_id), array_agg(cvr), array_agg(delivery_file_id), array_agg(sign * n), array_agg(sign * amount))
    FROM (SELECT organization_id, cvr, delivery_file_id, count(*) AS n, sum(amount_dkk) AS amount FROM changed GROUP BY organization_id, cvr, delivery_file_id) c;
    RETURN NULL;
END
$$;
-- +goose StatementEnd
