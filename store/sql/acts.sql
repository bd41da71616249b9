-- name: record
insert into acts (house_id, act_id, principal_id, operation, scope, basis, reason, permission, at)
values (%(house)s, %(act)s, %(principal)s, %(operation)s, %(scope)s, %(basis)s, %(reason)s,
        %(permission)s, %(at)s)
