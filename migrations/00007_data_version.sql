-- +goose Up
-- data_version follows the clock, in microseconds, and still never runs back. As a
-- mere count it would come to the same figures again after the database was
-- restored from a backup, and a client that holds an answer by its version would
-- be told that what has changed since has not.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION companies_changed() RETURNS trigger LANGUAGE plpgsql AS $$
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
-- +goose StatementEnd
