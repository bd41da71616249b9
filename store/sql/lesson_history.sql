-- name: known
select l.lesson_id, l.kind, l.scope, l.project,
       exists (select from forgettings f
               where f.house_id = l.house_id and f.subject = l.lesson_id) as is_forgotten
from lessons l
where l.house_id = %(house)s and l.lesson_id = %(lesson)s
  and exists (select from lesson_versions v
              where v.house_id = l.house_id and v.lesson_id = l.lesson_id)
order by l.lesson_id

-- name: made
select version, by, reason, at
from (
  select v.version, a.principal_id as by, a.reason, a.at
  from lesson_versions v
  join acts a on a.house_id = v.house_id and a.act_id = v.act_id
  where v.house_id = %(house)s and v.lesson_id = %(lesson)s
  order by v.version = %(always)s desc, v.version desc
  limit %(limit)s
) newest
order by version

-- name: disposed
with recursive chain as (
  select r.*, 1 as place from authority_records r
  where r.house_id = %(house)s and r.lesson_id = %(lesson)s and r.previous is null
  union all
  select n.*, c.place + 1 from chain c
  join authority_records n
    on n.house_id = c.house_id and n.lesson_id = c.lesson_id and n.version = c.version
   and n.previous = c.record_id
)
select c.record_id, c.version, c.disposition, c.previous, a.principal_id as by, a.reason, a.basis,
       a.at
from chain c
join acts a on a.house_id = c.house_id and a.act_id = c.act_id
order by c.version, c.place

-- name: linked
select k.lesson_id, k.version, k.kind, k.other_id, v.title_id as other_title_id
from lesson_links k
join lessons o on o.house_id = k.house_id and o.lesson_id = k.other_id
left join lateral (
  select c.title_id from current_versions c
  where c.house_id = o.house_id and c.lesson_id = o.lesson_id
  offset 0
) v on true
where k.house_id = %(house)s and k.lesson_id = any (%(ids)s)
order by k.lesson_id, k.version, k.kind, k.other_id

-- name: succession
select s.successor_id, s.baseline_version, s.record_id, s.evidence_refs, a.principal_id as by,
       a.reason, a.at
from supersessions s
join acts a on a.house_id = s.house_id and a.act_id = s.act_id
where s.house_id = %(house)s and s.lesson_id = %(lesson)s
order by s.lesson_id

-- name: titled
select v.lesson_id, v.scope
from current_versions v
where v.house_id = %(house)s and v.title_id = any (%(titles)s)
  and v.lesson_id = any (array(select w.lesson_id from lesson_versions w
                               where w.house_id = %(house)s and w.title_id = any (%(titles)s)))
order by v.lesson_id
