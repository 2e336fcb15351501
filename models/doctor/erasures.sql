SELECT 'warning' AS level, format('Deletions and revocations that have waited for over a minute to be in the file of DISPO_ERASURES: %s, the oldest since %s.',
        lines, to_char(since AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI"Z"')) AS message,
    format('See the log of the service that keeps it (%s): until then, a restored backup brings back what they took away.', coalesce(nullif(files, ''), 'none does')) AS "do"
FROM erasures_waiting() WHERE lines > 0 AND (files <> '' OR $1)
UNION ALL
SELECT 'warning', 'Nothing keeps deletions and revocations outside of the database: a restored backup brings back what they took away.', 'Set DISPO_ERASURES for the service.'
FROM erasures_waiting() WHERE files = '' AND NOT $1
