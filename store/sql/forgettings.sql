-- name: forget_lesson
select forget_lesson(%(lesson)s, %(act)s)

-- name: forget_task
select forget_task(%(task)s, %(act)s)

-- name: among
select subject from forgettings
where house_id = %(house)s and subject = any (%(ids)s)
order by subject
