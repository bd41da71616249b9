-- The application connects as a role that owns nothing. Rows of other Houses do not exist for it, and
-- rows of scopes that the caller may not read do not either; both come from settings that a
-- transaction makes for itself (store.database.narrow). Without the settings nothing is visible.
-- The policies ask for the settings in a subquery, so that a statement reads them once, not per row.

do $$
begin
  if not exists (select from pg_roles where rolname = 'athanor_app') then
    create role athanor_app login nosuperuser nocreatedb nocreaterole noinherit;
  end if;
exception when duplicate_object or unique_violation then null;  -- made by another starter just now
end
$$;

-- An owner that is no superuser must be a member to start sessions as the application.
do $$
begin
  if not (select rolsuper from pg_roles where rolname = current_user) then
    execute format('grant athanor_app to %I', current_user);
  end if;
end
$$;

grant usage on schema public to athanor_app;
grant select on schema_migrations to athanor_app;

comment on column schema_migrations.name is 'retention: key';
comment on column schema_migrations.digest is 'retention: key';

create function current_house() returns uuid stable language sql
  return nullif(current_setting('athanor.house', true), '')::uuid;

create function current_scopes() returns text[] stable language sql
  return string_to_array(coalesce(current_setting('athanor.scopes', true), ''), ',');

-- The one look-up that comes before the House is known: a token by its hash.
create function token_by_hash(hash bytea)
returns table (house_id uuid, token_id uuid, principal_id text, operations text[],
               scopes text[], expires_at timestamptz, revoked boolean)
language sql stable security definer set search_path = public, pg_temp
begin atomic
  select t.house_id, t.token_id, t.principal_id, t.operations, t.scopes, t.expires_at,
         exists (select from token_revocations r
                 where r.house_id = t.house_id and r.token_id = t.token_id)
  from tokens t where t.sha256 = hash;
end;
revoke all on function token_by_hash(bytea) from public;
grant execute on function token_by_hash(bytea) to athanor_app;

grant select, insert on houses to athanor_app;
alter table houses enable row level security;
create policy inside on houses to athanor_app
  using (house_id = (select current_house()))
  with check (house_id = (select current_house()));

grant select, insert on principals to athanor_app;
alter table principals enable row level security;
create policy inside on principals to athanor_app
  using (house_id = (select current_house()))
  with check (house_id = (select current_house()));

grant select, insert on acts to athanor_app;
alter table acts enable row level security;
create policy inside on acts to athanor_app
  using (house_id = (select current_house()) and scope = any ((select current_scopes())::text[]))
  with check (house_id = (select current_house()) and scope = any ((select current_scopes())::text[]));

grant select, insert on rooms to athanor_app;
alter table rooms enable row level security;
create policy inside on rooms to athanor_app
  using (house_id = (select current_house()))
  with check (house_id = (select current_house()));

grant select, insert on projects to athanor_app;
alter table projects enable row level security;
create policy inside on projects to athanor_app
  using (house_id = (select current_house()))
  with check (house_id = (select current_house()));

grant select, insert on grants to athanor_app;
alter table grants enable row level security;
create policy inside on grants to athanor_app
  using (house_id = (select current_house()))
  with check (house_id = (select current_house()));

grant select, insert on grant_revocations to athanor_app;
alter table grant_revocations enable row level security;
create policy inside on grant_revocations to athanor_app
  using (house_id = (select current_house()))
  with check (house_id = (select current_house()));

grant select, insert on tokens to athanor_app;
alter table tokens enable row level security;
create policy inside on tokens to athanor_app
  using (house_id = (select current_house()))
  with check (house_id = (select current_house()));

grant select, insert on token_revocations to athanor_app;
alter table token_revocations enable row level security;
create policy inside on token_revocations to athanor_app
  using (house_id = (select current_house()))
  with check (house_id = (select current_house()));

