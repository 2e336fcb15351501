-- +goose Up
-- The primary key and unique indexes start with organization_id, so that the table
-- can be distributed by it.
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
    -- Maintained by the triggers on transactions.
    transaction_count       bigint NOT NULL DEFAULT 0 CHECK (transaction_count >= 0),
    created_at              timestamptz NOT NULL DEFAULT now(),
    updated_at              timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (organization_id, id),
    UNIQUE (organization_id, cvr)
) WITH (fillfactor = 80); -- leaves room to update the counter within the page

-- An import of a delivery looks up companies of all organizations by CVR.
CREATE INDEX companies_cvr ON companies (cvr);

ALTER TABLE companies ENABLE ROW LEVEL SECURITY;
ALTER TABLE companies FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON companies TO dispo_app USING (organization_id = (SELECT current_organization()));
CREATE POLICY operator ON companies TO dispo_operator USING (true);
GRANT SELECT ON companies TO dispo_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON companies TO dispo_operator;

-- Updates company_count and data_version in the writing transaction, and notifies
-- the change feed when that commits.
-- +goose StatementBegin
CREATE FUNCTION companies_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    sign int := CASE TG_OP WHEN 'INSERT' THEN 1 WHEN 'DELETE' THEN -1 ELSE 0 END;
BEGIN
    UPDATE organizations o
    SET company_count = o.company_count + sign * c.n, data_version = o.data_version + 1
    FROM (SELECT organization_id, count(*) AS n FROM changed GROUP BY organization_id) c
    WHERE o.id = c.organization_id;
    PERFORM pg_notify('dispo', 'data ' || organization_id)
    FROM (SELECT DISTINCT organization_id FROM changed) c;
    RETURN NULL;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER inserted AFTER INSERT ON companies REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION companies_changed();
CREATE TRIGGER updated AFTER UPDATE ON companies REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION companies_changed();
CREATE TRIGGER deleted AFTER DELETE ON companies REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION companies_changed();

