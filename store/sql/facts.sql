-- name: base
select f.relation, f.row::text, f.source, f.fact_id
from scope_epochs s join base_facts f on f.house_id = s.house_id and f.scopes = s.scopes
where s.house_id = %(house)s
order by f.scopes, f.fact_id

-- name: of_subjects
select f.relation, f.row::text, f.source, f.fact_id
from base_facts f
where f.house_id = %(house)s and f.subject = any (%(subjects)s)
order by f.scopes, f.fact_id

-- name: governed
select f.relation, f.row::text, f.source, f.fact_id
from scope_epochs s join base_facts f on f.house_id = s.house_id and f.scopes = s.scopes
where s.house_id = %(house)s and f.relation = 'governs'
order by f.scopes, f.fact_id

-- name: open_house
insert into fact_epochs (house_id, fact_epoch) values (%(house)s, 0)

-- name: advance
select advance(%(subjects)s) as epoch

-- name: visible_epoch
select coalesce(sum(epochs), 0)::bigint as epoch from scope_epochs where house_id = %(house)s

-- name: changes
select epoch, change, scopes, relation, row, source, fact_id
from fact_changes
where house_id = %(house)s and epoch > %(after)s
order by epoch, scopes, fact_id

-- name: differences
select change, scopes, relation, row, source
from fact_differences
where house_id = %(house)s
order by change, scopes, relation, row, source

-- name: subjects
select subject from ledger_facts where house_id = %(house)s
union
select subject from base_facts where house_id = %(house)s
order by subject

-- name: compact
select epoch, facts, digest from compact_fact_changes()

-- name: hold
select fact_epoch from fact_epochs where house_id = %(house)s for update

-- name: repeatable_read
set transaction isolation level repeatable read