grant select, insert on contents to athanor_app;
alter table contents enable row level security;
create policy inside on contents to athanor_app
  using (house_id = (select current_house()) and scope = any ((select current_scopes())::text[]))
  with check (house_id = (select current_house()) and scope = any ((select current_scopes())::text[]));

grant select, insert on lessons to athanor_app;
alter table lessons enable row level security;
create policy inside on lessons to athanor_app
  using (house_id = (select current_house()) and scope = any ((select current_scopes())::text[]))
  with check (house_id = (select current_house()) and scope = any ((select current_scopes())::text[]));

grant select, insert on lesson_versions to athanor_app;
alter table lesson_versions enable row level security;
create policy inside on lesson_versions to athanor_app
  using (house_id = (select current_house()) and scope = any ((select current_scopes())::text[]))
  with check (house_id = (select current_house()) and scope = any ((select current_scopes())::text[]));

grant select, insert on lesson_links to athanor_app;
alter table lesson_links enable row level security;
create policy inside on lesson_links to athanor_app
  using (house_id = (select current_house())
    and exists (select from lessons l
                where l.house_id = lesson_links.house_id and l.lesson_id = lesson_links.lesson_id))
  with check (house_id = (select current_house())
    and exists (select from lessons l
                where l.house_id = lesson_links.house_id and l.lesson_id = lesson_links.lesson_id));

grant select, insert on authority_records to athanor_app;
alter table authority_records enable row level security;
create policy inside on authority_records to athanor_app
  using (house_id = (select current_house())
    and exists (select from lessons l
                where l.house_id = authority_records.house_id and l.lesson_id = authority_records.lesson_id))
  with check (house_id = (select current_house())
    and exists (select from lessons l
                where l.house_id = authority_records.house_id and l.lesson_id = authority_records.lesson_id));

grant select on current_versions to athanor_app;

grant select, insert on changes to athanor_app;
alter table changes enable row level security;
create policy inside on changes to athanor_app
  using (house_id = (select current_house()) and scope = any ((select current_scopes())::text[]))
  with check (house_id = (select current_house()) and scope = any ((select current_scopes())::text[]));

grant select, insert, update, delete on lesson_index to athanor_app;
alter table lesson_index enable row level security;
create policy inside on lesson_index to athanor_app
  using (house_id = (select current_house()) and scope = any ((select current_scopes())::text[]))
  with check (house_id = (select current_house()) and scope = any ((select current_scopes())::text[]));

grant select, insert on rulesets to athanor_app;

grant select, insert on fact_sets to athanor_app;
alter table fact_sets enable row level security;
create policy inside on fact_sets to athanor_app
  using (house_id = (select current_house()) and scopes <@ (select current_scopes()))
  with check (house_id = (select current_house()) and scopes <@ (select current_scopes()));

grant select, insert on derivations to athanor_app;
alter table derivations enable row level security;
create policy inside on derivations to athanor_app
  using (house_id = (select current_house()) and scopes <@ (select current_scopes()))
  with check (house_id = (select current_house()) and scopes <@ (select current_scopes()));

grant select, insert on tasks to athanor_app;
alter table tasks enable row level security;
create policy inside on tasks to athanor_app
  using (house_id = (select current_house()) and scope = any ((select current_scopes())::text[]))
  with check (house_id = (select current_house()) and scope = any ((select current_scopes())::text[]));

grant select, insert on packets to athanor_app;
alter table packets enable row level security;
create policy inside on packets to athanor_app
  using (house_id = (select current_house()) and scopes <@ (select current_scopes()))
  with check (house_id = (select current_house()) and scopes <@ (select current_scopes()));

grant select, insert on packet_lessons to athanor_app;
alter table packet_lessons enable row level security;
create policy inside on packet_lessons to athanor_app
  using (house_id = (select current_house())
    and exists (select from packets p
                where p.house_id = packet_lessons.house_id
                  and p.packet_id = packet_lessons.packet_id))
  with check (house_id = (select current_house())
    and exists (select from packets p
                where p.house_id = packet_lessons.house_id
                  and p.packet_id = packet_lessons.packet_id));

