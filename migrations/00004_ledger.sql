-- +goose Up
-- +goose StatementBegin
-- The tables that grow with the data can be spread over machines by organization: their
-- primary keys and unique indexes start with organization_id, and they have neither
-- triggers nor foreign keys.
CREATE TABLE companies (
    organization_id         uuid NOT NULL,
    id                      uuid NOT NULL,
    cvr                     text NOT NULL CHECK (cvr ~ '^[0-9]{8}$'),
    name                    text NOT NULL CHECK (name <> ''),
    -- What searches compare, and what lists are ordered by. The program computes both
    -- from the name, so that neither depends on the locale of a database.
    folded_name             text COLLATE "C" NOT NULL,
    sort_key                bytea NOT NULL,
    address                 text,
    start_date              date NOT NULL DEFAULT (clock_timestamp() AT TIME ZONE 'UTC')::date,
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
    created_at              timestamptz NOT NULL DEFAULT clock_timestamp(),
    updated_at              timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- The id of the newest change: that the company is new, or that its fields changed.
    change_id               uuid NOT NULL,
    PRIMARY KEY (organization_id, id),
    UNIQUE (organization_id, cvr),
    UNIQUE (organization_id, change_id)
) WITH (fillfactor = 80); -- leaves room to update the totals within the page
-- An import of a delivery looks up companies of all organizations by CVR.
CREATE INDEX companies_cvr ON companies (cvr);
CREATE INDEX companies_name ON companies (organization_id, sort_key, id);
CREATE INDEX companies_sender ON companies (organization_id, sender_account_number);
CREATE INDEX companies_receiver ON companies (organization_id, receiver_account_number);

-- company_grams returns what a company can be found by: numbers for its status and for
-- each three characters of its folded name in a row, up to a length of 1,000. They differ by
-- organization, so an organization's search costs the same however many companies
-- others have. The extension pg_trgm indexes text in the same way, but not every
-- database has it, and it does not keep organizations apart.
CREATE FUNCTION company_grams(organization_id uuid, folded_name text, status text) RETURNS int[]
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
DECLARE
    seed  int := uuid_hash(organization_id);
    chars text := left(folded_name, 1000);
    grams int[] := ARRAY[hashtext(status) # seed];
BEGIN
    FOR n IN 1..length(chars) - 2 LOOP
        grams[n + 1] := hashtext(substr(chars, n, 3)) # seed;
    END LOOP;
    RETURN grams;
END
$$;
CREATE INDEX companies_grams ON companies USING gin (company_grams(organization_id, folded_name, status));

-- company_matches returns ids of the organization's companies whose folded name contains
-- text, of at least three characters, or whose CVR begins with it, and which have the
-- status. Either may be empty, but not both. It returns at most as many as wanted, in
-- no order. It runs as the operator's role, because under the policy of dispo_app
-- PostgreSQL must check a row's organization before any other condition, and then no
-- index helps. So it restricts itself to the transaction's organization.
CREATE FUNCTION company_matches(wanted_text text, wanted_status text, wanted int) RETURNS SETOF uuid
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp SET enable_bitmapscan = on SET enable_seqscan = off AS $$
DECLARE
    organization uuid := current_organization();
    grams        int[] := company_grams(organization, wanted_text, wanted_status);
BEGIN
    IF wanted_status = '' THEN
        grams := grams[2:];
    END IF;
    RETURN QUERY
        SELECT c.id FROM companies c
        WHERE company_grams(c.organization_id, c.folded_name, c.status) @> grams
            -- IS TRUE keeps PostgreSQL from reading all of the organization's companies
            -- by the primary key instead.
            AND (c.organization_id = organization) IS TRUE
            AND strpos(c.folded_name, wanted_text) > 0 AND wanted_status IN ('', c.status)
        LIMIT wanted;
    IF wanted_text ~ '^[0-9]{3,8}$' THEN
        RETURN QUERY
            SELECT c.id FROM companies c
            WHERE c.organization_id = organization AND c.cvr BETWEEN rpad(wanted_text, 8, '0') AND rpad(wanted_text, 8, '9')
                AND strpos(c.folded_name, wanted_text) = 0 AND wanted_status IN ('', c.status)
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
    created_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- A delivery stays listed when it was withdrawn from every organization.
    withdrawn_at     timestamptz,
    withdrawn_reason text,
    CHECK ((withdrawn_at IS NULL) = (withdrawn_reason IS NULL))
);

CREATE INDEX deliveries_last_date ON deliveries (last_date) WHERE withdrawn_at IS NULL;

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

