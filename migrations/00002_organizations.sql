-- +goose Up
-- +goose StatementBegin
CREATE TABLE organizations (
    id                    uuid PRIMARY KEY,
    slug                  text NOT NULL UNIQUE CHECK (slug ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
    name                  text NOT NULL CHECK (name <> ''),
    -- A sandbox is an organization whose data is made up. It never becomes a real one,
    -- nor the other way round: no role may update the column, and the keys refer to it.
    sandbox               boolean NOT NULL DEFAULT false,
    -- The last day whose made-up data has arrived. Null for a real organization.
    sandbox_day           date,
    -- Kept by the writing transaction, so that a list's total need not be counted.
    company_count         bigint NOT NULL DEFAULT 0 CHECK (company_count >= 0),
    -- Delivery files that have arrived, with those that were withdrawn since.
    delivery_file_count   bigint NOT NULL DEFAULT 0 CHECK (delivery_file_count >= 0),
    transaction_count     bigint NOT NULL DEFAULT 0 CHECK (transaction_count >= 0),
    total_amount_dkk      numeric(38, 2) NOT NULL DEFAULT 0,
    -- Increases with every change to the organization's companies or transactions. It
    -- follows the clock, in microseconds, and never decreases. A plain counter would
    -- repeat values after the database was restored from a backup. A client with an
    -- answer of such a version would then be told that nothing changed.
    data_version          bigint NOT NULL DEFAULT 0,
    -- Changes when the data may have gone back in time (history_renew), so that copies of what
    -- was lost are not taken for copies of what is there. The organization's own: a copy of
    -- another organization's data does not have it. Goes with data_version everywhere.
    history               uuid NOT NULL DEFAULT gen_random_uuid(),
    -- The highest id of a company, delivery file, transaction or change of this organization. A
    -- writer whose turn it is continues from this id and stores the new one, so that ids
    -- increase in commit order even if the clock is set back.
    last_id               uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
    -- Keys of a suspended organization are refused, and its members cannot work in it.
    suspended_at          timestamptz,
    -- Set before the first row of the organization is deleted. It is suspended then, too.
    deletion_started_at   timestamptz,
    require_second_factor boolean NOT NULL DEFAULT false,
    -- Keys that are reported as leaked are not revoked, but only told of.
    tell_of_leaks         boolean NOT NULL DEFAULT false,
    -- The requests allowed in a minute and in an hour, as the service counts them. 0 means as
    -- many as the service's settings allow.
    limit_minute          bigint NOT NULL DEFAULT 0 CHECK (limit_minute BETWEEN 0 AND 1000000000),
    limit_hour            bigint NOT NULL DEFAULT 0 CHECK (limit_hour BETWEEN 0 AND 1000000000),
    -- The last day of a key ends at midnight in this zone.
    time_zone             text NOT NULL DEFAULT 'Europe/Copenhagen' CHECK (length(time_zone) BETWEEN 1 AND 64),
    -- Gets the mails about keys, and about late and withdrawn deliveries. Empty for none.
    notification_address  text NOT NULL DEFAULT '' CHECK (length(notification_address) <= 254),
    -- By when, in that zone, a delivery is expected on bank days, such as 10:00. Empty for
    -- not at all. Only times after expected_since count.
    expected_by           text NOT NULL DEFAULT '' CHECK (expected_by ~ '^(([01][0-9]|2[0-3]):[0-5][0-9])?$'),
    expected_since        timestamptz NOT NULL DEFAULT clock_timestamp(),
    created_at            timestamptz NOT NULL DEFAULT clock_timestamp(),
    CHECK (sandbox = (sandbox_day IS NOT NULL)),
    UNIQUE (id, sandbox)
);
CREATE INDEX organizations_sandboxes ON organizations (sandbox_day) WHERE sandbox;

-- known_zone returns the time zone, or UTC if this PostgreSQL does not know it. Its list may be
-- older than the program's, or than the one of the server that the data came from.
CREATE FUNCTION known_zone(name text) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
    PERFORM now() AT TIME ZONE name;
    RETURN name;
EXCEPTION WHEN invalid_parameter_value THEN
    RETURN 'UTC';
END
$$;

-- A lock on an organization's row is the turn to write its companies and transactions.
-- Settings are in the other table, so that nobody waits for an import to change them.
CREATE TABLE writers (
    organization_id uuid PRIMARY KEY,
    -- The latest backfill of all that others had: up to which number of delivery_files, and
    -- up to which id the companies of this organization got it.
    backfilled      bigint NOT NULL DEFAULT 0,
    backfilled_id   uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000'
);
CREATE FUNCTION organization_created() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO writers (organization_id) VALUES (NEW.id) ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
CREATE TRIGGER created AFTER INSERT ON organizations FOR EACH ROW EXECUTE FUNCTION organization_created();
-- +goose StatementEnd
