-- $1: the slugs that mean something else below /sign-in/.
SELECT 'warning' AS level, format('The deletion of %s, which began on %s, has not ended.', slug, to_char(deletion_started_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')) AS message,
    format('If nothing deletes it now, go on: `dispo organization delete %s --confirm %1$s`.', slug) AS "do"
FROM organizations WHERE deletion_started_at IS NOT NULL
UNION ALL
SELECT 'warning', format('The slug %s means something else below /sign-in/, so single sign-on cannot start there.', slug),
    format('As an administrator, run: UPDATE organizations SET slug = ''another'' WHERE id = ''%s''', id)
FROM organizations WHERE slug = ANY($1) ORDER BY 2
