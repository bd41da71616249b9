-- name: found
insert into houses (house_id, name, founded_at) values (%(house)s, %(name)s, %(at)s)

-- name: all
select house_id, name from houses order by founded_at, house_id

-- name: add_principal
insert into principals (house_id, principal_id, kind, created_at)
values (%(house)s, %(principal)s, %(kind)s, %(at)s)

-- name: add_room
insert into rooms (house_id, room, act_id) values (%(house)s, %(room)s, %(act)s)

-- name: add_project
insert into projects (house_id, project, act_id) values (%(house)s, %(project)s, %(act)s)

-- name: rooms
select room as key from rooms where house_id = %(house)s order by room

-- name: projects
select project as key from projects where house_id = %(house)s order by project

-- name: project
select project as key from projects
where house_id = %(house)s and project = %(project)s order by project
