-- name: lock
select pg_advisory_xact_lock(%(lock)s)

-- name: table
create table if not exists schema_migrations (
  version integer primary key,
  name text not null,
  digest text not null,
  applied_at timestamptz not null default now()
)

-- name: applied
select version, digest from schema_migrations order by version

-- name: record
insert into schema_migrations (version, name, digest) values (%(version)s, %(name)s, %(digest)s)
