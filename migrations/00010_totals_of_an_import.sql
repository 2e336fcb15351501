-- +goose Up
-- An import inserts its transactions in many statements. Updating the totals in each
-- would leave as many dead row versions of every company, which slow down reads of
-- companies until the next vacuum. So an import counts by itself and updates the
-- totals once.
-- +goose StatementBegin
CREATE FUNCTION move_totals(organization_ids uuid[], cvrs text[], delivery_file_ids uuid[], counts bigint[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    strayed bigint;
BEGIN
    WITH per_company AS (
        SELECT organization_id, cvr, sum(n)::bigint AS n
        FROM unnest(organization_ids, cvrs, counts) AS moved (organization_id, cvr, n) GROUP BY organization_id, cvr
    ), counted AS (
        -- This moves data_version and tells the change feed, by the trigger on companies.
        UPDATE companies c SET transaction_count = c.transaction_count + p.n
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
        SELECT organization_id, delivery_file_id, sum(n)::bigint AS n
        FROM unnest(organization_ids, delivery_file_ids, counts) AS moved (organization_id, delivery_file_id, n) GROUP BY organization_id, delivery_file_id
    ), counted AS (
        UPDATE delivery_files f SET record_count = f.record_count + p.n
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

-- Every statement updates the totals, except in a transaction that has set
-- dispo.totals to say that it will call move_totals itself.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION transactions_changed() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    sign int := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
    IF current_setting('dispo.totals', true) = 'moved at the end' THEN
        RETURN NULL;
    END IF;
    PERFORM move_totals(array_agg(organization_id), array_agg(cvr), array_agg(delivery_file_id), array_agg(sign * n))
    FROM (SELECT organization_id, cvr, delivery_file_id, count(*) AS n FROM changed GROUP BY organization_id, cvr, delivery_file_id) c;
    RETURN NULL;
END
$$;
-- +goose StatementEnd
