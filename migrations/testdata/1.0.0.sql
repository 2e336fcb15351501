--
-- PostgreSQL database dump
--


-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

--
-- Name: api_key_changed(); Type: FUNCTION; Schema: public; Owner: dispo
--

CREATE FUNCTION public.api_key_changed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM pg_notify('dispo', 'key ' || id) FROM unnest(ARRAY[coalesce(NEW.id, OLD.id), coalesce(NEW.successor_of, OLD.successor_of)]) id WHERE id IS NOT NULL;
    RETURN NULL;
END
$$;


ALTER FUNCTION public.api_key_changed() OWNER TO dispo;

--
-- Name: api_key_find(text, boolean); Type: FUNCTION; Schema: public; Owner: dispo_operator
--

CREATE FUNCTION public.api_key_find(wanted text, wanted_sandbox boolean) RETURNS TABLE(id uuid, organization_id uuid, secret_hash text, fingerprint bytea, expires_at timestamp with time zone, revoked_at timestamp with time zone, paused_at timestamp with time zone, suspended boolean, networks text, replaced boolean, limit_minute bigint, limit_hour bigint)
    LANGUAGE sql STABLE SECURITY DEFINER ROWS 1
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT k.id, k.organization_id, k.secret_hash, k.fingerprint, k.expires_at, k.revoked_at, k.paused_at, o.suspended_at IS NOT NULL, k.networks,
        EXISTS (SELECT FROM api_keys s WHERE s.successor_of = k.id AND s.revoked_at IS NULL AND s.paused_at IS NULL AND (s.expires_at IS NULL OR s.expires_at > now())), o.limit_minute, o.limit_hour
    FROM api_keys k JOIN organizations o ON o.id = k.organization_id AND o.sandbox = k.sandbox
    WHERE k.lookup_id = wanted AND k.sandbox = wanted_sandbox
$$;


ALTER FUNCTION public.api_key_find(wanted text, wanted_sandbox boolean) OWNER TO dispo_operator;

--
-- Name: api_key_revoked(); Type: FUNCTION; Schema: public; Owner: dispo_operator
--

CREATE FUNCTION public.api_key_revoked() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
    INSERT INTO erasures (kind, id) VALUES ('key', NEW.id);
    RETURN NULL;
END
$$;


ALTER FUNCTION public.api_key_revoked() OWNER TO dispo_operator;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: api_keys; Type: TABLE; Schema: public; Owner: dispo
--

CREATE TABLE public.api_keys (
    id uuid NOT NULL,
    organization_id uuid NOT NULL,
    sandbox boolean DEFAULT false NOT NULL,
    lookup_id text NOT NULL,
    secret_hash text NOT NULL,
    fingerprint bytea,
    hint text NOT NULL,
    name text NOT NULL,
    note text DEFAULT ''::text NOT NULL,
    created_by uuid,
    successor_of uuid,
    expires_at timestamp with time zone,
    expiry_notice_days integer,
    paused_at timestamp with time zone,
    restored_from timestamp with time zone,
    revoked_at timestamp with time zone,
    revoke_at timestamp with time zone,
    revoke_after_idle_days integer,
    revoke_scheduled_at timestamp with time zone,
    last_used_at timestamp with time zone,
    last_used_address text,
    last_used_user_agent text,
    tested_at timestamp with time zone,
    networks text DEFAULT ''::text NOT NULL,
    elsewhere_at timestamp with time zone,
    elsewhere_address text,
    elsewhere_mailed_at timestamp with time zone,
    leaked_at timestamp with time zone,
    leak_mailed_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT api_keys_check CHECK ((num_nonnulls(revoke_at, revoke_after_idle_days) = num_nonnulls(revoke_scheduled_at))),
    CONSTRAINT api_keys_expiry_notice_days_check CHECK ((expiry_notice_days = ANY (ARRAY[30, 7, 1]))),
    CONSTRAINT api_keys_fingerprint_check CHECK ((length(fingerprint) = 36)),
    CONSTRAINT api_keys_lookup_id_check CHECK ((lookup_id ~ '^[0-9A-Za-z]{12}$'::text)),
    CONSTRAINT api_keys_name_check CHECK ((name <> ''::text)),
    CONSTRAINT api_keys_networks_check CHECK (((networks = ''::text) OR (cardinality((string_to_array(networks, ','::text))::cidr[]) <= 50))),
    CONSTRAINT api_keys_note_check CHECK ((length(note) <= 500)),
    CONSTRAINT api_keys_revoke_after_idle_days_check CHECK (((revoke_after_idle_days >= 1) AND (revoke_after_idle_days <= 365))),
    CONSTRAINT api_keys_secret_hash_check CHECK ((secret_hash ~~ '$2_$%'::text))
);

ALTER TABLE ONLY public.api_keys FORCE ROW LEVEL SECURITY;


ALTER TABLE public.api_keys OWNER TO dispo;

--
-- Name: api_key_revokes_at(public.api_keys); Type: FUNCTION; Schema: public; Owner: dispo
--

CREATE FUNCTION public.api_key_revokes_at(key public.api_keys) RETURNS timestamp with time zone
    LANGUAGE sql STABLE
    AS $$
    SELECT coalesce(key.revoke_at, CASE WHEN key.restored_from IS NULL THEN greatest(key.revoke_scheduled_at, key.last_used_at) ELSE now() END
        + key.revoke_after_idle_days * interval '24 hours')
$$;


ALTER FUNCTION public.api_key_revokes_at(key public.api_keys) OWNER TO dispo;

--
-- Name: api_keys_due(timestamp with time zone); Type: FUNCTION; Schema: public; Owner: dispo_operator
--

