-- name: narrow
select set_config('athanor.house', %(house)s, true), set_config('athanor.scopes', %(scopes)s, true)

-- name: alive
select version from schema_migrations order by version desc limit 1

-- name: read_committed
set transaction isolation level read committed

-- name: enter
select set_config('athanor.house', %(house)s, false)

-- name: one_at_a_time
select pg_advisory_xact_lock(hashtextextended(%(work)s, 0))
