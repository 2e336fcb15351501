-- +goose Up
-- +goose StatementBegin
-- The tables that grow with the data can be distributed by organization: their primary
-- keys and unique indexes start with organization_id.
CREATE TABLE companies (
    organization_id         uuid NOT NULL REFERENCES organizations (id),
    id                      uuid NOT NULL,
    cvr                     text NOT NULL CHECK (cvr ~ '^[0-9]{8}$'),
    name                    text NOT NULL CHECK (name <> ''),
    address                 text,
    start_date              date NOT NULL DEFAULT CURRENT_DATE,
    end_date                date NOT NULL DEFAULT '9999-12-31',
    status                  text NOT NULL DEFAULT 'CREATED'
        CHECK (status IN ('CREATED', 'REGISTERED', 'MODIFIED', 'TERMINATED', 'REJECTED')),
    sender_reg_number       text CHECK (sender_reg_number ~ '^[0-9]{4}$'),
    sender_account_number   text CHECK (sender_account_number ~ '^[0-9]{1,10}$'),
    receiver_reg_number     text CHECK (receiver_reg_number ~ '^[0-9]{4}$'),
    receiver_account_number text CHECK (receiver_account_number ~ '^[0-9]{1,10}$'),
    default_amount_cents    bigint CHECK (default_amount_cents BETWEEN -99999999999999 AND 99999999999999),
    -- Of the company's transactions.
    transaction_count       bigint NOT NULL DEFAULT 0 CHECK (transaction_count >= 0),
    total_amount_dkk        numeric(38, 2) NOT NULL DEFAULT 0,
    created_at              timestamptz NOT NULL DEFAULT now(),
    updated_at              timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (organization_id, id),
    UNIQUE (organization_id, cvr)
) WITH (fillfactor = 80); -- leaves room to update the totals within the page
-- An import of a delivery looks up companies of all organizations by CVR.
CREATE INDEX companies_cvr ON companies (cvr);
CREATE INDEX companies_name ON companies (organization_id, lower(name), id);
GRANT SELECT ON companies TO dispo_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON companies TO dispo_operator;

-- company_grams returns what a company can be found by: numbers for its status and for
-- each three characters of its name in a row, up to a length of 1,000. They differ by
-- organization, so an organization's search costs the same however many companies
-- others have. The extension pg_trgm indexes text in the same way, but not every
-- database has it, and it does not keep organizations apart.
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
CREATE INDEX companies_grams ON companies USING gin (company_grams(organization_id, name, status));

-- company_matches returns ids of the organization's companies whose name contains
-- text, of at least three characters, or whose CVR begins with it, and which have the
-- status. Either may be empty, but not both. It returns at most as many as wanted, in
-- no order. It runs as the operator's role, because under the policy of dispo_app
-- PostgreSQL must check a row's organization before any other condition, and then no
-- index helps. So it restricts itself to the transaction's organization.
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

-- A delivery is one thing to the operator, whatever number of organizations have
-- records of it. The organizations see neither these tables nor their ids.
CREATE TABLE deliveries (
    id               uuid PRIMARY KEY,
    -- The order of the imports, also if the clock is set back.
    number           bigint GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME deliveries_number_seq) UNIQUE,
    -- The operator's list leaves out made-up deliveries, and no real one is compared with them.
    sandbox          boolean NOT NULL DEFAULT false,
    filename         text NOT NULL,
    layout           text NOT NULL,
    -- Of the parsed records. Null for made-up deliveries.
    records_sha256   bytea CHECK (length(records_sha256) = 32),
    -- Of the whole file.
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
GRANT SELECT, INSERT, UPDATE ON deliveries TO dispo_operator;
GRANT SELECT ON SEQUENCE deliveries_number_seq TO dispo_operator;

-- What identifies a delivery, in words. A file that holds several deliveries has several
-- names. Two deliveries have the same name only if the operator said so.
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
CREATE INDEX held_records_only ON held_records (only_organization_id, cvr) WHERE only_organization_id IS NOT NULL;
CREATE UNIQUE INDEX held_records_once ON held_records
    (delivery_id, record_index, coalesce(only_organization_id, '00000000-0000-0000-0000-000000000000'));
GRANT SELECT ON held_records TO dispo_app;

-- A delivery that was withdrawn from one organization does not come back to it, unless
-- the operator imports it again for that organization.
CREATE TABLE delivery_withdrawals (
    organization_id uuid NOT NULL REFERENCES organizations (id),
    delivery_id     uuid NOT NULL REFERENCES deliveries (id),
    reason          text NOT NULL,
    created_at      timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (organization_id, delivery_id)
);
GRANT SELECT, INSERT, DELETE ON delivery_names, delivery_bytes, held_records, delivery_withdrawals TO dispo_operator;

-- A delivery file of one organization: one for each time that records of the delivery
-- reached it. A file that two organizations have is two rows, so that neither can learn
-- of the other.
CREATE TABLE delivery_files (
    organization_id  uuid NOT NULL REFERENCES organizations (id),
    id               uuid NOT NULL,
    -- The ids of the file's transactions, and no others of the organization, lie between
    -- id and last_id.
    last_id          uuid NOT NULL,
    delivery_id      uuid NOT NULL REFERENCES deliveries (id),
    filename         text NOT NULL,
    layout           text NOT NULL,
    -- Of the file's transactions.
    record_count     bigint NOT NULL DEFAULT 0 CHECK (record_count >= 0),
    total_amount_dkk numeric(38, 2) NOT NULL DEFAULT 0,
    first_date       date,
    last_date        date,
    created_at       timestamptz NOT NULL DEFAULT now(),
    -- When the import finished.
    processed_at     timestamptz,
    PRIMARY KEY (organization_id, id)
);
CREATE INDEX delivery_files_delivery ON delivery_files (delivery_id);
GRANT SELECT ON delivery_files TO dispo_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON delivery_files TO dispo_operator;