CREATE FUNCTION public.api_keys_due(before timestamp with time zone) RETURNS TABLE(id uuid, organization_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT k.id, k.organization_id FROM api_keys k
    WHERE k.revoked_at IS NULL AND k.revoke_scheduled_at IS NOT NULL AND api_key_revokes_at(k) <= before ORDER BY k.id
$$;


ALTER FUNCTION public.api_keys_due(before timestamp with time zone) OWNER TO dispo_operator;

--
-- Name: api_keys_elsewhere(); Type: FUNCTION; Schema: public; Owner: dispo_operator
--

CREATE FUNCTION public.api_keys_elsewhere() RETURNS TABLE(id uuid, organization_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT k.id, k.organization_id FROM api_keys k
    WHERE k.elsewhere_at IS NOT NULL AND (k.elsewhere_mailed_at IS NULL OR k.elsewhere_at >= k.elsewhere_mailed_at + interval '24 hours') ORDER BY k.id
$$;


ALTER FUNCTION public.api_keys_elsewhere() OWNER TO dispo_operator;

--
-- Name: api_keys_expiring(); Type: FUNCTION; Schema: public; Owner: dispo_operator
--

CREATE FUNCTION public.api_keys_expiring() RETURNS TABLE(id uuid, organization_id uuid, days integer, days_left integer)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT k.id, k.organization_id, n.days, d.days_left
    FROM api_keys k JOIN organizations o ON o.id = k.organization_id
    CROSS JOIN LATERAL (SELECT now() AT TIME ZONE z AS now, ((k.expires_at - interval '1 microsecond') AT TIME ZONE z)::date AS last_day,
        (k.created_at AT TIME ZONE z)::date AS created FROM known_zone(o.time_zone) z) t
    CROSS JOIN LATERAL (SELECT t.last_day - t.now::date AS days_left, t.last_day - t.created AS days) d
    CROSS JOIN LATERAL (SELECT min(notice) AS days FROM unnest(ARRAY[30, 7, 1]) notice WHERE d.days_left <= notice) n
    WHERE k.revoked_at IS NULL AND k.paused_at IS NULL AND k.expires_at > now() AND k.expires_at <= now() + interval '32 days'
        AND o.suspended_at IS NULL AND (k.expiry_notice_days IS NULL OR k.expiry_notice_days > n.days)
        AND d.days > n.days AND t.now::time >= '07:00'
    ORDER BY k.expires_at, k.id
$$;


ALTER FUNCTION public.api_keys_expiring() OWNER TO dispo_operator;

--
-- Name: api_keys_find(text[]); Type: FUNCTION; Schema: public; Owner: dispo_operator
--

CREATE FUNCTION public.api_keys_find(wanted text[]) RETURNS TABLE(id uuid, organization_id uuid, lookup_id text, sandbox boolean, secret_hash text, fingerprint bytea)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT k.id, k.organization_id, k.lookup_id, k.sandbox, k.secret_hash, k.fingerprint
    FROM api_keys k WHERE k.lookup_id = ANY (wanted) AND k.revoked_at IS NULL
$$;


ALTER FUNCTION public.api_keys_find(wanted text[]) OWNER TO dispo_operator;

--
-- Name: api_keys_leaked(); Type: FUNCTION; Schema: public; Owner: dispo_operator
--

CREATE FUNCTION public.api_keys_leaked() RETURNS TABLE(id uuid, organization_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT k.id, k.organization_id FROM api_keys k JOIN organizations o ON o.id = k.organization_id
    WHERE k.leaked_at IS NOT NULL AND k.revoked_at IS NULL AND k.paused_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
        AND o.suspended_at IS NULL AND k.leak_mailed_at <= now() - interval '24 hours' ORDER BY k.id
$$;


ALTER FUNCTION public.api_keys_leaked() OWNER TO dispo_operator;

--
-- Name: api_keys_used(jsonb); Type: FUNCTION; Schema: public; Owner: dispo_operator
--

CREATE FUNCTION public.api_keys_used(used jsonb) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT FROM api_keys WHERE id IN (SELECT id FROM jsonb_populate_recordset(NULL::api_keys, used)) ORDER BY id FOR NO KEY UPDATE;
    UPDATE api_keys k
    SET last_used_at = u.last_used_at, last_used_address = u.last_used_address, last_used_user_agent = u.last_used_user_agent
    FROM jsonb_populate_recordset(NULL::api_keys, used) u WHERE k.id = u.id AND u.last_used_at > coalesce(k.last_used_at, '-infinity');
    UPDATE api_keys k SET tested_at = u.tested_at
    FROM jsonb_populate_recordset(NULL::api_keys, used) u WHERE k.id = u.id AND u.tested_at > coalesce(k.tested_at, '-infinity');
    UPDATE api_keys k SET elsewhere_at = u.elsewhere_at, elsewhere_address = u.elsewhere_address
    FROM jsonb_populate_recordset(NULL::api_keys, used) u WHERE k.id = u.id AND u.elsewhere_at > coalesce(k.elsewhere_at, '-infinity')
$$;


ALTER FUNCTION public.api_keys_used(used jsonb) OWNER TO dispo_operator;

--
-- Name: audit_log_append_only(); Type: FUNCTION; Schema: public; Owner: dispo
--

CREATE FUNCTION public.audit_log_append_only() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF current_user = 'dispo_keeper' AND TG_OP <> 'TRUNCATE' THEN
        RETURN NULL;
    END IF;
    RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'insufficient_privilege';
END
$$;


ALTER FUNCTION public.audit_log_append_only() OWNER TO dispo;

--
-- Name: audit_log_everywhere(uuid, uuid, uuid, text, text, text, text); Type: FUNCTION; Schema: public; Owner: dispo_operator
--

CREATE FUNCTION public.audit_log_everywhere(about uuid, id uuid, user_id uuid, user_email text, action text, subject text, address text) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $_$
    INSERT INTO audit_log (organization_id, id, user_id, user_email, action, subject, address)
    SELECT m.organization_id, $2, $3, $4, $5, $6, $7 FROM memberships m WHERE m.user_id = about ORDER BY m.organization_id
$_$;


ALTER FUNCTION public.audit_log_everywhere(about uuid, id uuid, user_id uuid, user_email text, action text, subject text, address text) OWNER TO dispo_operator;

--
-- Name: audit_log_forget(uuid, text); Type: FUNCTION; Schema: public; Owner: dispo_keeper
--

CREATE FUNCTION public.audit_log_forget(gone uuid, email text) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    UPDATE audit_log SET subject = without_email(subject, email), user_email = without_email(user_email, email),
        address = CASE WHEN user_id = gone OR user_email = email THEN '' ELSE address END
    WHERE user_id = gone OR user_email = email OR strpos(lower(subject), email) > 0
$$;


ALTER FUNCTION public.audit_log_forget(gone uuid, email text) OWNER TO dispo_keeper;

--
-- Name: check_moved(); Type: FUNCTION; Schema: public; Owner: dispo
--

CREATE FUNCTION public.check_moved() RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF 4 <> (SELECT count(*) FROM pg_class
        WHERE oid IN (to_regclass('turns'), to_regclass('moved'), to_regclass('arriving_companies'), to_regclass('arriving_records'))
        AND relkind = 'r' AND relpersistence = 't' AND relowner = current_user::regrole
        AND relacl IS NULL AND NOT relhastriggers AND NOT relhasrules AND NOT relrowsecurity AND NOT relhassubclass) THEN
        RAISE EXCEPTION 'the temporary tables are not those that turns_take made for %', current_user USING ERRCODE = 'insufficient_privilege';
    END IF;
END
$$;


ALTER FUNCTION public.check_moved() OWNER TO dispo;

--
-- Name: companies_store(uuid, text[]); Type: FUNCTION; Schema: public; Owner: dispo
--

CREATE FUNCTION public.companies_store(organization uuid, given text[], OUT inserted text[], OUT updated bigint) RETURNS record
    LANGUAGE plpgsql
    AS $_$
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
$_$;


ALTER FUNCTION public.companies_store(organization uuid, given text[], OUT inserted text[], OUT updated bigint) OWNER TO dispo;

--
-- Name: company_grams(uuid, text, text); Type: FUNCTION; Schema: public; Owner: dispo
--

CREATE FUNCTION public.company_grams(organization_id uuid, folded_name text, status text) RETURNS integer[]
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
    AS $$
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


ALTER FUNCTION public.company_grams(organization_id uuid, folded_name text, status text) OWNER TO dispo;

--
-- Name: company_matches(text, text, integer); Type: FUNCTION; Schema: public; Owner: dispo_operator
--

CREATE FUNCTION public.company_matches(wanted_text text, wanted_status text, wanted integer) RETURNS SETOF uuid
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_bitmapscan TO 'on'
    SET enable_seqscan TO 'off'
    AS $_$
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
$_$;


ALTER FUNCTION public.company_matches(wanted_text text, wanted_status text, wanted integer) OWNER TO dispo_operator;

--
-- Name: current_organization(); Type: FUNCTION; Schema: public; Owner: dispo
--

CREATE FUNCTION public.current_organization() RETURNS uuid
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN (NULLIF(current_setting('dispo.organization_id'::text, true), ''::text))::uuid;


ALTER FUNCTION public.current_organization() OWNER TO dispo;

--
-- Name: deliveries_counted(); Type: FUNCTION; Schema: public; Owner: dispo_operator
--

CREATE FUNCTION public.deliveries_counted() RETURNS TABLE(imported bigint, imported_records bigint, last_import bigint, refused bigint, refused_records bigint)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT count(*), coalesce(sum(record_count), 0)::bigint, coalesce(extract(epoch FROM max(created_at)), 0)::bigint,
        coalesce((SELECT deliveries FROM refused_deliveries), 0), coalesce((SELECT records FROM refused_deliveries), 0)
    FROM deliveries WHERE NOT sandbox
$$;


ALTER FUNCTION public.deliveries_counted() OWNER TO dispo_operator;

--
-- Name: deliveries_expected(); Type: FUNCTION; Schema: public; Owner: dispo_operator
--

CREATE FUNCTION public.deliveries_expected() RETURNS TABLE(organization_id uuid, time_zone text, expected_by text, expected_since timestamp with time zone, decided timestamp with time zone)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT o.id, o.time_zone, o.expected_by, o.expected_since,
        (SELECT max(n.starts_at) FROM delivery_notices n WHERE n.organization_id = o.id AND n.kind = 'delivery_late')
    FROM organizations o WHERE o.expected_by <> '' AND o.suspended_at IS NULL AND NOT o.sandbox ORDER BY o.id
$$;


ALTER FUNCTION public.deliveries_expected() OWNER TO dispo_operator;

--
-- Name: deliveries_undecided(timestamp with time zone); Type: FUNCTION; Schema: public; Owner: dispo_operator
--

CREATE FUNCTION public.deliveries_undecided(at timestamp with time zone) RETURNS TABLE(organization_id uuid, time_zone text, first_at timestamp with time zone)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT o.id, o.time_zone, min(f.created_at) FROM organizations o JOIN delivery_files f ON f.organization_id = o.id
    WHERE o.suspended_at IS NULL AND NOT o.sandbox AND f.created_at > at - interval '72 hours' AND f.created_at <= at - interval '1 hour'
        AND NOT EXISTS (SELECT FROM delivery_notices n WHERE n.organization_id = o.id AND n.kind = 'delivery_arrived'
            AND f.created_at >= n.starts_at AND f.created_at < n.ends_at)
    GROUP BY o.id ORDER BY o.id
$$;


ALTER FUNCTION public.deliveries_undecided(at timestamp with time zone) OWNER TO dispo_operator;

--
-- Name: erasures_keep(text); Type: FUNCTION; Schema: public; Owner: dispo_operator
--

CREATE FUNCTION public.erasures_keep(kept text) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    DELETE FROM erasure_files WHERE seen_at <= now() - interval '10 minutes';
    INSERT INTO erasure_files (file) VALUES (kept) ON CONFLICT (file) DO UPDATE SET seen_at = excluded.seen_at
$$;


ALTER FUNCTION public.erasures_keep(kept text) OWNER TO dispo_operator;

--
-- Name: erasures_take(); Type: FUNCTION; Schema: public; Owner: dispo_operator
--

CREATE FUNCTION public.erasures_take() RETURNS TABLE(at timestamp with time zone, kind text, id uuid, taken_back boolean)
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    WITH free AS MATERIALIZED (
        SELECT number FROM erasures FOR UPDATE SKIP LOCKED
    ), taken AS (
        DELETE FROM erasures e USING free WHERE e.number = free.number RETURNING e.*
    )
    SELECT t.at, t.kind, t.id, t.taken_back FROM taken t ORDER BY t.number
$$;


ALTER FUNCTION public.erasures_take() OWNER TO dispo_operator;

--
-- Name: erasures_waiting(); Type: FUNCTION; Schema: public; Owner: dispo_operator
--

CREATE FUNCTION public.erasures_waiting() RETURNS TABLE(lines bigint, since timestamp with time zone, files text)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT count(*), min(at), coalesce((SELECT string_agg(format('%s since %s', f.file, to_char(f.since AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI"Z"')), ', ' ORDER BY f.file)
        FROM erasure_files f WHERE f.seen_at > now() - interval '10 minutes'), '')
    FROM erasures WHERE at < now() - interval '1 minute'
$$;


ALTER FUNCTION public.erasures_waiting() OWNER TO dispo_operator;

--
-- Name: file_open(uuid, uuid, bigint); Type: FUNCTION; Schema: public; Owner: dispo
--

CREATE FUNCTION public.file_open(organization uuid, delivery uuid, lines bigint) RETURNS uuid
    LANGUAGE sql
    AS $$
    INSERT INTO delivery_files (organization_id, id, last_id, delivery_id, filename, layout, processed_at)
    SELECT organization, id, id, delivery, filename, layout, clock_timestamp()
    FROM (SELECT take_id(organization, lines) AS id, d.filename, d.layout FROM deliveries d WHERE d.id = delivery) f RETURNING id
$$;


ALTER FUNCTION public.file_open(organization uuid, delivery uuid, lines bigint) OWNER TO dispo;

--
-- Name: history_renew(uuid); Type: FUNCTION; Schema: public; Owner: dispo
--

CREATE FUNCTION public.history_renew(organization uuid) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM FROM writers w WHERE w.organization_id = organization FOR UPDATE; -- no import goes on with smaller ids
    UPDATE organizations o SET history = gen_random_uuid(), last_id = next_id(o.last_id, 86400000),
        data_version = greatest(o.data_version, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint) + 86400000000
    WHERE o.id = organization;
    PERFORM pg_notify('dispo', 'data ' || organization);
END
$$;


ALTER FUNCTION public.history_renew(organization uuid) OWNER TO dispo;

--
-- Name: id_after(uuid, bigint, bigint); Type: FUNCTION; Schema: public; Owner: dispo
--

CREATE FUNCTION public.id_after(id uuid, place bigint, rest bigint DEFAULT floor((random() * ('4294967296'::bigint)::double precision))) RETURNS uuid
    LANGUAGE sql
    AS $$
    SELECT (left(id::text, 19) || to_hex((-9223372036854775808) + (place << 32) + rest))::uuid
$$;


ALTER FUNCTION public.id_after(id uuid, place bigint, rest bigint) OWNER TO dispo;

--
-- Name: id_at(bigint); Type: FUNCTION; Schema: public; Owner: dispo
--

CREATE FUNCTION public.id_at(millis bigint) RETURNS uuid
    LANGUAGE sql
    AS $$
    SELECT (lpad(to_hex(millis), 12, '0') || '7' || substr(random, 14, 3) || '80000000' || left(random, 8))::uuid
    FROM replace(gen_random_uuid()::text, '-', '') random
$$;


ALTER FUNCTION public.id_at(millis bigint) OWNER TO dispo;

--
-- Name: invitation_find(bytea); Type: FUNCTION; Schema: public; Owner: dispo_operator
--

CREATE FUNCTION public.invitation_find(wanted bytea) RETURNS TABLE(id uuid, organization_id uuid, organization_name text, time_zone text, email text, role text, invited_by uuid, expires_at timestamp with time zone, mailed boolean)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT i.id, i.organization_id, o.name, o.time_zone, i.email, i.role, i.invited_by, i.expires_at, i.token_hash <> wanted
    FROM invitations i JOIN organizations o ON o.id = i.organization_id WHERE i.token_hash = wanted OR i.mail_token_hash = wanted
$$;


ALTER FUNCTION public.invitation_find(wanted bytea) OWNER TO dispo_operator;

--
-- Name: keep_as_set(jsonb, text); Type: FUNCTION; Schema: public; Owner: dispo
--

CREATE FUNCTION public.keep_as_set(settings jsonb, unset text) RETURNS text
    LANGUAGE sql
    AS $$
    WITH stored AS (
        UPDATE kept_periods k SET period = o.wanted
        FROM kept_otherwise((SELECT jsonb_object_agg(kind, coalesce(settings ->> kind, unset)) FROM kept_periods WHERE settings ? kind OR unset <> '')) o
        WHERE o.kind = k.kind RETURNING o.*
    )
    SELECT coalesce(string_agg(format('%s is %s now, and was %s', setting, wanted, period), E'\n'), '') FROM stored
$$;


ALTER FUNCTION public.keep_as_set(settings jsonb, unset text) OWNER TO dispo;

--
-- Name: keep_audit_log(); Type: FUNCTION; Schema: public; Owner: dispo_keeper
--

CREATE FUNCTION public.keep_audit_log() RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT keep_batch('audit_log', 'at', kept_before('audit_log'))
$$;


ALTER FUNCTION public.keep_audit_log() OWNER TO dispo_keeper;

--
-- Name: keep_batch(name, name, timestamp with time zone); Type: FUNCTION; Schema: public; Owner: dispo
--

CREATE FUNCTION public.keep_batch(relation name, age name, before timestamp with time zone) RETURNS bigint
    LANGUAGE plpgsql
    AS $_$
DECLARE
    deleted bigint;
BEGIN
    EXECUTE format('DELETE FROM %1$I WHERE %2$I < $1 AND ctid = ANY (ARRAY(SELECT ctid FROM %1$I WHERE %2$I < $1 ORDER BY %2$I LIMIT 1000))', relation, age) USING before;
    GET DIAGNOSTICS deleted = ROW_COUNT;
    RETURN deleted;
END
$_$;


ALTER FUNCTION public.keep_batch(relation name, age name, before timestamp with time zone) OWNER TO dispo;

--
-- Name: keep_callers(); Type: FUNCTION; Schema: public; Owner: dispo_keeper
--

CREATE FUNCTION public.keep_callers() RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT keep_batch('key_callers', 'last_seen', kept_before('callers')) + keep_batch('refused_requests', 'at', kept_before('callers'))
$$;


ALTER FUNCTION public.keep_callers() OWNER TO dispo_keeper;

--
-- Name: keep_held_records(); Type: FUNCTION; Schema: public; Owner: dispo_keeper
--

CREATE FUNCTION public.keep_held_records() RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT keep_batch('held_records', 'created_at', kept_before('held_records'))
$$;


ALTER FUNCTION public.keep_held_records() OWNER TO dispo_keeper;

--
-- Name: keep_mails(); Type: FUNCTION; Schema: public; Owner: dispo_keeper
--

CREATE FUNCTION public.keep_mails() RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT keep_batch('mails', 'created_at', kept_before('mails')) + keep_batch('delivery_notices', 'ends_at', kept_before('mails'))
$$;


ALTER FUNCTION public.keep_mails() OWNER TO dispo_keeper;

--
-- Name: keep_requests(); Type: FUNCTION; Schema: public; Owner: dispo_keeper
--

CREATE FUNCTION public.keep_requests() RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT keep_batch('served_requests', 'at', kept_before('requests'))
$$;


ALTER FUNCTION public.keep_requests() OWNER TO dispo_keeper;

--
-- Name: keep_sessions(); Type: FUNCTION; Schema: public; Owner: dispo_keeper
--

CREATE FUNCTION public.keep_sessions() RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT keep_batch('sessions', 'expires_at', kept_before('sessions')) + keep_batch('sessions', 'seen_at', kept_before('sessions') - interval '24 hours')
        + keep_batch('sign_in_failures', 'expires_at', now()) + keep_batch('password_requests', 'created_at', now() - interval '2 hours')
        + keep_batch('sign_in_states', 'expires_at', now())
        + keep_batch('password_links', 'expires_at', kept_before('sessions'))
        + keep_batch('invitations', 'expires_at', kept_before('sessions'))
$$;


ALTER FUNCTION public.keep_sessions() OWNER TO dispo_keeper;

--
-- Name: keep_usage(); Type: FUNCTION; Schema: public; Owner: dispo_keeper
--

CREATE FUNCTION public.keep_usage() RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
    before  timestamptz := kept_before('usage');
    deleted bigint;
BEGIN
    DELETE FROM key_usage WHERE ctid = ANY (ARRAY(SELECT ctid FROM key_usage WHERE by_day AND hour < before LIMIT 1000) || ARRAY(SELECT ctid FROM key_usage WHERE NOT by_day AND hour < before LIMIT 1000));
    GET DIAGNOSTICS deleted = ROW_COUNT;
    RETURN deleted;
END
$$;


ALTER FUNCTION public.keep_usage() OWNER TO dispo_keeper;

--
-- Name: keep_usage_hours(); Type: FUNCTION; Schema: public; Owner: dispo_keeper
--

CREATE FUNCTION public.keep_usage_hours() RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
    before timestamptz := kept_before('usage_hours');
    folded bigint;
BEGIN
    WITH gone AS (
        DELETE FROM key_usage WHERE ctid = ANY (ARRAY(SELECT ctid FROM key_usage WHERE NOT by_day AND hour < before ORDER BY hour LIMIT 1000)) RETURNING *
    ), days AS (
        INSERT INTO key_usage AS d (organization_id, hour, key_id, requests, refused, by_day)
        SELECT g.organization_id, date_trunc('day', g.hour, known_zone(o.time_zone)), g.key_id, sum(g.requests), sum(g.refused), true
        FROM gone g JOIN organizations o ON o.id = g.organization_id GROUP BY 1, 2, 3
        ON CONFLICT (organization_id, hour, key_id) DO UPDATE
        SET requests = d.requests + excluded.requests, refused = d.refused + excluded.refused, by_day = true
    )
    SELECT count(*) FROM gone INTO folded;
    RETURN folded;
END
$$;


ALTER FUNCTION public.keep_usage_hours() OWNER TO dispo_keeper;

--
-- Name: keep_withdrawn_totals(); Type: FUNCTION; Schema: public; Owner: dispo_keeper
--

CREATE FUNCTION public.keep_withdrawn_totals() RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT keep_batch('withdrawn_totals', 'withdrawn_at', kept_before('withdrawn_totals'))
$$;


ALTER FUNCTION public.keep_withdrawn_totals() OWNER TO dispo_keeper;

--
-- Name: kept_before(text); Type: FUNCTION; Schema: public; Owner: dispo
--

CREATE FUNCTION public.kept_before(wanted text) RETURNS timestamp with time zone
    LANGUAGE sql STABLE
    AS $$
    SELECT now() - nullif(period, 'none')::interval FROM kept_periods WHERE kind = wanted
$$;


ALTER FUNCTION public.kept_before(wanted text) OWNER TO dispo;

--
-- Name: kept_otherwise(jsonb); Type: FUNCTION; Schema: public; Owner: dispo
--

CREATE FUNCTION public.kept_otherwise(settings jsonb) RETURNS TABLE(kind text, setting text, period text, wanted text)
    LANGUAGE sql STABLE
    AS $$
    SELECT k.kind, 'DISPO_KEEP_' || upper(k.kind), k.period, w.wanted FROM kept_periods k JOIN jsonb_each_text(coalesce(settings, '{}')) s ON s.key = k.kind
        CROSS JOIN LATERAL (SELECT CASE s.value WHEN 'default' THEN k.default_period ELSE s.value END AS wanted) w
    WHERE w.wanted <> k.period ORDER BY k.kind
$$;


ALTER FUNCTION public.kept_otherwise(settings jsonb) OWNER TO dispo;

--
-- Name: kept_since(); Type: FUNCTION; Schema: public; Owner: dispo
--

CREATE FUNCTION public.kept_since() RETURNS date
    LANGUAGE sql STABLE
    AS $$
    SELECT (now() AT TIME ZONE 'UTC' - nullif(period, 'none')::interval)::date FROM kept_periods WHERE kind = 'transactions'
$$;


ALTER FUNCTION public.kept_since() OWNER TO dispo;

--
-- Name: key_callers_add(jsonb); Type: FUNCTION; Schema: public; Owner: dispo_operator
--

CREATE FUNCTION public.key_callers_add(added jsonb) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    INSERT INTO key_callers AS c (organization_id, key_id, address, client, user_agent, first_seen, last_seen, last_used, last_refused, requests, refused, row_count)
    SELECT organization_id, key_id, CASE WHEN room THEN address ELSE '' END, CASE WHEN room THEN client ELSE '' END, (array_agg(user_agent ORDER BY last_seen DESC))[1],
        min(first_seen), max(last_seen), max(last_used), max(last_refused), sum(requests), sum(refused), sum(coalesce(row_count, 0))
    FROM (
        SELECT u.*, e.key_id IS NOT NULL OR dense_rank() OVER (PARTITION BY u.key_id, e.key_id ORDER BY u.address DESC, u.client) + (SELECT count(*) FROM key_callers s
            WHERE s.organization_id = u.organization_id AND s.key_id = u.key_id AND s.address <> '') <= 100 AS room
        FROM jsonb_populate_recordset(NULL::key_callers, added) u JOIN api_keys k ON k.id = u.key_id AND k.organization_id = u.organization_id
        LEFT JOIN key_callers e ON e.organization_id = u.organization_id AND e.key_id = u.key_id AND e.address = u.address AND e.client = u.client
    ) n
    GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
    ON CONFLICT (organization_id, key_id, address, client) DO UPDATE
    SET user_agent = CASE WHEN excluded.last_seen >= c.last_seen THEN excluded.user_agent ELSE c.user_agent END,
        first_seen = least(c.first_seen, excluded.first_seen), last_seen = greatest(c.last_seen, excluded.last_seen),
        last_used = greatest(c.last_used, excluded.last_used), last_refused = greatest(c.last_refused, excluded.last_refused),
        requests = c.requests + excluded.requests, refused = c.refused + excluded.refused, row_count = c.row_count + excluded.row_count
$$;


ALTER FUNCTION public.key_callers_add(added jsonb) OWNER TO dispo_operator;

--
-- Name: key_usage_add(jsonb); Type: FUNCTION; Schema: public; Owner: dispo_operator
--

CREATE FUNCTION public.key_usage_add(added jsonb) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    INSERT INTO key_usage (organization_id, hour, key_id, requests, refused)
    SELECT k.organization_id, u.hour, k.id, u.requests, u.refused
    FROM jsonb_populate_recordset(NULL::key_usage, added) u JOIN api_keys k ON k.id = u.key_id AND k.organization_id = u.organization_id
    ORDER BY k.organization_id, u.hour, k.id
    ON CONFLICT (organization_id, hour, key_id) DO UPDATE
    SET requests = key_usage.requests + excluded.requests, refused = key_usage.refused + excluded.refused
$$;


ALTER FUNCTION public.key_usage_add(added jsonb) OWNER TO dispo_operator;

--
-- Name: known_zone(text); Type: FUNCTION; Schema: public; Owner: dispo
--

CREATE FUNCTION public.known_zone(name text) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
    PERFORM now() AT TIME ZONE name;
    RETURN name;
EXCEPTION WHEN invalid_parameter_value THEN
    RETURN 'UTC';
END
$$;


ALTER FUNCTION public.known_zone(name text) OWNER TO dispo;

--
-- Name: mail_account(uuid, uuid, text, jsonb); Type: FUNCTION; Schema: public; Owner: dispo_operator
--

CREATE FUNCTION public.mail_account(about uuid, id uuid, kind text, details jsonb) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $_$
    INSERT INTO mails (organization_id, id, kind, recipient, user_id, details)
    SELECT m.organization_id, $2, $3, u.email, u.id, $4 FROM users u JOIN memberships m ON m.user_id = u.id
    WHERE u.id = about ORDER BY m.created_at, m.organization_id LIMIT 1
$_$;


ALTER FUNCTION public.mail_account(about uuid, id uuid, kind text, details jsonb) OWNER TO dispo_operator;

--
-- Name: mail_claim(); Type: FUNCTION; Schema: public; Owner: dispo_operator
--

CREATE FUNCTION public.mail_claim() RETURNS TABLE(organization_id uuid, id uuid, kind text, recipient text, details jsonb, created_at timestamp with time zone, attempts integer, organization_name text, time_zone text, language text, member boolean)
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    WITH due AS (
        SELECT * FROM mails d WHERE sent_at IS NULL AND given_up_at IS NULL AND next_attempt_at <= now()
            AND EXISTS (SELECT FROM organizations o WHERE o.id = d.organization_id)
        ORDER BY kind IN ('password', 'unlock', 'provider_link', 'invitation', 'sign_in') DESC, next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED
    )
    SELECT m.organization_id, m.id, m.kind, m.recipient, m.details, m.created_at, m.attempts,
        o.name || CASE WHEN o.sandbox THEN ' (sandbox)' ELSE '' END, o.time_zone, coalesce(nullif(u.language, ''), u.browser_language, ''),
        m.user_id IS NULL OR u.disabled_at IS NULL AND EXISTS (SELECT FROM memberships s WHERE s.organization_id = m.organization_id AND s.user_id = m.user_id)
    FROM due m JOIN organizations o ON o.id = m.organization_id LEFT JOIN users u ON u.id = coalesce(m.user_id,
        (SELECT id FROM users WHERE email = m.recipient), (SELECT id FROM users WHERE email = m.details ->> 'inviter'),
        (SELECT s.user_id FROM memberships s WHERE s.organization_id = m.organization_id AND s.role = 'owner' ORDER BY s.created_at, s.user_id LIMIT 1))
$$;


ALTER FUNCTION public.mail_claim() OWNER TO dispo_operator;

--
-- Name: mail_settle(uuid, uuid, text, text, interval); Type: FUNCTION; Schema: public; Owner: dispo_operator
--

CREATE FUNCTION public.mail_settle(organization uuid, mail uuid, outcome text, server_answer text, pause interval) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    UPDATE mails SET attempts = attempts + 1, answer = server_answer, next_attempt_at = clock_timestamp() + pause,
        sent_at = CASE WHEN outcome = 'sent' THEN clock_timestamp() END, given_up_at = CASE WHEN outcome = 'never' THEN clock_timestamp() END
    WHERE organization_id = organization AND id = mail
$$;


ALTER FUNCTION public.mail_settle(organization uuid, mail uuid, outcome text, server_answer text, pause interval) OWNER TO dispo_operator;

--
-- Name: mail_tend(); Type: FUNCTION; Schema: public; Owner: dispo_operator
--

CREATE FUNCTION public.mail_tend() RETURNS TABLE(waiting bigint, given_up bigint)
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    INSERT INTO mail_senders (seen_at) VALUES (now()) ON CONFLICT (only_row) DO UPDATE SET seen_at = excluded.seen_at;
    DELETE FROM mails WHERE (organization_id, id) IN (SELECT m.organization_id, m.id FROM mails m
        WHERE m.sent_at IS NULL AND NOT EXISTS (SELECT FROM organizations o WHERE o.id = m.organization_id) FOR UPDATE SKIP LOCKED);
    SELECT count(*) FILTER (WHERE given_up_at IS NULL), count(*) FILTER (WHERE given_up_at IS NOT NULL AND created_at > now() - interval '30 days') FROM mails WHERE sent_at IS NULL
$$;


ALTER FUNCTION public.mail_tend() OWNER TO dispo_operator;

--
-- Name: move_totals(integer); Type: FUNCTION; Schema: public; Owner: dispo
--

CREATE FUNCTION public.move_totals(sign integer) RETURNS TABLE(organization_id uuid, records bigint, amount numeric, first_date date, last_date date, file_id uuid)
    LANGUAGE plpgsql
    AS $$
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


ALTER FUNCTION public.move_totals(sign integer) OWNER TO dispo;

--
-- Name: next_id(uuid, bigint); Type: FUNCTION; Schema: public; Owner: dispo
--

CREATE FUNCTION public.next_id(last uuid, ahead bigint DEFAULT NULL::bigint) RETURNS uuid
    LANGUAGE sql
    AS $$
    SELECT CASE WHEN ahead IS NULL AND clock <= past AND substr(digits, 17, 1) = '8' AND substr(digits, 18, 7) <> 'fffffff'
        THEN id_after(last, ('x0' || substr(digits, 18, 7))::bit(32)::bigint + 1) ELSE id_at(coalesce(ahead, 0) + greatest(clock, past + 1)) END
    FROM (
        SELECT digits, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS clock, ('x0000' || left(digits, 12))::bit(64)::bigint AS past
        FROM replace(last::text, '-', '') digits
    ) t
$$;


ALTER FUNCTION public.next_id(last uuid, ahead bigint) OWNER TO dispo;

--
-- Name: only_way_in(uuid, boolean); Type: FUNCTION; Schema: public; Owner: dispo_operator
--

CREATE FUNCTION public.only_way_in(wanted uuid, hold boolean) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
BEGIN
    IF hold THEN
        PERFORM FROM memberships m
        WHERE m.organization_id IN (SELECT organization_id FROM memberships WHERE user_id = wanted AND role = 'owner')
        ORDER BY m.organization_id, m.user_id FOR UPDATE;
    END IF;
    RETURN EXISTS (
        SELECT FROM memberships m JOIN sign_in_providers p ON p.organization_id = m.organization_id
        WHERE m.user_id = wanted AND m.role = 'owner' AND p.required AND NOT EXISTS (
            SELECT FROM memberships o JOIN users u ON u.id = o.user_id
            WHERE o.organization_id = m.organization_id AND o.role = 'owner' AND o.user_id <> wanted
                AND u.password_hash IS NOT NULL AND u.totp_secret IS NOT NULL AND u.disabled_at IS NULL));
END
$$;


ALTER FUNCTION public.only_way_in(wanted uuid, hold boolean) OWNER TO dispo_operator;

--
-- Name: organization_created(); Type: FUNCTION; Schema: public; Owner: dispo
--

CREATE FUNCTION public.organization_created() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO writers (organization_id) VALUES (NEW.id) ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;


ALTER FUNCTION public.organization_created() OWNER TO dispo;

--
-- Name: organization_erase(uuid, bigint, jsonb); Type: FUNCTION; Schema: public; Owner: dispo_keeper
--

CREATE FUNCTION public.organization_erase(gone uuid, most bigint, INOUT reached jsonb, OUT erased bigint) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_sort TO 'off'
    AS $_$
DECLARE
    after   jsonb := reached;
    resumed boolean := reached IS NOT NULL;
    name    text;
    own     text;
    keys    text; -- of a unique index that begins with the organization
    n       bigint;
BEGIN
    IF EXISTS (SELECT FROM organizations o WHERE o.id = gone AND o.deletion_started_at IS NULL) THEN
        RAISE EXCEPTION 'organization % is not being deleted', gone USING ERRCODE = 'insufficient_privilege';
    END IF;
    erased := 0;
    FOR name, own, keys IN
        SELECT t.name, t.own, (SELECT string_agg('x.' || pg_get_indexdef(indexrelid, k, true), ', ' ORDER BY k) FROM generate_series(1, indnkeyatts) k)
        FROM tenant_tables() t LEFT JOIN LATERAL (
            SELECT indexrelid, indnkeyatts FROM pg_index
            WHERE indrelid = t.name::regclass AND indisunique AND pg_get_indexdef(indexrelid, 1, true) = t.own ORDER BY NOT indisprimary, indexrelid LIMIT 1
        ) i ON true WHERE t.own IS NOT NULL AND t.name NOT IN ('organizations', 'memberships')
        ORDER BY t.name <> 'companies', t.name <> 'delivery_files', t.name = 'api_keys', t.name
    LOOP
        CONTINUE WHEN after ->> 'table' <> name;
        EXECUTE format('
            WITH batch AS (SELECT x.ctid AS place, %3$s FROM %1$I x WHERE %2$I = $1 %4$s ORDER BY %3$s LIMIT $2),
                deleted AS (DELETE FROM %1$I WHERE ctid = ANY (ARRAY(SELECT place FROM batch)))
            SELECT count(*), (SELECT to_jsonb(x) || $4 FROM batch x ORDER BY (%3$s) DESC LIMIT 1) FROM batch',
            name, own, keys, CASE WHEN after IS NOT NULL THEN format('AND (%2$s) > (SELECT %2$s FROM jsonb_populate_record(NULL::%1$I, $3) x)', name, keys) END)
            INTO n, reached USING gone, most - erased, after, jsonb_build_object('table', name);
        after := NULL;
        erased := erased + n;
        IF erased >= most THEN
            RETURN;
        END IF;
    END LOOP;
    IF resumed THEN
        n := erased;
        SELECT e.reached, n + e.erased FROM organization_erase(gone, most - n, NULL) e INTO reached, erased;
        RETURN;
    END IF;
    DELETE FROM sessions s WHERE s.organization_id = gone;
    DELETE FROM memberships m WHERE m.organization_id = gone;
    DELETE FROM organizations o WHERE o.id = gone;
    GET DIAGNOSTICS n = ROW_COUNT;
    PERFORM pg_notify('dispo', 'data ' || gone);
    erased := erased + n;
    reached := NULL;
END
$_$;


ALTER FUNCTION public.organization_erase(gone uuid, most bigint, INOUT reached jsonb, OUT erased bigint) OWNER TO dispo_keeper;

--
-- Name: organizations_of_user(uuid); Type: FUNCTION; Schema: public; Owner: dispo_operator
--

CREATE FUNCTION public.organizations_of_user(wanted uuid) RETURNS TABLE(organization_id uuid, slug text, name text, role text, suspended boolean, require_second_factor boolean, time_zone text, sandbox boolean, limit_minute bigint, limit_hour bigint, provider_enabled boolean, provider_required boolean, provider_trusted boolean)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT o.id, o.slug, o.name, m.role, o.suspended_at IS NOT NULL, o.require_second_factor, o.time_zone, o.sandbox, o.limit_minute, o.limit_hour,
        coalesce(p.enabled, false), coalesce(p.required, false), coalesce(p.second_factor_trusted, false)
    FROM memberships m JOIN organizations o ON o.id = m.organization_id LEFT JOIN sign_in_providers p ON p.organization_id = o.id
    WHERE m.user_id = wanted ORDER BY o.id
$$;


ALTER FUNCTION public.organizations_of_user(wanted uuid) OWNER TO dispo_operator;

--
-- Name: records_store(); Type: FUNCTION; Schema: public; Owner: dispo
--

CREATE FUNCTION public.records_store() RETURNS void
    LANGUAGE plpgsql
    AS $_$
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
$_$;


ALTER FUNCTION public.records_store() OWNER TO dispo;

--
-- Name: refused_requests_add(jsonb); Type: FUNCTION; Schema: public; Owner: dispo_operator
--

CREATE FUNCTION public.refused_requests_add(added jsonb) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    INSERT INTO refused_requests (organization_id, id, at, key_id, status, reason, method, path, address, user_agent)
    SELECT u.organization_id, u.id, u.at, u.key_id, u.status, u.reason, u.method, u.path, u.address, u.user_agent
    FROM jsonb_populate_recordset(NULL::refused_requests, added) u JOIN api_keys k ON k.id = u.key_id AND k.organization_id = u.organization_id;
    DELETE FROM refused_requests r WHERE (r.organization_id, r.id) IN (
        SELECT d.organization_id, d.id
        FROM (SELECT DISTINCT organization_id FROM jsonb_populate_recordset(NULL::refused_requests, added)) o
        CROSS JOIN LATERAL (SELECT k.id FROM refused_requests k WHERE k.organization_id = o.organization_id ORDER BY k.id DESC OFFSET 99 LIMIT 1) oldest
        JOIN refused_requests d ON d.organization_id = o.organization_id AND d.id < oldest.id
        FOR UPDATE OF d SKIP LOCKED)
$$;


ALTER FUNCTION public.refused_requests_add(added jsonb) OWNER TO dispo_operator;

--
-- Name: rights_to_correct(); Type: FUNCTION; Schema: public; Owner: dispo
--

CREATE FUNCTION public.rights_to_correct() RETURNS SETOF text
    LANGUAGE sql STABLE
    AS $$
    WITH database AS (
        SELECT oid, format('DATABASE %I', datname) AS object, coalesce(datacl, acldefault('d', datdba)) AS acl FROM pg_database WHERE datname = current_database()
    ), granted AS (
        SELECT object, 'CONNECT' AS allowed, a.* FROM database, aclexplode(acl) a
        UNION ALL
        SELECT 'SCHEMA public', 'USAGE', a.* FROM pg_namespace, aclexplode(nspacl) a WHERE nspname = 'public'
        UNION ALL
        SELECT CASE c.relkind WHEN 'S' THEN 'SEQUENCE ' ELSE '' END || c.oid::regclass,
            CASE WHEN c.relkind NOT IN ('r', 'p') THEN '' WHEN c.relname = 'kept_periods' THEN 'SELECT' WHEN t.name IS NULL THEN 'SELECT, INSERT, UPDATE, DELETE' ELSE coalesce(t.rights, '') END, a.*
        FROM pg_class c LEFT JOIN tenant_tables() t ON t.name = c.relname, LATERAL (
            SELECT * FROM aclexplode(c.relacl)
            UNION ALL
            SELECT x.grantor, x.grantee, format('%s (%I)', x.privilege_type, attname), x.is_grantable
            FROM pg_attribute, aclexplode(attacl) x WHERE attrelid = c.oid
        ) a
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
        AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = c.oid AND deptype = 'e') -- extensions may let everybody read their views
    ), excess AS (
        SELECT object, allowed, CASE grantee WHEN 0 THEN 'PUBLIC' ELSE 'dispo_app' END AS grantee, string_agg(privilege_type, ', ' ORDER BY privilege_type) AS rights
        FROM granted, LATERAL (SELECT split_part(privilege_type, ' ', 1) AS kind, substring(privilege_type FROM '\((.*)\)') AS of_column) p
        WHERE grantee IN (0, 'dispo_app'::regrole)
        AND allowed !~ ('\m' || kind || '\M(?! \()') -- a right to some columns is not one to all
        AND (of_column IS NULL OR allowed !~ ('\m' || kind || ' \([^)]*\m' || of_column || '\M'))
        GROUP BY 1, 2, 3
    )
    SELECT 'ALTER ROLE dispo_app NOSUPERUSER NOBYPASSRLS NOCREATEROLE NOCREATEDB NOREPLICATION' FROM pg_roles
    WHERE rolname = 'dispo_app' AND (rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb OR rolreplication)
    UNION ALL
    SELECT format('REVOKE %s FROM dispo_app', roleid::regrole) FROM pg_auth_members WHERE member = 'dispo_app'::regrole
    UNION ALL
    SELECT DISTINCT 'REASSIGN OWNED BY dispo_app TO CURRENT_USER' FROM pg_shdepend s, database d
    WHERE s.refobjid = 'dispo_app'::regrole AND s.deptype = 'o' AND s.classid <> 'pg_largeobject'::regclass AND (s.dbid = d.oid OR s.dbid = 0 AND s.objid = d.oid)
    UNION ALL
    SELECT 'GRANT TEMPORARY ON ' || object || ' TO dispo_operator' FROM database
    WHERE NOT EXISTS (SELECT FROM aclexplode(acl) WHERE grantee = 'dispo_operator'::regrole AND privilege_type = 'TEMPORARY')
    UNION ALL
    -- Taking away a right to a table takes away those to its columns.
    SELECT format('REVOKE %s ON %s FROM %s', rights, object, grantee) || CASE WHEN allowed LIKE '%(%' THEN format('; GRANT %s ON %s TO dispo_app', allowed, object) ELSE '' END
    FROM excess
$$;


ALTER FUNCTION public.rights_to_correct() OWNER TO dispo;

--
-- Name: sandbox_store(uuid, date, jsonb); Type: FUNCTION; Schema: public; Owner: dispo_operator
--

CREATE FUNCTION public.sandbox_store(organization uuid, new_day date, made jsonb) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
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


ALTER FUNCTION public.sandbox_store(organization uuid, new_day date, made jsonb) OWNER TO dispo_operator;

--
-- Name: sandboxes_due(date); Type: FUNCTION; Schema: public; Owner: dispo_operator
--

CREATE FUNCTION public.sandboxes_due(through date) RETURNS TABLE(organization_id uuid)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT id FROM organizations WHERE sandbox AND sandbox_day < through AND deletion_started_at IS NULL ORDER BY id
$$;


ALTER FUNCTION public.sandboxes_due(through date) OWNER TO dispo_operator;

--
-- Name: served_requests_add(jsonb); Type: FUNCTION; Schema: public; Owner: dispo_operator
--

CREATE FUNCTION public.served_requests_add(added jsonb) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    INSERT INTO served_requests (organization_id, key_id, id, at, address, client, user_agent, path, status, row_count, bulk)
    SELECT k.organization_id, k.id, u.id, u.at, coalesce(c.address, ''), coalesce(c.client, ''), CASE WHEN c.address <> '' THEN u.user_agent ELSE '' END, u.path, u.status, u.row_count, coalesce(u.bulk, false)
    FROM jsonb_populate_recordset(NULL::served_requests, added) u JOIN api_keys k ON k.id = u.key_id AND k.organization_id = u.organization_id
    LEFT JOIN key_callers c ON c.organization_id = k.organization_id AND c.key_id = k.id AND c.address = u.address AND c.client = u.client;
    DELETE FROM served_requests r WHERE (r.organization_id, r.key_id, r.id) IN (
        SELECT d.organization_id, d.key_id, d.id
        FROM (SELECT DISTINCT s.organization_id, s.key_id, s.address, s.client FROM jsonb_populate_recordset(NULL::served_requests, added) u
            JOIN served_requests s ON s.organization_id = u.organization_id AND s.key_id = u.key_id AND s.id = u.id) c
        CROSS JOIN LATERAL (SELECT k.id FROM served_requests k WHERE (k.organization_id, k.key_id, k.address, k.client) = (c.organization_id, c.key_id, c.address, c.client)
            ORDER BY k.id DESC OFFSET 199 LIMIT 1) oldest
        JOIN served_requests d ON (d.organization_id, d.key_id, d.address, d.client) = (c.organization_id, c.key_id, c.address, c.client) AND d.id < oldest.id
        FOR UPDATE OF d SKIP LOCKED)
$$;


ALTER FUNCTION public.served_requests_add(added jsonb) OWNER TO dispo_operator;

--
-- Name: sign_in_organization(text); Type: FUNCTION; Schema: public; Owner: dispo_operator
--

CREATE FUNCTION public.sign_in_organization(wanted text) RETURNS uuid
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT o.id FROM organizations o JOIN sign_in_providers p ON p.organization_id = o.id WHERE o.slug = wanted AND p.enabled AND o.suspended_at IS NULL
$$;


ALTER FUNCTION public.sign_in_organization(wanted text) OWNER TO dispo_operator;

--
-- Name: sign_in_secrets(); Type: FUNCTION; Schema: public; Owner: dispo_operator
--

CREATE FUNCTION public.sign_in_secrets() RETURNS TABLE(organization_id uuid, client_secret bytea)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT organization_id, client_secret FROM sign_in_providers
$$;


ALTER FUNCTION public.sign_in_secrets() OWNER TO dispo_operator;

--
-- Name: take_id(uuid, bigint); Type: FUNCTION; Schema: public; Owner: dispo
--

CREATE FUNCTION public.take_id(organization uuid, places bigint DEFAULT NULL::bigint) RETURNS uuid
    LANGUAGE plpgsql
    AS $$
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


ALTER FUNCTION public.take_id(organization uuid, places bigint) OWNER TO dispo;

--
-- Name: tenant_tables(); Type: FUNCTION; Schema: public; Owner: dispo
--

CREATE FUNCTION public.tenant_tables() RETURNS TABLE(name text, own text, rights text)
    LANGUAGE sql IMMUTABLE
    AS $$
    VALUES
        ('organizations', 'id', 'SELECT, UPDATE (name, time_zone, notification_address, expected_by, expected_since, require_second_factor, tell_of_leaks)'),
        ('memberships', 'organization_id', 'SELECT, INSERT, UPDATE, DELETE'),
        ('invitations', 'organization_id', 'SELECT, INSERT, DELETE'),
        ('sign_in_providers', 'organization_id', 'SELECT, INSERT, UPDATE, DELETE'),
        ('sign_in_links', 'organization_id', 'SELECT, INSERT, UPDATE, DELETE'),
        ('sign_in_states', 'organization_id', 'INSERT'),
        ('audit_log', 'organization_id', 'SELECT, INSERT'),
        ('companies', 'organization_id', 'SELECT'),
        ('delivery_files', 'organization_id', 'SELECT'),
        ('transactions', 'organization_id', 'SELECT'),
        ('daily_totals', 'organization_id', 'SELECT'),
        ('withdrawn_files', 'organization_id', 'SELECT'),
        ('withdrawn_totals', 'organization_id', 'SELECT'),
        ('held_records', 'only_organization_id', 'SELECT'), -- records that wait for a company of one organization only concern that one
        ('delivery_withdrawals', 'organization_id', NULL),
        ('writers', 'organization_id', NULL),
        ('deliveries', NULL, NULL),
        ('delivery_names', NULL, NULL),
        ('delivery_bytes', NULL, NULL),
        ('api_keys', 'organization_id', 'SELECT, INSERT, UPDATE'),
        ('key_usage', 'organization_id', 'SELECT'),
        ('key_callers', 'organization_id', 'SELECT, UPDATE (dismissed_at)'),
        ('refused_requests', 'organization_id', 'SELECT'),
        ('served_requests', 'organization_id', 'SELECT'),
        ('running_tasks', 'organization_id', 'SELECT, INSERT, UPDATE, DELETE'),
        ('erasures', NULL, NULL),
        ('erasure_files', NULL, NULL),
        ('mails', 'organization_id', 'INSERT'),
        ('delivery_notices', 'organization_id', 'SELECT, INSERT')
$$;


ALTER FUNCTION public.tenant_tables() OWNER TO dispo;

--
-- Name: turns_end(); Type: FUNCTION; Schema: public; Owner: dispo
--

CREATE FUNCTION public.turns_end() RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM check_moved();
    PERFORM pg_notify('dispo', 'data ' || o.id) FROM organizations o JOIN turns t ON t.organization_id = o.id AND t.last_id > o.last_id;
    UPDATE organizations o SET company_count = o.company_count + t.companies, delivery_file_count = o.delivery_file_count + t.files,
        transaction_count = o.transaction_count + t.transactions, total_amount_dkk = o.total_amount_dkk + t.amount_dkk, last_id = t.last_id,
        data_version = greatest(o.data_version + 1, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)
    FROM turns t WHERE t.organization_id = o.id AND t.last_id > o.last_id;
END
$$;


ALTER FUNCTION public.turns_end() OWNER TO dispo;

--
-- Name: turns_take(uuid[]); Type: FUNCTION; Schema: public; Owner: dispo
--

CREATE FUNCTION public.turns_take(organizations uuid[]) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
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


ALTER FUNCTION public.turns_take(organizations uuid[]) OWNER TO dispo;

--
-- Name: withdraw_aged(); Type: FUNCTION; Schema: public; Owner: dispo_operator
--

CREATE FUNCTION public.withdraw_aged() RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
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


ALTER FUNCTION public.withdraw_aged() OWNER TO dispo_operator;

--
-- Name: withdraw_delivery(uuid, text); Type: FUNCTION; Schema: public; Owner: dispo
--

CREATE FUNCTION public.withdraw_delivery(delivery uuid, why text) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
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


ALTER FUNCTION public.withdraw_delivery(delivery uuid, why text) OWNER TO dispo;

--
-- Name: withdraw_files(uuid, uuid, text, text, text); Type: FUNCTION; Schema: public; Owner: dispo
--

CREATE FUNCTION public.withdraw_files(delivery uuid, only_organization uuid, why text, actor text, address text) RETURNS TABLE(organization_id uuid, records bigint, amount numeric, first_date date, last_date date, file_id uuid)
    LANGUAGE plpgsql
    AS $$
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


ALTER FUNCTION public.withdraw_files(delivery uuid, only_organization uuid, why text, actor text, address text) OWNER TO dispo;

--
-- Name: without_email(text, text); Type: FUNCTION; Schema: public; Owner: dispo
--

CREATE FUNCTION public.without_email(value text, email text) RETURNS text
    LANGUAGE sql IMMUTABLE
    RETURN regexp_replace(value, (('(?<![[:alnum:]!#$%&''*+/=?^_`{|}~.@-])'::text || regexp_replace(email, '([^[:alnum:]])'::text, '\\\1'::text, 'g'::text)) || '(?![[:alnum:]@-]|\.[[:alnum:]])'::text), 'a deleted user'::text, 'gi'::text);


ALTER FUNCTION public.without_email(value text, email text) OWNER TO dispo;

--
-- Name: audit_log; Type: TABLE; Schema: public; Owner: dispo
--

CREATE TABLE public.audit_log (
    organization_id uuid NOT NULL,
    id uuid NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    user_id uuid,
    user_email text NOT NULL,
    action text NOT NULL,
    subject text NOT NULL,
    address text NOT NULL,
    key_id uuid
);

ALTER TABLE ONLY public.audit_log FORCE ROW LEVEL SECURITY;


ALTER TABLE public.audit_log OWNER TO dispo;

--
-- Name: companies; Type: TABLE; Schema: public; Owner: dispo
--

CREATE TABLE public.companies (
    organization_id uuid NOT NULL,
    id uuid NOT NULL,
    cvr text NOT NULL,
    name text NOT NULL,
    folded_name text NOT NULL COLLATE pg_catalog."C",
    sort_key bytea NOT NULL,
    address text,
    start_date date DEFAULT ((clock_timestamp() AT TIME ZONE 'UTC'::text))::date NOT NULL,
    end_date date DEFAULT '9999-12-31'::date NOT NULL,
    status text DEFAULT 'CREATED'::text NOT NULL,
    sender_reg_number text,
    sender_account_number text,
    receiver_reg_number text,
    receiver_account_number text,
    default_amount_cents bigint,
    transaction_count bigint DEFAULT 0 NOT NULL,
    total_amount_dkk numeric(38,2) DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    updated_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    change_id uuid NOT NULL,
    CONSTRAINT companies_cvr_check CHECK ((cvr ~ '^[0-9]{8}$'::text)),
    CONSTRAINT companies_default_amount_cents_check CHECK (((default_amount_cents >= '-99999999999999'::bigint) AND (default_amount_cents <= '99999999999999'::bigint))),
    CONSTRAINT companies_name_check CHECK ((name <> ''::text)),
    CONSTRAINT companies_receiver_account_number_check CHECK ((receiver_account_number ~ '^[0-9]{1,10}$'::text)),
    CONSTRAINT companies_receiver_reg_number_check CHECK ((receiver_reg_number ~ '^[0-9]{4}$'::text)),
    CONSTRAINT companies_sender_account_number_check CHECK ((sender_account_number ~ '^[0-9]{1,10}$'::text)),
    CONSTRAINT companies_sender_reg_number_check CHECK ((sender_reg_number ~ '^[0-9]{4}$'::text)),
    CONSTRAINT companies_status_check CHECK ((status = ANY (ARRAY['CREATED'::text, 'REGISTERED'::text, 'MODIFIED'::text, 'TERMINATED'::text, 'REJECTED'::text]))),
    CONSTRAINT companies_transaction_count_check CHECK ((transaction_count >= 0))
)
WITH (fillfactor='80');

ALTER TABLE ONLY public.companies FORCE ROW LEVEL SECURITY;


ALTER TABLE public.companies OWNER TO dispo;

--
-- Name: daily_totals; Type: TABLE; Schema: public; Owner: dispo
--

CREATE TABLE public.daily_totals (
    organization_id uuid NOT NULL,
    cvr text NOT NULL,
    disposition_date date NOT NULL,
    transfer_type text NOT NULL,
    count bigint NOT NULL,
    amount_dkk numeric(38,2) NOT NULL,
    first_id uuid NOT NULL,
    last_id uuid NOT NULL,
    CONSTRAINT daily_totals_count_check CHECK ((count > 0))
);

ALTER TABLE ONLY public.daily_totals FORCE ROW LEVEL SECURITY;


ALTER TABLE public.daily_totals OWNER TO dispo;

--
-- Name: deliveries; Type: TABLE; Schema: public; Owner: dispo
--

CREATE TABLE public.deliveries (
    id uuid NOT NULL,
    number bigint NOT NULL,
    sandbox boolean DEFAULT false NOT NULL,
    filename text NOT NULL,
    layout text NOT NULL,
    records_sha256 bytea,
    record_count bigint NOT NULL,
    total_amount_dkk numeric(38,2) NOT NULL,
    first_date date,
    last_date date,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    withdrawn_at timestamp with time zone,
    withdrawn_reason text,
    CONSTRAINT deliveries_check CHECK (((withdrawn_at IS NULL) = (withdrawn_reason IS NULL))),
    CONSTRAINT deliveries_record_count_check CHECK ((record_count >= 0)),
    CONSTRAINT deliveries_records_sha256_check CHECK ((length(records_sha256) = 32))
);

ALTER TABLE ONLY public.deliveries FORCE ROW LEVEL SECURITY;


ALTER TABLE public.deliveries OWNER TO dispo;

--
-- Name: deliveries_number_seq; Type: SEQUENCE; Schema: public; Owner: dispo
--

ALTER TABLE public.deliveries ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.deliveries_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: delivery_bytes; Type: TABLE; Schema: public; Owner: dispo
--

CREATE TABLE public.delivery_bytes (
    sha256 bytea NOT NULL,
    delivery_id uuid NOT NULL,
    CONSTRAINT delivery_bytes_sha256_check CHECK ((length(sha256) = 32))
);

ALTER TABLE ONLY public.delivery_bytes FORCE ROW LEVEL SECURITY;


ALTER TABLE public.delivery_bytes OWNER TO dispo;

--
-- Name: delivery_files; Type: TABLE; Schema: public; Owner: dispo
--

CREATE TABLE public.delivery_files (
    organization_id uuid NOT NULL,
    id uuid NOT NULL,
    last_id uuid NOT NULL,
    delivery_id uuid NOT NULL,
    number bigint NOT NULL,
    filename text NOT NULL,
    layout text NOT NULL,
    record_count bigint DEFAULT 0 NOT NULL,
    total_amount_dkk numeric(38,2) DEFAULT 0 NOT NULL,
    first_date date,
    last_date date,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    processed_at timestamp with time zone,
    change_id uuid,
    CONSTRAINT delivery_files_record_count_check CHECK ((record_count >= 0))
);

ALTER TABLE ONLY public.delivery_files FORCE ROW LEVEL SECURITY;


ALTER TABLE public.delivery_files OWNER TO dispo;

--
-- Name: delivery_files_number_seq; Type: SEQUENCE; Schema: public; Owner: dispo
--

ALTER TABLE public.delivery_files ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.delivery_files_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: delivery_names; Type: TABLE; Schema: public; Owner: dispo
--

CREATE TABLE public.delivery_names (
    delivery_id uuid NOT NULL,
    "position" integer NOT NULL,
    name text NOT NULL,
    CONSTRAINT delivery_names_name_check CHECK ((name <> ''::text))
);

ALTER TABLE ONLY public.delivery_names FORCE ROW LEVEL SECURITY;


ALTER TABLE public.delivery_names OWNER TO dispo;

--
-- Name: delivery_notices; Type: TABLE; Schema: public; Owner: dispo
--

CREATE TABLE public.delivery_notices (
    organization_id uuid NOT NULL,
    kind text NOT NULL,
    starts_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    CONSTRAINT delivery_notices_check CHECK ((ends_at >= starts_at)),
    CONSTRAINT delivery_notices_kind_check CHECK ((kind = ANY (ARRAY['delivery_arrived'::text, 'delivery_late'::text])))
);

ALTER TABLE ONLY public.delivery_notices FORCE ROW LEVEL SECURITY;


ALTER TABLE public.delivery_notices OWNER TO dispo;

--
-- Name: delivery_withdrawals; Type: TABLE; Schema: public; Owner: dispo
--

CREATE TABLE public.delivery_withdrawals (
    organization_id uuid NOT NULL,
    delivery_id uuid NOT NULL,
    reason text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

ALTER TABLE ONLY public.delivery_withdrawals FORCE ROW LEVEL SECURITY;


ALTER TABLE public.delivery_withdrawals OWNER TO dispo;

--
-- Name: erasure_files; Type: TABLE; Schema: public; Owner: dispo
--

CREATE TABLE public.erasure_files (
    file text NOT NULL,
    since timestamp with time zone DEFAULT now() NOT NULL,
    seen_at timestamp with time zone DEFAULT now() NOT NULL
);

ALTER TABLE ONLY public.erasure_files FORCE ROW LEVEL SECURITY;


ALTER TABLE public.erasure_files OWNER TO dispo;

--
-- Name: erasures; Type: TABLE; Schema: public; Owner: dispo
--

CREATE TABLE public.erasures (
    number bigint NOT NULL,
    at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    kind text NOT NULL,
    id uuid NOT NULL,
    taken_back boolean DEFAULT false NOT NULL,
    CONSTRAINT erasures_kind_check CHECK ((kind = ANY (ARRAY['organization'::text, 'user'::text, 'key'::text])))
);

ALTER TABLE ONLY public.erasures FORCE ROW LEVEL SECURITY;


ALTER TABLE public.erasures OWNER TO dispo;

--
-- Name: erasures_number_seq; Type: SEQUENCE; Schema: public; Owner: dispo
--

ALTER TABLE public.erasures ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.erasures_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: goose_db_version; Type: TABLE; Schema: public; Owner: dispo
--

CREATE TABLE public.goose_db_version (
    id integer NOT NULL,
    version_id bigint NOT NULL,
    is_applied boolean NOT NULL,
    tstamp timestamp without time zone DEFAULT now() NOT NULL
);


ALTER TABLE public.goose_db_version OWNER TO dispo;

--
-- Name: TABLE goose_db_version; Type: COMMENT; Schema: public; Owner: dispo
--

COMMENT ON TABLE public.goose_db_version IS 'dispo edition fc566747cbd7';


--
-- Name: goose_db_version_id_seq; Type: SEQUENCE; Schema: public; Owner: dispo
--

ALTER TABLE public.goose_db_version ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.goose_db_version_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);


--
-- Name: held_records; Type: TABLE; Schema: public; Owner: dispo
--

CREATE TABLE public.held_records (
    delivery_id uuid NOT NULL,
    only_organization_id uuid,
    record_index bigint NOT NULL,
    count bigint NOT NULL,
    disposition_date date NOT NULL,
    cvr text NOT NULL,
    reg_number text NOT NULL,
    account_number text NOT NULL,
    transfer_type text NOT NULL,
    amount_dkk numeric(14,2) NOT NULL,
    raw_line text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT held_records_count_check CHECK ((count >= 0)),
    CONSTRAINT held_records_cvr_check CHECK ((length(cvr) = 8)),
    CONSTRAINT held_records_record_index_check CHECK ((record_index >= 0)),
    CONSTRAINT held_records_transfer_type_check CHECK ((transfer_type <> ''::text))
);

ALTER TABLE ONLY public.held_records FORCE ROW LEVEL SECURITY;


ALTER TABLE public.held_records OWNER TO dispo;

--
-- Name: invitations; Type: TABLE; Schema: public; Owner: dispo
--

CREATE TABLE public.invitations (
    token_hash bytea NOT NULL,
    mail_token_hash bytea,
    organization_id uuid NOT NULL,
    id uuid NOT NULL,
    email text NOT NULL,
    role text NOT NULL,
    invited_by uuid,
    expires_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT invitations_email_check CHECK ((email = lower(email))),
    CONSTRAINT invitations_mail_token_hash_check CHECK ((length(mail_token_hash) = 32)),
    CONSTRAINT invitations_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'viewer'::text]))),
    CONSTRAINT invitations_token_hash_check CHECK ((length(token_hash) = 32))
);

ALTER TABLE ONLY public.invitations FORCE ROW LEVEL SECURITY;


ALTER TABLE public.invitations OWNER TO dispo;

--
-- Name: kept_periods; Type: TABLE; Schema: public; Owner: dispo
--

CREATE TABLE public.kept_periods (
    kind text NOT NULL,
    period text NOT NULL,
    default_period text NOT NULL,
    CONSTRAINT kept_periods_check CHECK (
CASE
    WHEN (period = 'none'::text) THEN (kind = 'transactions'::text)
    ELSE ((period ~ '^[1-9][0-9]*[dy]$'::text) AND ((period)::interval <= '300 years'::interval) AND ((period)::interval >=
    CASE
        WHEN (kind = 'requests'::text) THEN '1 day'::interval
        WHEN (kind = ANY (ARRAY['usage'::text, 'usage_hours'::text])) THEN '91 days'::interval
        ELSE '30 days'::interval
    END))
END)
);


ALTER TABLE public.kept_periods OWNER TO dispo;

--
-- Name: key_callers; Type: TABLE; Schema: public; Owner: dispo
--

CREATE TABLE public.key_callers (
    organization_id uuid NOT NULL,
    key_id uuid NOT NULL,
    address text NOT NULL,
    client text NOT NULL,
    user_agent text NOT NULL,
    first_seen timestamp with time zone NOT NULL,
    last_seen timestamp with time zone NOT NULL,
    last_used timestamp with time zone,
    last_refused timestamp with time zone,
    requests bigint NOT NULL,
    refused bigint NOT NULL,
    dismissed_at timestamp with time zone,
    row_count bigint DEFAULT 0 NOT NULL
);

ALTER TABLE ONLY public.key_callers FORCE ROW LEVEL SECURITY;


ALTER TABLE public.key_callers OWNER TO dispo;

--
-- Name: key_usage; Type: TABLE; Schema: public; Owner: dispo
--

CREATE TABLE public.key_usage (
    organization_id uuid NOT NULL,
    hour timestamp with time zone NOT NULL,
    key_id uuid NOT NULL,
    requests bigint NOT NULL,
    refused bigint NOT NULL,
    by_day boolean DEFAULT false NOT NULL
);

ALTER TABLE ONLY public.key_usage FORCE ROW LEVEL SECURITY;


ALTER TABLE public.key_usage OWNER TO dispo;

--
-- Name: mail_senders; Type: TABLE; Schema: public; Owner: dispo
--

CREATE TABLE public.mail_senders (
    only_row boolean DEFAULT true NOT NULL,
    seen_at timestamp with time zone NOT NULL,
    CONSTRAINT mail_senders_only_row_check CHECK (only_row)
);


ALTER TABLE public.mail_senders OWNER TO dispo;

--
-- Name: mails; Type: TABLE; Schema: public; Owner: dispo
--

CREATE TABLE public.mails (
    organization_id uuid NOT NULL,
    id uuid NOT NULL,
    kind text NOT NULL,
    recipient text NOT NULL,
    user_id uuid,
    details jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    next_attempt_at timestamp with time zone DEFAULT now() NOT NULL,
    answer text DEFAULT ''::text NOT NULL,
    sent_at timestamp with time zone,
    given_up_at timestamp with time zone,
    CONSTRAINT mails_check CHECK ((num_nonnulls(sent_at, given_up_at) <= 1)),
    CONSTRAINT mails_kind_check CHECK ((kind <> ''::text)),
    CONSTRAINT mails_recipient_check CHECK ((recipient ~~ '%_@_%'::text))
);

ALTER TABLE ONLY public.mails FORCE ROW LEVEL SECURITY;


ALTER TABLE public.mails OWNER TO dispo;

--
-- Name: memberships; Type: TABLE; Schema: public; Owner: dispo
--

CREATE TABLE public.memberships (
    organization_id uuid NOT NULL,
    user_id uuid NOT NULL,
    role text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT memberships_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'viewer'::text])))
);

