-- Where tenants live when there is more than one database. Moves have the rest, in apps/cells.

-- name: find_cell
-- In which cell a tenant lives; null at home. Asked of home before anybody acts for the tenant.
select brain.find_cell(%(tenant_id)s::uuid) as cell;
