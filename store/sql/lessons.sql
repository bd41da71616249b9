-- name: hold_pack
select pg_advisory_xact_lock(%(lock)s)

-- name: add_identity
insert into lessons (house_id, lesson_id, kind, scope, project, act_id)
values (%(house)s, %(lesson_id)s, %(kind)s, %(scope)s, %(project)s, %(act)s)
on conflict do nothing

-- name: add_version
insert into lesson_versions
  (house_id, lesson_id, version, source_digest, scope, title_id, rule_id, trigger_context_id,
   proof_pattern_id, shape, voice, always_on, tags, stages, registers, languages, technologies,
   threads, trigger_condition_id, trigger_ast_condition_id, trigger_scope, trigger_interrupt,
   trigger_cooldown_seconds, source_path_id, source_first_line, source_last_line, act_id)
values
  (%(house)s, %(lesson_id)s, %(version)s, %(source_digest)s, %(scope)s, %(title_id)s, %(rule_id)s,
   %(trigger_context_id)s, %(proof_pattern_id)s, %(shape)s, %(voice)s, %(always_on)s, %(tags)s,
   %(stages)s, %(registers)s, %(languages)s, %(technologies)s, %(threads)s,
   %(trigger_condition_id)s, %(trigger_ast_condition_id)s, %(trigger_scope)s,
   %(trigger_interrupt)s, %(trigger_cooldown_seconds)s, %(source_path_id)s,
   %(source_first_line)s, %(source_last_line)s, %(act)s)

-- name: add_link
insert into lesson_links (house_id, lesson_id, version, kind, other_id, act_id)
values (%(house)s, %(lesson_id)s, %(version)s, %(kind)s, %(other_id)s, %(act)s)

-- name: add_authority
insert into authority_records
  (house_id, record_id, lesson_id, version, disposition, source_digest, previous, act_id)
values
  (%(house)s, %(record_id)s, %(lesson_id)s, %(version)s, %(disposition)s, %(source_digest)s,
   %(previous)s, %(act)s)

-- name: supersede
insert into supersessions
  (house_id, lesson_id, successor_id, baseline_version, record_id, evidence_refs, act_id)
values
  (%(house)s, %(lesson_id)s, %(successor_id)s, %(baseline_version)s, %(record_id)s,
   %(evidence_refs)s, %(act)s)

-- name: ids
select lesson_id from current_versions where house_id = %(house)s order by lesson_id

-- name: standing
select l.lesson_id, l.kind, l.scope, l.project, v.version, v.source_digest, v.title_id,
       a.record_id, a.disposition,
       coalesce(s.successor_id,
                (select k.other_id from lesson_links k
                 join lessons o on o.house_id = k.house_id and o.lesson_id = k.other_id
                 where k.house_id = l.house_id and k.lesson_id = l.lesson_id
                   and k.version = v.version and k.kind = 'superseded_by'
                 order by k.other_id limit 1)) as successor_id,
       (select max(w.version) from lesson_versions w
        where w.house_id = l.house_id and w.lesson_id = l.lesson_id and w.version > v.version
          and not exists (select from authority_records r
                          where r.house_id = w.house_id and r.lesson_id = w.lesson_id
                            and r.version = w.version)) as waiting_version
from lessons l
cross join lateral (
  select c.version, c.source_digest, c.title_id from current_versions c
  where c.house_id = l.house_id and c.lesson_id = l.lesson_id
  offset 0
) v
left join lateral (
  select r.record_id, r.disposition from authority_records r
  where r.house_id = l.house_id and r.lesson_id = l.lesson_id and r.version = v.version
    and not exists (select from authority_records n
                    where n.house_id = r.house_id and n.lesson_id = r.lesson_id
                      and n.version = r.version and n.previous = r.record_id)
) a on true
left join supersessions s on s.house_id = l.house_id and s.lesson_id = l.lesson_id
where l.house_id = %(house)s and l.lesson_id = %(lesson)s
order by l.lesson_id