ALTER TABLE ONLY public.memberships FORCE ROW LEVEL SECURITY;


ALTER TABLE public.memberships OWNER TO dispo;

--
-- Name: organizations; Type: TABLE; Schema: public; Owner: dispo
--

CREATE TABLE public.organizations (
    id uuid NOT NULL,
    slug text NOT NULL,
    name text NOT NULL,
    sandbox boolean DEFAULT false NOT NULL,
    sandbox_day date,
    company_count bigint DEFAULT 0 NOT NULL,
    delivery_file_count bigint DEFAULT 0 NOT NULL,
    transaction_count bigint DEFAULT 0 NOT NULL,
    total_amount_dkk numeric(38,2) DEFAULT 0 NOT NULL,
    data_version bigint DEFAULT 0 NOT NULL,
    history uuid DEFAULT gen_random_uuid() NOT NULL,
    last_id uuid DEFAULT '00000000-0000-0000-0000-000000000000'::uuid NOT NULL,
    suspended_at timestamp with time zone,
    deletion_started_at timestamp with time zone,
    require_second_factor boolean DEFAULT false NOT NULL,
    tell_of_leaks boolean DEFAULT false NOT NULL,
    limit_minute bigint DEFAULT 0 NOT NULL,
    limit_hour bigint DEFAULT 0 NOT NULL,
    time_zone text DEFAULT 'Europe/Copenhagen'::text NOT NULL,
    notification_address text DEFAULT ''::text NOT NULL,
    expected_by text DEFAULT ''::text NOT NULL,
    expected_since timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT organizations_check CHECK ((sandbox = (sandbox_day IS NOT NULL))),
    CONSTRAINT organizations_company_count_check CHECK ((company_count >= 0)),
    CONSTRAINT organizations_delivery_file_count_check CHECK ((delivery_file_count >= 0)),
    CONSTRAINT organizations_expected_by_check CHECK ((expected_by ~ '^(([01][0-9]|2[0-3]):[0-5][0-9])?$'::text)),
    CONSTRAINT organizations_limit_hour_check CHECK (((limit_hour >= 0) AND (limit_hour <= 1000000000))),
    CONSTRAINT organizations_limit_minute_check CHECK (((limit_minute >= 0) AND (limit_minute <= 1000000000))),
    CONSTRAINT organizations_name_check CHECK ((name <> ''::text)),
    CONSTRAINT organizations_notification_address_check CHECK ((length(notification_address) <= 254)),
    CONSTRAINT organizations_slug_check CHECK ((slug ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'::text)),
    CONSTRAINT organizations_time_zone_check CHECK (((length(time_zone) >= 1) AND (length(time_zone) <= 64))),
    CONSTRAINT organizations_transaction_count_check CHECK ((transaction_count >= 0))
);

ALTER TABLE ONLY public.organizations FORCE ROW LEVEL SECURITY;


ALTER TABLE public.organizations OWNER TO dispo;

--
-- Name: password_links; Type: TABLE; Schema: public; Owner: dispo
--

CREATE TABLE public.password_links (
    token_hash bytea NOT NULL,
    kind text NOT NULL,
    user_id uuid NOT NULL,
    bound_to bytea,
    expires_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT password_links_bound_to_check CHECK ((length(bound_to) = 32)),
    CONSTRAINT password_links_kind_check CHECK ((kind = ANY (ARRAY['password'::text, 'unlock'::text, 'provider_link'::text]))),
    CONSTRAINT password_links_token_hash_check CHECK ((length(token_hash) = 32))
);


ALTER TABLE public.password_links OWNER TO dispo;

--
-- Name: password_requests; Type: TABLE; Schema: public; Owner: dispo
--

CREATE TABLE public.password_requests (
    id uuid NOT NULL,
    kind text NOT NULL,
    email text NOT NULL,
    address text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT password_requests_kind_check CHECK ((kind = ANY (ARRAY['password'::text, 'unlock'::text])))
);


ALTER TABLE public.password_requests OWNER TO dispo;

--
-- Name: recovery_codes; Type: TABLE; Schema: public; Owner: dispo
--

CREATE TABLE public.recovery_codes (
    user_id uuid NOT NULL,
    code_hash bytea NOT NULL,
    CONSTRAINT recovery_codes_code_hash_check CHECK ((length(code_hash) = 60))
);


ALTER TABLE public.recovery_codes OWNER TO dispo;

--
-- Name: refused_deliveries; Type: TABLE; Schema: public; Owner: dispo
--

CREATE TABLE public.refused_deliveries (
    only_row boolean DEFAULT true NOT NULL,
    deliveries bigint NOT NULL,
    records bigint NOT NULL,
    CONSTRAINT refused_deliveries_only_row_check CHECK (only_row)
);


ALTER TABLE public.refused_deliveries OWNER TO dispo;

--
-- Name: refused_requests; Type: TABLE; Schema: public; Owner: dispo
--

CREATE TABLE public.refused_requests (
    organization_id uuid NOT NULL,
    id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    key_id uuid NOT NULL,
    status integer NOT NULL,
    reason text NOT NULL,
    method text NOT NULL,
    path text NOT NULL,
    address text NOT NULL,
    user_agent text NOT NULL
);

ALTER TABLE ONLY public.refused_requests FORCE ROW LEVEL SECURITY;


ALTER TABLE public.refused_requests OWNER TO dispo;

--
-- Name: running_tasks; Type: TABLE; Schema: public; Owner: dispo
--

CREATE TABLE public.running_tasks (
    organization_id uuid NOT NULL,
    task text NOT NULL,
    id uuid NOT NULL,
    renewed_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL
);

ALTER TABLE ONLY public.running_tasks FORCE ROW LEVEL SECURITY;


ALTER TABLE public.running_tasks OWNER TO dispo;

--
-- Name: served_requests; Type: TABLE; Schema: public; Owner: dispo
--

CREATE TABLE public.served_requests (
    organization_id uuid NOT NULL,
    key_id uuid NOT NULL,
    id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    address text NOT NULL,
    client text NOT NULL,
    user_agent text NOT NULL,
    path text NOT NULL,
    status integer NOT NULL,
    row_count bigint NOT NULL,
    bulk boolean DEFAULT false NOT NULL
);

ALTER TABLE ONLY public.served_requests FORCE ROW LEVEL SECURITY;


ALTER TABLE public.served_requests OWNER TO dispo;

--
-- Name: sessions; Type: TABLE; Schema: public; Owner: dispo
--

CREATE TABLE public.sessions (
    id uuid NOT NULL,
    token_hash bytea NOT NULL,
    user_id uuid NOT NULL,
    organization_id uuid NOT NULL,
    opened_by text DEFAULT 'password'::text NOT NULL,
    address text NOT NULL,
    user_agent text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    seen_at timestamp with time zone DEFAULT now() NOT NULL,
    confirmed_at timestamp with time zone DEFAULT now() NOT NULL,
    provider_at timestamp with time zone,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT sessions_opened_by_check CHECK ((opened_by = ANY (ARRAY['password'::text, 'provider'::text, 'provider and code'::text]))),
    CONSTRAINT sessions_token_hash_check CHECK ((length(token_hash) = 32))
);


ALTER TABLE public.sessions OWNER TO dispo;

--
-- Name: sign_in_failures; Type: TABLE; Schema: public; Owner: dispo
--

CREATE TABLE public.sign_in_failures (
    subject text NOT NULL,
    count integer NOT NULL,
    expires_at timestamp with time zone NOT NULL
);


ALTER TABLE public.sign_in_failures OWNER TO dispo;

--
-- Name: sign_in_links; Type: TABLE; Schema: public; Owner: dispo
--

CREATE TABLE public.sign_in_links (
    organization_id uuid NOT NULL,
    issuer text NOT NULL,
    client_id text NOT NULL,
    subject text NOT NULL,
    user_id uuid NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    used_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT sign_in_links_subject_check CHECK (((length(subject) >= 1) AND (length(subject) <= 255)))
);

ALTER TABLE ONLY public.sign_in_links FORCE ROW LEVEL SECURITY;


ALTER TABLE public.sign_in_links OWNER TO dispo;

--
-- Name: sign_in_providers; Type: TABLE; Schema: public; Owner: dispo
--

CREATE TABLE public.sign_in_providers (
    organization_id uuid NOT NULL,
    issuer text NOT NULL,
    client_id text NOT NULL,
    client_secret bytea NOT NULL,
    tried_at timestamp with time zone,
    enabled boolean DEFAULT false NOT NULL,
    required boolean DEFAULT false NOT NULL,
    second_factor_trusted boolean DEFAULT false NOT NULL,
    CONSTRAINT sign_in_providers_check CHECK ((enabled OR (NOT required))),
    CONSTRAINT sign_in_providers_client_id_check CHECK (((length(client_id) >= 1) AND (length(client_id) <= 500))),
    CONSTRAINT sign_in_providers_issuer_check CHECK (((length(issuer) >= 8) AND (length(issuer) <= 500)))
);

ALTER TABLE ONLY public.sign_in_providers FORCE ROW LEVEL SECURITY;


ALTER TABLE public.sign_in_providers OWNER TO dispo;

--
-- Name: sign_in_states; Type: TABLE; Schema: public; Owner: dispo
--

CREATE TABLE public.sign_in_states (
    organization_id uuid NOT NULL,
    state_hash bytea NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    CONSTRAINT sign_in_states_state_hash_check CHECK ((length(state_hash) = 32))
);

ALTER TABLE ONLY public.sign_in_states FORCE ROW LEVEL SECURITY;


ALTER TABLE public.sign_in_states OWNER TO dispo;

--
-- Name: transactions; Type: TABLE; Schema: public; Owner: dispo
--

CREATE TABLE public.transactions (
    organization_id uuid NOT NULL,
    id uuid NOT NULL,
    delivery_file_id uuid NOT NULL,
    record_index bigint NOT NULL,
    count bigint NOT NULL,
    disposition_date date NOT NULL,
    cvr text NOT NULL,
    reg_number text NOT NULL,
    account_number text NOT NULL,
    transfer_type text NOT NULL,
    amount_dkk numeric(14,2) NOT NULL,
    raw_line text NOT NULL,
    CONSTRAINT transactions_count_check CHECK ((count >= 0)),
    CONSTRAINT transactions_cvr_check CHECK ((length(cvr) = 8)),
    CONSTRAINT transactions_record_index_check CHECK ((record_index >= 0)),
    CONSTRAINT transactions_transfer_type_check CHECK ((transfer_type <> ''::text))
);

ALTER TABLE ONLY public.transactions FORCE ROW LEVEL SECURITY;


ALTER TABLE public.transactions OWNER TO dispo;

--
-- Name: users; Type: TABLE; Schema: public; Owner: dispo
--

CREATE TABLE public.users (
    id uuid NOT NULL,
    email text NOT NULL,
    email_proven_at timestamp with time zone,
    password_hash text,
    totp_secret bytea,
    totp_step bigint DEFAULT 0 NOT NULL,
    totp_due_at timestamp with time zone,
    disabled_at timestamp with time zone,
    unwanted_mail text[] DEFAULT '{arrivals}'::text[] NOT NULL,
    language text DEFAULT ''::text NOT NULL,
    browser_language text DEFAULT ''::text NOT NULL,
    created_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT users_browser_language_check CHECK ((browser_language = ANY (ARRAY[''::text, 'en'::text, 'da'::text]))),
    CONSTRAINT users_email_check CHECK (((email = lower(email)) AND (email ~~ '%_@_%'::text))),
    CONSTRAINT users_language_check CHECK ((language = ANY (ARRAY[''::text, 'en'::text, 'da'::text])))
);


ALTER TABLE public.users OWNER TO dispo;

--
-- Name: withdrawn_files; Type: TABLE; Schema: public; Owner: dispo
--

CREATE TABLE public.withdrawn_files (
    organization_id uuid NOT NULL,
    id uuid NOT NULL,
    filename text NOT NULL,
    layout text NOT NULL,
    record_count bigint NOT NULL,
    total_amount_dkk numeric(38,2) NOT NULL,
    first_date date,
    last_date date,
    created_at timestamp with time zone,
    withdrawn_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    reason text NOT NULL,
    change_id uuid
);

ALTER TABLE ONLY public.withdrawn_files FORCE ROW LEVEL SECURITY;


ALTER TABLE public.withdrawn_files OWNER TO dispo;

--
-- Name: withdrawn_totals; Type: TABLE; Schema: public; Owner: dispo
--

CREATE TABLE public.withdrawn_totals (
    organization_id uuid NOT NULL,
    cvr text NOT NULL,
    disposition_date date NOT NULL,
    file_id uuid NOT NULL,
    count bigint NOT NULL,
    amount_dkk numeric(38,2) NOT NULL,
    withdrawn_at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    CONSTRAINT withdrawn_totals_count_check CHECK ((count > 0))
);

ALTER TABLE ONLY public.withdrawn_totals FORCE ROW LEVEL SECURITY;


ALTER TABLE public.withdrawn_totals OWNER TO dispo;

--
-- Name: writers; Type: TABLE; Schema: public; Owner: dispo
--

CREATE TABLE public.writers (
    organization_id uuid NOT NULL,
    backfilled bigint DEFAULT 0 NOT NULL,
    backfilled_id uuid DEFAULT '00000000-0000-0000-0000-000000000000'::uuid NOT NULL
);

ALTER TABLE ONLY public.writers FORCE ROW LEVEL SECURITY;


ALTER TABLE public.writers OWNER TO dispo;

--
-- Data for Name: api_keys; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.api_keys VALUES
	('01a22484-1e13-7099-aafc-82a06fcf2808', '01a22484-1cca-7759-9bac-2534082b8a23', false, 'J5bRDFZFvTpp', '$2a$04$1SrJlTgM5gscbilAd9N17OYZHOiwYVBLL2W6YNlFUvQGACYRuMVFO', NULL, 'MgZ2', 'test', '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, '2026-11-28 23:36:07.956725+00'),
	('01a22484-1eab-7299-8ec1-01541ae8a3c2', '01a22484-1cca-7759-9bac-2534082b8a23', false, 'i8RVPQLIbqZo', '$2a$10$WOSbTHiTx21roy/zcmo0Z.0VSh1eYMnZzKCNLmUzo3Pe9iIU1bOSm', '\x5803f6090eefad50f6a233ef730e079e53b0051f83a46d619bbf0fabb47cda1e3a9f75df', '00pW', 'successor', '', NULL, '01a22484-1e13-7099-aafc-82a06fcf2808', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, '2026-11-28 23:36:08.119668+00'),
	('01a22484-1f3a-7e6b-89f1-d4718c261be7', '01a22484-1d3e-7ba7-89cd-e507ec4c7465', false, 'nnknlY6kI5ti', '$2a$04$.gTdVAEiAwcLTlNe4Rf8FOCdGyCYjCIkf9DZTKBKYGOLmQxOlm12a', NULL, 'mdNe', 'test', '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, '2026-11-28 23:36:08.259225+00'),
	('01a22484-1fba-708a-af67-625d3b3a55d8', '01a22484-1d3e-7ba7-89cd-e507ec4c7465', false, 'yQtjhCUCEhh6', '$2a$10$zqMDIQ97qnT..MG5hKePe.WgF1CRiLFhmKjTxgn3whP7a1qof/G2e', '\x5803f60949d867fd92f0858ff6a74a56700e05ae2700ea459d473184c5a29c31d9e3e30b', '5nqM', 'successor', '', NULL, '01a22484-1f3a-7e6b-89f1-d4718c261be7', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, '2026-11-28 23:36:08.384874+00'),
	('9da82b37-2f97-4df6-b1a9-22ad55f29644', '01a22484-1cca-7759-9bac-2534082b8a23', false, 'releasekey01', '$2a$04$QiDZy5LsZxj8byO4S3hBJ.Mijjbs/4ydKm5v1Nb.LJTw2DetuMZG6', NULL, 'uWiW', 'of the first release', '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '', NULL, NULL, NULL, NULL, NULL, '2026-11-28 23:36:08.486801+00');


--
-- Data for Name: audit_log; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.audit_log VALUES
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', '01a22484-1de4-78d0-8000-0000274c0000', '2026-11-28 23:36:07.908747+00', NULL, 'operator', 'delivery.withdraw', 'delivery.csv: 2 transactions of 1.01 DKK. Reason: wrong', 'command line', NULL),
	('01a22484-1cca-7759-9bac-2534082b8a23', '01a22484-1de5-7e6a-8000-000088ad9356', '2026-11-28 23:36:07.909109+00', NULL, 'operator', 'delivery.withdraw', 'delivery.csv: 2 transactions of 1.01 DKK. Reason: wrong', 'command line', NULL),
	('01a22484-1cca-7759-9bac-2534082b8a23', '01a22484-1df1-75db-bc21-9a0e9ade2a88', '2026-11-28 23:36:07.921747+00', NULL, 'operator', 'user.create', 'both@example.com: owner', 'command line', NULL),
	('01a22484-1cca-7759-9bac-2534082b8a23', '01a22484-1e0f-746b-8492-ed4ac422eb28', '2026-11-28 23:36:07.951396+00', NULL, 'operator', 'user.create', 'a@example.com: owner', 'command line', NULL),
	('01a22484-1cca-7759-9bac-2534082b8a23', '01a22484-1eb8-7734-be02-9830386a8e6b', '2026-11-28 23:36:08.120666+00', NULL, 'operator', 'key.rotate', 'successor (dispo_…00pW)', 'command line', '01a22484-1eab-7299-8ec1-01541ae8a3c2'),
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', '01a22484-1f2e-7e1f-90d6-166031977c17', '2026-11-28 23:36:08.239118+00', NULL, 'operator', 'user.create', 'b@example.com: owner', 'command line', NULL),
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', '01a22484-1fc1-7b29-982c-07f1e3071add', '2026-11-28 23:36:08.386155+00', NULL, 'operator', 'key.rotate', 'successor (dispo_…5nqM)', 'command line', '01a22484-1fba-708a-af67-625d3b3a55d8');


--
-- Data for Name: companies; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.companies VALUES
	('01a22484-1cca-7759-9bac-2534082b8a23', '01a22484-1d31-7d75-8000-000225d72dc3', '10000002', 'Company 10000002', 'company 10000002', '\x161d17711741179615ef174f1880010914e714e614e614e614e614e614e614e8', NULL, '2026-11-28', '9999-12-31', 'CREATED', NULL, NULL, NULL, NULL, NULL, 0, 0.00, '2026-11-28 23:36:07.730832+00', '2026-11-28 23:36:07.730832+00', '01a22484-1d31-7d75-8000-000225d72dc3'),
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', '01a22484-1d4b-73d1-8000-0002c494e760', '10000003', 'Company 10000003', 'company 10000003', '\x161d17711741179615ef174f1880010914e714e614e614e614e614e614e614e9', NULL, '2026-11-28', '9999-12-31', 'CREATED', NULL, NULL, NULL, NULL, NULL, 0, 0.00, '2026-11-28 23:36:07.755769+00', '2026-11-28 23:36:07.755769+00', '01a22484-1d4b-73d1-8000-0002c494e760'),
	('01a22484-1cca-7759-9bac-2534082b8a23', '01a22484-1d31-7d75-8000-0001385e9eea', '10000001', 'Company 10000001', 'company 10000001', '\x161d17711741179615ef174f1880010914e714e614e614e614e614e614e614e7', NULL, '2026-11-28', '9999-12-31', 'CREATED', NULL, NULL, NULL, NULL, NULL, 21, 63.63, '2026-11-28 23:36:07.730832+00', '2026-11-28 23:36:07.730832+00', '01a22484-1d31-7d75-8000-0001385e9eea'),
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', '01a22484-1d4b-73d1-8000-000162f068d1', '10000001', 'Company 10000001', 'company 10000001', '\x161d17711741179615ef174f1880010914e714e614e614e614e614e614e614e7', NULL, '2026-11-28', '9999-12-31', 'CREATED', NULL, NULL, NULL, NULL, NULL, 21, 63.63, '2026-11-28 23:36:07.755769+00', '2026-11-28 23:36:07.755769+00', '01a22484-1d4b-73d1-8000-000162f068d1'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2000-700a-8000-000163781ae5', '99151331', 'Bådbygger Kølholt & Spant I/S', 'bådbygger kølholt & spant i/s', '\x1605190816311605188016911691164c17bd010916ff1907171116b417711711181601090273010917f3179615ef174f1816010916cd027117f3', 'Ålekistevænget 122, 6700 Esbjerg', '2017-11-20', '9999-12-31', 'REGISTERED', '8066', '2510088077', NULL, NULL, 475000, 1, 17826.86, '2026-11-28 23:36:08.448847+00', '2026-11-28 23:36:08.448847+00', '01a22484-2000-700a-8000-000163781ae5'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2000-700a-8000-0002cd061d03', '99210389', 'Dyrehandler Pelsmark & Finne ApS', 'dyrehandler pelsmark & finne aps', '\x1631188017bd164c16b415ef174f16311711164c17bd01091796164c171117f3174115ef17bd16ff010902730109168416cd174f174f164c010915ef179617f3', 'Ålekistevænget 82, 3000 Helsingør', '2015-04-10', '9999-12-31', 'REGISTERED', '3567', '8966001122', NULL, NULL, 25000, 1, 9073.99, '2026-11-28 23:36:08.448847+00', '2026-11-28 23:36:08.448847+00', '01a22484-2000-700a-8000-0002cd061d03'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2000-700a-8000-0003f3720a8e', '99238577', 'Nordlys Varehus Øst A/S', 'nordlys varehus øst a/s', '\x174f177117bd16311711188017f30109185f15ef17bd164c16b4183617f30109190717f31816010915ef027117f3', 'Østre Pakhusgang 86, st. th., 9000 Aalborg', '2018-10-31', '9999-12-31', 'REGISTERED', '9597', '0523230069', '3106', '7462288525', 650000, 8, 157375.81, '2026-11-28 23:36:08.448847+00', '2026-11-28 23:36:08.448847+00', '01a22484-2000-700a-8000-0003f3720a8e'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2000-700a-8000-00042f2eb1ce', '99125810', 'Isværftet Kold Køl ApS', 'isværftet kold køl aps', '\x16cd17f3185f190617bd16841816164c1816010916ff177117111631010916ff19071711010915ef179617f3', 'Rugskelsvej 44, 8900 Randers C', '2024-06-04', '9999-12-31', 'REGISTERED', '0475', '3391343628', NULL, NULL, 600000, 2, 795.15, '2026-11-28 23:36:08.448847+00', '2026-11-28 23:36:08.448847+00', '01a22484-2000-700a-8000-00042f2eb1ce'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2000-700a-8000-00056b1b0955', '99113219', 'Havnegrillen Mågens Hjørne', 'havnegrillen mågens hjørne', '\x16b415ef185f174f164c169117bd16cd17111711164c174f0109174119081691164c174f17f3010916b416e6190717bd174f164c', 'Lærkespurvestien 103, 1. tv., 5000 Odense C', '2017-06-25', '9999-12-31', 'REGISTERED', '3121', '8373338514', '9392', '1711181644', 150000, 3, 23115.94, '2026-11-28 23:36:08.448847+00', '2026-11-28 23:36:08.448847+00', '01a22484-2000-700a-8000-00056b1b0955'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2000-700a-8000-000fc126c91e', '99425970', 'Muslingebåden Blåskæl', 'muslingebåden blåskæl', '\x1741183617f3171116cd174f1691164c160519081631164c174f010916051711190817f316ff19061711', 'Vestre Kranvej 42, 2. th., 5700 Svendborg', '2026-02-16', '2026-02-22', 'REJECTED', '5173', '5738878306', NULL, NULL, 625000, 0, 0.00, '2026-11-28 23:36:08.448847+00', '2026-11-28 23:36:08.448847+00', '01a22484-2000-700a-8000-000fc126c91e'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2000-700a-8000-0010344b89dc', '99455918', 'Lampelageret Halvmørke ApS', 'lampelageret halvmørke aps', '\x171115ef17411796164c171115ef1691164c17bd164c1816010916b415ef1711185f1741190717bd16ff164c010915ef179617f3', 'Sømandshvilet 19, 1. tv., 6700 Esbjerg', '2020-07-16', '2025-11-20', 'TERMINATED', '1368', '8645826153', '5912', '3911130093', 775000, 0, 0.00, '2026-11-28 23:36:08.448847+00', '2026-11-28 23:36:08.448847+00', '01a22484-2000-700a-8000-0010344b89dc'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2000-700a-8000-0012ac25816e', '99918098', 'Galleri Saltvand og Solskin ApS', 'galleri saltvand og solskin aps', '\x169115ef17111711164c17bd16cd010917f315ef17111816185f15ef174f1631010917711691010917f31771171117f316ff16cd174f010915ef179617f3', 'Tjørnehegnsvej 65, 1. tv., 6700 Esbjerg', '2021-08-23', '2025-12-13', 'TERMINATED', '6368', '4987264219', '3251', '8419401003', 325000, 0, 0.00, '2026-11-28 23:36:08.448847+00', '2026-11-28 23:36:08.448847+00', '01a22484-2000-700a-8000-0012ac25816e'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2000-700a-8000-0013c9ccbb1d', '99225734', 'Isboden Kold Næse', 'isboden kold næse', '\x16cd17f3160517711631164c174f010916ff1771171116310109174f190617f3164c', 'Østre Pakhusgang 100, 2. th., 9990 Skagen', '2026-06-17', '2026-06-25', 'REJECTED', '0850', '7500986684', '3543', '7402092959', 225000, 0, 0.00, '2026-11-28 23:36:08.448847+00', '2026-11-28 23:36:08.448847+00', '01a22484-2000-700a-8000-0013c9ccbb1d'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2000-700a-8000-0014114a27eb', '99206489', 'Fodterapi og Indlæg Stortå', 'fodterapi og indlæg stortå', '\x1684177116311816164c17bd15ef179616cd010917711691010916cd174f1631171119061691010917f31816177117bd18161908', 'Humlemarksgade 139, 2. th., 3000 Helsingør', '2026-12-20', '9999-12-31', 'CREATED', NULL, NULL, NULL, NULL, 875000, 0, 0.00, '2026-11-28 23:36:08.448847+00', '2026-11-28 23:36:08.448847+00', '01a22484-2000-700a-8000-0014114a27eb'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2000-700a-8000-0006315e8be6', '99072644', 'Papirsvalen Bøger og Papir ApS', 'papirsvalen bøger og papir aps', '\x179615ef179616cd17bd17f3185f15ef1711164c174f0109160519071691164c17bd0109177116910109179615ef179616cd17bd010915ef179617f3', 'Østre Pakhusgang 123, 3000 Helsingør', '2014-12-07', '9999-12-31', 'REGISTERED', '3987', '3463410422', '7964', '3830833633', 600000, 3, 22580.42, '2026-11-28 23:36:08.448847+00', '2026-11-28 23:36:08.448847+00', '01a22484-2000-700a-8000-0006315e8be6'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2000-700a-8000-0007974144ad', '99307080', 'Bageriet Skibskiksen ApS', 'bageriet skibskiksen aps', '\x160515ef1691164c17bd16cd164c1816010917f316ff16cd160517f316ff16cd16ff17f3164c174f010915ef179617f3', 'Humlemarksgade 13, 6700 Esbjerg', '2021-07-08', '9999-12-31', 'REGISTERED', '6956', '5944783694', '9708', '9761580981', 550000, 1, 1970.17, '2026-11-28 23:36:08.448847+00', '2026-11-28 23:36:08.448847+00', '01a22484-2000-700a-8000-0007974144ad'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2000-700a-8000-00083465015d', '99662999', 'Nordlys Netbutik ApS', 'nordlys netbutik aps', '\x174f177117bd16311711188017f30109174f164c181616051836181616cd16ff010915ef179617f3', 'Kvistbuen 71, st. th., 9000 Aalborg', '2019-01-27', '9999-12-31', 'MODIFIED', '2260', '3931057733', '4261', '7711626446', 400000, 8, 349062.95, '2026-11-28 23:36:08.448847+00', '2026-11-28 23:36:08.448847+00', '01a22484-2000-700a-8000-00083465015d'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2000-700a-8000-000912a60762', '99806982', 'Køkkenkompagniet Grydestad A/S', 'køkkenkompagniet grydestad a/s', '\x16ff190716ff16ff164c174f16ff17711741179615ef1691174f16cd164c18160109169117bd18801631164c17f3181615ef1631010915ef027117f3', NULL, '2022-02-06', '9999-12-31', 'MODIFIED', '4920', '8689140130', NULL, NULL, NULL, 2, 59426.73, '2026-11-28 23:36:08.448847+00', '2026-11-28 23:36:08.448847+00', '01a22484-2000-700a-8000-000912a60762'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2000-700a-8000-000a9fe84f22', '99675705', 'Lystfiskeren Krog & Line ApS', 'lystfiskeren krog & line aps', '\x1711188017f31816168416cd17f316ff164c17bd164c174f010916ff17bd17711691010902730109171116cd174f164c010915ef179617f3', 'Rugskelsvej 32, 1. tv., 6700 Esbjerg', '2023-09-13', '9999-12-31', 'REGISTERED', '4023', '9108165489', '7814', '9569939392', 400000, 1, 5339.11, '2026-11-28 23:36:08.448847+00', '2026-11-28 23:36:08.448847+00', '01a22484-2000-700a-8000-000a9fe84f22'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2000-700a-8000-000bde476efb', '99334916', 'Æblegaarden Frugt & Grønt I/S', 'æblegaarden frugt & grønt i/s', '\x190616051711164c169115ef15ef17bd1631164c174f0109168417bd183616911816010902730109169117bd1907174f1816010916cd027117f3', NULL, '2016-04-26', '9999-12-31', 'REGISTERED', '2466', '2958262901', '3186', '7864558581', NULL, 3, 8086.75, '2026-11-28 23:36:08.448847+00', '2026-11-28 23:36:08.448847+00', '01a22484-2000-700a-8000-000bde476efb'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2000-700a-8000-000c143ffa27', '99387424', 'Smørrebrød hos Fru Rugholm', 'smørrebrød hos fru rugholm', '\x17f31741190717bd17bd164c160517bd19071631010916b4177117f30109168417bd1836010917bd1836169116b4177117111741', 'Lærkespurvestien 103, st. th., 8000 Aarhus C', '2020-09-22', '9999-12-31', 'REGISTERED', '5469', '5402277718', NULL, NULL, 425000, 1, 2378.15, '2026-11-28 23:36:08.448847+00', '2026-11-28 23:36:08.448847+00', '01a22484-2000-700a-8000-000c143ffa27'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2000-700a-8000-000d5f432cd0', '99606533', 'Hæl & Snude, Sko og Tasker ApS', 'hæl & snude, sko og tasker aps', '\x16b41906171101090273010917f3174f18361631164c0120010917f316ff17710109177116910109181615ef17f316ff164c17bd010915ef179617f3', 'Kvistbuen 9, 9000 Aalborg', '2017-05-29', '9999-12-31', 'REGISTERED', '3799', '8721869979', '3138', '0871752735', 600000, 2, 46426.17, '2026-11-28 23:36:08.448847+00', '2026-11-28 23:36:08.448847+00', '01a22484-2000-700a-8000-000d5f432cd0'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2000-700a-8000-000e62f9c849', '99601531', 'Konditori Marcipanstien ApS', 'konditori marcipanstien aps', '\x16ff1771174f163116cd1816177117bd16cd0109174115ef17bd161d16cd179615ef174f17f3181616cd164c174f010915ef179617f3', 'Sømandshvilet 66, st. th., 1620 København V', '2021-02-07', '9999-12-31', 'REGISTERED', '8873', '0637688453', '2805', '9108787835', 800000, 2, 2807.78, '2026-11-28 23:36:08.448847+00', '2026-11-28 23:36:08.448847+00', '01a22484-2000-700a-8000-000e62f9c849'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2000-700a-8000-00114f5968b5', '99280441', 'Fælleskøbmanden ved Kajen ApS', 'fælleskøbmanden ved kajen aps', '\x1684190617111711164c17f316ff19071605174115ef174f1631164c174f0109185f164c1631010916ff15ef16e6164c174f010915ef179617f3', 'Humlemarksgade 57, 1. tv., 8900 Randers C', '2019-05-04', '9999-12-31', 'REGISTERED', '5713', '5187619629', '3623', '0977447194', 850000, 3, 28206.36, '2026-11-28 23:36:08.448847+00', '2026-11-28 23:36:08.448847+00', '01a22484-2000-700a-8000-00114f5968b5');


--
-- Data for Name: daily_totals; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.daily_totals VALUES
	('01a22484-1cca-7759-9bac-2534082b8a23', '', '2026-01-31', 'CARD', 21, 63.63, '01a22484-1d64-7f8b-8000-000200000000', '01a22484-1dd8-78d4-8000-0003ffffffff'),
	('01a22484-1cca-7759-9bac-2534082b8a23', '10000001', '2026-01-31', 'CARD', 21, 63.63, '01a22484-1d64-7f8b-8000-000200000000', '01a22484-1dd8-78d4-8000-0003ffffffff'),
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', '', '2026-01-31', 'CARD', 21, 63.63, '01a22484-1d66-7f5b-8000-000200000000', '01a22484-1dd9-7147-8000-0003ffffffff'),
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', '10000001', '2026-01-31', 'CARD', 21, 63.63, '01a22484-1d66-7f5b-8000-000200000000', '01a22484-1dd9-7147-8000-0003ffffffff'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '', '2026-11-28', 'CARD', 25, 464417.86, '01a22484-2008-7afa-8000-000600000000', '01a22484-2008-7afa-8000-002affffffff'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '', '2026-11-28', 'CHARGEBACK', 1, -2166.03, '01a22484-2008-7afa-8000-001700000000', '01a22484-2008-7afa-8000-0017ffffffff'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '', '2026-11-28', 'MOBILE', 5, 139037.56, '01a22484-2008-7afa-8000-000300000000', '01a22484-2008-7afa-8000-0024ffffffff'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '', '2026-11-28', 'ONLINE', 8, 133692.89, '01a22484-2008-7afa-8000-000200000000', '01a22484-2008-7afa-8000-0026ffffffff'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '', '2026-11-28', 'REFUND', 2, -509.94, '01a22484-2008-7afa-8000-000500000000', '01a22484-2008-7afa-8000-000cffffffff'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '99072644', '2026-11-28', 'CARD', 2, 15115.53, '01a22484-2008-7afa-8000-001100000000', '01a22484-2008-7afa-8000-0013ffffffff'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '99072644', '2026-11-28', 'ONLINE', 1, 7464.89, '01a22484-2008-7afa-8000-001200000000', '01a22484-2008-7afa-8000-0012ffffffff'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '99113219', '2026-11-28', 'CARD', 1, 2817.44, '01a22484-2008-7afa-8000-000f00000000', '01a22484-2008-7afa-8000-000fffffffff'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '99113219', '2026-11-28', 'MOBILE', 1, 7748.39, '01a22484-2008-7afa-8000-000e00000000', '01a22484-2008-7afa-8000-000effffffff'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '99113219', '2026-11-28', 'ONLINE', 1, 12550.11, '01a22484-2008-7afa-8000-001000000000', '01a22484-2008-7afa-8000-0010ffffffff'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '99125810', '2026-11-28', 'CARD', 1, 945.05, '01a22484-2008-7afa-8000-000d00000000', '01a22484-2008-7afa-8000-000dffffffff'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '99125810', '2026-11-28', 'REFUND', 1, -149.90, '01a22484-2008-7afa-8000-000c00000000', '01a22484-2008-7afa-8000-000cffffffff'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '99151331', '2026-11-28', 'ONLINE', 1, 17826.86, '01a22484-2008-7afa-8000-000200000000', '01a22484-2008-7afa-8000-0002ffffffff'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '99210389', '2026-11-28', 'MOBILE', 1, 9073.99, '01a22484-2008-7afa-8000-000300000000', '01a22484-2008-7afa-8000-0003ffffffff'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '99238577', '2026-11-28', 'CARD', 4, 98350.80, '01a22484-2008-7afa-8000-000600000000', '01a22484-2008-7afa-8000-000bffffffff'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '99238577', '2026-11-28', 'MOBILE', 1, 32042.65, '01a22484-2008-7afa-8000-000700000000', '01a22484-2008-7afa-8000-0007ffffffff'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '99238577', '2026-11-28', 'ONLINE', 2, 27342.40, '01a22484-2008-7afa-8000-000400000000', '01a22484-2008-7afa-8000-0008ffffffff'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '99238577', '2026-11-28', 'REFUND', 1, -360.04, '01a22484-2008-7afa-8000-000500000000', '01a22484-2008-7afa-8000-0005ffffffff'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '99280441', '2026-11-28', 'CARD', 3, 28206.36, '01a22484-2008-7afa-8000-002800000000', '01a22484-2008-7afa-8000-002affffffff'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '99307080', '2026-11-28', 'CARD', 1, 1970.17, '01a22484-2008-7afa-8000-001400000000', '01a22484-2008-7afa-8000-0014ffffffff'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '99334916', '2026-11-28', 'CARD', 2, 6455.95, '01a22484-2008-7afa-8000-002100000000', '01a22484-2008-7afa-8000-0022ffffffff'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '99334916', '2026-11-28', 'ONLINE', 1, 1630.80, '01a22484-2008-7afa-8000-002000000000', '01a22484-2008-7afa-8000-0020ffffffff'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '99387424', '2026-11-28', 'CARD', 1, 2378.15, '01a22484-2008-7afa-8000-002300000000', '01a22484-2008-7afa-8000-0023ffffffff'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '99601531', '2026-11-28', 'CARD', 1, 1050.06, '01a22484-2008-7afa-8000-002700000000', '01a22484-2008-7afa-8000-0027ffffffff'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '99601531', '2026-11-28', 'ONLINE', 1, 1757.72, '01a22484-2008-7afa-8000-002600000000', '01a22484-2008-7afa-8000-0026ffffffff'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '99606533', '2026-11-28', 'CARD', 1, 14528.37, '01a22484-2008-7afa-8000-002500000000', '01a22484-2008-7afa-8000-0025ffffffff'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '99606533', '2026-11-28', 'MOBILE', 1, 31897.80, '01a22484-2008-7afa-8000-002400000000', '01a22484-2008-7afa-8000-0024ffffffff'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '99662999', '2026-11-28', 'CARD', 5, 227834.14, '01a22484-2008-7afa-8000-001500000000', '01a22484-2008-7afa-8000-001bffffffff'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '99662999', '2026-11-28', 'CHARGEBACK', 1, -2166.03, '01a22484-2008-7afa-8000-001700000000', '01a22484-2008-7afa-8000-0017ffffffff'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '99662999', '2026-11-28', 'MOBILE', 1, 58274.73, '01a22484-2008-7afa-8000-001800000000', '01a22484-2008-7afa-8000-0018ffffffff'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '99662999', '2026-11-28', 'ONLINE', 1, 65120.11, '01a22484-2008-7afa-8000-001c00000000', '01a22484-2008-7afa-8000-001cffffffff'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '99675705', '2026-11-28', 'CARD', 1, 5339.11, '01a22484-2008-7afa-8000-001f00000000', '01a22484-2008-7afa-8000-001fffffffff'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '99806982', '2026-11-28', 'CARD', 2, 59426.73, '01a22484-2008-7afa-8000-001d00000000', '01a22484-2008-7afa-8000-001effffffff');


--
-- Data for Name: deliveries; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.deliveries OVERRIDING SYSTEM VALUE VALUES
	('01a22484-1d61-73a7-b2ac-3d7265a7699d', 1, false, 'delivery.csv', 'csv', '\x7a6857c0725d04bb5fdc2a2daea61f9d407e3539b8e89f8916d3e9ad736ca06a', 7, 21.21, '2026-01-31', '2026-01-31', '2026-11-28 23:36:07.77759+00', NULL, NULL),
	('01a22484-1d7b-7c7e-97d6-5513cea38807', 2, false, 'delivery.csv', 'csv', '\x67f4e1f65a87ea376435d05bf15858040d7879394b6d1cad7c91ca86da7fc08c', 7, 21.21, '2026-01-31', '2026-01-31', '2026-11-28 23:36:07.804032+00', NULL, NULL),
	('01a22484-1d91-75a2-a546-23406323d3a6', 3, false, 'delivery.csv', 'csv', '\x9f618077c31a059c59cb883d4bf463afe8870b19a35e506152e0fac27526c908', 7, 21.21, '2026-01-31', '2026-01-31', '2026-11-28 23:36:07.825761+00', NULL, NULL),
	('01a22484-1dd6-7efb-a988-82adb498a4c4', 4, false, 'delivery.csv', 'csv', '\x3bfeaa0d4b50d9cc37f9a11eeda07b10e6e5546182b9c62bc56e33e7adbcf9f6', 2, 1.01, '2026-01-31', '2026-01-31', '2026-11-28 23:36:07.895274+00', '2026-11-28 23:36:07.912787+00', 'wrong'),
	('10c3fff6-b2b5-4ac0-a44e-52ba5295a932', 5, true, 'sandbox-2026-11-28.csv', 'csv', NULL, 41, 734472.34, '2026-11-28', '2026-11-28', '2026-11-28 23:36:08.455811+00', NULL, NULL);


--
-- Data for Name: delivery_bytes; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.delivery_bytes VALUES
	('\x173c2ebd17bb007d8851da4648a2904ca2e40b939b529823a9d0cbe9e32df18a', '01a22484-1d61-73a7-b2ac-3d7265a7699d'),
	('\x08b8a5f055498791be7f673dff1d8b9f3c31471886f8e6a2e191e3937afdfcce', '01a22484-1d7b-7c7e-97d6-5513cea38807'),
	('\x271e62679ba03b3635e3cf413302453ce20cd4bbe14c7c60dc13329afbe058dd', '01a22484-1d91-75a2-a546-23406323d3a6');


--
-- Data for Name: delivery_files; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.delivery_files OVERRIDING SYSTEM VALUE VALUES
	('01a22484-1cca-7759-9bac-2534082b8a23', '01a22484-1d64-7f8b-8000-0000a034315f', '01a22484-1d64-7f8b-8000-0008ffffffff', '01a22484-1d61-73a7-b2ac-3d7265a7699d', 1, 'delivery.csv', 'csv', 7, 21.21, '2026-01-31', '2026-01-31', '2026-11-28 23:36:07.781144+00', '2026-11-28 23:36:07.788913+00', '01a22484-1d6c-7baf-8000-0000db930c2b'),
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', '01a22484-1d66-7f5b-8000-0000f93bb5e8', '01a22484-1d66-7f5b-8000-0008ffffffff', '01a22484-1d61-73a7-b2ac-3d7265a7699d', 2, 'delivery.csv', 'csv', 7, 21.21, '2026-01-31', '2026-01-31', '2026-11-28 23:36:07.782166+00', '2026-11-28 23:36:07.788941+00', '01a22484-1d6c-7076-8000-000099f4e18b'),
	('01a22484-1cca-7759-9bac-2534082b8a23', '01a22484-1d7d-7579-8000-0000e56773ce', '01a22484-1d7d-7579-8000-0008ffffffff', '01a22484-1d7b-7c7e-97d6-5513cea38807', 3, 'delivery.csv', 'csv', 7, 21.21, '2026-01-31', '2026-01-31', '2026-11-28 23:36:07.805218+00', '2026-11-28 23:36:07.808647+00', '01a22484-1d80-7c48-8000-00003b5d37f7'),
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', '01a22484-1d7d-7c34-8000-00009fe79875', '01a22484-1d7d-7c34-8000-0008ffffffff', '01a22484-1d7b-7c7e-97d6-5513cea38807', 4, 'delivery.csv', 'csv', 7, 21.21, '2026-01-31', '2026-01-31', '2026-11-28 23:36:07.805784+00', '2026-11-28 23:36:07.808667+00', '01a22484-1d80-75f3-8000-0000f48e41dc'),
	('01a22484-1cca-7759-9bac-2534082b8a23', '01a22484-1d93-708a-8000-0000e1ce0329', '01a22484-1d93-708a-8000-0008ffffffff', '01a22484-1d91-75a2-a546-23406323d3a6', 5, 'delivery.csv', 'csv', 7, 21.21, '2026-01-31', '2026-01-31', '2026-11-28 23:36:07.827606+00', '2026-11-28 23:36:07.83496+00', '01a22484-1d9a-75ff-8000-0000712de300'),
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', '01a22484-1d93-715e-8000-0000756138ba', '01a22484-1d93-715e-8000-0008ffffffff', '01a22484-1d91-75a2-a546-23406323d3a6', 6, 'delivery.csv', 'csv', 7, 21.21, '2026-01-31', '2026-01-31', '2026-11-28 23:36:07.828033+00', '2026-11-28 23:36:07.834986+00', '01a22484-1d9a-7a90-8000-000080121238'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2008-7afa-8000-0000ef23d4b1', '01a22484-2008-7afa-8000-002affffffff', '10c3fff6-b2b5-4ac0-a44e-52ba5295a932', 9, 'sandbox-2026-11-28.csv', 'csv', 41, 734472.34, '2026-11-28', '2026-11-28', '2026-11-28 23:36:08.45653+00', '2026-11-28 23:36:08.462239+00', '01a22484-200e-72eb-8000-00004a26d032');


--
-- Data for Name: delivery_names; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.delivery_names VALUES
	('01a22484-1d61-73a7-b2ac-3d7265a7699d', 0, 'name 01a22484-1d61-73a7-b2ac-3d7265a7699d'),
	('01a22484-1d7b-7c7e-97d6-5513cea38807', 0, 'name 01a22484-1d7b-7c7e-97d6-5513cea38807'),
	('01a22484-1d91-75a2-a546-23406323d3a6', 0, 'name 01a22484-1d91-75a2-a546-23406323d3a6'),
	('01a22484-1dd6-7efb-a988-82adb498a4c4', 0, 'name 01a22484-1dd6-7efb-a988-82adb498a4c4'),
	('10c3fff6-b2b5-4ac0-a44e-52ba5295a932', 0, 'name 10c3fff6-b2b5-4ac0-a44e-52ba5295a932');


--
-- Data for Name: delivery_notices; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.delivery_notices VALUES
	('01a22484-1cca-7759-9bac-2534082b8a23', 'delivery_late', '2026-11-28 23:36:08.157806+00', '2026-11-28 23:36:08.157806+00'),
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', 'delivery_late', '2026-11-28 23:36:08.406801+00', '2026-11-28 23:36:08.406801+00');


--
-- Data for Name: delivery_withdrawals; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.delivery_withdrawals VALUES
	('01a22484-1cca-7759-9bac-2534082b8a23', 'c2ec513b-e9ee-4978-acae-f86b3e8c2033', 'x', '2026-11-28 23:36:08.190175+00'),
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', 'f01be173-8114-4798-9c0b-2a05e1ac1b81', 'x', '2026-11-28 23:36:08.408762+00');


--
-- Data for Name: erasure_files; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.erasure_files VALUES
	('machine:/path', '2026-11-28 23:36:08.512553+00', '2026-11-28 23:36:08.512553+00');


--
-- Data for Name: erasures; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.erasures OVERRIDING SYSTEM VALUE VALUES
	(1, '2026-11-28 23:36:08.510333+00', 'user', 'd678b1f5-717e-4887-a8ec-94122be5280c', false);


--
-- Data for Name: goose_db_version; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.goose_db_version VALUES
	(1, 0, true, '2026-11-28 23:36:06.968152'),
	(2, 1, true, '2026-11-28 23:36:06.986558'),
	(3, 2, true, '2026-11-28 23:36:06.987181'),
	(4, 3, true, '2026-11-28 23:36:07.005191'),
	(5, 4, true, '2026-11-28 23:36:07.066623'),
	(6, 5, true, '2026-11-28 23:36:07.088233'),
	(7, 6, true, '2026-11-28 23:36:07.110605'),
	(8, 7, true, '2026-11-28 23:36:07.127645'),
	(9, 8, true, '2026-11-28 23:36:07.13028');


--
-- Data for Name: held_records; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.held_records VALUES
	('01a22484-1d61-73a7-b2ac-3d7265a7699d', '01a22484-1cca-7759-9bac-2534082b8a23', 99, 1, '2026-01-01', '10000009', '1234', '1', 'CARD', 1.00, 'x', '2026-11-28 23:36:08.163979+00'),
	('01a22484-1d61-73a7-b2ac-3d7265a7699d', '01a22484-1d3e-7ba7-89cd-e507ec4c7465', 99, 1, '2026-01-01', '10000009', '1234', '1', 'CARD', 1.00, 'x', '2026-11-28 23:36:08.407162+00');


--
-- Data for Name: invitations; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.invitations VALUES
	('\x2d329ce091588d946200d13d91305ed1dfb27787afe4389fb6380003102e82ef', NULL, '01a22484-1cca-7759-9bac-2534082b8a23', '87d4ee1d-d7a0-4253-866d-8ca998831ae1', 'new@example.com', 'viewer', NULL, '2026-11-28 23:36:08.125093+00', '2026-11-28 23:36:08.130503+00'),
	('\x5530d59832411e46e99f4fbdab940f132268609cd4b3cc0402cab0f480359a41', NULL, '01a22484-1d3e-7ba7-89cd-e507ec4c7465', '58086cd4-19ef-4b7a-a74b-d0b97856a483', 'new@example.com', 'viewer', NULL, '2026-11-28 23:36:08.402564+00', '2026-11-28 23:36:08.402701+00');


--
-- Data for Name: kept_periods; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.kept_periods VALUES
	('audit_log', '2y', '2y'),
	('callers', '35d', '35d'),
	('usage_hours', '100d', '100d'),
	('usage', '2y', '2y'),
	('requests', '7d', '7d'),
	('sessions', '30d', '30d'),
	('mails', '30d', '30d'),
	('held_records', '1y', '1y'),
	('withdrawn_totals', '2y', '2y'),
	('transactions', 'none', 'none');


--
-- Data for Name: key_callers; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.key_callers VALUES
	('01a22484-1cca-7759-9bac-2534082b8a23', '01a22484-1e13-7099-aafc-82a06fcf2808', '10.0.0.1', 'curl', 'curl/8', '2026-11-28 23:36:08.145633+00', '2026-11-28 23:36:08.145633+00', NULL, NULL, 1, 0, NULL, 0),
	('01a22484-1cca-7759-9bac-2534082b8a23', '01a22484-1eab-7299-8ec1-01541ae8a3c2', '10.0.0.1', 'curl', 'curl/8', '2026-11-28 23:36:08.145633+00', '2026-11-28 23:36:08.145633+00', NULL, NULL, 1, 0, NULL, 0),
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', '01a22484-1f3a-7e6b-89f1-d4718c261be7', '10.0.0.1', 'curl', 'curl/8', '2026-11-28 23:36:08.403976+00', '2026-11-28 23:36:08.403976+00', NULL, NULL, 1, 0, NULL, 0),
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', '01a22484-1fba-708a-af67-625d3b3a55d8', '10.0.0.1', 'curl', 'curl/8', '2026-11-28 23:36:08.403976+00', '2026-11-28 23:36:08.403976+00', NULL, NULL, 1, 0, NULL, 0);


--
-- Data for Name: key_usage; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.key_usage VALUES
	('01a22484-1cca-7759-9bac-2534082b8a23', '2026-11-28 23:36:08.139624+00', '01a22484-1e13-7099-aafc-82a06fcf2808', 1, 0, false),
	('01a22484-1cca-7759-9bac-2534082b8a23', '2026-11-28 23:36:08.139624+00', '01a22484-1eab-7299-8ec1-01541ae8a3c2', 1, 0, false),
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', '2026-11-28 23:36:08.403636+00', '01a22484-1f3a-7e6b-89f1-d4718c261be7', 1, 0, false),
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', '2026-11-28 23:36:08.403636+00', '01a22484-1fba-708a-af67-625d3b3a55d8', 1, 0, false);


--
-- Data for Name: mail_senders; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.mail_senders VALUES
	(true, '2026-11-28 23:36:07.623414+00');


--
-- Data for Name: mails; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.mails VALUES
	('01a22484-1cca-7759-9bac-2534082b8a23', '2d762cc0-ee7a-40ad-8168-802c7fbbe35c', 'member_joined', 'both@example.com', '01a22484-1ded-746f-8095-bac91c2597aa', '{"at": "2026-11-28T23:36:07Z", "role": "owner", "member": "a@example.com", "because": "role"}', '2026-11-28 23:36:07.946416+00', 0, '2026-11-28 23:36:07.946416+00', '', NULL, NULL),
	('01a22484-1cca-7759-9bac-2534082b8a23', '417ed5c2-44e0-49b5-a90b-55c425161fd2', 'key_created', 'a@example.com', '01a22484-1e0a-7532-929f-94922bc0c1bd', '{"at": "2026-11-28T23:36:08Z", "key": "successor", "hint": "00pW", "key_id": "01a22484-1eab-7299-8ec1-01541ae8a3c2", "because": "role"}', '2026-11-28 23:36:08.107369+00', 0, '2026-11-28 23:36:08.107369+00', '', NULL, NULL),
	('01a22484-1cca-7759-9bac-2534082b8a23', 'e25fba0f-6f56-487f-830f-5432529b8ffa', 'key_created', 'both@example.com', '01a22484-1ded-746f-8095-bac91c2597aa', '{"at": "2026-11-28T23:36:08Z", "key": "successor", "hint": "00pW", "key_id": "01a22484-1eab-7299-8ec1-01541ae8a3c2", "because": "role"}', '2026-11-28 23:36:08.107369+00', 0, '2026-11-28 23:36:08.107369+00', '', NULL, NULL),
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', 'fbd5b514-7d09-46a9-a5e4-dc27b246181a', 'key_created', 'b@example.com', '01a22484-1f2d-74fc-89ba-985d789b63bb', '{"at": "2026-11-28T23:36:08Z", "key": "successor", "hint": "5nqM", "key_id": "01a22484-1fba-708a-af67-625d3b3a55d8", "because": "role"}', '2026-11-28 23:36:08.378221+00', 0, '2026-11-28 23:36:08.378221+00', '', NULL, NULL);


--
-- Data for Name: memberships; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.memberships VALUES
	('01a22484-1cca-7759-9bac-2534082b8a23', '01a22484-1ded-746f-8095-bac91c2597aa', 'owner', '2026-11-28 23:36:07.920927+00'),
	('01a22484-1cca-7759-9bac-2534082b8a23', '01a22484-1e0a-7532-929f-94922bc0c1bd', 'owner', '2026-11-28 23:36:07.951141+00'),
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', '01a22484-1f2d-74fc-89ba-985d789b63bb', 'owner', '2026-11-28 23:36:08.238663+00'),
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', '01a22484-1ded-746f-8095-bac91c2597aa', 'viewer', '2026-11-28 23:36:08.419735+00');


--
-- Data for Name: organizations; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.organizations VALUES
	('01a22484-1cca-7759-9bac-2534082b8a23', 'a', 'Organization a', false, NULL, 2, 4, 21, 63.63, 1795908967913227, '408c3576-2946-4111-918a-3c8c54fce66b', '01a22484-1de2-790d-8000-0000c4414714', NULL, NULL, false, false, 0, 0, 'Europe/Copenhagen', '', '', '2026-11-28 23:36:07.631754+00', '2026-11-28 23:36:07.631754+00'),
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', 'b', 'Organization b', false, NULL, 2, 4, 21, 63.63, 1795908967913267, '77082cca-8d7f-4a11-9a34-70a643647442', '01a22484-1de3-7267-8000-0000303785a9', NULL, NULL, false, false, 0, 0, 'Europe/Copenhagen', '', '', '2026-11-28 23:36:07.74352+00', '2026-11-28 23:36:07.74352+00'),
	('01a22484-1fe4-763e-a5d1-2af706117052', 'sandbox', 'Sandbox sandbox', true, '2026-11-28', 20, 1, 41, 734472.34, 1795908968473191, '7dbc2e81-edaa-414f-9326-123105611e2a', '01a22484-200e-72eb-8000-00004a26d032', NULL, NULL, false, false, 0, 0, 'Europe/Copenhagen', '', '', '2026-11-28 23:36:08.420834+00', '2026-11-28 23:36:08.420834+00');


--
-- Data for Name: password_links; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.password_links VALUES
	('\x2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881', 'password', '01a22484-1ded-746f-8095-bac91c2597aa', NULL, '2026-11-28 23:36:08.502086+00', '2026-11-28 23:36:08.502286+00');


--
-- Data for Name: password_requests; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.password_requests VALUES
	('104302e2-4340-4f96-a547-cce95d8cc88f', 'password', 'x@example.com', '192.0.2.1', '2026-11-28 23:36:08.509753+00');


--
-- Data for Name: recovery_codes; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.recovery_codes VALUES
	('01a22484-1ded-746f-8095-bac91c2597aa', '\x000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'),
	('01a22484-1e0a-7532-929f-94922bc0c1bd', '\x000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'),
	('01a22484-1f2d-74fc-89ba-985d789b63bb', '\x000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000');


--
-- Data for Name: refused_deliveries; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.refused_deliveries VALUES
	(true, 1, 20);


--
-- Data for Name: refused_requests; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.refused_requests VALUES
	('01a22484-1cca-7759-9bac-2534082b8a23', 'e61a7739-6dea-4821-be24-27527115340a', '2026-11-28 23:36:08.151112+00', '01a22484-1e13-7099-aafc-82a06fcf2808', 429, '', 'GET', '/', '10.0.0.1', 'curl/8'),
	('01a22484-1cca-7759-9bac-2534082b8a23', '0077ea72-160e-4df0-bdd4-d20333fa0fc6', '2026-11-28 23:36:08.151112+00', '01a22484-1eab-7299-8ec1-01541ae8a3c2', 429, '', 'GET', '/', '10.0.0.1', 'curl/8'),
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', '2380d01b-a1ef-4b9e-a02f-7eaff8c15fc9', '2026-11-28 23:36:08.404609+00', '01a22484-1f3a-7e6b-89f1-d4718c261be7', 429, '', 'GET', '/', '10.0.0.1', 'curl/8'),
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', '42c71b31-860f-4325-af8f-5843df917ca1', '2026-11-28 23:36:08.404609+00', '01a22484-1fba-708a-af67-625d3b3a55d8', 429, '', 'GET', '/', '10.0.0.1', 'curl/8');


--
-- Data for Name: running_tasks; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.running_tasks VALUES
	('01a22484-1cca-7759-9bac-2534082b8a23', 'bulk', 'ce4ac259-a9f5-47a6-b416-d9caff464a97', '2026-11-28 23:36:08.156696+00'),
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', 'bulk', '1f9738eb-aca7-4c29-b3ee-747e23414583', '2026-11-28 23:36:08.406611+00');


--
-- Data for Name: served_requests; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.served_requests VALUES
	('01a22484-1cca-7759-9bac-2534082b8a23', '01a22484-1e13-7099-aafc-82a06fcf2808', '3ee85d61-02db-4d29-b3ce-2a4bce18d453', '2026-11-28 23:36:08.154994+00', '10.0.0.1', 'curl', 'curl/8.5.0', '/', 200, 1, false),
	('01a22484-1cca-7759-9bac-2534082b8a23', '01a22484-1eab-7299-8ec1-01541ae8a3c2', '8e2cb200-cb87-44de-9f99-f69aec87ef4f', '2026-11-28 23:36:08.154994+00', '10.0.0.1', 'curl', 'curl/8.5.0', '/', 200, 1, false),
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', '01a22484-1f3a-7e6b-89f1-d4718c261be7', '80c29313-989a-44f0-b727-97ed0f2a0ce2', '2026-11-28 23:36:08.405276+00', '10.0.0.1', 'curl', 'curl/8.5.0', '/', 200, 1, false),
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', '01a22484-1fba-708a-af67-625d3b3a55d8', '4fa150d8-ead6-45ee-8926-147d5024cc8c', '2026-11-28 23:36:08.405276+00', '10.0.0.1', 'curl', 'curl/8.5.0', '/', 200, 1, false);


--
-- Data for Name: sessions; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.sessions VALUES
	('a62fcae0-20ed-443e-995b-88bb465e145d', '\xb543ded83f60c9a636fa6e76e8ba9c575381f538f1f25462a55b81d37a64e425', '01a22484-1ded-746f-8095-bac91c2597aa', '01a22484-1cca-7759-9bac-2534082b8a23', 'password', '10.0.0.1', 'x', '2026-11-28 23:36:08.191307+00', '2026-11-28 23:36:08.191307+00', '2026-11-28 23:36:08.191307+00', NULL, '2026-11-28 23:36:08.191307+00'),
	('1f8015a0-89c3-471a-baf9-d929cf2f37b5', '\x77a4eee485d44269a4f42f6a115219eb5e51d377022d70506d11a722c1d7335a', '01a22484-1e0a-7532-929f-94922bc0c1bd', '01a22484-1cca-7759-9bac-2534082b8a23', 'password', '10.0.0.1', 'x', '2026-11-28 23:36:08.191307+00', '2026-11-28 23:36:08.191307+00', '2026-11-28 23:36:08.191307+00', NULL, '2026-11-28 23:36:08.191307+00'),
	('e5fbf82f-f8d1-43dc-9994-7a05eaad77ec', '\xeb6939c95f0b529d65202108c2511ac66fabec3961e2c8b1a43d325232cd569c', '01a22484-1f2d-74fc-89ba-985d789b63bb', '01a22484-1d3e-7ba7-89cd-e507ec4c7465', 'password', '10.0.0.1', 'x', '2026-11-28 23:36:08.409101+00', '2026-11-28 23:36:08.409101+00', '2026-11-28 23:36:08.409101+00', NULL, '2026-11-28 23:36:08.409101+00');


--
-- Data for Name: sign_in_failures; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.sign_in_failures VALUES
	('account x', 1, '2026-11-28 23:36:08.49556+00');


--
-- Data for Name: sign_in_links; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.sign_in_links VALUES
	('01a22484-1cca-7759-9bac-2534082b8a23', 'https://login.example.com', 'dispo', '01a22484-1ded-746f-8095-bac91c2597aa', '01a22484-1ded-746f-8095-bac91c2597aa', '2026-11-28 23:36:08.178803+00', '2026-11-28 23:36:08.178803+00'),
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', 'https://login.example.com', 'dispo', '01a22484-1f2d-74fc-89ba-985d789b63bb', '01a22484-1f2d-74fc-89ba-985d789b63bb', '2026-11-28 23:36:08.407558+00', '2026-11-28 23:36:08.407558+00');


--
-- Data for Name: sign_in_providers; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.sign_in_providers VALUES
	('01a22484-1cca-7759-9bac-2534082b8a23', 'https://login.example.com', 'dispo', '\x00', NULL, false, false, false),
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', 'https://login.example.com', 'dispo', '\x00', NULL, false, false, false);


--
-- Data for Name: sign_in_states; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.sign_in_states VALUES
	('01a22484-1cca-7759-9bac-2534082b8a23', '\x2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881', '2026-11-28 23:36:08.18553+00'),
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', '\x2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881', '2026-11-28 23:36:08.408604+00');


--
-- Data for Name: transactions; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.transactions VALUES
	('01a22484-1cca-7759-9bac-2534082b8a23', '01a22484-1d64-7f8b-8000-0002fe13f6ea', '01a22484-1d64-7f8b-8000-0000a034315f', 1, 1, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 0.00, '10000001,1234,0000000001,CARD,2026-01-31,1,0.00'),
	('01a22484-1cca-7759-9bac-2534082b8a23', '01a22484-1d64-7f8b-8000-00034682fcb3', '01a22484-1d64-7f8b-8000-0000a034315f', 2, 2, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 1.01, '10000001,1234,0000000001,CARD,2026-01-31,2,1.01'),
	('01a22484-1cca-7759-9bac-2534082b8a23', '01a22484-1d64-7f8b-8000-0004923a37d6', '01a22484-1d64-7f8b-8000-0000a034315f', 3, 3, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 2.02, '10000001,1234,0000000001,CARD,2026-01-31,3,2.02'),
	('01a22484-1cca-7759-9bac-2534082b8a23', '01a22484-1d64-7f8b-8000-000544bb1c86', '01a22484-1d64-7f8b-8000-0000a034315f', 4, 4, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 3.03, '10000001,1234,0000000001,CARD,2026-01-31,4,3.03'),
	('01a22484-1cca-7759-9bac-2534082b8a23', '01a22484-1d64-7f8b-8000-000619efa9c0', '01a22484-1d64-7f8b-8000-0000a034315f', 5, 5, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 4.04, '10000001,1234,0000000001,CARD,2026-01-31,5,4.04'),
	('01a22484-1cca-7759-9bac-2534082b8a23', '01a22484-1d64-7f8b-8000-000772f8121e', '01a22484-1d64-7f8b-8000-0000a034315f', 6, 6, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 5.05, '10000001,1234,0000000001,CARD,2026-01-31,6,5.05'),
	('01a22484-1cca-7759-9bac-2534082b8a23', '01a22484-1d64-7f8b-8000-000884f250d1', '01a22484-1d64-7f8b-8000-0000a034315f', 7, 7, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 6.06, '10000001,1234,0000000001,CARD,2026-01-31,7,6.06'),
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', '01a22484-1d66-7f5b-8000-000214713b2e', '01a22484-1d66-7f5b-8000-0000f93bb5e8', 1, 1, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 0.00, '10000001,1234,0000000001,CARD,2026-01-31,1,0.00'),
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', '01a22484-1d66-7f5b-8000-0003c54eea45', '01a22484-1d66-7f5b-8000-0000f93bb5e8', 2, 2, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 1.01, '10000001,1234,0000000001,CARD,2026-01-31,2,1.01'),
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', '01a22484-1d66-7f5b-8000-0004b01a7547', '01a22484-1d66-7f5b-8000-0000f93bb5e8', 3, 3, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 2.02, '10000001,1234,0000000001,CARD,2026-01-31,3,2.02'),
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', '01a22484-1d66-7f5b-8000-00053ce0a4b0', '01a22484-1d66-7f5b-8000-0000f93bb5e8', 4, 4, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 3.03, '10000001,1234,0000000001,CARD,2026-01-31,4,3.03'),
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', '01a22484-1d66-7f5b-8000-000613d2a3b3', '01a22484-1d66-7f5b-8000-0000f93bb5e8', 5, 5, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 4.04, '10000001,1234,0000000001,CARD,2026-01-31,5,4.04'),
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', '01a22484-1d66-7f5b-8000-00070c429029', '01a22484-1d66-7f5b-8000-0000f93bb5e8', 6, 6, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 5.05, '10000001,1234,0000000001,CARD,2026-01-31,6,5.05'),
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', '01a22484-1d66-7f5b-8000-00085f70b916', '01a22484-1d66-7f5b-8000-0000f93bb5e8', 7, 7, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 6.06, '10000001,1234,0000000001,CARD,2026-01-31,7,6.06'),
	('01a22484-1cca-7759-9bac-2534082b8a23', '01a22484-1d7d-7579-8000-000261f6b359', '01a22484-1d7d-7579-8000-0000e56773ce', 1, 1, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 0.00, '10000001,1234,0000000002,CARD,2026-01-31,1,0.00'),
	('01a22484-1cca-7759-9bac-2534082b8a23', '01a22484-1d7d-7579-8000-00034a99e818', '01a22484-1d7d-7579-8000-0000e56773ce', 2, 2, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 1.01, '10000001,1234,0000000002,CARD,2026-01-31,2,1.01'),
	('01a22484-1cca-7759-9bac-2534082b8a23', '01a22484-1d7d-7579-8000-0004668c2e32', '01a22484-1d7d-7579-8000-0000e56773ce', 3, 3, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 2.02, '10000001,1234,0000000002,CARD,2026-01-31,3,2.02'),
	('01a22484-1cca-7759-9bac-2534082b8a23', '01a22484-1d7d-7579-8000-000574e82f0b', '01a22484-1d7d-7579-8000-0000e56773ce', 4, 4, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 3.03, '10000001,1234,0000000002,CARD,2026-01-31,4,3.03'),
	('01a22484-1cca-7759-9bac-2534082b8a23', '01a22484-1d7d-7579-8000-000646cfd546', '01a22484-1d7d-7579-8000-0000e56773ce', 5, 5, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 4.04, '10000001,1234,0000000002,CARD,2026-01-31,5,4.04'),
	('01a22484-1cca-7759-9bac-2534082b8a23', '01a22484-1d7d-7579-8000-00070dead8f8', '01a22484-1d7d-7579-8000-0000e56773ce', 6, 6, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 5.05, '10000001,1234,0000000002,CARD,2026-01-31,6,5.05'),
	('01a22484-1cca-7759-9bac-2534082b8a23', '01a22484-1d7d-7579-8000-000841e97426', '01a22484-1d7d-7579-8000-0000e56773ce', 7, 7, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 6.06, '10000001,1234,0000000002,CARD,2026-01-31,7,6.06'),
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', '01a22484-1d7d-7c34-8000-0002036eed98', '01a22484-1d7d-7c34-8000-00009fe79875', 1, 1, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 0.00, '10000001,1234,0000000002,CARD,2026-01-31,1,0.00'),
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', '01a22484-1d7d-7c34-8000-000329114dc7', '01a22484-1d7d-7c34-8000-00009fe79875', 2, 2, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 1.01, '10000001,1234,0000000002,CARD,2026-01-31,2,1.01'),
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', '01a22484-1d7d-7c34-8000-0004077a610e', '01a22484-1d7d-7c34-8000-00009fe79875', 3, 3, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 2.02, '10000001,1234,0000000002,CARD,2026-01-31,3,2.02'),
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', '01a22484-1d7d-7c34-8000-0005546f2a67', '01a22484-1d7d-7c34-8000-00009fe79875', 4, 4, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 3.03, '10000001,1234,0000000002,CARD,2026-01-31,4,3.03'),
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', '01a22484-1d7d-7c34-8000-0006d1c0aa62', '01a22484-1d7d-7c34-8000-00009fe79875', 5, 5, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 4.04, '10000001,1234,0000000002,CARD,2026-01-31,5,4.04'),
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', '01a22484-1d7d-7c34-8000-0007e91f3e31', '01a22484-1d7d-7c34-8000-00009fe79875', 6, 6, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 5.05, '10000001,1234,0000000002,CARD,2026-01-31,6,5.05'),
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', '01a22484-1d7d-7c34-8000-00080f1cd136', '01a22484-1d7d-7c34-8000-00009fe79875', 7, 7, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 6.06, '10000001,1234,0000000002,CARD,2026-01-31,7,6.06'),
	('01a22484-1cca-7759-9bac-2534082b8a23', '01a22484-1d93-708a-8000-000207815ad1', '01a22484-1d93-708a-8000-0000e1ce0329', 1, 1, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 0.00, '10000001,1234,0000000003,CARD,2026-01-31,1,0.00'),
	('01a22484-1cca-7759-9bac-2534082b8a23', '01a22484-1d93-708a-8000-000305d36794', '01a22484-1d93-708a-8000-0000e1ce0329', 2, 2, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 1.01, '10000001,1234,0000000003,CARD,2026-01-31,2,1.01'),
	('01a22484-1cca-7759-9bac-2534082b8a23', '01a22484-1d93-708a-8000-0004c61e1b91', '01a22484-1d93-708a-8000-0000e1ce0329', 3, 3, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 2.02, '10000001,1234,0000000003,CARD,2026-01-31,3,2.02'),
	('01a22484-1cca-7759-9bac-2534082b8a23', '01a22484-1d93-708a-8000-000503f4bda0', '01a22484-1d93-708a-8000-0000e1ce0329', 4, 4, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 3.03, '10000001,1234,0000000003,CARD,2026-01-31,4,3.03'),
	('01a22484-1cca-7759-9bac-2534082b8a23', '01a22484-1d93-708a-8000-0006ff149461', '01a22484-1d93-708a-8000-0000e1ce0329', 5, 5, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 4.04, '10000001,1234,0000000003,CARD,2026-01-31,5,4.04'),
	('01a22484-1cca-7759-9bac-2534082b8a23', '01a22484-1d93-708a-8000-00076c390b7b', '01a22484-1d93-708a-8000-0000e1ce0329', 6, 6, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 5.05, '10000001,1234,0000000003,CARD,2026-01-31,6,5.05'),
	('01a22484-1cca-7759-9bac-2534082b8a23', '01a22484-1d93-708a-8000-000805834d5d', '01a22484-1d93-708a-8000-0000e1ce0329', 7, 7, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 6.06, '10000001,1234,0000000003,CARD,2026-01-31,7,6.06'),
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', '01a22484-1d93-715e-8000-00022713b713', '01a22484-1d93-715e-8000-0000756138ba', 1, 1, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 0.00, '10000001,1234,0000000003,CARD,2026-01-31,1,0.00'),
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', '01a22484-1d93-715e-8000-000384586961', '01a22484-1d93-715e-8000-0000756138ba', 2, 2, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 1.01, '10000001,1234,0000000003,CARD,2026-01-31,2,1.01'),
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', '01a22484-1d93-715e-8000-00043f678f39', '01a22484-1d93-715e-8000-0000756138ba', 3, 3, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 2.02, '10000001,1234,0000000003,CARD,2026-01-31,3,2.02'),
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', '01a22484-1d93-715e-8000-0005893d2fc9', '01a22484-1d93-715e-8000-0000756138ba', 4, 4, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 3.03, '10000001,1234,0000000003,CARD,2026-01-31,4,3.03'),
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', '01a22484-1d93-715e-8000-00062757007e', '01a22484-1d93-715e-8000-0000756138ba', 5, 5, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 4.04, '10000001,1234,0000000003,CARD,2026-01-31,5,4.04'),
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', '01a22484-1d93-715e-8000-00078e081351', '01a22484-1d93-715e-8000-0000756138ba', 6, 6, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 5.05, '10000001,1234,0000000003,CARD,2026-01-31,6,5.05'),
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', '01a22484-1d93-715e-8000-00080319e49b', '01a22484-1d93-715e-8000-0000756138ba', 7, 7, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 6.06, '10000001,1234,0000000003,CARD,2026-01-31,7,6.06'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2008-7afa-8000-0011ddb36ae7', '01a22484-2008-7afa-8000-0000ef23d4b1', 16, 22, '2026-11-28', '99072644', '3987', '3463410422', 'CARD', 3635.45, '99072644,3987,3463410422,CARD,2026-11-28,22,3635.45'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2008-7afa-8000-0012df4f7224', '01a22484-2008-7afa-8000-0000ef23d4b1', 17, 46, '2026-11-28', '99072644', '3987', '3463410422', 'ONLINE', 7464.89, '99072644,3987,3463410422,ONLINE,2026-11-28,46,7464.89'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2008-7afa-8000-0013e77ad196', '01a22484-2008-7afa-8000-0000ef23d4b1', 18, 69, '2026-11-28', '99072644', '3987', '3463410422', 'CARD', 11480.08, '99072644,3987,3463410422,CARD,2026-11-28,69,11480.08'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2008-7afa-8000-000e3450d70e', '01a22484-2008-7afa-8000-0000ef23d4b1', 13, 42, '2026-11-28', '99113219', '3121', '8373338514', 'MOBILE', 7748.39, '99113219,3121,8373338514,MOBILE,2026-11-28,42,7748.39'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2008-7afa-8000-000fc88a3178', '01a22484-2008-7afa-8000-0000ef23d4b1', 14, 25, '2026-11-28', '99113219', '3121', '8373338514', 'CARD', 2817.44, '99113219,3121,8373338514,CARD,2026-11-28,25,2817.44'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2008-7afa-8000-0010d3d7a89e', '01a22484-2008-7afa-8000-0000ef23d4b1', 15, 74, '2026-11-28', '99113219', '3121', '8373338514', 'ONLINE', 12550.11, '99113219,3121,8373338514,ONLINE,2026-11-28,74,12550.11'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2008-7afa-8000-000cb1b9bcc4', '01a22484-2008-7afa-8000-0000ef23d4b1', 11, 2, '2026-11-28', '99125810', '0475', '3391343628', 'REFUND', -149.90, '99125810,0475,3391343628,REFUND,2026-11-28,2,-149.90'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2008-7afa-8000-000de5bf3643', '01a22484-2008-7afa-8000-0000ef23d4b1', 12, 18, '2026-11-28', '99125810', '0475', '3391343628', 'CARD', 945.05, '99125810,0475,3391343628,CARD,2026-11-28,18,945.05'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2008-7afa-8000-0002c2deeed4', '01a22484-2008-7afa-8000-0000ef23d4b1', 1, 10, '2026-11-28', '99151331', '8066', '2510088077', 'ONLINE', 17826.86, '99151331,8066,2510088077,ONLINE,2026-11-28,10,17826.86'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2008-7afa-8000-0003c28a8d2d', '01a22484-2008-7afa-8000-0000ef23d4b1', 2, 16, '2026-11-28', '99210389', '3567', '8966001122', 'MOBILE', 9073.99, '99210389,3567,8966001122,MOBILE,2026-11-28,16,9073.99'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2008-7afa-8000-0004a666856c', '01a22484-2008-7afa-8000-0000ef23d4b1', 3, 76, '2026-11-28', '99238577', '9597', '0523230069', 'ONLINE', 11239.02, '99238577,9597,0523230069,ONLINE,2026-11-28,76,11239.02'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2008-7afa-8000-0005ee3063e5', '01a22484-2008-7afa-8000-0000ef23d4b1', 4, 1, '2026-11-28', '99238577', '9597', '0523230069', 'REFUND', -360.04, '99238577,9597,0523230069,REFUND,2026-11-28,1,-360.04'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2008-7afa-8000-0006d05a934e', '01a22484-2008-7afa-8000-0000ef23d4b1', 5, 116, '2026-11-28', '99238577', '9597', '0523230069', 'CARD', 31421.52, '99238577,9597,0523230069,CARD,2026-11-28,116,31421.52'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2008-7afa-8000-00075696e4a4', '01a22484-2008-7afa-8000-0000ef23d4b1', 6, 158, '2026-11-28', '99238577', '9597', '0523230069', 'MOBILE', 32042.65, '99238577,9597,0523230069,MOBILE,2026-11-28,158,32042.65'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2008-7afa-8000-0008289545b2', '01a22484-2008-7afa-8000-0000ef23d4b1', 7, 121, '2026-11-28', '99238577', '9597', '0523230069', 'ONLINE', 16103.38, '99238577,9597,0523230069,ONLINE,2026-11-28,121,16103.38'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2008-7afa-8000-000913856a43', '01a22484-2008-7afa-8000-0000ef23d4b1', 8, 63, '2026-11-28', '99238577', '9597', '0523230069', 'CARD', 12933.82, '99238577,9597,0523230069,CARD,2026-11-28,63,12933.82'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2008-7afa-8000-000a43a967d5', '01a22484-2008-7afa-8000-0000ef23d4b1', 9, 84, '2026-11-28', '99238577', '9597', '0523230069', 'CARD', 30618.75, '99238577,9597,0523230069,CARD,2026-11-28,84,30618.75'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2008-7afa-8000-000b490d1f65', '01a22484-2008-7afa-8000-0000ef23d4b1', 10, 69, '2026-11-28', '99238577', '9597', '0523230069', 'CARD', 23376.71, '99238577,9597,0523230069,CARD,2026-11-28,69,23376.71'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2008-7afa-8000-002898af3d03', '01a22484-2008-7afa-8000-0000ef23d4b1', 39, 31, '2026-11-28', '99280441', '5713', '5187619629', 'CARD', 2744.10, '99280441,5713,5187619629,CARD,2026-11-28,31,2744.10'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2008-7afa-8000-0029815a4b24', '01a22484-2008-7afa-8000-0000ef23d4b1', 40, 48, '2026-11-28', '99280441', '5713', '5187619629', 'CARD', 7035.38, '99280441,5713,5187619629,CARD,2026-11-28,48,7035.38'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2008-7afa-8000-002a60688a97', '01a22484-2008-7afa-8000-0000ef23d4b1', 41, 94, '2026-11-28', '99280441', '5713', '5187619629', 'CARD', 18426.88, '99280441,5713,5187619629,CARD,2026-11-28,94,18426.88'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2008-7afa-8000-001461f526f8', '01a22484-2008-7afa-8000-0000ef23d4b1', 19, 16, '2026-11-28', '99307080', '6956', '5944783694', 'CARD', 1970.17, '99307080,6956,5944783694,CARD,2026-11-28,16,1970.17'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2008-7afa-8000-0020eb1dce54', '01a22484-2008-7afa-8000-0000ef23d4b1', 31, 44, '2026-11-28', '99334916', '2466', '2958262901', 'ONLINE', 1630.80, '99334916,2466,2958262901,ONLINE,2026-11-28,44,1630.80'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2008-7afa-8000-0021de18803a', '01a22484-2008-7afa-8000-0000ef23d4b1', 32, 38, '2026-11-28', '99334916', '2466', '2958262901', 'CARD', 2264.68, '99334916,2466,2958262901,CARD,2026-11-28,38,2264.68'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2008-7afa-8000-00220d906ffd', '01a22484-2008-7afa-8000-0000ef23d4b1', 33, 43, '2026-11-28', '99334916', '2466', '2958262901', 'CARD', 4191.27, '99334916,2466,2958262901,CARD,2026-11-28,43,4191.27'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2008-7afa-8000-0023aa736886', '01a22484-2008-7afa-8000-0000ef23d4b1', 34, 18, '2026-11-28', '99387424', '5469', '5402277718', 'CARD', 2378.15, '99387424,5469,5402277718,CARD,2026-11-28,18,2378.15'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2008-7afa-8000-0026ca452316', '01a22484-2008-7afa-8000-0000ef23d4b1', 37, 38, '2026-11-28', '99601531', '8873', '0637688453', 'ONLINE', 1757.72, '99601531,8873,0637688453,ONLINE,2026-11-28,38,1757.72'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2008-7afa-8000-0027ebc3ff39', '01a22484-2008-7afa-8000-0000ef23d4b1', 38, 17, '2026-11-28', '99601531', '8873', '0637688453', 'CARD', 1050.06, '99601531,8873,0637688453,CARD,2026-11-28,17,1050.06'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2008-7afa-8000-0024d9db73a4', '01a22484-2008-7afa-8000-0000ef23d4b1', 35, 46, '2026-11-28', '99606533', '3799', '8721869979', 'MOBILE', 31897.80, '99606533,3799,8721869979,MOBILE,2026-11-28,46,31897.80'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2008-7afa-8000-002514dd3512', '01a22484-2008-7afa-8000-0000ef23d4b1', 36, 45, '2026-11-28', '99606533', '3799', '8721869979', 'CARD', 14528.37, '99606533,3799,8721869979,CARD,2026-11-28,45,14528.37'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2008-7afa-8000-001566ffb54d', '01a22484-2008-7afa-8000-0000ef23d4b1', 20, 145, '2026-11-28', '99662999', '2260', '3931057733', 'CARD', 80087.25, '99662999,2260,3931057733,CARD,2026-11-28,145,80087.25'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2008-7afa-8000-0016c884dfd2', '01a22484-2008-7afa-8000-0000ef23d4b1', 21, 77, '2026-11-28', '99662999', '2260', '3931057733', 'CARD', 23239.14, '99662999,2260,3931057733,CARD,2026-11-28,77,23239.14'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2008-7afa-8000-001702b9b622', '01a22484-2008-7afa-8000-0000ef23d4b1', 22, 3, '2026-11-28', '99662999', '2260', '3931057733', 'CHARGEBACK', -2166.03, '99662999,2260,3931057733,CHARGEBACK,2026-11-28,3,-2166.03'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2008-7afa-8000-0018c13b778e', '01a22484-2008-7afa-8000-0000ef23d4b1', 23, 87, '2026-11-28', '99662999', '2260', '3931057733', 'MOBILE', 58274.73, '99662999,2260,3931057733,MOBILE,2026-11-28,87,58274.73'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2008-7afa-8000-00191265856f', '01a22484-2008-7afa-8000-0000ef23d4b1', 24, 208, '2026-11-28', '99662999', '2260', '3931057733', 'CARD', 83435.43, '99662999,2260,3931057733,CARD,2026-11-28,208,83435.43'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2008-7afa-8000-001adaa2bc13', '01a22484-2008-7afa-8000-0000ef23d4b1', 25, 57, '2026-11-28', '99662999', '2260', '3931057733', 'CARD', 15427.82, '99662999,2260,3931057733,CARD,2026-11-28,57,15427.82'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2008-7afa-8000-001b03ba5f46', '01a22484-2008-7afa-8000-0000ef23d4b1', 26, 59, '2026-11-28', '99662999', '2260', '3931057733', 'CARD', 25644.50, '99662999,2260,3931057733,CARD,2026-11-28,59,25644.50'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2008-7afa-8000-001cb7930411', '01a22484-2008-7afa-8000-0000ef23d4b1', 27, 106, '2026-11-28', '99662999', '2260', '3931057733', 'ONLINE', 65120.11, '99662999,2260,3931057733,ONLINE,2026-11-28,106,65120.11'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2008-7afa-8000-001fc0157ee9', '01a22484-2008-7afa-8000-0000ef23d4b1', 30, 12, '2026-11-28', '99675705', '4023', '9108165489', 'CARD', 5339.11, '99675705,4023,9108165489,CARD,2026-11-28,12,5339.11'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2008-7afa-8000-001de2d3409b', '01a22484-2008-7afa-8000-0000ef23d4b1', 28, 53, '2026-11-28', '99806982', '4920', '8689140130', 'CARD', 28503.96, '99806982,4920,8689140130,CARD,2026-11-28,53,28503.96'),
	('01a22484-1fe4-763e-a5d1-2af706117052', '01a22484-2008-7afa-8000-001e96ad98c7', '01a22484-2008-7afa-8000-0000ef23d4b1', 29, 40, '2026-11-28', '99806982', '4920', '8689140130', 'CARD', 30922.77, '99806982,4920,8689140130,CARD,2026-11-28,40,30922.77');


--
-- Data for Name: users; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.users VALUES
	('01a22484-1ded-746f-8095-bac91c2597aa', 'both@example.com', '2026-11-28 23:36:07.942432+00', 'sha384-nfc$2a$04$jLObsf8uqkHybg8ln6qZSOJ7RP2SrPrw6lwXRm0O7beM8yhFEKqBW', NULL, 0, NULL, NULL, '{arrivals}', '', '', '2026-11-28 23:36:07.917864+00'),
	('01a22484-1e0a-7532-929f-94922bc0c1bd', 'a@example.com', '2026-11-28 23:36:07.953869+00', 'sha384-nfc$2a$04$15pmqT5iRdGMbLnzhlhGQe7u2a04LwQCfnQPUTu38iZHcnJjOhsM.', NULL, 0, NULL, NULL, '{arrivals}', '', '', '2026-11-28 23:36:07.946683+00'),
	('01a22484-1f2d-74fc-89ba-985d789b63bb', 'b@example.com', '2026-11-28 23:36:08.246274+00', 'sha384-nfc$2a$04$I5NPNeEdaavHB0z25N.NeuIw3oVxkV2vQ49/.H7zyvS1FxBFNzDQ.', NULL, 0, NULL, NULL, '{arrivals}', '', '', '2026-11-28 23:36:08.237672+00');


--
-- Data for Name: withdrawn_files; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.withdrawn_files VALUES
	('01a22484-1cca-7759-9bac-2534082b8a23', '01a22484-1dd8-78d4-8000-0000938104d7', 'delivery.csv', 'csv', 2, 1.01, '2026-01-31', '2026-01-31', '2026-11-28 23:36:07.896639+00', '2026-11-28 23:36:07.906907+00', 'wrong', '01a22484-1de2-790d-8000-0000c4414714'),
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', '01a22484-1dd9-7147-8000-0000859a84aa', 'delivery.csv', 'csv', 2, 1.01, '2026-01-31', '2026-01-31', '2026-11-28 23:36:07.897098+00', '2026-11-28 23:36:07.907291+00', 'wrong', '01a22484-1de3-7267-8000-0000303785a9');


--
-- Data for Name: withdrawn_totals; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.withdrawn_totals VALUES
	('01a22484-1cca-7759-9bac-2534082b8a23', '10000001', '2026-01-31', '01a22484-1dd8-78d4-8000-0000938104d7', 2, 1.01, '2026-11-28 23:36:07.908023+00'),
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', '10000001', '2026-01-31', '01a22484-1dd9-7147-8000-0000859a84aa', 2, 1.01, '2026-11-28 23:36:07.908171+00'),
	('01a22484-1cca-7759-9bac-2534082b8a23', '', '2026-01-31', '01a22484-1dd8-78d4-8000-0000938104d7', 2, 1.01, '2026-11-28 23:36:07.908175+00'),
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', '', '2026-01-31', '01a22484-1dd9-7147-8000-0000859a84aa', 2, 1.01, '2026-11-28 23:36:07.908178+00');


--
-- Data for Name: writers; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.writers VALUES
	('01a22484-1cca-7759-9bac-2534082b8a23', 0, '00000000-0000-0000-0000-000000000000'),
	('01a22484-1d3e-7ba7-89cd-e507ec4c7465', 0, '00000000-0000-0000-0000-000000000000'),
	('01a22484-1fe4-763e-a5d1-2af706117052', 0, '00000000-0000-0000-0000-000000000000');


--
-- Name: deliveries_number_seq; Type: SEQUENCE SET; Schema: public; Owner: dispo
--

SELECT pg_catalog.setval('public.deliveries_number_seq', 5, true);


--
-- Name: delivery_files_number_seq; Type: SEQUENCE SET; Schema: public; Owner: dispo
--

SELECT pg_catalog.setval('public.delivery_files_number_seq', 9, true);


--
-- Name: erasures_number_seq; Type: SEQUENCE SET; Schema: public; Owner: dispo
--

SELECT pg_catalog.setval('public.erasures_number_seq', 1, true);


--
-- Name: goose_db_version_id_seq; Type: SEQUENCE SET; Schema: public; Owner: dispo
--

SELECT pg_catalog.setval('public.goose_db_version_id_seq', 9, true);


--
-- Name: api_keys api_keys_lookup_id_key; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_lookup_id_key UNIQUE (lookup_id);


--
-- Name: api_keys api_keys_organization_id_id_key; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_organization_id_id_key UNIQUE (organization_id, id);


--
-- Name: api_keys api_keys_pkey; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);


--
-- Name: audit_log audit_log_pkey; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT audit_log_pkey PRIMARY KEY (organization_id, id);


--
-- Name: companies companies_organization_id_change_id_key; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.companies
    ADD CONSTRAINT companies_organization_id_change_id_key UNIQUE (organization_id, change_id);


--
-- Name: companies companies_organization_id_cvr_key; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.companies
    ADD CONSTRAINT companies_organization_id_cvr_key UNIQUE (organization_id, cvr);


--
-- Name: companies companies_pkey; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.companies
    ADD CONSTRAINT companies_pkey PRIMARY KEY (organization_id, id);


--
-- Name: daily_totals daily_totals_pkey; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.daily_totals
    ADD CONSTRAINT daily_totals_pkey PRIMARY KEY (organization_id, cvr, disposition_date, transfer_type) INCLUDE (count, amount_dkk);


--
-- Name: deliveries deliveries_number_key; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_number_key UNIQUE (number);


--
-- Name: deliveries deliveries_pkey; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_pkey PRIMARY KEY (id);


--
-- Name: delivery_bytes delivery_bytes_pkey; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.delivery_bytes
    ADD CONSTRAINT delivery_bytes_pkey PRIMARY KEY (sha256, delivery_id);


--
-- Name: delivery_files delivery_files_organization_id_change_id_key; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.delivery_files
    ADD CONSTRAINT delivery_files_organization_id_change_id_key UNIQUE (organization_id, change_id);


--
-- Name: delivery_files delivery_files_pkey; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.delivery_files
    ADD CONSTRAINT delivery_files_pkey PRIMARY KEY (organization_id, id);


--
-- Name: delivery_names delivery_names_pkey; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.delivery_names
    ADD CONSTRAINT delivery_names_pkey PRIMARY KEY (delivery_id, "position");


--
-- Name: delivery_notices delivery_notices_pkey; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.delivery_notices
    ADD CONSTRAINT delivery_notices_pkey PRIMARY KEY (organization_id, kind, starts_at);


--
-- Name: delivery_withdrawals delivery_withdrawals_pkey; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.delivery_withdrawals
    ADD CONSTRAINT delivery_withdrawals_pkey PRIMARY KEY (organization_id, delivery_id);


--
-- Name: erasure_files erasure_files_pkey; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.erasure_files
    ADD CONSTRAINT erasure_files_pkey PRIMARY KEY (file);


--
-- Name: erasures erasures_pkey; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.erasures
    ADD CONSTRAINT erasures_pkey PRIMARY KEY (number);


--
-- Name: goose_db_version goose_db_version_pkey; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.goose_db_version
    ADD CONSTRAINT goose_db_version_pkey PRIMARY KEY (id);


--
-- Name: invitations invitations_id_key; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_id_key UNIQUE (id);


--
-- Name: invitations invitations_mail_token_hash_key; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_mail_token_hash_key UNIQUE (mail_token_hash);


--
-- Name: invitations invitations_organization_id_email_key; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_organization_id_email_key UNIQUE (organization_id, email);


--
-- Name: invitations invitations_pkey; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_pkey PRIMARY KEY (token_hash);


--
-- Name: kept_periods kept_periods_pkey; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.kept_periods
    ADD CONSTRAINT kept_periods_pkey PRIMARY KEY (kind);


--
-- Name: key_callers key_callers_pkey; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.key_callers
    ADD CONSTRAINT key_callers_pkey PRIMARY KEY (organization_id, key_id, address, client);


--
-- Name: key_usage key_usage_pkey; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.key_usage
    ADD CONSTRAINT key_usage_pkey PRIMARY KEY (organization_id, hour, key_id);


--
-- Name: mail_senders mail_senders_pkey; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.mail_senders
    ADD CONSTRAINT mail_senders_pkey PRIMARY KEY (only_row);


--
-- Name: mails mails_pkey; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.mails
    ADD CONSTRAINT mails_pkey PRIMARY KEY (organization_id, id);


--
-- Name: memberships memberships_pkey; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT memberships_pkey PRIMARY KEY (organization_id, user_id);


--
-- Name: organizations organizations_id_sandbox_key; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.organizations
    ADD CONSTRAINT organizations_id_sandbox_key UNIQUE (id, sandbox);


--
-- Name: organizations organizations_pkey; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.organizations
    ADD CONSTRAINT organizations_pkey PRIMARY KEY (id);


--
-- Name: organizations organizations_slug_key; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.organizations
    ADD CONSTRAINT organizations_slug_key UNIQUE (slug);


--
-- Name: password_links password_links_pkey; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.password_links
    ADD CONSTRAINT password_links_pkey PRIMARY KEY (token_hash);


--
-- Name: password_requests password_requests_pkey; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.password_requests
    ADD CONSTRAINT password_requests_pkey PRIMARY KEY (id);


--
-- Name: recovery_codes recovery_codes_pkey; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.recovery_codes
    ADD CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, code_hash);


--
-- Name: refused_deliveries refused_deliveries_pkey; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.refused_deliveries
    ADD CONSTRAINT refused_deliveries_pkey PRIMARY KEY (only_row);


--
-- Name: refused_requests refused_requests_pkey; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.refused_requests
    ADD CONSTRAINT refused_requests_pkey PRIMARY KEY (organization_id, id);


--
-- Name: running_tasks running_tasks_pkey; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.running_tasks
    ADD CONSTRAINT running_tasks_pkey PRIMARY KEY (organization_id, task);


--
-- Name: served_requests served_requests_pkey; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.served_requests
    ADD CONSTRAINT served_requests_pkey PRIMARY KEY (organization_id, key_id, id);


--
-- Name: sessions sessions_pkey; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (id);


--
-- Name: sessions sessions_token_hash_key; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_token_hash_key UNIQUE (token_hash);


--
-- Name: sign_in_failures sign_in_failures_pkey; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.sign_in_failures
    ADD CONSTRAINT sign_in_failures_pkey PRIMARY KEY (subject);


--
-- Name: sign_in_links sign_in_links_organization_id_user_id_key; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.sign_in_links
    ADD CONSTRAINT sign_in_links_organization_id_user_id_key UNIQUE (organization_id, user_id);


--
-- Name: sign_in_links sign_in_links_pkey; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.sign_in_links
    ADD CONSTRAINT sign_in_links_pkey PRIMARY KEY (organization_id, issuer, client_id, subject);


--
-- Name: sign_in_providers sign_in_providers_pkey; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.sign_in_providers
    ADD CONSTRAINT sign_in_providers_pkey PRIMARY KEY (organization_id);


--
-- Name: sign_in_states sign_in_states_pkey; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.sign_in_states
    ADD CONSTRAINT sign_in_states_pkey PRIMARY KEY (organization_id, state_hash);


--
-- Name: transactions transactions_pkey; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.transactions
    ADD CONSTRAINT transactions_pkey PRIMARY KEY (organization_id, cvr, id);


--
-- Name: users users_email_key; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_email_key UNIQUE (email);


--
-- Name: users users_pkey; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (id);


--
-- Name: withdrawn_files withdrawn_files_organization_id_change_id_key; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.withdrawn_files
    ADD CONSTRAINT withdrawn_files_organization_id_change_id_key UNIQUE (organization_id, change_id);


--
-- Name: withdrawn_files withdrawn_files_pkey; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.withdrawn_files
    ADD CONSTRAINT withdrawn_files_pkey PRIMARY KEY (organization_id, id);


--
-- Name: withdrawn_totals withdrawn_totals_pkey; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.withdrawn_totals
    ADD CONSTRAINT withdrawn_totals_pkey PRIMARY KEY (organization_id, cvr, disposition_date, file_id);


--
-- Name: writers writers_pkey; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.writers
    ADD CONSTRAINT writers_pkey PRIMARY KEY (organization_id);


--
-- Name: api_keys_elsewhere; Type: INDEX; Schema: public; Owner: dispo
--

CREATE INDEX api_keys_elsewhere ON public.api_keys USING btree (id) WHERE (elsewhere_at IS NOT NULL);


--
-- Name: api_keys_expiring; Type: INDEX; Schema: public; Owner: dispo
--

CREATE INDEX api_keys_expiring ON public.api_keys USING btree (expires_at) WHERE ((revoked_at IS NULL) AND (expires_at IS NOT NULL));


--
-- Name: api_keys_leaked; Type: INDEX; Schema: public; Owner: dispo
--

CREATE INDEX api_keys_leaked ON public.api_keys USING btree (id) WHERE ((leaked_at IS NOT NULL) AND (revoked_at IS NULL));


--
-- Name: api_keys_scheduled; Type: INDEX; Schema: public; Owner: dispo
--

CREATE INDEX api_keys_scheduled ON public.api_keys USING btree (id) WHERE ((revoked_at IS NULL) AND (revoke_scheduled_at IS NOT NULL));


--
-- Name: api_keys_successor_of; Type: INDEX; Schema: public; Owner: dispo
--

CREATE INDEX api_keys_successor_of ON public.api_keys USING btree (successor_of) WHERE (successor_of IS NOT NULL);


--
-- Name: audit_log_action; Type: INDEX; Schema: public; Owner: dispo
--

CREATE INDEX audit_log_action ON public.audit_log USING btree (organization_id, action, id);


--
-- Name: audit_log_at; Type: INDEX; Schema: public; Owner: dispo
--

CREATE INDEX audit_log_at ON public.audit_log USING btree (at);


--
-- Name: audit_log_key; Type: INDEX; Schema: public; Owner: dispo
--

CREATE INDEX audit_log_key ON public.audit_log USING btree (organization_id, key_id, id) WHERE (key_id IS NOT NULL);


--
-- Name: audit_log_person; Type: INDEX; Schema: public; Owner: dispo
--

CREATE INDEX audit_log_person ON public.audit_log USING btree (organization_id, user_email, id);


--
-- Name: audit_log_person_action; Type: INDEX; Schema: public; Owner: dispo
--

CREATE INDEX audit_log_person_action ON public.audit_log USING btree (organization_id, user_email, action, id);


--
-- Name: companies_cvr; Type: INDEX; Schema: public; Owner: dispo
--

CREATE INDEX companies_cvr ON public.companies USING btree (cvr);


--
-- Name: companies_grams; Type: INDEX; Schema: public; Owner: dispo
--

CREATE INDEX companies_grams ON public.companies USING gin (public.company_grams(organization_id, folded_name, status));


--
-- Name: companies_name; Type: INDEX; Schema: public; Owner: dispo
--

CREATE INDEX companies_name ON public.companies USING btree (organization_id, sort_key, id);


--
-- Name: companies_receiver; Type: INDEX; Schema: public; Owner: dispo
--

CREATE INDEX companies_receiver ON public.companies USING btree (organization_id, receiver_account_number);


--
-- Name: companies_sender; Type: INDEX; Schema: public; Owner: dispo
--

CREATE INDEX companies_sender ON public.companies USING btree (organization_id, sender_account_number);


--
-- Name: deliveries_last_date; Type: INDEX; Schema: public; Owner: dispo
--

CREATE INDEX deliveries_last_date ON public.deliveries USING btree (last_date) WHERE (withdrawn_at IS NULL);


--
-- Name: delivery_bytes_delivery; Type: INDEX; Schema: public; Owner: dispo
--

CREATE INDEX delivery_bytes_delivery ON public.delivery_bytes USING btree (delivery_id);


--
-- Name: delivery_files_created; Type: INDEX; Schema: public; Owner: dispo
--

CREATE INDEX delivery_files_created ON public.delivery_files USING btree (organization_id, created_at);


--
-- Name: delivery_files_days; Type: INDEX; Schema: public; Owner: dispo
--

CREATE INDEX delivery_files_days ON public.delivery_files USING btree (organization_id, last_date, first_date);


--
-- Name: delivery_files_delivery; Type: INDEX; Schema: public; Owner: dispo
--

CREATE INDEX delivery_files_delivery ON public.delivery_files USING btree (delivery_id);


--
-- Name: delivery_files_number; Type: INDEX; Schema: public; Owner: dispo
--

CREATE INDEX delivery_files_number ON public.delivery_files USING btree (number);


--
-- Name: delivery_names_name; Type: INDEX; Schema: public; Owner: dispo
--

CREATE INDEX delivery_names_name ON public.delivery_names USING btree (name);


--
-- Name: held_records_created; Type: INDEX; Schema: public; Owner: dispo
--

CREATE INDEX held_records_created ON public.held_records USING btree (created_at);


--
-- Name: held_records_cvr; Type: INDEX; Schema: public; Owner: dispo
--

CREATE INDEX held_records_cvr ON public.held_records USING btree (cvr, ((disposition_date + 0)), hash_record(ROW(cvr, disposition_date, count, amount_dkk, reg_number, account_number, transfer_type)), delivery_id);


--
-- Name: held_records_once; Type: INDEX; Schema: public; Owner: dispo
--

CREATE UNIQUE INDEX held_records_once ON public.held_records USING btree (delivery_id, record_index, COALESCE(only_organization_id, '00000000-0000-0000-0000-000000000000'::uuid));


--
-- Name: held_records_only; Type: INDEX; Schema: public; Owner: dispo
--

CREATE UNIQUE INDEX held_records_only ON public.held_records USING btree (only_organization_id, cvr, delivery_id, record_index) WHERE (only_organization_id IS NOT NULL);


--
-- Name: key_callers_last_seen; Type: INDEX; Schema: public; Owner: dispo
--

CREATE INDEX key_callers_last_seen ON public.key_callers USING btree (last_seen);


--
-- Name: key_usage_age; Type: INDEX; Schema: public; Owner: dispo
--

CREATE INDEX key_usage_age ON public.key_usage USING btree (by_day, hour);


--
-- Name: key_usage_key; Type: INDEX; Schema: public; Owner: dispo
--

CREATE INDEX key_usage_key ON public.key_usage USING btree (organization_id, key_id, hour);


--
-- Name: mails_created; Type: INDEX; Schema: public; Owner: dispo
--

CREATE INDEX mails_created ON public.mails USING btree (created_at);


--
-- Name: mails_due; Type: INDEX; Schema: public; Owner: dispo
--

CREATE INDEX mails_due ON public.mails USING btree (next_attempt_at) WHERE ((sent_at IS NULL) AND (given_up_at IS NULL));


--
-- Name: mails_once; Type: INDEX; Schema: public; Owner: dispo
--

CREATE UNIQUE INDEX mails_once ON public.mails USING btree (organization_id, recipient, kind, ((details ->> 'day'::text))) WHERE ((details ? 'day'::text) AND (kind <> 'deliveries_later'::text));


--
-- Name: mails_unsent; Type: INDEX; Schema: public; Owner: dispo
--

CREATE INDEX mails_unsent ON public.mails USING btree (created_at) WHERE (sent_at IS NULL);


--
-- Name: memberships_user; Type: INDEX; Schema: public; Owner: dispo
--

CREATE INDEX memberships_user ON public.memberships USING btree (user_id);


--
-- Name: organizations_sandboxes; Type: INDEX; Schema: public; Owner: dispo
--

CREATE INDEX organizations_sandboxes ON public.organizations USING btree (sandbox_day) WHERE sandbox;


--
-- Name: password_requests_created; Type: INDEX; Schema: public; Owner: dispo
--

CREATE INDEX password_requests_created ON public.password_requests USING btree (created_at);


--
-- Name: served_requests_at; Type: INDEX; Schema: public; Owner: dispo
--

CREATE INDEX served_requests_at ON public.served_requests USING btree (at);


--
-- Name: served_requests_caller; Type: INDEX; Schema: public; Owner: dispo
--

CREATE INDEX served_requests_caller ON public.served_requests USING btree (organization_id, key_id, address, client, id);


--
-- Name: sessions_expiry; Type: INDEX; Schema: public; Owner: dispo
--

CREATE INDEX sessions_expiry ON public.sessions USING btree (expires_at);


--
-- Name: sessions_user; Type: INDEX; Schema: public; Owner: dispo
--

CREATE INDEX sessions_user ON public.sessions USING btree (user_id);


--
-- Name: sign_in_failures_expiry; Type: INDEX; Schema: public; Owner: dispo
--

CREATE INDEX sign_in_failures_expiry ON public.sign_in_failures USING btree (expires_at);


--
-- Name: sign_in_links_user; Type: INDEX; Schema: public; Owner: dispo
--

CREATE INDEX sign_in_links_user ON public.sign_in_links USING btree (user_id);


--
-- Name: sign_in_states_expiry; Type: INDEX; Schema: public; Owner: dispo
--

CREATE INDEX sign_in_states_expiry ON public.sign_in_states USING btree (expires_at);


--
-- Name: transactions_arrival; Type: INDEX; Schema: public; Owner: dispo
--

CREATE UNIQUE INDEX transactions_arrival ON public.transactions USING btree (organization_id, id) INCLUDE (amount_dkk) WHERE (record_index >= 0);


--
-- Name: transactions_equal; Type: INDEX; Schema: public; Owner: dispo
--

CREATE INDEX transactions_equal ON public.transactions USING btree (organization_id, ((disposition_date + 0)), hash_record(ROW(cvr, disposition_date, count, amount_dkk, reg_number, account_number, transfer_type)), delivery_file_id) WHERE (record_index >= 0);


--
-- Name: transactions_newest; Type: INDEX; Schema: public; Owner: dispo
--

CREATE INDEX transactions_newest ON public.transactions USING btree (organization_id, transfer_type, disposition_date, id) INCLUDE (cvr, amount_dkk);


--
-- Name: withdrawn_totals_age; Type: INDEX; Schema: public; Owner: dispo
--

CREATE INDEX withdrawn_totals_age ON public.withdrawn_totals USING btree (withdrawn_at);


--
-- Name: withdrawn_totals_days; Type: INDEX; Schema: public; Owner: dispo
--

CREATE INDEX withdrawn_totals_days ON public.withdrawn_totals USING btree (organization_id, file_id, disposition_date DESC, cvr);


--
-- Name: audit_log append_only; Type: TRIGGER; Schema: public; Owner: dispo
--

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION public.audit_log_append_only();


--
-- Name: api_keys changed; Type: TRIGGER; Schema: public; Owner: dispo
--

CREATE TRIGGER changed AFTER INSERT OR DELETE OR UPDATE OF revoked_at, paused_at, expires_at, networks, secret_hash, organization_id ON public.api_keys FOR EACH ROW EXECUTE FUNCTION public.api_key_changed();


--
-- Name: organizations created; Type: TRIGGER; Schema: public; Owner: dispo
--

CREATE TRIGGER created AFTER INSERT ON public.organizations FOR EACH ROW EXECUTE FUNCTION public.organization_created();


--
-- Name: api_keys revoked; Type: TRIGGER; Schema: public; Owner: dispo
--

CREATE TRIGGER revoked AFTER UPDATE OF revoked_at ON public.api_keys FOR EACH ROW WHEN (((old.revoked_at IS NULL) AND (new.revoked_at IS NOT NULL))) EXECUTE FUNCTION public.api_key_revoked();


--
-- Name: api_keys api_keys_organization_id_sandbox_fkey; Type: FK CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_organization_id_sandbox_fkey FOREIGN KEY (organization_id, sandbox) REFERENCES public.organizations(id, sandbox);


--
-- Name: api_keys api_keys_organization_id_successor_of_fkey; Type: FK CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_organization_id_successor_of_fkey FOREIGN KEY (organization_id, successor_of) REFERENCES public.api_keys(organization_id, id) ON DELETE SET NULL (successor_of);


--
-- Name: audit_log audit_log_organization_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT audit_log_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);


--
-- Name: delivery_bytes delivery_bytes_delivery_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.delivery_bytes
    ADD CONSTRAINT delivery_bytes_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES public.deliveries(id);


--
-- Name: delivery_names delivery_names_delivery_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.delivery_names
    ADD CONSTRAINT delivery_names_delivery_id_fkey FOREIGN KEY (delivery_id) REFERENCES public.deliveries(id);


--
-- Name: invitations invitations_invited_by_fkey; Type: FK CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES public.users(id);


--
-- Name: invitations invitations_organization_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.invitations
    ADD CONSTRAINT invitations_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);


