-- +goose Up
-- A sandbox is an organization whose data is made up. It never becomes a real one, nor
-- the other way round: no role may update the column, and the keys refer to it.
ALTER TABLE organizations
    ADD COLUMN sandbox boolean NOT NULL DEFAULT false,
    -- The last day whose made-up data has arrived. Null for a real organization.
    ADD COLUMN sandbox_day date,
    ADD CHECK (sandbox = (sandbox_day IS NOT NULL)),
    ADD UNIQUE (id, sandbox);
CREATE INDEX organizations_sandboxes ON organizations (sandbox_day) WHERE sandbox;
REVOKE UPDATE ON organizations FROM dispo_operator;
-- All columns but id, sandbox and created_at.
GRANT UPDATE (slug, name, company_count, data_version, last_id, updated_at, suspended_at, require_second_factor, time_zone, notification_address, sandbox_day)
    ON organizations TO dispo_operator;

-- The text of a sandbox's key begins with dispo_test_, so a key belongs to one kind of
-- organization for good. The previous version creates only keys of real organizations.
ALTER TABLE api_keys
    ADD COLUMN sandbox boolean NOT NULL DEFAULT false,
    DROP CONSTRAINT api_keys_organization_id_fkey,
    ADD FOREIGN KEY (organization_id, sandbox) REFERENCES organizations (id, sandbox);

-- The operator's list leaves out made-up deliveries, and no real one is compared with them.
ALTER TABLE deliveries ADD COLUMN sandbox boolean NOT NULL DEFAULT false;

-- api_keys_check returns the keys with the given lookup ids whose texts begin as keys of
-- a sandbox do, or do not, and only if their organizations are sandboxes, or are not. It
-- reads across organizations on purpose. The one with a single parameter stays for
-- instances that still run the previous version, which knows no keys of sandboxes.
CREATE FUNCTION api_keys_check(wanted text[], wanted_sandbox boolean[])
    RETURNS TABLE (id uuid, organization_id uuid, lookup_id text, secret_hash text, fingerprint bytea,
        expires_at timestamptz, revoked_at timestamptz, paused_at timestamptz, suspended boolean, replaced boolean, sandbox boolean)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp ROWS 10
    AS 'SELECT k.id, k.organization_id, k.lookup_id, k.secret_hash, k.fingerprint, k.expires_at, k.revoked_at, k.paused_at, o.suspended_at IS NOT NULL,
            EXISTS (SELECT FROM api_keys s WHERE s.successor_of = k.id AND s.revoked_at IS NULL AND s.paused_at IS NULL AND (s.expires_at IS NULL OR s.expires_at > now())),
            k.sandbox
        FROM unnest(wanted, wanted_sandbox) AS w (lookup_id, sandbox)
        JOIN api_keys k ON k.lookup_id = w.lookup_id AND k.sandbox = w.sandbox
        JOIN organizations o ON o.id = k.organization_id AND o.sandbox = k.sandbox';

-- organizations_of_user is user_organizations with whether each is a sandbox. It reads
-- across organizations on purpose, but only for that user. user_organizations stays for
-- instances that still run the previous version.
CREATE FUNCTION organizations_of_user(wanted uuid)
    RETURNS TABLE (organization_id uuid, slug text, name text, role text, suspended boolean, require_second_factor boolean, time_zone text, sandbox boolean)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
    AS 'SELECT o.id, o.slug, o.name, m.role, o.suspended_at IS NOT NULL, o.require_second_factor, o.time_zone, o.sandbox
        FROM memberships m JOIN organizations o ON o.id = m.organization_id
        WHERE m.user_id = wanted ORDER BY o.name, o.id';

