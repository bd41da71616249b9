-- Administration as records: who governs a room, who acts for a governor, where a project may be
-- used, which values an adapter declares, who has gone; answers to repeated calls; forgetting.

-- A ledger lets a row be changed only by a function of this schema that says which ledger it means.
create or replace function refuse_change() returns trigger language plpgsql as $$
begin
  if tg_table_name = any (string_to_array(current_setting('athanor.opened', true), ',')) then
    return null;
  end if;
  raise exception 'ledger `%` is append-only: % refused', tg_table_name, lower(tg_op)
    using errcode = 'integrity_constraint_violation';
end
$$;

create table principal_revocations (
  house_id uuid not null references houses,
  principal_id text not null,
  act_id uuid not null,
  primary key (house_id, principal_id),
  foreign key (house_id, principal_id) references principals,
  foreign key (house_id, act_id) references acts
);

-- Each appointment names the one that it follows; none governs when the last names nobody.
create table governors (
  house_id uuid not null references houses,
  record_id text not null,
  room text not null,
  principal_id text,
  previous text,
  act_id uuid not null,
  primary key (house_id, record_id),
  unique nulls not distinct (house_id, room, previous),
  foreign key (house_id, room) references rooms,
  foreign key (house_id, principal_id) references principals,
  foreign key (house_id, previous) references governors,
  foreign key (house_id, act_id) references acts
);

-- Set iff a governing spirit gave the grant; it holds while that spirit governs.
alter table grants add column delegator text;
alter table grants add foreign key (house_id, delegator) references principals;

create table project_scopes (
  house_id uuid not null references houses,
  project text not null,
  scope text not null check (scope = 'shared' or scope ~ '^room:[a-z0-9][a-z0-9_-]{0,63}$'),
  act_id uuid not null,
  primary key (house_id, project, scope),
  foreign key (house_id, project) references projects,
  foreign key (house_id, act_id) references acts
);
insert into project_scopes (house_id, project, scope, act_id)
select house_id, project, 'shared', act_id from projects;

create table project_retirements (
  house_id uuid not null references houses,
  project text not null,
  scope text not null,
  act_id uuid not null,
  primary key (house_id, project, scope),
  foreign key (house_id, project, scope) references project_scopes,
  foreign key (house_id, act_id) references acts
);

-- What an adapter declares that it uses; "missing" can be concluded only over what is declared.
create table vocabulary (
  house_id uuid not null references houses,
  principal_id text not null,
  kind text not null check (kind in
    ('event_type', 'phase', 'task_kind', 'stage', 'register', 'language', 'technology')),
  value text not null check (length(value) between 1 and 200),
  act_id uuid not null,
  primary key (house_id, principal_id, kind, value),
  foreign key (house_id, principal_id) references principals,
  foreign key (house_id, act_id) references acts
);

-- What a call with an idempotency key led to: ids and numbers, from which its answer is made again.
create table idempotency (
  house_id uuid not null references houses,
  principal_id text not null,
  key text not null check (length(key) between 1 and 255),
  request_digest text not null,
  result jsonb not null,
  at timestamptz not null,
  primary key (house_id, principal_id, key),
  foreign key (house_id, principal_id) references principals
);

-- A lesson gives way to another, whatever its version; the baseline is the version that was read.
create table supersessions (
  house_id uuid not null references houses,
  lesson_id text not null,
  successor_id text not null check (successor_id <> lesson_id),
  baseline_version integer not null,
  record_id text not null,
  evidence_refs text[] not null,
  act_id uuid not null,
  primary key (house_id, lesson_id),
  unique (house_id, record_id),
  foreign key (house_id, lesson_id, baseline_version) references lesson_versions,
  foreign key (house_id, successor_id) references lessons,
  foreign key (house_id, act_id) references acts
);

create table forgettings (
  house_id uuid not null references houses,
  subject text not null,
  scope text not null,
  act_id uuid not null,
  primary key (house_id, subject),
  foreign key (house_id, act_id) references acts
);

-- A forgotten version keeps its number and nothing that it said.
alter table lesson_versions alter column title_id drop not null;
alter table lesson_versions alter column rule_id drop not null;
alter table lesson_versions add check
  (source_digest = 'forgotten' or (title_id is not null and rule_id is not null));
alter table tasks alter column target_id drop not null;
alter table tasks alter column change_id drop not null;
alter table tasks add check
  (worker_id = 'forgotten' or (target_id is not null and change_id is not null));

