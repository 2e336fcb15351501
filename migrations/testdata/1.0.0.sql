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

CREATE FUNCTION public.api_key_find(wanted text, wanted_sandbox boolean) RETURNS TABLE(id uuid, organization_id uuid, secret_hash text, fingerprint bytea, expires_at timestamp with time zone, revoked_at timestamp with time zone, paused_at timestamp with time zone, suspended boolean, replaced boolean, limit_minute bigint, limit_hour bigint)
    LANGUAGE sql STABLE SECURITY DEFINER ROWS 1
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT k.id, k.organization_id, k.secret_hash, k.fingerprint, k.expires_at, k.revoked_at, k.paused_at, o.suspended_at IS NOT NULL,
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
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT api_keys_check CHECK ((num_nonnulls(revoke_at, revoke_after_idle_days) = num_nonnulls(revoke_scheduled_at))),
    CONSTRAINT api_keys_expiry_notice_days_check CHECK ((expiry_notice_days = ANY (ARRAY[30, 7, 1]))),
    CONSTRAINT api_keys_fingerprint_check CHECK ((length(fingerprint) = 36)),
    CONSTRAINT api_keys_lookup_id_check CHECK ((lookup_id ~ '^[0-9A-Za-z]{12}$'::text)),
    CONSTRAINT api_keys_name_check CHECK ((name <> ''::text)),
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
-- Name: api_keys_expiring(); Type: FUNCTION; Schema: public; Owner: dispo_operator
--

CREATE FUNCTION public.api_keys_expiring() RETURNS TABLE(id uuid, organization_id uuid, days integer)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT k.id, k.organization_id, n.days FROM api_keys k JOIN organizations o ON o.id = k.organization_id
    CROSS JOIN LATERAL (SELECT min(d) AS days FROM unnest(ARRAY[30, 7, 1]) d WHERE k.expires_at <= now() + d * interval '24 hours') n
    WHERE k.revoked_at IS NULL AND k.paused_at IS NULL AND k.expires_at > now() AND k.expires_at <= now() + interval '720 hours'
        AND o.suspended_at IS NULL AND (k.expiry_notice_days IS NULL OR k.expiry_notice_days > n.days)
        AND k.created_at <= k.expires_at - n.days * interval '24 hours'
    ORDER BY k.expires_at, k.id
$$;


ALTER FUNCTION public.api_keys_expiring() OWNER TO dispo_operator;

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
    FROM jsonb_populate_recordset(NULL::api_keys, used) u WHERE k.id = u.id AND u.tested_at > coalesce(k.tested_at, '-infinity')
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
-- Name: audit_log_everywhere(uuid, uuid, timestamp with time zone, uuid, text, text, text, text); Type: FUNCTION; Schema: public; Owner: dispo_operator
--

CREATE FUNCTION public.audit_log_everywhere(about uuid, id uuid, at timestamp with time zone, user_id uuid, user_email text, action text, subject text, address text) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $_$
    INSERT INTO audit_log (organization_id, id, at, user_id, user_email, action, subject, address)
    SELECT m.organization_id, $2, $3, $4, $5, $6, $7, $8 FROM memberships m WHERE m.user_id = about ORDER BY m.organization_id
$_$;


ALTER FUNCTION public.audit_log_everywhere(about uuid, id uuid, at timestamp with time zone, user_id uuid, user_email text, action text, subject text, address text) OWNER TO dispo_operator;

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
    IF 2 <> (SELECT count(*) FROM pg_class WHERE oid IN (to_regclass('moved'), to_regclass('changed')) AND relkind = 'r' AND relpersistence = 't' AND relowner = current_user::regrole
        AND relacl IS NULL AND NOT relhastriggers AND NOT relhasrules AND NOT relrowsecurity AND NOT relhassubclass) THEN
        RAISE EXCEPTION 'the tables moved and changed are not those that totals_open made for %', current_user USING ERRCODE = 'insufficient_privilege';
    END IF;
END
$$;


ALTER FUNCTION public.check_moved() OWNER TO dispo;

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
    INSERT INTO key_callers AS c (organization_id, key_id, address, client, user_agent, first_seen, last_seen, last_used, last_refused, requests, refused)
    SELECT organization_id, key_id, CASE WHEN room THEN address ELSE '' END, CASE WHEN room THEN client ELSE '' END, (array_agg(user_agent ORDER BY last_seen DESC))[1],
        min(first_seen), max(last_seen), max(last_used), max(last_refused), sum(requests), sum(refused)
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
        requests = c.requests + excluded.requests, refused = c.refused + excluded.refused
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
        ORDER BY kind IN ('password', 'unlock', 'invitation', 'sign_in') DESC, next_attempt_at LIMIT 1 FOR UPDATE SKIP LOCKED
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

CREATE FUNCTION public.move_totals(sign integer) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    counted   bigint;
    processed timestamptz;
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
        processed := clock_timestamp();
        UPDATE delivery_files f SET record_count = f.record_count + p.n, total_amount_dkk = f.total_amount_dkk + p.amount, processed_at = processed,
            last_id = greatest(f.last_id, p.last_id), first_date = least(f.first_date, p.first_date), last_date = greatest(f.last_date, p.last_date)
        FROM (
            SELECT organization_id, delivery_file_id, sum(count)::bigint AS n, sum(amount_dkk) AS amount, max(last_id::text COLLATE "C")::uuid AS last_id,
                min(disposition_date) AS first_date, max(disposition_date) AS last_date
            FROM moved GROUP BY 1, 2
        ) p WHERE f.organization_id = p.organization_id AND f.id = p.delivery_file_id;
        GET DIAGNOSTICS counted = ROW_COUNT;
        IF counted <> (SELECT count(*) FROM (SELECT DISTINCT organization_id, delivery_file_id FROM moved) d) THEN
            RAISE EXCEPTION 'transactions of a delivery file that the organization does not have' USING ERRCODE = 'foreign_key_violation';
        END IF;
        INSERT INTO daily_totals AS d
        SELECT organization_id, coalesce(cvr, ''), disposition_date, transfer_type, sum(count)::bigint, sum(amount_dkk),
            min(first_id::text COLLATE "C")::uuid, max(last_id::text COLLATE "C")::uuid
        FROM moved GROUP BY GROUPING SETS ((organization_id, cvr, disposition_date, transfer_type), (organization_id, disposition_date, transfer_type))
        ORDER BY 1, 2, 3, 4
        ON CONFLICT (organization_id, cvr, disposition_date, transfer_type) DO UPDATE
        SET count = d.count + excluded.count, amount_dkk = d.amount_dkk + excluded.amount_dkk,
            first_id = least(d.first_id, excluded.first_id), last_id = greatest(d.last_id, excluded.last_id);
    ELSE
        DELETE FROM delivery_files f USING moved m WHERE f.organization_id = m.organization_id AND f.id = m.delivery_file_id;
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
    INSERT INTO changed SELECT organization_id, 0, greatest(sign, 0) * count(DISTINCT delivery_file_id), sign * sum(count), sign * sum(amount_dkk)
    FROM moved GROUP BY 1;
    TRUNCATE moved;
END
$$;


ALTER FUNCTION public.move_totals(sign integer) OWNER TO dispo;

--
-- Name: next_id(uuid, bigint); Type: FUNCTION; Schema: public; Owner: dispo
--

