-- +goose Up
-- +goose StatementBegin
-- sandboxes_due returns the sandboxes that lack the data of a day. It reads across
-- organizations on purpose.
CREATE FUNCTION sandboxes_due(through date) RETURNS TABLE (organization_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT id FROM organizations WHERE sandbox AND sandbox_day < through AND deletion_started_at IS NULL ORDER BY id
$$;

-- The service can only read companies and transactions. These functions write them, and
-- refuse every organization that is not a sandbox.

-- sandbox_open makes the transaction the only one that writes to a sandbox. It returns
-- the next day and the highest id, or no row if another transaction writes to it. The
-- lock on deliveries is the one that imports wait for. Instead of waiting for an import,
-- it fails with lock_not_available.
CREATE FUNCTION sandbox_open(organization uuid) RETURNS TABLE (next_day date, highest_id uuid)
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM organizations o WHERE o.id = organization AND o.sandbox) THEN
        RAISE EXCEPTION 'organization % is not a sandbox', organization USING ERRCODE = 'insufficient_privilege';
    END IF;
    PERFORM FROM writers w WHERE w.organization_id = organization FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
        RETURN;
    END IF;
    LOCK TABLE deliveries IN ROW EXCLUSIVE MODE NOWAIT;
    PERFORM totals_open();
    RETURN QUERY SELECT o.sandbox_day + 1, o.last_id FROM organizations o WHERE o.id = organization;
END
$$;

-- sandbox_store stores what arrives on the next day: companies, and a delivery.
CREATE FUNCTION sandbox_store(organization uuid, new_day date, made jsonb) RETURNS void
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    delivery      uuid := gen_random_uuid();
    new_companies bigint;
BEGIN
    UPDATE organizations SET sandbox_day = new_day, last_id = (made ->> 'last_id')::uuid
    WHERE id = organization AND sandbox AND sandbox_day = new_day - 1 AND last_id < (made ->> 'last_id')::uuid;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'organization % is not a sandbox that waits for %', organization, new_day USING ERRCODE = 'insufficient_privilege';
    END IF;

    WITH stored AS (
        INSERT INTO companies (organization_id, id, change_id, cvr, name, folded_name, sort_key, address, start_date, end_date, status, sender_reg_number, sender_account_number,
            receiver_reg_number, receiver_account_number, default_amount_cents)
        SELECT organization, c.id, c.id, c.cvr, c.name, c.folded_name, c.sort_key, c.address, c.start_date, c.end_date, c.status, c.sender_reg_number, c.sender_account_number,
            c.receiver_reg_number, c.receiver_account_number, c.default_amount_cents
        FROM jsonb_populate_recordset(NULL::companies, made -> 'companies') c ORDER BY c.id
        ON CONFLICT (organization_id, cvr) DO UPDATE SET
            name = excluded.name, folded_name = excluded.folded_name, sort_key = excluded.sort_key, address = excluded.address, start_date = excluded.start_date, end_date = excluded.end_date, status = excluded.status,
            sender_reg_number = excluded.sender_reg_number, sender_account_number = excluded.sender_account_number,
            receiver_reg_number = excluded.receiver_reg_number, receiver_account_number = excluded.receiver_account_number,
            default_amount_cents = excluded.default_amount_cents, change_id = excluded.change_id, updated_at = excluded.updated_at
        RETURNING xmax = 0 AS new
    )
    SELECT count(*) FILTER (WHERE new) FROM stored INTO new_companies;
    PERFORM check_moved();
    INSERT INTO changed VALUES (organization, new_companies, 0, 0, 0);

    INSERT INTO deliveries (id, sandbox, filename, layout, record_count, total_amount_dkk, first_date, last_date)
    SELECT delivery, true, made ->> 'filename', 'csv', count(*), coalesce(sum(r.amount_dkk), 0), min(r.disposition_date), max(r.disposition_date)
    FROM jsonb_populate_recordset(NULL::transactions, made -> 'records') r;
    INSERT INTO delivery_files (organization_id, id, delivery_id, last_id, filename, layout, first_date, last_date, processed_at)
    SELECT organization, (made ->> 'file_id')::uuid, delivery, (made ->> 'file_id')::uuid, d.filename, d.layout, d.first_date, d.last_date, clock_timestamp()
    FROM deliveries d WHERE d.id = delivery;
    INSERT INTO transactions (organization_id, id, delivery_file_id, record_index, count, disposition_date, cvr, reg_number, account_number, transfer_type, amount_dkk, raw_line)
    SELECT organization, r.id, (made ->> 'file_id')::uuid, r.record_index, r.count, r.disposition_date, r.cvr, r.reg_number, r.account_number, r.transfer_type, r.amount_dkk, r.raw_line
    FROM jsonb_populate_recordset(NULL::transactions, made -> 'records') r ORDER BY r.id;
    INSERT INTO moved
    SELECT organization, r.cvr, r.disposition_date, r.transfer_type, count(*), sum(r.amount_dkk), min(r.id::text COLLATE "C")::uuid, max(r.id::text COLLATE "C")::uuid, (made ->> 'file_id')::uuid
    FROM jsonb_populate_recordset(NULL::transactions, made -> 'records') r GROUP BY r.cvr, r.disposition_date, r.transfer_type;
    PERFORM move_totals(1);
    PERFORM organizations_changed();
    UPDATE delivery_files SET change_id = (made ->> 'change_id')::uuid
    WHERE organization_id = organization AND id = (made ->> 'file_id')::uuid AND record_count > 0;
END
$$;

-- sandbox_withdraw withdraws a sandbox's delivery, as an operator withdraws a real one.
-- change is the id of the withdrawal. It returns what was removed, or no row if there is
-- no such delivery.
CREATE FUNCTION sandbox_withdraw(organization uuid, wanted text, why text, change uuid) RETURNS TABLE (records bigint, amount text)
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
    PERFORM withdraw_records(file.delivery_id, organization, why);
    PERFORM move_totals(-1);
    PERFORM organizations_changed();
    UPDATE withdrawn_files w SET change_id = change WHERE w.organization_id = organization AND w.id = file.id;
    UPDATE deliveries d SET withdrawn_at = now(), withdrawn_reason = why WHERE d.id = file.delivery_id;
    RETURN QUERY SELECT file.record_count, file.total_amount_dkk::text;
END
$$;
-- +goose StatementEnd
