-- Which visible lessons hold which words. Each word is indexed together with its House and scope, so
-- that the words of a hidden scope are never even read and cost no time. A function, because
-- row-level security keeps the index of words from being used: `@@` is not leakproof, so PostgreSQL
-- first reads every row to ask whether it may be seen. The function looks words up as owner, for
-- the House and the scopes of the same two settings that the policy asks; it tells no more than
-- `lesson_index` tells the application. `word` is the position of a word in `wanted`.

create function scoped_word(house uuid, scope text, lexeme text) returns text
language sql immutable parallel safe set search_path = pg_catalog, pg_temp
return house::text || ' ' || scope || ' ' || lexeme;

create function scoped_words(house uuid, scope text, words tsvector) returns tsvector
language sql immutable parallel safe set search_path = public, pg_temp
begin atomic
  select array_to_tsvector(coalesce(array_agg(scoped_word(house, scope, u.lexeme)), '{}'))
  from unnest(words) u;
end;

drop index lesson_index_words;
create index lesson_index_words on lesson_index using gin (scoped_words(house_id, scope, words));
-- For the statistics, which are counted over the visible scopes.
create index lesson_index_scopes on lesson_index (house_id, scope) include (word_count);

create function lesson_hits(house uuid, wanted text[])
returns table (lesson_id text, word integer, word_count integer)
language sql stable security definer
set search_path = public, pg_temp
set enable_seqscan = off  -- a fresh database has no statistics that would speak for the index
begin atomic
  select i.lesson_id, w.word::integer, i.word_count
  from unnest(wanted) with ordinality as w (lexeme, word)
  cross join unnest(current_scopes()) as s (scope)
  join lesson_index i
    on scoped_words(i.house_id, i.scope, i.words)
       @@ ('''' || replace(replace(scoped_word(house, s.scope, w.lexeme), '\', '\\'), '''', '''''')
           || '''')::tsquery
  where house = current_house();
end;
revoke all on function lesson_hits(uuid, text[]) from public;
grant execute on function lesson_hits(uuid, text[]) to athanor_app;
