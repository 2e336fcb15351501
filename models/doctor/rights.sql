SELECT 'failure' AS level, 'A role has a right that it should not have, or lacks one.' AS message, 'As the database''s owner or an administrator, run: ' || statement AS "do"
FROM rights_to_correct() statement
UNION ALL
SELECT 'failure', format('Everybody may call %s, which works as %s.', oid::regprocedure, proowner::regrole), format('As the owner, run: REVOKE ALL ON FUNCTION %s FROM PUBLIC', oid::regprocedure)
FROM pg_proc p WHERE pronamespace = 'public'::regnamespace AND prosecdef AND EXISTS (SELECT FROM aclexplode(coalesce(proacl, acldefault('f', proowner))) WHERE grantee = 0)
UNION ALL
SELECT 'failure', format('dispo_app may call %s, which works as %s.', oid::regprocedure, proowner::regrole), format('Nothing in dispo makes this function. As the owner, run: DROP FUNCTION %s', oid::regprocedure)
FROM pg_proc p WHERE pronamespace = 'public'::regnamespace AND prosecdef AND proowner NOT IN ('dispo_operator'::regrole, 'dispo_keeper'::regrole) AND has_function_privilege('dispo_app', oid, 'EXECUTE')
    AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_proc'::regclass AND objid = p.oid AND deptype = 'e')
UNION ALL
SELECT 'failure', format('The function %s is missing, or does not work as dispo_operator or dispo_keeper.', name), 'Restore a backup, or ask whoever changed it.'
FROM regexp_split_to_table('api_key_find api_key_revoked api_keys_due api_keys_elsewhere api_keys_expiring api_keys_find api_keys_leaked api_keys_used audit_log_everywhere audit_log_forget company_matches deliveries_counted
    deliveries_expected deliveries_undecided erasures_keep erasures_take erasures_waiting invitation_find keep_audit_log keep_callers keep_held_records
    keep_mails keep_requests keep_sessions keep_usage keep_usage_hours keep_withdrawn_totals key_callers_add key_usage_add mail_account mail_claim
    mail_settle mail_tend only_way_in organization_erase organizations_of_user refused_requests_add sandbox_store sandboxes_due
    served_requests_add sign_in_organization sign_in_secrets withdraw_aged', '\s+') name WHERE NOT EXISTS (SELECT FROM pg_proc
    WHERE pronamespace = 'public'::regnamespace AND proname = name AND prosecdef AND proowner IN ('dispo_operator'::regrole, 'dispo_keeper'::regrole))
UNION ALL
SELECT 'warning', format('Large objects, which nothing in dispo makes: %s, of %s.', count(*), string_agg(DISTINCT lomowner::regrole::text, ', ')),
    'If nobody else needs them, run as the owner: SELECT lo_unlink(oid) FROM pg_largeobject_metadata'
FROM pg_largeobject_metadata HAVING count(*) > 0
UNION ALL
SELECT 'failure', format('%s may work as %s.', member::regrole, roleid::regrole), format('As an administrator, run: REVOKE %s FROM %s', roleid::regrole, member::regrole)
FROM pg_auth_members WHERE member IN ('dispo_operator'::regrole, 'dispo_keeper'::regrole)
UNION ALL
SELECT 'failure', format('dispo_app lacks the right %s on %s.', granted[1], name), format('As the owner, run: GRANT %s ON %I TO dispo_app', granted[1], name)
FROM tenant_tables(), regexp_matches(rights, '((SELECT|INSERT|UPDATE|DELETE)(?: \(([^)]*)\))?)', 'g') granted
WHERE NOT CASE WHEN granted[3] IS NULL THEN has_table_privilege('dispo_app', name, granted[2])
    ELSE (SELECT bool_and(has_column_privilege('dispo_app', name, of_column, granted[2])) FROM unnest(string_to_array(granted[3], ', ')) of_column) END
