-- name: keep_from_forgetting
select pg_advisory_xact_lock_shared(hashtextextended(%(work)s, 0))

-- name: keep
insert into contents (house_id, scope, content_id, body)
values (%(house)s, %(scope)s, %(content)s, %(body)s)
on conflict do nothing

-- name: bodies
select content_id, body from contents
where house_id = %(house)s and content_id = any (%(ids)s)
order by content_id
