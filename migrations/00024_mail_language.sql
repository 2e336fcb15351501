-- +goose Up
-- The language that the user's browser preferred when it last asked for a page. Mails are
-- in it, unless the user has chosen one.
ALTER TABLE users ADD COLUMN browser_language text NOT NULL DEFAULT '' CHECK (browser_language IN ('', 'en', 'da'));

-- mail_reader returns the language of a mail's reader, and whether the reader is a member
-- of the organization. Somebody without an account gets mail in the inviter's language, and
-- the notification address in that of the organization's first owner. It reads across
-- organizations on purpose.
CREATE FUNCTION mail_reader(organization uuid, mail uuid) RETURNS TABLE (language text, member boolean)
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
    AS 'SELECT coalesce(nullif(u.language, ''''), u.browser_language, ''''),
            m.user_id IS NULL OR u.disabled_at IS NULL AND EXISTS (SELECT FROM memberships s WHERE s.organization_id = m.organization_id AND s.user_id = m.user_id)
        FROM mails m LEFT JOIN users u ON u.id = coalesce(m.user_id,
            (SELECT id FROM users WHERE email = m.recipient), (SELECT id FROM users WHERE email = m.details ->> ''inviter''),
            (SELECT s.user_id FROM memberships s WHERE s.organization_id = m.organization_id AND s.role = ''owner'' ORDER BY s.created_at, s.user_id LIMIT 1))
        WHERE m.organization_id = organization AND m.id = mail';
REVOKE ALL ON FUNCTION mail_reader(uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION mail_reader(uuid, uuid) TO dispo_app;
GRANT CREATE ON SCHEMA public TO dispo_operator;
ALTER FUNCTION mail_reader(uuid, uuid) OWNER TO dispo_operator;
REVOKE CREATE ON SCHEMA public FROM dispo_operator;
