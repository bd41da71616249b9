-- name: find_database
select datname from pg_database where datname = 'athanor' order by datname

-- name: create_database
create database athanor

-- name: lock
select pg_advisory_lock(%(lock)s)
