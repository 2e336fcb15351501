SELECT 'warning' AS level, format('Mails that have waited for more than an hour: %s, the oldest since %s.', count(*), to_char(min(created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI"Z"')) AS message,
    '`dispo mail list` shows what the mail server answers; see also whether a service with DISPO_SMTP_URL runs.' AS "do"
FROM mails WHERE sent_at IS NULL AND given_up_at IS NULL AND created_at < now() - interval '1 hour' AND next_attempt_at < '9999-01-01' HAVING count(*) > 0
UNION ALL
SELECT 'warning', format('Mails that are held since a backup was restored: %s.', count(*)), '`dispo mail list` shows them, and `dispo mail release` sends them.'
FROM mails WHERE sent_at IS NULL AND given_up_at IS NULL AND next_attempt_at >= '9999-01-01' HAVING count(*) > 0
UNION ALL
SELECT 'warning', format('Mails that were given up in the last three days: %s.', count(*)), '`dispo mail list` shows why, and `dispo mail retry` sends them again.'
FROM mails WHERE given_up_at > now() - interval '3 days' HAVING count(*) > 0
UNION ALL
SELECT 'warning', format('No service has sent mail since %s.', to_char(seen_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI"Z"')), 'See whether a service with DISPO_SMTP_URL runs.'
FROM mail_senders WHERE seen_at < now() - interval '10 minutes' AND $1