-- How many deliveries were refused, and how many records they had, as far as they were read.
-- Nothing else of them is stored.
CREATE TABLE refused_deliveries (
    only_row   boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    deliveries bigint NOT NULL,
    records    bigint NOT NULL
);

-- deliveries_counted returns how many real deliveries were imported and refused, with how many
-- records, and when the last one was imported, in Unix seconds. It reads across organizations on
-- purpose.
CREATE FUNCTION deliveries_counted() RETURNS TABLE (imported bigint, imported_records bigint, last_import bigint, refused bigint, refused_records bigint)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT count(*), coalesce(sum(record_count), 0)::bigint, coalesce(extract(epoch FROM max(created_at)), 0)::bigint,
        coalesce((SELECT deliveries FROM refused_deliveries), 0), coalesce((SELECT records FROM refused_deliveries), 0)
    FROM deliveries WHERE NOT sandbox
$$;

-- Records of companies that no organization has. They wait for the first organization
-- that gets the company, or for only_organization_id if the import was for that one.
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
    raw_line             text NOT NULL,
    created_at           timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX held_records_created ON held_records (created_at);
-- Also finds equal records, by a hash, and the next delivery that has some.
CREATE INDEX held_records_cvr ON held_records
    (cvr, (disposition_date + 0), hash_record(ROW(cvr, disposition_date, count, amount_dkk, reg_number, account_number, transfer_type)), delivery_id);
CREATE UNIQUE INDEX held_records_only ON held_records (only_organization_id, cvr, delivery_id, record_index) WHERE only_organization_id IS NOT NULL;
CREATE UNIQUE INDEX held_records_once ON held_records
    (delivery_id, record_index, coalesce(only_organization_id, '00000000-0000-0000-0000-000000000000'));

-- A delivery that was withdrawn from one organization does not come back to it, unless
-- the operator imports it again for that organization.
CREATE TABLE delivery_withdrawals (
    organization_id uuid NOT NULL,
    delivery_id     uuid NOT NULL,
    reason          text NOT NULL,
    created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (organization_id, delivery_id)
);

-- A delivery file of one organization: one for each time that records of the delivery
-- reached it. A file that two organizations have is two rows, so that neither can learn
-- of the other.
CREATE TABLE delivery_files (
    organization_id  uuid NOT NULL,
    id               uuid NOT NULL,
    -- The ids of the file's transactions, and no others of the organization, lie between
    -- id and last_id.
    last_id          uuid NOT NULL,
    delivery_id      uuid NOT NULL,
    -- The order of arrival over all organizations, for the operator alone.
    number           bigint GENERATED ALWAYS AS IDENTITY,
    filename         text NOT NULL,
    layout           text NOT NULL,
    -- Of the file's transactions.
    record_count     bigint NOT NULL DEFAULT 0 CHECK (record_count >= 0),
    total_amount_dkk numeric(38, 2) NOT NULL DEFAULT 0,
    first_date       date,
    last_date        date,
    -- When it was its turn to be stored: an organization's are in order of their commits.
    created_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- When the import finished.
    processed_at     timestamptz,
    -- The id of the arrival, greater than those of the transactions. Null for a file
    -- without transactions: nothing has changed.
    change_id        uuid,
    PRIMARY KEY (organization_id, id),
    UNIQUE (organization_id, change_id)
);
CREATE INDEX delivery_files_number ON delivery_files (number);
CREATE INDEX delivery_files_delivery ON delivery_files (delivery_id);
-- The files that may have transactions of some days.
CREATE INDEX delivery_files_days ON delivery_files (organization_id, last_date, first_date);
CREATE INDEX delivery_files_created ON delivery_files (organization_id, created_at);

-- Records never change after their import, so there is no updated_at, and their
-- created_at is the file's, since one transaction writes both. The primary key holds a
-- company's records in order of arrival.
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
-- All transactions in order of arrival. The predicate holds for every row, and only a query
-- that repeats it can use the index. Else PostgreSQL might read a small company's page by
-- it, through all the transactions of a large one. With the amount, the rest of a file is
-- summed without a look at the table.
CREATE UNIQUE INDEX transactions_arrival ON transactions (organization_id, id) INCLUDE (amount_dkk) WHERE record_index >= 0;
-- The newest transactions of each type, from which a list over all companies is merged.
-- With the amount and the company, a filter by them needs no look at the table.
CREATE INDEX transactions_newest ON transactions (organization_id, transfer_type, disposition_date, id) INCLUDE (cvr, amount_dkk);
-- Finds equal records, by a hash, and the next file that has some: an import refuses a file
-- that repeats them. The company is in the hash, too. The day before it lets a file go to few
-- pages of the index. The predicate holds for every row, and the sum is in no other query, so
-- that no page is read by this index.
CREATE INDEX transactions_equal ON transactions
    (organization_id, (disposition_date + 0), hash_record(ROW(cvr, disposition_date, count, amount_dkk, reg_number, account_number, transfer_type)), delivery_file_id) WHERE record_index >= 0;