--
-- Name: key_callers key_callers_key_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.key_callers
    ADD CONSTRAINT key_callers_key_id_fkey FOREIGN KEY (key_id) REFERENCES public.api_keys(id) ON DELETE CASCADE;


--
-- Name: key_callers key_callers_organization_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.key_callers
    ADD CONSTRAINT key_callers_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);


--
-- Name: key_usage key_usage_key_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.key_usage
    ADD CONSTRAINT key_usage_key_id_fkey FOREIGN KEY (key_id) REFERENCES public.api_keys(id) ON DELETE CASCADE;


--
-- Name: key_usage key_usage_organization_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.key_usage
    ADD CONSTRAINT key_usage_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);


--
-- Name: memberships memberships_organization_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT memberships_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);


--
-- Name: memberships memberships_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.memberships
    ADD CONSTRAINT memberships_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);


--
-- Name: password_links password_links_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.password_links
    ADD CONSTRAINT password_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);


--
-- Name: recovery_codes recovery_codes_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.recovery_codes
    ADD CONSTRAINT recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);


--
-- Name: refused_requests refused_requests_key_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.refused_requests
    ADD CONSTRAINT refused_requests_key_id_fkey FOREIGN KEY (key_id) REFERENCES public.api_keys(id) ON DELETE CASCADE;


