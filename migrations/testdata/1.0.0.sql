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
    SELECT coalesce(key.revoke_at, greatest(key.revoke_scheduled_at, key.last_used_at) + key.revoke_after_idle_days * interval '24 hours')
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
-- Name: keep_audit_log(interval); Type: FUNCTION; Schema: public; Owner: dispo_keeper
--

CREATE FUNCTION public.keep_audit_log(period interval) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT keep_batch('audit_log', 'at', keep_before(period))
$$;


ALTER FUNCTION public.keep_audit_log(period interval) OWNER TO dispo_keeper;

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
-- Name: keep_before(interval, interval); Type: FUNCTION; Schema: public; Owner: dispo
--

CREATE FUNCTION public.keep_before(period interval, shortest interval DEFAULT '30 days'::interval) RETURNS timestamp with time zone
    LANGUAGE plpgsql STABLE
    AS $$
BEGIN
    IF (now() - period <= now() - shortest) IS NOT TRUE THEN
        RAISE EXCEPTION 'nothing is kept for less than %', shortest USING ERRCODE = 'invalid_parameter_value';
    END IF;
    RETURN now() - period;
END
$$;


ALTER FUNCTION public.keep_before(period interval, shortest interval) OWNER TO dispo;

--
-- Name: keep_callers(interval); Type: FUNCTION; Schema: public; Owner: dispo_keeper
--

CREATE FUNCTION public.keep_callers(period interval) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT keep_batch('key_callers', 'last_seen', keep_before(period)) + keep_batch('refused_requests', 'at', keep_before(period))
$$;


ALTER FUNCTION public.keep_callers(period interval) OWNER TO dispo_keeper;

--
-- Name: keep_held_records(interval); Type: FUNCTION; Schema: public; Owner: dispo_keeper
--

CREATE FUNCTION public.keep_held_records(period interval) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT keep_batch('held_records', 'created_at', keep_before(period))
$$;


ALTER FUNCTION public.keep_held_records(period interval) OWNER TO dispo_keeper;

--
-- Name: keep_mails(interval); Type: FUNCTION; Schema: public; Owner: dispo_keeper
--

CREATE FUNCTION public.keep_mails(period interval) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT keep_batch('mails', 'created_at', keep_before(period)) + keep_batch('delivery_notices', 'ends_at', keep_before(period))
$$;


ALTER FUNCTION public.keep_mails(period interval) OWNER TO dispo_keeper;

--
-- Name: keep_requests(interval); Type: FUNCTION; Schema: public; Owner: dispo_keeper
--

CREATE FUNCTION public.keep_requests(period interval) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT keep_batch('served_requests', 'at', keep_before(period, '1 day'))
$$;


ALTER FUNCTION public.keep_requests(period interval) OWNER TO dispo_keeper;

--
-- Name: keep_sessions(interval); Type: FUNCTION; Schema: public; Owner: dispo_keeper
--

CREATE FUNCTION public.keep_sessions(period interval) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT keep_batch('sessions', 'expires_at', keep_before(period)) + keep_batch('password_links', 'expires_at', keep_before(period))
        + keep_batch('invitations', 'expires_at', keep_before(period))
$$;


ALTER FUNCTION public.keep_sessions(period interval) OWNER TO dispo_keeper;

--
-- Name: keep_usage(interval); Type: FUNCTION; Schema: public; Owner: dispo_keeper
--

CREATE FUNCTION public.keep_usage(period interval) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
    before  timestamptz := keep_before(period, '91 days');
    deleted bigint;
BEGIN
    DELETE FROM key_usage WHERE ctid = ANY (ARRAY(SELECT ctid FROM key_usage WHERE by_day AND hour < before LIMIT 1000) || ARRAY(SELECT ctid FROM key_usage WHERE NOT by_day AND hour < before LIMIT 1000));
    GET DIAGNOSTICS deleted = ROW_COUNT;
    RETURN deleted;
END
$$;


ALTER FUNCTION public.keep_usage(period interval) OWNER TO dispo_keeper;

--
-- Name: keep_usage_hours(interval); Type: FUNCTION; Schema: public; Owner: dispo_keeper
--

CREATE FUNCTION public.keep_usage_hours(period interval) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
    before timestamptz := keep_before(period, '91 days');
    folded bigint;
BEGIN
    WITH gone AS (
        DELETE FROM key_usage WHERE ctid = ANY (ARRAY(SELECT ctid FROM key_usage WHERE NOT by_day AND hour < before ORDER BY hour LIMIT 1000)) RETURNING *
    ), days AS (
        INSERT INTO key_usage AS d (organization_id, hour, key_id, requests, refused, by_day)
        SELECT g.organization_id, date_trunc('day', g.hour, o.time_zone), g.key_id, sum(g.requests), sum(g.refused), true
        FROM gone g JOIN organizations o ON o.id = g.organization_id GROUP BY 1, 2, 3
        ON CONFLICT (organization_id, hour, key_id) DO UPDATE
        SET requests = d.requests + excluded.requests, refused = d.refused + excluded.refused, by_day = true
    )
    SELECT count(*) FROM gone INTO folded;
    RETURN folded;
END
$$;


ALTER FUNCTION public.keep_usage_hours(period interval) OWNER TO dispo_keeper;

--
-- Name: keep_withdrawn_totals(interval); Type: FUNCTION; Schema: public; Owner: dispo_keeper
--

CREATE FUNCTION public.keep_withdrawn_totals(period interval) RETURNS bigint
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
    SELECT keep_batch('withdrawn_totals', 'withdrawn_at', keep_before(period))
$$;


ALTER FUNCTION public.keep_withdrawn_totals(period interval) OWNER TO dispo_keeper;

--
-- Name: kept_since(); Type: FUNCTION; Schema: public; Owner: dispo
--

CREATE FUNCTION public.kept_since() RETURNS date
    LANGUAGE sql STABLE
    AS $$
    SELECT (now() AT TIME ZONE 'UTC' - period)::date FROM transactions_kept
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
        SELECT * FROM mails WHERE sent_at IS NULL AND given_up_at IS NULL AND next_attempt_at <= now()
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
-- Name: next_id(uuid); Type: FUNCTION; Schema: public; Owner: dispo
--

