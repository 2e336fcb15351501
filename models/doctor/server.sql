-- The server, and its settings that matter.
SELECT level, message, "do" FROM (
    SELECT 1, 'failure' AS level, format('PostgreSQL %s is too old.', current_setting('server_version')) AS message, 'Use PostgreSQL 15 or newer.' AS "do"
    WHERE current_setting('server_version_num')::int < 150000
    UNION ALL
    SELECT 2, 'failure', 'The server is a standby, which cannot be written to.', 'Let DATABASE_URL lead to the primary.' WHERE pg_is_in_recovery()
    UNION ALL
    SELECT 3, 'failure', format('The database''s encoding is %s.', pg_encoding_to_char(encoding)), 'Create it with ENCODING ''UTF8''.'
    FROM pg_database WHERE datname = current_database() AND pg_encoding_to_char(encoding) <> 'UTF8'
    UNION ALL
    SELECT 4, v.level, format('The setting %s is %s: %s.', s.name, s.setting, v.consequence), format('Set %s = %s.', s.name, v.better)
    FROM pg_settings s JOIN (VALUES
        ('fsync', 'off', 'failure', 'on', 'a power failure can destroy the database'),
        ('full_page_writes', 'off', 'failure', 'on', 'a power failure can destroy the database'),
        ('zero_damaged_pages', 'on', 'failure', 'off', 'damage is overwritten'),
        ('default_transaction_read_only', 'on', 'failure', 'off', 'nothing can be written'),
        ('synchronous_commit', 'off', 'warning', 'on', 'a crash loses what was last committed'),
        ('autovacuum', 'off', 'warning', 'on', 'tables grow, and queries become slow'),
        ('track_counts', 'off', 'warning', 'on', 'autovacuum does not work without it')
    ) v (name, bad, level, better, consequence) ON v.name = s.name AND v.bad = s.setting
    UNION ALL
    SELECT 5, 'warning', format('%s of %s connections are in use, and an instance may need 17 more.', used, most), 'Raise max_connections, or find out who holds them in pg_stat_activity.'
    FROM (SELECT count(*) AS used, current_setting('max_connections')::int AS most FROM pg_stat_activity WHERE backend_type = 'client backend') c WHERE most - used < 17
    UNION ALL
    SELECT 6, CASE WHEN age > 1900000000 THEN 'failure' ELSE 'warning' END, format('Transaction ids run out: the oldest of the database %s is %s transactions old, and at 2147000000 nothing can be written.', datname, age),
        'See why autovacuum does not freeze tables: long transactions, prepared transactions and replication slots hold it up.'
    FROM (SELECT datname, greatest(age(datfrozenxid), mxid_age(datminmxid)) AS age FROM pg_database) d WHERE age > 1000000000
    UNION ALL
    SELECT 7, 'failure', format('The index %s is broken.', indexrelid::regclass), format('As the owner, run: REINDEX INDEX %s', indexrelid::regclass) FROM pg_index WHERE NOT indisvalid
    UNION ALL
    SELECT 8, 'warning', format('The database sorts text by version %s of its library, which is now %s: indexes of text may be wrong.', datcollversion, pg_database_collation_actual_version(oid)),
        format('As the owner, while the service is stopped, run: REINDEX DATABASE %I; ALTER DATABASE %1$I REFRESH COLLATION VERSION', datname)
    FROM pg_database WHERE datname = current_database() AND datcollversion <> pg_database_collation_actual_version(oid)
    UNION ALL
    SELECT 9, 'warning', format('Nothing reads the replication slot %s, which keeps %s of the write-ahead log.', slot_name, coalesce(pg_size_pretty(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn)), 'none')),
        format('Start what reads it, before the disk is full, or run as an administrator: SELECT pg_drop_replication_slot(%L)', slot_name)
    FROM pg_replication_slots WHERE NOT active AND NOT pg_is_in_recovery()
    UNION ALL
    SELECT 10, 'warning', format('A transaction of %s has been idle for %s, and keeps deleted rows from going.', usename, justify_interval(date_trunc('minute', now() - state_change))),
        format('See what opened it (%s), or run as an administrator: SELECT pg_terminate_backend(%s)', coalesce(nullif(application_name, ''), host(client_addr), 'on this machine'), pid)
    FROM pg_stat_activity WHERE state LIKE 'idle in transaction%' AND state_change < now() - interval '1 hour'
    UNION ALL
    SELECT 11, 'ok', format('PostgreSQL %s, %s', current_setting('server_version'), pg_size_pretty(pg_database_size(current_database()))), ''
) found (place, level, message, "do") ORDER BY place
