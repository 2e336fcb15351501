-- +goose Up
-- How many transactions of what sum a company has on each day, by transfer type. The
-- CVR '' stands for all companies. From these, a list of transactions knows its number,
-- its sum and its positions without counting. The ids of the transactions lie between
-- first_id and last_id, also after a deletion.
CREATE TABLE daily_totals (
    organization_id  uuid NOT NULL,
    cvr              text NOT NULL,
    disposition_date date NOT NULL,
    transfer_type    text NOT NULL,
    count            bigint NOT NULL CHECK (count > 0),
    amount_dkk       numeric(38, 2) NOT NULL,
    first_id         uuid NOT NULL,
    last_id          uuid NOT NULL,
    PRIMARY KEY (organization_id, cvr, disposition_date, transfer_type)
);
ALTER TABLE daily_totals ENABLE ROW LEVEL SECURITY;
ALTER TABLE daily_totals FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON daily_totals TO dispo_app USING (organization_id = current_organization());
CREATE POLICY operator ON daily_totals TO dispo_operator USING (true);
GRANT SELECT ON daily_totals TO dispo_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON daily_totals TO dispo_operator;

-- move_daily_totals adds transactions to the daily totals, or with a negative count
-- removes them. An import calls it for each chunk that it stores.
-- +goose StatementBegin
CREATE FUNCTION move_daily_totals(organization_ids uuid[], cvrs text[], days date[], types text[], counts bigint[], amounts numeric[], first_ids uuid[], last_ids uuid[])
    RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    WITH moved AS (
        SELECT * FROM unnest(organization_ids, cvrs, days, types, counts, amounts, first_ids, last_ids)
            AS m (organization_id, cvr, day, type, n, amount, first_id, last_id)
    ), totals AS (
        SELECT * FROM moved
        UNION ALL
        SELECT organization_id, '', day, type, sum(n)::bigint, sum(amount), min(first_id::text COLLATE "C")::uuid, max(last_id::text COLLATE "C")::uuid
        FROM moved GROUP BY organization_id, day, type
    ), emptied AS (
        DELETE FROM daily_totals d USING totals t
        WHERE d.organization_id = t.organization_id AND d.cvr = t.cvr AND d.disposition_date = t.day AND d.transfer_type = t.type AND d.count + t.n = 0
    ), reduced AS (
        UPDATE daily_totals d SET count = d.count + t.n, amount_dkk = d.amount_dkk + t.amount
        FROM totals t
        WHERE t.n < 0 AND d.organization_id = t.organization_id AND d.cvr = t.cvr AND d.disposition_date = t.day AND d.transfer_type = t.type AND d.count + t.n <> 0
    )
    INSERT INTO daily_totals AS d
    SELECT * FROM totals WHERE n > 0 ORDER BY organization_id, cvr, day, type
    ON CONFLICT (organization_id, cvr, disposition_date, transfer_type) DO UPDATE
    SET count = d.count + excluded.count, amount_dkk = d.amount_dkk + excluded.amount_dkk,
        first_id = least(d.first_id, excluded.first_id), last_id = greatest(d.last_id, excluded.last_id);
END
$$;
-- +goose StatementEnd

-- The same as before, and the daily totals. An import of the previous version, which may
-- still run, moves the totals of before at its end, and knows neither the daily ones nor
-- the days of a file.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION transactions_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    sign int := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
    IF current_setting('dispo.totals', true) = 'moved by the import' THEN
        RETURN NULL;
    END IF;
    IF current_setting('dispo.totals', true) = 'moved at the end' THEN
        UPDATE delivery_files f SET first_date = least(f.first_date, d.first_date), last_date = greatest(f.last_date, d.last_date)
        FROM (SELECT organization_id, delivery_file_id, min(disposition_date) AS first_date, max(disposition_date) AS last_date FROM changed GROUP BY 1, 2) d
        WHERE f.organization_id = d.organization_id AND f.id = d.delivery_file_id;
    ELSE
        PERFORM move_totals(array_agg(organization_id), array_agg(cvr), array_agg(delivery_file_id), array_agg(sign * n), array_agg(sign * amount))
        FROM (SELECT organization_id, cvr, delivery_file_id, count(*) AS n, sum(amount_dkk) AS amount FROM changed GROUP BY organization_id, cvr, delivery_file_id) c;
    END IF;
    PERFORM move_daily_totals(array_agg(organization_id), array_agg(cvr), array_agg(disposition_date), array_agg(transfer_type),
        array_agg(sign * n), array_agg(sign * amount), array_agg(first_id), array_agg(last_id))
    FROM (SELECT organization_id, cvr, disposition_date, transfer_type, count(*) AS n, sum(amount_dkk) AS amount,
            min(id::text COLLATE "C")::uuid AS first_id, max(id::text COLLATE "C")::uuid AS last_id
        FROM changed GROUP BY organization_id, cvr, disposition_date, transfer_type) c;
    RETURN NULL;
