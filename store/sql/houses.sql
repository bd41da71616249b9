-- name: found
insert into houses (house_id, name, founded_at) values (%(house)s, %(name)s, %(at)s)

-- name: all
select house_id, name from houses order by founded_at, house_id

-- name: add_principal
insert into principals (house_id, principal_id, kind, created_at)
values (%(house)s, %(principal)s, %(kind)s, %(at)s)

-- name: add_room
insert into rooms (house_id, room, act_id) values (%(house)s, %(room)s, %(act)s)

-- name: principal
select p.principal_id as key, p.kind, r.principal_id is not null as revoked
from principals p left join principal_revocations r using (house_id, principal_id)
where p.house_id = %(house)s and p.principal_id = %(principal)s
order by p.principal_id

-- name: operators
select p.principal_id as key
from principals p left join principal_revocations r using (house_id, principal_id)
where p.house_id = %(house)s and p.kind = 'operator' and r.principal_id is null
order by p.principal_id

-- name: page_principals
select p.principal_id as key, p.kind, r.principal_id is not null as revoked
from principals p left join principal_revocations r using (house_id, principal_id)
where p.house_id = %(house)s and p.principal_id > %(after)s
  and (%(all)s or p.principal_id = %(principal)s)
order by p.principal_id
limit %(limit)s

-- name: revoke_principal
insert into principal_revocations (house_id, principal_id, act_id)
values (%(house)s, %(principal)s, %(act)s)

-- name: rooms
select room as key from rooms where house_id = %(house)s order by room

-- name: page_rooms
select r.room, g.principal_id as governor, g.record_id as appointment
from rooms r left join governors g
  on g.house_id = r.house_id and g.room = r.room
  and not exists (select from governors n
                  where n.house_id = g.house_id and n.room = g.room and n.previous = g.record_id)
where r.house_id = %(house)s and r.room > %(after)s
  and 'room:' || r.room = any (%(scopes)s)
order by r.room
limit %(limit)s

-- name: room
select r.room, g.principal_id as governor, g.record_id as appointment
from rooms r left join governors g
  on g.house_id = r.house_id and g.room = r.room
  and not exists (select from governors n
                  where n.house_id = g.house_id and n.room = g.room and n.previous = g.record_id)
where r.house_id = %(house)s and r.room = %(room)s
order by r.room

-- name: appoint
insert into governors (house_id, record_id, room, principal_id, previous, act_id)
values (%(house)s, %(record)s, %(room)s, %(principal)s, %(previous)s, %(act)s)
