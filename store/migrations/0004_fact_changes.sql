-- Base facts of a House as rows, every change to them with the epoch at which it was committed, and
-- what each caller may know of epochs. `ledger_facts` says what the facts are; the rest follows it.

-- The definition of the projection: what the ledgers say now, as facts of `rules/facts.dl`.
-- `subject` is the record whose change may change the fact, `scopes` are all those that one must be
-- able to read to see it.
create view ledger_facts with (security_invoker = true) as
select v.house_id, v.lesson_id as subject, array[v.scope] as scopes, f.relation, f.row, f.source
from current_versions v
join lessons l on l.house_id = v.house_id and l.lesson_id = v.lesson_id
cross join lateral (
  select x.relation, x.row, 'lesson:' || v.lesson_id || '@' || v.version as source
  from (
    select 'lesson' as relation, jsonb_build_array(v.lesson_id, l.kind) as row
    union all
    select 'lesson_version', jsonb_build_array(v.lesson_id, v.version)
    union all
    select 'lesson_scope', jsonb_build_array(v.lesson_id, v.scope)
    union all
    select 'lesson_order', jsonb_build_array(v.lesson_id,
      ('x' || left(encode(sha256(convert_to(v.lesson_id, 'UTF8')), 'hex'), 15))::bit(60)::bigint)
    union all
    select 'lesson_project', jsonb_build_array(v.lesson_id, l.project) where l.project is not null
    union all
    select 'lesson_always_on', jsonb_build_array(v.lesson_id) where v.always_on
    union all
    select 'lesson_stage', jsonb_build_array(v.lesson_id, s)
    from (select distinct unnest(v.stages) as s) d
    union all
    select 'lesson_register', jsonb_build_array(v.lesson_id, s)
    from (select distinct unnest(v.registers) as s) d
    union all
    select 'lesson_language', jsonb_build_array(v.lesson_id, s)
    from (select distinct unnest(v.languages) as s) d
    union all
    select 'lesson_technology', jsonb_build_array(v.lesson_id, s)
    from (select distinct unnest(v.technologies) as s) d
  ) x
  union all
  select 'lesson_authority', jsonb_build_array(v.lesson_id, a.record_id, a.disposition),
         'authority:' || a.record_id
  from authority_records a
  where a.house_id = v.house_id and a.lesson_id = v.lesson_id and a.version = v.version
    and not exists (select from authority_records n
                    where n.house_id = a.house_id and n.lesson_id = a.lesson_id
                      and n.version = a.version and n.previous = a.record_id)
) f
union all
select k.house_id, k.lesson_id,
       array(select distinct s from unnest(array[l.scope, o.scope]) s order by s),
       case k.kind when 'negation_of' then 'lesson_negation' else 'lesson_superseded' end,
       jsonb_build_array(k.lesson_id, k.other_id),
       'lesson:' || k.lesson_id || '@' || k.version
from lesson_links k
join current_versions v
  on v.house_id = k.house_id and v.lesson_id = k.lesson_id and v.version = k.version
join lessons l on l.house_id = k.house_id and l.lesson_id = k.lesson_id
join lessons o on o.house_id = k.house_id and o.lesson_id = k.other_id
union all
select s.house_id, s.lesson_id,
       array(select distinct x from unnest(array[l.scope, o.scope]) x order by x),
       'lesson_superseded', jsonb_build_array(s.lesson_id, s.successor_id),
       'supersession:' || s.record_id
from supersessions s
join current_versions v on v.house_id = s.house_id and v.lesson_id = s.lesson_id
join lessons l on l.house_id = s.house_id and l.lesson_id = s.lesson_id
join lessons o on o.house_id = s.house_id and o.lesson_id = s.successor_id
union all
select g.house_id, g.grant_id, array['principal:' || g.principal_id], f.relation, f.row, f.source
from grants g
cross join lateral (
  select 'grant' as relation, jsonb_build_array(g.grant_id, g.principal_id, g.operation) as row,
         'grant:' || g.grant_id as source
  union all
  select 'grant_scope', jsonb_build_array(g.grant_id, s), 'grant:' || g.grant_id
  from (select distinct unnest(g.scopes) as s) d
  union all
  select 'grant_from', jsonb_build_array(g.grant_id, floor(extract(epoch from g.valid_from))::bigint),
         'grant:' || g.grant_id
  union all
  select 'grant_until',
         jsonb_build_array(g.grant_id, floor(extract(epoch from g.valid_until))::bigint),
         'grant:' || g.grant_id
  where g.valid_until is not null
  union all
  select 'grant_delegated', jsonb_build_array(g.grant_id, g.delegator), 'grant:' || g.grant_id
  where g.delegator is not null
  union all
  select 'grant_revoked', jsonb_build_array(g.grant_id), 'revocation:' || g.grant_id
  from grant_revocations r where r.house_id = g.house_id and r.grant_id = g.grant_id
) f
union all
select g.house_id, 'room:' || g.room, array['principal:' || g.principal_id], 'governs',
       jsonb_build_array(g.principal_id, 'room:' || g.room), 'governor:' || g.record_id
