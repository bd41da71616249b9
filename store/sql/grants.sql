-- name: give
insert into grants
  (house_id, grant_id, principal_id, operation, scopes, valid_from, valid_until, delegator,
   act_id)
values
  (%(house)s, %(grant)s, %(principal)s, %(operation)s, %(scopes)s, %(valid_from)s,
   %(valid_until)s, %(delegator)s, %(act)s)

-- name: revoke
insert into grant_revocations (house_id, grant_id, act_id) values (%(house)s, %(grant)s, %(act)s)

-- name: grant
select g.house_id, g.grant_id, g.principal_id, g.operation, g.scopes, g.valid_from, g.valid_until,
       g.delegator, r.grant_id is not null as revoked
from grants g left join grant_revocations r using (house_id, grant_id)
where g.house_id = %(house)s and g.grant_id = %(grant)s
order by g.grant_id

-- name: page
select g.house_id, g.grant_id, g.principal_id, g.operation, g.scopes, g.valid_from, g.valid_until,
       g.delegator, r.grant_id is not null as revoked
from grants g left join grant_revocations r using (house_id, grant_id)
where g.house_id = %(house)s and g.grant_id > %(after)s
  and (g.scopes <@ %(administered)s::text[]
       or (g.principal_id = %(principal)s and g.scopes <@ %(carried)s::text[]))
order by g.grant_id
limit %(limit)s

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

-- name: token
select t.house_id, t.token_id, t.principal_id, t.operations, t.scopes, t.expires_at,
       r.token_id is not null as revoked
from tokens t left join token_revocations r using (house_id, token_id)
where t.house_id = %(house)s and t.token_id = %(token)s
order by t.token_id

-- name: page_tokens
select t.house_id, t.token_id, t.principal_id, t.operations, t.scopes, t.expires_at,
       r.token_id is not null as revoked
from tokens t left join token_revocations r using (house_id, token_id)
where t.house_id = %(house)s and t.token_id > %(after)s
  and (t.scopes <@ %(administered)s::text[]
       or (t.principal_id = %(principal)s and t.scopes <@ %(carried)s::text[]))
order by t.token_id
limit %(limit)s
