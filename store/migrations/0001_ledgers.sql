-- The ledgers of a House. Rows are appended and stay; the one projection, lesson_index, says so.
-- Every key starts with the House. The comment on each text or json column states its retention:
--   key      an id, a digest or a key of an enumeration; kept for ever, holds no free text
--   content  free text, or what an adapter may put text into; deleted, with its hash, by forgetting
--   proof    holds ids and numbers only; kept as long as what it explains
--   rules    rule text, written by rule authors for everyone; kept for ever

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'ledger `%` is append-only: % refused', tg_table_name, lower(tg_op)
    using errcode = 'integrity_constraint_violation';
end
$$;

create table houses (
  house_id uuid primary key,
  name text not null check (length(name) between 1 and 200),
  founded_at timestamptz not null
);

create table principals (
  house_id uuid not null references houses,
  principal_id text not null check (principal_id ~ '^[a-z0-9][a-z0-9_.-]{0,63}$'),
  kind text not null check (kind in ('operator', 'spirit', 'adapter', 'reviewer', 'ci')),
  created_at timestamptz not null,
  primary key (house_id, principal_id)
);

create table acts (
  house_id uuid not null references houses,
  act_id uuid not null,
  principal_id text not null,
  operation text not null check (operation ~ '^[a-z_]{1,40}$'),
  scope text not null check (scope = 'shared' or scope ~ '^room:[a-z0-9][a-z0-9_-]{0,63}$'),
  basis text not null,
  reason text not null check (length(reason) between 1 and 500),
  permission jsonb,
  at timestamptz not null,
  primary key (house_id, act_id),
  foreign key (house_id, principal_id) references principals
);

create table rooms (
  house_id uuid not null references houses,
  room text not null check (room ~ '^[a-z0-9][a-z0-9_-]{0,63}$'),
  act_id uuid not null,
  primary key (house_id, room),
  foreign key (house_id, act_id) references acts
);

create table projects (
  house_id uuid not null references houses,
  project text not null check (project ~ '^[a-z0-9][a-z0-9_.-]{0,63}$'),
  act_id uuid not null,
  primary key (house_id, project),
  foreign key (house_id, act_id) references acts
);

create table grants (
  house_id uuid not null references houses,
  grant_id text not null,
  principal_id text not null,
  operation text not null
    check (operation in ('read', 'start_task', 'import', 'promote', 'administer')),
  scopes text[] not null check (cardinality(scopes) > 0),
  valid_from timestamptz not null,
  valid_until timestamptz check (valid_until > valid_from),
  act_id uuid not null,
  primary key (house_id, grant_id),
  foreign key (house_id, principal_id) references principals,
  foreign key (house_id, act_id) references acts
);

create table grant_revocations (
  house_id uuid not null references houses,
  grant_id text not null,
  act_id uuid not null,
  primary key (house_id, grant_id),
  foreign key (house_id, grant_id) references grants,
  foreign key (house_id, act_id) references acts
);

create table tokens (
  house_id uuid not null references houses,
  token_id uuid not null,
  sha256 bytea not null unique check (length(sha256) = 32),
  principal_id text not null,
  operations text[] not null,
  scopes text[] not null,
  expires_at timestamptz,
  act_id uuid not null,
  primary key (house_id, token_id),
  foreign key (house_id, principal_id) references principals,
  foreign key (house_id, act_id) references acts
);

create table token_revocations (
  house_id uuid not null references houses,
  token_id uuid not null,
  act_id uuid not null,
  primary key (house_id, token_id),
  foreign key (house_id, token_id) references tokens,
  foreign key (house_id, act_id) references acts
);

-- Free text. The id is a digest of scope and body, so the same text in two scopes is two contents.
create table contents (
  house_id uuid not null references houses,
  scope text not null check (scope = 'shared' or scope ~ '^room:[a-z0-9][a-z0-9_-]{0,63}$'),
  content_id text not null check (length(content_id) = 64),
  body text not null,
  primary key (house_id, content_id)
);

create table lessons (
  house_id uuid not null references houses,
  lesson_id text not null,
  kind text not null check (kind in ('coding_lesson', 'project_lesson')),
  scope text not null check (scope = 'shared' or scope ~ '^room:[a-z0-9][a-z0-9_-]{0,63}$'),
  project text,
  act_id uuid not null,
  primary key (house_id, lesson_id),
  check (kind <> 'project_lesson' or project is not null),
  foreign key (house_id, project) references projects,
  foreign key (house_id, act_id) references acts
);