-- The same as before, but a mail names a sandbox as one.
CREATE OR REPLACE FUNCTION mail_claim()
    RETURNS TABLE (organization_id uuid, id uuid, kind text, recipient text, details jsonb, created_at timestamptz, attempts int,
        organization_name text, time_zone text)
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp
    AS 'SELECT m.organization_id, m.id, m.kind, m.recipient, m.details, m.created_at, m.attempts,
            o.name || CASE WHEN o.sandbox THEN '' (sandbox)'' ELSE '''' END, o.time_zone
        FROM mails m JOIN organizations o ON o.id = m.organization_id
        WHERE m.sent_at IS NULL AND m.given_up_at IS NULL AND m.next_attempt_at <= now()
        ORDER BY m.kind IN (''password'', ''invitation'', ''sign_in'') DESC, m.next_attempt_at LIMIT 1 FOR UPDATE OF m SKIP LOCKED';

-- sandboxes_due returns the sandboxes that lack the data of a day. It reads across
-- organizations on purpose.
CREATE FUNCTION sandboxes_due(through date) RETURNS TABLE (organization_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
    AS 'SELECT id FROM organizations WHERE sandbox AND sandbox_day < through ORDER BY id';

-- The service can only read companies and transactions. These functions write them, and
-- refuse every organization that is not a sandbox.

-- sandbox_open makes the transaction the only one that writes to a sandbox. It returns
-- the next day and the highest id, or no row if another transaction writes to it. The
-- lock on deliveries is the one that imports wait for, in the same order. Instead of
-- waiting for an import, it fails with lock_not_available.
-- +goose StatementBegin
CREATE FUNCTION sandbox_open(organization uuid) RETURNS TABLE (next_day date, highest_id uuid)
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM organizations o WHERE o.id = organization AND o.sandbox) THEN
        RAISE EXCEPTION 'organization % is not a sandbox', organization USING ERRCODE = 'insufficient_privilege';
    END IF;
    IF NOT pg_try_advisory_xact_lock(hashtextextended('dispo sandbox ' || organization, 0)) THEN
        RETURN;
    END IF;
    LOCK TABLE deliveries IN ROW EXCLUSIVE MODE NOWAIT;
    RETURN QUERY SELECT o.sandbox_day + 1, o.last_id FROM organizations o WHERE o.id = organization FOR NO KEY UPDATE;
END
$$;
-- +goose StatementEnd

-- sandbox_store stores what arrives on the next day: companies, and a delivery. The
-- triggers move the totals and tell the change feed.
-- +goose StatementBegin
CREATE FUNCTION sandbox_store(organization uuid, new_day date, made jsonb) RETURNS void
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    delivery uuid := gen_random_uuid();
BEGIN
    UPDATE organizations SET sandbox_day = new_day, last_id = (made ->> 'last_id')::uuid
    WHERE id = organization AND sandbox AND sandbox_day = new_day - 1 AND last_id < (made ->> 'last_id')::uuid;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'organization % is not a sandbox that waits for %', organization, new_day USING ERRCODE = 'insufficient_privilege';
    END IF;

    INSERT INTO companies (organization_id, id, cvr, name, address, start_date, end_date, status, sender_reg_number, sender_account_number,
        receiver_reg_number, receiver_account_number, default_amount_cents)
    SELECT organization, c.id, c.cvr, c.name, c.address, c.start_date, c.end_date, c.status, c.sender_reg_number, c.sender_account_number,
        c.receiver_reg_number, c.receiver_account_number, c.default_amount_cents
    FROM jsonb_populate_recordset(NULL::companies, made -> 'companies') c ORDER BY c.id
    ON CONFLICT (organization_id, cvr) DO UPDATE SET
        name = excluded.name, address = excluded.address, start_date = excluded.start_date, end_date = excluded.end_date, status = excluded.status,
        sender_reg_number = excluded.sender_reg_number, sender_account_number = excluded.sender_account_number,
        receiver_reg_number = excluded.receiver_reg_number, receiver_account_number = excluded.receiver_account_number,
        default_amount_cents = excluded.default_amount_cents, updated_at = now();

    INSERT INTO deliveries (id, sandbox, filename, layout, record_count, total_amount_dkk, first_date, last_date)
    SELECT delivery, true, made ->> 'filename', 'csv', count(*), coalesce(sum(r.amount_dkk), 0), min(r.disposition_date), max(r.disposition_date)
    FROM jsonb_populate_recordset(NULL::transactions, made -> 'records') r;
    INSERT INTO delivery_files (organization_id, id, delivery_id, last_id, filename, layout, first_date, last_date)
    SELECT organization, (made ->> 'file_id')::uuid, delivery, (made ->> 'last_id')::uuid, d.filename, d.layout, d.first_date, d.last_date
    FROM deliveries d WHERE d.id = delivery;
    INSERT INTO transactions (organization_id, id, delivery_file_id, record_index, count, disposition_date, cvr, reg_number, account_number, transfer_type, amount_dkk, raw_line)
    SELECT organization, r.id, (made ->> 'file_id')::uuid, r.record_index, r.count, r.disposition_date, r.cvr, r.reg_number, r.account_number, r.transfer_type, r.amount_dkk, r.raw_line
    FROM jsonb_populate_recordset(NULL::transactions, made -> 'records') r ORDER BY r.id;
    UPDATE delivery_files SET processed_at = clock_timestamp() WHERE organization_id = organization AND id = (made ->> 'file_id')::uuid;
END
$$;
-- +goose StatementEnd

-- sandbox_withdraw withdraws a sandbox's delivery, as an operator withdraws a real one. It
-- returns what was removed, or no row if there is no such delivery.
-- +goose StatementBegin
CREATE FUNCTION sandbox_withdraw(organization uuid, wanted text, why text) RETURNS TABLE (records bigint, amount text)
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    file delivery_files;
BEGIN
    IF NOT EXISTS (SELECT FROM organizations o WHERE o.id = organization AND o.sandbox) THEN
        RAISE EXCEPTION 'organization % is not a sandbox', organization USING ERRCODE = 'insufficient_privilege';
    END IF;
    SELECT * INTO file FROM delivery_files f WHERE f.organization_id = organization AND f.filename = wanted AND f.record_count > 0 FOR UPDATE;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    INSERT INTO withdrawn_files (organization_id, id, filename, layout, record_count, total_amount_dkk, first_date, last_date, created_at, reason)
    SELECT file.organization_id, file.id, file.filename, file.layout, file.record_count, file.total_amount_dkk, file.first_date, file.last_date, file.created_at, why;
    WITH gone AS (
        DELETE FROM transactions t USING companies c
        WHERE c.organization_id = organization AND t.organization_id = organization AND t.cvr = c.cvr
            AND t.id > file.id AND t.id <= file.last_id AND t.delivery_file_id = file.id
        RETURNING t.cvr, t.disposition_date, t.amount_dkk
    )
    INSERT INTO withdrawn_totals (organization_id, cvr, disposition_date, file_id, count, amount_dkk)
    SELECT organization, coalesce(g.cvr, ''), g.disposition_date, file.id, count(*), sum(g.amount_dkk) FROM gone g
    GROUP BY GROUPING SETS ((g.cvr, g.disposition_date), (g.disposition_date));
    DELETE FROM delivery_files f WHERE f.organization_id = organization AND f.id = file.id;
    UPDATE deliveries d SET withdrawn_at = now(), withdrawn_reason = why WHERE d.id = file.delivery_id;
    RETURN QUERY SELECT file.record_count, file.total_amount_dkk::text;
END
$$;
-- +goose StatementEnd

REVOKE ALL ON FUNCTION api_keys_check(text[], boolean[]) FROM PUBLIC;
REVOKE ALL ON FUNCTION organizations_of_user(uuid) FROM PUBLIC;
REVOKE ALL ON FUNCTION sandboxes_due(date) FROM PUBLIC;
REVOKE ALL ON FUNCTION sandbox_open(uuid) FROM PUBLIC;
REVOKE ALL ON FUNCTION sandbox_store(uuid, date, jsonb) FROM PUBLIC;
REVOKE ALL ON FUNCTION sandbox_withdraw(uuid, text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION api_keys_check(text[], boolean[]) TO dispo_app, dispo_operator;
GRANT EXECUTE ON FUNCTION organizations_of_user(uuid) TO dispo_app, dispo_operator;
GRANT EXECUTE ON FUNCTION sandboxes_due(date) TO dispo_app, dispo_operator;
GRANT EXECUTE ON FUNCTION sandbox_open(uuid) TO dispo_app, dispo_operator;
GRANT EXECUTE ON FUNCTION sandbox_store(uuid, date, jsonb) TO dispo_app, dispo_operator;
GRANT EXECUTE ON FUNCTION sandbox_withdraw(uuid, text, text) TO dispo_app, dispo_operator;
GRANT CREATE ON SCHEMA public TO dispo_operator;
ALTER FUNCTION api_keys_check(text[], boolean[]) OWNER TO dispo_operator;
ALTER FUNCTION organizations_of_user(uuid) OWNER TO dispo_operator;
ALTER FUNCTION sandboxes_due(date) OWNER TO dispo_operator;
ALTER FUNCTION sandbox_open(uuid) OWNER TO dispo_operator;
ALTER FUNCTION sandbox_store(uuid, date, jsonb) OWNER TO dispo_operator;
ALTER FUNCTION sandbox_withdraw(uuid, text, text) OWNER TO dispo_operator;
REVOKE CREATE ON SCHEMA public FROM dispo_operator;