-- name: page
select l.lesson_id, l.kind, l.scope, l.project, v.version, v.source_digest, v.title_id,
       a.record_id, a.disposition,
       coalesce(s.successor_id,
                (select k.other_id from lesson_links k
                 join lessons o on o.house_id = k.house_id and o.lesson_id = k.other_id
                 where k.house_id = l.house_id and k.lesson_id = l.lesson_id
                   and k.version = v.version and k.kind = 'superseded_by'
                 order by k.other_id limit 1)) as successor_id,
       (select max(w.version) from lesson_versions w
        where w.house_id = l.house_id and w.lesson_id = l.lesson_id and w.version > v.version
          and not exists (select from authority_records r
                          where r.house_id = w.house_id and r.lesson_id = w.lesson_id
                            and r.version = w.version)) as waiting_version
from lessons l
cross join lateral (
  select c.version, c.source_digest, c.title_id from current_versions c
  where c.house_id = l.house_id and c.lesson_id = l.lesson_id
  offset 0
) v
left join lateral (
  select r.record_id, r.disposition from authority_records r
  where r.house_id = l.house_id and r.lesson_id = l.lesson_id and r.version = v.version
    and not exists (select from authority_records n
                    where n.house_id = r.house_id and n.lesson_id = r.lesson_id
                      and n.version = r.version and n.previous = r.record_id)
) a on true
left join supersessions s on s.house_id = l.house_id and s.lesson_id = l.lesson_id
where l.house_id = %(house)s and l.lesson_id > %(after)s
  and (%(kind)s::text is null or l.kind = %(kind)s)
  and (%(scope)s::text is null or l.scope = %(scope)s)
  and (%(disposition)s::text is null
       or coalesce(a.disposition, 'unreviewed') = %(disposition)s)
order by l.lesson_id
limit %(limit)s

-- name: latest
select distinct on (v.lesson_id) v.lesson_id, v.version, v.source_digest,
       (select i.source_digest from lesson_versions i
        join acts a on a.house_id = i.house_id and a.act_id = i.act_id and a.operation = 'import'
        where i.house_id = v.house_id and i.lesson_id = v.lesson_id
        order by i.version desc limit 1) as imported_digest,
       exists (select from authority_records a
               where a.house_id = v.house_id and a.lesson_id = v.lesson_id
                 and a.version = v.version) as is_reviewed,
       exists (select from forgettings f
               where f.house_id = v.house_id and f.subject = v.lesson_id) as is_forgotten
from lesson_versions v
where v.house_id = %(house)s and v.lesson_id = any (%(ids)s)
order by v.lesson_id, v.version desc

-- name: versions
select v.lesson_id, v.version, v.source_digest, v.scope, v.title_id, v.rule_id,
       v.trigger_context_id, v.proof_pattern_id, v.shape, v.voice, v.always_on, v.tags, v.stages,
       v.registers, v.languages, v.technologies, v.threads, v.trigger_condition_id,
       v.trigger_ast_condition_id, v.trigger_scope, v.trigger_interrupt,
       v.trigger_cooldown_seconds, v.source_path_id, v.source_first_line, v.source_last_line
from unnest(%(ids)s::text[], %(versions)s::integer[]) as chosen (lesson_id, version)
join lesson_versions v
  on v.house_id = %(house)s and v.lesson_id = chosen.lesson_id and v.version = chosen.version
order by v.lesson_id, v.version

-- name: clear_index
delete from lesson_index where house_id = %(house)s

-- name: index
insert into lesson_index (house_id, lesson_id, version, scope, words, word_count)
select house_id, lesson_id, version, scope, words,
       (select coalesce(sum(cardinality(u.positions)), 0) from unnest(words) u)
from (
  select v.house_id, v.lesson_id, v.version, v.scope,
         to_tsvector('english', concat_ws(e'\n', t.body, r.body, c.body, p.body,
                                          array_to_string(v.tags, ' '), v.shape)) as words
  from current_versions v
  join contents t on t.house_id = v.house_id and t.content_id = v.title_id
  join contents r on r.house_id = v.house_id and r.content_id = v.rule_id
  left join contents c
    on c.house_id = v.house_id and c.content_id = v.trigger_context_id
  left join contents p
    on p.house_id = v.house_id and p.content_id = v.proof_pattern_id
  where v.house_id = %(house)s and v.lesson_id = any (%(ids)s)
) texts
on conflict (house_id, lesson_id) do update
set version = excluded.version, scope = excluded.scope, words = excluded.words,
    word_count = excluded.word_count