CREATE FUNCTION public.next_id(last uuid) RETURNS uuid
    LANGUAGE sql
    AS $$
    SELECT (lpad(to_hex(greatest((extract(epoch FROM clock_timestamp()) * 1000)::bigint, ('x0000' || left(replace(last::text, '-', ''), 12))::bit(64)::bigint + 1)), 12, '0')
        || '7' || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid
$$;


ALTER FUNCTION public.next_id(last uuid) OWNER TO dispo;

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
-- Name: organization_erase(uuid, bigint); Type: FUNCTION; Schema: public; Owner: dispo_keeper
--

CREATE FUNCTION public.organization_erase(gone uuid, most bigint) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    SET enable_seqscan TO 'off'
    AS $_$
DECLARE
    name   text;
    own    text;
    n      bigint;
    erased bigint := 0;
BEGIN
    IF EXISTS (SELECT FROM organizations o WHERE o.id = gone AND o.deletion_started_at IS NULL) THEN
        RAISE EXCEPTION 'organization % is not being deleted', gone USING ERRCODE = 'insufficient_privilege';
    END IF;
    FOR name, own IN SELECT t.name, t.own FROM tenant_tables() t WHERE t.own IS NOT NULL AND t.name NOT IN ('organizations', 'memberships')
        ORDER BY t.name <> 'companies', t.name <> 'delivery_files', t.name = 'api_keys'
    LOOP
        EXECUTE format('DELETE FROM %1$I WHERE ctid = ANY (ARRAY(SELECT ctid FROM %1$I WHERE %2$I = $1 LIMIT $2))', name, own) USING gone, most - erased;
        GET DIAGNOSTICS n = ROW_COUNT;
        erased := erased + n;
        IF erased >= most THEN
            RETURN erased;
        END IF;
    END LOOP;
    DELETE FROM sessions s WHERE s.organization_id = gone;
    DELETE FROM memberships m WHERE m.organization_id = gone;
    DELETE FROM organizations o WHERE o.id = gone;
    GET DIAGNOSTICS n = ROW_COUNT;
    PERFORM pg_notify('dispo', 'data ' || gone);
    RETURN erased + n;
END
$_$;


ALTER FUNCTION public.organization_erase(gone uuid, most bigint) OWNER TO dispo_keeper;

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
            CASE WHEN c.relkind NOT IN ('r', 'p') THEN '' WHEN t.name IS NULL THEN 'SELECT, INSERT, UPDATE, DELETE' ELSE coalesce(t.rights, '') END, a.*
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
    WHERE s.refobjid = 'dispo_app'::regrole AND s.deptype = 'o' AND (s.dbid = d.oid OR s.dbid = 0 AND s.objid = d.oid)
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
    INSERT INTO served_requests (organization_id, key_id, id, at, address, client, path, status, row_count)
    SELECT k.organization_id, k.id, u.id, u.at, coalesce(c.address, ''), coalesce(c.client, ''), u.path, u.status, u.row_count
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
-- Name: withdraw_aged(interval); Type: FUNCTION; Schema: public; Owner: dispo_operator
--

CREATE FUNCTION public.withdraw_aged(period interval) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'public', 'pg_temp'
    AS $$
DECLARE
    share record;
    file  uuid;
    last  uuid;
BEGIN
    IF period IS NULL THEN
        DELETE FROM transactions_kept;
        RETURN 0;
    END IF;
    PERFORM keep_before(period);
    INSERT INTO transactions_kept AS k (period) VALUES (withdraw_aged.period) ON CONFLICT (only_row) DO UPDATE SET period = excluded.period WHERE k.period <> excluded.period;
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


ALTER FUNCTION public.withdraw_aged(period interval) OWNER TO dispo_operator;

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
    GROUP BY GROUPING SETS ((organization_id, cvr, disposition_date, delivery_file_id), (organization_id, disposition_date, delivery_file_id));
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

COMMENT ON TABLE public.goose_db_version IS 'dispo edition 961cc99b23ed';


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
-- Name: transactions_kept; Type: TABLE; Schema: public; Owner: dispo
--

CREATE TABLE public.transactions_kept (
    only_row boolean DEFAULT true NOT NULL,
    period interval NOT NULL,
    CONSTRAINT transactions_kept_only_row_check CHECK (only_row)
);


ALTER TABLE public.transactions_kept OWNER TO dispo;

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
	('01a21ab9-1895-70de-a3c5-644ad6bcb1b5', '01a21ab9-16d8-7433-8f8c-446380a59dbf', false, 'yMwXytx6olta', '$2a$04$Hmva7aWf1ZbRzGwtwJGqo.iNDbx8FHWiY.VSFjITMwnWteZviNhh.', NULL, 'XE08', 'test', '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-27 01:57:47.809099+00', '2026-11-27 01:57:47.809099+00'),
	('01a21ab9-1927-7859-bbf4-7a70638d0d0e', '01a21ab9-16d8-7433-8f8c-446380a59dbf', false, 'KTguWjLIw5Iu', '$2a$10$O.VXJzFog1/0CwBHn9Wkg.4K1dptCA0A3oUQAuzw3Udito6fFTr2u', '\x5803f6096642c6cffd4d15aabe1d98ff06b54d6b8b59d621f6fe675005a55a561ee0eca7', 'XRpC', 'successor', '', NULL, '01a21ab9-1895-70de-a3c5-644ad6bcb1b5', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-27 01:57:47.947247+00', '2026-11-27 01:57:47.94378+00'),
	('01a21ab9-1976-75d9-905e-a67298767cd3', '01a21ab9-1720-7cfb-b5f6-6820706324ad', false, 'eO40px87Pm6v', '$2a$04$VkhFYnxewVUPzci9nG.aR.jhtC2bKHptqpkNXSF5xJKwRjrg00w46', NULL, 'AQbL', 'test', '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-27 01:57:48.03713+00', '2026-11-27 01:57:48.03713+00'),
	('01a21ab9-1a04-776e-b5f0-d3d2a370416f', '01a21ab9-1720-7cfb-b5f6-6820706324ad', false, 'ZmgChEpdxexh', '$2a$10$nQ6VQT/0y5Agxt0ldfQBwOdE6yOFiLSepET2xd4i9EUCiYdNzMdku', '\x5803f609dfffb5ba3462617f9b808b5dd708733d4dfc92f1b19c0883192c5e31c2f271de', 'qHjw', 'successor', '', NULL, '01a21ab9-1976-75d9-905e-a67298767cd3', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-27 01:57:48.166682+00', '2026-11-27 01:57:48.164684+00'),
	('7665cc8f-deb5-45fc-81a3-0a1ed65bc3bf', '01a21ab9-16d8-7433-8f8c-446380a59dbf', false, 'releasekey01', '$2a$04$.CcCg0xCIn04UENxYOREuuSBXbgYKGA.TyKSmffdXg9DhdNy0AmxW', NULL, 'uWiW', 'of the first release', '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-27 01:57:48.224487+00', '2026-11-27 01:57:48.224487+00');


--
-- Data for Name: audit_log; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.audit_log VALUES
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', '01a21ab9-184e-7a01-91b7-b8ad8d369cd1', '2026-11-27 01:57:47.726657+00', NULL, 'operator', 'delivery.withdraw', 'delivery.csv: 2 transactions of 1.01 DKK. Reason: wrong', 'command line', NULL),
	('01a21ab9-1720-7cfb-b5f6-6820706324ad', '01a21ab9-1853-753f-bb59-dcd79f66fc1d', '2026-11-27 01:57:47.731344+00', NULL, 'operator', 'delivery.withdraw', 'delivery.csv: 2 transactions of 1.01 DKK. Reason: wrong', 'command line', NULL),
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', '01a21ab9-1860-76e0-97fc-f1084a77e455', '2026-11-27 01:57:47.744451+00', NULL, 'operator', 'user.create', 'both@example.com: owner', 'command line', NULL),
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', '01a21ab9-1881-70e2-8a08-631ab779e9ae', '2026-11-27 01:57:47.777058+00', NULL, 'operator', 'user.create', 'a@example.com: owner', 'command line', NULL),
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', '01a21ab9-192c-7c6d-863a-3dbfefc762f0', '2026-11-27 01:57:47.948814+00', NULL, 'operator', 'key.rotate', 'successor (dispo_…XRpC)', 'command line', '01a21ab9-1927-7859-bbf4-7a70638d0d0e'),
	('01a21ab9-1720-7cfb-b5f6-6820706324ad', '01a21ab9-1957-79f9-a12a-dc20ffc9612f', '2026-11-27 01:57:47.991653+00', NULL, 'operator', 'user.create', 'b@example.com: owner', 'command line', NULL),
	('01a21ab9-1720-7cfb-b5f6-6820706324ad', '01a21ab9-1a07-77e0-9174-8a6da2515997', '2026-11-27 01:57:48.167516+00', NULL, 'operator', 'key.rotate', 'successor (dispo_…qHjw)', 'command line', '01a21ab9-1a04-776e-b5f0-d3d2a370416f');


--
-- Data for Name: companies; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.companies VALUES
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', '01a21ab9-1706-7799-bbb9-d06887658a45', '10000002', 'Company 10000002', 'company 10000002', '\x161d17711741179615ef174f1880010914e714e614e614e614e614e614e614e8', NULL, '2026-11-27', '9999-12-31', 'CREATED', NULL, NULL, NULL, NULL, NULL, 0, 0.00, '2026-11-27 01:57:47.384841+00', '2026-11-27 01:57:47.384841+00', '01a21ab9-1706-7799-bbb9-d06887658a45'),
	('01a21ab9-1720-7cfb-b5f6-6820706324ad', '01a21ab9-1725-795d-a5c9-b4189462b41e', '10000003', 'Company 10000003', 'company 10000003', '\x161d17711741179615ef174f1880010914e714e614e614e614e614e614e614e9', NULL, '2026-11-27', '9999-12-31', 'CREATED', NULL, NULL, NULL, NULL, NULL, 0, 0.00, '2026-11-27 01:57:47.426009+00', '2026-11-27 01:57:47.426009+00', '01a21ab9-1725-795d-a5c9-b4189462b41e'),
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', '01a21ab9-1706-7799-bbb9-d0679ef5f1d7', '10000001', 'Company 10000001', 'company 10000001', '\x161d17711741179615ef174f1880010914e714e614e614e614e614e614e614e7', NULL, '2026-11-27', '9999-12-31', 'CREATED', NULL, NULL, NULL, NULL, NULL, 21, 63.63, '2026-11-27 01:57:47.384841+00', '2026-11-27 01:57:47.384841+00', '01a21ab9-1706-7799-bbb9-d0679ef5f1d7'),
	('01a21ab9-1720-7cfb-b5f6-6820706324ad', '01a21ab9-1725-795d-a5c9-b417f3774426', '10000001', 'Company 10000001', 'company 10000001', '\x161d17711741179615ef174f1880010914e714e614e614e614e614e614e614e7', NULL, '2026-11-27', '9999-12-31', 'CREATED', NULL, NULL, NULL, NULL, NULL, 21, 63.63, '2026-11-27 01:57:47.426009+00', '2026-11-27 01:57:47.426009+00', '01a21ab9-1725-795d-a5c9-b417f3774426'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1abecf760b3e', '99779195', 'Tangfabrikken Grøn Bølge ApS', 'tangfabrikken grøn bølge aps', '\x181615ef174f1691168415ef160517bd16cd16ff16ff164c174f0109169117bd1907174f01091605190717111691164c010915ef179617f3', 'Humlemarksgade 80, 1. tv., 6000 Kolding', '2026-12-06', '9999-12-31', 'CREATED', NULL, NULL, NULL, NULL, NULL, 0, 0.00, '2026-11-27 01:57:48.185442+00', '2026-11-27 01:57:48.185442+00', '01a21ab9-1a29-7239-89a5-1abecf760b3e'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1abf2e2db92d', '99768576', 'Lampelageret Halvmørke ApS', 'lampelageret halvmørke aps', '\x171115ef17411796164c171115ef1691164c17bd164c1816010916b415ef1711185f1741190717bd16ff164c010915ef179617f3', 'Gamle Tovværksgade 28, 6700 Esbjerg', '2023-05-01', '2025-09-25', 'TERMINATED', '5389', '4407667524', '1089', '1993809807', NULL, 0, 0.00, '2026-11-27 01:57:48.185442+00', '2026-11-27 01:57:48.185442+00', '01a21ab9-1a29-7239-89a5-1abf2e2db92d'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1ac0cf526190', '99457856', 'Tæppeland Uldum-Frynse A/S', 'tæppeland uldum-frynse a/s', '\x1816190617961796164c171115ef174f1631010918361711163118361741010d168417bd1880174f17f3164c010915ef027117f3', 'Kvistbuen 78, 2. th., 5700 Svendborg', '2022-08-12', '2025-11-26', 'TERMINATED', '3694', '1378004392', '7388', '2044904412', NULL, 0, 0.00, '2026-11-27 01:57:48.185442+00', '2026-11-27 01:57:48.185442+00', '01a21ab9-1a29-7239-89a5-1ac0cf526190'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1abe61dbdb76', '99073152', 'Slagter Ravnkilde & Søn, eftf. ApS', 'slagter ravnkilde & søn, eftf. aps', '\x17f3171115ef16911816164c17bd010917bd15ef185f174f16ff16cd17111631164c01090273010917f31907174f01200109164c1684181616840172010915ef179617f3', 'Skibstømrerpladsen 46, 9000 Aalborg', '2019-12-18', '9999-12-31', 'REGISTERED', '8765', '6513390008', '9537', '1787399180', NULL, 3, 19682.85, '2026-11-27 01:57:48.185442+00', '2026-11-27 01:57:48.185442+00', '01a21ab9-1a29-7239-89a5-1abe61dbdb76'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1abedf4b17ae', '99950579', 'Vinkælderen Tre Propper ApS', 'vinkælderen tre propper aps', '\x185f16cd174f16ff190617111631164c17bd164c174f0109181617bd164c0109179617bd177117961796164c17bd010915ef179617f3', 'Klokkestøberstræde 82, 5000 Odense C', '2022-06-06', '9999-12-31', 'REGISTERED', '9406', '1363319320', '8564', '6735065168', NULL, 2, 39772.12, '2026-11-27 01:57:48.185442+00', '2026-11-27 01:57:48.185442+00', '01a21ab9-1a29-7239-89a5-1abedf4b17ae'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1abfd38e790c', '99193786', 'Nordlys Byggemarked A/S', 'nordlys byggemarked a/s', '\x174f177117bd16311711188017f301091605188016911691164c174115ef17bd16ff164c1631010915ef027117f3', 'Klokkestøberstræde 90, 1620 København V', '2020-06-17', '9999-12-31', 'REGISTERED', '3471', '5915939172', '6444', '7834700730', 400000, 7, 214178.69, '2026-11-27 01:57:48.185442+00', '2026-11-27 01:57:48.185442+00', '01a21ab9-1a29-7239-89a5-1abfd38e790c'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1ac011550b70', '99649321', 'Røgeriet Gyldne Sild ApS', 'røgeriet gyldne sild aps', '\x17bd19071691164c17bd16cd164c181601091691188017111631174f164c010917f316cd17111631010915ef179617f3', 'Skibstømrerpladsen 17, 1620 København V', '2023-02-05', '9999-12-31', 'REGISTERED', '0114', '6944114070', '2786', '5398598174', NULL, 2, 11300.41, '2026-11-27 01:57:48.185442+00', '2026-11-27 01:57:48.185442+00', '01a21ab9-1a29-7239-89a5-1ac011550b70'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1ac1c25950e9', '99986212', 'Caféen "Den Skæve Kop" ApS', 'caféen "den skæve kop" aps', '\x161d15ef1684164c164c174f010901f01631164c174f010917f316ff1906185f164c010916ff1771179601f0010915ef179617f3', NULL, '2022-11-19', '9999-12-31', 'REGISTERED', '9993', '4004219684', '8446', '4044679714', NULL, 3, 13204.67, '2026-11-27 01:57:48.185442+00', '2026-11-27 01:57:48.185442+00', '01a21ab9-1a29-7239-89a5-1ac1c25950e9'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1ac08cab4e65', '99697083', 'Ostelageret Hul i Hul ApS', 'ostelageret hul i hul aps', '\x177117f31816164c171115ef1691164c17bd164c1816010916b418361711010916cd010916b418361711010915ef179617f3', 'Klokkestøberstræde 88, 4600 Køge', '2018-06-24', '9999-12-31', 'REGISTERED', '2893', '0534265795', '7963', '3543694622', 450000, 1, 928.30, '2026-11-27 01:57:48.185442+00', '2026-11-27 01:57:48.185442+00', '01a21ab9-1a29-7239-89a5-1ac08cab4e65'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1ac09d3bee04', '99182695', 'Bageriet Skibskiksen ApS', 'bageriet skibskiksen aps', '\x160515ef1691164c17bd16cd164c1816010917f316ff16cd160517f316ff16cd16ff17f3164c174f010915ef179617f3', 'Ålekistevænget 129, 6700 Esbjerg', '2024-01-10', '9999-12-31', 'REGISTERED', '6563', '5502837125', '8430', '8527694066', NULL, 1, 376.08, '2026-11-27 01:57:48.185442+00', '2026-11-27 01:57:48.185442+00', '01a21ab9-1a29-7239-89a5-1ac09d3bee04'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1ac09e93c7f2', '99090227', 'Cykelsmeden Skæv & Lige ApS', 'cykelsmeden skæv & lige aps', '\x161d188016ff164c171117f31741164c1631164c174f010917f316ff1906185f010902730109171116cd1691164c010915ef179617f3', 'Lærkespurvestien 125, 1. tv., 2100 København Ø', '2024-03-05', '9999-12-31', 'MODIFIED', '2789', '8555685944', '9226', '1358570835', NULL, 1, 2224.32, '2026-11-27 01:57:48.185442+00', '2026-11-27 01:57:48.185442+00', '01a21ab9-1a29-7239-89a5-1ac09e93c7f2'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1ac1ca604a9e', '99689145', 'Sæbehuset Boble & Børste ApS', 'sæbehuset boble & børste aps', '\x17f319061605164c16b4183617f3164c181601091605177116051711164c0109027301091605190717bd17f31816164c010915ef179617f3', 'Lærkespurvestien 119, 6700 Esbjerg', '2022-10-10', '9999-12-31', 'REGISTERED', '6487', '0666729710', NULL, NULL, NULL, 1, 1240.17, '2026-11-27 01:57:48.185442+00', '2026-11-27 01:57:48.185442+00', '01a21ab9-1a29-7239-89a5-1ac1ca604a9e'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1ac2750ca4a1', '99448504', 'Børnehjørnet Klods & Bamse ApS', 'børnehjørnet klods & bamse aps', '\x1605190717bd174f164c16b416e6190717bd174f164c1816010916ff17111771163117f3010902730109160515ef174117f3164c010915ef179617f3', 'Kvistbuen 111, st. th., 5700 Svendborg', '2026-08-02', '9999-12-31', 'MODIFIED', '4543', '8848539891', '7148', '2817207004', NULL, 1, 2460.75, '2026-11-27 01:57:48.185442+00', '2026-11-27 01:57:48.185442+00', '01a21ab9-1a29-7239-89a5-1ac2750ca4a1'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1ac2e92c2e3e', '99289171', 'Lystfiskeren Krog & Line ApS', 'lystfiskeren krog & line aps', '\x1711188017f31816168416cd17f316ff164c17bd164c174f010916ff17bd17711691010902730109171116cd174f164c010915ef179617f3', NULL, '2021-05-28', '9999-12-31', 'REGISTERED', '5933', '2227773821', '8145', '7483219582', 325000, 1, 6877.04, '2026-11-27 01:57:48.185442+00', '2026-11-27 01:57:48.185442+00', '01a21ab9-1a29-7239-89a5-1ac2e92c2e3e'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1ac33a96d53d', '99601663', 'Papirsvalen Bøger og Papir ApS', 'papirsvalen bøger og papir aps', '\x179615ef179616cd17bd17f3185f15ef1711164c174f0109160519071691164c17bd0109177116910109179615ef179616cd17bd010915ef179617f3', 'Rugskelsvej 135, 2. th., 8900 Randers C', '2025-03-30', '9999-12-31', 'REGISTERED', '6050', '5603247190', '8735', '2424477492', NULL, 2, 16704.17, '2026-11-27 01:57:48.185442+00', '2026-11-27 01:57:48.185442+00', '01a21ab9-1a29-7239-89a5-1ac33a96d53d'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1ac3820d0bc9', '99270160', 'Dyrehandler Pelsmark & Finne ApS', 'dyrehandler pelsmark & finne aps', '\x1631188017bd164c16b415ef174f16311711164c17bd01091796164c171117f3174115ef17bd16ff010902730109168416cd174f174f164c010915ef179617f3', 'Klokkestøberstræde 117, 1. tv., 3000 Helsingør', '2025-10-01', '9999-12-31', 'REGISTERED', '9039', '7432388492', '3371', '0102731211', NULL, 1, 1712.42, '2026-11-27 01:57:48.185442+00', '2026-11-27 01:57:48.185442+00', '01a21ab9-1a29-7239-89a5-1ac3820d0bc9'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1ac3c8b34eec', '99552611', 'Bådbygger Kølholt & Spant I/S', 'bådbygger kølholt & spant i/s', '\x1605190816311605188016911691164c17bd010916ff1907171116b417711711181601090273010917f3179615ef174f1816010916cd027117f3', 'Kvistbuen 86, st. th., 3000 Helsingør', '2025-01-13', '9999-12-31', 'REGISTERED', '6553', '6530250542', '8260', '1996798902', NULL, 1, 13768.02, '2026-11-27 01:57:48.185442+00', '2026-11-27 01:57:48.185442+00', '01a21ab9-1a29-7239-89a5-1ac3c8b34eec'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1ac4c29db774', '99487100', 'Nordlys Elektrisk ApS', 'nordlys elektrisk aps', '\x174f177117bd16311711188017f30109164c1711164c16ff181617bd16cd17f316ff010915ef179617f3', 'Vestre Kranvej 121, 1. tv., 6000 Kolding', '2017-08-31', '9999-12-31', 'REGISTERED', '2826', '6880998564', '8531', '3570100861', NULL, 7, 710085.91, '2026-11-27 01:57:48.185442+00', '2026-11-27 01:57:48.185442+00', '01a21ab9-1a29-7239-89a5-1ac4c29db774'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1ac51843bca4', '99900539', 'Fælleskøbmanden ved Kajen ApS', 'fælleskøbmanden ved kajen aps', '\x1684190617111711164c17f316ff19071605174115ef174f1631164c174f0109185f164c1631010916ff15ef16e6164c174f010915ef179617f3', NULL, '2025-02-11', '9999-12-31', 'REGISTERED', '9240', '9451138515', '9317', '7639515159', 400000, 3, 14491.55, '2026-11-27 01:57:48.185442+00', '2026-11-27 01:57:48.185442+00', '01a21ab9-1a29-7239-89a5-1ac51843bca4'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1ac5836872ee', '99259450', 'Brilleborg Optik ApS', 'brilleborg optik aps', '\x160517bd16cd17111711164c1605177117bd1691010917711796181616cd16ff010915ef179617f3', 'Rugskelsvej 123, 1. tv., 2100 København Ø', '2025-12-03', '9999-12-31', 'REGISTERED', '9820', '6843998285', '0415', '7582800774', NULL, 1, 24165.49, '2026-11-27 01:57:48.185442+00', '2026-11-27 01:57:48.185442+00', '01a21ab9-1a29-7239-89a5-1ac5836872ee');


--
-- Data for Name: daily_totals; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.daily_totals VALUES
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', '', '2026-01-31', 'CARD', 21, 63.63, '01a21ab9-1748-7f1e-93f6-9bc5f3a74ed4', '01a21ab9-1829-7edd-b520-3376f1c92f4d'),
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', '10000001', '2026-01-31', 'CARD', 21, 63.63, '01a21ab9-1748-7f1e-93f6-9bc5f3a74ed4', '01a21ab9-1829-7edd-b520-3376f1c92f4d'),
	('01a21ab9-1720-7cfb-b5f6-6820706324ad', '', '2026-01-31', 'CARD', 21, 63.63, '01a21ab9-1749-7d3b-98cf-8a767aeaea2d', '01a21ab9-1829-7944-aa52-6c95ead1d7a4'),
	('01a21ab9-1720-7cfb-b5f6-6820706324ad', '10000001', '2026-01-31', 'CARD', 21, 63.63, '01a21ab9-1749-7d3b-98cf-8a767aeaea2d', '01a21ab9-1829-7944-aa52-6c95ead1d7a4'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '', '2026-11-27', 'CARD', 28, 560819.35, '01a21ab9-1a29-7239-89a5-1ac6bb3f36f6', '01a21ab9-1a29-7239-89a5-1ad8a2361812'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '', '2026-11-27', 'MOBILE', 3, 257659.19, '01a21ab9-1a29-7239-89a5-1ac9a10eefa0', '01a21ab9-1a29-7239-89a5-1ad9b65ae745'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '', '2026-11-27', 'ONLINE', 6, 277512.34, '01a21ab9-1a29-7239-89a5-1acf5aec91ef', '01a21ab9-1a29-7239-89a5-1ad8d545ec1e'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '', '2026-11-27', 'REFUND', 1, -2817.92, '01a21ab9-1a29-7239-89a5-1ad5e7f7956f', '01a21ab9-1a29-7239-89a5-1ad5e7f7956f'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '99073152', '2026-11-27', 'CARD', 3, 19682.85, '01a21ab9-1a29-7239-89a5-1ac6bb3f36f6', '01a21ab9-1a29-7239-89a5-1ac75adee332'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '99090227', '2026-11-27', 'CARD', 1, 2224.32, '01a21ab9-1a29-7239-89a5-1acec5480279', '01a21ab9-1a29-7239-89a5-1acec5480279'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '99182695', '2026-11-27', 'CARD', 1, 376.08, '01a21ab9-1a29-7239-89a5-1acdd7da59e1', '01a21ab9-1a29-7239-89a5-1acdd7da59e1'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '99193786', '2026-11-27', 'CARD', 6, 174359.70, '01a21ab9-1a29-7239-89a5-1ac8fdb291c2', '01a21ab9-1a29-7239-89a5-1acc488db9dc'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '99193786', '2026-11-27', 'MOBILE', 1, 39818.99, '01a21ab9-1a29-7239-89a5-1ac9a10eefa0', '01a21ab9-1a29-7239-89a5-1ac9a10eefa0'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '99259450', '2026-11-27', 'MOBILE', 1, 24165.49, '01a21ab9-1a29-7239-89a5-1ad9b65ae745', '01a21ab9-1a29-7239-89a5-1ad9b65ae745'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '99270160', '2026-11-27', 'ONLINE', 1, 1712.42, '01a21ab9-1a29-7239-89a5-1ad41c4b489d', '01a21ab9-1a29-7239-89a5-1ad41c4b489d'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '99289171', '2026-11-27', 'CARD', 1, 6877.04, '01a21ab9-1a29-7239-89a5-1ad22ff3bcbe', '01a21ab9-1a29-7239-89a5-1ad22ff3bcbe'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '99448504', '2026-11-27', 'CARD', 1, 2460.75, '01a21ab9-1a29-7239-89a5-1ad19124acb0', '01a21ab9-1a29-7239-89a5-1ad19124acb0'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '99487100', '2026-11-27', 'CARD', 3, 259642.05, '01a21ab9-1a29-7239-89a5-1ad4c1293313', '01a21ab9-1a29-7239-89a5-1ad712c8c37a'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '99487100', '2026-11-27', 'MOBILE', 1, 193674.71, '01a21ab9-1a29-7239-89a5-1ad7b894ffb4', '01a21ab9-1a29-7239-89a5-1ad7b894ffb4'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '99487100', '2026-11-27', 'ONLINE', 2, 259587.07, '01a21ab9-1a29-7239-89a5-1ad5d0b19149', '01a21ab9-1a29-7239-89a5-1ad68db66c97'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '99487100', '2026-11-27', 'REFUND', 1, -2817.92, '01a21ab9-1a29-7239-89a5-1ad5e7f7956f', '01a21ab9-1a29-7239-89a5-1ad5e7f7956f'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '99552611', '2026-11-27', 'CARD', 1, 13768.02, '01a21ab9-1a29-7239-89a5-1ad4baaa89bc', '01a21ab9-1a29-7239-89a5-1ad4baaa89bc'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '99601663', '2026-11-27', 'CARD', 2, 16704.17, '01a21ab9-1a29-7239-89a5-1ad30e88e2b3', '01a21ab9-1a29-7239-89a5-1ad3f584a997'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '99649321', '2026-11-27', 'CARD', 2, 11300.41, '01a21ab9-1a29-7239-89a5-1acca200404b', '01a21ab9-1a29-7239-89a5-1acd0aa9200d'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '99689145', '2026-11-27', 'CARD', 1, 1240.17, '01a21ab9-1a29-7239-89a5-1ad16ee09e5d', '01a21ab9-1a29-7239-89a5-1ad16ee09e5d'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '99697083', '2026-11-27', 'CARD', 1, 928.30, '01a21ab9-1a29-7239-89a5-1acd6606905d', '01a21ab9-1a29-7239-89a5-1acd6606905d'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '99900539', '2026-11-27', 'CARD', 1, 7573.77, '01a21ab9-1a29-7239-89a5-1ad8a2361812', '01a21ab9-1a29-7239-89a5-1ad8a2361812'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '99900539', '2026-11-27', 'ONLINE', 2, 6917.78, '01a21ab9-1a29-7239-89a5-1ad85c6c1667', '01a21ab9-1a29-7239-89a5-1ad8d545ec1e'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '99950579', '2026-11-27', 'CARD', 2, 39772.12, '01a21ab9-1a29-7239-89a5-1ac7b20ffe55', '01a21ab9-1a29-7239-89a5-1ac82023bf68'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '99986212', '2026-11-27', 'CARD', 2, 3909.60, '01a21ab9-1a29-7239-89a5-1ad033a8767e', '01a21ab9-1a29-7239-89a5-1ad0cd1b7fb4'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '99986212', '2026-11-27', 'ONLINE', 1, 9295.07, '01a21ab9-1a29-7239-89a5-1acf5aec91ef', '01a21ab9-1a29-7239-89a5-1acf5aec91ef');


--
-- Data for Name: deliveries; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.deliveries OVERRIDING SYSTEM VALUE VALUES
	('01a21ab9-1741-7414-861a-b05742c4fa7d', 1, false, 'delivery.csv', 'csv', '\x7a6857c0725d04bb5fdc2a2daea61f9d407e3539b8e89f8916d3e9ad736ca06a', 7, 21.21, '2026-01-31', '2026-01-31', '2026-11-27 01:57:47.447394+00', NULL, NULL),
	('01a21ab9-178e-7707-810d-f748c08e9582', 2, false, 'delivery.csv', 'csv', '\x67f4e1f65a87ea376435d05bf15858040d7879394b6d1cad7c91ca86da7fc08c', 7, 21.21, '2026-01-31', '2026-01-31', '2026-11-27 01:57:47.492375+00', NULL, NULL),
	('01a21ab9-17c6-7826-b674-0ef3459e5dc5', 3, false, 'delivery.csv', 'csv', '\x9f618077c31a059c59cb883d4bf463afe8870b19a35e506152e0fac27526c908', 7, 21.21, '2026-01-31', '2026-01-31', '2026-11-27 01:57:47.55939+00', NULL, NULL),
	('01a21ab9-17f1-760f-b94b-35d173b88ecc', 4, false, 'delivery.csv', 'csv', '\x3bfeaa0d4b50d9cc37f9a11eeda07b10e6e5546182b9c62bc56e33e7adbcf9f6', 2, 1.01, '2026-01-31', '2026-01-31', '2026-11-27 01:57:47.609384+00', '2026-11-27 01:57:47.734673+00', 'wrong'),
	('97361548-2133-4710-ae8d-e29aa59ddfba', 5, true, 'sandbox-2026-11-27.csv', 'csv', NULL, 38, 1093172.96, '2026-11-27', '2026-11-27', '2026-11-27 01:57:48.185442+00', NULL, NULL);


--
-- Data for Name: delivery_bytes; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.delivery_bytes VALUES
	('\x173c2ebd17bb007d8851da4648a2904ca2e40b939b529823a9d0cbe9e32df18a', '01a21ab9-1741-7414-861a-b05742c4fa7d'),
	('\x08b8a5f055498791be7f673dff1d8b9f3c31471886f8e6a2e191e3937afdfcce', '01a21ab9-178e-7707-810d-f748c08e9582'),
	('\x271e62679ba03b3635e3cf413302453ce20cd4bbe14c7c60dc13329afbe058dd', '01a21ab9-17c6-7826-b674-0ef3459e5dc5');


--
-- Data for Name: delivery_files; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.delivery_files OVERRIDING SYSTEM VALUE VALUES
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', '01a21ab9-1747-72cd-aa2c-ec9646aad8f9', '01a21ab9-1749-7956-89f8-0a6d6ae88550', '01a21ab9-1741-7414-861a-b05742c4fa7d', 1, 'delivery.csv', 'csv', 7, 21.21, '2026-01-31', '2026-01-31', '2026-11-27 01:57:47.464131+00', '2026-11-27 01:57:47.479699+00', '01a21ab9-174f-7e61-89cc-94b6271665e8'),
	('01a21ab9-1720-7cfb-b5f6-6820706324ad', '01a21ab9-1748-725f-9c12-b2c7fe1d4a0f', '01a21ab9-1749-7d3b-98cf-8a7914576752', '01a21ab9-1741-7414-861a-b05742c4fa7d', 2, 'delivery.csv', 'csv', 7, 21.21, '2026-01-31', '2026-01-31', '2026-11-27 01:57:47.465559+00', '2026-11-27 01:57:47.479699+00', '01a21ab9-174f-7f07-aab3-05bda889a767'),
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', '01a21ab9-1793-748a-91e7-89fbf73ce7ba', '01a21ab9-1794-7237-b26f-5397298c59f0', '01a21ab9-178e-7707-810d-f748c08e9582', 3, 'delivery.csv', 'csv', 7, 21.21, '2026-01-31', '2026-01-31', '2026-11-27 01:57:47.540248+00', '2026-11-27 01:57:47.549904+00', '01a21ab9-179b-7f26-b1e1-b8393a6bb189'),
	('01a21ab9-1720-7cfb-b5f6-6820706324ad', '01a21ab9-1794-706e-92fe-ffd82910f113', '01a21ab9-1794-706e-92fe-ffdc508dff9c', '01a21ab9-178e-7707-810d-f748c08e9582', 4, 'delivery.csv', 'csv', 7, 21.21, '2026-01-31', '2026-01-31', '2026-11-27 01:57:47.540606+00', '2026-11-27 01:57:47.549904+00', '01a21ab9-179b-74ee-a6c4-e288b090333a'),
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', '01a21ab9-17ca-79ba-ac3a-2608135862a4', '01a21ab9-17cb-7322-857d-7803bcd1c6a9', '01a21ab9-17c6-7826-b674-0ef3459e5dc5', 5, 'delivery.csv', 'csv', 7, 21.21, '2026-01-31', '2026-01-31', '2026-11-27 01:57:47.594991+00', '2026-11-27 01:57:47.601672+00', '01a21ab9-17cf-7241-bf01-71893f6625ee'),
	('01a21ab9-1720-7cfb-b5f6-6820706324ad', '01a21ab9-17cb-718e-982b-9eac2d8529b7', '01a21ab9-17cb-718e-982b-9eae64d3a63b', '01a21ab9-17c6-7826-b674-0ef3459e5dc5', 6, 'delivery.csv', 'csv', 7, 21.21, '2026-01-31', '2026-01-31', '2026-11-27 01:57:47.595234+00', '2026-11-27 01:57:47.601672+00', '01a21ab9-17cf-7b26-863b-fd7bde9fb856'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1ac5dd54ae05', '01a21ab9-1a29-7239-89a5-1ad9b65ae745', '97361548-2133-4710-ae8d-e29aa59ddfba', 9, 'sandbox-2026-11-27.csv', 'csv', 38, 1093172.96, '2026-11-27', '2026-11-27', '2026-11-27 01:57:48.207177+00', '2026-11-27 01:57:48.211043+00', '01a21ab9-1a29-7239-89a5-1ada0dc4a6c0');


--
-- Data for Name: delivery_names; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.delivery_names VALUES
	('01a21ab9-1741-7414-861a-b05742c4fa7d', 0, 'name 01a21ab9-1741-7414-861a-b05742c4fa7d'),
	('01a21ab9-178e-7707-810d-f748c08e9582', 0, 'name 01a21ab9-178e-7707-810d-f748c08e9582'),
	('01a21ab9-17c6-7826-b674-0ef3459e5dc5', 0, 'name 01a21ab9-17c6-7826-b674-0ef3459e5dc5'),
	('01a21ab9-17f1-760f-b94b-35d173b88ecc', 0, 'name 01a21ab9-17f1-760f-b94b-35d173b88ecc'),
	('97361548-2133-4710-ae8d-e29aa59ddfba', 0, 'name 97361548-2133-4710-ae8d-e29aa59ddfba');


--
-- Data for Name: delivery_notices; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.delivery_notices VALUES
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', 'delivery_late', '2026-11-27 01:57:47.966862+00', '2026-11-27 01:57:47.966862+00'),
	('01a21ab9-1720-7cfb-b5f6-6820706324ad', 'delivery_late', '2026-11-27 01:57:48.177292+00', '2026-11-27 01:57:48.177292+00');


--
-- Data for Name: delivery_withdrawals; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.delivery_withdrawals VALUES
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', '04defe18-a3c4-42ec-9abf-17aa39d8a31b', 'x', '2026-11-27 01:57:47.970252+00'),
	('01a21ab9-1720-7cfb-b5f6-6820706324ad', 'cac43284-096d-458b-98bd-d8f73ca0aef5', 'x', '2026-11-27 01:57:48.177961+00');


--
-- Data for Name: goose_db_version; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.goose_db_version VALUES
	(1, 0, true, '2026-11-27 01:57:46.785617'),
	(2, 1, true, '2026-11-27 01:57:46.800273'),
	(3, 2, true, '2026-11-27 01:57:46.800612'),
	(4, 3, true, '2026-11-27 01:57:46.806743'),
	(5, 4, true, '2026-11-27 01:57:46.832258'),
	(6, 5, true, '2026-11-27 01:57:46.894824'),
	(7, 6, true, '2026-11-27 01:57:46.931942'),
	(8, 7, true, '2026-11-27 01:57:46.971472'),
	(9, 8, true, '2026-11-27 01:57:46.978404');


--
-- Data for Name: held_records; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.held_records VALUES
	('01a21ab9-1741-7414-861a-b05742c4fa7d', '01a21ab9-16d8-7433-8f8c-446380a59dbf', 99, 1, '2026-01-01', '10000009', '1234', '1', 'CARD', 1.00, 'x', '2026-11-27 01:57:47.967911+00'),
	('01a21ab9-1741-7414-861a-b05742c4fa7d', '01a21ab9-1720-7cfb-b5f6-6820706324ad', 99, 1, '2026-01-01', '10000009', '1234', '1', 'CARD', 1.00, 'x', '2026-11-27 01:57:48.177531+00');


--
-- Data for Name: invitations; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.invitations VALUES
	('\x8bb1f49bff8047032065b569a931b6da1eb871957abf34aea63ca386bce0e79f', NULL, '01a21ab9-16d8-7433-8f8c-446380a59dbf', '30bc66f5-05ab-4fe4-8bbc-2982dbd47e72', 'new@example.com', 'viewer', NULL, '2026-11-27 01:57:47.953363+00', '2026-11-27 01:57:47.953363+00'),
	('\xa27facf6f99cd8562c83aa2de78a5e95eb47bc5a60f6e6ab347df1d3c65c94a1', NULL, '01a21ab9-1720-7cfb-b5f6-6820706324ad', '34094cda-08b9-4bad-b1d1-333858152ee3', 'new@example.com', 'viewer', NULL, '2026-11-27 01:57:48.170466+00', '2026-11-27 01:57:48.170466+00');


--
-- Data for Name: key_callers; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.key_callers VALUES
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', '01a21ab9-1895-70de-a3c5-644ad6bcb1b5', '10.0.0.1', 'curl', 'curl/8', '2026-11-27 01:57:47.960412+00', '2026-11-27 01:57:47.960412+00', NULL, NULL, 1, 0, NULL),
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', '01a21ab9-1927-7859-bbf4-7a70638d0d0e', '10.0.0.1', 'curl', 'curl/8', '2026-11-27 01:57:47.960412+00', '2026-11-27 01:57:47.960412+00', NULL, NULL, 1, 0, NULL),
	('01a21ab9-1720-7cfb-b5f6-6820706324ad', '01a21ab9-1976-75d9-905e-a67298767cd3', '10.0.0.1', 'curl', 'curl/8', '2026-11-27 01:57:48.174456+00', '2026-11-27 01:57:48.174456+00', NULL, NULL, 1, 0, NULL),
	('01a21ab9-1720-7cfb-b5f6-6820706324ad', '01a21ab9-1a04-776e-b5f0-d3d2a370416f', '10.0.0.1', 'curl', 'curl/8', '2026-11-27 01:57:48.174456+00', '2026-11-27 01:57:48.174456+00', NULL, NULL, 1, 0, NULL);


--
-- Data for Name: key_usage; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.key_usage VALUES
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', '2026-11-27 01:57:47.957656+00', '01a21ab9-1895-70de-a3c5-644ad6bcb1b5', 1, 0, false),
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', '2026-11-27 01:57:47.957656+00', '01a21ab9-1927-7859-bbf4-7a70638d0d0e', 1, 0, false),
	('01a21ab9-1720-7cfb-b5f6-6820706324ad', '2026-11-27 01:57:48.1711+00', '01a21ab9-1976-75d9-905e-a67298767cd3', 1, 0, false),
	('01a21ab9-1720-7cfb-b5f6-6820706324ad', '2026-11-27 01:57:48.1711+00', '01a21ab9-1a04-776e-b5f0-d3d2a370416f', 1, 0, false);


--
-- Data for Name: mail_senders; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.mail_senders VALUES
	(true, '2026-11-27 01:57:47.349931+00');


--
-- Data for Name: mails; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.mails VALUES
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', '20a8402f-1809-48c6-8393-b6583ed95f06', 'member_joined', 'both@example.com', '01a21ab9-185c-7cb4-a922-e545f92dfac5', '{"at": "2026-11-27T01:57:47Z", "role": "owner", "member": "a@example.com", "because": "role"}', '2026-11-27 01:57:47.768294+00', 0, '2026-11-27 01:57:47.768294+00', '', NULL, NULL),
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', 'c1665002-6b6d-4ba2-98f4-0ae1c22b4cca', 'key_created', 'a@example.com', '01a21ab9-1878-734b-9ecd-4f29e5e4c278', '{"at": "2026-11-27T01:57:47Z", "key": "successor", "hint": "XRpC", "key_id": "01a21ab9-1927-7859-bbf4-7a70638d0d0e", "because": "role"}', '2026-11-27 01:57:47.94378+00', 0, '2026-11-27 01:57:47.94378+00', '', NULL, NULL),
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', '83dfc2d2-be59-464b-85d1-c228ba04b62a', 'key_created', 'both@example.com', '01a21ab9-185c-7cb4-a922-e545f92dfac5', '{"at": "2026-11-27T01:57:47Z", "key": "successor", "hint": "XRpC", "key_id": "01a21ab9-1927-7859-bbf4-7a70638d0d0e", "because": "role"}', '2026-11-27 01:57:47.94378+00', 0, '2026-11-27 01:57:47.94378+00', '', NULL, NULL),
	('01a21ab9-1720-7cfb-b5f6-6820706324ad', '0829075e-dcee-4255-8cc2-d6b5b313e74a', 'key_created', 'b@example.com', '01a21ab9-1955-7028-a268-986dd90333de', '{"at": "2026-11-27T01:57:48Z", "key": "successor", "hint": "qHjw", "key_id": "01a21ab9-1a04-776e-b5f0-d3d2a370416f", "because": "role"}', '2026-11-27 01:57:48.164684+00', 0, '2026-11-27 01:57:48.164684+00', '', NULL, NULL);


--
-- Data for Name: memberships; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.memberships VALUES
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', '01a21ab9-185c-7cb4-a922-e545f92dfac5', 'owner', '2026-11-27 01:57:47.743327+00', '2026-11-27 01:57:47.743327+00'),
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', '01a21ab9-1878-734b-9ecd-4f29e5e4c278', 'owner', '2026-11-27 01:57:47.776059+00', '2026-11-27 01:57:47.776059+00'),
	('01a21ab9-1720-7cfb-b5f6-6820706324ad', '01a21ab9-1955-7028-a268-986dd90333de', 'owner', '2026-11-27 01:57:47.99108+00', '2026-11-27 01:57:47.99108+00'),
	('01a21ab9-1720-7cfb-b5f6-6820706324ad', '01a21ab9-185c-7cb4-a922-e545f92dfac5', 'viewer', '2026-11-27 01:57:48.182285+00', '2026-11-27 01:57:48.182285+00');


--
-- Data for Name: organizations; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.organizations VALUES
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', 'a', 'Organization a', false, NULL, 2, 4, 21, 63.63, 1795744667735955, '01a21ab9-1848-7df3-89de-078b5a5c0b74', NULL, NULL, false, 0, 0, 'Europe/Copenhagen', '', '', '2026-11-27 01:57:47.358129+00', '2026-11-27 01:57:47.354317+00', '2026-11-27 01:57:47.358129+00'),
	('01a21ab9-1720-7cfb-b5f6-6820706324ad', 'b', 'Organization b', false, NULL, 2, 4, 21, 63.63, 1795744667736077, '01a21ab9-1848-7f8d-b65f-42fc3c372da0', NULL, NULL, false, 0, 0, 'Europe/Copenhagen', '', '', '2026-11-27 01:57:47.425027+00', '2026-11-27 01:57:47.4249+00', '2026-11-27 01:57:47.425027+00'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', 'sandbox', 'Sandbox sandbox', true, '2026-11-27', 20, 1, 38, 1093172.96, 1795744668213843, '01a21ab9-1a29-7239-89a5-1adad22c88a5', NULL, NULL, false, 0, 0, 'Europe/Copenhagen', '', '', '2026-11-27 01:57:48.18339+00', '2026-11-27 01:57:48.183109+00', '2026-11-27 01:57:48.18339+00');


--
-- Data for Name: password_links; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.password_links VALUES
	('\x2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881', 'password', '01a21ab9-185c-7cb4-a922-e545f92dfac5', '2026-11-27 01:57:48.229485+00', '2026-11-27 01:57:48.229485+00');


--
-- Data for Name: password_requests; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.password_requests VALUES
	('5105dd0f-ce70-498e-86ec-709cc7def8ad', 'password', 'x@example.com', '192.0.2.1', '2026-11-27 01:57:48.230101+00');


--
-- Data for Name: recovery_codes; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.recovery_codes VALUES
	('01a21ab9-185c-7cb4-a922-e545f92dfac5', '\x000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'),
	('01a21ab9-1878-734b-9ecd-4f29e5e4c278', '\x000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'),
	('01a21ab9-1955-7028-a268-986dd90333de', '\x000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000');


--
-- Data for Name: refused_deliveries; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.refused_deliveries VALUES
	(true, 1, 20);


--
-- Data for Name: refused_requests; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.refused_requests VALUES
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', 'b2bb47d9-f996-4813-9217-ed26f96074d7', '2026-11-27 01:57:47.962339+00', '01a21ab9-1895-70de-a3c5-644ad6bcb1b5', 429, '', 'GET', '/', '10.0.0.1', 'curl/8'),
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', 'ade8977d-6917-4b12-b80a-e3025291f4e4', '2026-11-27 01:57:47.962339+00', '01a21ab9-1927-7859-bbf4-7a70638d0d0e', 429, '', 'GET', '/', '10.0.0.1', 'curl/8'),
	('01a21ab9-1720-7cfb-b5f6-6820706324ad', '9040da64-ae55-479f-9ddc-23b41fb3cbad', '2026-11-27 01:57:48.175237+00', '01a21ab9-1976-75d9-905e-a67298767cd3', 429, '', 'GET', '/', '10.0.0.1', 'curl/8'),
	('01a21ab9-1720-7cfb-b5f6-6820706324ad', 'c2a9b94d-ab0f-47ed-ae64-82233e6cdb1c', '2026-11-27 01:57:48.175237+00', '01a21ab9-1a04-776e-b5f0-d3d2a370416f', 429, '', 'GET', '/', '10.0.0.1', 'curl/8');


--
-- Data for Name: running_tasks; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.running_tasks VALUES
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', 'bulk', 'f3722a3d-77af-47a6-96f7-6ebe2664a034', '2026-11-27 01:57:47.965753+00'),
	('01a21ab9-1720-7cfb-b5f6-6820706324ad', 'bulk', 'abf3ab7e-c9f3-40be-9d6e-d114a37d33fb', '2026-11-27 01:57:48.176925+00');


--
-- Data for Name: served_requests; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.served_requests VALUES
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', '01a21ab9-1895-70de-a3c5-644ad6bcb1b5', 'b27479b4-2c41-45bb-ad80-f7c10f9e69fb', '2026-11-27 01:57:47.963977+00', '10.0.0.1', 'curl', '/', 200, 1),
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', '01a21ab9-1927-7859-bbf4-7a70638d0d0e', 'ff828193-e587-488f-9d6e-d9db1d865262', '2026-11-27 01:57:47.963977+00', '10.0.0.1', 'curl', '/', 200, 1),
	('01a21ab9-1720-7cfb-b5f6-6820706324ad', '01a21ab9-1976-75d9-905e-a67298767cd3', '45c3aa7e-f460-4358-8516-36818eade34f', '2026-11-27 01:57:48.176196+00', '10.0.0.1', 'curl', '/', 200, 1),
	('01a21ab9-1720-7cfb-b5f6-6820706324ad', '01a21ab9-1a04-776e-b5f0-d3d2a370416f', 'a6c26a2d-02cd-4a50-9a44-1387050e60ee', '2026-11-27 01:57:48.176196+00', '10.0.0.1', 'curl', '/', 200, 1);


--
-- Data for Name: sessions; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.sessions VALUES
	('4e70cb6e-b55e-4bcb-83b5-34c143369c22', '\x03d478b31819046603e1474816474bbf0abc1bef3fc65d91c36ce5c39fe4e408', '01a21ab9-185c-7cb4-a922-e545f92dfac5', '01a21ab9-16d8-7433-8f8c-446380a59dbf', '10.0.0.1', 'x', '2026-11-27 01:57:47.971235+00', '2026-11-27 01:57:47.971235+00', '2026-11-27 01:57:47.971235+00', '2026-11-27 01:57:47.971235+00'),
	('c45cbca3-7505-4471-84d3-5ae6e8286fcf', '\xb48e29c1768e6d3b91e44c7701b9b16c4775c5edfc1256cb5d9c56c9b15bfbe1', '01a21ab9-1878-734b-9ecd-4f29e5e4c278', '01a21ab9-16d8-7433-8f8c-446380a59dbf', '10.0.0.1', 'x', '2026-11-27 01:57:47.971235+00', '2026-11-27 01:57:47.971235+00', '2026-11-27 01:57:47.971235+00', '2026-11-27 01:57:47.971235+00'),
	('330a65af-0b41-4b9e-b431-b8b904a6bd4d', '\x16c062ff18a20d678a5371866d62d6ef4370f25699982d1d85ee014638e0fa64', '01a21ab9-1955-7028-a268-986dd90333de', '01a21ab9-1720-7cfb-b5f6-6820706324ad', '10.0.0.1', 'x', '2026-11-27 01:57:48.178173+00', '2026-11-27 01:57:48.178173+00', '2026-11-27 01:57:48.178173+00', '2026-11-27 01:57:48.178173+00');


--
-- Data for Name: sign_in_failures; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.sign_in_failures VALUES
	('account x', 1, '2026-11-27 01:57:48.228041+00');


--
-- Data for Name: transactions; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.transactions VALUES
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', '01a21ab9-1748-7f1e-93f6-9bc5f3a74ed4', '01a21ab9-1747-72cd-aa2c-ec9646aad8f9', 1, 1, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 0.00, '10000001,1234,0000000001,CARD,2026-01-31,1,0.00'),
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', '01a21ab9-1749-7956-89f8-0a6b95e5da36', '01a21ab9-1747-72cd-aa2c-ec9646aad8f9', 2, 2, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 1.01, '10000001,1234,0000000001,CARD,2026-01-31,2,1.01'),
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', '01a21ab9-1749-7956-89f8-0a6be52f1c5c', '01a21ab9-1747-72cd-aa2c-ec9646aad8f9', 3, 3, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 2.02, '10000001,1234,0000000001,CARD,2026-01-31,3,2.02'),
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', '01a21ab9-1749-7956-89f8-0a6c1a98cb92', '01a21ab9-1747-72cd-aa2c-ec9646aad8f9', 4, 4, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 3.03, '10000001,1234,0000000001,CARD,2026-01-31,4,3.03'),
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', '01a21ab9-1749-7956-89f8-0a6c3b47cdba', '01a21ab9-1747-72cd-aa2c-ec9646aad8f9', 5, 5, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 4.04, '10000001,1234,0000000001,CARD,2026-01-31,5,4.04'),
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', '01a21ab9-1749-7956-89f8-0a6d2bcffb76', '01a21ab9-1747-72cd-aa2c-ec9646aad8f9', 6, 6, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 5.05, '10000001,1234,0000000001,CARD,2026-01-31,6,5.05'),
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', '01a21ab9-1749-7956-89f8-0a6d6ae88550', '01a21ab9-1747-72cd-aa2c-ec9646aad8f9', 7, 7, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 6.06, '10000001,1234,0000000001,CARD,2026-01-31,7,6.06'),
	('01a21ab9-1720-7cfb-b5f6-6820706324ad', '01a21ab9-1749-7d3b-98cf-8a767aeaea2d', '01a21ab9-1748-725f-9c12-b2c7fe1d4a0f', 1, 1, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 0.00, '10000001,1234,0000000001,CARD,2026-01-31,1,0.00'),
	('01a21ab9-1720-7cfb-b5f6-6820706324ad', '01a21ab9-1749-7d3b-98cf-8a776b489917', '01a21ab9-1748-725f-9c12-b2c7fe1d4a0f', 2, 2, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 1.01, '10000001,1234,0000000001,CARD,2026-01-31,2,1.01'),
	('01a21ab9-1720-7cfb-b5f6-6820706324ad', '01a21ab9-1749-7d3b-98cf-8a7816387477', '01a21ab9-1748-725f-9c12-b2c7fe1d4a0f', 3, 3, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 2.02, '10000001,1234,0000000001,CARD,2026-01-31,3,2.02'),
	('01a21ab9-1720-7cfb-b5f6-6820706324ad', '01a21ab9-1749-7d3b-98cf-8a784168a377', '01a21ab9-1748-725f-9c12-b2c7fe1d4a0f', 4, 4, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 3.03, '10000001,1234,0000000001,CARD,2026-01-31,4,3.03'),
	('01a21ab9-1720-7cfb-b5f6-6820706324ad', '01a21ab9-1749-7d3b-98cf-8a784e212a93', '01a21ab9-1748-725f-9c12-b2c7fe1d4a0f', 5, 5, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 4.04, '10000001,1234,0000000001,CARD,2026-01-31,5,4.04'),
	('01a21ab9-1720-7cfb-b5f6-6820706324ad', '01a21ab9-1749-7d3b-98cf-8a7868649fd5', '01a21ab9-1748-725f-9c12-b2c7fe1d4a0f', 6, 6, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 5.05, '10000001,1234,0000000001,CARD,2026-01-31,6,5.05'),
	('01a21ab9-1720-7cfb-b5f6-6820706324ad', '01a21ab9-1749-7d3b-98cf-8a7914576752', '01a21ab9-1748-725f-9c12-b2c7fe1d4a0f', 7, 7, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 6.06, '10000001,1234,0000000001,CARD,2026-01-31,7,6.06'),
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', '01a21ab9-1794-7237-b26f-539374b6d66e', '01a21ab9-1793-748a-91e7-89fbf73ce7ba', 1, 1, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 0.00, '10000001,1234,0000000002,CARD,2026-01-31,1,0.00'),
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', '01a21ab9-1794-7237-b26f-539463436aa5', '01a21ab9-1793-748a-91e7-89fbf73ce7ba', 2, 2, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 1.01, '10000001,1234,0000000002,CARD,2026-01-31,2,1.01'),
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', '01a21ab9-1794-7237-b26f-5394ea2191f9', '01a21ab9-1793-748a-91e7-89fbf73ce7ba', 3, 3, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 2.02, '10000001,1234,0000000002,CARD,2026-01-31,3,2.02'),
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', '01a21ab9-1794-7237-b26f-53950a277326', '01a21ab9-1793-748a-91e7-89fbf73ce7ba', 4, 4, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 3.03, '10000001,1234,0000000002,CARD,2026-01-31,4,3.03'),
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', '01a21ab9-1794-7237-b26f-5395cc247fdb', '01a21ab9-1793-748a-91e7-89fbf73ce7ba', 5, 5, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 4.04, '10000001,1234,0000000002,CARD,2026-01-31,5,4.04'),
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', '01a21ab9-1794-7237-b26f-5396c6d964d4', '01a21ab9-1793-748a-91e7-89fbf73ce7ba', 6, 6, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 5.05, '10000001,1234,0000000002,CARD,2026-01-31,6,5.05'),
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', '01a21ab9-1794-7237-b26f-5397298c59f0', '01a21ab9-1793-748a-91e7-89fbf73ce7ba', 7, 7, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 6.06, '10000001,1234,0000000002,CARD,2026-01-31,7,6.06'),
	('01a21ab9-1720-7cfb-b5f6-6820706324ad', '01a21ab9-1794-706e-92fe-ffd917d29c5c', '01a21ab9-1794-706e-92fe-ffd82910f113', 1, 1, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 0.00, '10000001,1234,0000000002,CARD,2026-01-31,1,0.00'),
	('01a21ab9-1720-7cfb-b5f6-6820706324ad', '01a21ab9-1794-706e-92fe-ffd9e0bb623c', '01a21ab9-1794-706e-92fe-ffd82910f113', 2, 2, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 1.01, '10000001,1234,0000000002,CARD,2026-01-31,2,1.01'),
	('01a21ab9-1720-7cfb-b5f6-6820706324ad', '01a21ab9-1794-706e-92fe-ffdab5f00aa4', '01a21ab9-1794-706e-92fe-ffd82910f113', 3, 3, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 2.02, '10000001,1234,0000000002,CARD,2026-01-31,3,2.02'),
	('01a21ab9-1720-7cfb-b5f6-6820706324ad', '01a21ab9-1794-706e-92fe-ffdb8aa4b32d', '01a21ab9-1794-706e-92fe-ffd82910f113', 4, 4, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 3.03, '10000001,1234,0000000002,CARD,2026-01-31,4,3.03'),
	('01a21ab9-1720-7cfb-b5f6-6820706324ad', '01a21ab9-1794-706e-92fe-ffdb9c6649a7', '01a21ab9-1794-706e-92fe-ffd82910f113', 5, 5, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 4.04, '10000001,1234,0000000002,CARD,2026-01-31,5,4.04'),
	('01a21ab9-1720-7cfb-b5f6-6820706324ad', '01a21ab9-1794-706e-92fe-ffdc1c9758ae', '01a21ab9-1794-706e-92fe-ffd82910f113', 6, 6, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 5.05, '10000001,1234,0000000002,CARD,2026-01-31,6,5.05'),
	('01a21ab9-1720-7cfb-b5f6-6820706324ad', '01a21ab9-1794-706e-92fe-ffdc508dff9c', '01a21ab9-1794-706e-92fe-ffd82910f113', 7, 7, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 6.06, '10000001,1234,0000000002,CARD,2026-01-31,7,6.06'),
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', '01a21ab9-17cb-7322-857d-7801a8a0bf49', '01a21ab9-17ca-79ba-ac3a-2608135862a4', 1, 1, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 0.00, '10000001,1234,0000000003,CARD,2026-01-31,1,0.00'),
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', '01a21ab9-17cb-7322-857d-7801b09debd9', '01a21ab9-17ca-79ba-ac3a-2608135862a4', 2, 2, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 1.01, '10000001,1234,0000000003,CARD,2026-01-31,2,1.01'),
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', '01a21ab9-17cb-7322-857d-7801d1fb6ac8', '01a21ab9-17ca-79ba-ac3a-2608135862a4', 3, 3, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 2.02, '10000001,1234,0000000003,CARD,2026-01-31,3,2.02'),
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', '01a21ab9-17cb-7322-857d-78028744f641', '01a21ab9-17ca-79ba-ac3a-2608135862a4', 4, 4, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 3.03, '10000001,1234,0000000003,CARD,2026-01-31,4,3.03'),
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', '01a21ab9-17cb-7322-857d-78029234ada0', '01a21ab9-17ca-79ba-ac3a-2608135862a4', 5, 5, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 4.04, '10000001,1234,0000000003,CARD,2026-01-31,5,4.04'),
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', '01a21ab9-17cb-7322-857d-78033344a828', '01a21ab9-17ca-79ba-ac3a-2608135862a4', 6, 6, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 5.05, '10000001,1234,0000000003,CARD,2026-01-31,6,5.05'),
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', '01a21ab9-17cb-7322-857d-7803bcd1c6a9', '01a21ab9-17ca-79ba-ac3a-2608135862a4', 7, 7, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 6.06, '10000001,1234,0000000003,CARD,2026-01-31,7,6.06'),
	('01a21ab9-1720-7cfb-b5f6-6820706324ad', '01a21ab9-17cb-718e-982b-9eace28a8fad', '01a21ab9-17cb-718e-982b-9eac2d8529b7', 1, 1, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 0.00, '10000001,1234,0000000003,CARD,2026-01-31,1,0.00'),
	('01a21ab9-1720-7cfb-b5f6-6820706324ad', '01a21ab9-17cb-718e-982b-9ead471ae405', '01a21ab9-17cb-718e-982b-9eac2d8529b7', 2, 2, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 1.01, '10000001,1234,0000000003,CARD,2026-01-31,2,1.01'),
	('01a21ab9-1720-7cfb-b5f6-6820706324ad', '01a21ab9-17cb-718e-982b-9ead4f12efbf', '01a21ab9-17cb-718e-982b-9eac2d8529b7', 3, 3, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 2.02, '10000001,1234,0000000003,CARD,2026-01-31,3,2.02'),
	('01a21ab9-1720-7cfb-b5f6-6820706324ad', '01a21ab9-17cb-718e-982b-9ead99dc8c1f', '01a21ab9-17cb-718e-982b-9eac2d8529b7', 4, 4, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 3.03, '10000001,1234,0000000003,CARD,2026-01-31,4,3.03'),
	('01a21ab9-1720-7cfb-b5f6-6820706324ad', '01a21ab9-17cb-718e-982b-9ead9ca404ff', '01a21ab9-17cb-718e-982b-9eac2d8529b7', 5, 5, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 4.04, '10000001,1234,0000000003,CARD,2026-01-31,5,4.04'),
	('01a21ab9-1720-7cfb-b5f6-6820706324ad', '01a21ab9-17cb-718e-982b-9eadfc6758d9', '01a21ab9-17cb-718e-982b-9eac2d8529b7', 6, 6, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 5.05, '10000001,1234,0000000003,CARD,2026-01-31,6,5.05'),
	('01a21ab9-1720-7cfb-b5f6-6820706324ad', '01a21ab9-17cb-718e-982b-9eae64d3a63b', '01a21ab9-17cb-718e-982b-9eac2d8529b7', 7, 7, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 6.06, '10000001,1234,0000000003,CARD,2026-01-31,7,6.06'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1ac6bb3f36f6', '01a21ab9-1a29-7239-89a5-1ac5dd54ae05', 1, 20, '2026-11-27', '99073152', '8765', '6513390008', 'CARD', 4592.54, '99073152,8765,6513390008,CARD,2026-11-27,20,4592.54'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1ac6bf26bff5', '01a21ab9-1a29-7239-89a5-1ac5dd54ae05', 2, 26, '2026-11-27', '99073152', '8765', '6513390008', 'CARD', 9806.78, '99073152,8765,6513390008,CARD,2026-11-27,26,9806.78'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1ac75adee332', '01a21ab9-1a29-7239-89a5-1ac5dd54ae05', 3, 30, '2026-11-27', '99073152', '8765', '6513390008', 'CARD', 5283.53, '99073152,8765,6513390008,CARD,2026-11-27,30,5283.53'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1ac7b20ffe55', '01a21ab9-1a29-7239-89a5-1ac5dd54ae05', 4, 44, '2026-11-27', '99950579', '9406', '1363319320', 'CARD', 17276.49, '99950579,9406,1363319320,CARD,2026-11-27,44,17276.49'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1ac82023bf68', '01a21ab9-1a29-7239-89a5-1ac5dd54ae05', 5, 71, '2026-11-27', '99950579', '9406', '1363319320', 'CARD', 22495.63, '99950579,9406,1363319320,CARD,2026-11-27,71,22495.63'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1ac8fdb291c2', '01a21ab9-1a29-7239-89a5-1ac5dd54ae05', 6, 151, '2026-11-27', '99193786', '3471', '5915939172', 'CARD', 32958.70, '99193786,3471,5915939172,CARD,2026-11-27,151,32958.70'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1ac9a10eefa0', '01a21ab9-1a29-7239-89a5-1ac5dd54ae05', 7, 117, '2026-11-27', '99193786', '3471', '5915939172', 'MOBILE', 39818.99, '99193786,3471,5915939172,MOBILE,2026-11-27,117,39818.99'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1ac9c33af582', '01a21ab9-1a29-7239-89a5-1ac5dd54ae05', 8, 81, '2026-11-27', '99193786', '3471', '5915939172', 'CARD', 23051.37, '99193786,3471,5915939172,CARD,2026-11-27,81,23051.37'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1ac9e30707e2', '01a21ab9-1a29-7239-89a5-1ac5dd54ae05', 9, 108, '2026-11-27', '99193786', '3471', '5915939172', 'CARD', 55731.57, '99193786,3471,5915939172,CARD,2026-11-27,108,55731.57'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1aca99ddd2a7', '01a21ab9-1a29-7239-89a5-1ac5dd54ae05', 10, 49, '2026-11-27', '99193786', '3471', '5915939172', 'CARD', 22177.82, '99193786,3471,5915939172,CARD,2026-11-27,49,22177.82'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1acb939145a4', '01a21ab9-1a29-7239-89a5-1ac5dd54ae05', 11, 96, '2026-11-27', '99193786', '3471', '5915939172', 'CARD', 20575.06, '99193786,3471,5915939172,CARD,2026-11-27,96,20575.06'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1acc488db9dc', '01a21ab9-1a29-7239-89a5-1ac5dd54ae05', 12, 109, '2026-11-27', '99193786', '3471', '5915939172', 'CARD', 19865.18, '99193786,3471,5915939172,CARD,2026-11-27,109,19865.18'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1acca200404b', '01a21ab9-1a29-7239-89a5-1ac5dd54ae05', 13, 43, '2026-11-27', '99649321', '0114', '6944114070', 'CARD', 5649.89, '99649321,0114,6944114070,CARD,2026-11-27,43,5649.89'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1acd0aa9200d', '01a21ab9-1a29-7239-89a5-1ac5dd54ae05', 14, 30, '2026-11-27', '99649321', '0114', '6944114070', 'CARD', 5650.52, '99649321,0114,6944114070,CARD,2026-11-27,30,5650.52'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1acd6606905d', '01a21ab9-1a29-7239-89a5-1ac5dd54ae05', 15, 4, '2026-11-27', '99697083', '2893', '0534265795', 'CARD', 928.30, '99697083,2893,0534265795,CARD,2026-11-27,4,928.30'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1acdd7da59e1', '01a21ab9-1a29-7239-89a5-1ac5dd54ae05', 16, 9, '2026-11-27', '99182695', '6563', '5502837125', 'CARD', 376.08, '99182695,6563,5502837125,CARD,2026-11-27,9,376.08'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1acec5480279', '01a21ab9-1a29-7239-89a5-1ac5dd54ae05', 17, 4, '2026-11-27', '99090227', '2789', '8555685944', 'CARD', 2224.32, '99090227,2789,8555685944,CARD,2026-11-27,4,2224.32'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1acf5aec91ef', '01a21ab9-1a29-7239-89a5-1ac5dd54ae05', 18, 58, '2026-11-27', '99986212', '9993', '4004219684', 'ONLINE', 9295.07, '99986212,9993,4004219684,ONLINE,2026-11-27,58,9295.07'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1ad033a8767e', '01a21ab9-1a29-7239-89a5-1ac5dd54ae05', 19, 46, '2026-11-27', '99986212', '9993', '4004219684', 'CARD', 2385.20, '99986212,9993,4004219684,CARD,2026-11-27,46,2385.20'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1ad0cd1b7fb4', '01a21ab9-1a29-7239-89a5-1ac5dd54ae05', 20, 22, '2026-11-27', '99986212', '9993', '4004219684', 'CARD', 1524.40, '99986212,9993,4004219684,CARD,2026-11-27,22,1524.40'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1ad16ee09e5d', '01a21ab9-1a29-7239-89a5-1ac5dd54ae05', 21, 7, '2026-11-27', '99689145', '6487', '0666729710', 'CARD', 1240.17, '99689145,6487,0666729710,CARD,2026-11-27,7,1240.17'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1ad19124acb0', '01a21ab9-1a29-7239-89a5-1ac5dd54ae05', 22, 13, '2026-11-27', '99448504', '4543', '8848539891', 'CARD', 2460.75, '99448504,4543,8848539891,CARD,2026-11-27,13,2460.75'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1ad22ff3bcbe', '01a21ab9-1a29-7239-89a5-1ac5dd54ae05', 23, 23, '2026-11-27', '99289171', '5933', '2227773821', 'CARD', 6877.04, '99289171,5933,2227773821,CARD,2026-11-27,23,6877.04'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1ad30e88e2b3', '01a21ab9-1a29-7239-89a5-1ac5dd54ae05', 24, 38, '2026-11-27', '99601663', '6050', '5603247190', 'CARD', 14466.86, '99601663,6050,5603247190,CARD,2026-11-27,38,14466.86'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1ad3f584a997', '01a21ab9-1a29-7239-89a5-1ac5dd54ae05', 25, 18, '2026-11-27', '99601663', '6050', '5603247190', 'CARD', 2237.31, '99601663,6050,5603247190,CARD,2026-11-27,18,2237.31'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1ad41c4b489d', '01a21ab9-1a29-7239-89a5-1ac5dd54ae05', 26, 11, '2026-11-27', '99270160', '9039', '7432388492', 'ONLINE', 1712.42, '99270160,9039,7432388492,ONLINE,2026-11-27,11,1712.42'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1ad4baaa89bc', '01a21ab9-1a29-7239-89a5-1ac5dd54ae05', 27, 5, '2026-11-27', '99552611', '6553', '6530250542', 'CARD', 13768.02, '99552611,6553,6530250542,CARD,2026-11-27,5,13768.02'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1ad4c1293313', '01a21ab9-1a29-7239-89a5-1ac5dd54ae05', 28, 183, '2026-11-27', '99487100', '2826', '6880998564', 'CARD', 167014.10, '99487100,2826,6880998564,CARD,2026-11-27,183,167014.10'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1ad58816b142', '01a21ab9-1a29-7239-89a5-1ac5dd54ae05', 29, 41, '2026-11-27', '99487100', '2826', '6880998564', 'CARD', 26702.02, '99487100,2826,6880998564,CARD,2026-11-27,41,26702.02'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1ad5d0b19149', '01a21ab9-1a29-7239-89a5-1ac5dd54ae05', 30, 86, '2026-11-27', '99487100', '2826', '6880998564', 'ONLINE', 81303.74, '99487100,2826,6880998564,ONLINE,2026-11-27,86,81303.74'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1ad5e7f7956f', '01a21ab9-1a29-7239-89a5-1ac5dd54ae05', 31, 2, '2026-11-27', '99487100', '2826', '6880998564', 'REFUND', -2817.92, '99487100,2826,6880998564,REFUND,2026-11-27,2,-2817.92'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1ad68db66c97', '01a21ab9-1a29-7239-89a5-1ac5dd54ae05', 32, 235, '2026-11-27', '99487100', '2826', '6880998564', 'ONLINE', 178283.33, '99487100,2826,6880998564,ONLINE,2026-11-27,235,178283.33'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1ad712c8c37a', '01a21ab9-1a29-7239-89a5-1ac5dd54ae05', 33, 85, '2026-11-27', '99487100', '2826', '6880998564', 'CARD', 65925.93, '99487100,2826,6880998564,CARD,2026-11-27,85,65925.93'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1ad7b894ffb4', '01a21ab9-1a29-7239-89a5-1ac5dd54ae05', 34, 121, '2026-11-27', '99487100', '2826', '6880998564', 'MOBILE', 193674.71, '99487100,2826,6880998564,MOBILE,2026-11-27,121,193674.71'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1ad85c6c1667', '01a21ab9-1a29-7239-89a5-1ac5dd54ae05', 35, 45, '2026-11-27', '99900539', '9240', '9451138515', 'ONLINE', 3324.08, '99900539,9240,9451138515,ONLINE,2026-11-27,45,3324.08'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1ad8a2361812', '01a21ab9-1a29-7239-89a5-1ac5dd54ae05', 36, 44, '2026-11-27', '99900539', '9240', '9451138515', 'CARD', 7573.77, '99900539,9240,9451138515,CARD,2026-11-27,44,7573.77'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1ad8d545ec1e', '01a21ab9-1a29-7239-89a5-1ac5dd54ae05', 37, 17, '2026-11-27', '99900539', '9240', '9451138515', 'ONLINE', 3593.70, '99900539,9240,9451138515,ONLINE,2026-11-27,17,3593.70'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', '01a21ab9-1a29-7239-89a5-1ad9b65ae745', '01a21ab9-1a29-7239-89a5-1ac5dd54ae05', 38, 12, '2026-11-27', '99259450', '9820', '6843998285', 'MOBILE', 24165.49, '99259450,9820,6843998285,MOBILE,2026-11-27,12,24165.49');


--
-- Data for Name: transactions_kept; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.transactions_kept VALUES
	(true, '99 years');


--
-- Data for Name: users; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.users VALUES
	('01a21ab9-185c-7cb4-a922-e545f92dfac5', 'both@example.com', '2026-11-27 01:57:47.765047+00', 'sha384-nfc$2a$04$kIoR4iqmGW46Dwh72VYpEOtSg35GtVUnZX3AZ4bGk8d4UCN.uNvsO', NULL, 0, NULL, NULL, '{arrivals}', '', '', '2026-11-27 01:57:47.741254+00', '2026-11-27 01:57:47.741254+00'),
	('01a21ab9-1878-734b-9ecd-4f29e5e4c278', 'a@example.com', '2026-11-27 01:57:47.793077+00', 'sha384-nfc$2a$04$u.QmLwATfZ4FcbGvZws5Nu5jE/Fn.oBfpfcXRUg1zSbK7UUFXtBoC', NULL, 0, NULL, NULL, '{arrivals}', '', '', '2026-11-27 01:57:47.768548+00', '2026-11-27 01:57:47.768548+00'),
	('01a21ab9-1955-7028-a268-986dd90333de', 'b@example.com', '2026-11-27 01:57:48.018109+00', 'sha384-nfc$2a$04$A7INcHK4H38OV/7ufu.wdu.Z8z0rHQ/G0sSMLSbmwWrqnCFNYBcg2', NULL, 0, NULL, NULL, '{arrivals}', '', '', '2026-11-27 01:57:47.989194+00', '2026-11-27 01:57:47.989194+00');


--
-- Data for Name: withdrawn_files; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.withdrawn_files VALUES
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', '01a21ab9-1818-7ff1-84fc-f63d4bb676fc', 'delivery.csv', 'csv', 2, 1.01, '2026-01-31', '2026-01-31', '2026-11-27 01:57:47.688562+00', '2026-11-27 01:57:47.708917+00', 'wrong', '01a21ab9-1848-7df3-89de-078b5a5c0b74'),
	('01a21ab9-1720-7cfb-b5f6-6820706324ad', '01a21ab9-1828-7231-a4c8-5421f76a0221', 'delivery.csv', 'csv', 2, 1.01, '2026-01-31', '2026-01-31', '2026-11-27 01:57:47.689213+00', '2026-11-27 01:57:47.708917+00', 'wrong', '01a21ab9-1848-7f8d-b65f-42fc3c372da0');


--
-- Data for Name: withdrawn_totals; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.withdrawn_totals VALUES
	('01a21ab9-1720-7cfb-b5f6-6820706324ad', '10000001', '2026-01-31', '01a21ab9-1828-7231-a4c8-5421f76a0221', 2, 1.01, '2026-11-27 01:57:47.708917+00'),
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', '10000001', '2026-01-31', '01a21ab9-1818-7ff1-84fc-f63d4bb676fc', 2, 1.01, '2026-11-27 01:57:47.708917+00'),
	('01a21ab9-1720-7cfb-b5f6-6820706324ad', '', '2026-01-31', '01a21ab9-1828-7231-a4c8-5421f76a0221', 2, 1.01, '2026-11-27 01:57:47.708917+00'),
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', '', '2026-01-31', '01a21ab9-1818-7ff1-84fc-f63d4bb676fc', 2, 1.01, '2026-11-27 01:57:47.708917+00');


--
-- Data for Name: writers; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.writers VALUES
	('01a21ab9-16d8-7433-8f8c-446380a59dbf', 0, '00000000-0000-0000-0000-000000000000'),
	('01a21ab9-1720-7cfb-b5f6-6820706324ad', 0, '00000000-0000-0000-0000-000000000000'),
	('01a21ab9-1a17-70d8-bdf2-3a38c8668a2e', 0, '00000000-0000-0000-0000-000000000000');


--
-- Name: deliveries_number_seq; Type: SEQUENCE SET; Schema: public; Owner: dispo
--

SELECT pg_catalog.setval('public.deliveries_number_seq', 5, true);


--
-- Name: delivery_files_number_seq; Type: SEQUENCE SET; Schema: public; Owner: dispo
--

SELECT pg_catalog.setval('public.delivery_files_number_seq', 9, true);


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
-- Name: transactions_kept transactions_kept_pkey; Type: CONSTRAINT; Schema: public; Owner: dispo
--

ALTER TABLE ONLY public.transactions_kept
    ADD CONSTRAINT transactions_kept_pkey PRIMARY KEY (only_row);


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

CREATE INDEX held_records_only ON public.held_records USING btree (only_organization_id, cvr) WHERE (only_organization_id IS NOT NULL);


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
-- Name: FUNCTION api_key_find(wanted text, wanted_sandbox boolean); Type: ACL; Schema: public; Owner: dispo_operator
--

REVOKE ALL ON FUNCTION public.api_key_find(wanted text, wanted_sandbox boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION public.api_key_find(wanted text, wanted_sandbox boolean) TO dispo_app;


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
-- Name: FUNCTION invitation_find(wanted bytea); Type: ACL; Schema: public; Owner: dispo_operator
--

REVOKE ALL ON FUNCTION public.invitation_find(wanted bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION public.invitation_find(wanted bytea) TO dispo_app;


--
-- Name: FUNCTION keep_audit_log(period interval); Type: ACL; Schema: public; Owner: dispo_keeper
--

REVOKE ALL ON FUNCTION public.keep_audit_log(period interval) FROM PUBLIC;
GRANT ALL ON FUNCTION public.keep_audit_log(period interval) TO dispo_app;


--
-- Name: FUNCTION keep_callers(period interval); Type: ACL; Schema: public; Owner: dispo_keeper
--

REVOKE ALL ON FUNCTION public.keep_callers(period interval) FROM PUBLIC;
GRANT ALL ON FUNCTION public.keep_callers(period interval) TO dispo_app;


--
-- Name: FUNCTION keep_held_records(period interval); Type: ACL; Schema: public; Owner: dispo_keeper
--

REVOKE ALL ON FUNCTION public.keep_held_records(period interval) FROM PUBLIC;
GRANT ALL ON FUNCTION public.keep_held_records(period interval) TO dispo_app;


--
-- Name: FUNCTION keep_mails(period interval); Type: ACL; Schema: public; Owner: dispo_keeper
--

REVOKE ALL ON FUNCTION public.keep_mails(period interval) FROM PUBLIC;
GRANT ALL ON FUNCTION public.keep_mails(period interval) TO dispo_app;


--
-- Name: FUNCTION keep_requests(period interval); Type: ACL; Schema: public; Owner: dispo_keeper
--

REVOKE ALL ON FUNCTION public.keep_requests(period interval) FROM PUBLIC;
GRANT ALL ON FUNCTION public.keep_requests(period interval) TO dispo_app;


--
-- Name: FUNCTION keep_sessions(period interval); Type: ACL; Schema: public; Owner: dispo_keeper
--

REVOKE ALL ON FUNCTION public.keep_sessions(period interval) FROM PUBLIC;
GRANT ALL ON FUNCTION public.keep_sessions(period interval) TO dispo_app;


--
-- Name: FUNCTION keep_usage(period interval); Type: ACL; Schema: public; Owner: dispo_keeper
--

REVOKE ALL ON FUNCTION public.keep_usage(period interval) FROM PUBLIC;
GRANT ALL ON FUNCTION public.keep_usage(period interval) TO dispo_app;


--
-- Name: FUNCTION keep_usage_hours(period interval); Type: ACL; Schema: public; Owner: dispo_keeper
--

REVOKE ALL ON FUNCTION public.keep_usage_hours(period interval) FROM PUBLIC;
GRANT ALL ON FUNCTION public.keep_usage_hours(period interval) TO dispo_app;


--
-- Name: FUNCTION keep_withdrawn_totals(period interval); Type: ACL; Schema: public; Owner: dispo_keeper
--

REVOKE ALL ON FUNCTION public.keep_withdrawn_totals(period interval) FROM PUBLIC;
GRANT ALL ON FUNCTION public.keep_withdrawn_totals(period interval) TO dispo_app;


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
-- Name: FUNCTION organization_erase(gone uuid, most bigint); Type: ACL; Schema: public; Owner: dispo_keeper
--

REVOKE ALL ON FUNCTION public.organization_erase(gone uuid, most bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION public.organization_erase(gone uuid, most bigint) TO dispo_operator;


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
-- Name: FUNCTION withdraw_aged(period interval); Type: ACL; Schema: public; Owner: dispo_operator
--

REVOKE ALL ON FUNCTION public.withdraw_aged(period interval) FROM PUBLIC;
GRANT ALL ON FUNCTION public.withdraw_aged(period interval) TO dispo_app;


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


--
-- Name: TABLE transactions; Type: ACL; Schema: public; Owner: dispo
--

GRANT SELECT,DELETE ON TABLE public.transactions TO dispo_keeper;
GRANT SELECT ON TABLE public.transactions TO dispo_app;
GRANT SELECT,INSERT,DELETE ON TABLE public.transactions TO dispo_operator;


--
-- Name: TABLE transactions_kept; Type: ACL; Schema: public; Owner: dispo
--

GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE public.transactions_kept TO dispo_operator;


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


