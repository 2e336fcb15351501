-- All organizations, in random order.
SELECT id, slug FROM organizations ORDER BY random()