-- The same facts may rest on two sets of scopes; each is kept for those who may read it.
alter table fact_sets drop constraint fact_sets_pkey, add primary key (house_id, digest, scopes);

-- Packets of one intent form a chain: one that is withdrawn is followed by its successor.
alter table packets
  drop constraint packets_house_id_scope_principal_id_intent_digest_authoriza_key;
alter table packets add column previous text;
alter table packets add column given_digests text[] not null default '{}';
alter table packets add foreign key (house_id, previous) references packets;
create index packets_by_given on packets using gin (given_digests);
-- Packets from before this were decided over all that their caller could read. They can still be read
-- and answer no new start.
alter table packets add column in_room boolean;
do $$
begin
  perform set_config('athanor.opened', 'packets', true);
  update packets p
  set in_room = false,
      given_digests = coalesce(
        (select array(select jsonb_array_elements_text(d.certificate -> 'given_digests'))
         from packet_lessons l
         join derivations d on d.house_id = l.house_id and d.digest = l.derivation
         where l.house_id = p.house_id and l.packet_id = p.packet_id
         order by l.place limit 1), '{}');
  perform set_config('athanor.opened', '', true);
end
$$;
alter table packets alter column in_room set default true, alter column in_room set not null;
create unique index packets_in_chains
  on packets (house_id, scope, principal_id, intent_digest, previous) nulls not distinct
  where in_room;
create index packets_by_previous on packets (house_id, previous);

create table packet_replacements (
  house_id uuid not null references houses,
  packet_id text not null,
  lesson_id text not null,
  reason text not null,
  basis text not null,
  primary key (house_id, packet_id, lesson_id, reason, basis),
  foreign key (house_id, packet_id) references packets
);

create table packet_deliveries (
  house_id uuid not null references houses,
  packet_id text not null,
  worker_id text not null,
  act_id uuid not null,
  at timestamptz not null,
  primary key (house_id, packet_id),
  foreign key (house_id, packet_id) references packets,
  foreign key (house_id, act_id) references acts
);

-- The version that speaks for a lesson: the last that was ever promoted, else the last that anyone
-- decided about, else the last. To refuse a new version leaves the one before it in its place.
create or replace view current_versions with (security_invoker = true) as
select distinct on (v.house_id, v.lesson_id) v.*
from lesson_versions v
where not exists (select from forgettings f
                  where f.house_id = v.house_id and f.subject = v.lesson_id)
order by v.house_id, v.lesson_id,
         exists (select from authority_records a
                 where a.house_id = v.house_id and a.lesson_id = v.lesson_id
                   and a.version = v.version and a.disposition = 'promoted') desc,
         exists (select from authority_records a
                 where a.house_id = v.house_id and a.lesson_id = v.lesson_id
                   and a.version = v.version) desc,
         v.version desc;

-- A principal that has gone opens nothing.
create or replace function token_by_hash(hash bytea)
returns table (house_id uuid, token_id uuid, principal_id text, operations text[],
               scopes text[], expires_at timestamptz, revoked boolean)
language sql stable security definer set search_path = public, pg_temp
begin atomic
  select t.house_id, t.token_id, t.principal_id, t.operations, t.scopes, t.expires_at,
         exists (select from token_revocations r
                 where r.house_id = t.house_id and r.token_id = t.token_id)
         or exists (select from principal_revocations r
                    where r.house_id = t.house_id and r.principal_id = t.principal_id)
  from tokens t where t.sha256 = hash;
end;

-- Texts of the named ids that nothing else names any more are deleted.
create function drop_contents(house uuid, ids text[]) returns void
language sql security definer set search_path = public, pg_temp as $$
  delete from contents c
  where c.house_id = house and c.content_id = any (ids)
    and not exists (select from lesson_versions v
                    where v.house_id = house
                      and c.content_id in (v.title_id, v.rule_id, v.trigger_context_id,
                                           v.proof_pattern_id, v.trigger_condition_id,
                                           v.trigger_ast_condition_id, v.source_path_id))
    and not exists (select from tasks t
                    where t.house_id = house
                      and (c.content_id in (t.target_id, t.change_id)
                           or c.content_id = any (t.proof_ids)))
$$;
revoke all on function drop_contents(uuid, text[]) from public;

-- What calls led to stays; the digests of what these calls said are forgotten.
create function drop_request_digests(house uuid, ids text[]) returns void
language sql security definer set search_path = public, pg_temp as $$
  update idempotency i set request_digest = 'forgotten'
  where i.house_id = house
    and exists (select from jsonb_each_text(i.result) e where e.value = any (ids))
