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
            default_amount_cents = excluded.default_amount_cents, change_id = excluded.change_id, updated_at = now()
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

COMMENT ON TABLE public.goose_db_version IS 'dispo edition 6fdc50aee114';


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
	('01a20e51-e35f-7d32-b3e0-ce969eff1a7d', '01a20e51-e15e-768c-ac61-6458378aae50', false, '8ib1kJOsjoeG', '$2a$04$F9eMXsAJrql3CUe7VGsHF.LryzmAiNW9LrrHMaGGe0SQV9nsk6Y56', NULL, 'Eq0V', 'test', '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-24 16:09:37.388031+00', '2026-11-24 16:09:37.388031+00'),
	('01a20e51-e424-77d1-a144-29a68566eb64', '01a20e51-e15e-768c-ac61-6458378aae50', false, '21AwXCJw0sWe', '$2a$10$JcE7a18HGs2Onnq33ApzPus8KpDsp2uQbu.i6O1q3eWOtSEEl4qAO', '\x5803f609ab24c0ae9151cc593add7daf22189790c749c6cac262e6056203191569c5ed87', 'v8Os', 'successor', '', NULL, '01a20e51-e35f-7d32-b3e0-ce969eff1a7d', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-24 16:09:37.57834+00', '2026-11-24 16:09:37.572727+00'),
	('01a20e51-e48a-7626-8f7d-b840918b96e4', '01a20e51-e190-76e1-8603-3fdb298277e9', false, '5i0XoesKdZGf', '$2a$04$YyJqoHv4wEjF7oHXiD7DeedG2qTlTC.HXC2rR8OGr3F4882qOpfum', NULL, 'VyUH', 'test', '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-24 16:09:37.685815+00', '2026-11-24 16:09:37.685815+00'),
	('01a20e51-e596-7bdd-aec1-cdd0880b00e2', '01a20e51-e190-76e1-8603-3fdb298277e9', false, 'Xr3OqEk7cFu4', '$2a$10$JxMcVqwk9zg5pR4xd1voAOx4nLk1krnEE1WQtHgcys22QiwQNUAmu', '\x5803f6099f7a19cafebee2c23986b99cc9208771cd065059016317e2ea21f6d8ab843908', 'EJMs', 'successor', '', NULL, '01a20e51-e48a-7626-8f7d-b840918b96e4', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-24 16:09:37.95277+00', '2026-11-24 16:09:37.951196+00'),
	('265ad09b-eae4-42f5-94e8-c1767c101ee9', '01a20e51-e15e-768c-ac61-6458378aae50', false, 'releasekey01', '$2a$04$lmq493uwWOiQJumkvixgPumw7Qgj7ysz8x4ElYVpwIWPl5y9am4RG', NULL, 'uWiW', 'of the first release', '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-24 16:09:38.039145+00', '2026-11-24 16:09:38.039145+00');


--
-- Data for Name: audit_log; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.audit_log VALUES
	('01a20e51-e15e-768c-ac61-6458378aae50', '01a20e51-e323-74e1-97ff-b0bbd7702aa0', '2026-11-24 16:09:37.315321+00', NULL, 'operator', 'delivery.withdraw', 'delivery.csv: 2 transactions of 1.01 DKK. Reason: wrong', 'command line', NULL),
	('01a20e51-e190-76e1-8603-3fdb298277e9', '01a20e51-e326-7839-91e6-354a0c47a0e9', '2026-11-24 16:09:37.318539+00', NULL, 'operator', 'delivery.withdraw', 'delivery.csv: 2 transactions of 1.01 DKK. Reason: wrong', 'command line', NULL),
	('01a20e51-e15e-768c-ac61-6458378aae50', '01a20e51-e338-75ef-963e-7bbfd4627650', '2026-11-24 16:09:37.336389+00', NULL, 'operator', 'user.create', 'both@example.com: owner', 'command line', NULL),
	('01a20e51-e15e-768c-ac61-6458378aae50', '01a20e51-e351-7560-9999-2ec52687c0dd', '2026-11-24 16:09:37.361352+00', NULL, 'operator', 'user.create', 'a@example.com: owner', 'command line', NULL),
	('01a20e51-e15e-768c-ac61-6458378aae50', '01a20e51-e42b-740d-b6c5-9293048b6c08', '2026-11-24 16:09:37.579265+00', NULL, 'operator', 'key.rotate', 'successor (dispo_…v8Os)', 'command line', '01a20e51-e424-77d1-a144-29a68566eb64'),
	('01a20e51-e190-76e1-8603-3fdb298277e9', '01a20e51-e474-77fc-8087-9facfbba6c5b', '2026-11-24 16:09:37.652523+00', NULL, 'operator', 'user.create', 'b@example.com: owner', 'command line', NULL),
	('01a20e51-e190-76e1-8603-3fdb298277e9', '01a20e51-e5a1-74b6-a8fd-032856e65d24', '2026-11-24 16:09:37.953309+00', NULL, 'operator', 'key.rotate', 'successor (dispo_…EJMs)', 'command line', '01a20e51-e596-7bdd-aec1-cdd0880b00e2');


--
-- Data for Name: companies; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.companies VALUES
	('01a20e51-e15e-768c-ac61-6458378aae50', '01a20e51-e174-797a-8fa7-f7a4a0687646', '10000002', 'Company 10000002', 'company 10000002', '\x161d17711741179615ef174f1880010914e714e614e614e614e614e614e614e8', NULL, '2026-11-24', '9999-12-31', 'CREATED', NULL, NULL, NULL, NULL, NULL, 0, 0.00, '2026-11-24 16:09:36.869052+00', '2026-11-24 16:09:36.869052+00', '01a20e51-e174-797a-8fa7-f7a4a0687646'),
	('01a20e51-e190-76e1-8603-3fdb298277e9', '01a20e51-e197-7add-aff7-ffd41f696403', '10000003', 'Company 10000003', 'company 10000003', '\x161d17711741179615ef174f1880010914e714e614e614e614e614e614e614e9', NULL, '2026-11-24', '9999-12-31', 'CREATED', NULL, NULL, NULL, NULL, NULL, 0, 0.00, '2026-11-24 16:09:36.916006+00', '2026-11-24 16:09:36.916006+00', '01a20e51-e197-7add-aff7-ffd41f696403'),
	('01a20e51-e15e-768c-ac61-6458378aae50', '01a20e51-e174-797a-8fa7-f7a4985155c9', '10000001', 'Company 10000001', 'company 10000001', '\x161d17711741179615ef174f1880010914e714e614e614e614e614e614e614e7', NULL, '2026-11-24', '9999-12-31', 'CREATED', NULL, NULL, NULL, NULL, NULL, 21, 63.63, '2026-11-24 16:09:36.869052+00', '2026-11-24 16:09:36.869052+00', '01a20e51-e174-797a-8fa7-f7a4985155c9'),
	('01a20e51-e190-76e1-8603-3fdb298277e9', '01a20e51-e197-7add-aff7-ffd36e49cd0c', '10000001', 'Company 10000001', 'company 10000001', '\x161d17711741179615ef174f1880010914e714e614e614e614e614e614e614e7', NULL, '2026-11-24', '9999-12-31', 'CREATED', NULL, NULL, NULL, NULL, NULL, 21, 63.63, '2026-11-24 16:09:36.916006+00', '2026-11-24 16:09:36.916006+00', '01a20e51-e197-7add-aff7-ffd36e49cd0c'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d5-7f6e-baa0-30b9d4f45a3e', '99789743', 'Fodterapi og Indlæg Stortå', 'fodterapi og indlæg stortå', '\x1684177116311816164c17bd15ef179616cd010917711691010916cd174f1631171119061691010917f31816177117bd18161908', 'Kvistbuen 2, 2. th., 6700 Esbjerg', '2026-12-19', '9999-12-31', 'CREATED', NULL, NULL, NULL, NULL, 425000, 0, 0.00, '2026-11-24 16:09:38.003531+00', '2026-11-24 16:09:38.003531+00', '01a20e51-e5d5-7f6e-baa0-30b9d4f45a3e'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d5-7f6e-baa0-30baab767d8e', '99993014', 'Muslingebåden Blåskæl', 'muslingebåden blåskæl', '\x1741183617f3171116cd174f1691164c160519081631164c174f010916051711190817f316ff19061711', 'Ålekistevænget 56, 2. th., 6700 Esbjerg', '2026-05-28', '2026-06-13', 'REJECTED', '7191', '8261398652', '9421', '3309952211', NULL, 0, 0.00, '2026-11-24 16:09:38.003531+00', '2026-11-24 16:09:38.003531+00', '01a20e51-e5d5-7f6e-baa0-30baab767d8e'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-8270308d3db1', '99660465', 'Tæppeland Uldum-Frynse A/S', 'tæppeland uldum-frynse a/s', '\x1816190617961796164c171115ef174f1631010918361711163118361741010d168417bd1880174f17f3164c010915ef027117f3', 'Klokkestøberstræde 24, 3000 Helsingør', '2021-06-21', '2025-11-28', 'TERMINATED', '1489', '0744478849', '6155', '0796064768', 50000, 0, 0.00, '2026-11-24 16:09:38.003531+00', '2026-11-24 16:09:38.003531+00', '01a20e51-e5d6-7c82-a617-8270308d3db1'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d5-7f6e-baa0-30b9d2141b15', '99766212', 'Tøjværket Nål og Knap ApS', 'tøjværket nål og knap aps', '\x1816190716e6185f190617bd16ff164c18160109174f19081711010917711691010916ff174f15ef1796010915ef179617f3', 'Humlemarksgade 131, 2. th., 6000 Kolding', '2024-02-20', '9999-12-31', 'REGISTERED', '7581', '4228989272', '0591', '5499120728', NULL, 3, 89007.40, '2026-11-24 16:09:38.003531+00', '2026-11-24 16:09:38.003531+00', '01a20e51-e5d5-7f6e-baa0-30b9d2141b15'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d5-7f6e-baa0-30ba9c186929', '99903325', 'Papirsvalen Bøger og Papir ApS', 'papirsvalen bøger og papir aps', '\x179615ef179616cd17bd17f3185f15ef1711164c174f0109160519071691164c17bd0109177116910109179615ef179616cd17bd010915ef179617f3', 'Skibstømrerpladsen 138, 2. th., 5000 Odense C', '2016-07-01', '9999-12-31', 'REGISTERED', '3710', '2913198925', NULL, NULL, NULL, 2, 6688.13, '2026-11-24 16:09:38.003531+00', '2026-11-24 16:09:38.003531+00', '01a20e51-e5d5-7f6e-baa0-30ba9c186929'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-826e6b585bd1', '99941537', 'Pladebiksen 33 Omdrejninger', 'pladebiksen 33 omdrejninger', '\x1796171115ef1631164c160516cd16ff17f3164c174f010914e914e9010917711741163117bd164c16e6174f16cd174f1691164c17bd', 'Kvistbuen 112, 2. th., 6000 Kolding', '2024-05-25', '9999-12-31', 'REGISTERED', '1077', '5747999980', '0386', '4546367209', NULL, 1, 4323.35, '2026-11-24 16:09:38.003531+00', '2026-11-24 16:09:38.003531+00', '01a20e51-e5d6-7c82-a617-826e6b585bd1'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-826ea525c3cc', '99271930', 'Teltpladsen Friluft & Grej ApS', 'teltpladsen friluft & grej aps', '\x1816164c171118161796171115ef163117f3164c174f0109168417bd16cd1711183616841816010902730109169117bd164c16e6010915ef179617f3', 'Tjørnehegnsvej 45, 9990 Skagen', '2014-08-13', '9999-12-31', 'REGISTERED', '8570', '8273124426', '0572', '6010906124', 75000, 2, 25725.32, '2026-11-24 16:09:38.003531+00', '2026-11-24 16:09:38.003531+00', '01a20e51-e5d6-7c82-a617-826ea525c3cc'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-826f338c516c', '99067268', 'Bageriet Skibskiksen ApS', 'bageriet skibskiksen aps', '\x160515ef1691164c17bd16cd164c1816010917f316ff16cd160517f316ff16cd16ff17f3164c174f010915ef179617f3', 'Vestre Kranvej 39, 6700 Esbjerg', '2020-09-08', '9999-12-31', 'REGISTERED', '1378', '2444152111', '8376', '2409138109', 375000, 1, 1141.81, '2026-11-24 16:09:38.003531+00', '2026-11-24 16:09:38.003531+00', '01a20e51-e5d6-7c82-a617-826f338c516c'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-826f0cc11b35', '99546964', 'Færgecaféen Over og Tilbage ApS', 'færgecaféen over og tilbage aps', '\x1684190617bd1691164c161d15ef1684164c164c174f01091771185f164c17bd0109177116910109181616cd1711160515ef1691164c010915ef179617f3', 'Kvistbuen 84, 1. tv., 5700 Svendborg', '2024-12-16', '9999-12-31', 'REGISTERED', '3727', '5469179686', '2499', '6457933895', NULL, 2, 5716.60, '2026-11-24 16:09:38.003531+00', '2026-11-24 16:09:38.003531+00', '01a20e51-e5d6-7c82-a617-826f0cc11b35'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-827068c38280', '99864478', 'Ostelageret Hul i Hul ApS', 'ostelageret hul i hul aps', '\x177117f31816164c171115ef1691164c17bd164c1816010916b418361711010916cd010916b418361711010915ef179617f3', 'Gamle Tovværksgade 75, 8000 Aarhus C', '2016-01-24', '9999-12-31', 'REGISTERED', '0200', '5169515017', '3140', '4525477971', NULL, 1, 1255.19, '2026-11-24 16:09:38.003531+00', '2026-11-24 16:09:38.003531+00', '01a20e51-e5d6-7c82-a617-827068c38280'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-8271465af5d5', '99506423', 'Lystfiskeren Krog & Line ApS', 'lystfiskeren krog & line aps', '\x1711188017f31816168416cd17f316ff164c17bd164c174f010916ff17bd17711691010902730109171116cd174f164c010915ef179617f3', NULL, '2017-05-08', '9999-12-31', 'REGISTERED', '4740', '0222927118', '8790', '1366137610', NULL, 1, 2110.91, '2026-11-24 16:09:38.003531+00', '2026-11-24 16:09:38.003531+00', '01a20e51-e5d6-7c82-a617-8271465af5d5'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-8271e7e4d76a', '99446129', 'Nordlys Varehus Vest A/S', 'nordlys varehus vest a/s', '\x174f177117bd16311711188017f30109185f15ef17bd164c16b4183617f30109185f164c17f31816010915ef027117f3', 'Humlemarksgade 83, 8900 Randers C', '2018-04-25', '9999-12-31', 'REGISTERED', '7830', '3648467619', '6290', '4457799743', 500000, 7, 168432.11, '2026-11-24 16:09:38.003531+00', '2026-11-24 16:09:38.003531+00', '01a20e51-e5d6-7c82-a617-8271e7e4d76a'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-827217a2ebeb', '99543647', 'Østersbaren Perlemor ApS', 'østersbaren perlemor aps', '\x190717f31816164c17bd17f3160515ef17bd164c174f01091796164c17bd1711164c1741177117bd010915ef179617f3', 'Vestre Kranvej 28, st. th., 1620 København V', '2021-05-04', '9999-12-31', 'REGISTERED', '1548', '2941240923', '0781', '2659226191', NULL, 3, 59567.83, '2026-11-24 16:09:38.003531+00', '2026-11-24 16:09:38.003531+00', '01a20e51-e5d6-7c82-a617-827217a2ebeb'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-8272896f36b1', '99064528', 'Det Blå Garnhjørne v/Inger Tvistholt', 'det blå garnhjørne v/inger tvistholt', '\x1631164c181601091605171119080109169115ef17bd174f16b416e6190717bd174f164c0109185f027116cd174f1691164c17bd01091816185f16cd17f3181616b4177117111816', 'Lærkespurvestien 44, 9000 Aalborg', '2020-12-14', '9999-12-31', 'REGISTERED', '9626', '2173199029', '8087', '0724239662', 675000, 1, 1777.33, '2026-11-24 16:09:38.003531+00', '2026-11-24 16:09:38.003531+00', '01a20e51-e5d6-7c82-a617-8272896f36b1'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-8272f9321090', '99441518', 'Caféen "Den Skæve Kop" ApS', 'caféen "den skæve kop" aps', '\x161d15ef1684164c164c174f010901f01631164c174f010917f316ff1906185f164c010916ff1771179601f0010915ef179617f3', 'Gamle Tovværksgade 45, 3000 Helsingør', '2021-12-06', '9999-12-31', 'REGISTERED', '4627', '9168008989', '9776', '4930479515', 650000, 3, 13727.18, '2026-11-24 16:09:38.003531+00', '2026-11-24 16:09:38.003531+00', '01a20e51-e5d6-7c82-a617-8272f9321090'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-82732d1ca8ac', '99706139', 'Børnehjørnet Klods & Bamse ApS', 'børnehjørnet klods & bamse aps', '\x1605190717bd174f164c16b416e6190717bd174f164c1816010916ff17111771163117f3010902730109160515ef174117f3164c010915ef179617f3', 'Kvistbuen 106, 2. th., 3000 Helsingør', '2017-02-03', '9999-12-31', 'MODIFIED', '5842', '7362287768', NULL, NULL, NULL, 1, 2634.35, '2026-11-24 16:09:38.003531+00', '2026-11-24 16:09:38.003531+00', '01a20e51-e5d6-7c82-a617-82732d1ca8ac'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-8274178c6578', '99589132', 'Isværftet Kold Køl ApS', 'isværftet kold køl aps', '\x16cd17f3185f190617bd16841816164c1816010916ff177117111631010916ff19071711010915ef179617f3', NULL, '2022-02-11', '9999-12-31', 'REGISTERED', '9197', '2558139951', '5761', '8282135092', NULL, 2, 3447.69, '2026-11-24 16:09:38.003531+00', '2026-11-24 16:09:38.003531+00', '01a20e51-e5d6-7c82-a617-8274178c6578'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-82747643f011', '99404817', 'Køkkenkompagniet Grydestad A/S', 'køkkenkompagniet grydestad a/s', '\x16ff190716ff16ff164c174f16ff17711741179615ef1691174f16cd164c18160109169117bd18801631164c17f3181615ef1631010915ef027117f3', 'Østre Pakhusgang 39, 2. th., 1620 København V', '2022-01-20', '9999-12-31', 'MODIFIED', '0728', '6541200336', '4182', '4015398803', 700000, 2, 106023.66, '2026-11-24 16:09:38.003531+00', '2026-11-24 16:09:38.003531+00', '01a20e51-e5d6-7c82-a617-82747643f011'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-8274b9aa8691', '99690763', 'Skibsprovianten Anker, Tov & Tjære A/S', 'skibsprovianten anker, tov & tjære a/s', '\x17f316ff16cd160517f3179617bd1771185f16cd15ef174f1816164c174f010915ef174f16ff164c17bd0120010918161771185f010902730109181616e6190617bd164c010915ef027117f3', NULL, '2019-06-30', '9999-12-31', 'REGISTERED', '3435', '8785489750', NULL, NULL, 350000, 8, 728326.90, '2026-11-24 16:09:38.003531+00', '2026-11-24 16:09:38.003531+00', '01a20e51-e5d6-7c82-a617-8274b9aa8691'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-8275a29b11dc', '99422505', 'Nordlys Byggemarked A/S', 'nordlys byggemarked a/s', '\x174f177117bd16311711188017f301091605188016911691164c174115ef17bd16ff164c1631010915ef027117f3', 'Klokkestøberstræde 74, 5700 Svendborg', '2017-01-20', '9999-12-31', 'REGISTERED', '5922', '4354170647', '8952', '1759640054', NULL, 8, 262020.08, '2026-11-24 16:09:38.003531+00', '2026-11-24 16:09:38.003531+00', '01a20e51-e5d6-7c82-a617-8275a29b11dc');


--
-- Data for Name: daily_totals; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.daily_totals VALUES
	('01a20e51-e15e-768c-ac61-6458378aae50', '', '2026-01-31', 'CARD', 21, 63.63, '01a20e51-e1c2-771d-8c53-1f50c757f40d', '01a20e51-e2f1-754a-bc33-9da6881649b2'),
	('01a20e51-e15e-768c-ac61-6458378aae50', '10000001', '2026-01-31', 'CARD', 21, 63.63, '01a20e51-e1c2-771d-8c53-1f50c757f40d', '01a20e51-e2f1-754a-bc33-9da6881649b2'),
	('01a20e51-e190-76e1-8603-3fdb298277e9', '', '2026-01-31', 'CARD', 21, 63.63, '01a20e51-e1c2-73bf-bc44-1c67680d5148', '01a20e51-e2f1-7620-ad07-13ec0159e7f9'),
	('01a20e51-e190-76e1-8603-3fdb298277e9', '10000001', '2026-01-31', 'CARD', 21, 63.63, '01a20e51-e1c2-73bf-bc44-1c67680d5148', '01a20e51-e2f1-7620-ad07-13ec0159e7f9'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '', '2026-11-24', 'CARD', 36, 1270170.43, '01a20e51-e5d6-7c82-a617-827735ad21e8', '01a20e51-e5d6-7c82-a617-828ed7fbd695'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '', '2026-11-24', 'MOBILE', 6, 106223.53, '01a20e51-e5d6-7c82-a617-8279f572e90e', '01a20e51-e5d6-7c82-a617-828c7b2a9bd2'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '', '2026-11-24', 'ONLINE', 5, 106270.37, '01a20e51-e5d6-7c82-a617-82804acf2ab6', '01a20e51-e5d6-7c82-a617-82872fee1f24'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '', '2026-11-24', 'REFUND', 1, -738.49, '01a20e51-e5d6-7c82-a617-828bd897ce28', '01a20e51-e5d6-7c82-a617-828bd897ce28'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '99064528', '2026-11-24', 'CARD', 1, 1777.33, '01a20e51-e5d6-7c82-a617-8284105dcb6a', '01a20e51-e5d6-7c82-a617-8284105dcb6a'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '99067268', '2026-11-24', 'CARD', 1, 1141.81, '01a20e51-e5d6-7c82-a617-827d57e36125', '01a20e51-e5d6-7c82-a617-827d57e36125'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '99271930', '2026-11-24', 'CARD', 2, 25725.32, '01a20e51-e5d6-7c82-a617-827b8153237e', '01a20e51-e5d6-7c82-a617-827be9d3a2c0'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '99404817', '2026-11-24', 'CARD', 1, 54913.04, '01a20e51-e5d6-7c82-a617-82879d45e2aa', '01a20e51-e5d6-7c82-a617-82879d45e2aa'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '99404817', '2026-11-24', 'ONLINE', 1, 51110.62, '01a20e51-e5d6-7c82-a617-82872fee1f24', '01a20e51-e5d6-7c82-a617-82872fee1f24'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '99422505', '2026-11-24', 'CARD', 5, 219431.09, '01a20e51-e5d6-7c82-a617-828c78e4c725', '01a20e51-e5d6-7c82-a617-828ed7fbd695'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '99422505', '2026-11-24', 'MOBILE', 2, 43327.48, '01a20e51-e5d6-7c82-a617-828b54d35ebc', '01a20e51-e5d6-7c82-a617-828c7b2a9bd2'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '99422505', '2026-11-24', 'REFUND', 1, -738.49, '01a20e51-e5d6-7c82-a617-828bd897ce28', '01a20e51-e5d6-7c82-a617-828bd897ce28'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '99441518', '2026-11-24', 'CARD', 2, 6419.66, '01a20e51-e5d6-7c82-a617-8284f298cdb4', '01a20e51-e5d6-7c82-a617-8285e4d44c50'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '99441518', '2026-11-24', 'ONLINE', 1, 7307.52, '01a20e51-e5d6-7c82-a617-82863d2e600c', '01a20e51-e5d6-7c82-a617-82863d2e600c'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '99446129', '2026-11-24', 'CARD', 5, 143740.68, '01a20e51-e5d6-7c82-a617-827f79351fb4', '01a20e51-e5d6-7c82-a617-828127437457'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '99446129', '2026-11-24', 'MOBILE', 1, 9092.63, '01a20e51-e5d6-7c82-a617-82820c31151b', '01a20e51-e5d6-7c82-a617-82820c31151b'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '99446129', '2026-11-24', 'ONLINE', 1, 15598.80, '01a20e51-e5d6-7c82-a617-82804acf2ab6', '01a20e51-e5d6-7c82-a617-82804acf2ab6'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '99506423', '2026-11-24', 'CARD', 1, 2110.91, '01a20e51-e5d6-7c82-a617-827f0d4de743', '01a20e51-e5d6-7c82-a617-827f0d4de743'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '99543647', '2026-11-24', 'CARD', 2, 28593.22, '01a20e51-e5d6-7c82-a617-8282c0dd5e5a', '01a20e51-e5d6-7c82-a617-8283657557da'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '99543647', '2026-11-24', 'ONLINE', 1, 30974.61, '01a20e51-e5d6-7c82-a617-8283b3f1b183', '01a20e51-e5d6-7c82-a617-8283b3f1b183'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '99546964', '2026-11-24', 'CARD', 2, 5716.60, '01a20e51-e5d6-7c82-a617-827c1ec6ac18', '01a20e51-e5d6-7c82-a617-827c7411d8f0'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '99589132', '2026-11-24', 'CARD', 1, 2168.87, '01a20e51-e5d6-7c82-a617-82870a76f841', '01a20e51-e5d6-7c82-a617-82870a76f841'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '99589132', '2026-11-24', 'ONLINE', 1, 1278.82, '01a20e51-e5d6-7c82-a617-828719beadf1', '01a20e51-e5d6-7c82-a617-828719beadf1'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '99690763', '2026-11-24', 'CARD', 7, 680187.20, '01a20e51-e5d6-7c82-a617-8287cf368da5', '01a20e51-e5d6-7c82-a617-828b075d1b7d'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '99690763', '2026-11-24', 'MOBILE', 1, 48139.70, '01a20e51-e5d6-7c82-a617-82894699799d', '01a20e51-e5d6-7c82-a617-82894699799d'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '99706139', '2026-11-24', 'CARD', 1, 2634.35, '01a20e51-e5d6-7c82-a617-8286b1b86252', '01a20e51-e5d6-7c82-a617-8286b1b86252'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '99766212', '2026-11-24', 'CARD', 3, 89007.40, '01a20e51-e5d6-7c82-a617-827735ad21e8', '01a20e51-e5d6-7c82-a617-8278be7f1f5b'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '99864478', '2026-11-24', 'CARD', 1, 1255.19, '01a20e51-e5d6-7c82-a617-827e44a042fc', '01a20e51-e5d6-7c82-a617-827e44a042fc'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '99903325', '2026-11-24', 'CARD', 1, 5347.76, '01a20e51-e5d6-7c82-a617-827979a99940', '01a20e51-e5d6-7c82-a617-827979a99940'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '99903325', '2026-11-24', 'MOBILE', 1, 1340.37, '01a20e51-e5d6-7c82-a617-8279f572e90e', '01a20e51-e5d6-7c82-a617-8279f572e90e'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '99941537', '2026-11-24', 'MOBILE', 1, 4323.35, '01a20e51-e5d6-7c82-a617-827a85bb0bc2', '01a20e51-e5d6-7c82-a617-827a85bb0bc2');


--
-- Data for Name: deliveries; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.deliveries OVERRIDING SYSTEM VALUE VALUES
	('01a20e51-e1b5-776c-86f2-628854e8f5be', 1, false, 'delivery.csv', 'csv', '\x7a6857c0725d04bb5fdc2a2daea61f9d407e3539b8e89f8916d3e9ad736ca06a', 7, 21.21, '2026-01-31', '2026-01-31', '2026-11-24 16:09:36.941408+00', NULL, NULL),
	('01a20e51-e236-727c-8345-66365a999e36', 2, false, 'delivery.csv', 'csv', '\x67f4e1f65a87ea376435d05bf15858040d7879394b6d1cad7c91ca86da7fc08c', 7, 21.21, '2026-01-31', '2026-01-31', '2026-11-24 16:09:36.984616+00', NULL, NULL),
	('01a20e51-e2b7-795f-95e5-a9b4e3656f2b', 3, false, 'delivery.csv', 'csv', '\x9f618077c31a059c59cb883d4bf463afe8870b19a35e506152e0fac27526c908', 7, 21.21, '2026-01-31', '2026-01-31', '2026-11-24 16:09:37.10457+00', NULL, NULL),
	('01a20e51-e2ed-7052-a21d-0ceb34c45855', 4, false, 'delivery.csv', 'csv', '\x3bfeaa0d4b50d9cc37f9a11eeda07b10e6e5546182b9c62bc56e33e7adbcf9f6', 2, 1.01, '2026-01-31', '2026-01-31', '2026-11-24 16:09:37.233262+00', '2026-11-24 16:09:37.323197+00', 'wrong'),
	('e41c2870-c939-4e99-8e98-894770d40144', 5, true, 'sandbox-2026-11-24.csv', 'csv', NULL, 48, 1481925.84, '2026-11-24', '2026-11-24', '2026-11-24 16:09:38.003531+00', NULL, NULL);


--
-- Data for Name: delivery_bytes; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.delivery_bytes VALUES
	('\x173c2ebd17bb007d8851da4648a2904ca2e40b939b529823a9d0cbe9e32df18a', '01a20e51-e1b5-776c-86f2-628854e8f5be'),
	('\x08b8a5f055498791be7f673dff1d8b9f3c31471886f8e6a2e191e3937afdfcce', '01a20e51-e236-727c-8345-66365a999e36'),
	('\x271e62679ba03b3635e3cf413302453ce20cd4bbe14c7c60dc13329afbe058dd', '01a20e51-e2b7-795f-95e5-a9b4e3656f2b');


--
-- Data for Name: delivery_files; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.delivery_files OVERRIDING SYSTEM VALUE VALUES
	('01a20e51-e15e-768c-ac61-6458378aae50', '01a20e51-e1bf-7f7f-b5ff-88b60bd301f9', '01a20e51-e1c2-771d-8c53-1f53daa934b0', '01a20e51-e1b5-776c-86f2-628854e8f5be', 1, 'delivery.csv', 'csv', 7, 21.21, '2026-01-31', '2026-01-31', '2026-11-24 16:09:36.96194+00', '2026-11-24 16:09:36.977001+00', '01a20e51-e1c7-76db-9a2e-18e788ce74f1'),
	('01a20e51-e190-76e1-8603-3fdb298277e9', '01a20e51-e1c2-73bf-bc44-1c67328b656c', '01a20e51-e1c2-73bf-bc44-1c6b37fc512c', '01a20e51-e1b5-776c-86f2-628854e8f5be', 2, 'delivery.csv', 'csv', 7, 21.21, '2026-01-31', '2026-01-31', '2026-11-24 16:09:36.962558+00', '2026-11-24 16:09:36.977035+00', '01a20e51-e1c7-7332-85c3-b821c5d1ec04'),
	('01a20e51-e15e-768c-ac61-6458378aae50', '01a20e51-e23c-7edf-a76e-f168e32c340e', '01a20e51-e23d-7651-b853-c9071cbc2ff9', '01a20e51-e236-727c-8345-66365a999e36', 3, 'delivery.csv', 'csv', 7, 21.21, '2026-01-31', '2026-01-31', '2026-11-24 16:09:37.085157+00', '2026-11-24 16:09:37.092655+00', '01a20e51-e243-7117-992a-00b7783d2260'),
	('01a20e51-e190-76e1-8603-3fdb298277e9', '01a20e51-e23d-79cb-b528-f3819ffafdc1', '01a20e51-e23d-79cb-b528-f384873aa1bb', '01a20e51-e236-727c-8345-66365a999e36', 4, 'delivery.csv', 'csv', 7, 21.21, '2026-01-31', '2026-01-31', '2026-11-24 16:09:37.085393+00', '2026-11-24 16:09:37.092678+00', '01a20e51-e243-71cf-98f3-231c24a4cdf2'),
	('01a20e51-e15e-768c-ac61-6458378aae50', '01a20e51-e2bd-757c-ab2a-a2019ade18b2', '01a20e51-e2be-7a06-86ac-d25d61d15b28', '01a20e51-e2b7-795f-95e5-a9b4e3656f2b', 5, 'delivery.csv', 'csv', 7, 21.21, '2026-01-31', '2026-01-31', '2026-11-24 16:09:37.213697+00', '2026-11-24 16:09:37.222644+00', '01a20e51-e2c1-72d3-b982-427fb6ce6c51'),
	('01a20e51-e190-76e1-8603-3fdb298277e9', '01a20e51-e2bd-72b9-8349-4b582ba2e84d', '01a20e51-e2be-77ad-9f60-3ec65b1a2133', '01a20e51-e2b7-795f-95e5-a9b4e3656f2b', 6, 'delivery.csv', 'csv', 7, 21.21, '2026-01-31', '2026-01-31', '2026-11-24 16:09:37.213926+00', '2026-11-24 16:09:37.222672+00', '01a20e51-e2c1-7556-a1e7-95e47149f7b6'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-827654c7b635', '01a20e51-e5d6-7c82-a617-828ed7fbd695', 'e41c2870-c939-4e99-8e98-894770d40144', 9, 'sandbox-2026-11-24.csv', 'csv', 48, 1481925.84, '2026-11-24', '2026-11-24', '2026-11-24 16:09:38.017992+00', '2026-11-24 16:09:38.02421+00', '01a20e51-e5d6-7c82-a617-828f143062a4');


--
-- Data for Name: delivery_names; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.delivery_names VALUES
	('01a20e51-e1b5-776c-86f2-628854e8f5be', 0, 'name 01a20e51-e1b5-776c-86f2-628854e8f5be'),
	('01a20e51-e236-727c-8345-66365a999e36', 0, 'name 01a20e51-e236-727c-8345-66365a999e36'),
	('01a20e51-e2b7-795f-95e5-a9b4e3656f2b', 0, 'name 01a20e51-e2b7-795f-95e5-a9b4e3656f2b'),
	('01a20e51-e2ed-7052-a21d-0ceb34c45855', 0, 'name 01a20e51-e2ed-7052-a21d-0ceb34c45855'),
	('e41c2870-c939-4e99-8e98-894770d40144', 0, 'name e41c2870-c939-4e99-8e98-894770d40144');


--
-- Data for Name: delivery_notices; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.delivery_notices VALUES
	('01a20e51-e15e-768c-ac61-6458378aae50', 'delivery_late', '2026-11-24 16:09:37.607695+00', '2026-11-24 16:09:37.607695+00'),
	('01a20e51-e190-76e1-8603-3fdb298277e9', 'delivery_late', '2026-11-24 16:09:37.973896+00', '2026-11-24 16:09:37.973896+00');


--
-- Data for Name: delivery_withdrawals; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.delivery_withdrawals VALUES
	('01a20e51-e15e-768c-ac61-6458378aae50', '69feb8d7-3e4e-44da-a845-a8902daf175c', 'x', '2026-11-24 16:09:37.609198+00'),
	('01a20e51-e190-76e1-8603-3fdb298277e9', '5f0cfb59-b82a-4170-9edb-e44e56c3d2e0', 'x', '2026-11-24 16:09:37.97433+00');


--
-- Data for Name: goose_db_version; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.goose_db_version VALUES
	(1, 0, true, '2026-11-24 16:09:36.323116'),
	(2, 1, true, '2026-11-24 16:09:36.337078'),
	(3, 2, true, '2026-11-24 16:09:36.337291'),
	(4, 3, true, '2026-11-24 16:09:36.347688'),
	(5, 4, true, '2026-11-24 16:09:36.37744'),
	(6, 5, true, '2026-11-24 16:09:36.415974'),
	(7, 6, true, '2026-11-24 16:09:36.442087'),
	(8, 7, true, '2026-11-24 16:09:36.453532'),
	(9, 8, true, '2026-11-24 16:09:36.454888');


--
-- Data for Name: held_records; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.held_records VALUES
	('01a20e51-e1b5-776c-86f2-628854e8f5be', '01a20e51-e15e-768c-ac61-6458378aae50', 99, 1, '2026-01-01', '10000009', '1234', '1', 'CARD', 1.00, 'x', '2026-11-24 16:09:37.608154+00'),
	('01a20e51-e1b5-776c-86f2-628854e8f5be', '01a20e51-e190-76e1-8603-3fdb298277e9', 99, 1, '2026-01-01', '10000009', '1234', '1', 'CARD', 1.00, 'x', '2026-11-24 16:09:37.974058+00');


--
-- Data for Name: invitations; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.invitations VALUES
	('\x185d07835703a66a7d47d4e87492bc08ddef781c3f58c8af52c8fcee5f75f634', NULL, '01a20e51-e15e-768c-ac61-6458378aae50', '3431a4d7-315e-41c1-a390-2730581ed0e3', 'new@example.com', 'viewer', NULL, '2026-11-24 16:09:37.587708+00', '2026-11-24 16:09:37.587708+00'),
	('\x29e341a7764866e46e26d028ba26351ffed80455c97b006d1c1597afc6002ccb', NULL, '01a20e51-e190-76e1-8603-3fdb298277e9', '43ca7ca6-3742-47f6-8787-2a44de6ebc17', 'new@example.com', 'viewer', NULL, '2026-11-24 16:09:37.954671+00', '2026-11-24 16:09:37.954671+00');


--
-- Data for Name: key_callers; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.key_callers VALUES
	('01a20e51-e15e-768c-ac61-6458378aae50', '01a20e51-e35f-7d32-b3e0-ce969eff1a7d', '10.0.0.1', 'curl', 'curl/8', '2026-11-24 16:09:37.595111+00', '2026-11-24 16:09:37.595111+00', NULL, NULL, 1, 0, NULL),
	('01a20e51-e15e-768c-ac61-6458378aae50', '01a20e51-e424-77d1-a144-29a68566eb64', '10.0.0.1', 'curl', 'curl/8', '2026-11-24 16:09:37.595111+00', '2026-11-24 16:09:37.595111+00', NULL, NULL, 1, 0, NULL),
	('01a20e51-e190-76e1-8603-3fdb298277e9', '01a20e51-e48a-7626-8f7d-b840918b96e4', '10.0.0.1', 'curl', 'curl/8', '2026-11-24 16:09:37.963124+00', '2026-11-24 16:09:37.963124+00', NULL, NULL, 1, 0, NULL),
	('01a20e51-e190-76e1-8603-3fdb298277e9', '01a20e51-e596-7bdd-aec1-cdd0880b00e2', '10.0.0.1', 'curl', 'curl/8', '2026-11-24 16:09:37.963124+00', '2026-11-24 16:09:37.963124+00', NULL, NULL, 1, 0, NULL);


--
-- Data for Name: key_usage; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.key_usage VALUES
	('01a20e51-e15e-768c-ac61-6458378aae50', '2026-11-24 16:09:37.589702+00', '01a20e51-e35f-7d32-b3e0-ce969eff1a7d', 1, 0, false),
	('01a20e51-e15e-768c-ac61-6458378aae50', '2026-11-24 16:09:37.589702+00', '01a20e51-e424-77d1-a144-29a68566eb64', 1, 0, false),
	('01a20e51-e190-76e1-8603-3fdb298277e9', '2026-11-24 16:09:37.959145+00', '01a20e51-e48a-7626-8f7d-b840918b96e4', 1, 0, false),
	('01a20e51-e190-76e1-8603-3fdb298277e9', '2026-11-24 16:09:37.959145+00', '01a20e51-e596-7bdd-aec1-cdd0880b00e2', 1, 0, false);


--
-- Data for Name: mail_senders; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.mail_senders VALUES
	(true, '2026-11-24 16:09:36.861366+00');


--
-- Data for Name: mails; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.mails VALUES
	('01a20e51-e15e-768c-ac61-6458378aae50', '0038bc4b-abe9-4b10-8236-08a093a2b758', 'member_joined', 'both@example.com', '01a20e51-e333-7c68-8f15-f367038d60ba', '{"at": "2026-11-24T16:09:37Z", "role": "owner", "member": "a@example.com", "because": "role"}', '2026-11-24 16:09:37.353201+00', 0, '2026-11-24 16:09:37.353201+00', '', NULL, NULL),
	('01a20e51-e15e-768c-ac61-6458378aae50', '60fc52cb-30d6-4022-a76a-7d6b8efefcd2', 'key_created', 'a@example.com', '01a20e51-e349-722d-af26-83b407b12a7f', '{"at": "2026-11-24T16:09:37Z", "key": "successor", "hint": "v8Os", "key_id": "01a20e51-e424-77d1-a144-29a68566eb64", "because": "role"}', '2026-11-24 16:09:37.572727+00', 0, '2026-11-24 16:09:37.572727+00', '', NULL, NULL),
	('01a20e51-e15e-768c-ac61-6458378aae50', 'b686e09a-ee98-4576-b491-35dafc48d5c4', 'key_created', 'both@example.com', '01a20e51-e333-7c68-8f15-f367038d60ba', '{"at": "2026-11-24T16:09:37Z", "key": "successor", "hint": "v8Os", "key_id": "01a20e51-e424-77d1-a144-29a68566eb64", "because": "role"}', '2026-11-24 16:09:37.572727+00', 0, '2026-11-24 16:09:37.572727+00', '', NULL, NULL),
	('01a20e51-e190-76e1-8603-3fdb298277e9', '74fcf82e-04fd-43d7-aa24-4e1bc85b5d08', 'key_created', 'b@example.com', '01a20e51-e46d-79c3-9eb0-be1850fe6405', '{"at": "2026-11-24T16:09:37Z", "key": "successor", "hint": "EJMs", "key_id": "01a20e51-e596-7bdd-aec1-cdd0880b00e2", "because": "role"}', '2026-11-24 16:09:37.951196+00', 0, '2026-11-24 16:09:37.951196+00', '', NULL, NULL);


--
-- Data for Name: memberships; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.memberships VALUES
	('01a20e51-e15e-768c-ac61-6458378aae50', '01a20e51-e333-7c68-8f15-f367038d60ba', 'owner', '2026-11-24 16:09:37.335892+00', '2026-11-24 16:09:37.335892+00'),
	('01a20e51-e15e-768c-ac61-6458378aae50', '01a20e51-e349-722d-af26-83b407b12a7f', 'owner', '2026-11-24 16:09:37.355119+00', '2026-11-24 16:09:37.355119+00'),
	('01a20e51-e190-76e1-8603-3fdb298277e9', '01a20e51-e46d-79c3-9eb0-be1850fe6405', 'owner', '2026-11-24 16:09:37.65123+00', '2026-11-24 16:09:37.65123+00'),
	('01a20e51-e190-76e1-8603-3fdb298277e9', '01a20e51-e333-7c68-8f15-f367038d60ba', 'viewer', '2026-11-24 16:09:38.001879+00', '2026-11-24 16:09:38.001879+00');


--
-- Data for Name: organizations; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.organizations VALUES
	('01a20e51-e15e-768c-ac61-6458378aae50', 'a', 'Organization a', false, NULL, 2, 4, 21, 63.63, 1795536577324043, '01a20e51-e318-711b-b81b-2677c62b6755', NULL, NULL, false, 0, 0, 'Europe/Copenhagen', '', '', '2026-11-24 16:09:36.863709+00', '2026-11-24 16:09:36.862648+00', '2026-11-24 16:09:36.863709+00'),
	('01a20e51-e190-76e1-8603-3fdb298277e9', 'b', 'Organization b', false, NULL, 2, 4, 21, 63.63, 1795536577324105, '01a20e51-e318-70fc-a730-5bf82328decc', NULL, NULL, false, 0, 0, 'Europe/Copenhagen', '', '', '2026-11-24 16:09:36.915183+00', '2026-11-24 16:09:36.912483+00', '2026-11-24 16:09:36.915183+00'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', 'sandbox', 'Sandbox sandbox', true, '2026-11-24', 20, 1, 48, 1481925.84, 1795536578025174, '01a20e51-e5d6-7c82-a617-828f432eef42', NULL, NULL, false, 0, 0, 'Europe/Copenhagen', '', '', '2026-11-24 16:09:38.002503+00', '2026-11-24 16:09:38.002352+00', '2026-11-24 16:09:38.002503+00');


--
-- Data for Name: password_links; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.password_links VALUES
	('\x2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881', 'password', '01a20e51-e333-7c68-8f15-f367038d60ba', '2026-11-24 16:09:38.046637+00', '2026-11-24 16:09:38.046637+00');


--
-- Data for Name: password_requests; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.password_requests VALUES
	('d756ba0b-6725-48b9-941d-fd2b64e91f3f', 'password', 'x@example.com', '192.0.2.1', '2026-11-24 16:09:38.04724+00');


--
-- Data for Name: recovery_codes; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.recovery_codes VALUES
	('01a20e51-e333-7c68-8f15-f367038d60ba', '\x000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'),
	('01a20e51-e349-722d-af26-83b407b12a7f', '\x000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'),
	('01a20e51-e46d-79c3-9eb0-be1850fe6405', '\x000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000');


--
-- Data for Name: refused_requests; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.refused_requests VALUES
	('01a20e51-e15e-768c-ac61-6458378aae50', '2a48e29d-60d1-4158-8fd7-012c64b1a670', '2026-11-24 16:09:37.597634+00', '01a20e51-e35f-7d32-b3e0-ce969eff1a7d', 429, '', 'GET', '/', '10.0.0.1', 'curl/8'),
	('01a20e51-e15e-768c-ac61-6458378aae50', 'a04ab1ea-9923-4f4e-a946-573b4bfc9b71', '2026-11-24 16:09:37.597634+00', '01a20e51-e424-77d1-a144-29a68566eb64', 429, '', 'GET', '/', '10.0.0.1', 'curl/8'),
	('01a20e51-e190-76e1-8603-3fdb298277e9', 'e3c9ee30-2a0b-40ce-8f79-545c70751418', '2026-11-24 16:09:37.967147+00', '01a20e51-e48a-7626-8f7d-b840918b96e4', 429, '', 'GET', '/', '10.0.0.1', 'curl/8'),
	('01a20e51-e190-76e1-8603-3fdb298277e9', '89e03d08-e878-48b6-b171-7dd5462dcd1a', '2026-11-24 16:09:37.967147+00', '01a20e51-e596-7bdd-aec1-cdd0880b00e2', 429, '', 'GET', '/', '10.0.0.1', 'curl/8');


--
-- Data for Name: running_tasks; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.running_tasks VALUES
	('01a20e51-e15e-768c-ac61-6458378aae50', 'bulk', 'd61a59e1-0471-4e0b-9938-7d17af4d7a27', '2026-11-24 16:09:37.607128+00'),
	('01a20e51-e190-76e1-8603-3fdb298277e9', 'bulk', 'a85ae753-3070-420a-be4d-907151c38444', '2026-11-24 16:09:37.973672+00');


--
-- Data for Name: served_requests; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.served_requests VALUES
	('01a20e51-e15e-768c-ac61-6458378aae50', '01a20e51-e35f-7d32-b3e0-ce969eff1a7d', '0c26c5c7-35b3-43e7-900b-b4f48109883f', '2026-11-24 16:09:37.603397+00', '10.0.0.1', 'curl', '/', 200, 1),
	('01a20e51-e15e-768c-ac61-6458378aae50', '01a20e51-e424-77d1-a144-29a68566eb64', '8b70573d-3c5f-4e14-9553-ba846d827df2', '2026-11-24 16:09:37.603397+00', '10.0.0.1', 'curl', '/', 200, 1),
	('01a20e51-e190-76e1-8603-3fdb298277e9', '01a20e51-e48a-7626-8f7d-b840918b96e4', '66197a96-2fae-4c8a-9696-b718a6a6ba29', '2026-11-24 16:09:37.971113+00', '10.0.0.1', 'curl', '/', 200, 1),
	('01a20e51-e190-76e1-8603-3fdb298277e9', '01a20e51-e596-7bdd-aec1-cdd0880b00e2', '6de16b44-b18b-4b86-b86b-84ad90d79d76', '2026-11-24 16:09:37.971113+00', '10.0.0.1', 'curl', '/', 200, 1);


--
-- Data for Name: sessions; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.sessions VALUES
	('95824698-854d-45b2-b53c-443a3b366e08', '\xf4ebea7cdba3ec200874ce9443027ca74c3504eb9211082b7ea938b8a6e73d9b', '01a20e51-e333-7c68-8f15-f367038d60ba', '01a20e51-e15e-768c-ac61-6458378aae50', '10.0.0.1', 'x', '2026-11-24 16:09:37.614179+00', '2026-11-24 16:09:37.614179+00', '2026-11-24 16:09:37.614179+00', '2026-11-24 16:09:37.614179+00'),
	('90e4018d-4340-45ae-aecb-195cc214c720', '\x0dd2f2edb6a8f5942c3cc4ec0e2607c22c93d05cefc62805ca33829816864cbb', '01a20e51-e349-722d-af26-83b407b12a7f', '01a20e51-e15e-768c-ac61-6458378aae50', '10.0.0.1', 'x', '2026-11-24 16:09:37.614179+00', '2026-11-24 16:09:37.614179+00', '2026-11-24 16:09:37.614179+00', '2026-11-24 16:09:37.614179+00'),
	('187f464f-4bb0-46b4-9738-817eaad5482e', '\x9e32dad13a6c57105399c7fdfcab58db12c6ad5f90b149df39fdb51161e43ed6', '01a20e51-e46d-79c3-9eb0-be1850fe6405', '01a20e51-e190-76e1-8603-3fdb298277e9', '10.0.0.1', 'x', '2026-11-24 16:09:37.987133+00', '2026-11-24 16:09:37.987133+00', '2026-11-24 16:09:37.987133+00', '2026-11-24 16:09:37.987133+00');


--
-- Data for Name: sign_in_failures; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.sign_in_failures VALUES
	('account x', 1, '2026-11-24 16:09:38.043109+00');


--
-- Data for Name: transactions; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.transactions VALUES
	('01a20e51-e15e-768c-ac61-6458378aae50', '01a20e51-e1c2-771d-8c53-1f50c757f40d', '01a20e51-e1bf-7f7f-b5ff-88b60bd301f9', 1, 1, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 0.00, '10000001,1234,0000000001,CARD,2026-01-31,1,0.00'),
	('01a20e51-e15e-768c-ac61-6458378aae50', '01a20e51-e1c2-771d-8c53-1f511830115e', '01a20e51-e1bf-7f7f-b5ff-88b60bd301f9', 2, 2, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 1.01, '10000001,1234,0000000001,CARD,2026-01-31,2,1.01'),
	('01a20e51-e15e-768c-ac61-6458378aae50', '01a20e51-e1c2-771d-8c53-1f51fcced985', '01a20e51-e1bf-7f7f-b5ff-88b60bd301f9', 3, 3, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 2.02, '10000001,1234,0000000001,CARD,2026-01-31,3,2.02'),
	('01a20e51-e15e-768c-ac61-6458378aae50', '01a20e51-e1c2-771d-8c53-1f526c058e7c', '01a20e51-e1bf-7f7f-b5ff-88b60bd301f9', 4, 4, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 3.03, '10000001,1234,0000000001,CARD,2026-01-31,4,3.03'),
	('01a20e51-e15e-768c-ac61-6458378aae50', '01a20e51-e1c2-771d-8c53-1f52862a7527', '01a20e51-e1bf-7f7f-b5ff-88b60bd301f9', 5, 5, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 4.04, '10000001,1234,0000000001,CARD,2026-01-31,5,4.04'),
	('01a20e51-e15e-768c-ac61-6458378aae50', '01a20e51-e1c2-771d-8c53-1f5303163b0f', '01a20e51-e1bf-7f7f-b5ff-88b60bd301f9', 6, 6, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 5.05, '10000001,1234,0000000001,CARD,2026-01-31,6,5.05'),
	('01a20e51-e15e-768c-ac61-6458378aae50', '01a20e51-e1c2-771d-8c53-1f53daa934b0', '01a20e51-e1bf-7f7f-b5ff-88b60bd301f9', 7, 7, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 6.06, '10000001,1234,0000000001,CARD,2026-01-31,7,6.06'),
	('01a20e51-e190-76e1-8603-3fdb298277e9', '01a20e51-e1c2-73bf-bc44-1c67680d5148', '01a20e51-e1c2-73bf-bc44-1c67328b656c', 1, 1, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 0.00, '10000001,1234,0000000001,CARD,2026-01-31,1,0.00'),
	('01a20e51-e190-76e1-8603-3fdb298277e9', '01a20e51-e1c2-73bf-bc44-1c67b214d559', '01a20e51-e1c2-73bf-bc44-1c67328b656c', 2, 2, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 1.01, '10000001,1234,0000000001,CARD,2026-01-31,2,1.01'),
	('01a20e51-e190-76e1-8603-3fdb298277e9', '01a20e51-e1c2-73bf-bc44-1c6884753695', '01a20e51-e1c2-73bf-bc44-1c67328b656c', 3, 3, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 2.02, '10000001,1234,0000000001,CARD,2026-01-31,3,2.02'),
	('01a20e51-e190-76e1-8603-3fdb298277e9', '01a20e51-e1c2-73bf-bc44-1c689f280a63', '01a20e51-e1c2-73bf-bc44-1c67328b656c', 4, 4, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 3.03, '10000001,1234,0000000001,CARD,2026-01-31,4,3.03'),
	('01a20e51-e190-76e1-8603-3fdb298277e9', '01a20e51-e1c2-73bf-bc44-1c696a8d4002', '01a20e51-e1c2-73bf-bc44-1c67328b656c', 5, 5, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 4.04, '10000001,1234,0000000001,CARD,2026-01-31,5,4.04'),
	('01a20e51-e190-76e1-8603-3fdb298277e9', '01a20e51-e1c2-73bf-bc44-1c6a63423b79', '01a20e51-e1c2-73bf-bc44-1c67328b656c', 6, 6, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 5.05, '10000001,1234,0000000001,CARD,2026-01-31,6,5.05'),
	('01a20e51-e190-76e1-8603-3fdb298277e9', '01a20e51-e1c2-73bf-bc44-1c6b37fc512c', '01a20e51-e1c2-73bf-bc44-1c67328b656c', 7, 7, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 6.06, '10000001,1234,0000000001,CARD,2026-01-31,7,6.06'),
	('01a20e51-e15e-768c-ac61-6458378aae50', '01a20e51-e23d-7651-b853-c90534efea3b', '01a20e51-e23c-7edf-a76e-f168e32c340e', 1, 1, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 0.00, '10000001,1234,0000000002,CARD,2026-01-31,1,0.00'),
	('01a20e51-e15e-768c-ac61-6458378aae50', '01a20e51-e23d-7651-b853-c905d15f6f1e', '01a20e51-e23c-7edf-a76e-f168e32c340e', 2, 2, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 1.01, '10000001,1234,0000000002,CARD,2026-01-31,2,1.01'),
	('01a20e51-e15e-768c-ac61-6458378aae50', '01a20e51-e23d-7651-b853-c906133b0cb2', '01a20e51-e23c-7edf-a76e-f168e32c340e', 3, 3, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 2.02, '10000001,1234,0000000002,CARD,2026-01-31,3,2.02'),
	('01a20e51-e15e-768c-ac61-6458378aae50', '01a20e51-e23d-7651-b853-c906283485af', '01a20e51-e23c-7edf-a76e-f168e32c340e', 4, 4, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 3.03, '10000001,1234,0000000002,CARD,2026-01-31,4,3.03'),
	('01a20e51-e15e-768c-ac61-6458378aae50', '01a20e51-e23d-7651-b853-c906914ab3a4', '01a20e51-e23c-7edf-a76e-f168e32c340e', 5, 5, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 4.04, '10000001,1234,0000000002,CARD,2026-01-31,5,4.04'),
	('01a20e51-e15e-768c-ac61-6458378aae50', '01a20e51-e23d-7651-b853-c906ffe5f375', '01a20e51-e23c-7edf-a76e-f168e32c340e', 6, 6, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 5.05, '10000001,1234,0000000002,CARD,2026-01-31,6,5.05'),
	('01a20e51-e15e-768c-ac61-6458378aae50', '01a20e51-e23d-7651-b853-c9071cbc2ff9', '01a20e51-e23c-7edf-a76e-f168e32c340e', 7, 7, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 6.06, '10000001,1234,0000000002,CARD,2026-01-31,7,6.06'),
	('01a20e51-e190-76e1-8603-3fdb298277e9', '01a20e51-e23d-79cb-b528-f381c126bc6b', '01a20e51-e23d-79cb-b528-f3819ffafdc1', 1, 1, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 0.00, '10000001,1234,0000000002,CARD,2026-01-31,1,0.00'),
	('01a20e51-e190-76e1-8603-3fdb298277e9', '01a20e51-e23d-79cb-b528-f38214975e65', '01a20e51-e23d-79cb-b528-f3819ffafdc1', 2, 2, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 1.01, '10000001,1234,0000000002,CARD,2026-01-31,2,1.01'),
	('01a20e51-e190-76e1-8603-3fdb298277e9', '01a20e51-e23d-79cb-b528-f383090da49b', '01a20e51-e23d-79cb-b528-f3819ffafdc1', 3, 3, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 2.02, '10000001,1234,0000000002,CARD,2026-01-31,3,2.02'),
	('01a20e51-e190-76e1-8603-3fdb298277e9', '01a20e51-e23d-79cb-b528-f3836b06af3c', '01a20e51-e23d-79cb-b528-f3819ffafdc1', 4, 4, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 3.03, '10000001,1234,0000000002,CARD,2026-01-31,4,3.03'),
	('01a20e51-e190-76e1-8603-3fdb298277e9', '01a20e51-e23d-79cb-b528-f38429f724cf', '01a20e51-e23d-79cb-b528-f3819ffafdc1', 5, 5, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 4.04, '10000001,1234,0000000002,CARD,2026-01-31,5,4.04'),
	('01a20e51-e190-76e1-8603-3fdb298277e9', '01a20e51-e23d-79cb-b528-f3842a86824d', '01a20e51-e23d-79cb-b528-f3819ffafdc1', 6, 6, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 5.05, '10000001,1234,0000000002,CARD,2026-01-31,6,5.05'),
	('01a20e51-e190-76e1-8603-3fdb298277e9', '01a20e51-e23d-79cb-b528-f384873aa1bb', '01a20e51-e23d-79cb-b528-f3819ffafdc1', 7, 7, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 6.06, '10000001,1234,0000000002,CARD,2026-01-31,7,6.06'),
	('01a20e51-e15e-768c-ac61-6458378aae50', '01a20e51-e2bd-757c-ab2a-a20268d61e69', '01a20e51-e2bd-757c-ab2a-a2019ade18b2', 1, 1, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 0.00, '10000001,1234,0000000003,CARD,2026-01-31,1,0.00'),
	('01a20e51-e15e-768c-ac61-6458378aae50', '01a20e51-e2be-7a06-86ac-d25a403d5709', '01a20e51-e2bd-757c-ab2a-a2019ade18b2', 2, 2, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 1.01, '10000001,1234,0000000003,CARD,2026-01-31,2,1.01'),
	('01a20e51-e15e-768c-ac61-6458378aae50', '01a20e51-e2be-7a06-86ac-d25b23adf787', '01a20e51-e2bd-757c-ab2a-a2019ade18b2', 3, 3, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 2.02, '10000001,1234,0000000003,CARD,2026-01-31,3,2.02'),
	('01a20e51-e15e-768c-ac61-6458378aae50', '01a20e51-e2be-7a06-86ac-d25be57bfe22', '01a20e51-e2bd-757c-ab2a-a2019ade18b2', 4, 4, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 3.03, '10000001,1234,0000000003,CARD,2026-01-31,4,3.03'),
	('01a20e51-e15e-768c-ac61-6458378aae50', '01a20e51-e2be-7a06-86ac-d25c5a52945c', '01a20e51-e2bd-757c-ab2a-a2019ade18b2', 5, 5, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 4.04, '10000001,1234,0000000003,CARD,2026-01-31,5,4.04'),
	('01a20e51-e15e-768c-ac61-6458378aae50', '01a20e51-e2be-7a06-86ac-d25d3fd0d1b5', '01a20e51-e2bd-757c-ab2a-a2019ade18b2', 6, 6, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 5.05, '10000001,1234,0000000003,CARD,2026-01-31,6,5.05'),
	('01a20e51-e15e-768c-ac61-6458378aae50', '01a20e51-e2be-7a06-86ac-d25d61d15b28', '01a20e51-e2bd-757c-ab2a-a2019ade18b2', 7, 7, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 6.06, '10000001,1234,0000000003,CARD,2026-01-31,7,6.06'),
	('01a20e51-e190-76e1-8603-3fdb298277e9', '01a20e51-e2bd-72b9-8349-4b58d5162cb8', '01a20e51-e2bd-72b9-8349-4b582ba2e84d', 1, 1, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 0.00, '10000001,1234,0000000003,CARD,2026-01-31,1,0.00'),
	('01a20e51-e190-76e1-8603-3fdb298277e9', '01a20e51-e2be-77ad-9f60-3ec45f7835ff', '01a20e51-e2bd-72b9-8349-4b582ba2e84d', 2, 2, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 1.01, '10000001,1234,0000000003,CARD,2026-01-31,2,1.01'),
	('01a20e51-e190-76e1-8603-3fdb298277e9', '01a20e51-e2be-77ad-9f60-3ec474da0c3e', '01a20e51-e2bd-72b9-8349-4b582ba2e84d', 3, 3, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 2.02, '10000001,1234,0000000003,CARD,2026-01-31,3,2.02'),
	('01a20e51-e190-76e1-8603-3fdb298277e9', '01a20e51-e2be-77ad-9f60-3ec4f084bc64', '01a20e51-e2bd-72b9-8349-4b582ba2e84d', 4, 4, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 3.03, '10000001,1234,0000000003,CARD,2026-01-31,4,3.03'),
	('01a20e51-e190-76e1-8603-3fdb298277e9', '01a20e51-e2be-77ad-9f60-3ec548533437', '01a20e51-e2bd-72b9-8349-4b582ba2e84d', 5, 5, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 4.04, '10000001,1234,0000000003,CARD,2026-01-31,5,4.04'),
	('01a20e51-e190-76e1-8603-3fdb298277e9', '01a20e51-e2be-77ad-9f60-3ec5a07d9a97', '01a20e51-e2bd-72b9-8349-4b582ba2e84d', 6, 6, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 5.05, '10000001,1234,0000000003,CARD,2026-01-31,6,5.05'),
	('01a20e51-e190-76e1-8603-3fdb298277e9', '01a20e51-e2be-77ad-9f60-3ec65b1a2133', '01a20e51-e2bd-72b9-8349-4b582ba2e84d', 7, 7, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 6.06, '10000001,1234,0000000003,CARD,2026-01-31,7,6.06'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-827735ad21e8', '01a20e51-e5d6-7c82-a617-827654c7b635', 1, 46, '2026-11-24', '99766212', '7581', '4228989272', 'CARD', 27098.84, '99766212,7581,4228989272,CARD,2026-11-24,46,27098.84'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-8278052b1b67', '01a20e51-e5d6-7c82-a617-827654c7b635', 2, 60, '2026-11-24', '99766212', '7581', '4228989272', 'CARD', 43131.16, '99766212,7581,4228989272,CARD,2026-11-24,60,43131.16'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-8278be7f1f5b', '01a20e51-e5d6-7c82-a617-827654c7b635', 3, 29, '2026-11-24', '99766212', '7581', '4228989272', 'CARD', 18777.40, '99766212,7581,4228989272,CARD,2026-11-24,29,18777.40'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-827979a99940', '01a20e51-e5d6-7c82-a617-827654c7b635', 4, 28, '2026-11-24', '99903325', '3710', '2913198925', 'CARD', 5347.76, '99903325,3710,2913198925,CARD,2026-11-24,28,5347.76'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-8279f572e90e', '01a20e51-e5d6-7c82-a617-827654c7b635', 5, 14, '2026-11-24', '99903325', '3710', '2913198925', 'MOBILE', 1340.37, '99903325,3710,2913198925,MOBILE,2026-11-24,14,1340.37'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-827a85bb0bc2', '01a20e51-e5d6-7c82-a617-827654c7b635', 6, 16, '2026-11-24', '99941537', '1077', '5747999980', 'MOBILE', 4323.35, '99941537,1077,5747999980,MOBILE,2026-11-24,16,4323.35'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-827b8153237e', '01a20e51-e5d6-7c82-a617-827654c7b635', 7, 32, '2026-11-24', '99271930', '8570', '8273124426', 'CARD', 15308.62, '99271930,8570,8273124426,CARD,2026-11-24,32,15308.62'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-827be9d3a2c0', '01a20e51-e5d6-7c82-a617-827654c7b635', 8, 24, '2026-11-24', '99271930', '8570', '8273124426', 'CARD', 10416.70, '99271930,8570,8273124426,CARD,2026-11-24,24,10416.70'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-827c1ec6ac18', '01a20e51-e5d6-7c82-a617-827654c7b635', 9, 28, '2026-11-24', '99546964', '3727', '5469179686', 'CARD', 1868.56, '99546964,3727,5469179686,CARD,2026-11-24,28,1868.56'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-827c7411d8f0', '01a20e51-e5d6-7c82-a617-827654c7b635', 10, 45, '2026-11-24', '99546964', '3727', '5469179686', 'CARD', 3848.04, '99546964,3727,5469179686,CARD,2026-11-24,45,3848.04'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-827d57e36125', '01a20e51-e5d6-7c82-a617-827654c7b635', 11, 20, '2026-11-24', '99067268', '1378', '2444152111', 'CARD', 1141.81, '99067268,1378,2444152111,CARD,2026-11-24,20,1141.81'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-827e44a042fc', '01a20e51-e5d6-7c82-a617-827654c7b635', 12, 12, '2026-11-24', '99864478', '0200', '5169515017', 'CARD', 1255.19, '99864478,0200,5169515017,CARD,2026-11-24,12,1255.19'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-827f0d4de743', '01a20e51-e5d6-7c82-a617-827654c7b635', 13, 7, '2026-11-24', '99506423', '4740', '0222927118', 'CARD', 2110.91, '99506423,4740,0222927118,CARD,2026-11-24,7,2110.91'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-827f79351fb4', '01a20e51-e5d6-7c82-a617-827654c7b635', 14, 168, '2026-11-24', '99446129', '7830', '3648467619', 'CARD', 45496.87, '99446129,7830,3648467619,CARD,2026-11-24,168,45496.87'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-82804acf2ab6', '01a20e51-e5d6-7c82-a617-827654c7b635', 15, 97, '2026-11-24', '99446129', '7830', '3648467619', 'ONLINE', 15598.80, '99446129,7830,3648467619,ONLINE,2026-11-24,97,15598.80'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-8280bbd215ce', '01a20e51-e5d6-7c82-a617-827654c7b635', 16, 67, '2026-11-24', '99446129', '7830', '3648467619', 'CARD', 30562.33, '99446129,7830,3648467619,CARD,2026-11-24,67,30562.33'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-8280ce4a58f2', '01a20e51-e5d6-7c82-a617-827654c7b635', 17, 110, '2026-11-24', '99446129', '7830', '3648467619', 'CARD', 39679.69, '99446129,7830,3648467619,CARD,2026-11-24,110,39679.69'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-82811f3df077', '01a20e51-e5d6-7c82-a617-827654c7b635', 18, 78, '2026-11-24', '99446129', '7830', '3648467619', 'CARD', 12656.29, '99446129,7830,3648467619,CARD,2026-11-24,78,12656.29'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-828127437457', '01a20e51-e5d6-7c82-a617-827654c7b635', 19, 71, '2026-11-24', '99446129', '7830', '3648467619', 'CARD', 15345.50, '99446129,7830,3648467619,CARD,2026-11-24,71,15345.50'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-82820c31151b', '01a20e51-e5d6-7c82-a617-827654c7b635', 20, 39, '2026-11-24', '99446129', '7830', '3648467619', 'MOBILE', 9092.63, '99446129,7830,3648467619,MOBILE,2026-11-24,39,9092.63'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-8282c0dd5e5a', '01a20e51-e5d6-7c82-a617-827654c7b635', 21, 40, '2026-11-24', '99543647', '1548', '2941240923', 'CARD', 10339.31, '99543647,1548,2941240923,CARD,2026-11-24,40,10339.31'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-8283657557da', '01a20e51-e5d6-7c82-a617-827654c7b635', 22, 96, '2026-11-24', '99543647', '1548', '2941240923', 'CARD', 18253.91, '99543647,1548,2941240923,CARD,2026-11-24,96,18253.91'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-8283b3f1b183', '01a20e51-e5d6-7c82-a617-827654c7b635', 23, 58, '2026-11-24', '99543647', '1548', '2941240923', 'ONLINE', 30974.61, '99543647,1548,2941240923,ONLINE,2026-11-24,58,30974.61'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-8284105dcb6a', '01a20e51-e5d6-7c82-a617-827654c7b635', 24, 13, '2026-11-24', '99064528', '9626', '2173199029', 'CARD', 1777.33, '99064528,9626,2173199029,CARD,2026-11-24,13,1777.33'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-8284f298cdb4', '01a20e51-e5d6-7c82-a617-827654c7b635', 25, 45, '2026-11-24', '99441518', '4627', '9168008989', 'CARD', 2113.21, '99441518,4627,9168008989,CARD,2026-11-24,45,2113.21'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-8285e4d44c50', '01a20e51-e5d6-7c82-a617-827654c7b635', 26, 44, '2026-11-24', '99441518', '4627', '9168008989', 'CARD', 4306.45, '99441518,4627,9168008989,CARD,2026-11-24,44,4306.45'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-82863d2e600c', '01a20e51-e5d6-7c82-a617-827654c7b635', 27, 47, '2026-11-24', '99441518', '4627', '9168008989', 'ONLINE', 7307.52, '99441518,4627,9168008989,ONLINE,2026-11-24,47,7307.52'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-8286b1b86252', '01a20e51-e5d6-7c82-a617-827654c7b635', 28, 16, '2026-11-24', '99706139', '5842', '7362287768', 'CARD', 2634.35, '99706139,5842,7362287768,CARD,2026-11-24,16,2634.35'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-82870a76f841', '01a20e51-e5d6-7c82-a617-827654c7b635', 29, 39, '2026-11-24', '99589132', '9197', '2558139951', 'CARD', 2168.87, '99589132,9197,2558139951,CARD,2026-11-24,39,2168.87'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-828719beadf1', '01a20e51-e5d6-7c82-a617-827654c7b635', 30, 27, '2026-11-24', '99589132', '9197', '2558139951', 'ONLINE', 1278.82, '99589132,9197,2558139951,ONLINE,2026-11-24,27,1278.82'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-82872fee1f24', '01a20e51-e5d6-7c82-a617-827654c7b635', 31, 51, '2026-11-24', '99404817', '0728', '6541200336', 'ONLINE', 51110.62, '99404817,0728,6541200336,ONLINE,2026-11-24,51,51110.62'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-82879d45e2aa', '01a20e51-e5d6-7c82-a617-827654c7b635', 32, 30, '2026-11-24', '99404817', '0728', '6541200336', 'CARD', 54913.04, '99404817,0728,6541200336,CARD,2026-11-24,30,54913.04'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-8287cf368da5', '01a20e51-e5d6-7c82-a617-827654c7b635', 33, 107, '2026-11-24', '99690763', '3435', '8785489750', 'CARD', 95594.01, '99690763,3435,8785489750,CARD,2026-11-24,107,95594.01'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-8287e4d7c2a3', '01a20e51-e5d6-7c82-a617-827654c7b635', 34, 126, '2026-11-24', '99690763', '3435', '8785489750', 'CARD', 53017.31, '99690763,3435,8785489750,CARD,2026-11-24,126,53017.31'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-82881515a089', '01a20e51-e5d6-7c82-a617-827654c7b635', 35, 121, '2026-11-24', '99690763', '3435', '8785489750', 'CARD', 152076.72, '99690763,3435,8785489750,CARD,2026-11-24,121,152076.72'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-8288ecc73306', '01a20e51-e5d6-7c82-a617-827654c7b635', 36, 92, '2026-11-24', '99690763', '3435', '8785489750', 'CARD', 88969.48, '99690763,3435,8785489750,CARD,2026-11-24,92,88969.48'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-82894699799d', '01a20e51-e5d6-7c82-a617-827654c7b635', 37, 75, '2026-11-24', '99690763', '3435', '8785489750', 'MOBILE', 48139.70, '99690763,3435,8785489750,MOBILE,2026-11-24,75,48139.70'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-828a36649738', '01a20e51-e5d6-7c82-a617-827654c7b635', 38, 81, '2026-11-24', '99690763', '3435', '8785489750', 'CARD', 42294.25, '99690763,3435,8785489750,CARD,2026-11-24,81,42294.25'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-828aaac2fb64', '01a20e51-e5d6-7c82-a617-827654c7b635', 39, 140, '2026-11-24', '99690763', '3435', '8785489750', 'CARD', 53212.60, '99690763,3435,8785489750,CARD,2026-11-24,140,53212.60'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-828b075d1b7d', '01a20e51-e5d6-7c82-a617-827654c7b635', 40, 134, '2026-11-24', '99690763', '3435', '8785489750', 'CARD', 195022.83, '99690763,3435,8785489750,CARD,2026-11-24,134,195022.83'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-828b54d35ebc', '01a20e51-e5d6-7c82-a617-827654c7b635', 41, 56, '2026-11-24', '99422505', '5922', '4354170647', 'MOBILE', 14574.32, '99422505,5922,4354170647,MOBILE,2026-11-24,56,14574.32'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-828bd897ce28', '01a20e51-e5d6-7c82-a617-827654c7b635', 42, 1, '2026-11-24', '99422505', '5922', '4354170647', 'REFUND', -738.49, '99422505,5922,4354170647,REFUND,2026-11-24,1,-738.49'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-828c78e4c725', '01a20e51-e5d6-7c82-a617-827654c7b635', 43, 167, '2026-11-24', '99422505', '5922', '4354170647', 'CARD', 40527.54, '99422505,5922,4354170647,CARD,2026-11-24,167,40527.54'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-828c7b2a9bd2', '01a20e51-e5d6-7c82-a617-827654c7b635', 44, 105, '2026-11-24', '99422505', '5922', '4354170647', 'MOBILE', 28753.16, '99422505,5922,4354170647,MOBILE,2026-11-24,105,28753.16'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-828d115adbb7', '01a20e51-e5d6-7c82-a617-827654c7b635', 45, 169, '2026-11-24', '99422505', '5922', '4354170647', 'CARD', 64791.47, '99422505,5922,4354170647,CARD,2026-11-24,169,64791.47'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-828e057be556', '01a20e51-e5d6-7c82-a617-827654c7b635', 46, 88, '2026-11-24', '99422505', '5922', '4354170647', 'CARD', 22218.84, '99422505,5922,4354170647,CARD,2026-11-24,88,22218.84'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-828ec43044e2', '01a20e51-e5d6-7c82-a617-827654c7b635', 47, 92, '2026-11-24', '99422505', '5922', '4354170647', 'CARD', 56890.03, '99422505,5922,4354170647,CARD,2026-11-24,92,56890.03'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', '01a20e51-e5d6-7c82-a617-828ed7fbd695', '01a20e51-e5d6-7c82-a617-827654c7b635', 48, 89, '2026-11-24', '99422505', '5922', '4354170647', 'CARD', 35003.21, '99422505,5922,4354170647,CARD,2026-11-24,89,35003.21');


--
-- Data for Name: transactions_kept; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.transactions_kept VALUES
	(true, '99 years');


--
-- Data for Name: users; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.users VALUES
	('01a20e51-e333-7c68-8f15-f367038d60ba', 'both@example.com', '2026-11-24 16:09:37.351868+00', '$2a$04$CHn919pQxnNBbCvOIkrCkO4NY287FkhLJkvrhY6XSuBIlskBALOza', NULL, 0, NULL, '{arrivals}', '', '', '2026-11-24 16:09:37.332041+00', '2026-11-24 16:09:37.332041+00'),
	('01a20e51-e349-722d-af26-83b407b12a7f', 'a@example.com', '2026-11-24 16:09:37.374046+00', '$2a$04$728OrPa0jSMNHiEtugSMiOux99IhHPteqOaLJzTV0QOYAwrEJLUp2', NULL, 0, NULL, '{arrivals}', '', '', '2026-11-24 16:09:37.35331+00', '2026-11-24 16:09:37.35331+00'),
	('01a20e51-e46d-79c3-9eb0-be1850fe6405', 'b@example.com', '2026-11-24 16:09:37.668017+00', '$2a$04$y9NFv1q7AXys3dwOfG3ljOsgL4jEaEgST6HGf1kvX9qQAJK3qkrl6', NULL, 0, NULL, '{arrivals}', '', '', '2026-11-24 16:09:37.649646+00', '2026-11-24 16:09:37.649646+00');


--
-- Data for Name: withdrawn_files; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.withdrawn_files VALUES
	('01a20e51-e15e-768c-ac61-6458378aae50', '01a20e51-e2ee-77ff-8b95-3521c4581072', 'delivery.csv', 'csv', 2, 1.01, '2026-01-31', '2026-01-31', '2026-11-24 16:09:37.262867+00', '2026-11-24 16:09:37.289998+00', 'wrong', '01a20e51-e318-711b-b81b-2677c62b6755'),
	('01a20e51-e190-76e1-8603-3fdb298277e9', '01a20e51-e2ee-7d59-90fa-18567cc9e2bd', 'delivery.csv', 'csv', 2, 1.01, '2026-01-31', '2026-01-31', '2026-11-24 16:09:37.26425+00', '2026-11-24 16:09:37.289998+00', 'wrong', '01a20e51-e318-70fc-a730-5bf82328decc');


--
-- Data for Name: withdrawn_totals; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.withdrawn_totals VALUES
	('01a20e51-e190-76e1-8603-3fdb298277e9', '10000001', '2026-01-31', '01a20e51-e2ee-7d59-90fa-18567cc9e2bd', 2, 1.01, '2026-11-24 16:09:37.289998+00'),
	('01a20e51-e15e-768c-ac61-6458378aae50', '10000001', '2026-01-31', '01a20e51-e2ee-77ff-8b95-3521c4581072', 2, 1.01, '2026-11-24 16:09:37.289998+00'),
	('01a20e51-e190-76e1-8603-3fdb298277e9', '', '2026-01-31', '01a20e51-e2ee-7d59-90fa-18567cc9e2bd', 2, 1.01, '2026-11-24 16:09:37.289998+00'),
	('01a20e51-e15e-768c-ac61-6458378aae50', '', '2026-01-31', '01a20e51-e2ee-77ff-8b95-3521c4581072', 2, 1.01, '2026-11-24 16:09:37.289998+00');


--
-- Data for Name: writers; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.writers VALUES
	('01a20e51-e15e-768c-ac61-6458378aae50', 0, '00000000-0000-0000-0000-000000000000'),
	('01a20e51-e190-76e1-8603-3fdb298277e9', 0, '00000000-0000-0000-0000-000000000000'),
	('01a20e51-e5d2-74d5-bdee-03b34b60a81c', 0, '00000000-0000-0000-0000-000000000000');


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
    ADD CONSTRAINT daily_totals_pkey PRIMARY KEY (organization_id, cvr, disposition_date, transfer_type);


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

CREATE INDEX held_records_cvr ON public.held_records USING btree (cvr, hash_record(ROW(cvr, disposition_date, count, amount_dkk, reg_number, account_number, transfer_type)), delivery_id);


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

CREATE UNIQUE INDEX transactions_arrival ON public.transactions USING btree (organization_id, id) WHERE (record_index >= 0);


--
-- Name: transactions_equal; Type: INDEX; Schema: public; Owner: dispo
--

CREATE INDEX transactions_equal ON public.transactions USING btree (organization_id, hash_record(ROW(cvr, disposition_date, count, amount_dkk, reg_number, account_number, transfer_type)), delivery_file_id);


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


