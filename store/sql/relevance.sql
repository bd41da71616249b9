-- name: scores
with terms as (
  select lexeme from unnest(to_tsvector('english', %(text)s))
),
corpus as (
  select count(*)::float8 as lessons, greatest(avg(word_count), 1)::float8 as usual
  from lesson_index where house_id = %(house)s
),
hits as (
  select i.lesson_id, u.lexeme, cardinality(u.positions)::float8 as often,
         i.word_count::float8 as length
  from lesson_index i
  cross join lateral unnest(i.words) u
  join terms t on t.lexeme = u.lexeme
  where i.house_id = %(house)s
),
spread as (
  select lexeme, count(*)::float8 as holders from hits group by lexeme
)
-- each word is rounded by itself, so that the sum does not depend on the order of addition
select h.lesson_id,
       sum(round(1000 * ln(1 + (c.lessons - s.holders + 0.5) / (s.holders + 0.5))
                 * h.often * 2.2 / (h.often + 1.2 * (0.25 + 0.75 * h.length / c.usual))))::bigint
         as score,
       count(*) as words
from hits h join spread s using (lexeme) cross join corpus c
group by h.lesson_id
order by h.lesson_id
