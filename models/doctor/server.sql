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
    SELECT 6, 'warning', 'Transaction ids run out: the oldest is ' || age(datfrozenxid) || ' transactions old.', 'See why autovacuum does not freeze tables: long transactions, prepared transactions and replication slots hold it up.'
    FROM pg_database WHERE datname = current_database() AND age(datfrozenxid) > 1000000000
    UNION ALL
    SELECT 7, 'failure', format('The index %s is broken.', indexrelid::regclass), format('As the owner, run: REINDEX INDEX %s', indexrelid::regclass) FROM pg_index WHERE NOT indisvalid
    UNION ALL
    SELECT 9, 'ok', format('PostgreSQL %s, %s', current_setting('server_version'), pg_size_pretty(pg_database_size(current_database()))), ''
) found (place, level, message, "do") ORDER BY place
