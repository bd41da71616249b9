-- name: give
insert into grants
  (house_id, grant_id, principal_id, operation, scopes, valid_from, valid_until, delegator,
   act_id)
values
  (%(house)s, %(grant)s, %(principal)s, %(operation)s, %(scopes)s, %(valid_from)s,
   %(valid_until)s, %(delegator)s, %(act)s)

-- name: revoke
insert into grant_revocations (house_id, grant_id, act_id) values (%(house)s, %(grant)s, %(act)s)

-- name: equal
select g.house_id, g.grant_id, g.principal_id, g.operation, g.scopes, g.valid_from, g.valid_until,
       g.delegator, false as revoked
from grants g
where g.house_id = %(house)s and g.principal_id = %(principal)s and g.operation = %(operation)s
  and g.scopes = %(scopes)s
  and g.valid_until is not distinct from %(valid_until)s::timestamptz
  and g.delegator is not distinct from %(delegator)s::text
  and case when not %(begun)s then g.valid_from = %(valid_from)s
           else g.valid_from <= %(valid_from)s
                or exists (select from acts a
                           where a.house_id = g.house_id and a.act_id = g.act_id
                             and a.at = g.valid_from) end
  and not exists (select from grant_revocations r
                  where r.house_id = g.house_id and r.grant_id = g.grant_id)
order by g.grant_id

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

-- name: carry
insert into token_rooms (house_id, token_id, room, act_id)
values (%(house)s, %(token)s, %(room)s, %(act)s)

-- name: token
select house_id, token_id, principal_id, operations, scopes, expires_at, revoked
from carried_tokens
where house_id = %(house)s and token_id = %(token)s
order by token_id

-- name: page_tokens
select t.house_id, t.token_id, t.principal_id, t.operations, t.scopes, t.expires_at, t.revoked
from carried_tokens t
where t.house_id = %(house)s and t.token_id > %(after)s
  and (t.scopes <@ %(administered)s::text[]
       or (t.principal_id = %(principal)s and t.scopes <@ %(carried)s::text[]))
order by t.token_id
limit %(limit)s
