-- +goose Up
-- The API's reads name their organization in the WHERE. Beside that, a policy that
-- compares with the function itself is one check before the query; by way of a
-- sub-select it is a plan of its own, begun and ended with each query and each
-- table in it.
ALTER POLICY tenant ON organizations USING (id = current_organization());
ALTER POLICY tenant ON companies USING (organization_id = current_organization());
ALTER POLICY tenant ON delivery_files USING (organization_id = current_organization());
ALTER POLICY tenant ON transactions USING (organization_id = current_organization());