$$;
revoke all on function drop_request_digests(uuid, text[]) from public;

-- Forget what a lesson said: texts, their digests, words and keys of every version, the reasons that
-- were given about it, the digests of calls that carried it. The id stays, so that what named it can
-- say that its evidence was forgotten. Whoever writes texts holds the same lock together with others
-- (store.contents.keep_from_forgetting), so that none is written or named meanwhile.
create function forget_lesson(lesson text, act uuid) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  house uuid := current_house();
  ids text[];
begin
  perform pg_advisory_xact_lock(hashtextextended(house || ' texts', 0));
  insert into forgettings (house_id, subject, scope, act_id)
  select house, l.lesson_id, l.scope, act from lessons l
  where l.house_id = house and l.lesson_id = lesson and l.scope = any (current_scopes());
  if not found then
    raise exception 'no lesson to forget' using errcode = 'no_data_found';
  end if;
  select coalesce(array_agg(i) filter (where i is not null), '{}') into ids
  from lesson_versions v
  cross join unnest(array[v.title_id, v.rule_id, v.trigger_context_id, v.proof_pattern_id,
                          v.trigger_condition_id, v.trigger_ast_condition_id,
                          v.source_path_id]) i
  where v.house_id = house and v.lesson_id = lesson;
  perform set_config('athanor.opened',
                     'lesson_versions,authority_records,acts,idempotency,contents', true);
  update lesson_versions v
  set source_digest = 'forgotten', title_id = null, rule_id = null, trigger_context_id = null,
      proof_pattern_id = null, shape = null, voice = null, tags = '{}', stages = '{}',
      registers = '{}', languages = '{}', technologies = '{}', threads = '{}',
      trigger_condition_id = null, trigger_ast_condition_id = null, trigger_scope = null,
      source_path_id = null, source_first_line = null, source_last_line = null
  where v.house_id = house and v.lesson_id = lesson;
  update authority_records a set source_digest = 'forgotten'
  where a.house_id = house and a.lesson_id = lesson;
  delete from lesson_index i where i.house_id = house and i.lesson_id = lesson;
  update acts a set reason = 'forgotten'
  where a.house_id = house
    and a.act_id in (select s.act_id from supersessions s
                     where s.house_id = house and lesson in (s.lesson_id, s.successor_id)
                     union all
                     select r.act_id from authority_records r
                     where r.house_id = house and r.lesson_id = lesson
                     union all
                     select v.act_id from lesson_versions v
                     where v.house_id = house and v.lesson_id = lesson)
    and not exists (select from authority_records r
                    where r.house_id = house and r.act_id = a.act_id and r.lesson_id <> lesson)
    and not exists (select from lesson_versions v
                    where v.house_id = house and v.act_id = a.act_id and v.lesson_id <> lesson);
  perform drop_request_digests(house, array[lesson]);
  perform drop_contents(house, ids);
  perform set_config('athanor.opened', '', true);
end
$$;
revoke all on function forget_lesson(text, uuid) from public;
grant execute on function forget_lesson(text, uuid) to athanor_app;

-- Forget what a task said, for all packets of its intent: texts, worker, and the digest of them.
create function forget_task(task text, act uuid) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  house uuid := current_house();
  ids text[];
begin
  perform pg_advisory_xact_lock(hashtextextended(house || ' texts', 0));
  insert into forgettings (house_id, subject, scope, act_id)
  select house, t.task_id, t.scope, act from tasks t
  where t.house_id = house and t.task_id = task and t.scope = any (current_scopes());
  if not found then
    raise exception 'no task to forget' using errcode = 'no_data_found';
  end if;
  select coalesce(array_agg(i) filter (where i is not null), '{}') into ids
  from tasks t cross join unnest(array[t.target_id, t.change_id] || t.proof_ids) i
  where t.house_id = house and t.task_id = task;
  perform set_config('athanor.opened',
                     'tasks,packets,packet_deliveries,idempotency,contents', true);
  update tasks t
  set worker_id = 'forgotten', worker_role = 'forgotten', phase = 'forgotten',
      task_kind = 'forgotten', target_id = null, change_id = null, proof_ids = '{}',
      intent_digest = 'forgotten:' || t.task_id
  where t.house_id = house and t.task_id = task;
  update packets p set intent_digest = 'forgotten:' || p.task_id
  where p.house_id = house and p.task_id = task;
  delete from packet_deliveries d using packets p
  where p.house_id = house and p.task_id = task
    and d.house_id = p.house_id and d.packet_id = p.packet_id;
  perform drop_request_digests(house, array(select p.packet_id from packets p
                                            where p.house_id = house and p.task_id = task));
  perform drop_contents(house, ids);
  perform set_config('athanor.opened', '', true);