-- How many transactions of what sum a company has on each day, by transfer type. The
-- CVR '' stands for all companies. From these, a list of transactions knows its number,
-- its sum and its positions without counting. The ids of the transactions lie between
-- first_id and last_id, also after a deletion. The key has the number and the sum, because
-- a company's days each lie on a page of the table, and a list adds up all of them.
CREATE TABLE daily_totals (
    organization_id  uuid NOT NULL,
    cvr              text NOT NULL,
    disposition_date date NOT NULL,
    transfer_type    text NOT NULL,
    count            bigint NOT NULL CHECK (count > 0),
    amount_dkk       numeric(38, 2) NOT NULL,
    first_id         uuid NOT NULL,
    last_id          uuid NOT NULL,
    PRIMARY KEY (organization_id, cvr, disposition_date, transfer_type) INCLUDE (count, amount_dkk)
);

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
    withdrawn_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
    reason           text NOT NULL,
    -- The id of the withdrawal.
    change_id        uuid,
    PRIMARY KEY (organization_id, id),
    UNIQUE (organization_id, change_id)
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
    withdrawn_at     timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (organization_id, cvr, disposition_date, file_id)
);
CREATE INDEX withdrawn_totals_age ON withdrawn_totals (withdrawn_at);
CREATE INDEX withdrawn_totals_days ON withdrawn_totals (organization_id, file_id, disposition_date DESC, cvr);

-- Everything that writes companies, transactions, delivery files and withdrawals does so with
-- the functions below: turns_take first, then those that store and withdraw, and turns_end.
-- Imports call them as the operator. The service's role may not: sandbox_store and withdraw_aged
-- call them for it. There are no triggers. All totals are kept, not counted: the numbers and
-- sums of organizations, companies, files and days.

-- id_at returns a UUIDv7 (RFC 9562) of a millisecond: with 12 random bits, a place of 28 bits, which
-- is 0, and 32 random bits.
CREATE FUNCTION id_at(millis bigint) RETURNS uuid LANGUAGE sql VOLATILE AS $$
    SELECT (lpad(to_hex(millis), 12, '0') || '7' || substr(random, 14, 3) || '80000000' || left(random, 8))::uuid
    FROM replace(gen_random_uuid()::text, '-', '') random
$$;

-- id_after returns an id of the same millisecond at another place, so that ids rise by random steps
-- (RFC 9562, section 6.2). Its last 32 bits are random, unless they are given.
CREATE FUNCTION id_after(id uuid, place bigint, rest bigint DEFAULT floor(random() * 4294967296)) RETURNS uuid LANGUAGE sql VOLATILE AS $$
    SELECT (left(id::text, 19) || to_hex((-9223372036854775808) + (place << 32) + rest))::uuid
$$;

-- next_id returns an id that is greater than another: of the present time, or at the next place if the
-- clock has not moved on. If ahead is given, the id is at place 0 of a later millisecond: the next free
-- one plus ahead.
CREATE FUNCTION next_id(last uuid, ahead bigint DEFAULT NULL) RETURNS uuid LANGUAGE sql VOLATILE AS $$
    SELECT CASE WHEN ahead IS NULL AND clock <= past AND substr(digits, 17, 1) = '8' AND substr(digits, 18, 7) <> 'fffffff'
        THEN id_after(last, ('x0' || substr(digits, 18, 7))::bit(32)::bigint + 1) ELSE id_at(coalesce(ahead, 0) + greatest(clock, past + 1)) END
    FROM (
        SELECT digits, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS clock, ('x0000' || left(digits, 12))::bit(64)::bigint AS past
        FROM replace(last::text, '-', '') digits
    ) t
$$;

