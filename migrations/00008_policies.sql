-- +goose Up
-- The API's queries already name their organization in the WHERE clause. With that, a
-- policy that calls the function directly costs one check per query. A subquery in
-- the policy would cost a subplan for each table of each query.
ALTER POLICY tenant ON organizations USING (id = current_organization());
ALTER POLICY tenant ON companies USING (organization_id = current_organization());
ALTER POLICY tenant ON delivery_files USING (organization_id = current_organization());
ALTER POLICY tenant ON transactions USING (organization_id = current_organization());
