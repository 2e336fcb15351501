-- +goose Up
-- The last day of a key ends at midnight where the organization is.
ALTER TABLE organizations ADD COLUMN time_zone text NOT NULL DEFAULT 'Europe/Copenhagen' CHECK (length(time_zone) BETWEEN 1 AND 64);
-- Members change these two.
GRANT UPDATE (name, time_zone) ON organizations TO dispo_app;

-- The same as before, and the time zone.
DROP FUNCTION user_organizations(uuid);
CREATE FUNCTION user_organizations(wanted uuid)
    RETURNS TABLE (organization_id uuid, slug text, name text, role text, suspended boolean, require_second_factor boolean, time_zone text)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
    AS 'SELECT o.id, o.slug, o.name, m.role, o.suspended_at IS NOT NULL, o.require_second_factor, o.time_zone
        FROM memberships m JOIN organizations o ON o.id = m.organization_id
        WHERE m.user_id = wanted ORDER BY o.name, o.id';
REVOKE ALL ON FUNCTION user_organizations(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION user_organizations(uuid) TO dispo_app, dispo_operator;
GRANT CREATE ON SCHEMA public TO dispo_operator;
ALTER FUNCTION user_organizations(uuid) OWNER TO dispo_operator;
REVOKE CREATE ON SCHEMA public FROM dispo_operator;