--
-- Name: refused_requests refused_requests_organization_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.refused_requests
    ADD CONSTRAINT refused_requests_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);


--
-- Name: running_tasks running_tasks_organization_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.running_tasks
    ADD CONSTRAINT running_tasks_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);


--
-- Name: served_requests served_requests_key_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.served_requests
    ADD CONSTRAINT served_requests_key_id_fkey FOREIGN KEY (key_id) REFERENCES public.api_keys(id) ON DELETE CASCADE;


--
-- Name: served_requests served_requests_organization_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.served_requests
    ADD CONSTRAINT served_requests_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);


--
-- Name: sessions sessions_organization_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_organization_id_fkey FOREIGN KEY (organization_id) REFERENCES public.organizations(id);


--
-- Name: sessions sessions_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.sessions
    ADD CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);


--
-- Name: sign_in_links sign_in_links_user_id_fkey; Type: FK CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.sign_in_links
    ADD CONSTRAINT sign_in_links_user_id_fkey FOREIGN KEY (user_id) REFERENCES public.users(id);


--
-- Name: api_keys; Type: ROW SECURITY; Schema: public; Owner: dispo
--

ALTER TABLE public.api_keys ENABLE ROW LEVEL SECURITY;

--
-- Name: audit_log; Type: ROW SECURITY; Schema: public; Owner: dispo
--

