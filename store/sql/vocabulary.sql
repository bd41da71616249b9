-- name: add
insert into vocabulary (house_id, principal_id, kind, value, act_id)
values (%(house)s, %(principal)s, %(kind)s, %(value)s, %(act)s)
on conflict do nothing

-- name: of_principal
select principal_id, kind, value from vocabulary
where house_id = %(house)s and principal_id = %(principal)s
order by kind, value

-- name: page
select principal_id, kind, value from vocabulary
where house_id = %(house)s
  and (principal_id, kind, value) > (%(after_principal)s, %(after_kind)s, %(after_value)s)
  and (%(all)s or principal_id = %(principal)s)
order by principal_id, kind, value
limit %(limit)s