-- check_moved fails unless the names of the temporary tables mean those that the current role has
-- just made, and nobody else can write to them or attach anything to them. The caller of a function
-- that runs as the operator's role may have prepared a table of that name, whose triggers would run
-- as the operator. So every function that works with these tables calls it first.
CREATE FUNCTION check_moved() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF 4 <> (SELECT count(*) FROM pg_class
        WHERE oid IN (to_regclass('turns'), to_regclass('moved'), to_regclass('arriving_companies'), to_regclass('arriving_records'))
        AND relkind = 'r' AND relpersistence = 't' AND relowner = current_user::regrole
        AND relacl IS NULL AND NOT relhastriggers AND NOT relhasrules AND NOT relrowsecurity AND NOT relhassubclass) THEN
        RAISE EXCEPTION 'the temporary tables are not those that turns_take made for %', current_user USING ERRCODE = 'insufficient_privilege';
    END IF;
END
$$;

-- turns_take waits until nobody else writes for the organizations. Turns are taken in order of id,
-- so that two writers never wait for each other. It returns false if one of them does not exist.
-- It makes the tables that the functions below work with, which last until the transaction ends,
-- and fails if there is one of them.
CREATE FUNCTION turns_take(organizations uuid[]) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    taken bigint;
BEGIN
    -- What changes of the organizations. Their rows are updated last, so that they are not locked for long.
    CREATE TEMPORARY TABLE turns (organization_id uuid PRIMARY KEY, last_id uuid NOT NULL, companies bigint NOT NULL DEFAULT 0, files bigint NOT NULL DEFAULT 0,
        transactions bigint NOT NULL DEFAULT 0, amount_dkk numeric NOT NULL DEFAULT 0) ON COMMIT DROP;
    -- The transactions that were stored or removed, in groups.
    CREATE TEMPORARY TABLE moved (LIKE daily_totals, delivery_file_id uuid NOT NULL) ON COMMIT DROP;
    -- What is to be stored: all columns but those that the functions fill in.
    CREATE TEMPORARY TABLE arriving_companies ON COMMIT DROP AS SELECT 0::bigint AS line, c.* FROM companies c LIMIT 0;
    ALTER TABLE arriving_companies DROP organization_id, DROP id, DROP transaction_count, DROP total_amount_dkk, DROP created_at, DROP updated_at, DROP change_id;
    CREATE TEMPORARY TABLE arriving_records ON COMMIT DROP AS SELECT * FROM transactions LIMIT 0;
    ALTER TABLE arriving_records DROP id;
    PERFORM check_moved();

    PERFORM FROM writers w WHERE w.organization_id = ANY (organizations) ORDER BY w.organization_id FOR UPDATE;
    -- A statement of its own sees what was committed while the one above waited.
    INSERT INTO turns (organization_id, last_id) SELECT o.id, o.last_id FROM organizations o JOIN writers w ON w.organization_id = o.id WHERE o.id = ANY (organizations);
    GET DIAGNOSTICS taken = ROW_COUNT;
    RETURN taken = coalesce(cardinality(organizations), 0);
END
$$;

-- take_id returns an organization's next id. If places is given, the id is at place 0, and take_id
-- reserves that many places after it.
CREATE FUNCTION take_id(organization uuid, places bigint DEFAULT NULL) RETURNS uuid LANGUAGE plpgsql AS $$
DECLARE
    taken uuid;
BEGIN
    PERFORM check_moved();
    IF places NOT BETWEEN 0 AND (1 << 28) - 1 THEN
        RAISE EXCEPTION 'no room for % ids in one millisecond', places USING ERRCODE = 'program_limit_exceeded';
    END IF;
    SELECT next_id(t.last_id, CASE WHEN places IS NOT NULL THEN 0 END) INTO taken FROM turns t WHERE t.organization_id = organization;
    UPDATE turns t SET last_id = CASE WHEN places IS NULL THEN taken ELSE id_after(taken, places, 4294967295) END WHERE t.organization_id = organization;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'the turn of the organization % is not taken', organization USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN taken;
END
$$;

-- turns_end stores what has changed of the organizations, and increases their data versions. It
-- notifies the change feed, which hears of it when that commits. An organization has changed if its
-- last id has moved.
CREATE FUNCTION turns_end() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM check_moved();
    PERFORM pg_notify('dispo', 'data ' || o.id) FROM organizations o JOIN turns t ON t.organization_id = o.id AND t.last_id > o.last_id;
    UPDATE organizations o SET company_count = o.company_count + t.companies, delivery_file_count = o.delivery_file_count + t.files,
        transaction_count = o.transaction_count + t.transactions, total_amount_dkk = o.total_amount_dkk + t.amount_dkk, last_id = t.last_id,
        data_version = greatest(o.data_version + 1, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)
    FROM turns t WHERE t.organization_id = o.id AND t.last_id > o.last_id;
