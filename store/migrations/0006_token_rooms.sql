-- A token carries what it was made for, and every room that was made with it: otherwise nobody could
-- administer a new room, since no token could carry it.
create table token_rooms (
  house_id uuid not null references houses,
  token_id uuid not null,
  room text not null,
  act_id uuid not null,
  primary key (house_id, token_id, room),
  foreign key (house_id, token_id) references tokens,
  foreign key (house_id, room) references rooms,
  foreign key (house_id, act_id) references acts
);
comment on column token_rooms.room is 'retention: key';
create trigger append_only before update or delete or truncate on token_rooms
  for each statement execute function refuse_change();
grant select, insert on token_rooms to athanor_app;
alter table token_rooms enable row level security;
create policy inside on token_rooms to athanor_app
  using (house_id = (select current_house()))
  with check (house_id = (select current_house()));

create view carried_tokens with (security_invoker = true) as
select t.house_id, t.token_id, t.principal_id, t.operations,
       t.scopes || array(select 'room:' || r.room from token_rooms r
                         where r.house_id = t.house_id and r.token_id = t.token_id
                         order by r.room) as scopes,
       t.expires_at,
       exists (select from token_revocations r
               where r.house_id = t.house_id and r.token_id = t.token_id) as revoked
from tokens t;
grant select on carried_tokens to athanor_app;

create or replace function token_by_hash(hash bytea)
returns table (house_id uuid, token_id uuid, principal_id text, operations text[],
               scopes text[], expires_at timestamptz, revoked boolean)
language sql stable security definer set search_path = public, pg_temp
begin atomic
  select c.house_id, c.token_id, c.principal_id, c.operations, c.scopes, c.expires_at,
         c.revoked
         or exists (select from principal_revocations r
                    where r.house_id = c.house_id and r.principal_id = c.principal_id)
  from tokens t join carried_tokens c using (house_id, token_id)
  where t.sha256 = hash;
end;
