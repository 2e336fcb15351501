-- +goose Up
CREATE TABLE organizations (
    id            uuid PRIMARY KEY,
    slug          text NOT NULL UNIQUE CHECK (slug ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
    name          text NOT NULL CHECK (name <> ''),
    -- Maintained by the triggers on companies, in the writing transaction, so that
    -- a list's total need not be counted.
    company_count bigint NOT NULL DEFAULT 0 CHECK (company_count >= 0),
    -- Increases with every change to the organization's companies or transactions.
    data_version  bigint NOT NULL DEFAULT 0,
    -- The highest id of a company, delivery file or transaction of this
    -- organization. A writer locks the row, continues from this id and stores the
    -- new one, so that ids increase in commit order even if the clock is set back.
    last_id       uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
    created_at    timestamptz NOT NULL DEFAULT now(),
    updated_at    timestamptz NOT NULL DEFAULT now()
);
ALTER TABLE organizations ENABLE ROW LEVEL SECURITY;
ALTER TABLE organizations FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON organizations TO dispo_app USING (id = (SELECT current_organization()));
CREATE POLICY operator ON organizations TO dispo_operator USING (true);
GRANT SELECT ON organizations TO dispo_app;
GRANT SELECT, INSERT, UPDATE ON organizations TO dispo_operator;

-- People. A user may belong to several organizations.
CREATE TABLE users (
    id            uuid PRIMARY KEY,
    -- Stored in lower case, so that the unique index ignores case.
    email         text NOT NULL UNIQUE CHECK (email = lower(email) AND email LIKE '%_@_%'),
    -- bcrypt; null until the user has set a password.
    password_hash text,
    created_at    timestamptz NOT NULL DEFAULT now(),
    updated_at    timestamptz NOT NULL DEFAULT now()
);
GRANT SELECT, INSERT, UPDATE ON users TO dispo_operator;

CREATE TABLE memberships (
    organization_id uuid NOT NULL REFERENCES organizations (id),
    user_id         uuid NOT NULL REFERENCES users (id),
    role            text NOT NULL CHECK (role IN ('owner', 'admin', 'member')),
    created_at      timestamptz NOT NULL DEFAULT now(),
    updated_at      timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (organization_id, user_id)
);
ALTER TABLE memberships ENABLE ROW LEVEL SECURITY;
ALTER TABLE memberships FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON memberships TO dispo_app USING (organization_id = (SELECT current_organization()));
CREATE POLICY operator ON memberships TO dispo_operator USING (true);
GRANT SELECT, INSERT, UPDATE ON memberships TO dispo_operator;

-- One-time links to set a password. The token itself is only in the link.
CREATE TABLE password_links (
    token_hash bytea PRIMARY KEY CHECK (length(token_hash) = 32),
    user_id    uuid NOT NULL REFERENCES users (id),
    expires_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL DEFAULT now()
);
GRANT SELECT, INSERT, DELETE ON password_links TO dispo_operator;

