-- name: add
insert into projects (house_id, project, act_id) values (%(house)s, %(project)s, %(act)s)
on conflict do nothing

-- name: open
insert into project_scopes (house_id, project, scope, act_id)
values (%(house)s, %(project)s, %(scope)s, %(act)s)

-- name: retire
insert into project_retirements (house_id, project, scope, act_id)
values (%(house)s, %(project)s, %(scope)s, %(act)s)

-- name: usable
select s.project, s.scope, false as retired
from project_scopes s
where s.house_id = %(house)s and s.scope = any (%(scopes)s)
  and not exists (select from project_retirements r
                  where r.house_id = s.house_id and r.project = s.project and r.scope = s.scope)
order by s.project, s.scope

-- name: project
select s.project, s.scope, r.project is not null as retired
from project_scopes s left join project_retirements r using (house_id, project, scope)
where s.house_id = %(house)s and s.project = %(project)s and s.scope = %(scope)s
order by s.project, s.scope

-- name: page
select s.project, s.scope, r.project is not null as retired
from project_scopes s left join project_retirements r using (house_id, project, scope)
where s.house_id = %(house)s and (s.project, s.scope) > (%(project)s, %(scope)s)
order by s.project, s.scope
limit %(limit)s
