SELECT 'warning' AS level, format('Records that are held because no organization has their company: %s, the oldest since %s.',
        count(*), to_char(min(d.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD')) AS message,
    '`dispo delivery held` lists them; `dispo import companies` delivers them.' AS "do"
FROM held_records h JOIN deliveries d ON d.id = h.delivery_id HAVING count(*) > 0
