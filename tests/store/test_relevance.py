"""The measures of words: whole numbers, counted over visible lessons, looked up in the index."""

from math import log

import psycopg
import pytest
from houses import FORGE, HOUSE_ID, LIBRARY, SHARED, Estate, lesson, pack

from store.relevance import PLAIN_WORDS, Measures, Relevance, relevance_facts, score_words

pytestmark = pytest.mark.anyio
ROWS = [
    lesson("Rinse brass", "Rinse the brass valve before the tide."),
    lesson("Polish brass", "Polish brass where it was rinsed, long after the tide has turned."),
    lesson("Oil the valve", "Oil each valve of the sluice.", scope="library"),
    lesson("Ropes", "Coil ropes."),
]
TASK = "Rinse the brass valve, then look at what the tide did with it."
TELLING = ("brass", "rins", "tide", "valv")


async def measures(house: Estate, text: str, *scopes: str) -> Measures:
    async with house.inside(*scopes) as connection:
        return await score_words(connection, HOUSE_ID, text)


async def filled(house: Estate) -> None:
    async with house.client() as client:
        answer = await client.post("/v1/lessons/import", json=pack(ROWS))
        assert answer.status_code == 200, answer.text


async def test_weight_and_score_are_those_of_the_formula(house: Estate) -> None:
    await filled(house)
    found = await measures(house, TASK, FORGE, LIBRARY, SHARED)
    async with house.inside(FORGE, LIBRARY, SHARED) as connection:
        statement = "select lesson_id, tsvector_to_array(words), word_count from lesson_index"
        rows = await (await connection.execute(statement)).fetchall()
    holders = {word: sum(word in words for _, words, _ in rows) for word in TELLING}
    weights = {word: weight_of(len(rows), n) for word, n in holders.items()}
    total = sum(length for _, _, length in rows)
    expected: list[Relevance] = []
    for lesson_id, words, length in sorted(rows):
        shared = [weights[word] for word in TELLING if word in words]
        score = sum(shared) * 22 * total // (13 * total + 9 * len(rows) * length)
        if shared:
            expected.append(Relevance(lesson_id, score, len(shared), sum(shared)))
    assert len(expected) == 3
    assert found == Measures(len(TELLING), weight_of(len(rows), 1), expected)


def weight_of(lessons: int, holders: int) -> int:
    """The weight of Okapi BM25 in thousandths."""
    return round(1000 * log(1 + (lessons - holders + 0.5) / (holders + 0.5)))


async def test_plain_words_tell_nothing(house: Estate) -> None:
    async with house.client() as client:
        rows = [lesson("Plain", PLAIN_WORDS.replace("\n", " ")[:500])]
        await client.post("/v1/lessons/import", json=pack(rows))
    assert len(set(PLAIN_WORDS.split())) == 220
    assert await measures(house, PLAIN_WORDS, SHARED) == Measures(0, 288, [])


async def test_a_house_without_lessons_and_a_task_without_words_are_measured(house: Estate) -> None:
    assert await measures(house, "brass", SHARED) == Measures(1, 288, [])
    assert await measures(house, "", SHARED) == Measures(0, 288, [])
    facts = relevance_facts(Measures(0, 288, []), "task")
    assert [(f.relation, f.values) for f in facts] == [
        ("task_words", (0,)),
        ("unique_word", (288,)),
    ]


@pytest.mark.parametrize(
    "text",
    ["it's \\ 'brass' & | ! ( ) : * <-> \\\\ ''", "a/b\\c d'e 'f'", "\u00fc\u00df \u20ac"],
)
async def test_signs_of_the_query_language_are_signs(house: Estate, text: str) -> None:
    async with house.client() as client:
        await client.post("/v1/lessons/import", json=pack([lesson("Signs", text)]))
    (found,) = (await measures(house, text, SHARED)).lessons
    assert found.words >= 1


async def test_lessons_that_are_hidden_change_no_measure(house: Estate) -> None:
    await filled(house)
    before = await measures(house, TASK, SHARED)
    async with house.client() as client:
        rows = [lesson(f"Hidden {n}", "Rinse brass valves.", scope="forge") for n in range(9)]
        await client.post("/v1/lessons/import", json=pack(rows, "hidden"))
    assert await measures(house, TASK, SHARED) == before
    assert await measures(house, TASK, SHARED, FORGE) != before
    assert (await measures(house, TASK)).lessons == []


async def test_the_index_of_words_finds_what_the_table_holds(house: Estate) -> None:
    """The function looks past row-level security, and tells just what that lets through."""
    await filled(house)
    through_table = (
        "select lesson_id, word from lesson_index cross join unnest(%(words)s::text[])"
        " with ordinality as w (lexeme, word)"
        " where lexeme = any (tsvector_to_array(words)) order by 1, 2"
    )
    through_index = (
        "select lesson_id, word from lesson_hits(%(house)s, %(words)s::text[]) order by 1, 2"
    )
    for scopes in ((), (SHARED,), (LIBRARY,), (FORGE, LIBRARY, SHARED)):
        async with house.inside(*scopes) as connection:
            parameters = {"house": HOUSE_ID, "words": ["brass", "sluic", "rope", "none"]}
            table = await (await connection.execute(through_table, parameters)).fetchall()
            index = await (await connection.execute(through_index, parameters)).fetchall()
        assert index == table
        assert bool(table) == bool(scopes)


async def test_words_are_looked_up_in_their_index_and_not_row_by_row(house: Estate) -> None:
    await filled(house)
    with psycopg.connect(house.owner) as connection:
        body = connection.execute(
            "select pg_get_function_sqlbody('lesson_hits(uuid, text[])'::regprocedure)"
        ).fetchone()
        assert body is not None
        text = str(body[0]).removeprefix("BEGIN ATOMIC").removesuffix("END").strip().rstrip(";")
        for name, value in (
            ("lesson_hits.wanted", "array['brass', 'rope']"),
            ("lesson_hits.house", f"'{HOUSE_ID}'::uuid"),
        ):
            text = text.replace(name, value)
        connection.execute("set local enable_seqscan = off")
        connection.execute(
            "select set_config('athanor.house', %s, true), set_config('athanor.scopes', %s, true)",
            (str(HOUSE_ID), SHARED),
        )
        plan = connection.execute(f"explain (analyze, costs off) {text}".encode()).fetchall()
    told = "\n".join(str(row[0]) for row in plan)
    assert "Bitmap Index Scan on lesson_index_words" in told
    assert "Seq Scan" not in told
    assert "Removed" not in told, "a row of a hidden scope was read"
