SELECT CASE WHEN $1 AND count(*) > 0 THEN 'warning' ELSE 'ok' END AS level, format('Users who can sign in without one: %s', count(*)) AS message,
    CASE WHEN $1 AND count(*) > 0 THEN 'Each has a week, and then only their profile, until they set one up.' ELSE '' END AS "do"
FROM users WHERE totp_secret IS NULL AND password_hash IS NOT NULL AND disabled_at IS NULL
