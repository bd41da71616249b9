-- name: keep_ruleset
insert into rulesets (version, text, at) values (%(version)s, %(text)s, %(at)s)
on conflict do nothing

-- name: ruleset
select version, text from rulesets where version = %(version)s order by version

-- name: keep_facts
insert into fact_sets (house_id, digest, scopes, facts)
values (%(house)s, %(digest)s, %(scopes)s, %(facts)s::jsonb)
on conflict do nothing

-- name: has_facts
select digest from fact_sets
where house_id = %(house)s and digest = %(digest)s and scopes = %(scopes)s order by digest

-- name: facts
select digest, scopes, facts from fact_sets
where house_id = %(house)s and digest = %(digest)s order by digest

-- name: keep_derivation
insert into derivations (house_id, digest, scopes, certificate)
values (%(house)s, %(digest)s, %(scopes)s, %(certificate)s)
on conflict do nothing

-- name: derivation
select digest, scopes, certificate from derivations
where house_id = %(house)s and digest = %(digest)s order by digest