ALTER TABLE public.audit_log ENABLE ROW LEVEL SECURITY;

--
-- Name: companies; Type: ROW SECURITY; Schema: public; Owner: dispo
--

ALTER TABLE public.companies ENABLE ROW LEVEL SECURITY;

--
-- Name: daily_totals; Type: ROW SECURITY; Schema: public; Owner: dispo
--

ALTER TABLE public.daily_totals ENABLE ROW LEVEL SECURITY;

--
-- Name: deliveries; Type: ROW SECURITY; Schema: public; Owner: dispo
--

ALTER TABLE public.deliveries ENABLE ROW LEVEL SECURITY;

--
-- Name: delivery_bytes; Type: ROW SECURITY; Schema: public; Owner: dispo
--

ALTER TABLE public.delivery_bytes ENABLE ROW LEVEL SECURITY;

--
-- Name: delivery_files; Type: ROW SECURITY; Schema: public; Owner: dispo
--

ALTER TABLE public.delivery_files ENABLE ROW LEVEL SECURITY;

--
-- Name: delivery_names; Type: ROW SECURITY; Schema: public; Owner: dispo
--

ALTER TABLE public.delivery_names ENABLE ROW LEVEL SECURITY;

--
-- Name: delivery_notices; Type: ROW SECURITY; Schema: public; Owner: dispo
--