-- Records never change after their import, so there is no updated_at, and their
-- created_at is the file's, since one transaction writes both. The primary key holds a
-- company's records in order of arrival. Foreign keys would check every row, and halve
-- the speed of imports.
CREATE TABLE transactions (
    organization_id  uuid NOT NULL,
    id               uuid NOT NULL,
    delivery_file_id uuid NOT NULL,
    record_index     bigint NOT NULL CHECK (record_index >= 0),
    count            bigint NOT NULL CHECK (count >= 0),
    disposition_date date NOT NULL,
    cvr              text NOT NULL CHECK (length(cvr) = 8),
    reg_number       text NOT NULL,
    account_number   text NOT NULL,
    transfer_type    text NOT NULL CHECK (transfer_type <> ''),
    amount_dkk       numeric(14, 2) NOT NULL,
    raw_line         text NOT NULL,
    PRIMARY KEY (organization_id, cvr, id)
);
-- The newest transactions of each type, from which a list over all companies is merged.
-- With the amount and the company, a filter by them needs no look at the table.
CREATE INDEX transactions_newest ON transactions (organization_id, transfer_type, disposition_date, id) INCLUDE (cvr, amount_dkk);
GRANT SELECT ON transactions TO dispo_app;
GRANT SELECT, INSERT, DELETE ON transactions TO dispo_operator;

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
GRANT SELECT ON daily_totals TO dispo_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON daily_totals TO dispo_operator;

-- A file that was withdrawn, as the organization had it. The operator's row of the
-- delivery also counts other organizations' records.
CREATE TABLE withdrawn_files (
    organization_id  uuid NOT NULL,
    id               uuid NOT NULL,
    filename         text NOT NULL,
    layout           text NOT NULL,
    record_count     bigint NOT NULL,
    total_amount_dkk numeric(38, 2) NOT NULL,
    first_date       date,
    last_date        date,
    created_at       timestamptz,
    withdrawn_at     timestamptz NOT NULL DEFAULT now(),
    reason           text NOT NULL,
    PRIMARY KEY (organization_id, id)
);

-- How many transactions of what sum a withdrawn file had of each company and day. The
-- CVR '' stands for all companies.
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
GRANT SELECT ON withdrawn_files, withdrawn_totals TO dispo_app;
GRANT SELECT, INSERT ON withdrawn_files, withdrawn_totals TO dispo_operator;

-- Updates company_count and data_version in the writing transaction, and notifies
-- the change feed when that commits.
CREATE FUNCTION companies_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    sign int := CASE TG_OP WHEN 'INSERT' THEN 1 WHEN 'DELETE' THEN -1 ELSE 0 END;
BEGIN
    UPDATE organizations o
    SET company_count = o.company_count + sign * c.n,
        data_version = greatest(o.data_version + 1, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)
    FROM (SELECT organization_id, count(*) AS n FROM changed GROUP BY organization_id) c
    WHERE o.id = c.organization_id;
    PERFORM pg_notify('dispo', 'data ' || organization_id)
    FROM (SELECT DISTINCT organization_id FROM changed) c;
    RETURN NULL;
END
$$;
CREATE TRIGGER inserted AFTER INSERT ON companies REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION companies_changed();
CREATE TRIGGER updated AFTER UPDATE ON companies REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION companies_changed();
CREATE TRIGGER deleted AFTER DELETE ON companies REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION companies_changed();

-- move_totals adds to the totals of companies and files. A negative count removes.
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

-- move_daily_totals adds transactions to the daily totals, or with a negative count
-- removes them.
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

-- Every statement moves the totals, except in a transaction that has set dispo.totals.
CREATE FUNCTION transactions_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    sign int := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
    IF current_setting('dispo.totals', true) = 'moved by the import' THEN
        RETURN NULL;
    END IF;
    PERFORM move_totals(array_agg(organization_id), array_agg(cvr), array_agg(delivery_file_id), array_agg(sign * n), array_agg(sign * amount))
    FROM (SELECT organization_id, cvr, delivery_file_id, count(*) AS n, sum(amount_dkk) AS amount FROM changed GROUP BY organization_id, cvr, delivery_file_id) c;
    PERFORM move_daily_totals(array_agg(organization_id), array_agg(cvr), array_agg(disposition_date), array_agg(transfer_type),
        array_agg(sign * n), array_agg(sign * amount), array_agg(first_id), array_agg(last_id))
    FROM (SELECT organization_id, cvr, disposition_date, transfer_type, count(*) AS n, sum(amount_dkk) AS amount,
            min(id::text COLLATE "C")::uuid AS first_id, max(id::text COLLATE "C")::uuid AS last_id
        FROM changed GROUP BY organization_id, cvr, disposition_date, transfer_type) c;
    RETURN NULL;
END
$$;
CREATE TRIGGER inserted AFTER INSERT ON transactions REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION transactions_changed();
CREATE TRIGGER deleted AFTER DELETE ON transactions REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION transactions_changed();

-- A company or delivery file that has transactions cannot be deleted.
CREATE FUNCTION has_transactions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'there are transactions of this row of %: delete these first', TG_TABLE_NAME
        USING ERRCODE = 'foreign_key_violation';
END
$$;
CREATE TRIGGER deletable BEFORE DELETE ON companies
    FOR EACH ROW WHEN (OLD.transaction_count > 0) EXECUTE FUNCTION has_transactions();
CREATE TRIGGER deletable BEFORE DELETE ON delivery_files
    FOR EACH ROW WHEN (OLD.record_count > 0) EXECUTE FUNCTION has_transactions();
-- +goose StatementEnd
