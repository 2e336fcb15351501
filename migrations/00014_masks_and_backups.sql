-- +goose Up
-- Callers have put API keys into paths, user agents and other texts that are stored.
-- The service masks them now. This masks those that were stored before, in the same
-- way: see MaskKeys in models/mask.go.
-- +goose StatementBegin
CREATE FUNCTION pg_temp.mask_keys(stored text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    -- Each character may be percent-encoded.
    low    CONSTANT text := '(?:_|%(?:25)*5f)';
    base62 CONSTANT text := '(?:[0-9a-z]|%(?:25)*(?:3[0-9]|[46][1-9a-f]|[57][0-9a]))';
    dispo  CONSTANT text := '(?:d|%(?:25)*[46]4)(?:i|%(?:25)*[46]9)(?:s|%(?:25)*[57]3)(?:p|%(?:25)*[57]0)(?:o|%(?:25)*[46]f)' || low;
    test   CONSTANT text := '(?:t|%(?:25)*[57]4)(?:e|%(?:25)*[46]5)(?:s|%(?:25)*[57]3)(?:t|%(?:25)*[57]4)' || low;
BEGIN
    IF stored !~* 'dispo_|%' THEN
        RETURN stored;
    END IF;
    stored := regexp_replace(stored, '(' || dispo || '(?:' || test || ')?' || base62 || '{12}' || low || ')(?:' || base62 || '+|…)', '\1…', 'gi');
    RETURN regexp_replace(stored, '(' || dispo || ')(?:' || base62 || '|' || low || '){32,}', '\1…', 'gi');
END
$$;
-- +goose StatementEnd

UPDATE users SET email = pg_temp.mask_keys(email) WHERE email <> pg_temp.mask_keys(email);
UPDATE sessions SET user_agent = pg_temp.mask_keys(user_agent) WHERE user_agent <> pg_temp.mask_keys(user_agent);
DELETE FROM sign_in_failures WHERE subject <> pg_temp.mask_keys(subject);

-- The policies of the other tables hold for their owner too, so the operator's role
-- changes these. The audit log stays closed to changes, except for this one.
GRANT UPDATE ON audit_log TO dispo_operator;
ALTER TABLE audit_log DISABLE TRIGGER append_only;
SET LOCAL ROLE dispo_operator;
UPDATE organizations SET name = pg_temp.mask_keys(name) WHERE name <> pg_temp.mask_keys(name);
UPDATE api_keys SET name = pg_temp.mask_keys(name), last_used_user_agent = pg_temp.mask_keys(last_used_user_agent)
    WHERE name <> pg_temp.mask_keys(name) OR last_used_user_agent <> pg_temp.mask_keys(last_used_user_agent);
UPDATE refused_requests SET path = pg_temp.mask_keys(path), user_agent = pg_temp.mask_keys(user_agent)
    WHERE path <> pg_temp.mask_keys(path) OR user_agent <> pg_temp.mask_keys(user_agent);
UPDATE audit_log SET subject = pg_temp.mask_keys(subject), user_email = pg_temp.mask_keys(user_email)
    WHERE subject <> pg_temp.mask_keys(subject) OR user_email <> pg_temp.mask_keys(user_email);
DELETE FROM invitations WHERE email <> pg_temp.mask_keys(email);
RESET ROLE;
ALTER TABLE audit_log ENABLE TRIGGER append_only;
REVOKE UPDATE ON audit_log FROM dispo_operator;

DROP FUNCTION pg_temp.mask_keys(text);

-- The operator's role can read every row, so that it can dump the database: the owner
-- cannot, because the policies hold for it, and a managed PostgreSQL has no superuser.
GRANT SELECT ON recovery_codes, sign_in_failures TO dispo_operator;
-- The sequence got its name from PostgreSQL, which takes another if that one is taken.
-- +goose StatementBegin
DO $$ BEGIN
    EXECUTE format('GRANT SELECT ON SEQUENCE %s TO dispo_operator', pg_get_serial_sequence('goose_db_version', 'id'));
END $$;
-- +goose StatementEnd
