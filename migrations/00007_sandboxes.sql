-- +goose Up
-- +goose StatementBegin
-- sandboxes_due returns the sandboxes that lack the data of a day. It reads across
-- organizations on purpose.
CREATE FUNCTION sandboxes_due(through date) RETURNS TABLE (organization_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT id FROM organizations WHERE sandbox AND sandbox_day < through AND deletion_started_at IS NULL ORDER BY id
$$;

-- sandbox_store stores what arrives in a sandbox on its next day, for the service, which can only
-- read companies and transactions: companies, a delivery, and perhaps the withdrawal of an earlier
-- one. It refuses every organization that is not a sandbox. It returns false if another transaction
-- writes to the sandbox, or has stored the day. Instead of waiting for an import, it fails with
-- lock_not_available.
CREATE FUNCTION sandbox_store(organization uuid, new_day date, made jsonb) RETURNS boolean
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    delivery  uuid := gen_random_uuid();
    file      uuid;
    withdrawn uuid;
BEGIN
    IF NOT EXISTS (SELECT FROM organizations o WHERE o.id = organization AND o.sandbox) THEN
        RAISE EXCEPTION 'organization % is not a sandbox', organization USING ERRCODE = 'insufficient_privilege';
    END IF;
    PERFORM FROM writers w WHERE w.organization_id = organization FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    LOCK TABLE deliveries IN ROW EXCLUSIVE MODE NOWAIT;
    UPDATE organizations o SET sandbox_day = new_day WHERE o.id = organization AND o.sandbox AND o.sandbox_day = new_day - 1;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    PERFORM turns_take(ARRAY[organization]);

    INSERT INTO arriving_companies (line, cvr, name, folded_name, sort_key, address, start_date, end_date, status,
        sender_reg_number, sender_account_number, receiver_reg_number, receiver_account_number, default_amount_cents)
    SELECT line, cvr, name, folded_name, sort_key, address, start_date, end_date, status,
        sender_reg_number, sender_account_number, receiver_reg_number, receiver_account_number, default_amount_cents
    FROM jsonb_populate_recordset(NULL::arriving_companies, made -> 'companies');
    PERFORM companies_store(organization, NULL);

    INSERT INTO arriving_records (record_index, count, disposition_date, cvr, reg_number, account_number, transfer_type, amount_dkk, raw_line)
    SELECT record_index, count, disposition_date, cvr, reg_number, account_number, transfer_type, amount_dkk, raw_line
    FROM jsonb_populate_recordset(NULL::arriving_records, made -> 'records');
    INSERT INTO deliveries (id, sandbox, filename, layout, record_count, total_amount_dkk, first_date, last_date)
    SELECT delivery, true, made ->> 'filename', 'csv', count(*), coalesce(sum(amount_dkk), 0), min(disposition_date), max(disposition_date) FROM arriving_records;
    file := file_open(organization, delivery, (SELECT coalesce(max(record_index) + 1, 0) FROM arriving_records));
    UPDATE arriving_records SET organization_id = organization, delivery_file_id = file;
    PERFORM records_store();
    PERFORM move_totals(1);

    SELECT f.delivery_id INTO withdrawn FROM delivery_files f JOIN deliveries d ON d.id = f.delivery_id AND d.sandbox
    WHERE f.organization_id = organization AND f.filename = made ->> 'withdrawn' AND f.record_count > 0;
    IF FOUND THEN
        PERFORM withdraw_files(withdrawn, organization, made ->> 'reason', 'schedule', 'schedule');
        PERFORM withdraw_delivery(withdrawn, made ->> 'reason');
    END IF;
    PERFORM turns_end();
    RETURN true;
END
$$;
-- +goose StatementEnd
