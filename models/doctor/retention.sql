SELECT 'warning' AS level, format('%s is %s, but the database keeps %s, which holds.', setting, wanted, period) AS message,
    'Run `dispo migrate` with this setting and the login of the owner, or remove it.' AS do
FROM kept_otherwise($1)