CREATE FUNCTION public.next_id(last uuid, ahead bigint DEFAULT 0) RETURNS uuid
    LANGUAGE sql
    AS $$
    SELECT (lpad(to_hex(ahead + greatest((extract(epoch FROM clock_timestamp()) * 1000)::bigint, ('x0000' || left(replace(last::text, '-', ''), 12))::bit(64)::bigint + 1)), 12, '0')
        || '7' || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid
$$;


ALTER FUNCTION public.next_id(last uuid, ahead bigint) OWNER TO dispo;

--
-- Name: organization_created(); Type: FUNCTION; Schema: public; Owner: dispo
--

CREATE FUNCTION public.organization_created() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO writers VALUES (NEW.id) ON CONFLICT DO NOTHING;
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
-- Name: organizations_changed(); Type: FUNCTION; Schema: public; Owner: dispo
--

CREATE FUNCTION public.organizations_changed() RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM check_moved();
    UPDATE organizations o SET company_count = o.company_count + c.companies, delivery_file_count = o.delivery_file_count + c.files,
        transaction_count = o.transaction_count + c.transactions, total_amount_dkk = o.total_amount_dkk + c.amount,
        data_version = greatest(o.data_version + 1, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)
    FROM (
        SELECT organization_id, sum(companies)::bigint AS companies, sum(files)::bigint AS files, sum(transactions)::bigint AS transactions, sum(amount_dkk) AS amount
        FROM changed GROUP BY 1
    ) c WHERE o.id = c.organization_id;
    PERFORM pg_notify('dispo', 'data ' || organization_id) FROM changed;
    TRUNCATE changed;
END
$$;


ALTER FUNCTION public.organizations_changed() OWNER TO dispo;

--
-- Name: organizations_of_user(uuid); Type: FUNCTION; Schema: public; Owner: dispo_operator
--

CREATE FUNCTION public.organizations_of_user(wanted uuid) RETURNS TABLE(organization_id uuid, slug text, name text, role text, suspended boolean, require_second_factor boolean, time_zone text, sandbox boolean, limit_minute bigint, limit_hour bigint)
    LANGUAGE sql STABLE SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT o.id, o.slug, o.name, m.role, o.suspended_at IS NOT NULL, o.require_second_factor, o.time_zone, o.sandbox, o.limit_minute, o.limit_hour
    FROM memberships m JOIN organizations o ON o.id = m.organization_id
    WHERE m.user_id = wanted ORDER BY o.id
$$;


ALTER FUNCTION public.organizations_of_user(wanted uuid) OWNER TO dispo_operator;

--
-- Name: refused_requests_add(jsonb); Type: FUNCTION; Schema: public; Owner: dispo_operator
--

CREATE FUNCTION public.refused_requests_add(added jsonb) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    INSERT INTO refused_requests
    SELECT u.* FROM jsonb_populate_recordset(NULL::refused_requests, added) u JOIN api_keys k ON k.id = u.key_id AND k.organization_id = u.organization_id;
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
-- Name: sandbox_open(uuid); Type: FUNCTION; Schema: public; Owner: dispo_operator
--

CREATE FUNCTION public.sandbox_open(organization uuid) RETURNS TABLE(next_day date, highest_id uuid)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
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


ALTER FUNCTION public.sandbox_open(organization uuid) OWNER TO dispo_operator;

--
-- Name: sandbox_store(uuid, date, jsonb); Type: FUNCTION; Schema: public; Owner: dispo_operator
--

CREATE FUNCTION public.sandbox_store(organization uuid, new_day date, made jsonb) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
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


ALTER FUNCTION public.sandbox_store(organization uuid, new_day date, made jsonb) OWNER TO dispo_operator;

--
-- Name: sandbox_withdraw(uuid, text, text, uuid); Type: FUNCTION; Schema: public; Owner: dispo_operator
--

CREATE FUNCTION public.sandbox_withdraw(organization uuid, wanted text, why text, change uuid) RETURNS TABLE(records bigint, amount text)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
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


ALTER FUNCTION public.sandbox_withdraw(organization uuid, wanted text, why text, change uuid) OWNER TO dispo_operator;

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
    INSERT INTO served_requests (organization_id, key_id, id, at, address, client, user_agent, path, status, row_count)
    SELECT k.organization_id, k.id, u.id, u.at, coalesce(c.address, ''), coalesce(c.client, ''), CASE WHEN c.address <> '' THEN u.user_agent ELSE '' END, u.path, u.status, u.row_count
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
-- Name: tenant_tables(); Type: FUNCTION; Schema: public; Owner: dispo
--

CREATE FUNCTION public.tenant_tables() RETURNS TABLE(name text, own text, rights text)
    LANGUAGE sql IMMUTABLE
    AS $$
    VALUES
        ('organizations', 'id', 'SELECT, UPDATE (name, time_zone, notification_address, expected_by, expected_since, require_second_factor)'),
        ('memberships', 'organization_id', 'SELECT, INSERT, UPDATE, DELETE'),
        ('invitations', 'organization_id', 'SELECT, INSERT, DELETE'),
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
-- Name: totals_open(); Type: FUNCTION; Schema: public; Owner: dispo
--

CREATE FUNCTION public.totals_open() RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    CREATE TEMPORARY TABLE changed (organization_id uuid NOT NULL, companies bigint NOT NULL, files bigint NOT NULL, transactions bigint NOT NULL,
        amount_dkk numeric NOT NULL) ON COMMIT DROP;
    CREATE TEMPORARY TABLE moved (LIKE daily_totals, delivery_file_id uuid NOT NULL) ON COMMIT DROP;
END
$$;


ALTER FUNCTION public.totals_open() OWNER TO dispo;

--
-- Name: withdraw_aged(); Type: FUNCTION; Schema: public; Owner: dispo_operator
--

CREATE FUNCTION public.withdraw_aged() RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
    share record;
    file  uuid;
    last  uuid;
BEGIN
    IF NOT EXISTS (SELECT FROM deliveries d WHERE d.withdrawn_at IS NULL AND d.last_date < kept_since()) THEN
        RETURN 0;
    END IF;

    LOCK TABLE deliveries IN EXCLUSIVE MODE; -- as imports do
    SELECT d.id AS delivery_id, d.filename, f.* INTO share FROM deliveries d CROSS JOIN LATERAL (
        SELECT f.organization_id, sum(f.record_count)::bigint AS records, sum(f.total_amount_dkk) AS amount
        FROM delivery_files f JOIN organizations o ON o.id = f.organization_id AND o.deletion_started_at IS NULL
        WHERE f.delivery_id = d.id GROUP BY 1 ORDER BY 1 LIMIT 1
    ) f WHERE d.withdrawn_at IS NULL AND d.last_date < kept_since() ORDER BY d.last_date LIMIT 1;
    IF FOUND THEN
        PERFORM FROM writers w WHERE w.organization_id = share.organization_id FOR UPDATE;
        SELECT o.last_id FROM organizations o WHERE o.id = share.organization_id INTO last;
        PERFORM totals_open();
        PERFORM check_moved();
        PERFORM withdraw_records(share.delivery_id, share.organization_id, 'retention');
        FOR file IN SELECT DISTINCT delivery_file_id FROM moved ORDER BY 1 LOOP
            last := next_id(last);
            UPDATE withdrawn_files w SET change_id = last WHERE w.organization_id = share.organization_id AND w.id = file;
        END LOOP;
        PERFORM move_totals(-1);
        UPDATE organizations o SET last_id = last WHERE o.id = share.organization_id;
        PERFORM organizations_changed();
        INSERT INTO audit_log (organization_id, id, user_email, action, subject, address)
        VALUES (share.organization_id, next_id('00000000-0000-0000-0000-000000000000'), 'schedule', 'delivery.withdraw',
            format('%s: %s of %s DKK. Reason: retention', share.filename, CASE share.records WHEN 1 THEN '1 transaction' ELSE share.records || ' transactions' END, share.amount), 'schedule');
    END IF;

    WITH gone AS (
        UPDATE deliveries d SET withdrawn_at = now(), withdrawn_reason = 'retention' WHERE d.withdrawn_at IS NULL AND d.last_date < kept_since()
            AND (share.delivery_id IS NULL OR d.id = share.delivery_id) AND NOT EXISTS (SELECT FROM delivery_files f WHERE f.delivery_id = d.id) RETURNING d.id
    ), held AS (
        DELETE FROM held_records h USING gone WHERE h.delivery_id = gone.id
    ), withdrawals AS (
        DELETE FROM delivery_withdrawals w USING gone WHERE w.delivery_id = gone.id
    )
    DELETE FROM delivery_bytes b USING gone WHERE b.delivery_id = gone.id;
    RETURN coalesce(share.records, 0);
END
$$;


ALTER FUNCTION public.withdraw_aged() OWNER TO dispo_operator;

--
-- Name: withdraw_records(uuid, uuid, text); Type: FUNCTION; Schema: public; Owner: dispo
--

CREATE FUNCTION public.withdraw_records(delivery uuid, only_organization uuid, why text) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM check_moved();
    INSERT INTO withdrawn_files (organization_id, id, filename, layout, record_count, total_amount_dkk, first_date, last_date, created_at, reason)
    SELECT organization_id, id, filename, layout, record_count, total_amount_dkk, first_date, last_date, created_at, why FROM delivery_files
    WHERE delivery_id = delivery AND (only_organization IS NULL OR organization_id = only_organization);
    WITH gone AS (
        DELETE FROM transactions t USING delivery_files f, companies c
        WHERE f.delivery_id = delivery AND (only_organization IS NULL OR f.organization_id = only_organization) AND c.organization_id = f.organization_id
            AND t.organization_id = f.organization_id AND t.cvr = c.cvr AND t.id > f.id AND t.id <= f.last_id AND t.delivery_file_id = f.id
        RETURNING t.organization_id, t.cvr, t.disposition_date, t.transfer_type, t.amount_dkk, t.delivery_file_id
    )
    INSERT INTO moved
    SELECT organization_id, cvr, disposition_date, transfer_type, count(*), sum(amount_dkk), delivery_file_id, delivery_file_id, delivery_file_id
    FROM gone GROUP BY 1, 2, 3, 4, delivery_file_id;
    INSERT INTO withdrawn_totals
    SELECT organization_id, coalesce(cvr, ''), disposition_date, delivery_file_id, sum(count), sum(amount_dkk) FROM moved
    GROUP BY GROUPING SETS ((organization_id, cvr, disposition_date, delivery_file_id), (organization_id, disposition_date, delivery_file_id)) HAVING cvr IS NULL OR why <> 'retention';
END
$$;


ALTER FUNCTION public.withdraw_records(delivery uuid, only_organization uuid, why text) OWNER TO dispo;

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
    start_date date DEFAULT CURRENT_DATE NOT NULL,
    end_date date DEFAULT '9999-12-31'::date NOT NULL,
    status text DEFAULT 'CREATED'::text NOT NULL,
    sender_reg_number text,
    sender_account_number text,
    receiver_reg_number text,
    receiver_account_number text,
    default_amount_cents bigint,
    transaction_count bigint DEFAULT 0 NOT NULL,
    total_amount_dkk numeric(38,2) DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
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
    created_at timestamp with time zone DEFAULT now() NOT NULL,
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
    created_at timestamp with time zone DEFAULT now() NOT NULL
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

COMMENT ON TABLE public.goose_db_version IS 'dispo edition 2dec975a7b0e';


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
    created_at timestamp with time zone DEFAULT now() NOT NULL,
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
    created_at timestamp with time zone DEFAULT now() NOT NULL,
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
    dismissed_at timestamp with time zone
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
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
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
    limit_minute bigint DEFAULT 0 NOT NULL,
    limit_hour bigint DEFAULT 0 NOT NULL,
    time_zone text DEFAULT 'Europe/Copenhagen'::text NOT NULL,
    notification_address text DEFAULT ''::text NOT NULL,
    expected_by text DEFAULT ''::text NOT NULL,
    expected_since timestamp with time zone DEFAULT now() NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
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
    expires_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT password_links_kind_check CHECK ((kind = ANY (ARRAY['password'::text, 'unlock'::text]))),
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
    created_at timestamp with time zone DEFAULT now() NOT NULL,
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
    renewed_at timestamp with time zone DEFAULT now() NOT NULL
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
    row_count bigint NOT NULL
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
    address text NOT NULL,
    user_agent text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    seen_at timestamp with time zone DEFAULT now() NOT NULL,
    confirmed_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
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
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
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
    withdrawn_at timestamp with time zone DEFAULT now() NOT NULL,
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
    withdrawn_at timestamp with time zone DEFAULT now() NOT NULL,
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
	('01a21e86-d8d6-704a-953d-82870ffa1911', '01a21e86-d807-719c-972d-1399f1a66ab1', false, 'T1T1W7ttfsHP', '$2a$04$SWOpn3dDZT9CJnOrcwNuh.bKdIwZbbbA2ucrkBSKQAJkRQeUQQ7SS', NULL, 'Sdte', 'test', '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-27 19:41:23.542543+00', '2026-11-27 19:41:23.542543+00'),
	('01a21e86-d922-7431-a45d-9a2a3d8952ad', '01a21e86-d807-719c-972d-1399f1a66ab1', false, 'nkQ0OrGrsONA', '$2a$10$NkcZhQijCsj4ECe5/Nit2.A3Dfn.2kjWynNbXiB7fggQULijHEmZq', '\x5803f609be04d3f50ea745958bc112fba6c6b216cd1f30ca7c1c31600ac21d2dfe664c3e', 'foV4', 'successor', '', NULL, '01a21e86-d8d6-704a-953d-82870ffa1911', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-27 19:41:23.62007+00', '2026-11-27 19:41:23.618407+00'),
	('01a21e86-d945-716b-a2a4-348521cd3a8a', '01a21e86-d820-7b75-b5a6-18f4951b1ec4', false, 'rTUallnYfTXo', '$2a$04$GGQtFfQ1oLphZ2pGCqKlyetp/yfl3rkjZxmRRxuty54s4s7gbgM/W', NULL, '4zOX', 'test', '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-27 19:41:23.653469+00', '2026-11-27 19:41:23.653469+00'),
	('01a21e86-d98f-767a-b07a-d246648118d4', '01a21e86-d820-7b75-b5a6-18f4951b1ec4', false, 'GPgCmD2McnsI', '$2a$10$LCG9iqLwHhPbSKMWXtFFHOKWonvWlyFGyuswIqImT18qFgzFm1qh2', '\x5803f609d2569c4cf038cbdb1ecb4969825f11aa521cb811636b87afa84387b44505b9c5', 'l85Q', 'successor', '', NULL, '01a21e86-d945-716b-a2a4-348521cd3a8a', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-27 19:41:23.729308+00', '2026-11-27 19:41:23.727562+00'),
	('cc6dfee7-220b-4d38-8a48-b422fb36a18e', '01a21e86-d807-719c-972d-1399f1a66ab1', false, 'releasekey01', '$2a$04$5qODiOZuIMB.LCT9ewDLneyo31rRAuISB2nu5myoi/eDBOf7577.a', NULL, 'uWiW', 'of the first release', '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-27 19:41:23.762601+00', '2026-11-27 19:41:23.762601+00');


--
-- Data for Name: audit_log; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.audit_log VALUES
	('01a21e86-d807-719c-972d-1399f1a66ab1', '01a21e86-d8bd-7666-877a-32b7e5a8bbb9', '2026-11-27 19:41:23.51742+00', NULL, 'operator', 'delivery.withdraw', 'delivery.csv: 2 transactions of 1.01 DKK. Reason: wrong', 'command line', NULL),
	('01a21e86-d820-7b75-b5a6-18f4951b1ec4', '01a21e86-d8c0-7342-9d7f-40de46eecc41', '2026-11-27 19:41:23.520214+00', NULL, 'operator', 'delivery.withdraw', 'delivery.csv: 2 transactions of 1.01 DKK. Reason: wrong', 'command line', NULL),
	('01a21e86-d807-719c-972d-1399f1a66ab1', '01a21e86-d8c7-77a4-8b0f-e1a94063d133', '2026-11-27 19:41:23.527501+00', NULL, 'operator', 'user.create', 'both@example.com: owner', 'command line', NULL),
	('01a21e86-d807-719c-972d-1399f1a66ab1', '01a21e86-d8d2-7422-813a-42773cf8f49e', '2026-11-27 19:41:23.538271+00', NULL, 'operator', 'user.create', 'a@example.com: owner', 'command line', NULL),
	('01a21e86-d807-719c-972d-1399f1a66ab1', '01a21e86-d925-702c-a8a5-76c5085f4484', '2026-11-27 19:41:23.621012+00', NULL, 'operator', 'key.rotate', 'successor (dispo_…foV4)', 'command line', '01a21e86-d922-7431-a45d-9a2a3d8952ad'),
	('01a21e86-d820-7b75-b5a6-18f4951b1ec4', '01a21e86-d941-74ed-bab5-d71594e6f028', '2026-11-27 19:41:23.649323+00', NULL, 'operator', 'user.create', 'b@example.com: owner', 'command line', NULL),
	('01a21e86-d820-7b75-b5a6-18f4951b1ec4', '01a21e86-d992-70e2-bc40-5cb60b101339', '2026-11-27 19:41:23.730058+00', NULL, 'operator', 'key.rotate', 'successor (dispo_…l85Q)', 'command line', '01a21e86-d98f-767a-b07a-d246648118d4');


--
-- Data for Name: companies; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.companies VALUES
	('01a21e86-d807-719c-972d-1399f1a66ab1', '01a21e86-d811-7908-b70f-90576cfa11cc', '10000002', 'Company 10000002', 'company 10000002', '\x161d17711741179615ef174f1880010914e714e614e614e614e614e614e614e8', NULL, '2026-11-27', '9999-12-31', 'CREATED', NULL, NULL, NULL, NULL, NULL, 0, 0.00, '2026-11-27 19:41:23.3398+00', '2026-11-27 19:41:23.3398+00', '01a21e86-d811-7908-b70f-90576cfa11cc'),
	('01a21e86-d820-7b75-b5a6-18f4951b1ec4', '01a21e86-d824-7a78-b869-6921def403cc', '10000003', 'Company 10000003', 'company 10000003', '\x161d17711741179615ef174f1880010914e714e614e614e614e614e614e614e9', NULL, '2026-11-27', '9999-12-31', 'CREATED', NULL, NULL, NULL, NULL, NULL, 0, 0.00, '2026-11-27 19:41:23.361821+00', '2026-11-27 19:41:23.361821+00', '01a21e86-d824-7a78-b869-6921def403cc'),
	('01a21e86-d807-719c-972d-1399f1a66ab1', '01a21e86-d811-7908-b70f-90568dc6387f', '10000001', 'Company 10000001', 'company 10000001', '\x161d17711741179615ef174f1880010914e714e614e614e614e614e614e614e7', NULL, '2026-11-27', '9999-12-31', 'CREATED', NULL, NULL, NULL, NULL, NULL, 21, 63.63, '2026-11-27 19:41:23.3398+00', '2026-11-27 19:41:23.3398+00', '01a21e86-d811-7908-b70f-90568dc6387f'),
	('01a21e86-d820-7b75-b5a6-18f4951b1ec4', '01a21e86-d824-7a78-b869-6920f6fdb11c', '10000001', 'Company 10000001', 'company 10000001', '\x161d17711741179615ef174f1880010914e714e614e614e614e614e614e614e7', NULL, '2026-11-27', '9999-12-31', 'CREATED', NULL, NULL, NULL, NULL, NULL, 21, 63.63, '2026-11-27 19:41:23.361821+00', '2026-11-27 19:41:23.361821+00', '01a21e86-d824-7a78-b869-6920f6fdb11c'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf628eff9e4a', '99032006', 'Isboden Kold Næse', 'isboden kold næse', '\x16cd17f3160517711631164c174f010916ff1771171116310109174f190617f3164c', NULL, '2026-08-26', '2026-09-02', 'REJECTED', '7966', '7414431539', '4058', '2568203751', 550000, 0, 0.00, '2026-11-27 19:41:23.740179+00', '2026-11-27 19:41:23.740179+00', '01a21e86-d9a0-7b66-a2fa-bf628eff9e4a'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf638e080527', '99916869', 'Muslingebåden Blåskæl', 'muslingebåden blåskæl', '\x1741183617f3171116cd174f1691164c160519081631164c174f010916051711190817f316ff19061711', 'Klokkestøberstræde 20, st. th., 9990 Skagen', '2026-04-01', '2026-04-21', 'REJECTED', '2070', '9090178467', '9844', '9469029569', NULL, 0, 0.00, '2026-11-27 19:41:23.740179+00', '2026-11-27 19:41:23.740179+00', '01a21e86-d9a0-7b66-a2fa-bf638e080527'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf5e8a07e4f3', '99442395', 'Skibsprovianten Anker, Tov & Tjære A/S', 'skibsprovianten anker, tov & tjære a/s', '\x17f316ff16cd160517f3179617bd1771185f16cd15ef174f1816164c174f010915ef174f16ff164c17bd0120010918161771185f010902730109181616e6190617bd164c010915ef027117f3', 'Klokkestøberstræde 97, 2. th., 8000 Aarhus C', '2024-08-07', '9999-12-31', 'REGISTERED', '6977', '8210293793', '3288', '9423235654', NULL, 7, 638241.76, '2026-11-27 19:41:23.740179+00', '2026-11-27 19:41:23.740179+00', '01a21e86-d9a0-7b66-a2fa-bf5e8a07e4f3'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf5f13fbe3d6', '99843519', 'Ostelageret Hul i Hul ApS', 'ostelageret hul i hul aps', '\x177117f31816164c171115ef1691164c17bd164c1816010916b418361711010916cd010916b418361711010915ef179617f3', 'Klokkestøberstræde 126, 2100 København Ø', '2022-12-30', '9999-12-31', 'REGISTERED', '8706', '9277876647', '6901', '7130575635', 100000, 1, 1479.60, '2026-11-27 19:41:23.740179+00', '2026-11-27 19:41:23.740179+00', '01a21e86-d9a0-7b66-a2fa-bf5f13fbe3d6'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf60120d4532', '99008105', 'Kroen "Det Glade Søpindsvin" ApS', 'kroen "det glade søpindsvin" aps', '\x16ff17bd1771164c174f010901f01631164c181601091691171115ef1631164c010917f31907179616cd174f163117f3185f16cd174f01f0010915ef179617f3', 'Skibstømrerpladsen 14, 2. th., 5000 Odense C', '2015-12-17', '9999-12-31', 'REGISTERED', '3817', '2400700471', '2453', '2082896674', NULL, 8, 185428.34, '2026-11-27 19:41:23.740179+00', '2026-11-27 19:41:23.740179+00', '01a21e86-d9a0-7b66-a2fa-bf60120d4532'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf60e9bba3a8', '99643420', 'Nordlys Varehus Vest A/S', 'nordlys varehus vest a/s', '\x174f177117bd16311711188017f30109185f15ef17bd164c16b4183617f30109185f164c17f31816010915ef027117f3', NULL, '2015-03-16', '9999-12-31', 'REGISTERED', '7647', '9628448731', '8219', '1493447266', NULL, 7, 156107.62, '2026-11-27 19:41:23.740179+00', '2026-11-27 19:41:23.740179+00', '01a21e86-d9a0-7b66-a2fa-bf60e9bba3a8'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf616e78932a', '99011947', 'Lystfiskeren Krog & Line ApS', 'lystfiskeren krog & line aps', '\x1711188017f31816168416cd17f316ff164c17bd164c174f010916ff17bd17711691010902730109171116cd174f164c010915ef179617f3', NULL, '2014-08-26', '9999-12-31', 'REGISTERED', '3297', '0662357182', '9885', '8898490927', 1000000, 1, 5674.68, '2026-11-27 19:41:23.740179+00', '2026-11-27 19:41:23.740179+00', '01a21e86-d9a0-7b66-a2fa-bf616e78932a'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf65f1edf949', '99169850', 'Strandkiosken Sand i Skoen ApS', 'strandkiosken sand i skoen aps', '\x17f3181617bd15ef174f163116ff16cd177117f316ff164c174f010917f315ef174f1631010916cd010917f316ff1771164c174f010915ef179617f3', 'Skibstømrerpladsen 10, 1. tv., 6700 Esbjerg', '2022-10-11', '2025-09-26', 'TERMINATED', '2328', '9311192428', NULL, NULL, NULL, 0, 0.00, '2026-11-27 19:41:23.740179+00', '2026-11-27 19:41:23.740179+00', '01a21e86-d9a0-7b66-a2fa-bf65f1edf949'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf6620f52144', '99642254', 'Tæppeland Uldum-Frynse A/S', 'tæppeland uldum-frynse a/s', '\x1816190617961796164c171115ef174f1631010918361711163118361741010d168417bd1880174f17f3164c010915ef027117f3', NULL, '2022-06-14', '2025-09-12', 'TERMINATED', '1861', '3849457731', NULL, NULL, 125000, 0, 0.00, '2026-11-27 19:41:23.740179+00', '2026-11-27 19:41:23.740179+00', '01a21e86-d9a0-7b66-a2fa-bf6620f52144'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf69837fe073', '99801247', 'Tangfabrikken Grøn Bølge ApS', 'tangfabrikken grøn bølge aps', '\x181615ef174f1691168415ef160517bd16cd16ff16ff164c174f0109169117bd1907174f01091605190717111691164c010915ef179617f3', 'Vestre Kranvej 53, 2. th., 9000 Aalborg', '2026-12-10', '9999-12-31', 'CREATED', NULL, NULL, NULL, NULL, NULL, 0, 0.00, '2026-11-27 19:41:23.740179+00', '2026-11-27 19:41:23.740179+00', '01a21e86-d9a0-7b66-a2fa-bf69837fe073'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf6268705b34', '99573546', 'Møbelhuset Fire Ben A/S', 'møbelhuset fire ben a/s', '\x174119071605164c171116b4183617f3164c18160109168416cd17bd164c01091605164c174f010915ef027117f3', 'Tjørnehegnsvej 79, st. th., 6700 Esbjerg', '2023-09-03', '9999-12-31', 'REGISTERED', '8567', '6220640969', '1572', '8634995031', NULL, 3, 358816.93, '2026-11-27 19:41:23.740179+00', '2026-11-27 19:41:23.740179+00', '01a21e86-d9a0-7b66-a2fa-bf6268705b34'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf62755b62bb', '99694181', 'Hatteriet Høj & Puld ApS', 'hatteriet høj & puld aps', '\x16b415ef18161816164c17bd16cd164c1816010916b4190716e60109027301091796183617111631010915ef179617f3', 'Sømandshvilet 19, 4600 Køge', '2015-06-22', '9999-12-31', 'REGISTERED', '7231', '4649208020', NULL, NULL, NULL, 1, 3880.32, '2026-11-27 19:41:23.740179+00', '2026-11-27 19:41:23.740179+00', '01a21e86-d9a0-7b66-a2fa-bf62755b62bb'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf62b868b075', '99493585', 'Østersbaren Perlemor ApS', 'østersbaren perlemor aps', '\x190717f31816164c17bd17f3160515ef17bd164c174f01091796164c17bd1711164c1741177117bd010915ef179617f3', 'Ålekistevænget 66, 1. tv., 9990 Skagen', '2020-04-18', '9999-12-31', 'REGISTERED', '5940', '0361074229', NULL, NULL, NULL, 2, 15496.28, '2026-11-27 19:41:23.740179+00', '2026-11-27 19:41:23.740179+00', '01a21e86-d9a0-7b66-a2fa-bf62b868b075'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf642895b987', '99397640', 'Teltpladsen Friluft & Grej ApS', 'teltpladsen friluft & grej aps', '\x1816164c171118161796171115ef163117f3164c174f0109168417bd16cd1711183616841816010902730109169117bd164c16e6010915ef179617f3', 'Rugskelsvej 86, 2. th., 4600 Køge', '2017-11-29', '9999-12-31', 'REGISTERED', '1122', '3253216646', '5872', '2261869291', NULL, 3, 44364.49, '2026-11-27 19:41:23.740179+00', '2026-11-27 19:41:23.740179+00', '01a21e86-d9a0-7b66-a2fa-bf642895b987'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf64f46d55e3', '99808470', 'Netbinder Maskeby v/Åse Knude', 'netbinder maskeby v/åse knude', '\x174f164c1816160516cd174f1631164c17bd0109174115ef17f316ff164c160518800109185f0271190817f3164c010916ff174f18361631164c', 'Rugskelsvej 21, st. th., 4600 Køge', '2026-01-23', '9999-12-31', 'REGISTERED', '2949', '1573819695', '0847', '8536241719', 650000, 1, 3293.93, '2026-11-27 19:41:23.740179+00', '2026-11-27 19:41:23.740179+00', '01a21e86-d9a0-7b66-a2fa-bf64f46d55e3'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf65b2c4ce59', '99221259', 'Brilleborg Optik ApS', 'brilleborg optik aps', '\x160517bd16cd17111711164c1605177117bd1691010917711796181616cd16ff010915ef179617f3', 'Kvistbuen 49, 8000 Aarhus C', '2020-04-11', '9999-12-31', 'REGISTERED', '2098', '6886827811', '6927', '9698861220', 150000, 1, 18267.68, '2026-11-27 19:41:23.740179+00', '2026-11-27 19:41:23.740179+00', '01a21e86-d9a0-7b66-a2fa-bf65b2c4ce59'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf66c52e3770', '99483296', 'Dyrehandler Pelsmark & Finne ApS', 'dyrehandler pelsmark & finne aps', '\x1631188017bd164c16b415ef174f16311711164c17bd01091796164c171117f3174115ef17bd16ff010902730109168416cd174f174f164c010915ef179617f3', 'Kvistbuen 21, st. th., 8900 Randers C', '2026-07-21', '9999-12-31', 'REGISTERED', '7725', '1920463524', '7382', '7239679536', NULL, 1, 1015.28, '2026-11-27 19:41:23.740179+00', '2026-11-27 19:41:23.740179+00', '01a21e86-d9a0-7b66-a2fa-bf66c52e3770'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf67acb2198e', '99188499', 'Dykkercenter Dyb Ånde ApS', 'dykkercenter dyb ånde aps', '\x1631188016ff16ff164c17bd161d164c174f1816164c17bd010916311880160501091908174f1631164c010915ef179617f3', 'Humlemarksgade 127, 6700 Esbjerg', '2026-08-05', '9999-12-31', 'REGISTERED', '3847', '0537901134', '7119', '8077437892', NULL, 1, 10825.26, '2026-11-27 19:41:23.740179+00', '2026-11-27 19:41:23.740179+00', '01a21e86-d9a0-7b66-a2fa-bf67acb2198e'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf67efbb3f75', '99504331', 'Kaffebrænderiet Sorte Bønne ApS', 'kaffebrænderiet sorte bønne aps', '\x16ff15ef16841684164c160517bd1906174f1631164c17bd16cd164c1816010917f3177117bd1816164c010916051907174f174f164c010915ef179617f3', 'Kvistbuen 30, st. th., 8900 Randers C', '2017-11-11', '9999-12-31', 'REGISTERED', '5097', '6623447839', '4728', '3526841660', 525000, 3, 18029.64, '2026-11-27 19:41:23.740179+00', '2026-11-27 19:41:23.740179+00', '01a21e86-d9a0-7b66-a2fa-bf67efbb3f75'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf68be75491f', '99570393', 'Nordlys Elektrisk ApS', 'nordlys elektrisk aps', '\x174f177117bd16311711188017f30109164c1711164c16ff181617bd16cd17f316ff010915ef179617f3', NULL, '2015-06-25', '9999-12-31', 'REGISTERED', '3474', '1512282137', '6235', '6575175376', NULL, 8, 538915.15, '2026-11-27 19:41:23.740179+00', '2026-11-27 19:41:23.740179+00', '01a21e86-d9a0-7b66-a2fa-bf68be75491f');


--
-- Data for Name: daily_totals; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.daily_totals VALUES
	('01a21e86-d807-719c-972d-1399f1a66ab1', '', '2026-01-31', 'CARD', 21, 63.63, '01a21e86-d840-78b8-885c-d974025d7dc4', '01a21e86-d8a2-7abe-9b41-661178732d75'),
	('01a21e86-d807-719c-972d-1399f1a66ab1', '10000001', '2026-01-31', 'CARD', 21, 63.63, '01a21e86-d840-78b8-885c-d974025d7dc4', '01a21e86-d8a2-7abe-9b41-661178732d75'),
	('01a21e86-d820-7b75-b5a6-18f4951b1ec4', '', '2026-01-31', 'CARD', 21, 63.63, '01a21e86-d841-7d11-8033-12c4bee61a38', '01a21e86-d8a2-756f-ae7d-fc8530ec8e6e'),
	('01a21e86-d820-7b75-b5a6-18f4951b1ec4', '10000001', '2026-01-31', 'CARD', 21, 63.63, '01a21e86-d841-7d11-8033-12c4bee61a38', '01a21e86-d8a2-756f-ae7d-fc8530ec8e6e'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '', '2026-11-27', 'CARD', 33, 1597799.56, '01a21e86-d9a0-7b66-a2fa-bf6ad8be3f4f', '01a21e86-d9a0-7b66-a2fa-bf82feccedf7'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '', '2026-11-27', 'CHARGEBACK', 1, -355.35, '01a21e86-d9a0-7b66-a2fa-bf79ea901d0f', '01a21e86-d9a0-7b66-a2fa-bf79ea901d0f'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '', '2026-11-27', 'MOBILE', 4, 72994.99, '01a21e86-d9a0-7b66-a2fa-bf70a349a730', '01a21e86-d9a0-7b66-a2fa-bf7e803ec7f1'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '', '2026-11-27', 'ONLINE', 8, 334626.56, '01a21e86-d9a0-7b66-a2fa-bf70128ead34', '01a21e86-d9a0-7b66-a2fa-bf82bc373b8f'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '', '2026-11-27', 'REFUND', 2, -5228.80, '01a21e86-d9a0-7b66-a2fa-bf762be85568', '01a21e86-d9a0-7b66-a2fa-bf81fc051863'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '99008105', '2026-11-27', 'CARD', 5, 112350.87, '01a21e86-d9a0-7b66-a2fa-bf6f9d539f62', '01a21e86-d9a0-7b66-a2fa-bf7287942697'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '99008105', '2026-11-27', 'MOBILE', 1, 31014.62, '01a21e86-d9a0-7b66-a2fa-bf70a349a730', '01a21e86-d9a0-7b66-a2fa-bf70a349a730'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '99008105', '2026-11-27', 'ONLINE', 2, 42062.85, '01a21e86-d9a0-7b66-a2fa-bf70128ead34', '01a21e86-d9a0-7b66-a2fa-bf730e077605'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '99011947', '2026-11-27', 'ONLINE', 1, 5674.68, '01a21e86-d9a0-7b66-a2fa-bf76f10879be', '01a21e86-d9a0-7b66-a2fa-bf76f10879be'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '99188499', '2026-11-27', 'CARD', 1, 10825.26, '01a21e86-d9a0-7b66-a2fa-bf7c51d4e561', '01a21e86-d9a0-7b66-a2fa-bf7c51d4e561'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '99221259', '2026-11-27', 'CARD', 1, 18267.68, '01a21e86-d9a0-7b66-a2fa-bf7c0f95e4f5', '01a21e86-d9a0-7b66-a2fa-bf7c0f95e4f5'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '99397640', '2026-11-27', 'CARD', 2, 35420.03, '01a21e86-d9a0-7b66-a2fa-bf7a197d8eb5', '01a21e86-d9a0-7b66-a2fa-bf7af7897fe1'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '99397640', '2026-11-27', 'MOBILE', 1, 8944.46, '01a21e86-d9a0-7b66-a2fa-bf7a9c527272', '01a21e86-d9a0-7b66-a2fa-bf7a9c527272'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '99442395', '2026-11-27', 'CARD', 7, 638241.76, '01a21e86-d9a0-7b66-a2fa-bf6ad8be3f4f', '01a21e86-d9a0-7b66-a2fa-bf6ea0621852'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '99483296', '2026-11-27', 'CARD', 1, 1015.28, '01a21e86-d9a0-7b66-a2fa-bf7c26b3638d', '01a21e86-d9a0-7b66-a2fa-bf7c26b3638d'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '99493585', '2026-11-27', 'CARD', 1, 15851.63, '01a21e86-d9a0-7b66-a2fa-bf79e8da7e7c', '01a21e86-d9a0-7b66-a2fa-bf79e8da7e7c'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '99493585', '2026-11-27', 'CHARGEBACK', 1, -355.35, '01a21e86-d9a0-7b66-a2fa-bf79ea901d0f', '01a21e86-d9a0-7b66-a2fa-bf79ea901d0f'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '99504331', '2026-11-27', 'CARD', 1, 3384.46, '01a21e86-d9a0-7b66-a2fa-bf7debc60fed', '01a21e86-d9a0-7b66-a2fa-bf7debc60fed'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '99504331', '2026-11-27', 'MOBILE', 1, 8409.80, '01a21e86-d9a0-7b66-a2fa-bf7e803ec7f1', '01a21e86-d9a0-7b66-a2fa-bf7e803ec7f1'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '99504331', '2026-11-27', 'ONLINE', 1, 6235.38, '01a21e86-d9a0-7b66-a2fa-bf7d0105835b', '01a21e86-d9a0-7b66-a2fa-bf7d0105835b'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '99570393', '2026-11-27', 'CARD', 6, 439335.70, '01a21e86-d9a0-7b66-a2fa-bf7f6de996a3', '01a21e86-d9a0-7b66-a2fa-bf82feccedf7'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '99570393', '2026-11-27', 'ONLINE', 1, 104149.57, '01a21e86-d9a0-7b66-a2fa-bf82bc373b8f', '01a21e86-d9a0-7b66-a2fa-bf82bc373b8f'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '99570393', '2026-11-27', 'REFUND', 1, -4570.12, '01a21e86-d9a0-7b66-a2fa-bf81fc051863', '01a21e86-d9a0-7b66-a2fa-bf81fc051863'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '99573546', '2026-11-27', 'CARD', 2, 255764.71, '01a21e86-d9a0-7b66-a2fa-bf7871f1a6e7', '01a21e86-d9a0-7b66-a2fa-bf7907e7fc83'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '99573546', '2026-11-27', 'ONLINE', 1, 103052.22, '01a21e86-d9a0-7b66-a2fa-bf77d00c25f9', '01a21e86-d9a0-7b66-a2fa-bf77d00c25f9'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '99643420', '2026-11-27', 'CARD', 3, 58688.33, '01a21e86-d9a0-7b66-a2fa-bf74703710a5', '01a21e86-d9a0-7b66-a2fa-bf76623f62e7'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '99643420', '2026-11-27', 'MOBILE', 1, 24626.11, '01a21e86-d9a0-7b66-a2fa-bf760e32c35a', '01a21e86-d9a0-7b66-a2fa-bf760e32c35a'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '99643420', '2026-11-27', 'ONLINE', 2, 73451.86, '01a21e86-d9a0-7b66-a2fa-bf738302d5b7', '01a21e86-d9a0-7b66-a2fa-bf7526e432fd'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '99643420', '2026-11-27', 'REFUND', 1, -658.68, '01a21e86-d9a0-7b66-a2fa-bf762be85568', '01a21e86-d9a0-7b66-a2fa-bf762be85568'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '99694181', '2026-11-27', 'CARD', 1, 3880.32, '01a21e86-d9a0-7b66-a2fa-bf798c6541f0', '01a21e86-d9a0-7b66-a2fa-bf798c6541f0'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '99808470', '2026-11-27', 'CARD', 1, 3293.93, '01a21e86-d9a0-7b66-a2fa-bf7b7e91b725', '01a21e86-d9a0-7b66-a2fa-bf7b7e91b725'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '99843519', '2026-11-27', 'CARD', 1, 1479.60, '01a21e86-d9a0-7b66-a2fa-bf6f08449c2a', '01a21e86-d9a0-7b66-a2fa-bf6f08449c2a');


--
-- Data for Name: deliveries; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.deliveries OVERRIDING SYSTEM VALUE VALUES
	('01a21e86-d838-7b5c-a50b-88592d3dc10a', 1, false, 'delivery.csv', 'csv', '\x7a6857c0725d04bb5fdc2a2daea61f9d407e3539b8e89f8916d3e9ad736ca06a', 7, 21.21, '2026-01-31', '2026-01-31', '2026-11-27 19:41:23.374098+00', NULL, NULL),
	('01a21e86-d861-766f-9246-fd872ed02c97', 2, false, 'delivery.csv', 'csv', '\x67f4e1f65a87ea376435d05bf15858040d7879394b6d1cad7c91ca86da7fc08c', 7, 21.21, '2026-01-31', '2026-01-31', '2026-11-27 19:41:23.4124+00', NULL, NULL),
	('01a21e86-d883-7c96-bb6e-fbd99513ed01', 3, false, 'delivery.csv', 'csv', '\x9f618077c31a059c59cb883d4bf463afe8870b19a35e506152e0fac27526c908', 7, 21.21, '2026-01-31', '2026-01-31', '2026-11-27 19:41:23.437617+00', NULL, NULL),
	('01a21e86-d89f-731a-9a1c-2041e3850141', 4, false, 'delivery.csv', 'csv', '\x3bfeaa0d4b50d9cc37f9a11eeda07b10e6e5546182b9c62bc56e33e7adbcf9f6', 2, 1.01, '2026-01-31', '2026-01-31', '2026-11-27 19:41:23.471333+00', '2026-11-27 19:41:23.522086+00', 'wrong'),
	('cfbf12d5-d166-48fb-9d76-2eb3f90e8f77', 5, true, 'sandbox-2026-11-27.csv', 'csv', NULL, 48, 1999836.96, '2026-11-27', '2026-11-27', '2026-11-27 19:41:23.740179+00', NULL, NULL);


--
-- Data for Name: delivery_bytes; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.delivery_bytes VALUES
	('\x173c2ebd17bb007d8851da4648a2904ca2e40b939b529823a9d0cbe9e32df18a', '01a21e86-d838-7b5c-a50b-88592d3dc10a'),
	('\x08b8a5f055498791be7f673dff1d8b9f3c31471886f8e6a2e191e3937afdfcce', '01a21e86-d861-766f-9246-fd872ed02c97'),
	('\x271e62679ba03b3635e3cf413302453ce20cd4bbe14c7c60dc13329afbe058dd', '01a21e86-d883-7c96-bb6e-fbd99513ed01');


--
-- Data for Name: delivery_files; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.delivery_files OVERRIDING SYSTEM VALUE VALUES
	('01a21e86-d807-719c-972d-1399f1a66ab1', '01a21e86-d83e-7943-8df7-7bed47e31e2e', '01a21e86-d841-761f-976a-c0f91c8fc877', '01a21e86-d838-7b5c-a50b-88592d3dc10a', 1, 'delivery.csv', 'csv', 7, 21.21, '2026-01-31', '2026-01-31', '2026-11-27 19:41:23.391621+00', '2026-11-27 19:41:23.406497+00', '01a21e86-d84b-7350-87a1-7b797eb17d4f'),
	('01a21e86-d820-7b75-b5a6-18f4951b1ec4', '01a21e86-d840-7014-8bbb-f18f4c47497e', '01a21e86-d841-7d11-8033-12c7aac5d474', '01a21e86-d838-7b5c-a50b-88592d3dc10a', 2, 'delivery.csv', 'csv', 7, 21.21, '2026-01-31', '2026-01-31', '2026-11-27 19:41:23.393822+00', '2026-11-27 19:41:23.406497+00', '01a21e86-d84b-78dd-89bf-8e8c4118d40a'),
	('01a21e86-d807-719c-972d-1399f1a66ab1', '01a21e86-d864-7b30-b6d8-c7de35c28de0', '01a21e86-d864-7b30-b6d8-c7e0d4db1630', '01a21e86-d861-766f-9246-fd872ed02c97', 3, 'delivery.csv', 'csv', 7, 21.21, '2026-01-31', '2026-01-31', '2026-11-27 19:41:23.428662+00', '2026-11-27 19:41:23.43261+00', '01a21e86-d867-74ee-b68c-6d057d560cc1'),
	('01a21e86-d820-7b75-b5a6-18f4951b1ec4', '01a21e86-d864-75dd-acc1-0c2ee610ab4e', '01a21e86-d864-75dd-acc1-0c316b7d4c40', '01a21e86-d861-766f-9246-fd872ed02c97', 4, 'delivery.csv', 'csv', 7, 21.21, '2026-01-31', '2026-01-31', '2026-11-27 19:41:23.428851+00', '2026-11-27 19:41:23.43261+00', '01a21e86-d867-7995-be44-965a0e520ba4'),
	('01a21e86-d807-719c-972d-1399f1a66ab1', '01a21e86-d886-788d-870f-594c44822645', '01a21e86-d887-7157-910f-40752e3260d1', '01a21e86-d883-7c96-bb6e-fbd99513ed01', 5, 'delivery.csv', 'csv', 7, 21.21, '2026-01-31', '2026-01-31', '2026-11-27 19:41:23.462935+00', '2026-11-27 19:41:23.466473+00', '01a21e86-d889-7a18-92de-4ae2620f214a'),
	('01a21e86-d820-7b75-b5a6-18f4951b1ec4', '01a21e86-d887-7a1d-ab61-c93fbf6e427f', '01a21e86-d887-7a1d-ab61-c9432621759d', '01a21e86-d883-7c96-bb6e-fbd99513ed01', 6, 'delivery.csv', 'csv', 7, 21.21, '2026-01-31', '2026-01-31', '2026-11-27 19:41:23.463132+00', '2026-11-27 19:41:23.466473+00', '01a21e86-d889-7a73-8051-242f1f16bb17'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf69fd2d00ef', '01a21e86-d9a0-7b66-a2fa-bf82feccedf7', 'cfbf12d5-d166-48fb-9d76-2eb3f90e8f77', 9, 'sandbox-2026-11-27.csv', 'csv', 48, 1999836.96, '2026-11-27', '2026-11-27', '2026-11-27 19:41:23.750126+00', '2026-11-27 19:41:23.753132+00', '01a21e86-d9a0-7b66-a2fa-bf83f8ce5334');


--
-- Data for Name: delivery_names; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.delivery_names VALUES
	('01a21e86-d838-7b5c-a50b-88592d3dc10a', 0, 'name 01a21e86-d838-7b5c-a50b-88592d3dc10a'),
	('01a21e86-d861-766f-9246-fd872ed02c97', 0, 'name 01a21e86-d861-766f-9246-fd872ed02c97'),
	('01a21e86-d883-7c96-bb6e-fbd99513ed01', 0, 'name 01a21e86-d883-7c96-bb6e-fbd99513ed01'),
	('01a21e86-d89f-731a-9a1c-2041e3850141', 0, 'name 01a21e86-d89f-731a-9a1c-2041e3850141'),
	('cfbf12d5-d166-48fb-9d76-2eb3f90e8f77', 0, 'name cfbf12d5-d166-48fb-9d76-2eb3f90e8f77');


--
-- Data for Name: delivery_notices; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.delivery_notices VALUES
	('01a21e86-d807-719c-972d-1399f1a66ab1', 'delivery_late', '2026-11-27 19:41:23.631974+00', '2026-11-27 19:41:23.631974+00'),
	('01a21e86-d820-7b75-b5a6-18f4951b1ec4', 'delivery_late', '2026-11-27 19:41:23.734039+00', '2026-11-27 19:41:23.734039+00');


--
-- Data for Name: delivery_withdrawals; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.delivery_withdrawals VALUES
	('01a21e86-d807-719c-972d-1399f1a66ab1', '5a420d44-cf1d-4d14-b1f1-0fa2121498d5', 'x', '2026-11-27 19:41:23.634148+00'),
	('01a21e86-d820-7b75-b5a6-18f4951b1ec4', 'fcdb68ef-4efa-4a0a-b68e-0e812b2d99cf', 'x', '2026-11-27 19:41:23.734698+00');


--
-- Data for Name: erasure_files; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.erasure_files VALUES
	('machine:/path', '2026-11-27 19:41:23.768343+00', '2026-11-27 19:41:23.768343+00');


--
-- Data for Name: erasures; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.erasures OVERRIDING SYSTEM VALUE VALUES
	(1, '2026-11-27 19:41:23.768103+00', 'user', 'e4ac79c9-e5b8-4385-8919-f1bca467f4b6', false);


--
-- Data for Name: goose_db_version; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.goose_db_version VALUES
	(1, 0, true, '2026-11-27 19:41:23.016315'),
	(2, 1, true, '2026-11-27 19:41:23.047792'),
	(3, 2, true, '2026-11-27 19:41:23.048406'),
	(4, 3, true, '2026-11-27 19:41:23.059554'),
	(5, 4, true, '2026-11-27 19:41:23.088986'),
	(6, 5, true, '2026-11-27 19:41:23.131347'),
	(7, 6, true, '2026-11-27 19:41:23.16383'),
	(8, 7, true, '2026-11-27 19:41:23.175222'),
	(9, 8, true, '2026-11-27 19:41:23.176656');


--
-- Data for Name: held_records; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.held_records VALUES
	('01a21e86-d838-7b5c-a50b-88592d3dc10a', '01a21e86-d807-719c-972d-1399f1a66ab1', 99, 1, '2026-01-01', '10000009', '1234', '1', 'CARD', 1.00, 'x', '2026-11-27 19:41:23.632495+00'),
	('01a21e86-d838-7b5c-a50b-88592d3dc10a', '01a21e86-d820-7b75-b5a6-18f4951b1ec4', 99, 1, '2026-01-01', '10000009', '1234', '1', 'CARD', 1.00, 'x', '2026-11-27 19:41:23.734363+00');


--
-- Data for Name: invitations; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.invitations VALUES
	('\xc850d283d6116fd3bea174e1c894a5eca873e469f4ffd0e095bc823710221275', NULL, '01a21e86-d807-719c-972d-1399f1a66ab1', '9bb9fcf2-4283-4e31-b828-8d992cf1a923', 'new@example.com', 'viewer', NULL, '2026-11-27 19:41:23.625095+00', '2026-11-27 19:41:23.625095+00'),
	('\x9660be7faeb44f4fa2c70953deb93a2a63a984f6a125ecf25e224408f033abed', NULL, '01a21e86-d820-7b75-b5a6-18f4951b1ec4', 'de1f5146-8a68-4ead-a83b-4c8c5b4a9b4d', 'new@example.com', 'viewer', NULL, '2026-11-27 19:41:23.731768+00', '2026-11-27 19:41:23.731768+00');


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
	('01a21e86-d807-719c-972d-1399f1a66ab1', '01a21e86-d8d6-704a-953d-82870ffa1911', '10.0.0.1', 'curl', 'curl/8', '2026-11-27 19:41:23.628812+00', '2026-11-27 19:41:23.628812+00', NULL, NULL, 1, 0, NULL),
	('01a21e86-d807-719c-972d-1399f1a66ab1', '01a21e86-d922-7431-a45d-9a2a3d8952ad', '10.0.0.1', 'curl', 'curl/8', '2026-11-27 19:41:23.628812+00', '2026-11-27 19:41:23.628812+00', NULL, NULL, 1, 0, NULL),
	('01a21e86-d820-7b75-b5a6-18f4951b1ec4', '01a21e86-d945-716b-a2a4-348521cd3a8a', '10.0.0.1', 'curl', 'curl/8', '2026-11-27 19:41:23.73267+00', '2026-11-27 19:41:23.73267+00', NULL, NULL, 1, 0, NULL),
	('01a21e86-d820-7b75-b5a6-18f4951b1ec4', '01a21e86-d98f-767a-b07a-d246648118d4', '10.0.0.1', 'curl', 'curl/8', '2026-11-27 19:41:23.73267+00', '2026-11-27 19:41:23.73267+00', NULL, NULL, 1, 0, NULL);


--
-- Data for Name: key_usage; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.key_usage VALUES
	('01a21e86-d807-719c-972d-1399f1a66ab1', '2026-11-27 19:41:23.627434+00', '01a21e86-d8d6-704a-953d-82870ffa1911', 1, 0, false),
	('01a21e86-d807-719c-972d-1399f1a66ab1', '2026-11-27 19:41:23.627434+00', '01a21e86-d922-7431-a45d-9a2a3d8952ad', 1, 0, false),
	('01a21e86-d820-7b75-b5a6-18f4951b1ec4', '2026-11-27 19:41:23.732235+00', '01a21e86-d945-716b-a2a4-348521cd3a8a', 1, 0, false),
	('01a21e86-d820-7b75-b5a6-18f4951b1ec4', '2026-11-27 19:41:23.732235+00', '01a21e86-d98f-767a-b07a-d246648118d4', 1, 0, false);


--
-- Data for Name: mail_senders; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.mail_senders VALUES
	(true, '2026-11-27 19:41:23.333985+00');


--
-- Data for Name: mails; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.mails VALUES
	('01a21e86-d807-719c-972d-1399f1a66ab1', 'e6ca2cf7-51f8-4410-a562-f1a6b6f8eb41', 'member_joined', 'both@example.com', '01a21e86-d8c5-75df-9758-55c7e6198d13', '{"at": "2026-11-27T19:41:23Z", "role": "owner", "member": "a@example.com", "because": "role"}', '2026-11-27 19:41:23.536044+00', 0, '2026-11-27 19:41:23.536044+00', '', NULL, NULL),
	('01a21e86-d807-719c-972d-1399f1a66ab1', '816ee808-1c20-4532-a4c7-00158aa6f2c1', 'key_created', 'a@example.com', '01a21e86-d8cf-7f42-b352-d730a17248e3', '{"at": "2026-11-27T19:41:23Z", "key": "successor", "hint": "foV4", "key_id": "01a21e86-d922-7431-a45d-9a2a3d8952ad", "because": "role"}', '2026-11-27 19:41:23.618407+00', 0, '2026-11-27 19:41:23.618407+00', '', NULL, NULL),
	('01a21e86-d807-719c-972d-1399f1a66ab1', '188e4d05-3729-49c3-9611-b51ea416771a', 'key_created', 'both@example.com', '01a21e86-d8c5-75df-9758-55c7e6198d13', '{"at": "2026-11-27T19:41:23Z", "key": "successor", "hint": "foV4", "key_id": "01a21e86-d922-7431-a45d-9a2a3d8952ad", "because": "role"}', '2026-11-27 19:41:23.618407+00', 0, '2026-11-27 19:41:23.618407+00', '', NULL, NULL),
	('01a21e86-d820-7b75-b5a6-18f4951b1ec4', '20b73ded-d295-45e9-b35d-014f83d11316', 'key_created', 'b@example.com', '01a21e86-d93f-7aad-b480-525e4dfddd0c', '{"at": "2026-11-27T19:41:23Z", "key": "successor", "hint": "l85Q", "key_id": "01a21e86-d98f-767a-b07a-d246648118d4", "because": "role"}', '2026-11-27 19:41:23.727562+00', 0, '2026-11-27 19:41:23.727562+00', '', NULL, NULL);


--
-- Data for Name: memberships; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.memberships VALUES
	('01a21e86-d807-719c-972d-1399f1a66ab1', '01a21e86-d8c5-75df-9758-55c7e6198d13', 'owner', '2026-11-27 19:41:23.526975+00', '2026-11-27 19:41:23.526975+00'),
	('01a21e86-d807-719c-972d-1399f1a66ab1', '01a21e86-d8cf-7f42-b352-d730a17248e3', 'owner', '2026-11-27 19:41:23.537904+00', '2026-11-27 19:41:23.537904+00'),
	('01a21e86-d820-7b75-b5a6-18f4951b1ec4', '01a21e86-d93f-7aad-b480-525e4dfddd0c', 'owner', '2026-11-27 19:41:23.648976+00', '2026-11-27 19:41:23.648976+00'),
	('01a21e86-d820-7b75-b5a6-18f4951b1ec4', '01a21e86-d8c5-75df-9758-55c7e6198d13', 'viewer', '2026-11-27 19:41:23.738455+00', '2026-11-27 19:41:23.738455+00');


--
-- Data for Name: organizations; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.organizations VALUES
	('01a21e86-d807-719c-972d-1399f1a66ab1', 'a', 'Organization a', false, NULL, 2, 4, 21, 63.63, 1795808483522858, '781c220e-5724-4e89-b669-642181539339', '01a21e86-d8ba-7e0e-a927-d04d7516d506', NULL, NULL, false, 0, 0, 'Europe/Copenhagen', '', '', '2026-11-27 19:41:23.336228+00', '2026-11-27 19:41:23.335388+00', '2026-11-27 19:41:23.336228+00'),
	('01a21e86-d820-7b75-b5a6-18f4951b1ec4', 'b', 'Organization b', false, NULL, 2, 4, 21, 63.63, 1795808483522944, 'bb500cf0-487f-4539-a5ed-205af10765d0', '01a21e86-d8ba-79d3-890a-bd50494125be', NULL, NULL, false, 0, 0, 'Europe/Copenhagen', '', '', '2026-11-27 19:41:23.360921+00', '2026-11-27 19:41:23.360797+00', '2026-11-27 19:41:23.360921+00'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', 'sandbox', 'Sandbox sandbox', true, '2026-11-27', 20, 1, 48, 1999836.96, 1795808483755091, '6e8ca773-e77b-4750-8e6e-aa41ebbadd53', '01a21e86-d9a0-7b66-a2fa-bf84288000f5', NULL, NULL, false, 0, 0, 'Europe/Copenhagen', '', '', '2026-11-27 19:41:23.739118+00', '2026-11-27 19:41:23.739011+00', '2026-11-27 19:41:23.739118+00');


--
-- Data for Name: password_links; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.password_links VALUES
	('\x2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881', 'password', '01a21e86-d8c5-75df-9758-55c7e6198d13', '2026-11-27 19:41:23.766986+00', '2026-11-27 19:41:23.766986+00');


--
-- Data for Name: password_requests; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.password_requests VALUES
	('b8ddd317-136d-4f2e-b83c-883bc246ed85', 'password', 'x@example.com', '192.0.2.1', '2026-11-27 19:41:23.767487+00');


--
-- Data for Name: recovery_codes; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.recovery_codes VALUES
	('01a21e86-d8c5-75df-9758-55c7e6198d13', '\x000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'),
	('01a21e86-d8cf-7f42-b352-d730a17248e3', '\x000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'),
	('01a21e86-d93f-7aad-b480-525e4dfddd0c', '\x000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000');


--
-- Data for Name: refused_deliveries; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.refused_deliveries VALUES
	(true, 1, 20);


--
-- Data for Name: refused_requests; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.refused_requests VALUES
	('01a21e86-d807-719c-972d-1399f1a66ab1', '0d262b7d-5674-4bef-af78-24ed016779d3', '2026-11-27 19:41:23.629718+00', '01a21e86-d8d6-704a-953d-82870ffa1911', 429, '', 'GET', '/', '10.0.0.1', 'curl/8'),
	('01a21e86-d807-719c-972d-1399f1a66ab1', '27dfb32b-af12-4f45-b4ee-f7bcdd7c9ea5', '2026-11-27 19:41:23.629718+00', '01a21e86-d922-7431-a45d-9a2a3d8952ad', 429, '', 'GET', '/', '10.0.0.1', 'curl/8'),
	('01a21e86-d820-7b75-b5a6-18f4951b1ec4', '35b33e8a-4cae-4620-ba8b-a7ef5fe7dc76', '2026-11-27 19:41:23.733029+00', '01a21e86-d945-716b-a2a4-348521cd3a8a', 429, '', 'GET', '/', '10.0.0.1', 'curl/8'),
	('01a21e86-d820-7b75-b5a6-18f4951b1ec4', '8e996bf3-acbd-409b-9b5c-2a8ca0510df4', '2026-11-27 19:41:23.733029+00', '01a21e86-d98f-767a-b07a-d246648118d4', 429, '', 'GET', '/', '10.0.0.1', 'curl/8');


--
-- Data for Name: running_tasks; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.running_tasks VALUES
	('01a21e86-d807-719c-972d-1399f1a66ab1', 'bulk', '1aab35ab-a8ec-4ef4-83dd-beb996473a51', '2026-11-27 19:41:23.63151+00'),
	('01a21e86-d820-7b75-b5a6-18f4951b1ec4', 'bulk', '8f33ad76-9550-47cf-85d4-a5bdfd78f874', '2026-11-27 19:41:23.733834+00');


--
-- Data for Name: served_requests; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.served_requests VALUES
	('01a21e86-d807-719c-972d-1399f1a66ab1', '01a21e86-d8d6-704a-953d-82870ffa1911', '280d4aec-de54-4926-b820-143db6ca3ef8', '2026-11-27 19:41:23.630574+00', '10.0.0.1', 'curl', 'curl/8.5.0', '/', 200, 1),
	('01a21e86-d807-719c-972d-1399f1a66ab1', '01a21e86-d922-7431-a45d-9a2a3d8952ad', 'f6cb9805-9278-4525-b785-586b5f76d6bf', '2026-11-27 19:41:23.630574+00', '10.0.0.1', 'curl', 'curl/8.5.0', '/', 200, 1),
	('01a21e86-d820-7b75-b5a6-18f4951b1ec4', '01a21e86-d945-716b-a2a4-348521cd3a8a', 'cda2c870-fd43-407e-9f22-17cdae9c16b0', '2026-11-27 19:41:23.733455+00', '10.0.0.1', 'curl', 'curl/8.5.0', '/', 200, 1),
	('01a21e86-d820-7b75-b5a6-18f4951b1ec4', '01a21e86-d98f-767a-b07a-d246648118d4', 'be64cdda-0d1c-4cbf-949d-e0dd4ef09021', '2026-11-27 19:41:23.733455+00', '10.0.0.1', 'curl', 'curl/8.5.0', '/', 200, 1);


--
-- Data for Name: sessions; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.sessions VALUES
	('0e52b701-4ce0-4977-87a4-e2b7a55d2987', '\xf8176b4c9ba45ac8d0599f56dcc71c6ad0be246113b146c07146fc859ce62a21', '01a21e86-d8c5-75df-9758-55c7e6198d13', '01a21e86-d807-719c-972d-1399f1a66ab1', '10.0.0.1', 'x', '2026-11-27 19:41:23.63475+00', '2026-11-27 19:41:23.63475+00', '2026-11-27 19:41:23.63475+00', '2026-11-27 19:41:23.63475+00'),
	('cc748041-20ce-4563-b9d1-bb0eaa65d3cc', '\x9733d40eeb06714a93e0285dd2a40349d592a75ace5c82e010e3b935ae7c5eec', '01a21e86-d8cf-7f42-b352-d730a17248e3', '01a21e86-d807-719c-972d-1399f1a66ab1', '10.0.0.1', 'x', '2026-11-27 19:41:23.63475+00', '2026-11-27 19:41:23.63475+00', '2026-11-27 19:41:23.63475+00', '2026-11-27 19:41:23.63475+00'),
	('28f68779-4bef-4dc6-8d2b-64ef753e024f', '\x9cb90e108b3b12260c1c5cc52e819e3aa1ac724073b277dd4c93be5e811b23a5', '01a21e86-d93f-7aad-b480-525e4dfddd0c', '01a21e86-d820-7b75-b5a6-18f4951b1ec4', '10.0.0.1', 'x', '2026-11-27 19:41:23.734823+00', '2026-11-27 19:41:23.734823+00', '2026-11-27 19:41:23.734823+00', '2026-11-27 19:41:23.734823+00');


--
-- Data for Name: sign_in_failures; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.sign_in_failures VALUES
	('account x', 1, '2026-11-27 19:41:23.765785+00');


--
-- Data for Name: transactions; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.transactions VALUES
	('01a21e86-d807-719c-972d-1399f1a66ab1', '01a21e86-d840-78b8-885c-d974025d7dc4', '01a21e86-d83e-7943-8df7-7bed47e31e2e', 1, 1, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 0.00, '10000001,1234,0000000001,CARD,2026-01-31,1,0.00'),
	('01a21e86-d807-719c-972d-1399f1a66ab1', '01a21e86-d841-761f-976a-c0f6bd8546d9', '01a21e86-d83e-7943-8df7-7bed47e31e2e', 2, 2, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 1.01, '10000001,1234,0000000001,CARD,2026-01-31,2,1.01'),
	('01a21e86-d807-719c-972d-1399f1a66ab1', '01a21e86-d841-761f-976a-c0f6c70860cb', '01a21e86-d83e-7943-8df7-7bed47e31e2e', 3, 3, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 2.02, '10000001,1234,0000000001,CARD,2026-01-31,3,2.02'),
	('01a21e86-d807-719c-972d-1399f1a66ab1', '01a21e86-d841-761f-976a-c0f72a179b19', '01a21e86-d83e-7943-8df7-7bed47e31e2e', 4, 4, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 3.03, '10000001,1234,0000000001,CARD,2026-01-31,4,3.03'),
	('01a21e86-d807-719c-972d-1399f1a66ab1', '01a21e86-d841-761f-976a-c0f79d4f655b', '01a21e86-d83e-7943-8df7-7bed47e31e2e', 5, 5, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 4.04, '10000001,1234,0000000001,CARD,2026-01-31,5,4.04'),
	('01a21e86-d807-719c-972d-1399f1a66ab1', '01a21e86-d841-761f-976a-c0f81cdf634f', '01a21e86-d83e-7943-8df7-7bed47e31e2e', 6, 6, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 5.05, '10000001,1234,0000000001,CARD,2026-01-31,6,5.05'),
	('01a21e86-d807-719c-972d-1399f1a66ab1', '01a21e86-d841-761f-976a-c0f91c8fc877', '01a21e86-d83e-7943-8df7-7bed47e31e2e', 7, 7, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 6.06, '10000001,1234,0000000001,CARD,2026-01-31,7,6.06'),
	('01a21e86-d820-7b75-b5a6-18f4951b1ec4', '01a21e86-d841-7d11-8033-12c4bee61a38', '01a21e86-d840-7014-8bbb-f18f4c47497e', 1, 1, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 0.00, '10000001,1234,0000000001,CARD,2026-01-31,1,0.00'),
	('01a21e86-d820-7b75-b5a6-18f4951b1ec4', '01a21e86-d841-7d11-8033-12c51c61a978', '01a21e86-d840-7014-8bbb-f18f4c47497e', 2, 2, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 1.01, '10000001,1234,0000000001,CARD,2026-01-31,2,1.01'),
	('01a21e86-d820-7b75-b5a6-18f4951b1ec4', '01a21e86-d841-7d11-8033-12c61065ca71', '01a21e86-d840-7014-8bbb-f18f4c47497e', 3, 3, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 2.02, '10000001,1234,0000000001,CARD,2026-01-31,3,2.02'),
	('01a21e86-d820-7b75-b5a6-18f4951b1ec4', '01a21e86-d841-7d11-8033-12c635a587a5', '01a21e86-d840-7014-8bbb-f18f4c47497e', 4, 4, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 3.03, '10000001,1234,0000000001,CARD,2026-01-31,4,3.03'),
	('01a21e86-d820-7b75-b5a6-18f4951b1ec4', '01a21e86-d841-7d11-8033-12c69907b299', '01a21e86-d840-7014-8bbb-f18f4c47497e', 5, 5, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 4.04, '10000001,1234,0000000001,CARD,2026-01-31,5,4.04'),
	('01a21e86-d820-7b75-b5a6-18f4951b1ec4', '01a21e86-d841-7d11-8033-12c6cb35196c', '01a21e86-d840-7014-8bbb-f18f4c47497e', 6, 6, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 5.05, '10000001,1234,0000000001,CARD,2026-01-31,6,5.05'),
	('01a21e86-d820-7b75-b5a6-18f4951b1ec4', '01a21e86-d841-7d11-8033-12c7aac5d474', '01a21e86-d840-7014-8bbb-f18f4c47497e', 7, 7, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 6.06, '10000001,1234,0000000001,CARD,2026-01-31,7,6.06'),
	('01a21e86-d807-719c-972d-1399f1a66ab1', '01a21e86-d864-7b30-b6d8-c7de74d6075d', '01a21e86-d864-7b30-b6d8-c7de35c28de0', 1, 1, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 0.00, '10000001,1234,0000000002,CARD,2026-01-31,1,0.00'),
	('01a21e86-d807-719c-972d-1399f1a66ab1', '01a21e86-d864-7b30-b6d8-c7de8114f596', '01a21e86-d864-7b30-b6d8-c7de35c28de0', 2, 2, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 1.01, '10000001,1234,0000000002,CARD,2026-01-31,2,1.01'),
	('01a21e86-d807-719c-972d-1399f1a66ab1', '01a21e86-d864-7b30-b6d8-c7de81e9e275', '01a21e86-d864-7b30-b6d8-c7de35c28de0', 3, 3, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 2.02, '10000001,1234,0000000002,CARD,2026-01-31,3,2.02'),
	('01a21e86-d807-719c-972d-1399f1a66ab1', '01a21e86-d864-7b30-b6d8-c7df3cde262b', '01a21e86-d864-7b30-b6d8-c7de35c28de0', 4, 4, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 3.03, '10000001,1234,0000000002,CARD,2026-01-31,4,3.03'),
	('01a21e86-d807-719c-972d-1399f1a66ab1', '01a21e86-d864-7b30-b6d8-c7e001699201', '01a21e86-d864-7b30-b6d8-c7de35c28de0', 5, 5, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 4.04, '10000001,1234,0000000002,CARD,2026-01-31,5,4.04'),
	('01a21e86-d807-719c-972d-1399f1a66ab1', '01a21e86-d864-7b30-b6d8-c7e0849638de', '01a21e86-d864-7b30-b6d8-c7de35c28de0', 6, 6, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 5.05, '10000001,1234,0000000002,CARD,2026-01-31,6,5.05'),
	('01a21e86-d807-719c-972d-1399f1a66ab1', '01a21e86-d864-7b30-b6d8-c7e0d4db1630', '01a21e86-d864-7b30-b6d8-c7de35c28de0', 7, 7, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 6.06, '10000001,1234,0000000002,CARD,2026-01-31,7,6.06'),
	('01a21e86-d820-7b75-b5a6-18f4951b1ec4', '01a21e86-d864-75dd-acc1-0c2f5114a601', '01a21e86-d864-75dd-acc1-0c2ee610ab4e', 1, 1, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 0.00, '10000001,1234,0000000002,CARD,2026-01-31,1,0.00'),
	('01a21e86-d820-7b75-b5a6-18f4951b1ec4', '01a21e86-d864-75dd-acc1-0c2ff5ef9bb1', '01a21e86-d864-75dd-acc1-0c2ee610ab4e', 2, 2, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 1.01, '10000001,1234,0000000002,CARD,2026-01-31,2,1.01'),
	('01a21e86-d820-7b75-b5a6-18f4951b1ec4', '01a21e86-d864-75dd-acc1-0c302311f41c', '01a21e86-d864-75dd-acc1-0c2ee610ab4e', 3, 3, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 2.02, '10000001,1234,0000000002,CARD,2026-01-31,3,2.02'),
	('01a21e86-d820-7b75-b5a6-18f4951b1ec4', '01a21e86-d864-75dd-acc1-0c3046728a0e', '01a21e86-d864-75dd-acc1-0c2ee610ab4e', 4, 4, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 3.03, '10000001,1234,0000000002,CARD,2026-01-31,4,3.03'),
	('01a21e86-d820-7b75-b5a6-18f4951b1ec4', '01a21e86-d864-75dd-acc1-0c307016ad7b', '01a21e86-d864-75dd-acc1-0c2ee610ab4e', 5, 5, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 4.04, '10000001,1234,0000000002,CARD,2026-01-31,5,4.04'),
	('01a21e86-d820-7b75-b5a6-18f4951b1ec4', '01a21e86-d864-75dd-acc1-0c30bf222952', '01a21e86-d864-75dd-acc1-0c2ee610ab4e', 6, 6, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 5.05, '10000001,1234,0000000002,CARD,2026-01-31,6,5.05'),
	('01a21e86-d820-7b75-b5a6-18f4951b1ec4', '01a21e86-d864-75dd-acc1-0c316b7d4c40', '01a21e86-d864-75dd-acc1-0c2ee610ab4e', 7, 7, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 6.06, '10000001,1234,0000000002,CARD,2026-01-31,7,6.06'),
	('01a21e86-d807-719c-972d-1399f1a66ab1', '01a21e86-d887-7157-910f-407288eb0cea', '01a21e86-d886-788d-870f-594c44822645', 1, 1, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 0.00, '10000001,1234,0000000003,CARD,2026-01-31,1,0.00'),
	('01a21e86-d807-719c-972d-1399f1a66ab1', '01a21e86-d887-7157-910f-4073321919d5', '01a21e86-d886-788d-870f-594c44822645', 2, 2, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 1.01, '10000001,1234,0000000003,CARD,2026-01-31,2,1.01'),
	('01a21e86-d807-719c-972d-1399f1a66ab1', '01a21e86-d887-7157-910f-407339e2dbac', '01a21e86-d886-788d-870f-594c44822645', 3, 3, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 2.02, '10000001,1234,0000000003,CARD,2026-01-31,3,2.02'),
	('01a21e86-d807-719c-972d-1399f1a66ab1', '01a21e86-d887-7157-910f-407408daf68e', '01a21e86-d886-788d-870f-594c44822645', 4, 4, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 3.03, '10000001,1234,0000000003,CARD,2026-01-31,4,3.03'),
	('01a21e86-d807-719c-972d-1399f1a66ab1', '01a21e86-d887-7157-910f-407464c3bb3a', '01a21e86-d886-788d-870f-594c44822645', 5, 5, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 4.04, '10000001,1234,0000000003,CARD,2026-01-31,5,4.04'),
	('01a21e86-d807-719c-972d-1399f1a66ab1', '01a21e86-d887-7157-910f-40750af2e4fe', '01a21e86-d886-788d-870f-594c44822645', 6, 6, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 5.05, '10000001,1234,0000000003,CARD,2026-01-31,6,5.05'),
	('01a21e86-d807-719c-972d-1399f1a66ab1', '01a21e86-d887-7157-910f-40752e3260d1', '01a21e86-d886-788d-870f-594c44822645', 7, 7, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 6.06, '10000001,1234,0000000003,CARD,2026-01-31,7,6.06'),
	('01a21e86-d820-7b75-b5a6-18f4951b1ec4', '01a21e86-d887-7a1d-ab61-c9407aa61ff3', '01a21e86-d887-7a1d-ab61-c93fbf6e427f', 1, 1, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 0.00, '10000001,1234,0000000003,CARD,2026-01-31,1,0.00'),
	('01a21e86-d820-7b75-b5a6-18f4951b1ec4', '01a21e86-d887-7a1d-ab61-c940b957b324', '01a21e86-d887-7a1d-ab61-c93fbf6e427f', 2, 2, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 1.01, '10000001,1234,0000000003,CARD,2026-01-31,2,1.01'),
	('01a21e86-d820-7b75-b5a6-18f4951b1ec4', '01a21e86-d887-7a1d-ab61-c941947b66c0', '01a21e86-d887-7a1d-ab61-c93fbf6e427f', 3, 3, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 2.02, '10000001,1234,0000000003,CARD,2026-01-31,3,2.02'),
	('01a21e86-d820-7b75-b5a6-18f4951b1ec4', '01a21e86-d887-7a1d-ab61-c9419dfef4f8', '01a21e86-d887-7a1d-ab61-c93fbf6e427f', 4, 4, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 3.03, '10000001,1234,0000000003,CARD,2026-01-31,4,3.03'),
	('01a21e86-d820-7b75-b5a6-18f4951b1ec4', '01a21e86-d887-7a1d-ab61-c9424b7692e7', '01a21e86-d887-7a1d-ab61-c93fbf6e427f', 5, 5, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 4.04, '10000001,1234,0000000003,CARD,2026-01-31,5,4.04'),
	('01a21e86-d820-7b75-b5a6-18f4951b1ec4', '01a21e86-d887-7a1d-ab61-c94291ffde34', '01a21e86-d887-7a1d-ab61-c93fbf6e427f', 6, 6, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 5.05, '10000001,1234,0000000003,CARD,2026-01-31,6,5.05'),
	('01a21e86-d820-7b75-b5a6-18f4951b1ec4', '01a21e86-d887-7a1d-ab61-c9432621759d', '01a21e86-d887-7a1d-ab61-c93fbf6e427f', 7, 7, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 6.06, '10000001,1234,0000000003,CARD,2026-01-31,7,6.06'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf6ad8be3f4f', '01a21e86-d9a0-7b66-a2fa-bf69fd2d00ef', 1, 74, '2026-11-27', '99442395', '6977', '8210293793', 'CARD', 91237.95, '99442395,6977,8210293793,CARD,2026-11-27,74,91237.95'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf6ae3ea4893', '01a21e86-d9a0-7b66-a2fa-bf69fd2d00ef', 2, 157, '2026-11-27', '99442395', '6977', '8210293793', 'CARD', 105156.90, '99442395,6977,8210293793,CARD,2026-11-27,157,105156.90'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf6bd15b2e44', '01a21e86-d9a0-7b66-a2fa-bf69fd2d00ef', 3, 79, '2026-11-27', '99442395', '6977', '8210293793', 'CARD', 54289.68, '99442395,6977,8210293793,CARD,2026-11-27,79,54289.68'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf6ca6787dff', '01a21e86-d9a0-7b66-a2fa-bf69fd2d00ef', 4, 81, '2026-11-27', '99442395', '6977', '8210293793', 'CARD', 93347.92, '99442395,6977,8210293793,CARD,2026-11-27,81,93347.92'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf6d51316919', '01a21e86-d9a0-7b66-a2fa-bf69fd2d00ef', 5, 75, '2026-11-27', '99442395', '6977', '8210293793', 'CARD', 102708.15, '99442395,6977,8210293793,CARD,2026-11-27,75,102708.15'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf6e1d2881a9', '01a21e86-d9a0-7b66-a2fa-bf69fd2d00ef', 6, 126, '2026-11-27', '99442395', '6977', '8210293793', 'CARD', 132941.93, '99442395,6977,8210293793,CARD,2026-11-27,126,132941.93'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf6ea0621852', '01a21e86-d9a0-7b66-a2fa-bf69fd2d00ef', 7, 79, '2026-11-27', '99442395', '6977', '8210293793', 'CARD', 58559.23, '99442395,6977,8210293793,CARD,2026-11-27,79,58559.23'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf6f08449c2a', '01a21e86-d9a0-7b66-a2fa-bf69fd2d00ef', 8, 9, '2026-11-27', '99843519', '8706', '9277876647', 'CARD', 1479.60, '99843519,8706,9277876647,CARD,2026-11-27,9,1479.60'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf6f9d539f62', '01a21e86-d9a0-7b66-a2fa-bf69fd2d00ef', 9, 73, '2026-11-27', '99008105', '3817', '2400700471', 'CARD', 17316.15, '99008105,3817,2400700471,CARD,2026-11-27,73,17316.15'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf70128ead34', '01a21e86-d9a0-7b66-a2fa-bf69fd2d00ef', 10, 68, '2026-11-27', '99008105', '3817', '2400700471', 'ONLINE', 22738.91, '99008105,3817,2400700471,ONLINE,2026-11-27,68,22738.91'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf70a349a730', '01a21e86-d9a0-7b66-a2fa-bf69fd2d00ef', 11, 73, '2026-11-27', '99008105', '3817', '2400700471', 'MOBILE', 31014.62, '99008105,3817,2400700471,MOBILE,2026-11-27,73,31014.62'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf70b1e89edf', '01a21e86-d9a0-7b66-a2fa-bf69fd2d00ef', 12, 165, '2026-11-27', '99008105', '3817', '2400700471', 'CARD', 38173.26, '99008105,3817,2400700471,CARD,2026-11-27,165,38173.26'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf70ef97fb18', '01a21e86-d9a0-7b66-a2fa-bf69fd2d00ef', 13, 53, '2026-11-27', '99008105', '3817', '2400700471', 'CARD', 18291.87, '99008105,3817,2400700471,CARD,2026-11-27,53,18291.87'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf71c0b096db', '01a21e86-d9a0-7b66-a2fa-bf69fd2d00ef', 14, 34, '2026-11-27', '99008105', '3817', '2400700471', 'CARD', 6037.25, '99008105,3817,2400700471,CARD,2026-11-27,34,6037.25'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf7287942697', '01a21e86-d9a0-7b66-a2fa-bf69fd2d00ef', 15, 59, '2026-11-27', '99008105', '3817', '2400700471', 'CARD', 32532.34, '99008105,3817,2400700471,CARD,2026-11-27,59,32532.34'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf730e077605', '01a21e86-d9a0-7b66-a2fa-bf69fd2d00ef', 16, 124, '2026-11-27', '99008105', '3817', '2400700471', 'ONLINE', 19323.94, '99008105,3817,2400700471,ONLINE,2026-11-27,124,19323.94'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf738302d5b7', '01a21e86-d9a0-7b66-a2fa-bf69fd2d00ef', 17, 113, '2026-11-27', '99643420', '7647', '9628448731', 'ONLINE', 17127.32, '99643420,7647,9628448731,ONLINE,2026-11-27,113,17127.32'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf74703710a5', '01a21e86-d9a0-7b66-a2fa-bf69fd2d00ef', 18, 78, '2026-11-27', '99643420', '7647', '9628448731', 'CARD', 12658.11, '99643420,7647,9628448731,CARD,2026-11-27,78,12658.11'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf7526e432fd', '01a21e86-d9a0-7b66-a2fa-bf69fd2d00ef', 19, 123, '2026-11-27', '99643420', '7647', '9628448731', 'ONLINE', 56324.54, '99643420,7647,9628448731,ONLINE,2026-11-27,123,56324.54'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf75a9f5f574', '01a21e86-d9a0-7b66-a2fa-bf69fd2d00ef', 20, 84, '2026-11-27', '99643420', '7647', '9628448731', 'CARD', 12112.91, '99643420,7647,9628448731,CARD,2026-11-27,84,12112.91'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf760e32c35a', '01a21e86-d9a0-7b66-a2fa-bf69fd2d00ef', 21, 71, '2026-11-27', '99643420', '7647', '9628448731', 'MOBILE', 24626.11, '99643420,7647,9628448731,MOBILE,2026-11-27,71,24626.11'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf762be85568', '01a21e86-d9a0-7b66-a2fa-bf69fd2d00ef', 22, 3, '2026-11-27', '99643420', '7647', '9628448731', 'REFUND', -658.68, '99643420,7647,9628448731,REFUND,2026-11-27,3,-658.68'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf76623f62e7', '01a21e86-d9a0-7b66-a2fa-bf69fd2d00ef', 23, 97, '2026-11-27', '99643420', '7647', '9628448731', 'CARD', 33917.31, '99643420,7647,9628448731,CARD,2026-11-27,97,33917.31'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf76f10879be', '01a21e86-d9a0-7b66-a2fa-bf69fd2d00ef', 24, 14, '2026-11-27', '99011947', '3297', '0662357182', 'ONLINE', 5674.68, '99011947,3297,0662357182,ONLINE,2026-11-27,14,5674.68'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf77d00c25f9', '01a21e86-d9a0-7b66-a2fa-bf69fd2d00ef', 25, 29, '2026-11-27', '99573546', '8567', '6220640969', 'ONLINE', 103052.22, '99573546,8567,6220640969,ONLINE,2026-11-27,29,103052.22'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf7871f1a6e7', '01a21e86-d9a0-7b66-a2fa-bf69fd2d00ef', 26, 43, '2026-11-27', '99573546', '8567', '6220640969', 'CARD', 181237.65, '99573546,8567,6220640969,CARD,2026-11-27,43,181237.65'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf7907e7fc83', '01a21e86-d9a0-7b66-a2fa-bf69fd2d00ef', 27, 21, '2026-11-27', '99573546', '8567', '6220640969', 'CARD', 74527.06, '99573546,8567,6220640969,CARD,2026-11-27,21,74527.06'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf798c6541f0', '01a21e86-d9a0-7b66-a2fa-bf69fd2d00ef', 28, 7, '2026-11-27', '99694181', '7231', '4649208020', 'CARD', 3880.32, '99694181,7231,4649208020,CARD,2026-11-27,7,3880.32'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf79e8da7e7c', '01a21e86-d9a0-7b66-a2fa-bf69fd2d00ef', 29, 20, '2026-11-27', '99493585', '5940', '0361074229', 'CARD', 15851.63, '99493585,5940,0361074229,CARD,2026-11-27,20,15851.63'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf79ea901d0f', '01a21e86-d9a0-7b66-a2fa-bf69fd2d00ef', 30, 1, '2026-11-27', '99493585', '5940', '0361074229', 'CHARGEBACK', -355.35, '99493585,5940,0361074229,CHARGEBACK,2026-11-27,1,-355.35'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf7a197d8eb5', '01a21e86-d9a0-7b66-a2fa-bf69fd2d00ef', 31, 48, '2026-11-27', '99397640', '1122', '3253216646', 'CARD', 25246.88, '99397640,1122,3253216646,CARD,2026-11-27,48,25246.88'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf7a9c527272', '01a21e86-d9a0-7b66-a2fa-bf69fd2d00ef', 32, 20, '2026-11-27', '99397640', '1122', '3253216646', 'MOBILE', 8944.46, '99397640,1122,3253216646,MOBILE,2026-11-27,20,8944.46'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf7af7897fe1', '01a21e86-d9a0-7b66-a2fa-bf69fd2d00ef', 33, 15, '2026-11-27', '99397640', '1122', '3253216646', 'CARD', 10173.15, '99397640,1122,3253216646,CARD,2026-11-27,15,10173.15'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf7b7e91b725', '01a21e86-d9a0-7b66-a2fa-bf69fd2d00ef', 34, 12, '2026-11-27', '99808470', '2949', '1573819695', 'CARD', 3293.93, '99808470,2949,1573819695,CARD,2026-11-27,12,3293.93'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf7c0f95e4f5', '01a21e86-d9a0-7b66-a2fa-bf69fd2d00ef', 35, 11, '2026-11-27', '99221259', '2098', '6886827811', 'CARD', 18267.68, '99221259,2098,6886827811,CARD,2026-11-27,11,18267.68'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf7c26b3638d', '01a21e86-d9a0-7b66-a2fa-bf69fd2d00ef', 36, 6, '2026-11-27', '99483296', '7725', '1920463524', 'CARD', 1015.28, '99483296,7725,1920463524,CARD,2026-11-27,6,1015.28'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf7c51d4e561', '01a21e86-d9a0-7b66-a2fa-bf69fd2d00ef', 37, 14, '2026-11-27', '99188499', '3847', '0537901134', 'CARD', 10825.26, '99188499,3847,0537901134,CARD,2026-11-27,14,10825.26'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf7d0105835b', '01a21e86-d9a0-7b66-a2fa-bf69fd2d00ef', 38, 41, '2026-11-27', '99504331', '5097', '6623447839', 'ONLINE', 6235.38, '99504331,5097,6623447839,ONLINE,2026-11-27,41,6235.38'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf7debc60fed', '01a21e86-d9a0-7b66-a2fa-bf69fd2d00ef', 39, 59, '2026-11-27', '99504331', '5097', '6623447839', 'CARD', 3384.46, '99504331,5097,6623447839,CARD,2026-11-27,59,3384.46'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf7e803ec7f1', '01a21e86-d9a0-7b66-a2fa-bf69fd2d00ef', 40, 70, '2026-11-27', '99504331', '5097', '6623447839', 'MOBILE', 8409.80, '99504331,5097,6623447839,MOBILE,2026-11-27,70,8409.80'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf7f6de996a3', '01a21e86-d9a0-7b66-a2fa-bf69fd2d00ef', 41, 76, '2026-11-27', '99570393', '3474', '1512282137', 'CARD', 84338.77, '99570393,3474,1512282137,CARD,2026-11-27,76,84338.77'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf801ce2520e', '01a21e86-d9a0-7b66-a2fa-bf69fd2d00ef', 42, 144, '2026-11-27', '99570393', '3474', '1512282137', 'CARD', 125240.83, '99570393,3474,1512282137,CARD,2026-11-27,144,125240.83'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf80891aa85a', '01a21e86-d9a0-7b66-a2fa-bf69fd2d00ef', 43, 49, '2026-11-27', '99570393', '3474', '1512282137', 'CARD', 36105.66, '99570393,3474,1512282137,CARD,2026-11-27,49,36105.66'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf80b5808ad2', '01a21e86-d9a0-7b66-a2fa-bf69fd2d00ef', 44, 90, '2026-11-27', '99570393', '3474', '1512282137', 'CARD', 36301.11, '99570393,3474,1512282137,CARD,2026-11-27,90,36301.11'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf811327871d', '01a21e86-d9a0-7b66-a2fa-bf69fd2d00ef', 45, 54, '2026-11-27', '99570393', '3474', '1512282137', 'CARD', 48450.58, '99570393,3474,1512282137,CARD,2026-11-27,54,48450.58'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf81fc051863', '01a21e86-d9a0-7b66-a2fa-bf69fd2d00ef', 46, 2, '2026-11-27', '99570393', '3474', '1512282137', 'REFUND', -4570.12, '99570393,3474,1512282137,REFUND,2026-11-27,2,-4570.12'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf82bc373b8f', '01a21e86-d9a0-7b66-a2fa-bf69fd2d00ef', 47, 105, '2026-11-27', '99570393', '3474', '1512282137', 'ONLINE', 104149.57, '99570393,3474,1512282137,ONLINE,2026-11-27,105,104149.57'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', '01a21e86-d9a0-7b66-a2fa-bf82feccedf7', '01a21e86-d9a0-7b66-a2fa-bf69fd2d00ef', 48, 132, '2026-11-27', '99570393', '3474', '1512282137', 'CARD', 108898.75, '99570393,3474,1512282137,CARD,2026-11-27,132,108898.75');


--
-- Data for Name: users; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.users VALUES
	('01a21e86-d8c5-75df-9758-55c7e6198d13', 'both@example.com', '2026-11-27 19:41:23.53402+00', 'sha384-nfc$2a$04$ST53Jhd0s8fnlAi.kAuHu.FUr5ozBH/w6UcrOBfXC5Cf/dmNpTdiS', NULL, 0, NULL, NULL, '{arrivals}', '', '', '2026-11-27 19:41:23.52561+00', '2026-11-27 19:41:23.52561+00'),
	('01a21e86-d8cf-7f42-b352-d730a17248e3', 'a@example.com', '2026-11-27 19:41:23.540352+00', 'sha384-nfc$2a$04$oS7xJSzaR1u17dfkw9CZjOeM6vVyAJStQA.KAalwVAhjoYOSZ2pOi', NULL, 0, NULL, NULL, '{arrivals}', '', '', '2026-11-27 19:41:23.536121+00', '2026-11-27 19:41:23.536121+00'),
	('01a21e86-d93f-7aad-b480-525e4dfddd0c', 'b@example.com', '2026-11-27 19:41:23.651584+00', 'sha384-nfc$2a$04$nLDs.Ut10lG3SHxedxe3j.1LC199LfVH2XUsvmHUk8G1EErG8BVOa', NULL, 0, NULL, NULL, '{arrivals}', '', '', '2026-11-27 19:41:23.647867+00', '2026-11-27 19:41:23.647867+00');


--
-- Data for Name: withdrawn_files; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.withdrawn_files VALUES
	('01a21e86-d807-719c-972d-1399f1a66ab1', '01a21e86-d8a1-765c-a8ad-7f5ad847e545', 'delivery.csv', 'csv', 2, 1.01, '2026-01-31', '2026-01-31', '2026-11-27 19:41:23.490317+00', '2026-11-27 19:41:23.505678+00', 'wrong', '01a21e86-d8ba-7e0e-a927-d04d7516d506'),
	('01a21e86-d820-7b75-b5a6-18f4951b1ec4', '01a21e86-d8a2-756f-ae7d-fc847a82a5fa', 'delivery.csv', 'csv', 2, 1.01, '2026-01-31', '2026-01-31', '2026-11-27 19:41:23.490534+00', '2026-11-27 19:41:23.505678+00', 'wrong', '01a21e86-d8ba-79d3-890a-bd50494125be');


--
-- Data for Name: withdrawn_totals; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.withdrawn_totals VALUES
	('01a21e86-d820-7b75-b5a6-18f4951b1ec4', '10000001', '2026-01-31', '01a21e86-d8a2-756f-ae7d-fc847a82a5fa', 2, 1.01, '2026-11-27 19:41:23.505678+00'),
	('01a21e86-d807-719c-972d-1399f1a66ab1', '10000001', '2026-01-31', '01a21e86-d8a1-765c-a8ad-7f5ad847e545', 2, 1.01, '2026-11-27 19:41:23.505678+00'),
	('01a21e86-d820-7b75-b5a6-18f4951b1ec4', '', '2026-01-31', '01a21e86-d8a2-756f-ae7d-fc847a82a5fa', 2, 1.01, '2026-11-27 19:41:23.505678+00'),
	('01a21e86-d807-719c-972d-1399f1a66ab1', '', '2026-01-31', '01a21e86-d8a1-765c-a8ad-7f5ad847e545', 2, 1.01, '2026-11-27 19:41:23.505678+00');


--
-- Data for Name: writers; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.writers VALUES
	('01a21e86-d807-719c-972d-1399f1a66ab1', 0, '00000000-0000-0000-0000-000000000000'),
	('01a21e86-d820-7b75-b5a6-18f4951b1ec4', 0, '00000000-0000-0000-0000-000000000000'),
	('01a21e86-d99a-7ed4-aa6b-ec9936c4b38d', 0, '00000000-0000-0000-0000-000000000000');


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
-- Name: api_keys_expiring; Type: INDEX; Schema: public; Owner: dispo
--

CREATE INDEX api_keys_expiring ON public.api_keys USING btree (expires_at) WHERE ((revoked_at IS NULL) AND (expires_at IS NOT NULL));


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
-- Name: withdrawn_totals_largest; Type: INDEX; Schema: public; Owner: dispo
--

CREATE INDEX withdrawn_totals_largest ON public.withdrawn_totals USING btree (organization_id, file_id, abs(amount_dkk));


--
-- Name: audit_log append_only; Type: TRIGGER; Schema: public; Owner: dispo
--

CREATE TRIGGER append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION public.audit_log_append_only();


--
-- Name: api_keys changed; Type: TRIGGER; Schema: public; Owner: dispo
--

CREATE TRIGGER changed AFTER INSERT OR DELETE OR UPDATE OF revoked_at, paused_at, expires_at, secret_hash, organization_id ON public.api_keys FOR EACH ROW EXECUTE FUNCTION public.api_key_changed();


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
-- Name: FUNCTION api_keys_expiring(); Type: ACL; Schema: public; Owner: dispo_operator
--

REVOKE ALL ON FUNCTION public.api_keys_expiring() FROM PUBLIC;
GRANT ALL ON FUNCTION public.api_keys_expiring() TO dispo_app;


--
-- Name: FUNCTION api_keys_used(used jsonb); Type: ACL; Schema: public; Owner: dispo_operator
--

REVOKE ALL ON FUNCTION public.api_keys_used(used jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.api_keys_used(used jsonb) TO dispo_app;


--
-- Name: FUNCTION audit_log_everywhere(about uuid, id uuid, at timestamp with time zone, user_id uuid, user_email text, action text, subject text, address text); Type: ACL; Schema: public; Owner: dispo_operator
--

REVOKE ALL ON FUNCTION public.audit_log_everywhere(about uuid, id uuid, at timestamp with time zone, user_id uuid, user_email text, action text, subject text, address text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.audit_log_everywhere(about uuid, id uuid, at timestamp with time zone, user_id uuid, user_email text, action text, subject text, address text) TO dispo_app;


--
-- Name: FUNCTION audit_log_forget(gone uuid, email text); Type: ACL; Schema: public; Owner: dispo_keeper
--

REVOKE ALL ON FUNCTION public.audit_log_forget(gone uuid, email text) FROM PUBLIC;
GRANT ALL ON FUNCTION public.audit_log_forget(gone uuid, email text) TO dispo_operator;


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
-- Name: FUNCTION refused_requests_add(added jsonb); Type: ACL; Schema: public; Owner: dispo_operator
--

REVOKE ALL ON FUNCTION public.refused_requests_add(added jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.refused_requests_add(added jsonb) TO dispo_app;


--
-- Name: FUNCTION sandbox_open(organization uuid); Type: ACL; Schema: public; Owner: dispo_operator
--

REVOKE ALL ON FUNCTION public.sandbox_open(organization uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.sandbox_open(organization uuid) TO dispo_app;


--
-- Name: FUNCTION sandbox_store(organization uuid, new_day date, made jsonb); Type: ACL; Schema: public; Owner: dispo_operator
--

REVOKE ALL ON FUNCTION public.sandbox_store(organization uuid, new_day date, made jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION public.sandbox_store(organization uuid, new_day date, made jsonb) TO dispo_app;


--
-- Name: FUNCTION sandbox_withdraw(organization uuid, wanted text, why text, change uuid); Type: ACL; Schema: public; Owner: dispo_operator
--

REVOKE ALL ON FUNCTION public.sandbox_withdraw(organization uuid, wanted text, why text, change uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION public.sandbox_withdraw(organization uuid, wanted text, why text, change uuid) TO dispo_app;


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
-- Name: FUNCTION withdraw_aged(); Type: ACL; Schema: public; Owner: dispo_operator
--

REVOKE ALL ON FUNCTION public.withdraw_aged() FROM PUBLIC;
GRANT ALL ON FUNCTION public.withdraw_aged() TO dispo_app;


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
-- Name: COLUMN organizations.updated_at; Type: ACL; Schema: public; Owner: dispo
--

GRANT UPDATE(updated_at) ON TABLE public.organizations TO dispo_operator;


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
-- Name: COLUMN withdrawn_files.change_id; Type: ACL; Schema: public; Owner: dispo
--

GRANT UPDATE(change_id) ON TABLE public.withdrawn_files TO dispo_operator;


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


