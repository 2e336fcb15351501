-- +goose Up
-- data_version follows the clock, in microseconds, and never decreases. A plain
-- counter would repeat values after the database was restored from a backup. A
-- client with an answer of such a version would then be told that nothing changed.
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