END
$$;

-- history_renew begins a new history of an organization's data, because the data may have
-- gone back in time. Ids and versions of what was lost may be with clients: those from now on
-- are greater. The lost ones followed the clocks of the machines that made them, or what stands
-- here, whichever was later. The day allows for clocks that differ, even by a time zone.
CREATE FUNCTION history_renew(organization uuid) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM writers w WHERE w.organization_id = organization FOR UPDATE; -- no import goes on with smaller ids
    UPDATE organizations o SET history = gen_random_uuid(), last_id = next_id(o.last_id, 86400000),
        data_version = greatest(o.data_version, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint) + 86400000000
    WHERE o.id = organization;
    PERFORM pg_notify('dispo', 'data ' || organization);
END
$$;

-- companies_store inserts the companies in the table arriving_companies, in the order of their
-- lines, or updates by CVR the given columns: all if given is null. A blank column with a default keeps
-- the stored value. It returns the CVRs of new companies, and how many were updated. What the program
-- computes from a name is updated if a newer program computes it differently, but that does not count
-- as a change of the company.
CREATE FUNCTION companies_store(organization uuid, given text[], OUT inserted text[], OUT updated bigint) LANGUAGE plpgsql AS $$
DECLARE
    columns   text;
    arriving  text;
    stored    text;
    excluded  text;
    remaining bigint;
BEGIN
    PERFORM check_moved();
    SELECT string_agg(quote_ident(a.attname), ', '), string_agg('c.' || quote_ident(a.attname), ', '), string_agg('excluded.' || quote_ident(a.attname), ', '),
        string_agg(CASE WHEN d.adbin IS NULL THEN format('a.%I', a.attname) ELSE format('coalesce(a.%1$I, c.%1$I, %2$s)', a.attname, pg_get_expr(d.adbin, d.adrelid)) END, ', ')
    INTO columns, stored, excluded, arriving
    FROM pg_attribute a JOIN pg_attribute arrived ON arrived.attrelid = 'arriving_companies'::regclass AND arrived.attname = a.attname AND arrived.attnum > 0
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE a.attrelid = 'companies'::regclass AND a.attname = ANY (coalesce(given, ARRAY[a.attname::text]));

    ANALYZE arriving_companies;
    UPDATE companies c SET folded_name = a.folded_name, sort_key = a.sort_key FROM arriving_companies a
    WHERE c.organization_id = organization AND c.cvr = a.cvr AND c.name = a.name AND (c.folded_name, c.sort_key) IS DISTINCT FROM (a.folded_name, a.sort_key);
    EXECUTE format('DELETE FROM arriving_companies a USING companies c WHERE c.organization_id = $1 AND c.cvr = a.cvr AND (%s) IS NOT DISTINCT FROM (%s)', arriving, stored) USING organization;
    SELECT count(*) INTO remaining FROM arriving_companies;
    IF remaining > 0 THEN
        EXECUTE format('WITH stored AS (
                INSERT INTO companies (organization_id, id, change_id, created_at, updated_at, %1$s)
                SELECT $1, a.id, a.id, $3, $3, %2$s FROM (SELECT *, id_after($2, row_number() OVER (ORDER BY line)) AS id FROM arriving_companies) a
                LEFT JOIN companies c ON c.organization_id = $1 AND c.cvr = a.cvr ORDER BY a.id
                ON CONFLICT (organization_id, cvr) DO UPDATE SET (%1$s, change_id, updated_at) = (%3$s, excluded.change_id, excluded.updated_at)
                RETURNING cvr, xmax = 0 AS new
            ) SELECT array_agg(cvr) FILTER (WHERE new), count(*) FILTER (WHERE NOT new) FROM stored', columns, arriving, excluded)
            INTO inserted, updated USING organization, take_id(organization, remaining), clock_timestamp();
        UPDATE turns t SET companies = t.companies + coalesce(cardinality(inserted), 0) WHERE t.organization_id = organization;
    END IF;
    inserted := coalesce(inserted, '{}');
    updated := coalesce(updated, 0);
END
$$;

-- file_open makes the file of a delivery in an organization, and returns its id. The ids of its
-- transactions follow it, by their places among so many lines.
CREATE FUNCTION file_open(organization uuid, delivery uuid, lines bigint) RETURNS uuid LANGUAGE sql VOLATILE AS $$
    INSERT INTO delivery_files (organization_id, id, last_id, delivery_id, filename, layout, processed_at)
    SELECT organization, id, id, delivery, filename, layout, clock_timestamp()
    FROM (SELECT take_id(organization, lines) AS id, d.filename, d.layout FROM deliveries d WHERE d.id = delivery) f RETURNING id
