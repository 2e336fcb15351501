SELECT 'failure' AS level, 'A role has a right that it should not have, or lacks one.' AS message, 'As the database''s owner or an administrator, run: ' || statement AS "do"
FROM rights_to_correct() statement
UNION ALL
SELECT 'failure', format('Everybody may call %s, which works as %s.', oid::regprocedure, proowner::regrole), format('As the owner, run: REVOKE ALL ON FUNCTION %s FROM PUBLIC', oid::regprocedure)
FROM pg_proc p WHERE pronamespace = 'public'::regnamespace AND prosecdef AND EXISTS (SELECT FROM aclexplode(coalesce(proacl, acldefault('f', proowner))) WHERE grantee = 0)
UNION ALL
SELECT 'failure', format('%s may work as %s.', member::regrole, roleid::regrole), format('As an administrator, run: REVOKE %s FROM %s', roleid::regrole, member::regrole)
FROM pg_auth_members WHERE member IN ('dispo_operator'::regrole, 'dispo_keeper'::regrole)