ALTER TABLE public.delivery_notices ENABLE ROW LEVEL SECURITY;

--
-- Name: delivery_withdrawals; Type: ROW SECURITY; Schema: public; Owner: dispo
--

ALTER TABLE public.delivery_withdrawals ENABLE ROW LEVEL SECURITY;

--
-- Name: erasure_files; Type: ROW SECURITY; Schema: public; Owner: dispo
--

ALTER TABLE public.erasure_files ENABLE ROW LEVEL SECURITY;

--
-- Name: erasures; Type: ROW SECURITY; Schema: public; Owner: dispo
--

ALTER TABLE public.erasures ENABLE ROW LEVEL SECURITY;

--
-- Name: held_records; Type: ROW SECURITY; Schema: public; Owner: dispo
--

ALTER TABLE public.held_records ENABLE ROW LEVEL SECURITY;

--
-- Name: invitations; Type: ROW SECURITY; Schema: public; Owner: dispo
--

ALTER TABLE public.invitations ENABLE ROW LEVEL SECURITY;

--
-- Name: api_keys keeper; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY keeper ON public.api_keys TO dispo_keeper USING (true);


--
-- Name: audit_log keeper; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY keeper ON public.audit_log TO dispo_keeper USING (true);


--
-- Name: companies keeper; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY keeper ON public.companies TO dispo_keeper USING (true);


--
-- Name: daily_totals keeper; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY keeper ON public.daily_totals TO dispo_keeper USING (true);


--
-- Name: deliveries keeper; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY keeper ON public.deliveries TO dispo_keeper USING (true);


--
-- Name: delivery_bytes keeper; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY keeper ON public.delivery_bytes TO dispo_keeper USING (true);


--
-- Name: delivery_files keeper; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY keeper ON public.delivery_files TO dispo_keeper USING (true);


--
-- Name: delivery_names keeper; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY keeper ON public.delivery_names TO dispo_keeper USING (true);


--
-- Name: delivery_notices keeper; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY keeper ON public.delivery_notices TO dispo_keeper USING (true);


--
-- Name: delivery_withdrawals keeper; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY keeper ON public.delivery_withdrawals TO dispo_keeper USING (true);


--
-- Name: erasure_files keeper; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY keeper ON public.erasure_files TO dispo_keeper USING (true);


--
-- Name: erasures keeper; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY keeper ON public.erasures TO dispo_keeper USING (true);


--
-- Name: held_records keeper; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY keeper ON public.held_records TO dispo_keeper USING (true);


--
-- Name: invitations keeper; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY keeper ON public.invitations TO dispo_keeper USING (true);


--
-- Name: key_callers keeper; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY keeper ON public.key_callers TO dispo_keeper USING (true);


--
-- Name: key_usage keeper; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY keeper ON public.key_usage TO dispo_keeper USING (true);


--
-- Name: mails keeper; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY keeper ON public.mails TO dispo_keeper USING (true);


--
-- Name: memberships keeper; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY keeper ON public.memberships TO dispo_keeper USING (true);


--
-- Name: organizations keeper; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY keeper ON public.organizations TO dispo_keeper USING (true);


--
-- Name: refused_requests keeper; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY keeper ON public.refused_requests TO dispo_keeper USING (true);


--
-- Name: running_tasks keeper; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY keeper ON public.running_tasks TO dispo_keeper USING (true);


--
-- Name: served_requests keeper; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY keeper ON public.served_requests TO dispo_keeper USING (true);


--
-- Name: sign_in_links keeper; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY keeper ON public.sign_in_links TO dispo_keeper USING (true);


--
-- Name: sign_in_providers keeper; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY keeper ON public.sign_in_providers TO dispo_keeper USING (true);


--
-- Name: sign_in_states keeper; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY keeper ON public.sign_in_states TO dispo_keeper USING (true);


--
-- Name: transactions keeper; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY keeper ON public.transactions TO dispo_keeper USING (true);


--
-- Name: withdrawn_files keeper; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY keeper ON public.withdrawn_files TO dispo_keeper USING (true);


--
-- Name: withdrawn_totals keeper; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY keeper ON public.withdrawn_totals TO dispo_keeper USING (true);


--
-- Name: writers keeper; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY keeper ON public.writers TO dispo_keeper USING (true);


--
-- Name: key_callers; Type: ROW SECURITY; Schema: public; Owner: dispo
--

ALTER TABLE public.key_callers ENABLE ROW LEVEL SECURITY;

--
-- Name: key_usage; Type: ROW SECURITY; Schema: public; Owner: dispo
--

ALTER TABLE public.key_usage ENABLE ROW LEVEL SECURITY;

--
-- Name: mails; Type: ROW SECURITY; Schema: public; Owner: dispo
--

ALTER TABLE public.mails ENABLE ROW LEVEL SECURITY;

--
-- Name: memberships; Type: ROW SECURITY; Schema: public; Owner: dispo
--

ALTER TABLE public.memberships ENABLE ROW LEVEL SECURITY;

--
-- Name: api_keys operator; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY operator ON public.api_keys TO dispo_operator USING (true);


--
-- Name: audit_log operator; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY operator ON public.audit_log TO dispo_operator USING (true);


--
-- Name: companies operator; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY operator ON public.companies TO dispo_operator USING (true);


--
-- Name: daily_totals operator; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY operator ON public.daily_totals TO dispo_operator USING (true);


--
-- Name: deliveries operator; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY operator ON public.deliveries TO dispo_operator USING (true);


--
-- Name: delivery_bytes operator; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY operator ON public.delivery_bytes TO dispo_operator USING (true);


--
-- Name: delivery_files operator; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY operator ON public.delivery_files TO dispo_operator USING (true);


--
-- Name: delivery_names operator; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY operator ON public.delivery_names TO dispo_operator USING (true);


--
-- Name: delivery_notices operator; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY operator ON public.delivery_notices TO dispo_operator USING (true);


--
-- Name: delivery_withdrawals operator; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY operator ON public.delivery_withdrawals TO dispo_operator USING (true);


--
-- Name: erasure_files operator; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY operator ON public.erasure_files TO dispo_operator USING (true);


--
-- Name: erasures operator; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY operator ON public.erasures TO dispo_operator USING (true);


--
-- Name: held_records operator; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY operator ON public.held_records TO dispo_operator USING (true);


--
-- Name: invitations operator; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY operator ON public.invitations TO dispo_operator USING (true);


--
-- Name: key_callers operator; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY operator ON public.key_callers TO dispo_operator USING (true);


--
-- Name: key_usage operator; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY operator ON public.key_usage TO dispo_operator USING (true);


--
-- Name: mails operator; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY operator ON public.mails TO dispo_operator USING (true);


--
-- Name: memberships operator; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY operator ON public.memberships TO dispo_operator USING (true);


--
-- Name: organizations operator; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY operator ON public.organizations TO dispo_operator USING (true);


--
-- Name: refused_requests operator; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY operator ON public.refused_requests TO dispo_operator USING (true);


--
-- Name: running_tasks operator; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY operator ON public.running_tasks TO dispo_operator USING (true);


--
-- Name: served_requests operator; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY operator ON public.served_requests TO dispo_operator USING (true);


--
-- Name: sign_in_links operator; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY operator ON public.sign_in_links TO dispo_operator USING (true);


--
-- Name: sign_in_providers operator; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY operator ON public.sign_in_providers TO dispo_operator USING (true);


--
-- Name: sign_in_states operator; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY operator ON public.sign_in_states TO dispo_operator USING (true);


--
-- Name: transactions operator; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY operator ON public.transactions TO dispo_operator USING (true);


--
-- Name: withdrawn_files operator; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY operator ON public.withdrawn_files TO dispo_operator USING (true);


--
-- Name: withdrawn_totals operator; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY operator ON public.withdrawn_totals TO dispo_operator USING (true);


--
-- Name: writers operator; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY operator ON public.writers TO dispo_operator USING (true);


--
-- Name: organizations; Type: ROW SECURITY; Schema: public; Owner: dispo
--

ALTER TABLE public.organizations ENABLE ROW LEVEL SECURITY;

--
-- Name: refused_requests; Type: ROW SECURITY; Schema: public; Owner: dispo
--

ALTER TABLE public.refused_requests ENABLE ROW LEVEL SECURITY;

--
-- Name: running_tasks; Type: ROW SECURITY; Schema: public; Owner: dispo
--

ALTER TABLE public.running_tasks ENABLE ROW LEVEL SECURITY;

--
-- Name: served_requests; Type: ROW SECURITY; Schema: public; Owner: dispo
--

ALTER TABLE public.served_requests ENABLE ROW LEVEL SECURITY;

--
-- Name: sign_in_links; Type: ROW SECURITY; Schema: public; Owner: dispo
--

ALTER TABLE public.sign_in_links ENABLE ROW LEVEL SECURITY;

--
-- Name: sign_in_providers; Type: ROW SECURITY; Schema: public; Owner: dispo
--

ALTER TABLE public.sign_in_providers ENABLE ROW LEVEL SECURITY;

--
-- Name: sign_in_states; Type: ROW SECURITY; Schema: public; Owner: dispo
--

ALTER TABLE public.sign_in_states ENABLE ROW LEVEL SECURITY;

--
-- Name: api_keys tenant; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY tenant ON public.api_keys TO dispo_app USING ((organization_id = public.current_organization()));


--
-- Name: audit_log tenant; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY tenant ON public.audit_log TO dispo_app USING ((organization_id = public.current_organization()));


--
-- Name: companies tenant; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY tenant ON public.companies TO dispo_app USING ((organization_id = public.current_organization()));


--
-- Name: daily_totals tenant; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY tenant ON public.daily_totals TO dispo_app USING ((organization_id = public.current_organization()));


--
-- Name: delivery_files tenant; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY tenant ON public.delivery_files TO dispo_app USING ((organization_id = public.current_organization()));


--
-- Name: delivery_notices tenant; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY tenant ON public.delivery_notices TO dispo_app USING ((organization_id = public.current_organization()));


--
-- Name: delivery_withdrawals tenant; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY tenant ON public.delivery_withdrawals TO dispo_app USING ((organization_id = public.current_organization()));


--
-- Name: held_records tenant; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY tenant ON public.held_records TO dispo_app USING ((only_organization_id = public.current_organization()));


--
-- Name: invitations tenant; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY tenant ON public.invitations TO dispo_app USING ((organization_id = public.current_organization()));


--
-- Name: key_callers tenant; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY tenant ON public.key_callers TO dispo_app USING ((organization_id = public.current_organization()));


--
-- Name: key_usage tenant; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY tenant ON public.key_usage TO dispo_app USING ((organization_id = public.current_organization()));


--
-- Name: mails tenant; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY tenant ON public.mails TO dispo_app USING ((organization_id = public.current_organization()));


--
-- Name: memberships tenant; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY tenant ON public.memberships TO dispo_app USING ((organization_id = public.current_organization()));


--
-- Name: organizations tenant; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY tenant ON public.organizations TO dispo_app USING ((id = public.current_organization()));


--
-- Name: refused_requests tenant; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY tenant ON public.refused_requests TO dispo_app USING ((organization_id = public.current_organization()));


--
-- Name: running_tasks tenant; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY tenant ON public.running_tasks TO dispo_app USING ((organization_id = public.current_organization()));


--
-- Name: served_requests tenant; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY tenant ON public.served_requests TO dispo_app USING ((organization_id = public.current_organization()));


--
-- Name: sign_in_links tenant; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY tenant ON public.sign_in_links TO dispo_app USING ((organization_id = public.current_organization()));


--
-- Name: sign_in_providers tenant; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY tenant ON public.sign_in_providers TO dispo_app USING ((organization_id = public.current_organization()));


--
-- Name: sign_in_states tenant; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY tenant ON public.sign_in_states TO dispo_app USING ((organization_id = public.current_organization()));


--
-- Name: transactions tenant; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY tenant ON public.transactions TO dispo_app USING ((organization_id = public.current_organization()));


--
-- Name: withdrawn_files tenant; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY tenant ON public.withdrawn_files TO dispo_app USING ((organization_id = public.current_organization()));


--
-- Name: withdrawn_totals tenant; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY tenant ON public.withdrawn_totals TO dispo_app USING ((organization_id = public.current_organization()));


--
-- Name: writers tenant; Type: POLICY; Schema: public; Owner: dispo
--

CREATE POLICY tenant ON public.writers TO dispo_app USING ((organization_id = public.current_organization()));


--
-- Name: transactions; Type: ROW SECURITY; Schema: public; Owner: dispo
--

ALTER TABLE public.transactions ENABLE ROW LEVEL SECURITY;

--
-- Name: withdrawn_files; Type: ROW SECURITY; Schema: public; Owner: dispo
--

ALTER TABLE public.withdrawn_files ENABLE ROW LEVEL SECURITY;

--
-- Name: withdrawn_totals; Type: ROW SECURITY; Schema: public; Owner: dispo
--

ALTER TABLE public.withdrawn_totals ENABLE ROW LEVEL SECURITY;

--
-- Name: writers; Type: ROW SECURITY; Schema: public; Owner: dispo
--

ALTER TABLE public.writers ENABLE ROW LEVEL SECURITY;

--
-- Name: SCHEMA public; Type: ACL; Schema: -; Owner: pg_database_owner
--

GRANT USAGE ON SCHEMA public TO dispo_app;
GRANT USAGE ON SCHEMA public TO dispo_operator;
GRANT USAGE ON SCHEMA public TO dispo_keeper;


--
-- Name: FUNCTION lo_creat(integer); Type: ACL; Schema: pg_catalog; Owner: dispo
--

REVOKE ALL ON FUNCTION pg_catalog.lo_creat(integer) FROM PUBLIC;


--
-- Name: FUNCTION lo_create(oid); Type: ACL; Schema: pg_catalog; Owner: dispo
--

REVOKE ALL ON FUNCTION pg_catalog.lo_create(oid) FROM PUBLIC;


--
-- Name: FUNCTION lo_from_bytea(oid, bytea); Type: ACL; Schema: pg_catalog; Owner: dispo
--

REVOKE ALL ON FUNCTION pg_catalog.lo_from_bytea(oid, bytea) FROM PUBLIC;


--
-- Name: FUNCTION api_key_find(wanted text, wanted_sandbox boolean); Type: ACL; Schema: public; Owner: dispo_operator
--

