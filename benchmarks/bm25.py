"""The baseline of `packet_quality`: the four lessons of the best Okapi BM25, and nothing else.

Every word that is no stop word counts, how often a lesson says it counts too, nothing is cut off;
k1 = 1.2, b = 0.75. A lesson and its opposite may both be among the four.
"""

from uuid import UUID

from store import Connection

_BEST_FOUR = """
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
),
scores as (
  select h.lesson_id,
         sum(round(1000 * ln(1 + (c.lessons - s.holders + 0.5) / (s.holders + 0.5))
                   * h.often * 2.2 / (h.often + 1.2 * (0.25 + 0.75 * h.length / c.usual)))) as score
  from hits h join spread s using (lexeme) cross join corpus c
  group by h.lesson_id
)
select t.body
from scores s
join current_versions v on v.house_id = %(house)s and v.lesson_id = s.lesson_id
join contents t on t.house_id = v.house_id and t.content_id = v.title_id
order by s.score desc, s.lesson_id
limit 4
"""


async def best_four(connection: Connection, house_id: UUID, text: str) -> list[str]:
    """The titles of the four lessons, best first."""
    cursor = await connection.execute(_BEST_FOUR, {"house": house_id, "text": text})
    return [str(row[0]) for row in await cursor.fetchall()]