create table lesson_versions (
  house_id uuid not null references houses,
  lesson_id text not null,
  version integer not null check (version > 0),
  source_digest text not null,
  scope text not null,
  title_id text not null,
  rule_id text not null,
  trigger_context_id text,
  proof_pattern_id text,
  shape text,
  voice text,
  always_on boolean not null,
  tags text[] not null,
  stages text[] not null,
  registers text[] not null,
  languages text[] not null,
  technologies text[] not null,
  threads text[] not null,
  trigger_condition_id text,
  trigger_ast_condition_id text,
  trigger_scope text check (trigger_scope ~ '^(text|tool|tool:.{1,100})$'),
  trigger_interrupt text check (trigger_interrupt in ('block', 'remind')),
  trigger_cooldown_seconds integer check (trigger_cooldown_seconds > 0),
  source_path_id text,
  source_first_line integer check (source_first_line > 0),
  source_last_line integer check (source_last_line >= source_first_line),
  act_id uuid not null,
  primary key (house_id, lesson_id, version),
  foreign key (house_id, lesson_id) references lessons,
  foreign key (house_id, title_id) references contents,
  foreign key (house_id, rule_id) references contents,
  foreign key (house_id, trigger_context_id) references contents,
  foreign key (house_id, proof_pattern_id) references contents,
  foreign key (house_id, trigger_condition_id) references contents,
  foreign key (house_id, trigger_ast_condition_id) references contents,
  foreign key (house_id, source_path_id) references contents,
  foreign key (house_id, act_id) references acts
);

create table lesson_links (
  house_id uuid not null references houses,
  lesson_id text not null,
  version integer not null,
  kind text not null check (kind in ('negation_of', 'superseded_by')),
  other_id text not null check (other_id <> lesson_id),
  act_id uuid not null,
  primary key (house_id, lesson_id, version, kind, other_id),
  foreign key (house_id, lesson_id, version) references lesson_versions,
  foreign key (house_id, other_id) references lessons,
  foreign key (house_id, act_id) references acts
);

create table authority_records (
  house_id uuid not null references houses,
  record_id text not null,
  lesson_id text not null,
  version integer not null,
  disposition text not null check (disposition in ('promoted', 'dismissed', 'archived')),
  source_digest text not null,
  previous text,
  act_id uuid not null,
  primary key (house_id, record_id),
  unique nulls not distinct (house_id, lesson_id, version, previous),
  foreign key (house_id, lesson_id, version) references lesson_versions,
  foreign key (house_id, previous) references authority_records,
  foreign key (house_id, act_id) references acts
);

-- The version that speaks for a lesson: the last that carries authority, else the last. A version
-- that nobody has reviewed never takes the place of one that somebody stands behind.
create view current_versions with (security_invoker = true) as
select distinct on (v.house_id, v.lesson_id) v.*
from lesson_versions v
order by v.house_id, v.lesson_id,
         exists (select from authority_records a
                 where a.house_id = v.house_id and a.lesson_id = v.lesson_id
                   and a.version = v.version) desc,
         v.version desc;

-- What changed inside a scope, in order; the visible epoch of a caller is a count over it.
create table changes (
  house_id uuid not null references houses,
  change_id bigint generated always as identity,
  scope text not null,
  record text not null,
  primary key (house_id, change_id)
);
create index changes_by_scope on changes (house_id, scope);

-- A projection: the words of the current version of each lesson. store.lessons rebuilds it.
create table lesson_index (
  house_id uuid not null references houses,
  lesson_id text not null,
  version integer not null,
  scope text not null,
  words tsvector not null,
  word_count integer not null,
  primary key (house_id, lesson_id),
  foreign key (house_id, lesson_id, version) references lesson_versions
);
create index lesson_index_words on lesson_index using gin (words);

create table rulesets (
  version text primary key,
  text text not null,
  at timestamptz not null
);

create table fact_sets (
  house_id uuid not null references houses,
  digest text not null,
  scopes text[] not null check (cardinality(scopes) > 0),
  facts jsonb not null,
  primary key (house_id, digest)
);

