-- Which visible lessons hold which words. A function, because row-level security keeps the index of
-- words from being used: `@@` is not leakproof, so PostgreSQL first reads every row to ask whether
-- it may be seen. The function looks words up as owner and then applies the same policy itself, with
-- the same two settings; it tells no more than `lesson_index` tells the application. `word` is the
-- position of a word in `wanted`.
create function lesson_hits(house uuid, wanted text[])
returns table (lesson_id text, word integer, word_count integer)
language sql stable security definer
set search_path = public, pg_temp
set enable_seqscan = off  -- a fresh database has no statistics that would speak for the index
begin atomic
  select i.lesson_id, w.word::integer, i.word_count
  from unnest(wanted) with ordinality as w (lexeme, word)
  join lesson_index i
    on i.words @@ ('''' || replace(replace(w.lexeme, '\', '\\'), '''', '''''') || '''')::tsquery
  -- compared as texts, so that the key of the table cannot take the place of the index of words
  where i.house_id::text = (select house::text where house = current_house())
    and i.scope = any ((select current_scopes())::text[]);
end;
revoke all on function lesson_hits(uuid, text[]) from public;
grant execute on function lesson_hits(uuid, text[]) to athanor_app;