end
$$;
revoke all on function forget_task(text, uuid) from public;
grant execute on function forget_task(text, uuid) to athanor_app;

comment on column principal_revocations.principal_id is 'retention: key';
comment on column governors.record_id is 'retention: key';
comment on column governors.room is 'retention: key';
comment on column governors.principal_id is 'retention: key';
comment on column governors.previous is 'retention: key';
comment on column grants.delegator is 'retention: key';
comment on column project_scopes.project is 'retention: key';
comment on column project_scopes.scope is 'retention: key';
comment on column project_retirements.project is 'retention: key';
comment on column project_retirements.scope is 'retention: key';
comment on column vocabulary.principal_id is 'retention: key';
comment on column vocabulary.kind is 'retention: key';
comment on column vocabulary.value is 'retention: key';
comment on column idempotency.principal_id is 'retention: key';
comment on column idempotency.key is 'retention: key';
comment on column idempotency.request_digest is 'retention: key';
comment on column idempotency.result is 'retention: proof';
comment on column supersessions.lesson_id is 'retention: key';
comment on column supersessions.successor_id is 'retention: key';
comment on column supersessions.record_id is 'retention: key';
comment on column supersessions.evidence_refs is 'retention: key';
comment on column forgettings.subject is 'retention: key';
comment on column forgettings.scope is 'retention: key';
comment on column packets.previous is 'retention: key';
comment on column packets.given_digests is 'retention: key';
comment on column packet_replacements.packet_id is 'retention: key';
comment on column packet_replacements.lesson_id is 'retention: key';
comment on column packet_replacements.reason is 'retention: key';
comment on column packet_replacements.basis is 'retention: key';
comment on column packet_deliveries.packet_id is 'retention: key';
comment on column packet_deliveries.worker_id is 'retention: content';

do $$
declare
  ledger text;
begin
  foreach ledger in array array['principal_revocations', 'governors', 'project_scopes',
    'project_retirements', 'vocabulary', 'idempotency', 'supersessions', 'forgettings',
    'packet_replacements', 'packet_deliveries']
  loop
    execute format('create trigger append_only before update or delete or truncate on %I'
      ' for each statement execute function refuse_change()', ledger);
    execute format('grant select, insert on %I to athanor_app', ledger);
    execute format('alter table %I enable row level security', ledger);
  end loop;
  foreach ledger in array array['principal_revocations', 'vocabulary', 'idempotency']
  loop
    execute format('create policy inside on %I to athanor_app'
      ' using (house_id = (select current_house()))'
      ' with check (house_id = (select current_house()))', ledger);
  end loop;
  foreach ledger in array array['project_scopes', 'project_retirements', 'forgettings']
  loop
    execute format('create policy inside on %I to athanor_app'
      ' using (house_id = (select current_house())'
      '   and scope = any ((select current_scopes())::text[]))'
      ' with check (house_id = (select current_house())'
      '   and scope = any ((select current_scopes())::text[]))', ledger);
  end loop;
  foreach ledger in array array['packet_replacements', 'packet_deliveries']
  loop
    execute format('create policy inside on %1$I to athanor_app'
      ' using (house_id = (select current_house())'
      '   and exists (select from packets p where p.house_id = %1$I.house_id'
      '               and p.packet_id = %1$I.packet_id))'
      ' with check (house_id = (select current_house())'
      '   and exists (select from packets p where p.house_id = %1$I.house_id'
      '               and p.packet_id = %1$I.packet_id))', ledger);
  end loop;
end
$$;

create policy inside on governors to athanor_app
  using (house_id = (select current_house())
    and 'room:' || room = any ((select current_scopes())::text[]))
  with check (house_id = (select current_house())
    and 'room:' || room = any ((select current_scopes())::text[]));

create policy inside on supersessions to athanor_app
  using (house_id = (select current_house())
    and exists (select from lessons l
                where l.house_id = supersessions.house_id
                  and l.lesson_id = supersessions.lesson_id)
    and exists (select from lessons l
                where l.house_id = supersessions.house_id
                  and l.lesson_id = supersessions.successor_id))
  with check (house_id = (select current_house())
    and exists (select from lessons l
                where l.house_id = supersessions.house_id
                  and l.lesson_id = supersessions.lesson_id)
    and exists (select from lessons l
                where l.house_id = supersessions.house_id
                  and l.lesson_id = supersessions.successor_id));
