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

COMMENT ON TABLE public.goose_db_version IS 'dispo edition 95a323b9817e';


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
	('01a21e6c-0e43-7074-a9ce-209796c078e8', '01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', false, '70CkAHaR3Qen', '$2a$04$nQz4j/3yuVKK8wY0FOjvneXSLtF7lT482kYJkSrvK8rp6IakxSBSO', NULL, '4mNA', 'test', '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-27 19:12:07.752414+00', '2026-11-27 19:12:07.752414+00'),
	('01a21e6c-0e9a-75c9-832e-fa073d7d7b49', '01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', false, 'dHW7IK7kYJl2', '$2a$10$37eYk80dcyyBokOoeor.VuKaHwfwfftObw1iGVglYMVLxmnqAMO.i', '\x5803f6094fab3cd281c7d4323f2531fa4d8dabb78ced57e8888cf6cfd1d07aefb9bbb29f', 'kPAH', 'successor', '', NULL, '01a21e6c-0e43-7074-a9ce-209796c078e8', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-27 19:12:07.836945+00', '2026-11-27 19:12:07.834528+00'),
	('01a21e6c-0ec3-77a6-97b6-2f70d52fb663', '01a21e6c-0d16-76f2-80f1-50095949994b', false, 'kxZAqRUCwfiN', '$2a$04$fix2PVcLhtQYXDm3oIID6e7cBVKTOux7AoI1xOStuPgB9QxdL6iGK', NULL, 'KuEc', 'test', '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-27 19:12:07.875734+00', '2026-11-27 19:12:07.875734+00'),
	('01a21e6c-0f0f-7560-87da-b96304c3e52b', '01a21e6c-0d16-76f2-80f1-50095949994b', false, 'HNRizRdiI2gT', '$2a$10$MEnd6fEH6hfI7DVTIOcJb.1WdqrwSSrZXRcOH7IhILWE00984O.KG', '\x5803f609e68e5232c04fc29227ee48949573a7f4b5ce0736dfa41ab2fb41a680ebdf18e0', 'Swuo', 'successor', '', NULL, '01a21e6c-0ec3-77a6-97b6-2f70d52fb663', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-27 19:12:07.958476+00', '2026-11-27 19:12:07.951532+00'),
	('0203d184-c338-4e87-8218-38b1a41bd2b1', '01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', false, 'releasekey01', '$2a$04$58TAV9Ilyg6.fGbQSP5/vOxORZaeFchpooDX7Pr2ix9t4nJOTFamS', NULL, 'uWiW', 'of the first release', '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-27 19:12:08.016131+00', '2026-11-27 19:12:08.016131+00');


--
-- Data for Name: audit_log; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.audit_log VALUES
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', '01a21e6c-0dde-7b3f-8627-ae756f4c1cb2', '2026-11-27 19:12:07.646738+00', NULL, 'operator', 'delivery.withdraw', 'delivery.csv: 2 transactions of 1.01 DKK. Reason: wrong', 'command line', NULL),
	('01a21e6c-0d16-76f2-80f1-50095949994b', '01a21e6c-0de1-7401-8e0b-24f58cea27f0', '2026-11-27 19:12:07.649263+00', NULL, 'operator', 'delivery.withdraw', 'delivery.csv: 2 transactions of 1.01 DKK. Reason: wrong', 'command line', NULL),
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', '01a21e6c-0df1-7b62-a57b-cc422a8089be', '2026-11-27 19:12:07.665747+00', NULL, 'operator', 'user.create', 'both@example.com: owner', 'command line', NULL),
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', '01a21e6c-0e24-791a-90a7-cf93ffd95bbe', '2026-11-27 19:12:07.716597+00', NULL, 'operator', 'user.create', 'a@example.com: owner', 'command line', NULL),
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', '01a21e6c-0e9e-75bf-ac35-23d87a498ac1', '2026-11-27 19:12:07.838377+00', NULL, 'operator', 'key.rotate', 'successor (dispo_…kPAH)', 'command line', '01a21e6c-0e9a-75c9-832e-fa073d7d7b49'),
	('01a21e6c-0d16-76f2-80f1-50095949994b', '01a21e6c-0ebe-7f19-964d-b721e0aee62a', '2026-11-27 19:12:07.87099+00', NULL, 'operator', 'user.create', 'b@example.com: owner', 'command line', NULL),
	('01a21e6c-0d16-76f2-80f1-50095949994b', '01a21e6c-0f17-79f7-b211-87e180db67b3', '2026-11-27 19:12:07.959653+00', NULL, 'operator', 'key.rotate', 'successor (dispo_…Swuo)', 'command line', '01a21e6c-0f0f-7560-87da-b96304c3e52b');


--
-- Data for Name: companies; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.companies VALUES
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', '01a21e6c-0d0b-7637-a768-6acae6a50111', '10000002', 'Company 10000002', 'company 10000002', '\x161d17711741179615ef174f1880010914e714e614e614e614e614e614e614e8', NULL, '2026-11-27', '9999-12-31', 'CREATED', NULL, NULL, NULL, NULL, NULL, 0, 0.00, '2026-11-27 19:12:07.429971+00', '2026-11-27 19:12:07.429971+00', '01a21e6c-0d0b-7637-a768-6acae6a50111'),
	('01a21e6c-0d16-76f2-80f1-50095949994b', '01a21e6c-0d1a-7077-8131-5f6d968170ae', '10000003', 'Company 10000003', 'company 10000003', '\x161d17711741179615ef174f1880010914e714e614e614e614e614e614e614e9', NULL, '2026-11-27', '9999-12-31', 'CREATED', NULL, NULL, NULL, NULL, NULL, 0, 0.00, '2026-11-27 19:12:07.447354+00', '2026-11-27 19:12:07.447354+00', '01a21e6c-0d1a-7077-8131-5f6d968170ae'),
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', '01a21e6c-0d0b-7637-a768-6aca4b28bf6f', '10000001', 'Company 10000001', 'company 10000001', '\x161d17711741179615ef174f1880010914e714e614e614e614e614e614e614e7', NULL, '2026-11-27', '9999-12-31', 'CREATED', NULL, NULL, NULL, NULL, NULL, 21, 63.63, '2026-11-27 19:12:07.429971+00', '2026-11-27 19:12:07.429971+00', '01a21e6c-0d0b-7637-a768-6aca4b28bf6f'),
	('01a21e6c-0d16-76f2-80f1-50095949994b', '01a21e6c-0d1a-7077-8131-5f6d35472c5b', '10000001', 'Company 10000001', 'company 10000001', '\x161d17711741179615ef174f1880010914e714e614e614e614e614e614e614e7', NULL, '2026-11-27', '9999-12-31', 'CREATED', NULL, NULL, NULL, NULL, NULL, 21, 63.63, '2026-11-27 19:12:07.447354+00', '2026-11-27 19:12:07.447354+00', '01a21e6c-0d1a-7077-8131-5f6d35472c5b'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10b1a85994c8', '99511656', 'Lampelageret Halvmørke ApS', 'lampelageret halvmørke aps', '\x171115ef17411796164c171115ef1691164c17bd164c1816010916b415ef1711185f1741190717bd16ff164c010915ef179617f3', 'Vestre Kranvej 52, 1. tv., 3000 Helsingør', '2022-01-16', '2025-10-13', 'TERMINATED', '2652', '5279296286', '0086', '9096284435', 100000, 0, 0.00, '2026-11-27 19:12:07.983987+00', '2026-11-27 19:12:07.983987+00', '01a21e6c-0f35-7783-97e0-10b1a85994c8'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10b54874596b', '99375175', 'Urmager Tiktorp & Datter ApS', 'urmager tiktorp & datter aps', '\x183617bd174115ef1691164c17bd0109181616cd16ff1816177117bd1796010902730109163115ef18161816164c17bd010915ef179617f3', 'Sømandshvilet 107, 6000 Kolding', '2021-05-06', '2025-08-08', 'TERMINATED', '7679', '3489903450', '5952', '6458555149', NULL, 0, 0.00, '2026-11-27 19:12:07.983987+00', '2026-11-27 19:12:07.983987+00', '01a21e6c-0f35-7783-97e0-10b54874596b'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10b0a8619a86', '99031409', 'Nordlys Byggemarked A/S', 'nordlys byggemarked a/s', '\x174f177117bd16311711188017f301091605188016911691164c174115ef17bd16ff164c1631010915ef027117f3', 'Klokkestøberstræde 5, 5700 Svendborg', '2017-08-19', '9999-12-31', 'REGISTERED', '6363', '0202519096', '3548', '9124104714', NULL, 8, 323474.95, '2026-11-27 19:12:07.983987+00', '2026-11-27 19:12:07.983987+00', '01a21e6c-0f35-7783-97e0-10b0a8619a86'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10b1591ef9b3', '99080604', 'Ostelageret Hul i Hul ApS', 'ostelageret hul i hul aps', '\x177117f31816164c171115ef1691164c17bd164c1816010916b418361711010916cd010916b418361711010915ef179617f3', 'Tjørnehegnsvej 1, 5700 Svendborg', '2026-05-25', '9999-12-31', 'REGISTERED', '2588', '3277038671', '0040', '3216008341', 700000, 1, 1081.90, '2026-11-27 19:12:07.983987+00', '2026-11-27 19:12:07.983987+00', '01a21e6c-0f35-7783-97e0-10b1591ef9b3'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10b209127da4', '99305258', 'Æblegaarden Frugt & Grønt I/S', 'æblegaarden frugt & grønt i/s', '\x190616051711164c169115ef15ef17bd1631164c174f0109168417bd183616911816010902730109169117bd1907174f1816010916cd027117f3', 'Tjørnehegnsvej 75, 6700 Esbjerg', '2022-03-05', '9999-12-31', 'REGISTERED', '2991', '9159734599', '8290', '8086152261', 450000, 2, 6301.58, '2026-11-27 19:12:07.983987+00', '2026-11-27 19:12:07.983987+00', '01a21e6c-0f35-7783-97e0-10b209127da4'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10b262bf3065', '99821388', 'Marinamotor Skruegaard ApS', 'marinamotor skruegaard aps', '\x174115ef17bd16cd174f15ef174117711816177117bd010917f316ff17bd1836164c169115ef15ef17bd1631010915ef179617f3', 'Sømandshvilet 76, 2. th., 3000 Helsingør', '2015-04-21', '9999-12-31', 'MODIFIED', '4345', '4170190935', '7458', '0809625197', NULL, 2, 212229.10, '2026-11-27 19:12:07.983987+00', '2026-11-27 19:12:07.983987+00', '01a21e6c-0f35-7783-97e0-10b262bf3065'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10b36037d1cd', '99934646', 'Nordlys Elektrisk ApS', 'nordlys elektrisk aps', '\x174f177117bd16311711188017f30109164c1711164c16ff181617bd16cd17f316ff010915ef179617f3', 'Rugskelsvej 58, 1. tv., 8900 Randers C', '2024-10-14', '9999-12-31', 'REGISTERED', '3326', '5012416315', '3808', '9144665509', NULL, 8, 829171.90, '2026-11-27 19:12:07.983987+00', '2026-11-27 19:12:07.983987+00', '01a21e6c-0f35-7783-97e0-10b36037d1cd'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10b5b6766bd4', '99102829', 'Strandkiosken Sand i Skoen ApS', 'strandkiosken sand i skoen aps', '\x17f3181617bd15ef174f163116ff16cd177117f316ff164c174f010917f315ef174f1631010916cd010917f316ff1771164c174f010915ef179617f3', 'Sømandshvilet 40, 4600 Køge', '2022-11-02', '2025-09-01', 'TERMINATED', '1587', '1698893458', '1891', '0337359115', NULL, 0, 0.00, '2026-11-27 19:12:07.983987+00', '2026-11-27 19:12:07.983987+00', '01a21e6c-0f35-7783-97e0-10b5b6766bd4'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10b851908c6d', '99787511', 'Tæppeland Uldum-Frynse A/S', 'tæppeland uldum-frynse a/s', '\x1816190617961796164c171115ef174f1631010918361711163118361741010d168417bd1880174f17f3164c010915ef027117f3', 'Skibstømrerpladsen 128, 5000 Odense C', '2024-01-31', '2025-08-06', 'TERMINATED', '6131', '6657355939', '9918', '3367146155', NULL, 0, 0.00, '2026-11-27 19:12:07.983987+00', '2026-11-27 19:12:07.983987+00', '01a21e6c-0f35-7783-97e0-10b851908c6d'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10b8e770d403', '99569107', 'Isboden Kold Næse', 'isboden kold næse', '\x16cd17f3160517711631164c174f010916ff1771171116310109174f190617f3164c', 'Rugskelsvej 140, 2. th., 1620 København V', '2026-02-23', '2026-03-08', 'REJECTED', '2324', '7139731555', '3242', '8100619324', NULL, 0, 0.00, '2026-11-27 19:12:07.983987+00', '2026-11-27 19:12:07.983987+00', '01a21e6c-0f35-7783-97e0-10b8e770d403'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10b3c0f1da19', '99205776', 'Havnegrillen Mågens Hjørne', 'havnegrillen mågens hjørne', '\x16b415ef185f174f164c169117bd16cd17111711164c174f0109174119081691164c174f17f3010916b416e6190717bd174f164c', 'Gamle Tovværksgade 63, 1. tv., 2100 København Ø', '2016-02-13', '9999-12-31', 'REGISTERED', '1635', '9072186717', NULL, NULL, 875000, 2, 7264.47, '2026-11-27 19:12:07.983987+00', '2026-11-27 19:12:07.983987+00', '01a21e6c-0f35-7783-97e0-10b3c0f1da19'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10b49fbb439f', '99258381', 'Vinkælderen Tre Propper ApS', 'vinkælderen tre propper aps', '\x185f16cd174f16ff190617111631164c17bd164c174f0109181617bd164c0109179617bd177117961796164c17bd010915ef179617f3', 'Klokkestøberstræde 46, 3000 Helsingør', '2016-11-07', '9999-12-31', 'REGISTERED', '4387', '7573904220', '3203', '9913758575', NULL, 3, 31293.04, '2026-11-27 19:12:07.983987+00', '2026-11-27 19:12:07.983987+00', '01a21e6c-0f35-7783-97e0-10b49fbb439f'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10b55e38bffe', '99852739', 'Dyrehandler Pelsmark & Finne ApS', 'dyrehandler pelsmark & finne aps', '\x1631188017bd164c16b415ef174f16311711164c17bd01091796164c171117f3174115ef17bd16ff010902730109168416cd174f174f164c010915ef179617f3', 'Klokkestøberstræde 22, 6000 Kolding', '2024-02-29', '9999-12-31', 'REGISTERED', '2648', '5675082345', '6597', '4008914094', 950000, 1, 2007.21, '2026-11-27 19:12:07.983987+00', '2026-11-27 19:12:07.983987+00', '01a21e6c-0f35-7783-97e0-10b55e38bffe'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10b5d60b1632', '99569484', 'Køkkenkompagniet Grydestad A/S', 'køkkenkompagniet grydestad a/s', '\x16ff190716ff16ff164c174f16ff17711741179615ef1691174f16cd164c18160109169117bd18801631164c17f3181615ef1631010915ef027117f3', 'Ålekistevænget 54, st. th., 2100 København Ø', '2025-02-12', '9999-12-31', 'MODIFIED', '8047', '7416165704', '1205', '5220115823', NULL, 2, 108441.30, '2026-11-27 19:12:07.983987+00', '2026-11-27 19:12:07.983987+00', '01a21e6c-0f35-7783-97e0-10b5d60b1632'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10b69f797379', '99220120', 'Bådbygger Kølholt & Spant I/S', 'bådbygger kølholt & spant i/s', '\x1605190816311605188016911691164c17bd010916ff1907171116b417711711181601090273010917f3179615ef174f1816010916cd027117f3', 'Tjørnehegnsvej 137, 2100 København Ø', '2014-11-21', '9999-12-31', 'REGISTERED', '4579', '5267293586', NULL, NULL, 750000, 1, 33764.73, '2026-11-27 19:12:07.983987+00', '2026-11-27 19:12:07.983987+00', '01a21e6c-0f35-7783-97e0-10b69f797379'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10b7762ed483', '99373245', 'Papirsvalen Bøger og Papir ApS', 'papirsvalen bøger og papir aps', '\x179615ef179616cd17bd17f3185f15ef1711164c174f0109160519071691164c17bd0109177116910109179615ef179616cd17bd010915ef179617f3', 'Lærkespurvestien 53, 1. tv., 5700 Svendborg', '2019-10-05', '9999-12-31', 'REGISTERED', '3006', '8562906440', '2668', '1081977995', 125000, 3, 25367.65, '2026-11-27 19:12:07.983987+00', '2026-11-27 19:12:07.983987+00', '01a21e6c-0f35-7783-97e0-10b7762ed483'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10b88710de40', '99192771', 'Bageriet Tusind Krummer ApS', 'bageriet tusind krummer aps', '\x160515ef1691164c17bd16cd164c181601091816183617f316cd174f1631010916ff17bd183617411741164c17bd010915ef179617f3', 'Klokkestøberstræde 95, 2. th., 9990 Skagen', '2018-06-07', '9999-12-31', 'REGISTERED', '6481', '5475379333', NULL, NULL, 475000, 3, 8328.97, '2026-11-27 19:12:07.983987+00', '2026-11-27 19:12:07.983987+00', '01a21e6c-0f35-7783-97e0-10b88710de40'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10b9da2d0370', '99903171', 'Det Blå Garnhjørne v/Inger Tvistholt', 'det blå garnhjørne v/inger tvistholt', '\x1631164c181601091605171119080109169115ef17bd174f16b416e6190717bd174f164c0109185f027116cd174f1691164c17bd01091816185f16cd17f3181616b4177117111816', NULL, '2024-07-10', '9999-12-31', 'REGISTERED', '5220', '8800509552', '3605', '3699943653', 75000, 1, 1384.84, '2026-11-27 19:12:07.983987+00', '2026-11-27 19:12:07.983987+00', '01a21e6c-0f35-7783-97e0-10b9da2d0370'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10ba556b5aeb', '99775203', 'Lystfiskeren Krog & Line ApS', 'lystfiskeren krog & line aps', '\x1711188017f31816168416cd17f316ff164c17bd164c174f010916ff17bd17711691010902730109171116cd174f164c010915ef179617f3', 'Kvistbuen 133, 1. tv., 2100 København Ø', '2016-09-09', '9999-12-31', 'REGISTERED', '9987', '5727630376', NULL, NULL, 125000, 1, 1975.65, '2026-11-27 19:12:07.983987+00', '2026-11-27 19:12:07.983987+00', '01a21e6c-0f35-7783-97e0-10ba556b5aeb'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10bb1ef902cb', '99892390', 'Smørrebrød hos Fru Rugholm', 'smørrebrød hos fru rugholm', '\x17f31741190717bd17bd164c160517bd19071631010916b4177117f30109168417bd1836010917bd1836169116b4177117111741', 'Tjørnehegnsvej 124, 2. th., 3000 Helsingør', '2022-07-02', '9999-12-31', 'REGISTERED', '3404', '7387140103', NULL, NULL, NULL, 1, 1415.51, '2026-11-27 19:12:07.983987+00', '2026-11-27 19:12:07.983987+00', '01a21e6c-0f35-7783-97e0-10bb1ef902cb');


--
-- Data for Name: daily_totals; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.daily_totals VALUES
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', '', '2026-01-31', 'CARD', 21, 63.63, '01a21e6c-0d2f-7f90-b3ed-62964cb1a56a', '01a21e6c-0db0-747b-9259-54ef92daaf83'),
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', '10000001', '2026-01-31', 'CARD', 21, 63.63, '01a21e6c-0d2f-7f90-b3ed-62964cb1a56a', '01a21e6c-0db0-747b-9259-54ef92daaf83'),
	('01a21e6c-0d16-76f2-80f1-50095949994b', '', '2026-01-31', 'CARD', 21, 63.63, '01a21e6c-0d30-7e14-8ab6-a423f08253d0', '01a21e6c-0db0-7dcc-ae4a-30629a011ca7'),
	('01a21e6c-0d16-76f2-80f1-50095949994b', '10000001', '2026-01-31', 'CARD', 21, 63.63, '01a21e6c-0d30-7e14-8ab6-a423f08253d0', '01a21e6c-0db0-7dcc-ae4a-30629a011ca7'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '', '2026-11-27', 'CARD', 30, 1279539.23, '01a21e6c-0f35-7783-97e0-10bc4d354d42', '01a21e6c-0f35-7783-97e0-10d1cdc9179a'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '', '2026-11-27', 'MOBILE', 5, 170005.32, '01a21e6c-0f35-7783-97e0-10bd2df5ad68', '01a21e6c-0f35-7783-97e0-10ce5d429adb'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '', '2026-11-27', 'ONLINE', 4, 143958.25, '01a21e6c-0f35-7783-97e0-10c169ea8697', '01a21e6c-0f35-7783-97e0-10d009f15fde'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '99031409', '2026-11-27', 'CARD', 6, 284037.27, '01a21e6c-0f35-7783-97e0-10bc4d354d42', '01a21e6c-0f35-7783-97e0-10be80b40dc6'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '99031409', '2026-11-27', 'MOBILE', 2, 39437.68, '01a21e6c-0f35-7783-97e0-10bd2df5ad68', '01a21e6c-0f35-7783-97e0-10bef3bf8023'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '99080604', '2026-11-27', 'CARD', 1, 1081.90, '01a21e6c-0f35-7783-97e0-10bfb9c56866', '01a21e6c-0f35-7783-97e0-10bfb9c56866'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '99192771', '2026-11-27', 'CARD', 2, 7075.30, '01a21e6c-0f35-7783-97e0-10cf3187573e', '01a21e6c-0f35-7783-97e0-10cf8af5752e'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '99192771', '2026-11-27', 'ONLINE', 1, 1253.67, '01a21e6c-0f35-7783-97e0-10d009f15fde', '01a21e6c-0f35-7783-97e0-10d009f15fde'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '99205776', '2026-11-27', 'CARD', 2, 7264.47, '01a21e6c-0f35-7783-97e0-10c757f1c099', '01a21e6c-0f35-7783-97e0-10c8123e3511'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '99220120', '2026-11-27', 'CARD', 1, 33764.73, '01a21e6c-0f35-7783-97e0-10cca628f7e6', '01a21e6c-0f35-7783-97e0-10cca628f7e6'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '99258381', '2026-11-27', 'CARD', 3, 31293.04, '01a21e6c-0f35-7783-97e0-10c8d19cd83f', '01a21e6c-0f35-7783-97e0-10c9c93fb884'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '99305258', '2026-11-27', 'CARD', 2, 6301.58, '01a21e6c-0f35-7783-97e0-10bff0d82c6e', '01a21e6c-0f35-7783-97e0-10c097d29df3'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '99373245', '2026-11-27', 'CARD', 2, 21145.31, '01a21e6c-0f35-7783-97e0-10cd2f830055', '01a21e6c-0f35-7783-97e0-10cd72b13951'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '99373245', '2026-11-27', 'MOBILE', 1, 4222.34, '01a21e6c-0f35-7783-97e0-10ce5d429adb', '01a21e6c-0f35-7783-97e0-10ce5d429adb'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '99569484', '2026-11-27', 'CARD', 1, 64409.36, '01a21e6c-0f35-7783-97e0-10cbbd28edde', '01a21e6c-0f35-7783-97e0-10cbbd28edde'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '99569484', '2026-11-27', 'MOBILE', 1, 44031.94, '01a21e6c-0f35-7783-97e0-10cb561c830d', '01a21e6c-0f35-7783-97e0-10cb561c830d'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '99775203', '2026-11-27', 'CARD', 1, 1975.65, '01a21e6c-0f35-7783-97e0-10d1724e3c54', '01a21e6c-0f35-7783-97e0-10d1724e3c54'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '99821388', '2026-11-27', 'CARD', 1, 164851.64, '01a21e6c-0f35-7783-97e0-10c256f46bcf', '01a21e6c-0f35-7783-97e0-10c256f46bcf'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '99821388', '2026-11-27', 'ONLINE', 1, 47377.46, '01a21e6c-0f35-7783-97e0-10c169ea8697', '01a21e6c-0f35-7783-97e0-10c169ea8697'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '99852739', '2026-11-27', 'ONLINE', 1, 2007.21, '01a21e6c-0f35-7783-97e0-10ca5edc4ea6', '01a21e6c-0f35-7783-97e0-10ca5edc4ea6'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '99892390', '2026-11-27', 'CARD', 1, 1415.51, '01a21e6c-0f35-7783-97e0-10d1cdc9179a', '01a21e6c-0f35-7783-97e0-10d1cdc9179a'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '99903171', '2026-11-27', 'CARD', 1, 1384.84, '01a21e6c-0f35-7783-97e0-10d0f154a1b0', '01a21e6c-0f35-7783-97e0-10d0f154a1b0'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '99934646', '2026-11-27', 'CARD', 6, 653538.63, '01a21e6c-0f35-7783-97e0-10c3dca09a80', '01a21e6c-0f35-7783-97e0-10c6975b01e3'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '99934646', '2026-11-27', 'MOBILE', 1, 82313.36, '01a21e6c-0f35-7783-97e0-10c5c5b0bce8', '01a21e6c-0f35-7783-97e0-10c5c5b0bce8'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '99934646', '2026-11-27', 'ONLINE', 1, 93319.91, '01a21e6c-0f35-7783-97e0-10c2f67606fb', '01a21e6c-0f35-7783-97e0-10c2f67606fb');


--
-- Data for Name: deliveries; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.deliveries OVERRIDING SYSTEM VALUE VALUES
	('01a21e6c-0d29-7cb6-8153-7b17dd92c981', 1, false, 'delivery.csv', 'csv', '\x7a6857c0725d04bb5fdc2a2daea61f9d407e3539b8e89f8916d3e9ad736ca06a', 7, 21.21, '2026-01-31', '2026-01-31', '2026-11-27 19:12:07.459135+00', NULL, NULL),
	('01a21e6c-0d49-73bb-a381-a9dda37aaf57', 2, false, 'delivery.csv', 'csv', '\x67f4e1f65a87ea376435d05bf15858040d7879394b6d1cad7c91ca86da7fc08c', 7, 21.21, '2026-01-31', '2026-01-31', '2026-11-27 19:12:07.483842+00', NULL, NULL),
	('01a21e6c-0d6b-7810-a538-3ea25b5ef101', 3, false, 'delivery.csv', 'csv', '\x9f618077c31a059c59cb883d4bf463afe8870b19a35e506152e0fac27526c908', 7, 21.21, '2026-01-31', '2026-01-31', '2026-11-27 19:12:07.508864+00', NULL, NULL),
	('01a21e6c-0dad-76d9-a700-6f3dad0641d5', 4, false, 'delivery.csv', 'csv', '\x3bfeaa0d4b50d9cc37f9a11eeda07b10e6e5546182b9c62bc56e33e7adbcf9f6', 2, 1.01, '2026-01-31', '2026-01-31', '2026-11-27 19:12:07.584595+00', '2026-11-27 19:12:07.651052+00', 'wrong'),
	('21d6ced2-50b3-4ae9-b22c-ccf5c90df885', 5, true, 'sandbox-2026-11-27.csv', 'csv', NULL, 39, 1593502.80, '2026-11-27', '2026-11-27', '2026-11-27 19:12:07.983987+00', NULL, NULL);


--
-- Data for Name: delivery_bytes; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.delivery_bytes VALUES
	('\x173c2ebd17bb007d8851da4648a2904ca2e40b939b529823a9d0cbe9e32df18a', '01a21e6c-0d29-7cb6-8153-7b17dd92c981'),
	('\x08b8a5f055498791be7f673dff1d8b9f3c31471886f8e6a2e191e3937afdfcce', '01a21e6c-0d49-73bb-a381-a9dda37aaf57'),
	('\x271e62679ba03b3635e3cf413302453ce20cd4bbe14c7c60dc13329afbe058dd', '01a21e6c-0d6b-7810-a538-3ea25b5ef101');


--
-- Data for Name: delivery_files; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.delivery_files OVERRIDING SYSTEM VALUE VALUES
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', '01a21e6c-0d2c-7bbf-875e-2e23d1064796', '01a21e6c-0d30-74af-9cb0-0e5009fac87e', '01a21e6c-0d29-7cb6-8153-7b17dd92c981', 1, 'delivery.csv', 'csv', 7, 21.21, '2026-01-31', '2026-01-31', '2026-11-27 19:12:07.470439+00', '2026-11-27 19:12:07.478104+00', '01a21e6c-0d33-7301-ba76-8145e6409424'),
	('01a21e6c-0d16-76f2-80f1-50095949994b', '01a21e6c-0d2f-772d-86ab-6aad0594599a', '01a21e6c-0d30-7e14-8ab6-a42766f81c8a', '01a21e6c-0d29-7cb6-8153-7b17dd92c981', 2, 'delivery.csv', 'csv', 7, 21.21, '2026-01-31', '2026-01-31', '2026-11-27 19:12:07.47241+00', '2026-11-27 19:12:07.478104+00', '01a21e6c-0d33-765d-aee4-f1ca01223277'),
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', '01a21e6c-0d4c-7f39-8370-b973e5a3d8f3', '01a21e6c-0d4c-7f39-8370-b9784e7e26bb', '01a21e6c-0d49-73bb-a381-a9dda37aaf57', 3, 'delivery.csv', 'csv', 7, 21.21, '2026-01-31', '2026-01-31', '2026-11-27 19:12:07.500506+00', '2026-11-27 19:12:07.50426+00', '01a21e6c-0d4e-7e42-9ff9-ad859385cb08'),
	('01a21e6c-0d16-76f2-80f1-50095949994b', '01a21e6c-0d4c-76fb-923a-599520dde2f9', '01a21e6c-0d4c-76fb-923a-59996913319a', '01a21e6c-0d49-73bb-a381-a9dda37aaf57', 4, 'delivery.csv', 'csv', 7, 21.21, '2026-01-31', '2026-01-31', '2026-11-27 19:12:07.500724+00', '2026-11-27 19:12:07.50426+00', '01a21e6c-0d4e-704e-be6c-3da29e11913c'),
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', '01a21e6c-0d73-7fe8-a658-7917cc585ca4', '01a21e6c-0d7a-7a99-8ee6-8f1b9beeca00', '01a21e6c-0d6b-7810-a538-3ea25b5ef101', 5, 'delivery.csv', 'csv', 7, 21.21, '2026-01-31', '2026-01-31', '2026-11-27 19:12:07.544973+00', '2026-11-27 19:12:07.573869+00', '01a21e6c-0d89-720a-9ea5-4f69e78cd7e9'),
	('01a21e6c-0d16-76f2-80f1-50095949994b', '01a21e6c-0d79-775a-8399-cede8737789a', '01a21e6c-0d7a-775c-9367-e78c9ba5f680', '01a21e6c-0d6b-7810-a538-3ea25b5ef101', 6, 'delivery.csv', 'csv', 7, 21.21, '2026-01-31', '2026-01-31', '2026-11-27 19:12:07.546074+00', '2026-11-27 19:12:07.573869+00', '01a21e6c-0d89-7655-b890-18f0cbbb1b3c'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10bc0d34c603', '01a21e6c-0f35-7783-97e0-10d1cdc9179a', '21d6ced2-50b3-4ae9-b22c-ccf5c90df885', 9, 'sandbox-2026-11-27.csv', 'csv', 39, 1593502.80, '2026-11-27', '2026-11-27', '2026-11-27 19:12:07.997295+00', '2026-11-27 19:12:08.001381+00', '01a21e6c-0f35-7783-97e0-10d201983304');


--
-- Data for Name: delivery_names; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.delivery_names VALUES
	('01a21e6c-0d29-7cb6-8153-7b17dd92c981', 0, 'name 01a21e6c-0d29-7cb6-8153-7b17dd92c981'),
	('01a21e6c-0d49-73bb-a381-a9dda37aaf57', 0, 'name 01a21e6c-0d49-73bb-a381-a9dda37aaf57'),
	('01a21e6c-0d6b-7810-a538-3ea25b5ef101', 0, 'name 01a21e6c-0d6b-7810-a538-3ea25b5ef101'),
	('01a21e6c-0dad-76d9-a700-6f3dad0641d5', 0, 'name 01a21e6c-0dad-76d9-a700-6f3dad0641d5'),
	('21d6ced2-50b3-4ae9-b22c-ccf5c90df885', 0, 'name 21d6ced2-50b3-4ae9-b22c-ccf5c90df885');


--
-- Data for Name: delivery_notices; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.delivery_notices VALUES
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', 'delivery_late', '2026-11-27 19:12:07.851745+00', '2026-11-27 19:12:07.851745+00'),
	('01a21e6c-0d16-76f2-80f1-50095949994b', 'delivery_late', '2026-11-27 19:12:07.965714+00', '2026-11-27 19:12:07.965714+00');


--
-- Data for Name: delivery_withdrawals; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.delivery_withdrawals VALUES
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', 'cb1af97c-346c-47cb-8919-0a25cd8de132', 'x', '2026-11-27 19:12:07.854425+00'),
	('01a21e6c-0d16-76f2-80f1-50095949994b', '5e3d83a9-6e44-4056-bcbd-2800cf677945', 'x', '2026-11-27 19:12:07.966305+00');


--
-- Data for Name: goose_db_version; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.goose_db_version VALUES
	(1, 0, true, '2026-11-27 19:12:07.163515'),
	(2, 1, true, '2026-11-27 19:12:07.175004'),
	(3, 2, true, '2026-11-27 19:12:07.175255'),
	(4, 3, true, '2026-11-27 19:12:07.181182'),
	(5, 4, true, '2026-11-27 19:12:07.202821'),
	(6, 5, true, '2026-11-27 19:12:07.236118'),
	(7, 6, true, '2026-11-27 19:12:07.257915'),
	(8, 7, true, '2026-11-27 19:12:07.265169'),
	(9, 8, true, '2026-11-27 19:12:07.267382');


--
-- Data for Name: held_records; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.held_records VALUES
	('01a21e6c-0d29-7cb6-8153-7b17dd92c981', '01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', 99, 1, '2026-01-01', '10000009', '1234', '1', 'CARD', 1.00, 'x', '2026-11-27 19:12:07.852522+00'),
	('01a21e6c-0d29-7cb6-8153-7b17dd92c981', '01a21e6c-0d16-76f2-80f1-50095949994b', 99, 1, '2026-01-01', '10000009', '1234', '1', 'CARD', 1.00, 'x', '2026-11-27 19:12:07.965909+00');


--
-- Data for Name: invitations; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.invitations VALUES
	('\x5d61bf756d61b6c089dd2a71df8e04e1b3921870aa4b616d7c974dee62066732', NULL, '01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', 'cc69fa63-10dc-42a0-a8eb-e4b8b572a453', 'new@example.com', 'viewer', NULL, '2026-11-27 19:12:07.841406+00', '2026-11-27 19:12:07.841406+00'),
	('\xb0bb8c4e76d044308decb2bc20e8da553b24efec9b131aedc30bc69f80ca1484', NULL, '01a21e6c-0d16-76f2-80f1-50095949994b', 'ed53736d-25f7-40cd-be2d-b6382c50ac9d', 'new@example.com', 'viewer', NULL, '2026-11-27 19:12:07.962168+00', '2026-11-27 19:12:07.962168+00');


--
-- Data for Name: key_callers; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.key_callers VALUES
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', '01a21e6c-0e43-7074-a9ce-209796c078e8', '10.0.0.1', 'curl', 'curl/8', '2026-11-27 19:12:07.846902+00', '2026-11-27 19:12:07.846902+00', NULL, NULL, 1, 0, NULL),
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', '01a21e6c-0e9a-75c9-832e-fa073d7d7b49', '10.0.0.1', 'curl', 'curl/8', '2026-11-27 19:12:07.846902+00', '2026-11-27 19:12:07.846902+00', NULL, NULL, 1, 0, NULL),
	('01a21e6c-0d16-76f2-80f1-50095949994b', '01a21e6c-0ec3-77a6-97b6-2f70d52fb663', '10.0.0.1', 'curl', 'curl/8', '2026-11-27 19:12:07.963586+00', '2026-11-27 19:12:07.963586+00', NULL, NULL, 1, 0, NULL),
	('01a21e6c-0d16-76f2-80f1-50095949994b', '01a21e6c-0f0f-7560-87da-b96304c3e52b', '10.0.0.1', 'curl', 'curl/8', '2026-11-27 19:12:07.963586+00', '2026-11-27 19:12:07.963586+00', NULL, NULL, 1, 0, NULL);


--
-- Data for Name: key_usage; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.key_usage VALUES
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', '2026-11-27 19:12:07.844792+00', '01a21e6c-0e43-7074-a9ce-209796c078e8', 1, 0, false),
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', '2026-11-27 19:12:07.844792+00', '01a21e6c-0e9a-75c9-832e-fa073d7d7b49', 1, 0, false),
	('01a21e6c-0d16-76f2-80f1-50095949994b', '2026-11-27 19:12:07.962854+00', '01a21e6c-0ec3-77a6-97b6-2f70d52fb663', 1, 0, false),
	('01a21e6c-0d16-76f2-80f1-50095949994b', '2026-11-27 19:12:07.962854+00', '01a21e6c-0f0f-7560-87da-b96304c3e52b', 1, 0, false);


--
-- Data for Name: mail_senders; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.mail_senders VALUES
	(true, '2026-11-27 19:12:07.423999+00');


--
-- Data for Name: mails; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.mails VALUES
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', 'edb4d08d-63e3-4264-9fa6-d20dcbf73b07', 'member_joined', 'both@example.com', '01a21e6c-0de6-72ab-a88e-3305c41160ee', '{"at": "2026-11-27T19:12:07Z", "role": "owner", "member": "a@example.com", "because": "role"}', '2026-11-27 19:12:07.689946+00', 0, '2026-11-27 19:12:07.689946+00', '', NULL, NULL),
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', '21932c36-818d-49fb-b56f-7185af936918', 'key_created', 'a@example.com', '01a21e6c-0e09-7d14-9777-0dd36746b36c', '{"at": "2026-11-27T19:12:07Z", "key": "successor", "hint": "kPAH", "key_id": "01a21e6c-0e9a-75c9-832e-fa073d7d7b49", "because": "role"}', '2026-11-27 19:12:07.834528+00', 0, '2026-11-27 19:12:07.834528+00', '', NULL, NULL),
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', 'cdbd97ab-8e5b-43fb-b163-8720da150236', 'key_created', 'both@example.com', '01a21e6c-0de6-72ab-a88e-3305c41160ee', '{"at": "2026-11-27T19:12:07Z", "key": "successor", "hint": "kPAH", "key_id": "01a21e6c-0e9a-75c9-832e-fa073d7d7b49", "because": "role"}', '2026-11-27 19:12:07.834528+00', 0, '2026-11-27 19:12:07.834528+00', '', NULL, NULL),
	('01a21e6c-0d16-76f2-80f1-50095949994b', '9377e7d9-148c-4cd6-984f-8b68189e6f65', 'key_created', 'b@example.com', '01a21e6c-0ebc-773c-97ce-33763600843e', '{"at": "2026-11-27T19:12:07Z", "key": "successor", "hint": "Swuo", "key_id": "01a21e6c-0f0f-7560-87da-b96304c3e52b", "because": "role"}', '2026-11-27 19:12:07.951532+00', 0, '2026-11-27 19:12:07.951532+00', '', NULL, NULL);


--
-- Data for Name: memberships; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.memberships VALUES
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', '01a21e6c-0de6-72ab-a88e-3305c41160ee', 'owner', '2026-11-27 19:12:07.661099+00', '2026-11-27 19:12:07.661099+00'),
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', '01a21e6c-0e09-7d14-9777-0dd36746b36c', 'owner', '2026-11-27 19:12:07.709856+00', '2026-11-27 19:12:07.709856+00'),
	('01a21e6c-0d16-76f2-80f1-50095949994b', '01a21e6c-0ebc-773c-97ce-33763600843e', 'owner', '2026-11-27 19:12:07.87043+00', '2026-11-27 19:12:07.87043+00'),
	('01a21e6c-0d16-76f2-80f1-50095949994b', '01a21e6c-0de6-72ab-a88e-3305c41160ee', 'viewer', '2026-11-27 19:12:07.981749+00', '2026-11-27 19:12:07.981749+00');


--
-- Data for Name: organizations; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.organizations VALUES
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', 'a', 'Organization a', false, NULL, 2, 4, 21, 63.63, 1795806727651819, '202b905b-535e-4548-bfc6-ae54ad72fd3d', '01a21e6c-0ddb-7249-bd95-a9b999babec2', NULL, NULL, false, 0, 0, 'Europe/Copenhagen', '', '', '2026-11-27 19:12:07.426984+00', '2026-11-27 19:12:07.42606+00', '2026-11-27 19:12:07.426984+00'),
	('01a21e6c-0d16-76f2-80f1-50095949994b', 'b', 'Organization b', false, NULL, 2, 4, 21, 63.63, 1795806727651902, 'adf97755-1298-4051-a37b-e18d42ccf0c1', '01a21e6c-0ddb-7f24-9989-87f6d7d936d7', NULL, NULL, false, 0, 0, 'Europe/Copenhagen', '', '', '2026-11-27 19:12:07.446685+00', '2026-11-27 19:12:07.446495+00', '2026-11-27 19:12:07.446685+00'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', 'sandbox', 'Sandbox sandbox', true, '2026-11-27', 20, 1, 39, 1593502.80, 1795806728003679, '66b2bfb7-a575-49c8-82f5-49a2d60ccdb1', '01a21e6c-0f35-7783-97e0-10d2b8d80de6', NULL, NULL, false, 0, 0, 'Europe/Copenhagen', '', '', '2026-11-27 19:12:07.98249+00', '2026-11-27 19:12:07.982344+00', '2026-11-27 19:12:07.98249+00');


--
-- Data for Name: password_links; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.password_links VALUES
	('\x2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881', 'password', '01a21e6c-0de6-72ab-a88e-3305c41160ee', '2026-11-27 19:12:08.02084+00', '2026-11-27 19:12:08.02084+00');


--
-- Data for Name: password_requests; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.password_requests VALUES
	('68bef7c3-cb1a-47d8-b2da-a7c255fde641', 'password', 'x@example.com', '192.0.2.1', '2026-11-27 19:12:08.021366+00');


--
-- Data for Name: recovery_codes; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.recovery_codes VALUES
	('01a21e6c-0de6-72ab-a88e-3305c41160ee', '\x000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'),
	('01a21e6c-0e09-7d14-9777-0dd36746b36c', '\x000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000'),
	('01a21e6c-0ebc-773c-97ce-33763600843e', '\x000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000');


--
-- Data for Name: refused_deliveries; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.refused_deliveries VALUES
	(true, 1, 20);


--
-- Data for Name: refused_requests; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.refused_requests VALUES
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', 'ed99562f-9bc9-40b7-9b35-9b01e6ba3f2b', '2026-11-27 19:12:07.848208+00', '01a21e6c-0e43-7074-a9ce-209796c078e8', 429, '', 'GET', '/', '10.0.0.1', 'curl/8'),
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', 'f13862eb-3c1a-45b3-98d0-92d5c3e8d0ff', '2026-11-27 19:12:07.848208+00', '01a21e6c-0e9a-75c9-832e-fa073d7d7b49', 429, '', 'GET', '/', '10.0.0.1', 'curl/8'),
	('01a21e6c-0d16-76f2-80f1-50095949994b', '9aba803b-1e64-4f08-9698-b3c1c82b06b9', '2026-11-27 19:12:07.964179+00', '01a21e6c-0ec3-77a6-97b6-2f70d52fb663', 429, '', 'GET', '/', '10.0.0.1', 'curl/8'),
	('01a21e6c-0d16-76f2-80f1-50095949994b', 'ef47aeea-c639-4001-aac4-897f1639e66c', '2026-11-27 19:12:07.964179+00', '01a21e6c-0f0f-7560-87da-b96304c3e52b', 429, '', 'GET', '/', '10.0.0.1', 'curl/8');


--
-- Data for Name: running_tasks; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.running_tasks VALUES
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', 'bulk', 'f29fe410-ae7a-4b4d-a109-8e4c56b21127', '2026-11-27 19:12:07.850991+00'),
	('01a21e6c-0d16-76f2-80f1-50095949994b', 'bulk', '73ce4931-e3d3-4e48-8a26-5b5fb35bf1b4', '2026-11-27 19:12:07.965403+00');


--
-- Data for Name: served_requests; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.served_requests VALUES
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', '01a21e6c-0e43-7074-a9ce-209796c078e8', '545df4c6-b335-4ef2-a416-bf2e91f6a100', '2026-11-27 19:12:07.849418+00', '10.0.0.1', 'curl', '/', 200, 1),
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', '01a21e6c-0e9a-75c9-832e-fa073d7d7b49', '7f3623e9-8388-49ee-a89c-ee5a33b3b966', '2026-11-27 19:12:07.849418+00', '10.0.0.1', 'curl', '/', 200, 1),
	('01a21e6c-0d16-76f2-80f1-50095949994b', '01a21e6c-0ec3-77a6-97b6-2f70d52fb663', '890a7e07-b1aa-4645-b53a-27c093077ee4', '2026-11-27 19:12:07.964785+00', '10.0.0.1', 'curl', '/', 200, 1),
	('01a21e6c-0d16-76f2-80f1-50095949994b', '01a21e6c-0f0f-7560-87da-b96304c3e52b', '59111e21-0607-4653-ad2b-c28d67383572', '2026-11-27 19:12:07.964785+00', '10.0.0.1', 'curl', '/', 200, 1);


--
-- Data for Name: sessions; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.sessions VALUES
	('978e6f22-c519-428c-9666-a4f6fdee203c', '\x0db37f5b19b331c12953d40f13c5997eaaa1024da0b556eb57f5ce87bd21271d', '01a21e6c-0de6-72ab-a88e-3305c41160ee', '01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', '10.0.0.1', 'x', '2026-11-27 19:12:07.855161+00', '2026-11-27 19:12:07.855161+00', '2026-11-27 19:12:07.855161+00', '2026-11-27 19:12:07.855161+00'),
	('a9e9e183-278a-4e75-affc-8f06c8db6d4e', '\xbbbbe301a3baf25dfc719020c5482db85f10182cab0672bc1581283a65c9aaa2', '01a21e6c-0e09-7d14-9777-0dd36746b36c', '01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', '10.0.0.1', 'x', '2026-11-27 19:12:07.855161+00', '2026-11-27 19:12:07.855161+00', '2026-11-27 19:12:07.855161+00', '2026-11-27 19:12:07.855161+00'),
	('387c3459-0459-4a55-b866-388f03c3018c', '\xb3e3223e7105f12de93846aec59d5e15ddefecb3f4e4dbf3b422a5b3227f1856', '01a21e6c-0ebc-773c-97ce-33763600843e', '01a21e6c-0d16-76f2-80f1-50095949994b', '10.0.0.1', 'x', '2026-11-27 19:12:07.966483+00', '2026-11-27 19:12:07.966483+00', '2026-11-27 19:12:07.966483+00', '2026-11-27 19:12:07.966483+00');


--
-- Data for Name: sign_in_failures; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.sign_in_failures VALUES
	('account x', 1, '2026-11-27 19:12:08.019622+00');


--
-- Data for Name: transactions; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.transactions VALUES
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', '01a21e6c-0d2f-7f90-b3ed-62964cb1a56a', '01a21e6c-0d2c-7bbf-875e-2e23d1064796', 1, 1, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 0.00, '10000001,1234,0000000001,CARD,2026-01-31,1,0.00'),
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', '01a21e6c-0d30-74af-9cb0-0e4e4782e4c3', '01a21e6c-0d2c-7bbf-875e-2e23d1064796', 2, 2, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 1.01, '10000001,1234,0000000001,CARD,2026-01-31,2,1.01'),
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', '01a21e6c-0d30-74af-9cb0-0e4e5079ae4e', '01a21e6c-0d2c-7bbf-875e-2e23d1064796', 3, 3, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 2.02, '10000001,1234,0000000001,CARD,2026-01-31,3,2.02'),
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', '01a21e6c-0d30-74af-9cb0-0e4ec063fe42', '01a21e6c-0d2c-7bbf-875e-2e23d1064796', 4, 4, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 3.03, '10000001,1234,0000000001,CARD,2026-01-31,4,3.03'),
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', '01a21e6c-0d30-74af-9cb0-0e4ef38c143a', '01a21e6c-0d2c-7bbf-875e-2e23d1064796', 5, 5, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 4.04, '10000001,1234,0000000001,CARD,2026-01-31,5,4.04'),
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', '01a21e6c-0d30-74af-9cb0-0e4f90ba2044', '01a21e6c-0d2c-7bbf-875e-2e23d1064796', 6, 6, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 5.05, '10000001,1234,0000000001,CARD,2026-01-31,6,5.05'),
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', '01a21e6c-0d30-74af-9cb0-0e5009fac87e', '01a21e6c-0d2c-7bbf-875e-2e23d1064796', 7, 7, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 6.06, '10000001,1234,0000000001,CARD,2026-01-31,7,6.06'),
	('01a21e6c-0d16-76f2-80f1-50095949994b', '01a21e6c-0d30-7e14-8ab6-a423f08253d0', '01a21e6c-0d2f-772d-86ab-6aad0594599a', 1, 1, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 0.00, '10000001,1234,0000000001,CARD,2026-01-31,1,0.00'),
	('01a21e6c-0d16-76f2-80f1-50095949994b', '01a21e6c-0d30-7e14-8ab6-a423fda66bc7', '01a21e6c-0d2f-772d-86ab-6aad0594599a', 2, 2, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 1.01, '10000001,1234,0000000001,CARD,2026-01-31,2,1.01'),
	('01a21e6c-0d16-76f2-80f1-50095949994b', '01a21e6c-0d30-7e14-8ab6-a4249ca0a792', '01a21e6c-0d2f-772d-86ab-6aad0594599a', 3, 3, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 2.02, '10000001,1234,0000000001,CARD,2026-01-31,3,2.02'),
	('01a21e6c-0d16-76f2-80f1-50095949994b', '01a21e6c-0d30-7e14-8ab6-a42578158988', '01a21e6c-0d2f-772d-86ab-6aad0594599a', 4, 4, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 3.03, '10000001,1234,0000000001,CARD,2026-01-31,4,3.03'),
	('01a21e6c-0d16-76f2-80f1-50095949994b', '01a21e6c-0d30-7e14-8ab6-a425b4325275', '01a21e6c-0d2f-772d-86ab-6aad0594599a', 5, 5, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 4.04, '10000001,1234,0000000001,CARD,2026-01-31,5,4.04'),
	('01a21e6c-0d16-76f2-80f1-50095949994b', '01a21e6c-0d30-7e14-8ab6-a426a373b6ce', '01a21e6c-0d2f-772d-86ab-6aad0594599a', 6, 6, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 5.05, '10000001,1234,0000000001,CARD,2026-01-31,6,5.05'),
	('01a21e6c-0d16-76f2-80f1-50095949994b', '01a21e6c-0d30-7e14-8ab6-a42766f81c8a', '01a21e6c-0d2f-772d-86ab-6aad0594599a', 7, 7, '2026-01-31', '10000001', '1234', '0000000001', 'CARD', 6.06, '10000001,1234,0000000001,CARD,2026-01-31,7,6.06'),
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', '01a21e6c-0d4c-7f39-8370-b974c03c81ef', '01a21e6c-0d4c-7f39-8370-b973e5a3d8f3', 1, 1, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 0.00, '10000001,1234,0000000002,CARD,2026-01-31,1,0.00'),
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', '01a21e6c-0d4c-7f39-8370-b975675173e2', '01a21e6c-0d4c-7f39-8370-b973e5a3d8f3', 2, 2, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 1.01, '10000001,1234,0000000002,CARD,2026-01-31,2,1.01'),
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', '01a21e6c-0d4c-7f39-8370-b975eedd881c', '01a21e6c-0d4c-7f39-8370-b973e5a3d8f3', 3, 3, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 2.02, '10000001,1234,0000000002,CARD,2026-01-31,3,2.02'),
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', '01a21e6c-0d4c-7f39-8370-b97615804293', '01a21e6c-0d4c-7f39-8370-b973e5a3d8f3', 4, 4, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 3.03, '10000001,1234,0000000002,CARD,2026-01-31,4,3.03'),
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', '01a21e6c-0d4c-7f39-8370-b9771234e86d', '01a21e6c-0d4c-7f39-8370-b973e5a3d8f3', 5, 5, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 4.04, '10000001,1234,0000000002,CARD,2026-01-31,5,4.04'),
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', '01a21e6c-0d4c-7f39-8370-b9777c319f17', '01a21e6c-0d4c-7f39-8370-b973e5a3d8f3', 6, 6, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 5.05, '10000001,1234,0000000002,CARD,2026-01-31,6,5.05'),
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', '01a21e6c-0d4c-7f39-8370-b9784e7e26bb', '01a21e6c-0d4c-7f39-8370-b973e5a3d8f3', 7, 7, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 6.06, '10000001,1234,0000000002,CARD,2026-01-31,7,6.06'),
	('01a21e6c-0d16-76f2-80f1-50095949994b', '01a21e6c-0d4c-76fb-923a-5995d2c15337', '01a21e6c-0d4c-76fb-923a-599520dde2f9', 1, 1, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 0.00, '10000001,1234,0000000002,CARD,2026-01-31,1,0.00'),
	('01a21e6c-0d16-76f2-80f1-50095949994b', '01a21e6c-0d4c-76fb-923a-5995d3310c9f', '01a21e6c-0d4c-76fb-923a-599520dde2f9', 2, 2, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 1.01, '10000001,1234,0000000002,CARD,2026-01-31,2,1.01'),
	('01a21e6c-0d16-76f2-80f1-50095949994b', '01a21e6c-0d4c-76fb-923a-5996ce365828', '01a21e6c-0d4c-76fb-923a-599520dde2f9', 3, 3, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 2.02, '10000001,1234,0000000002,CARD,2026-01-31,3,2.02'),
	('01a21e6c-0d16-76f2-80f1-50095949994b', '01a21e6c-0d4c-76fb-923a-5997b96c1cb5', '01a21e6c-0d4c-76fb-923a-599520dde2f9', 4, 4, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 3.03, '10000001,1234,0000000002,CARD,2026-01-31,4,3.03'),
	('01a21e6c-0d16-76f2-80f1-50095949994b', '01a21e6c-0d4c-76fb-923a-59987435ec99', '01a21e6c-0d4c-76fb-923a-599520dde2f9', 5, 5, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 4.04, '10000001,1234,0000000002,CARD,2026-01-31,5,4.04'),
	('01a21e6c-0d16-76f2-80f1-50095949994b', '01a21e6c-0d4c-76fb-923a-5999036dc886', '01a21e6c-0d4c-76fb-923a-599520dde2f9', 6, 6, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 5.05, '10000001,1234,0000000002,CARD,2026-01-31,6,5.05'),
	('01a21e6c-0d16-76f2-80f1-50095949994b', '01a21e6c-0d4c-76fb-923a-59996913319a', '01a21e6c-0d4c-76fb-923a-599520dde2f9', 7, 7, '2026-01-31', '10000001', '1234', '0000000002', 'CARD', 6.06, '10000001,1234,0000000002,CARD,2026-01-31,7,6.06'),
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', '01a21e6c-0d79-75d3-a0eb-47ecea9b109a', '01a21e6c-0d73-7fe8-a658-7917cc585ca4', 1, 1, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 0.00, '10000001,1234,0000000003,CARD,2026-01-31,1,0.00'),
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', '01a21e6c-0d7a-7a99-8ee6-8f1864efd0c3', '01a21e6c-0d73-7fe8-a658-7917cc585ca4', 2, 2, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 1.01, '10000001,1234,0000000003,CARD,2026-01-31,2,1.01'),
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', '01a21e6c-0d7a-7a99-8ee6-8f1958d4515e', '01a21e6c-0d73-7fe8-a658-7917cc585ca4', 3, 3, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 2.02, '10000001,1234,0000000003,CARD,2026-01-31,3,2.02'),
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', '01a21e6c-0d7a-7a99-8ee6-8f1a34b44ca0', '01a21e6c-0d73-7fe8-a658-7917cc585ca4', 4, 4, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 3.03, '10000001,1234,0000000003,CARD,2026-01-31,4,3.03'),
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', '01a21e6c-0d7a-7a99-8ee6-8f1ad96ea39f', '01a21e6c-0d73-7fe8-a658-7917cc585ca4', 5, 5, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 4.04, '10000001,1234,0000000003,CARD,2026-01-31,5,4.04'),
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', '01a21e6c-0d7a-7a99-8ee6-8f1b94160242', '01a21e6c-0d73-7fe8-a658-7917cc585ca4', 6, 6, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 5.05, '10000001,1234,0000000003,CARD,2026-01-31,6,5.05'),
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', '01a21e6c-0d7a-7a99-8ee6-8f1b9beeca00', '01a21e6c-0d73-7fe8-a658-7917cc585ca4', 7, 7, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 6.06, '10000001,1234,0000000003,CARD,2026-01-31,7,6.06'),
	('01a21e6c-0d16-76f2-80f1-50095949994b', '01a21e6c-0d7a-775c-9367-e78a378f7cad', '01a21e6c-0d79-775a-8399-cede8737789a', 1, 1, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 0.00, '10000001,1234,0000000003,CARD,2026-01-31,1,0.00'),
	('01a21e6c-0d16-76f2-80f1-50095949994b', '01a21e6c-0d7a-775c-9367-e78b2890e4a3', '01a21e6c-0d79-775a-8399-cede8737789a', 2, 2, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 1.01, '10000001,1234,0000000003,CARD,2026-01-31,2,1.01'),
	('01a21e6c-0d16-76f2-80f1-50095949994b', '01a21e6c-0d7a-775c-9367-e78b3420d030', '01a21e6c-0d79-775a-8399-cede8737789a', 3, 3, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 2.02, '10000001,1234,0000000003,CARD,2026-01-31,3,2.02'),
	('01a21e6c-0d16-76f2-80f1-50095949994b', '01a21e6c-0d7a-775c-9367-e78bb19bea26', '01a21e6c-0d79-775a-8399-cede8737789a', 4, 4, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 3.03, '10000001,1234,0000000003,CARD,2026-01-31,4,3.03'),
	('01a21e6c-0d16-76f2-80f1-50095949994b', '01a21e6c-0d7a-775c-9367-e78be1cb6792', '01a21e6c-0d79-775a-8399-cede8737789a', 5, 5, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 4.04, '10000001,1234,0000000003,CARD,2026-01-31,5,4.04'),
	('01a21e6c-0d16-76f2-80f1-50095949994b', '01a21e6c-0d7a-775c-9367-e78c17d8ddaf', '01a21e6c-0d79-775a-8399-cede8737789a', 6, 6, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 5.05, '10000001,1234,0000000003,CARD,2026-01-31,6,5.05'),
	('01a21e6c-0d16-76f2-80f1-50095949994b', '01a21e6c-0d7a-775c-9367-e78c9ba5f680', '01a21e6c-0d79-775a-8399-cede8737789a', 7, 7, '2026-01-31', '10000001', '1234', '0000000003', 'CARD', 6.06, '10000001,1234,0000000003,CARD,2026-01-31,7,6.06'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10bc4d354d42', '01a21e6c-0f35-7783-97e0-10bc0d34c603', 1, 69, '2026-11-27', '99031409', '6363', '0202519096', 'CARD', 17541.72, '99031409,6363,0202519096,CARD,2026-11-27,69,17541.72'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10bc7ee03caf', '01a21e6c-0f35-7783-97e0-10bc0d34c603', 2, 109, '2026-11-27', '99031409', '6363', '0202519096', 'CARD', 53747.99, '99031409,6363,0202519096,CARD,2026-11-27,109,53747.99'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10bd29ee9a64', '01a21e6c-0f35-7783-97e0-10bc0d34c603', 3, 83, '2026-11-27', '99031409', '6363', '0202519096', 'CARD', 44866.76, '99031409,6363,0202519096,CARD,2026-11-27,83,44866.76'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10bd2df5ad68', '01a21e6c-0f35-7783-97e0-10bc0d34c603', 4, 100, '2026-11-27', '99031409', '6363', '0202519096', 'MOBILE', 26533.36, '99031409,6363,0202519096,MOBILE,2026-11-27,100,26533.36'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10bde58c637a', '01a21e6c-0f35-7783-97e0-10bc0d34c603', 5, 213, '2026-11-27', '99031409', '6363', '0202519096', 'CARD', 39230.47, '99031409,6363,0202519096,CARD,2026-11-27,213,39230.47'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10be05f240b3', '01a21e6c-0f35-7783-97e0-10bc0d34c603', 6, 136, '2026-11-27', '99031409', '6363', '0202519096', 'CARD', 51771.82, '99031409,6363,0202519096,CARD,2026-11-27,136,51771.82'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10be80b40dc6', '01a21e6c-0f35-7783-97e0-10bc0d34c603', 7, 91, '2026-11-27', '99031409', '6363', '0202519096', 'CARD', 76878.51, '99031409,6363,0202519096,CARD,2026-11-27,91,76878.51'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10bef3bf8023', '01a21e6c-0f35-7783-97e0-10bc0d34c603', 8, 103, '2026-11-27', '99031409', '6363', '0202519096', 'MOBILE', 12904.32, '99031409,6363,0202519096,MOBILE,2026-11-27,103,12904.32'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10bfb9c56866', '01a21e6c-0f35-7783-97e0-10bc0d34c603', 9, 12, '2026-11-27', '99080604', '2588', '3277038671', 'CARD', 1081.90, '99080604,2588,3277038671,CARD,2026-11-27,12,1081.90'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10bff0d82c6e', '01a21e6c-0f35-7783-97e0-10bc0d34c603', 10, 28, '2026-11-27', '99305258', '2991', '9159734599', 'CARD', 3190.27, '99305258,2991,9159734599,CARD,2026-11-27,28,3190.27'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10c097d29df3', '01a21e6c-0f35-7783-97e0-10bc0d34c603', 11, 37, '2026-11-27', '99305258', '2991', '9159734599', 'CARD', 3111.31, '99305258,2991,9159734599,CARD,2026-11-27,37,3111.31'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10c169ea8697', '01a21e6c-0f35-7783-97e0-10bc0d34c603', 12, 37, '2026-11-27', '99821388', '4345', '4170190935', 'ONLINE', 47377.46, '99821388,4345,4170190935,ONLINE,2026-11-27,37,47377.46'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10c256f46bcf', '01a21e6c-0f35-7783-97e0-10bc0d34c603', 13, 63, '2026-11-27', '99821388', '4345', '4170190935', 'CARD', 164851.64, '99821388,4345,4170190935,CARD,2026-11-27,63,164851.64'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10c2f67606fb', '01a21e6c-0f35-7783-97e0-10bc0d34c603', 14, 134, '2026-11-27', '99934646', '3326', '5012416315', 'ONLINE', 93319.91, '99934646,3326,5012416315,ONLINE,2026-11-27,134,93319.91'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10c3dca09a80', '01a21e6c-0f35-7783-97e0-10bc0d34c603', 15, 92, '2026-11-27', '99934646', '3326', '5012416315', 'CARD', 65987.14, '99934646,3326,5012416315,CARD,2026-11-27,92,65987.14'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10c4834a77c6', '01a21e6c-0f35-7783-97e0-10bc0d34c603', 16, 138, '2026-11-27', '99934646', '3326', '5012416315', 'CARD', 104392.15, '99934646,3326,5012416315,CARD,2026-11-27,138,104392.15'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10c4bcf4e50c', '01a21e6c-0f35-7783-97e0-10bc0d34c603', 17, 113, '2026-11-27', '99934646', '3326', '5012416315', 'CARD', 95252.68, '99934646,3326,5012416315,CARD,2026-11-27,113,95252.68'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10c5104790c8', '01a21e6c-0f35-7783-97e0-10bc0d34c603', 18, 85, '2026-11-27', '99934646', '3326', '5012416315', 'CARD', 118121.16, '99934646,3326,5012416315,CARD,2026-11-27,85,118121.16'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10c5c5b0bce8', '01a21e6c-0f35-7783-97e0-10bc0d34c603', 19, 119, '2026-11-27', '99934646', '3326', '5012416315', 'MOBILE', 82313.36, '99934646,3326,5012416315,MOBILE,2026-11-27,119,82313.36'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10c66fb1f720', '01a21e6c-0f35-7783-97e0-10bc0d34c603', 20, 153, '2026-11-27', '99934646', '3326', '5012416315', 'CARD', 202910.67, '99934646,3326,5012416315,CARD,2026-11-27,153,202910.67'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10c6975b01e3', '01a21e6c-0f35-7783-97e0-10bc0d34c603', 21, 77, '2026-11-27', '99934646', '3326', '5012416315', 'CARD', 66874.83, '99934646,3326,5012416315,CARD,2026-11-27,77,66874.83'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10c757f1c099', '01a21e6c-0f35-7783-97e0-10bc0d34c603', 22, 23, '2026-11-27', '99205776', '1635', '9072186717', 'CARD', 1128.86, '99205776,1635,9072186717,CARD,2026-11-27,23,1128.86'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10c8123e3511', '01a21e6c-0f35-7783-97e0-10bc0d34c603', 23, 71, '2026-11-27', '99205776', '1635', '9072186717', 'CARD', 6135.61, '99205776,1635,9072186717,CARD,2026-11-27,71,6135.61'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10c8d19cd83f', '01a21e6c-0f35-7783-97e0-10bc0d34c603', 24, 23, '2026-11-27', '99258381', '4387', '7573904220', 'CARD', 6838.54, '99258381,4387,7573904220,CARD,2026-11-27,23,6838.54'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10c983e663b4', '01a21e6c-0f35-7783-97e0-10bc0d34c603', 25, 32, '2026-11-27', '99258381', '4387', '7573904220', 'CARD', 10407.13, '99258381,4387,7573904220,CARD,2026-11-27,32,10407.13'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10c9c93fb884', '01a21e6c-0f35-7783-97e0-10bc0d34c603', 26, 38, '2026-11-27', '99258381', '4387', '7573904220', 'CARD', 14047.37, '99258381,4387,7573904220,CARD,2026-11-27,38,14047.37'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10ca5edc4ea6', '01a21e6c-0f35-7783-97e0-10bc0d34c603', 27, 4, '2026-11-27', '99852739', '2648', '5675082345', 'ONLINE', 2007.21, '99852739,2648,5675082345,ONLINE,2026-11-27,4,2007.21'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10cb561c830d', '01a21e6c-0f35-7783-97e0-10bc0d34c603', 28, 37, '2026-11-27', '99569484', '8047', '7416165704', 'MOBILE', 44031.94, '99569484,8047,7416165704,MOBILE,2026-11-27,37,44031.94'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10cbbd28edde', '01a21e6c-0f35-7783-97e0-10bc0d34c603', 29, 66, '2026-11-27', '99569484', '8047', '7416165704', 'CARD', 64409.36, '99569484,8047,7416165704,CARD,2026-11-27,66,64409.36'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10cca628f7e6', '01a21e6c-0f35-7783-97e0-10bc0d34c603', 30, 11, '2026-11-27', '99220120', '4579', '5267293586', 'CARD', 33764.73, '99220120,4579,5267293586,CARD,2026-11-27,11,33764.73'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10cd2f830055', '01a21e6c-0f35-7783-97e0-10bc0d34c603', 31, 34, '2026-11-27', '99373245', '3006', '8562906440', 'CARD', 8987.20, '99373245,3006,8562906440,CARD,2026-11-27,34,8987.20'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10cd72b13951', '01a21e6c-0f35-7783-97e0-10bc0d34c603', 32, 37, '2026-11-27', '99373245', '3006', '8562906440', 'CARD', 12158.11, '99373245,3006,8562906440,CARD,2026-11-27,37,12158.11'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10ce5d429adb', '01a21e6c-0f35-7783-97e0-10bc0d34c603', 33, 32, '2026-11-27', '99373245', '3006', '8562906440', 'MOBILE', 4222.34, '99373245,3006,8562906440,MOBILE,2026-11-27,32,4222.34'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10cf3187573e', '01a21e6c-0f35-7783-97e0-10bc0d34c603', 34, 23, '2026-11-27', '99192771', '6481', '5475379333', 'CARD', 2373.15, '99192771,6481,5475379333,CARD,2026-11-27,23,2373.15'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10cf8af5752e', '01a21e6c-0f35-7783-97e0-10bc0d34c603', 35, 53, '2026-11-27', '99192771', '6481', '5475379333', 'CARD', 4702.15, '99192771,6481,5475379333,CARD,2026-11-27,53,4702.15'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10d009f15fde', '01a21e6c-0f35-7783-97e0-10bc0d34c603', 36, 35, '2026-11-27', '99192771', '6481', '5475379333', 'ONLINE', 1253.67, '99192771,6481,5475379333,ONLINE,2026-11-27,35,1253.67'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10d0f154a1b0', '01a21e6c-0f35-7783-97e0-10bc0d34c603', 37, 6, '2026-11-27', '99903171', '5220', '8800509552', 'CARD', 1384.84, '99903171,5220,8800509552,CARD,2026-11-27,6,1384.84'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10d1724e3c54', '01a21e6c-0f35-7783-97e0-10bc0d34c603', 38, 6, '2026-11-27', '99775203', '9987', '5727630376', 'CARD', 1975.65, '99775203,9987,5727630376,CARD,2026-11-27,6,1975.65'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', '01a21e6c-0f35-7783-97e0-10d1cdc9179a', '01a21e6c-0f35-7783-97e0-10bc0d34c603', 39, 8, '2026-11-27', '99892390', '3404', '7387140103', 'CARD', 1415.51, '99892390,3404,7387140103,CARD,2026-11-27,8,1415.51');


--
-- Data for Name: transactions_kept; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.transactions_kept VALUES
	(true, '99 years');


--
-- Data for Name: users; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.users VALUES
	('01a21e6c-0de6-72ab-a88e-3305c41160ee', 'both@example.com', '2026-11-27 19:12:07.681857+00', 'sha384-nfc$2a$04$N8tO.9OkBwPlLMMyjbRlBO/ND.W3N357Bu9GWieIcELFveU4wbZgW', NULL, 0, NULL, NULL, '{arrivals}', '', '', '2026-11-27 19:12:07.654426+00', '2026-11-27 19:12:07.654426+00'),
	('01a21e6c-0e09-7d14-9777-0dd36746b36c', 'a@example.com', '2026-11-27 19:12:07.745183+00', 'sha384-nfc$2a$04$90pNHeqAtkTmTU3E2PlrauJYabbSg/sVlREY33FXCsvXUc1t3WKhu', NULL, 0, NULL, NULL, '{arrivals}', '', '', '2026-11-27 19:12:07.691913+00', '2026-11-27 19:12:07.691913+00'),
	('01a21e6c-0ebc-773c-97ce-33763600843e', 'b@example.com', '2026-11-27 19:12:07.873909+00', 'sha384-nfc$2a$04$Mh9klI7KS/xQFvp.teXr3OoycB1dKplMBSeFxoHV4Mwiln4Usm5du', NULL, 0, NULL, NULL, '{arrivals}', '', '', '2026-11-27 19:12:07.86865+00', '2026-11-27 19:12:07.86865+00');


--
-- Data for Name: withdrawn_files; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.withdrawn_files VALUES
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', '01a21e6c-0daf-7d80-8c91-bfa705b841ba', 'delivery.csv', 'csv', 2, 1.01, '2026-01-31', '2026-01-31', '2026-11-27 19:12:07.599985+00', '2026-11-27 19:12:07.607642+00', 'wrong', '01a21e6c-0ddb-7249-bd95-a9b999babec2'),
	('01a21e6c-0d16-76f2-80f1-50095949994b', '01a21e6c-0db0-7dcc-ae4a-3062371a35b2', 'delivery.csv', 'csv', 2, 1.01, '2026-01-31', '2026-01-31', '2026-11-27 19:12:07.600203+00', '2026-11-27 19:12:07.607642+00', 'wrong', '01a21e6c-0ddb-7f24-9989-87f6d7d936d7');


--
-- Data for Name: withdrawn_totals; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.withdrawn_totals VALUES
	('01a21e6c-0d16-76f2-80f1-50095949994b', '10000001', '2026-01-31', '01a21e6c-0db0-7dcc-ae4a-3062371a35b2', 2, 1.01, '2026-11-27 19:12:07.607642+00'),
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', '10000001', '2026-01-31', '01a21e6c-0daf-7d80-8c91-bfa705b841ba', 2, 1.01, '2026-11-27 19:12:07.607642+00'),
	('01a21e6c-0d16-76f2-80f1-50095949994b', '', '2026-01-31', '01a21e6c-0db0-7dcc-ae4a-3062371a35b2', 2, 1.01, '2026-11-27 19:12:07.607642+00'),
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', '', '2026-01-31', '01a21e6c-0daf-7d80-8c91-bfa705b841ba', 2, 1.01, '2026-11-27 19:12:07.607642+00');


--
-- Data for Name: writers; Type: TABLE DATA; Schema: public; Owner: dispo
--

INSERT INTO public.writers VALUES
	('01a21e6c-0d01-7be3-b744-0f9f92b3e3c9', 0, '00000000-0000-0000-0000-000000000000'),
	('01a21e6c-0d16-76f2-80f1-50095949994b', 0, '00000000-0000-0000-0000-000000000000'),
	('01a21e6c-0f2e-74bd-812c-2aac97c80c13', 0, '00000000-0000-0000-0000-000000000000');


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