$$;

-- records_store stores the transactions in the table arriving_records, and empties it. They go to
-- files that were opened before. The caller then calls move_totals(1), once for all of them.
CREATE FUNCTION records_store() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    columns text := string_agg(quote_ident(attname), ', ') FROM pg_attribute WHERE attrelid = 'arriving_records'::regclass AND attnum > 0 AND NOT attisdropped;
BEGIN
    PERFORM check_moved();
    -- In the order of the primary key, which also keeps a company's records on few disk pages.
    EXECUTE format('INSERT INTO transactions (id, %1$s) SELECT id_after(delivery_file_id, record_index + 1), %1$s FROM arriving_records
        ORDER BY organization_id, cvr, delivery_file_id, record_index', columns);
    INSERT INTO moved (organization_id, cvr, disposition_date, transfer_type, count, amount_dkk, first_id, last_id, delivery_file_id)
    SELECT organization_id, cvr, disposition_date, transfer_type, count(*), sum(amount_dkk), id_after(delivery_file_id, min(record_index) + 1, 0),
        id_after(delivery_file_id, max(record_index) + 1, 4294967295), delivery_file_id
    FROM arriving_records GROUP BY organization_id, cvr, disposition_date, transfer_type, delivery_file_id;
    TRUNCATE arriving_records;
END
$$;

-- move_totals moves all totals by the transactions in the table moved, and empties it. sign is 1 if
-- they were stored, or -1 if they were removed with their files. It gives each file that arrived its
-- change: the file's transactions have their ids by now, so a client that has heard of the change finds
-- them all. It returns what each organization got or lost, with the first of the files.
CREATE FUNCTION move_totals(sign int) RETURNS TABLE (organization_id uuid, records bigint, amount numeric, first_date date, last_date date, file_id uuid) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    counted bigint;
BEGIN
    PERFORM check_moved();
    ANALYZE moved; -- nothing is known of a new table, and a nested loop over it would take forever
    UPDATE companies c SET transaction_count = c.transaction_count + sign * p.n, total_amount_dkk = c.total_amount_dkk + sign * p.amount
    FROM (SELECT organization_id, cvr, sum(count)::bigint AS n, sum(amount_dkk) AS amount FROM moved GROUP BY 1, 2) p
    WHERE c.organization_id = p.organization_id AND c.cvr = p.cvr;
    GET DIAGNOSTICS counted = ROW_COUNT;
    IF counted <> (SELECT count(*) FROM (SELECT DISTINCT organization_id, cvr FROM moved) d) THEN
        RAISE EXCEPTION 'transactions of a company that the organization does not have' USING ERRCODE = 'foreign_key_violation';
    END IF;

    IF sign > 0 THEN
        UPDATE delivery_files f SET record_count = f.record_count + p.n, total_amount_dkk = f.total_amount_dkk + p.amount, processed_at = clock_timestamp(),
            last_id = greatest(f.last_id, p.last_id), first_date = least(f.first_date, p.first_date), last_date = greatest(f.last_date, p.last_date), change_id = p.change_id
        FROM (
            SELECT m.*, take_id(organization_id) AS change_id FROM (
                SELECT organization_id, delivery_file_id, sum(count)::bigint AS n, sum(amount_dkk) AS amount, max(last_id::text COLLATE "C")::uuid AS last_id,
                    min(disposition_date) AS first_date, max(disposition_date) AS last_date
                FROM moved GROUP BY 1, 2 ORDER BY 1, 2
            ) m
        ) p WHERE f.organization_id = p.organization_id AND f.id = p.delivery_file_id;
        GET DIAGNOSTICS counted = ROW_COUNT;
        IF counted <> (SELECT count(*) FROM (SELECT DISTINCT organization_id, delivery_file_id FROM moved) d) THEN
            RAISE EXCEPTION 'transactions of a delivery file that the organization does not have' USING ERRCODE = 'foreign_key_violation';
        END IF;
        INSERT INTO daily_totals AS d (organization_id, cvr, disposition_date, transfer_type, count, amount_dkk, first_id, last_id)
        SELECT organization_id, coalesce(cvr, ''), disposition_date, transfer_type, sum(count)::bigint, sum(amount_dkk),
            min(first_id::text COLLATE "C")::uuid, max(last_id::text COLLATE "C")::uuid
        FROM moved GROUP BY GROUPING SETS ((organization_id, cvr, disposition_date, transfer_type), (organization_id, disposition_date, transfer_type))
        ORDER BY 1, 2, 3, 4
        ON CONFLICT (organization_id, cvr, disposition_date, transfer_type) DO UPDATE
        SET count = d.count + excluded.count, amount_dkk = d.amount_dkk + excluded.amount_dkk,
            first_id = least(d.first_id, excluded.first_id), last_id = greatest(d.last_id, excluded.last_id);
    ELSE
        WITH gone AS (
            SELECT organization_id, coalesce(cvr, '') AS cvr, disposition_date, transfer_type, sum(count)::bigint AS n, sum(amount_dkk) AS amount
            FROM moved GROUP BY GROUPING SETS ((organization_id, cvr, disposition_date, transfer_type), (organization_id, disposition_date, transfer_type))
        ), emptied AS (
            DELETE FROM daily_totals d USING gone g WHERE d.organization_id = g.organization_id AND d.cvr = g.cvr
                AND d.disposition_date = g.disposition_date AND d.transfer_type = g.transfer_type AND d.count = g.n
        )
        UPDATE daily_totals d SET count = d.count - g.n, amount_dkk = d.amount_dkk - g.amount FROM gone g
        WHERE d.organization_id = g.organization_id AND d.cvr = g.cvr
            AND d.disposition_date = g.disposition_date AND d.transfer_type = g.transfer_type AND d.count <> g.n;
    END IF;
    RETURN QUERY SELECT organization_id, sum(count)::bigint, sum(amount_dkk), min(disposition_date), max(disposition_date), min(delivery_file_id::text COLLATE "C")::uuid FROM moved GROUP BY 1;
    UPDATE turns t SET files = t.files + m.files, transactions = t.transactions + m.n, amount_dkk = t.amount_dkk + m.amount
    FROM (SELECT organization_id, greatest(sign, 0) * count(DISTINCT delivery_file_id) AS files, sign * sum(count) AS n, sign * sum(amount_dkk) AS amount FROM moved GROUP BY 1) m
    WHERE t.organization_id = m.organization_id;
    TRUNCATE moved;
END
$$;

-- withdraw_files removes what organizations have of a delivery, or one organization, and keeps what
-- there was in withdrawn_files and withdrawn_totals. What goes by its age must not stay known of each
-- company. The audit logs name who did it. It returns what move_totals does.
CREATE FUNCTION withdraw_files(delivery uuid, only_organization uuid, why text, actor text, address text)
    RETURNS TABLE (organization_id uuid, records bigint, amount numeric, first_date date, last_date date, file_id uuid) LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    PERFORM check_moved();
    INSERT INTO withdrawn_files (organization_id, id, filename, layout, record_count, total_amount_dkk, first_date, last_date, created_at, reason, change_id)
    SELECT organization_id, id, filename, layout, record_count, total_amount_dkk, first_date, last_date, created_at, why, CASE WHEN record_count > 0 THEN take_id(organization_id) END
    FROM (SELECT * FROM delivery_files WHERE delivery_id = delivery AND (only_organization IS NULL OR organization_id = only_organization) ORDER BY organization_id, id) f;
    WITH gone AS (
        DELETE FROM transactions t USING delivery_files f, companies c
        WHERE f.delivery_id = delivery AND (only_organization IS NULL OR f.organization_id = only_organization) AND c.organization_id = f.organization_id
            AND t.organization_id = f.organization_id AND t.cvr = c.cvr AND t.id > f.id AND t.id <= f.last_id AND t.delivery_file_id = f.id
        RETURNING t.organization_id, t.cvr, t.disposition_date, t.transfer_type, t.amount_dkk, t.delivery_file_id
    )
    INSERT INTO moved (organization_id, cvr, disposition_date, transfer_type, count, amount_dkk, first_id, last_id, delivery_file_id)
    SELECT organization_id, cvr, disposition_date, transfer_type, count(*), sum(amount_dkk), delivery_file_id, delivery_file_id, delivery_file_id
    FROM gone GROUP BY 1, 2, 3, 4, delivery_file_id;
    INSERT INTO withdrawn_totals (organization_id, cvr, disposition_date, file_id, count, amount_dkk)
    SELECT organization_id, coalesce(cvr, ''), disposition_date, delivery_file_id, sum(count), sum(amount_dkk) FROM moved
    GROUP BY GROUPING SETS ((organization_id, cvr, disposition_date, delivery_file_id), (organization_id, disposition_date, delivery_file_id)) HAVING cvr IS NULL OR why <> 'retention';
    DELETE FROM delivery_files WHERE delivery_id = delivery AND (only_organization IS NULL OR organization_id = only_organization);
    INSERT INTO audit_log (organization_id, id, user_email, action, subject, address)
    SELECT organization_id, next_id('00000000-0000-0000-0000-000000000000'), actor, 'delivery.withdraw',
        format('%s: %s of %s DKK. Reason: %s', d.filename, CASE m.n WHEN 1 THEN '1 transaction' ELSE m.n || ' transactions' END, m.amount, why), address
    FROM deliveries d, (SELECT organization_id, sum(count) AS n, sum(amount_dkk) AS amount FROM moved GROUP BY 1) m WHERE d.id = delivery;
    RETURN QUERY SELECT * FROM move_totals(-1);
END
$$;

-- withdraw_delivery marks a delivery as withdrawn, once its files are gone. It can be imported again.
-- It returns how many held records it has deleted.
CREATE FUNCTION withdraw_delivery(delivery uuid, why text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    held bigint;
BEGIN
    UPDATE deliveries SET withdrawn_at = clock_timestamp(), withdrawn_reason = why WHERE id = delivery;
    DELETE FROM delivery_withdrawals WHERE delivery_id = delivery;
    DELETE FROM delivery_bytes WHERE delivery_id = delivery;
    DELETE FROM held_records WHERE delivery_id = delivery;
    GET DIAGNOSTICS held = ROW_COUNT;
    RETURN held;
END
$$;

DO $$
DECLARE
    name regprocedure;
BEGIN
    FOR name IN SELECT oid FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND proname IN ('turns_take', 'turns_end', 'take_id', 'companies_store', 'file_open', 'records_store',
        'move_totals', 'withdraw_files', 'withdraw_delivery', 'history_renew') LOOP
        EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', name);
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO dispo_operator', name);
    END LOOP;
END
$$;

CREATE FUNCTION keep_held_records() RETURNS bigint
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT keep_batch('held_records', 'created_at', kept_before('held_records'))
$$;

CREATE FUNCTION keep_withdrawn_totals() RETURNS bigint
    LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
    SELECT keep_batch('withdrawn_totals', 'withdrawn_at', kept_before('withdrawn_totals'))
$$;

-- kept_since returns the day before which a delivery's last disposition date is too old. Null
-- means that none is.
CREATE FUNCTION kept_since() RETURNS date LANGUAGE sql STABLE AS $$
    SELECT (now() AT TIME ZONE 'UTC' - nullif(period, 'none')::interval)::date FROM kept_periods WHERE kind = 'transactions'
$$;

-- withdraw_aged withdraws what one organization has of one delivery that is too old, and returns the
-- number of its records: 0 if nothing is left to do. A client deletes a file whole, so it goes in one
-- transaction, however large it is. It writes no mail, because nobody has to do anything.
CREATE FUNCTION withdraw_aged() RETURNS bigint
    LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    aged record;
    gone bigint;
BEGIN
    IF NOT EXISTS (SELECT FROM deliveries d WHERE d.withdrawn_at IS NULL AND d.last_date < kept_since()) THEN
        RETURN 0;
    END IF;

    LOCK TABLE deliveries IN EXCLUSIVE MODE; -- as imports do
    SELECT f.delivery_id, f.organization_id INTO aged FROM deliveries d JOIN delivery_files f ON f.delivery_id = d.id
        JOIN organizations o ON o.id = f.organization_id AND o.deletion_started_at IS NULL
        WHERE d.withdrawn_at IS NULL AND d.last_date < kept_since() ORDER BY d.last_date, d.id, f.organization_id LIMIT 1;
    IF FOUND THEN
        PERFORM turns_take(ARRAY[aged.organization_id]);
        SELECT sum(records) INTO gone FROM withdraw_files(aged.delivery_id, aged.organization_id, 'retention', 'schedule', 'schedule');
        PERFORM turns_end();
    END IF;
    PERFORM withdraw_delivery(d.id, 'retention') FROM deliveries d WHERE d.withdrawn_at IS NULL AND d.last_date < kept_since()
        AND (aged.delivery_id IS NULL OR d.id = aged.delivery_id) AND NOT EXISTS (SELECT FROM delivery_files f WHERE f.delivery_id = d.id);
    RETURN coalesce(gone, 0);
END
$$;
-- +goose StatementEnd
