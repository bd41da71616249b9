-- name: give
insert into grants
  (house_id, grant_id, principal_id, operation, scopes, valid_from, valid_until, act_id)
values
  (%(house)s, %(grant)s, %(principal)s, %(operation)s, %(scopes)s, %(valid_from)s,
   %(valid_until)s, %(act)s)

-- name: revoke
insert into grant_revocations (house_id, grant_id, act_id) values (%(house)s, %(grant)s, %(act)s)

-- name: of_principal
select g.house_id, g.grant_id, g.principal_id, g.operation, g.scopes, g.valid_from, g.valid_until,
       r.grant_id is not null as revoked
from grants g left join grant_revocations r using (house_id, grant_id)
where g.house_id = %(house)s and g.principal_id = %(principal)s
order by g.grant_id

-- name: add_token
insert into tokens
  (house_id, token_id, sha256, principal_id, operations, scopes, expires_at, act_id)
values
  (%(house)s, %(token)s, %(sha256)s, %(principal)s, %(operations)s, %(scopes)s, %(expires_at)s,
   %(act)s)

-- name: revoke_token
insert into token_revocations (house_id, token_id, act_id) values (%(house)s, %(token)s, %(act)s)

-- name: token_by_hash
select house_id, token_id, principal_id, operations, scopes, expires_at, revoked
from token_by_hash(%(sha256)s) order by token_id