from governors g
where g.principal_id is not null
  and not exists (select from governors n
                  where n.house_id = g.house_id and n.room = g.room
                    and n.previous = g.record_id);

-- The id of a fact, as `engine.fact_id` makes it: the SHA-256 of tagged, length-prefixed fields.
create function fact_id(name text, content jsonb, origin text) returns text
language sql immutable parallel safe set search_path = pg_catalog, pg_temp as $$
  select encode(sha256(convert_to(
    'l4:s4:fact'
    || 's' || octet_length(name) || ':' || name
    || 'l' || jsonb_array_length(content) || ':'
    || (select coalesce(string_agg(
          case jsonb_typeof(v) when 'string'
            then 's' || octet_length(v #>> '{}') || ':' || (v #>> '{}')
            else 'i' || (v #>> '{}') || ';' end, '' order by n), '')
        from jsonb_array_elements(content) with ordinality as e (v, n))
    || 's' || octet_length(origin) || ':' || origin, 'UTF8')), 'hex')
$$;

-- A projection: the facts of the last epoch.
create table base_facts (
  house_id uuid not null references houses,
  subject text not null,
  scopes text[] not null check (cardinality(scopes) > 0),
  relation text not null,
  row jsonb not null,
  source text not null,
  fact_id text not null generated always as (fact_id(relation, row, source)) stored,
  primary key (house_id, scopes, fact_id)
);
create index base_facts_by_subject on base_facts (house_id, subject);

-- A projection: how many epochs each House has, and how many of them touched facts of some scopes.
create table fact_epochs (
  house_id uuid primary key references houses,
  fact_epoch bigint not null check (fact_epoch >= 0)
);
create table scope_epochs (
  house_id uuid not null references houses,
  scopes text[] not null,
  epochs bigint not null check (epochs > 0),
  primary key (house_id, scopes)
);

create table fact_changes (
  house_id uuid not null references houses,
  epoch bigint not null check (epoch > 0),
  change text not null check (change in ('added', 'retracted')),
  subject text not null,
  scopes text[] not null,
  relation text not null,
  row jsonb not null,
  source text not null,
  fact_id text not null generated always as (fact_id(relation, row, source)) stored,
  at timestamptz not null default now(),
  primary key (house_id, epoch, scopes, fact_id)
);

-- Up to its epoch `fact_changes` may be removed: the facts then were compared with the ledgers.
create table fact_snapshots (
  house_id uuid not null references houses,
  epoch bigint not null,
  facts bigint not null,
  digest text not null,
  at timestamptz not null,
  primary key (house_id, epoch)
);

comment on column base_facts.subject is 'retention: key';
comment on column base_facts.scopes is 'retention: key';
comment on column base_facts.relation is 'retention: key';
comment on column base_facts.row is 'retention: proof';
comment on column base_facts.source is 'retention: key';
comment on column base_facts.fact_id is 'retention: key';
comment on column scope_epochs.scopes is 'retention: key';
comment on column fact_changes.change is 'retention: key';
comment on column fact_changes.subject is 'retention: key';
comment on column fact_changes.scopes is 'retention: key';
comment on column fact_changes.relation is 'retention: key';
comment on column fact_changes.row is 'retention: proof';
comment on column fact_changes.source is 'retention: key';
comment on column fact_changes.fact_id is 'retention: key';
comment on column fact_snapshots.digest is 'retention: key';

-- What the facts gain and lose when they are made anew from the ledgers.
create view fact_differences with (security_invoker = true) as
select 'added' as change, n.* from ledger_facts n
where not exists (select from base_facts b
                  where (b.house_id, b.scopes, b.relation, b.row, b.source)
                      = (n.house_id, n.scopes, n.relation, n.row, n.source))
union all
select 'retracted', b.house_id, b.subject, b.scopes, b.relation, b.row, b.source from base_facts b
where not exists (select from ledger_facts n
                  where (b.house_id, b.scopes, b.relation, b.row, b.source)
                      = (n.house_id, n.scopes, n.relation, n.row, n.source));

-- Bring the facts of some subjects up to what the ledgers say, as one epoch; the epoch afterwards.
-- Call it last, at isolation level read committed: it waits for the House's other writers, sees what
-- they committed, and holds them up until the transaction ends.
create function advance(subjects text[]) returns bigint
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  house uuid := current_house();
  present bigint;
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'advance in a snapshot that may be old' using errcode = 'active_sql_transaction';
  end if;
  select fact_epoch into strict present from fact_epochs where house_id = house for update;
  with fresh as materialized (
    select * from ledger_facts where house_id = house and subject = any (subjects)
  ),
  known as materialized (
    select * from base_facts where house_id = house and subject = any (subjects)
  ),
  gone as (
    delete from base_facts b using (
      select scopes, relation, row, source from known
      except select scopes, relation, row, source from fresh) o
    where b.house_id = house and (b.scopes, b.relation, b.row, b.source)
                               = (o.scopes, o.relation, o.row, o.source)
    returning b.subject, b.scopes, b.relation, b.row, b.source
  ),
  come as (
    insert into base_facts (house_id, subject, scopes, relation, row, source)
    select house, f.subject, f.scopes, f.relation, f.row, f.source from fresh f
    where not exists (select from known k where (k.scopes, k.relation, k.row, k.source)
                                              = (f.scopes, f.relation, f.row, f.source))
    returning subject, scopes, relation, row, source
  ),
  told as (
    insert into fact_changes
      (house_id, epoch, change, subject, scopes, relation, row, source)
    select house, present + 1, 'retracted', gone.* from gone
    union all
    select house, present + 1, 'added', come.* from come
    returning scopes
  )
  insert into scope_epochs (house_id, scopes, epochs)
  select distinct house, scopes, 1 from told
  on conflict (house_id, scopes) do update set epochs = scope_epochs.epochs + 1;
  if found then
    present := present + 1;
    update fact_epochs set fact_epoch = present where house_id = house;
  end if;
  return present;
end
$$;
revoke all on function advance(text[]) from public;
grant execute on function advance(text[]) to athanor_app;

-- Compare every fact with the ledgers, record the digest of them all, and remove the changes that
-- led to them; nothing happens when a fact differs. At isolation level repeatable read.
create function compact_fact_changes() returns fact_snapshots
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  house uuid := current_house();
  made fact_snapshots;
begin
  if current_setting('transaction_isolation') <> 'repeatable read' then
    raise exception 'compaction needs one snapshot' using errcode = 'active_sql_transaction';
  end if;
  select house_id, fact_epoch into strict made.house_id, made.epoch
  from fact_epochs where house_id = house;
  if exists (select from fact_differences where house_id = house) then
    raise exception 'facts differ from the ledgers' using errcode = 'data_exception';
  end if;
  select count(*),
         encode(sha256(convert_to(coalesce(string_agg(
           jsonb_build_array(scopes, relation, row, source)::text, e'\n'
           order by scopes, fact_id), ''), 'UTF8')), 'hex')
  into made.facts, made.digest from base_facts where house_id = house;
  made.at := now();
  insert into fact_snapshots select made.* on conflict do nothing;
  perform set_config('athanor.opened', 'fact_changes', true);
  delete from fact_changes where house_id = house and epoch <= made.epoch;
  perform set_config('athanor.opened', '', true);
  return made;
end
$$;
revoke all on function compact_fact_changes() from public;
grant execute on function compact_fact_changes() to athanor_app;

create trigger append_only before update or delete or truncate on fact_changes
  for each statement execute function refuse_change();
create trigger append_only before update or delete or truncate on fact_snapshots
  for each statement execute function refuse_change();

grant select on base_facts, scope_epochs, fact_changes to athanor_app;
alter table base_facts enable row level security;
create policy inside on base_facts to athanor_app
  using (house_id = (select current_house()) and scopes <@ (select current_scopes()));
alter table scope_epochs enable row level security;
create policy inside on scope_epochs to athanor_app
  using (house_id = (select current_house()) and scopes <@ (select current_scopes()));
alter table fact_changes enable row level security;
create policy inside on fact_changes to athanor_app
  using (house_id = (select current_house()) and scopes <@ (select current_scopes()));

grant select, insert on fact_epochs to athanor_app;
alter table fact_epochs enable row level security;
create policy inside on fact_epochs to athanor_app
  using (house_id = (select current_house()))
  with check (house_id = (select current_house()) and fact_epoch = 0);
grant select on fact_snapshots to athanor_app;
alter table fact_snapshots enable row level security;
create policy inside on fact_snapshots to athanor_app
  using (house_id = (select current_house()));

-- Houses that are there already: their facts, as of an epoch for each change that they counted.
insert into base_facts (house_id, subject, scopes, relation, row, source)
select house_id, subject, scopes, relation, row, source from ledger_facts;
insert into fact_epochs (house_id, fact_epoch)
select h.house_id, (select count(*) from changes c where c.house_id = h.house_id) from houses h;
insert into scope_epochs (house_id, scopes, epochs)
select house_id, array[scope], count(*) from changes group by house_id, scope;
insert into scope_epochs (house_id, scopes, epochs)
select distinct house_id, scopes, 1 from base_facts on conflict do nothing;
drop table changes;
