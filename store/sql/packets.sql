-- name: add_task
insert into tasks
  (house_id, task_id, principal_id, scope, worker_id, worker_role, phase, project_key, task_kind,
   risk, target_id, change_id, proof_ids, intent_digest, at)
values
  (%(house)s, %(task_id)s, %(principal_id)s, %(scope)s, %(worker_id)s, %(worker_role)s, %(phase)s,
   %(project_key)s, %(task_kind)s, %(risk)s, %(target_id)s, %(change_id)s, %(proof_ids)s,
   %(intent_digest)s, %(at)s)
on conflict do nothing

-- name: add_packet
insert into packets
  (house_id, packet_id, task_id, scope, scopes, principal_id, intent_digest, authorization_digest,
   visible_epoch, ruleset_version, previous, given_digests, act_id)
values
  (%(house)s, %(packet_id)s, %(task_id)s, %(scope)s, %(scopes)s, %(principal_id)s,
   %(intent_digest)s, %(authorization_digest)s, %(visible_epoch)s, %(ruleset_version)s,
   %(previous)s, %(given_digests)s, %(act)s)

-- name: add_lesson
insert into packet_lessons (house_id, packet_id, place, lesson_id, version, basis, derivation)
values (%(house)s, %(packet_id)s, %(place)s, %(lesson_id)s, %(version)s, %(basis)s, %(derivation)s)

-- name: add_replacement
insert into packet_replacements (house_id, packet_id, lesson_id, reason, basis)
values (%(house)s, %(packet)s, %(lesson_id)s, %(reason)s, %(basis)s)

-- name: replacements
select lesson_id, reason, basis from packet_replacements
where house_id = %(house)s and packet_id = %(packet)s
order by lesson_id, reason, basis

-- name: last_of_intent
select p.packet_id, p.task_id, p.scope, p.scopes, p.principal_id, p.intent_digest,
       p.authorization_digest, p.visible_epoch, p.ruleset_version, p.previous, p.given_digests
from packets p
where p.house_id = %(house)s and p.scope = %(scope)s and p.principal_id = %(principal)s
  and p.intent_digest = %(intent)s and p.in_room
  and not exists (select from packets n
                  where n.house_id = p.house_id and n.previous = p.packet_id)
order by p.packet_id

-- name: packet
select packet_id, task_id, scope, scopes, principal_id, intent_digest, authorization_digest,
       visible_epoch, ruleset_version, previous, given_digests
from packets where house_id = %(house)s and packet_id = %(packet)s order by packet_id

-- name: holding
select p.packet_id, p.task_id, p.scope, p.scopes, p.principal_id, p.intent_digest,
       p.authorization_digest, p.visible_epoch, p.ruleset_version, p.previous, p.given_digests
from packets p
where p.house_id = %(house)s
  and exists (select from packet_lessons l
              where l.house_id = p.house_id and l.packet_id = p.packet_id
                and l.derivation = %(derivation)s)
order by p.packet_id

-- name: resting_on
select p.packet_id, p.task_id, p.scope, p.scopes, p.principal_id, p.intent_digest,
       p.authorization_digest, p.visible_epoch, p.ruleset_version, p.previous, p.given_digests
from packets p
where p.house_id = %(house)s and p.given_digests @> array[%(given)s]
order by p.packet_id

-- name: task
select task_id, principal_id, scope, worker_id, worker_role, phase, project_key, task_kind, risk,
       target_id, change_id, proof_ids, intent_digest, at
from tasks where house_id = %(house)s and task_id = %(task)s order by task_id

-- name: placed
select p.place, p.lesson_id, p.version, p.basis, d.certificate
from packet_lessons p
join derivations d on d.house_id = p.house_id and d.digest = p.derivation
where p.house_id = %(house)s and p.packet_id = %(packet)s
order by p.place

-- name: successor
select n.packet_id, n.task_id, n.scope, n.scopes, n.principal_id, n.intent_digest,
       n.authorization_digest, n.visible_epoch, n.ruleset_version, n.previous, n.given_digests
from packets n
where n.house_id = %(house)s and n.previous = %(packet)s
order by n.packet_id

-- name: page
select p.packet_id, p.task_id, p.scope, t.project_key, p.visible_epoch, p.ruleset_version,
       p.previous, t.at,
       array(select l.lesson_id from packet_lessons l
             where l.house_id = p.house_id and l.packet_id = p.packet_id
             order by l.place) as lesson_ids
from packets p
join tasks t on t.house_id = p.house_id and t.task_id = p.task_id
where p.house_id = %(house)s and p.packet_id > %(after)s
  and (p.principal_id = %(principal)s or p.scope = any (%(administered)s))
order by p.packet_id
limit %(limit)s

-- name: add_delivery
insert into packet_deliveries (house_id, packet_id, worker_id, act_id, at)
values (%(house)s, %(packet)s, %(worker)s, %(act)s, %(at)s)

-- name: delivery
select packet_id, worker_id from packet_deliveries
where house_id = %(house)s and packet_id = %(packet)s
order by packet_id
