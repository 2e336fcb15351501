-- The organizations that expect deliveries.
SELECT id, slug FROM organizations WHERE expected_by <> '' AND suspended_at IS NULL AND NOT sandbox ORDER BY slug