END
$$;
-- +goose StatementEnd

-- A file that was withdrawn, as the organization had it. The operator's row of the
-- delivery also counts other organizations' records.
CREATE TABLE withdrawn_files (
    organization_id  uuid NOT NULL,
    id               uuid NOT NULL,
    filename         text NOT NULL,
    layout           text NOT NULL,
    record_count     bigint NOT NULL,
    total_amount_dkk numeric(38, 2) NOT NULL,
    -- Null for files that were withdrawn before this migration.
    first_date       date,
    last_date        date,
    created_at       timestamptz,
    withdrawn_at     timestamptz NOT NULL DEFAULT now(),
    reason           text NOT NULL,
    PRIMARY KEY (organization_id, id)
);
ALTER TABLE withdrawn_files ENABLE ROW LEVEL SECURITY;
ALTER TABLE withdrawn_files FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON withdrawn_files TO dispo_app USING (organization_id = current_organization());
CREATE POLICY operator ON withdrawn_files TO dispo_operator USING (true);
GRANT SELECT ON withdrawn_files TO dispo_app;
GRANT SELECT, INSERT ON withdrawn_files TO dispo_operator;

-- How many transactions of what sum a withdrawn file had of each company and day. The
-- CVR '' stands for all companies. Files that were withdrawn before this migration have
-- none.
CREATE TABLE withdrawn_totals (
    organization_id  uuid NOT NULL,
    cvr              text NOT NULL,
    disposition_date date NOT NULL,
    file_id          uuid NOT NULL,
    count            bigint NOT NULL CHECK (count > 0),
    amount_dkk       numeric(38, 2) NOT NULL,
    PRIMARY KEY (organization_id, cvr, disposition_date, file_id)
);
CREATE INDEX withdrawn_totals_largest ON withdrawn_totals (organization_id, file_id, abs(amount_dkk));
ALTER TABLE withdrawn_totals ENABLE ROW LEVEL SECURITY;
ALTER TABLE withdrawn_totals FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON withdrawn_totals TO dispo_app USING (organization_id = current_organization());
CREATE POLICY operator ON withdrawn_totals TO dispo_operator USING (true);
GRANT SELECT ON withdrawn_totals TO dispo_app;
GRANT SELECT, INSERT ON withdrawn_totals TO dispo_operator;

-- Records that wait for a company of one organization only concern that one.
CREATE POLICY tenant ON held_records TO dispo_app USING (only_organization_id = current_organization());
GRANT SELECT ON held_records TO dispo_app;
CREATE INDEX held_records_only ON held_records (only_organization_id, cvr) WHERE only_organization_id IS NOT NULL;

-- Imports wait, and readers go on, while the transactions of before are counted. What
-- readers would wait for comes last.
LOCK TABLE transactions IN SHARE ROW EXCLUSIVE MODE;
CREATE TEMPORARY TABLE file_days (organization_id uuid, id uuid, first_date date, last_date date) ON COMMIT DROP;
GRANT SELECT, INSERT ON file_days TO dispo_operator;
SET LOCAL ROLE dispo_operator;
INSERT INTO daily_totals
SELECT organization_id, coalesce(cvr, ''), disposition_date, transfer_type, count(*), sum(amount_dkk), min(id::text COLLATE "C")::uuid, max(id::text COLLATE "C")::uuid
FROM transactions
GROUP BY GROUPING SETS ((organization_id, cvr, disposition_date, transfer_type), (organization_id, disposition_date, transfer_type))
ORDER BY 1, 2, 3, 4;
INSERT INTO file_days SELECT organization_id, delivery_file_id, min(disposition_date), max(disposition_date) FROM transactions GROUP BY 1, 2;
-- Until now only the audit log said what was withdrawn.
INSERT INTO withdrawn_files (organization_id, id, filename, layout, record_count, total_amount_dkk, withdrawn_at, reason)
SELECT organization_id, id, m[1], '', m[2]::bigint, m[3]::numeric, at, m[4]
FROM audit_log, regexp_match(subject, '^(.*): (\d+) transactions? of (-?\d+\.\d\d) kr\. Reason: (.*)$') AS m
WHERE action = 'delivery.withdraw' AND m IS NOT NULL;
RESET ROLE;

-- The newest transactions of each type, from which a list over all companies is merged.
-- With the amount and the company, a filter by them needs no look at the table.
CREATE INDEX transactions_newest ON transactions (organization_id, transfer_type, disposition_date, id) INCLUDE (cvr, amount_dkk);

-- Companies are listed by name, too.
CREATE INDEX companies_name ON companies (organization_id, lower(name), id);

-- A file's records are of these days.
ALTER TABLE delivery_files ADD COLUMN first_date date, ADD COLUMN last_date date;
SET LOCAL ROLE dispo_operator;
UPDATE delivery_files f SET first_date = d.first_date, last_date = d.last_date FROM file_days d WHERE f.organization_id = d.organization_id AND f.id = d.id;
RESET ROLE;
