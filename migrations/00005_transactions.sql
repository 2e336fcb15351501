-- +goose Up
-- A delivery file of one organization. A file that two organizations have is two
-- rows, so that neither can learn of the other.
CREATE TABLE delivery_files (
    organization_id uuid NOT NULL REFERENCES organizations (id),
    id              uuid NOT NULL,
    filename        text NOT NULL,
    layout          text NOT NULL,
    sha256          bytea NOT NULL CHECK (length(sha256) = 32),
    record_count    bigint NOT NULL DEFAULT 0 CHECK (record_count >= 0),
    created_at      timestamptz NOT NULL DEFAULT now(),
    -- When the import finished.
    processed_at    timestamptz,
    PRIMARY KEY (organization_id, id),
    UNIQUE (organization_id, sha256)
);
ALTER TABLE delivery_files ENABLE ROW LEVEL SECURITY;
ALTER TABLE delivery_files FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON delivery_files TO dispo_app USING (organization_id = (SELECT current_organization()));
CREATE POLICY operator ON delivery_files TO dispo_operator USING (true);
GRANT SELECT ON delivery_files TO dispo_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON delivery_files TO dispo_operator;

-- Records never change after their import, so there is no updated_at, and their
-- created_at is the file's, since one transaction writes both. The primary key is the
-- only index: it holds a company's records in order of arrival. The trigger below
-- checks once per statement that the company and the file exist. Foreign keys would
-- check it once per row, and halve the speed of imports.
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
ALTER TABLE transactions ENABLE ROW LEVEL SECURITY;
ALTER TABLE transactions FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON transactions TO dispo_app USING (organization_id = (SELECT current_organization()));
CREATE POLICY operator ON transactions TO dispo_operator USING (true);
GRANT SELECT ON transactions TO dispo_app;
GRANT SELECT, INSERT, DELETE ON transactions TO dispo_operator;

-- +goose StatementBegin
CREATE FUNCTION transactions_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    sign    int := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
    strayed bigint;
BEGIN
    WITH per_company AS (
        SELECT organization_id, cvr, count(*) AS n FROM changed GROUP BY organization_id, cvr
    ), counted AS (
        -- This moves data_version and tells the change feed, by the trigger on companies.
        UPDATE companies c SET transaction_count = c.transaction_count + sign * p.n
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
        SELECT organization_id, delivery_file_id, count(*) AS n FROM changed GROUP BY organization_id, delivery_file_id
    ), counted AS (
        UPDATE delivery_files f SET record_count = f.record_count + sign * p.n
        FROM per_file p
        WHERE f.organization_id = p.organization_id AND f.id = p.delivery_file_id
        RETURNING 1
    )
    SELECT (SELECT count(*) FROM per_file) - (SELECT count(*) FROM counted) INTO strayed;
    IF strayed <> 0 THEN
        RAISE EXCEPTION 'transactions of a delivery file that the organization does not have'
            USING ERRCODE = 'foreign_key_violation';
    END IF;
    RETURN NULL;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER inserted AFTER INSERT ON transactions REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION transactions_changed();
CREATE TRIGGER deleted AFTER DELETE ON transactions REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION transactions_changed();

-- A company or delivery file that has transactions cannot be deleted.
-- +goose StatementBegin
CREATE FUNCTION has_transactions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'there are transactions of this row of %: delete these first', TG_TABLE_NAME
        USING ERRCODE = 'foreign_key_violation';
END
$$;
-- +goose StatementEnd
CREATE TRIGGER deletable BEFORE DELETE ON companies
    FOR EACH ROW WHEN (OLD.transaction_count > 0) EXECUTE FUNCTION has_transactions();
CREATE TRIGGER deletable BEFORE DELETE ON delivery_files
    FOR EACH ROW WHEN (OLD.record_count > 0) EXECUTE FUNCTION has_transactions();

