-- name: words
select lexeme as word from unnest(to_tsvector('english', %(text)s))
except
select lexeme from unnest(to_tsvector('english', %(plain)s))
order by word

-- name: corpus
-- numeric, whose logarithm PostgreSQL computes itself, so that every machine finds the same weight
select count(*) as lessons, coalesce(sum(word_count), 0)::bigint as words,
       round(1000 * ln(1 + (greatest(count(*), 1) - 0.5) / 1.5))::integer as unique_weight
from lesson_index
where house_id = %(house)s and scope = any ((select current_scopes())::text[])

-- name: scores
with hits as materialized (
  select lesson_id, word, word_count from lesson_hits(%(house)s, %(words)s)
),
weights as (
  select word,
         round(1000 * ln(1 + (%(lessons)s - count(*) + 0.5) / (count(*) + 0.5)))::integer as weight
  from hits group by word
)
select h.lesson_id,
       sum(w.weight) * 22 * %(corpus_words)s::bigint
         / (13 * %(corpus_words)s::bigint + 9 * %(lessons)s::bigint * h.word_count) as score,
       count(*) as words,
       sum(w.weight) as weight
from hits h join weights w using (word)
group by h.lesson_id, h.word_count
order by h.lesson_id
