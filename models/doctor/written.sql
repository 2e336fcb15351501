-- How far the primary has written.
SELECT pg_current_wal_lsn()::text AS written
