SELECT 'warning' AS level, format('The deletion of %s, which began on %s, has not ended.', slug, to_char(deletion_started_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')) AS message,
    format('If nothing deletes it now, go on: `dispo organization delete %s --confirm %1$s`.', slug) AS "do"
FROM organizations WHERE deletion_started_at IS NOT NULL ORDER BY slug
