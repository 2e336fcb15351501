-- What an organization's kept totals say that counting does not, unless it is being deleted.
WITH counted AS MATERIALIZED (
    SELECT grouping(delivery_file_id) = 0 AS of_file, delivery_file_id, coalesce(cvr, '') AS cvr, disposition_date, transfer_type, count(*) AS count, sum(amount_dkk) AS amount
    FROM transactions WHERE organization_id = $1
    GROUP BY GROUPING SETS ((cvr, disposition_date, transfer_type), (disposition_date, transfer_type), (delivery_file_id))
), of_company AS (
    SELECT cvr, sum(count) AS count, sum(amount) AS amount FROM counted WHERE NOT of_file GROUP BY cvr
)
SELECT format('%s that differ from what counting says: %s', what, count(*)) AS message FROM (
    SELECT 'totals of the organization' AS what FROM organizations o LEFT JOIN of_company t ON t.cvr = ''
    WHERE o.id = $1 AND (o.transaction_count, o.total_amount_dkk) <> (coalesce(t.count, 0), coalesce(t.amount, 0))
    UNION ALL
    SELECT 'numbers of companies' FROM organizations o WHERE o.id = $1 AND company_count <> (SELECT count(*) FROM companies WHERE organization_id = $1)
    UNION ALL
    SELECT 'totals of companies' FROM (SELECT * FROM companies WHERE organization_id = $1) c FULL JOIN (SELECT * FROM of_company WHERE cvr <> '') t USING (cvr)
    WHERE (coalesce(c.transaction_count, 0), coalesce(c.total_amount_dkk, 0)) <> (coalesce(t.count, 0), coalesce(t.amount, 0))
    UNION ALL
    SELECT 'totals of deliveries' FROM (SELECT * FROM delivery_files WHERE organization_id = $1) f FULL JOIN (SELECT * FROM counted WHERE of_file) t ON t.delivery_file_id = f.id
    WHERE (coalesce(f.record_count, 0), coalesce(f.total_amount_dkk, 0)) <> (coalesce(t.count, 0), coalesce(t.amount, 0))
    UNION ALL
    SELECT 'totals of days' FROM (SELECT * FROM daily_totals WHERE organization_id = $1) d
    FULL JOIN (SELECT * FROM counted WHERE NOT of_file) t USING (cvr, disposition_date, transfer_type)
    WHERE (coalesce(d.count, 0), coalesce(d.amount_dkk, 0)) <> (coalesce(t.count, 0), coalesce(t.amount, 0))
) wrong WHERE NOT EXISTS (SELECT FROM organizations WHERE id = $1 AND deletion_started_at IS NOT NULL) GROUP BY what
