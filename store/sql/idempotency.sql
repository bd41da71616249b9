-- name: answer
select request_digest, result from idempotency
where house_id = %(house)s and principal_id = %(principal)s and key = %(key)s
order by key

-- name: keep
insert into idempotency (house_id, principal_id, key, request_digest, result, at)
values (%(house)s, %(principal)s, %(key)s, %(request)s, %(result)s, %(at)s)
