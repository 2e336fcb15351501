-- Whether the replica at $1 has what the primary had written a second ago, up to $2.
WITH replica AS MATERIALIZED (
    SELECT pg_is_in_recovery() AS standby, coalesce(pg_wal_lsn_diff($2::text::pg_lsn, pg_last_wal_replay_lsn()), 0) AS missing FROM pg_sleep(1)
)
SELECT 'warning' AS level, format('The server at %s is no standby, so it is not read.', $1::text) AS message, 'Let DATABASE_READ_URL lead to standbys alone.' AS "do"
FROM replica WHERE NOT standby
UNION ALL
SELECT 'warning', format('The replica at %s is late: it lacks %s that the primary wrote over a second ago.', $1, pg_size_pretty(missing)),
    'See in its log and in pg_stat_replication what holds it up. Until then the primary is read.'
FROM replica WHERE standby AND missing > 0
UNION ALL
SELECT 'ok', format('%s follows the primary', $1), '' FROM replica WHERE standby AND missing <= 0