create table derivations (
  house_id uuid not null references houses,
  digest text not null,
  scopes text[] not null check (cardinality(scopes) > 0),
  certificate jsonb not null,
  primary key (house_id, digest)
);

create table tasks (
  house_id uuid not null references houses,
  task_id text not null,
  principal_id text not null,
  scope text not null,
  worker_id text not null,
  worker_role text not null,
  phase text not null,
  project_key text not null,
  task_kind text not null,
  risk text not null check (risk in ('low', 'medium', 'high')),
  target_id text not null,
  change_id text not null,
  proof_ids text[] not null,
  intent_digest text not null,
  at timestamptz not null,
  primary key (house_id, task_id),
  foreign key (house_id, project_key) references projects,
  foreign key (house_id, principal_id) references principals,
  foreign key (house_id, target_id) references contents,
  foreign key (house_id, change_id) references contents
);

create table packets (
  house_id uuid not null references houses,
  packet_id text not null,
  task_id text not null,
  scope text not null,
  scopes text[] not null check (cardinality(scopes) > 0),
  principal_id text not null,
  intent_digest text not null,
  authorization_digest text not null,
  visible_epoch bigint not null,
  ruleset_version text not null references rulesets,
  act_id uuid not null,
  primary key (house_id, packet_id),
  unique (house_id, scope, principal_id, intent_digest, authorization_digest),
  foreign key (house_id, task_id) references tasks,
  foreign key (house_id, act_id) references acts
);

create table packet_lessons (
  house_id uuid not null references houses,
  packet_id text not null,
  place integer not null check (place between 1 and 4),
  lesson_id text not null,
  version integer not null,
  basis text not null,
  derivation text not null,
  primary key (house_id, packet_id, place),
  unique (house_id, packet_id, lesson_id),
  foreign key (house_id, packet_id) references packets,
  foreign key (house_id, lesson_id, version) references lesson_versions,
  foreign key (house_id, derivation) references derivations
);

comment on column houses.name is 'retention: content';
comment on column principals.principal_id is 'retention: key';
comment on column principals.kind is 'retention: key';
comment on column acts.principal_id is 'retention: key';
comment on column acts.operation is 'retention: key';
comment on column acts.scope is 'retention: key';
comment on column acts.basis is 'retention: key';
comment on column acts.reason is 'retention: content';
comment on column acts.permission is 'retention: proof';
comment on column rooms.room is 'retention: key';
comment on column projects.project is 'retention: key';
comment on column grants.grant_id is 'retention: key';
comment on column grants.principal_id is 'retention: key';
comment on column grants.operation is 'retention: key';
comment on column grants.scopes is 'retention: key';
comment on column grant_revocations.grant_id is 'retention: key';
comment on column tokens.principal_id is 'retention: key';
comment on column tokens.operations is 'retention: key';
comment on column tokens.scopes is 'retention: key';
comment on column contents.scope is 'retention: key';
comment on column contents.content_id is 'retention: key';
comment on column contents.body is 'retention: content';
comment on column lessons.lesson_id is 'retention: key';
comment on column lessons.kind is 'retention: key';
comment on column lessons.scope is 'retention: key';
comment on column lessons.project is 'retention: key';
comment on column lesson_versions.lesson_id is 'retention: key';
comment on column lesson_versions.source_digest is 'retention: key';
comment on column lesson_versions.scope is 'retention: key';
comment on column lesson_versions.title_id is 'retention: key';
comment on column lesson_versions.rule_id is 'retention: key';
comment on column lesson_versions.trigger_context_id is 'retention: key';
comment on column lesson_versions.proof_pattern_id is 'retention: key';
comment on column lesson_versions.shape is 'retention: key';
comment on column lesson_versions.voice is 'retention: key';
comment on column lesson_versions.tags is 'retention: key';
comment on column lesson_versions.stages is 'retention: key';
comment on column lesson_versions.registers is 'retention: key';
comment on column lesson_versions.languages is 'retention: key';
comment on column lesson_versions.technologies is 'retention: key';
comment on column lesson_versions.threads is 'retention: key';
comment on column lesson_versions.trigger_condition_id is 'retention: key';
comment on column lesson_versions.trigger_ast_condition_id is 'retention: key';
comment on column lesson_versions.trigger_scope is 'retention: key';
comment on column lesson_versions.trigger_interrupt is 'retention: key';
comment on column lesson_versions.source_path_id is 'retention: key';
comment on column lesson_links.lesson_id is 'retention: key';
comment on column lesson_links.kind is 'retention: key';
comment on column lesson_links.other_id is 'retention: key';
comment on column authority_records.record_id is 'retention: key';
comment on column authority_records.lesson_id is 'retention: key';
comment on column authority_records.disposition is 'retention: key';
comment on column authority_records.source_digest is 'retention: key';
comment on column authority_records.previous is 'retention: key';
comment on column changes.scope is 'retention: key';
comment on column changes.record is 'retention: key';
comment on column lesson_index.lesson_id is 'retention: key';
comment on column lesson_index.scope is 'retention: key';
comment on column lesson_index.words is 'retention: content';
comment on column rulesets.version is 'retention: key';
comment on column rulesets.text is 'retention: rules';
comment on column fact_sets.digest is 'retention: key';
comment on column fact_sets.scopes is 'retention: key';
comment on column fact_sets.facts is 'retention: proof';
comment on column derivations.digest is 'retention: key';
comment on column derivations.scopes is 'retention: key';
comment on column derivations.certificate is 'retention: proof';
comment on column tasks.task_id is 'retention: key';
comment on column tasks.principal_id is 'retention: key';
comment on column tasks.scope is 'retention: key';
comment on column tasks.worker_id is 'retention: content';
comment on column tasks.worker_role is 'retention: content';
comment on column tasks.phase is 'retention: content';
comment on column tasks.project_key is 'retention: key';
comment on column tasks.task_kind is 'retention: content';
comment on column tasks.risk is 'retention: key';
comment on column tasks.target_id is 'retention: key';
comment on column tasks.change_id is 'retention: key';
comment on column tasks.proof_ids is 'retention: key';
comment on column tasks.intent_digest is 'retention: key';
comment on column packets.packet_id is 'retention: key';
comment on column packets.task_id is 'retention: key';
comment on column packets.scope is 'retention: key';
comment on column packets.scopes is 'retention: key';
comment on column packets.principal_id is 'retention: key';
comment on column packets.intent_digest is 'retention: key';
comment on column packets.authorization_digest is 'retention: key';
comment on column packets.ruleset_version is 'retention: key';
comment on column packet_lessons.packet_id is 'retention: key';
comment on column packet_lessons.lesson_id is 'retention: key';
comment on column packet_lessons.basis is 'retention: key';
comment on column packet_lessons.derivation is 'retention: key';