REVOKE ALL ON FUNCTION public.api_key_find(wanted text, wanted_sandbox boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION public.api_key_find(wanted text, wanted_sandbox boolean) TO dispo_app;


--
-- Name: FUNCTION api_key_revoked(); Type: ACL; Schema: public; Owner: dispo_operator
--

REVOKE ALL ON FUNCTION public.api_key_revoked() FROM PUBLIC;
GRANT ALL ON FUNCTION public.api_key_revoked() TO dispo_app;


--
-- Name: TABLE api_keys; Type: ACL; Schema: public; Owner: dispo
--

GRANT SELECT,DELETE ON TABLE public.api_keys TO dispo_keeper;
GRANT SELECT,INSERT,UPDATE ON TABLE public.api_keys TO dispo_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.api_keys TO dispo_operator;


--
-- Name: FUNCTION api_keys_due(before timestamp with time zone); Type: ACL; Schema: public; Owner: dispo_operator
--

REVOKE ALL ON FUNCTION public.api_keys_due(before timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.api_keys_due(before timestamp with time zone) TO dispo_app;


--
-- Name: FUNCTION api_keys_elsewhere(); Type: ACL; Schema: public; Owner: dispo_operator
--

REVOKE ALL ON FUNCTION public.api_keys_elsewhere() FROM PUBLIC;
GRANT ALL ON FUNCTION public.api_keys_elsewhere() TO dispo_app;


--
-- Name: FUNCTION api_keys_expiring(); Type: ACL; Schema: public; Owner: dispo_operator
--

REVOKE ALL ON FUNCTION public.api_keys_expiring() FROM PUBLIC;
GRANT ALL ON FUNCTION public.api_keys_expiring() TO dispo_app;


--
-- Name: FUNCTION api_keys_find(wanted text[]); Type: ACL; Schema: public; Owner: dispo_operator
--

REVOKE ALL ON FUNCTION public.api_keys_find(wanted text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.api_keys_find(wanted text[]) TO dispo_app;


--
-- Name: FUNCTION api_keys_leaked(); Type: ACL; Schema: public; Owner: dispo_operator
--

REVOKE ALL ON FUNCTION public.api_keys_leaked() FROM PUBLIC;
GRANT ALL ON FUNCTION public.api_keys_leaked() TO dispo_app;


--
-- Name: FUNCTION api_keys_used(used jsonb); Type: ACL; Schema: public; Owner: dispo_operator
--

REVOKE ALL ON FUNCTION public.api_keys_used(used jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.api_keys_used(used jsonb) TO dispo_app;


--
-- Name: FUNCTION audit_log_everywhere(about uuid, id uuid, user_id uuid, user_email text, action text, subject text, address text); Type: ACL; Schema: public; Owner: dispo_operator
--

REVOKE ALL ON FUNCTION public.audit_log_everywhere(about uuid, id uuid, user_id uuid, user_email text, action text, subject text, address text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.audit_log_everywhere(about uuid, id uuid, user_id uuid, user_email text, action text, subject text, address text) TO dispo_app;


--
-- Name: FUNCTION audit_log_forget(gone uuid, email text); Type: ACL; Schema: public; Owner: dispo_keeper
--

REVOKE ALL ON FUNCTION public.audit_log_forget(gone uuid, email text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.audit_log_forget(gone uuid, email text) TO dispo_operator;


--
-- Name: FUNCTION companies_store(organization uuid, given text[], OUT inserted text[], OUT updated bigint); Type: ACL; Schema: public; Owner: dispo
--

REVOKE ALL ON FUNCTION public.companies_store(organization uuid, given text[], OUT inserted text[], OUT updated bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.companies_store(organization uuid, given text[], OUT inserted text[], OUT updated bigint) TO dispo_operator;


--
-- Name: FUNCTION company_matches(wanted_text text, wanted_status text, wanted integer); Type: ACL; Schema: public; Owner: dispo_operator
--

REVOKE ALL ON FUNCTION public.company_matches(wanted_text text, wanted_status text, wanted integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.company_matches(wanted_text text, wanted_status text, wanted integer) TO dispo_app;


--
-- Name: FUNCTION deliveries_counted(); Type: ACL; Schema: public; Owner: dispo_operator
--

REVOKE ALL ON FUNCTION public.deliveries_counted() FROM PUBLIC;
GRANT ALL ON FUNCTION public.deliveries_counted() TO dispo_app;


--
-- Name: FUNCTION deliveries_expected(); Type: ACL; Schema: public; Owner: dispo_operator
--

REVOKE ALL ON FUNCTION public.deliveries_expected() FROM PUBLIC;
GRANT ALL ON FUNCTION public.deliveries_expected() TO dispo_app;


--
-- Name: FUNCTION deliveries_undecided(at timestamp with time zone); Type: ACL; Schema: public; Owner: dispo_operator
--

REVOKE ALL ON FUNCTION public.deliveries_undecided(at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION public.deliveries_undecided(at timestamp with time zone) TO dispo_app;


--
-- Name: FUNCTION erasures_keep(kept text); Type: ACL; Schema: public; Owner: dispo_operator
--

REVOKE ALL ON FUNCTION public.erasures_keep(kept text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.erasures_keep(kept text) TO dispo_app;


--
-- Name: FUNCTION erasures_take(); Type: ACL; Schema: public; Owner: dispo_operator
--

REVOKE ALL ON FUNCTION public.erasures_take() FROM PUBLIC;
GRANT ALL ON FUNCTION public.erasures_take() TO dispo_app;


--
-- Name: FUNCTION erasures_waiting(); Type: ACL; Schema: public; Owner: dispo_operator
--

REVOKE ALL ON FUNCTION public.erasures_waiting() FROM PUBLIC;
GRANT ALL ON FUNCTION public.erasures_waiting() TO dispo_app;


--
-- Name: FUNCTION file_open(organization uuid, delivery uuid, lines bigint); Type: ACL; Schema: public; Owner: dispo
--

REVOKE ALL ON FUNCTION public.file_open(organization uuid, delivery uuid, lines bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.file_open(organization uuid, delivery uuid, lines bigint) TO dispo_operator;


--
-- Name: FUNCTION history_renew(organization uuid); Type: ACL; Schema: public; Owner: dispo
--

REVOKE ALL ON FUNCTION public.history_renew(organization uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.history_renew(organization uuid) TO dispo_operator;


--
-- Name: FUNCTION invitation_find(wanted bytea); Type: ACL; Schema: public; Owner: dispo_operator
--

REVOKE ALL ON FUNCTION public.invitation_find(wanted bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION public.invitation_find(wanted bytea) TO dispo_app;


--
-- Name: FUNCTION keep_audit_log(); Type: ACL; Schema: public; Owner: dispo_keeper
--

REVOKE ALL ON FUNCTION public.keep_audit_log() FROM PUBLIC;
GRANT ALL ON FUNCTION public.keep_audit_log() TO dispo_app;


--
-- Name: FUNCTION keep_callers(); Type: ACL; Schema: public; Owner: dispo_keeper
--

REVOKE ALL ON FUNCTION public.keep_callers() FROM PUBLIC;
GRANT ALL ON FUNCTION public.keep_callers() TO dispo_app;


--
-- Name: FUNCTION keep_held_records(); Type: ACL; Schema: public; Owner: dispo_keeper
--

REVOKE ALL ON FUNCTION public.keep_held_records() FROM PUBLIC;
GRANT ALL ON FUNCTION public.keep_held_records() TO dispo_app;


--
-- Name: FUNCTION keep_mails(); Type: ACL; Schema: public; Owner: dispo_keeper
--

REVOKE ALL ON FUNCTION public.keep_mails() FROM PUBLIC;
GRANT ALL ON FUNCTION public.keep_mails() TO dispo_app;


--
-- Name: FUNCTION keep_requests(); Type: ACL; Schema: public; Owner: dispo_keeper
--

REVOKE ALL ON FUNCTION public.keep_requests() FROM PUBLIC;
GRANT ALL ON FUNCTION public.keep_requests() TO dispo_app;


--
-- Name: FUNCTION keep_sessions(); Type: ACL; Schema: public; Owner: dispo_keeper
--

REVOKE ALL ON FUNCTION public.keep_sessions() FROM PUBLIC;
GRANT ALL ON FUNCTION public.keep_sessions() TO dispo_app;


--
-- Name: FUNCTION keep_usage(); Type: ACL; Schema: public; Owner: dispo_keeper
--

REVOKE ALL ON FUNCTION public.keep_usage() FROM PUBLIC;
GRANT ALL ON FUNCTION public.keep_usage() TO dispo_app;


--
-- Name: FUNCTION keep_usage_hours(); Type: ACL; Schema: public; Owner: dispo_keeper
--

REVOKE ALL ON FUNCTION public.keep_usage_hours() FROM PUBLIC;
GRANT ALL ON FUNCTION public.keep_usage_hours() TO dispo_app;


--
-- Name: FUNCTION keep_withdrawn_totals(); Type: ACL; Schema: public; Owner: dispo_keeper
--

REVOKE ALL ON FUNCTION public.keep_withdrawn_totals() FROM PUBLIC;
GRANT ALL ON FUNCTION public.keep_withdrawn_totals() TO dispo_app;


--
-- Name: FUNCTION key_callers_add(added jsonb); Type: ACL; Schema: public; Owner: dispo_operator
--

REVOKE ALL ON FUNCTION public.key_callers_add(added jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.key_callers_add(added jsonb) TO dispo_app;


--
-- Name: FUNCTION key_usage_add(added jsonb); Type: ACL; Schema: public; Owner: dispo_operator
--

REVOKE ALL ON FUNCTION public.key_usage_add(added jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.key_usage_add(added jsonb) TO dispo_app;


--
-- Name: FUNCTION mail_account(about uuid, id uuid, kind text, details jsonb); Type: ACL; Schema: public; Owner: dispo_operator
--

REVOKE ALL ON FUNCTION public.mail_account(about uuid, id uuid, kind text, details jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.mail_account(about uuid, id uuid, kind text, details jsonb) TO dispo_app;


--
-- Name: FUNCTION mail_claim(); Type: ACL; Schema: public; Owner: dispo_operator
--

REVOKE ALL ON FUNCTION public.mail_claim() FROM PUBLIC;
GRANT ALL ON FUNCTION public.mail_claim() TO dispo_app;


--
-- Name: FUNCTION mail_settle(organization uuid, mail uuid, outcome text, server_answer text, pause interval); Type: ACL; Schema: public; Owner: dispo_operator
--

REVOKE ALL ON FUNCTION public.mail_settle(organization uuid, mail uuid, outcome text, server_answer text, pause interval) FROM PUBLIC;
GRANT ALL ON FUNCTION public.mail_settle(organization uuid, mail uuid, outcome text, server_answer text, pause interval) TO dispo_app;


--
-- Name: FUNCTION mail_tend(); Type: ACL; Schema: public; Owner: dispo_operator
--

REVOKE ALL ON FUNCTION public.mail_tend() FROM PUBLIC;
GRANT ALL ON FUNCTION public.mail_tend() TO dispo_app;


--
-- Name: FUNCTION move_totals(sign integer); Type: ACL; Schema: public; Owner: dispo
--

REVOKE ALL ON FUNCTION public.move_totals(sign integer) FROM PUBLIC;
GRANT ALL ON FUNCTION public.move_totals(sign integer) TO dispo_operator;


--
-- Name: FUNCTION only_way_in(wanted uuid, hold boolean); Type: ACL; Schema: public; Owner: dispo_operator
--

REVOKE ALL ON FUNCTION public.only_way_in(wanted uuid, hold boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION public.only_way_in(wanted uuid, hold boolean) TO dispo_app;


--
-- Name: FUNCTION organization_erase(gone uuid, most bigint, INOUT reached jsonb, OUT erased bigint); Type: ACL; Schema: public; Owner: dispo_keeper
--

REVOKE ALL ON FUNCTION public.organization_erase(gone uuid, most bigint, INOUT reached jsonb, OUT erased bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.organization_erase(gone uuid, most bigint, INOUT reached jsonb, OUT erased bigint) TO dispo_operator;


--
-- Name: FUNCTION organizations_of_user(wanted uuid); Type: ACL; Schema: public; Owner: dispo_operator
--

REVOKE ALL ON FUNCTION public.organizations_of_user(wanted uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.organizations_of_user(wanted uuid) TO dispo_app;


--
-- Name: FUNCTION records_store(); Type: ACL; Schema: public; Owner: dispo
--

REVOKE ALL ON FUNCTION public.records_store() FROM PUBLIC;
GRANT ALL ON FUNCTION public.records_store() TO dispo_operator;


--
-- Name: FUNCTION refused_requests_add(added jsonb); Type: ACL; Schema: public; Owner: dispo_operator
--

REVOKE ALL ON FUNCTION public.refused_requests_add(added jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.refused_requests_add(added jsonb) TO dispo_app;


--
-- Name: FUNCTION sandbox_store(organization uuid, new_day date, made jsonb); Type: ACL; Schema: public; Owner: dispo_operator
--

REVOKE ALL ON FUNCTION public.sandbox_store(organization uuid, new_day date, made jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.sandbox_store(organization uuid, new_day date, made jsonb) TO dispo_app;


--
-- Name: FUNCTION sandboxes_due(through date); Type: ACL; Schema: public; Owner: dispo_operator
--

REVOKE ALL ON FUNCTION public.sandboxes_due(through date) FROM PUBLIC;
GRANT ALL ON FUNCTION public.sandboxes_due(through date) TO dispo_app;


--
-- Name: FUNCTION served_requests_add(added jsonb); Type: ACL; Schema: public; Owner: dispo_operator
--

REVOKE ALL ON FUNCTION public.served_requests_add(added jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.served_requests_add(added jsonb) TO dispo_app;


--
-- Name: FUNCTION sign_in_organization(wanted text); Type: ACL; Schema: public; Owner: dispo_operator
--

REVOKE ALL ON FUNCTION public.sign_in_organization(wanted text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.sign_in_organization(wanted text) TO dispo_app;


--
-- Name: FUNCTION sign_in_secrets(); Type: ACL; Schema: public; Owner: dispo_operator
--

REVOKE ALL ON FUNCTION public.sign_in_secrets() FROM PUBLIC;
GRANT ALL ON FUNCTION public.sign_in_secrets() TO dispo_app;


--
-- Name: FUNCTION take_id(organization uuid, places bigint); Type: ACL; Schema: public; Owner: dispo
--

REVOKE ALL ON FUNCTION public.take_id(organization uuid, places bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.take_id(organization uuid, places bigint) TO dispo_operator;


--
-- Name: FUNCTION turns_end(); Type: ACL; Schema: public; Owner: dispo
--

REVOKE ALL ON FUNCTION public.turns_end() FROM PUBLIC;
GRANT ALL ON FUNCTION public.turns_end() TO dispo_operator;


--
-- Name: FUNCTION turns_take(organizations uuid[]); Type: ACL; Schema: public; Owner: dispo
--

REVOKE ALL ON FUNCTION public.turns_take(organizations uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION public.turns_take(organizations uuid[]) TO dispo_operator;


--
-- Name: FUNCTION withdraw_aged(); Type: ACL; Schema: public; Owner: dispo_operator
--

REVOKE ALL ON FUNCTION public.withdraw_aged() FROM PUBLIC;
GRANT ALL ON FUNCTION public.withdraw_aged() TO dispo_app;


--
-- Name: FUNCTION withdraw_delivery(delivery uuid, why text); Type: ACL; Schema: public; Owner: dispo
--

REVOKE ALL ON FUNCTION public.withdraw_delivery(delivery uuid, why text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.withdraw_delivery(delivery uuid, why text) TO dispo_operator;


--
-- Name: FUNCTION withdraw_files(delivery uuid, only_organization uuid, why text, actor text, address text); Type: ACL; Schema: public; Owner: dispo
--

REVOKE ALL ON FUNCTION public.withdraw_files(delivery uuid, only_organization uuid, why text, actor text, address text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.withdraw_files(delivery uuid, only_organization uuid, why text, actor text, address text) TO dispo_operator;


--
-- Name: TABLE audit_log; Type: ACL; Schema: public; Owner: dispo
--

GRANT SELECT,DELETE ON TABLE public.audit_log TO dispo_keeper;
GRANT SELECT,INSERT ON TABLE public.audit_log TO dispo_app;
GRANT SELECT,INSERT ON TABLE public.audit_log TO dispo_operator;


--
-- Name: COLUMN audit_log.user_email; Type: ACL; Schema: public; Owner: dispo
--

GRANT UPDATE(user_email) ON TABLE public.audit_log TO dispo_keeper;


--
-- Name: COLUMN audit_log.subject; Type: ACL; Schema: public; Owner: dispo
--

GRANT UPDATE(subject) ON TABLE public.audit_log TO dispo_keeper;


--
-- Name: COLUMN audit_log.address; Type: ACL; Schema: public; Owner: dispo
--

GRANT UPDATE(address) ON TABLE public.audit_log TO dispo_keeper;


--
-- Name: TABLE companies; Type: ACL; Schema: public; Owner: dispo
--

GRANT SELECT,DELETE ON TABLE public.companies TO dispo_keeper;
GRANT SELECT ON TABLE public.companies TO dispo_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.companies TO dispo_operator;


--
-- Name: TABLE daily_totals; Type: ACL; Schema: public; Owner: dispo
--

GRANT SELECT,DELETE ON TABLE public.daily_totals TO dispo_keeper;
GRANT SELECT ON TABLE public.daily_totals TO dispo_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.daily_totals TO dispo_operator;


--
-- Name: TABLE deliveries; Type: ACL; Schema: public; Owner: dispo
--

GRANT SELECT,DELETE ON TABLE public.deliveries TO dispo_keeper;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.deliveries TO dispo_operator;


--
-- Name: SEQUENCE deliveries_number_seq; Type: ACL; Schema: public; Owner: dispo
--

GRANT SELECT ON SEQUENCE public.deliveries_number_seq TO dispo_operator;


--
-- Name: TABLE delivery_bytes; Type: ACL; Schema: public; Owner: dispo
--

GRANT SELECT,DELETE ON TABLE public.delivery_bytes TO dispo_keeper;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.delivery_bytes TO dispo_operator;


--
-- Name: TABLE delivery_files; Type: ACL; Schema: public; Owner: dispo
--

GRANT SELECT,DELETE ON TABLE public.delivery_files TO dispo_keeper;
GRANT SELECT ON TABLE public.delivery_files TO dispo_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.delivery_files TO dispo_operator;


--
-- Name: SEQUENCE delivery_files_number_seq; Type: ACL; Schema: public; Owner: dispo
--

GRANT SELECT ON SEQUENCE public.delivery_files_number_seq TO dispo_operator;


--
-- Name: TABLE delivery_names; Type: ACL; Schema: public; Owner: dispo
--

GRANT SELECT,DELETE ON TABLE public.delivery_names TO dispo_keeper;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.delivery_names TO dispo_operator;


--
-- Name: TABLE delivery_notices; Type: ACL; Schema: public; Owner: dispo
--

GRANT SELECT,DELETE ON TABLE public.delivery_notices TO dispo_keeper;
GRANT SELECT,INSERT ON TABLE public.delivery_notices TO dispo_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.delivery_notices TO dispo_operator;


--
-- Name: TABLE delivery_withdrawals; Type: ACL; Schema: public; Owner: dispo
--

GRANT SELECT,DELETE ON TABLE public.delivery_withdrawals TO dispo_keeper;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.delivery_withdrawals TO dispo_operator;


--
-- Name: TABLE erasure_files; Type: ACL; Schema: public; Owner: dispo
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.erasure_files TO dispo_operator;


--
-- Name: TABLE erasures; Type: ACL; Schema: public; Owner: dispo
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.erasures TO dispo_operator;


--
-- Name: SEQUENCE erasures_number_seq; Type: ACL; Schema: public; Owner: dispo
--

GRANT SELECT ON SEQUENCE public.erasures_number_seq TO dispo_operator;


--
-- Name: TABLE goose_db_version; Type: ACL; Schema: public; Owner: dispo
--

GRANT SELECT ON TABLE public.goose_db_version TO dispo_app;
GRANT SELECT ON TABLE public.goose_db_version TO dispo_operator;


--
-- Name: SEQUENCE goose_db_version_id_seq; Type: ACL; Schema: public; Owner: dispo
--

GRANT SELECT ON SEQUENCE public.goose_db_version_id_seq TO dispo_operator;


--
-- Name: TABLE held_records; Type: ACL; Schema: public; Owner: dispo
--

GRANT SELECT,DELETE ON TABLE public.held_records TO dispo_keeper;
GRANT SELECT ON TABLE public.held_records TO dispo_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.held_records TO dispo_operator;


--
-- Name: TABLE invitations; Type: ACL; Schema: public; Owner: dispo
--

GRANT SELECT,DELETE ON TABLE public.invitations TO dispo_keeper;
GRANT SELECT,INSERT,DELETE ON TABLE public.invitations TO dispo_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.invitations TO dispo_operator;


--
-- Name: TABLE kept_periods; Type: ACL; Schema: public; Owner: dispo
--

GRANT SELECT ON TABLE public.kept_periods TO dispo_app;
GRANT SELECT ON TABLE public.kept_periods TO dispo_keeper;
GRANT SELECT ON TABLE public.kept_periods TO dispo_operator;


--
-- Name: TABLE key_callers; Type: ACL; Schema: public; Owner: dispo
--

GRANT SELECT,DELETE ON TABLE public.key_callers TO dispo_keeper;
GRANT SELECT ON TABLE public.key_callers TO dispo_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.key_callers TO dispo_operator;


--
-- Name: COLUMN key_callers.dismissed_at; Type: ACL; Schema: public; Owner: dispo
--

GRANT UPDATE(dismissed_at) ON TABLE public.key_callers TO dispo_app;


--
-- Name: TABLE key_usage; Type: ACL; Schema: public; Owner: dispo
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.key_usage TO dispo_keeper;
GRANT SELECT ON TABLE public.key_usage TO dispo_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.key_usage TO dispo_operator;


--
-- Name: TABLE mail_senders; Type: ACL; Schema: public; Owner: dispo
--

GRANT SELECT ON TABLE public.mail_senders TO dispo_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.mail_senders TO dispo_operator;


--
-- Name: TABLE mails; Type: ACL; Schema: public; Owner: dispo
--

GRANT SELECT,DELETE ON TABLE public.mails TO dispo_keeper;
GRANT INSERT ON TABLE public.mails TO dispo_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.mails TO dispo_operator;


--
-- Name: TABLE memberships; Type: ACL; Schema: public; Owner: dispo
--

GRANT SELECT,DELETE ON TABLE public.memberships TO dispo_keeper;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.memberships TO dispo_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.memberships TO dispo_operator;


--
-- Name: TABLE organizations; Type: ACL; Schema: public; Owner: dispo
--

GRANT SELECT,DELETE ON TABLE public.organizations TO dispo_keeper;
GRANT SELECT ON TABLE public.organizations TO dispo_app;
GRANT SELECT,INSERT ON TABLE public.organizations TO dispo_operator;


--
-- Name: COLUMN organizations.slug; Type: ACL; Schema: public; Owner: dispo
--

GRANT UPDATE(slug) ON TABLE public.organizations TO dispo_operator;


--
-- Name: COLUMN organizations.name; Type: ACL; Schema: public; Owner: dispo
--

GRANT UPDATE(name) ON TABLE public.organizations TO dispo_app;
GRANT UPDATE(name) ON TABLE public.organizations TO dispo_operator;


--
-- Name: COLUMN organizations.sandbox_day; Type: ACL; Schema: public; Owner: dispo
--

GRANT UPDATE(sandbox_day) ON TABLE public.organizations TO dispo_operator;


--
-- Name: COLUMN organizations.company_count; Type: ACL; Schema: public; Owner: dispo
--

GRANT UPDATE(company_count) ON TABLE public.organizations TO dispo_operator;


--
-- Name: COLUMN organizations.delivery_file_count; Type: ACL; Schema: public; Owner: dispo
--

GRANT UPDATE(delivery_file_count) ON TABLE public.organizations TO dispo_operator;


--
-- Name: COLUMN organizations.transaction_count; Type: ACL; Schema: public; Owner: dispo
--

GRANT UPDATE(transaction_count) ON TABLE public.organizations TO dispo_operator;


--
-- Name: COLUMN organizations.total_amount_dkk; Type: ACL; Schema: public; Owner: dispo
--

GRANT UPDATE(total_amount_dkk) ON TABLE public.organizations TO dispo_operator;


--
-- Name: COLUMN organizations.data_version; Type: ACL; Schema: public; Owner: dispo
--

GRANT UPDATE(data_version) ON TABLE public.organizations TO dispo_operator;


--
-- Name: COLUMN organizations.history; Type: ACL; Schema: public; Owner: dispo
--

GRANT UPDATE(history) ON TABLE public.organizations TO dispo_operator;


--
-- Name: COLUMN organizations.last_id; Type: ACL; Schema: public; Owner: dispo
--

GRANT UPDATE(last_id) ON TABLE public.organizations TO dispo_operator;


--
-- Name: COLUMN organizations.suspended_at; Type: ACL; Schema: public; Owner: dispo
--

GRANT UPDATE(suspended_at) ON TABLE public.organizations TO dispo_operator;


--
-- Name: COLUMN organizations.deletion_started_at; Type: ACL; Schema: public; Owner: dispo
--

GRANT UPDATE(deletion_started_at) ON TABLE public.organizations TO dispo_operator;


--
-- Name: COLUMN organizations.require_second_factor; Type: ACL; Schema: public; Owner: dispo
--

GRANT UPDATE(require_second_factor) ON TABLE public.organizations TO dispo_app;
GRANT UPDATE(require_second_factor) ON TABLE public.organizations TO dispo_operator;


--
-- Name: COLUMN organizations.tell_of_leaks; Type: ACL; Schema: public; Owner: dispo
--

GRANT UPDATE(tell_of_leaks) ON TABLE public.organizations TO dispo_app;
GRANT UPDATE(tell_of_leaks) ON TABLE public.organizations TO dispo_operator;


--
-- Name: COLUMN organizations.limit_minute; Type: ACL; Schema: public; Owner: dispo
--

GRANT UPDATE(limit_minute) ON TABLE public.organizations TO dispo_operator;


--
-- Name: COLUMN organizations.limit_hour; Type: ACL; Schema: public; Owner: dispo
--

GRANT UPDATE(limit_hour) ON TABLE public.organizations TO dispo_operator;


--
-- Name: COLUMN organizations.time_zone; Type: ACL; Schema: public; Owner: dispo
--

GRANT UPDATE(time_zone) ON TABLE public.organizations TO dispo_app;
GRANT UPDATE(time_zone) ON TABLE public.organizations TO dispo_operator;


--
-- Name: COLUMN organizations.notification_address; Type: ACL; Schema: public; Owner: dispo
--

GRANT UPDATE(notification_address) ON TABLE public.organizations TO dispo_app;
GRANT UPDATE(notification_address) ON TABLE public.organizations TO dispo_operator;


--
-- Name: COLUMN organizations.expected_by; Type: ACL; Schema: public; Owner: dispo
--

GRANT UPDATE(expected_by) ON TABLE public.organizations TO dispo_app;
GRANT UPDATE(expected_by) ON TABLE public.organizations TO dispo_operator;


--
-- Name: COLUMN organizations.expected_since; Type: ACL; Schema: public; Owner: dispo
--

GRANT UPDATE(expected_since) ON TABLE public.organizations TO dispo_app;
GRANT UPDATE(expected_since) ON TABLE public.organizations TO dispo_operator;


--
-- Name: TABLE password_links; Type: ACL; Schema: public; Owner: dispo
--

GRANT SELECT,INSERT,DELETE ON TABLE public.password_links TO dispo_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.password_links TO dispo_operator;
GRANT SELECT,DELETE ON TABLE public.password_links TO dispo_keeper;


--
-- Name: TABLE password_requests; Type: ACL; Schema: public; Owner: dispo
--

GRANT SELECT,INSERT,DELETE ON TABLE public.password_requests TO dispo_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.password_requests TO dispo_operator;
GRANT SELECT,DELETE ON TABLE public.password_requests TO dispo_keeper;


--
-- Name: TABLE recovery_codes; Type: ACL; Schema: public; Owner: dispo
--

GRANT SELECT,INSERT,DELETE ON TABLE public.recovery_codes TO dispo_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.recovery_codes TO dispo_operator;


--
-- Name: COLUMN recovery_codes.code_hash; Type: ACL; Schema: public; Owner: dispo
--

GRANT UPDATE(code_hash) ON TABLE public.recovery_codes TO dispo_app;


--
-- Name: TABLE refused_deliveries; Type: ACL; Schema: public; Owner: dispo
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.refused_deliveries TO dispo_operator;


--
-- Name: TABLE refused_requests; Type: ACL; Schema: public; Owner: dispo
--

GRANT SELECT,DELETE ON TABLE public.refused_requests TO dispo_keeper;
GRANT SELECT ON TABLE public.refused_requests TO dispo_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.refused_requests TO dispo_operator;


--
-- Name: TABLE running_tasks; Type: ACL; Schema: public; Owner: dispo
--

GRANT SELECT,DELETE ON TABLE public.running_tasks TO dispo_keeper;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.running_tasks TO dispo_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.running_tasks TO dispo_operator;


--
-- Name: TABLE served_requests; Type: ACL; Schema: public; Owner: dispo
--

GRANT SELECT,DELETE ON TABLE public.served_requests TO dispo_keeper;
GRANT SELECT ON TABLE public.served_requests TO dispo_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.served_requests TO dispo_operator;


--
-- Name: TABLE sessions; Type: ACL; Schema: public; Owner: dispo
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.sessions TO dispo_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.sessions TO dispo_operator;
GRANT SELECT,DELETE ON TABLE public.sessions TO dispo_keeper;


--
-- Name: TABLE sign_in_failures; Type: ACL; Schema: public; Owner: dispo
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.sign_in_failures TO dispo_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.sign_in_failures TO dispo_operator;
GRANT SELECT,DELETE ON TABLE public.sign_in_failures TO dispo_keeper;


--
-- Name: TABLE sign_in_links; Type: ACL; Schema: public; Owner: dispo
--

GRANT SELECT,DELETE ON TABLE public.sign_in_links TO dispo_keeper;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.sign_in_links TO dispo_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.sign_in_links TO dispo_operator;


--
-- Name: TABLE sign_in_providers; Type: ACL; Schema: public; Owner: dispo
--

GRANT SELECT,DELETE ON TABLE public.sign_in_providers TO dispo_keeper;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.sign_in_providers TO dispo_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.sign_in_providers TO dispo_operator;


--
-- Name: TABLE sign_in_states; Type: ACL; Schema: public; Owner: dispo
--

GRANT SELECT,DELETE ON TABLE public.sign_in_states TO dispo_keeper;
GRANT INSERT ON TABLE public.sign_in_states TO dispo_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.sign_in_states TO dispo_operator;


--
-- Name: TABLE transactions; Type: ACL; Schema: public; Owner: dispo
--

GRANT SELECT,DELETE ON TABLE public.transactions TO dispo_keeper;
GRANT SELECT ON TABLE public.transactions TO dispo_app;
GRANT SELECT,INSERT,DELETE ON TABLE public.transactions TO dispo_operator;


--
-- Name: TABLE users; Type: ACL; Schema: public; Owner: dispo
--

GRANT SELECT,INSERT,UPDATE ON TABLE public.users TO dispo_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.users TO dispo_operator;


--
-- Name: TABLE withdrawn_files; Type: ACL; Schema: public; Owner: dispo
--

GRANT SELECT,DELETE ON TABLE public.withdrawn_files TO dispo_keeper;
GRANT SELECT ON TABLE public.withdrawn_files TO dispo_app;
GRANT SELECT,INSERT ON TABLE public.withdrawn_files TO dispo_operator;


--
-- Name: TABLE withdrawn_totals; Type: ACL; Schema: public; Owner: dispo
--

GRANT SELECT,DELETE ON TABLE public.withdrawn_totals TO dispo_keeper;
GRANT SELECT ON TABLE public.withdrawn_totals TO dispo_app;
GRANT SELECT,INSERT ON TABLE public.withdrawn_totals TO dispo_operator;


--
-- Name: TABLE writers; Type: ACL; Schema: public; Owner: dispo
--

GRANT SELECT,DELETE ON TABLE public.writers TO dispo_keeper;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.writers TO dispo_operator;


--
-- PostgreSQL database dump complete
--


