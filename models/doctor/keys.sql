-- Keys whose fingerprint was made under another secret than the one with the tag $1.
SELECT 'warning' AS level, format('Keys left on another DISPO_SECRET: %s (%s).', count(*), array_to_string((array_agg(o.slug || ': ' || k.name ORDER BY o.slug, k.name))[:10], ', ')) AS message,
    'Each is renewed when it is used. Without the secret before, its first use takes bcrypt.' AS "do"
FROM api_keys k JOIN organizations o ON o.id = k.organization_id
WHERE substr(k.fingerprint, 1, 4) <> $1 AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now()) HAVING count(*) > 0