create trigger append_only before update or delete or truncate on houses
  for each statement execute function refuse_change();
create trigger append_only before update or delete or truncate on principals
  for each statement execute function refuse_change();
create trigger append_only before update or delete or truncate on acts
  for each statement execute function refuse_change();
create trigger append_only before update or delete or truncate on rooms
  for each statement execute function refuse_change();
create trigger append_only before update or delete or truncate on projects
  for each statement execute function refuse_change();
create trigger append_only before update or delete or truncate on grants
  for each statement execute function refuse_change();
create trigger append_only before update or delete or truncate on grant_revocations
  for each statement execute function refuse_change();
create trigger append_only before update or delete or truncate on tokens
  for each statement execute function refuse_change();
create trigger append_only before update or delete or truncate on token_revocations
  for each statement execute function refuse_change();
create trigger append_only before update or delete or truncate on contents
  for each statement execute function refuse_change();
create trigger append_only before update or delete or truncate on lessons
  for each statement execute function refuse_change();
create trigger append_only before update or delete or truncate on lesson_versions
  for each statement execute function refuse_change();
create trigger append_only before update or delete or truncate on lesson_links
  for each statement execute function refuse_change();
create trigger append_only before update or delete or truncate on authority_records
  for each statement execute function refuse_change();
create trigger append_only before update or delete or truncate on changes
  for each statement execute function refuse_change();
create trigger append_only before update or delete or truncate on rulesets
  for each statement execute function refuse_change();
create trigger append_only before update or delete or truncate on fact_sets
  for each statement execute function refuse_change();
create trigger append_only before update or delete or truncate on derivations
  for each statement execute function refuse_change();
create trigger append_only before update or delete or truncate on tasks
  for each statement execute function refuse_change();
create trigger append_only before update or delete or truncate on packets
  for each statement execute function refuse_change();
create trigger append_only before update or delete or truncate on packet_lessons
  for each statement execute function refuse_change();
