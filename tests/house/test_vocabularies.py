"""Vocabularies: what an adapter declares holds for its tasks, and for nobody else's."""

import asyncio

import pytest
from changes import ADAPTER, done, everything, prepared, refused, sent
from houses import FORGE, LIBRARY, SHARED, Estate, Holding, Json, start

from contracts import MOST_WORDS

pytestmark = pytest.mark.anyio
SECRET = f"ath_secret-of-{ADAPTER}"


async def test_a_declared_kind_admits_its_values_and_no_other(house: Estate) -> None:
    await prepared(house)
    async with house.client(SECRET) as adapter, house.client() as operator:
        free = await adapter.post("/v1/tasks/start", json=start(phase="dreaming"))
        assert free.status_code == 200
        await done(adapter, "/v1/vocabulary", {"kind": "phase", "values": ["build"]})
        assert (await adapter.post("/v1/tasks/start", json=start())).status_code == 200
        answer = await adapter.post("/v1/tasks/start", json=start(phase="dreaming"))
        assert (answer.status_code, answer.json()["code"]) == (400, "undeclared_value")
        other = await operator.post("/v1/tasks/start", json=start(phase="dreaming"))
        assert other.status_code == 200
        await done(adapter, "/v1/vocabulary", {"kind": "phase", "values": ["dreaming"]})
        answer = await adapter.post("/v1/tasks/start", json=start(phase="dreaming"))
        assert answer.status_code == 200


async def test_values_add_up_and_are_listed_in_order(house: Estate) -> None:
    await prepared(house)
    async with house.client(SECRET) as adapter:
        first = {"kind": "event_type", "values": ["task_started", "task_completed"]}
        more = {"kind": "event_type", "values": ["task_completed", "tool_outcome"]}
        assert (await done(adapter, "/v1/vocabulary", first))["added"] == 2
        assert await done(adapter, "/v1/vocabulary", more) == {
            "kind": "event_type",
            "added": 1,
            "declared": 3,
            "unchanged": False,
        }
        shown = await everything(adapter, "/v1/vocabulary")
    assert [word["value"] for word in shown] == ["task_completed", "task_started", "tool_outcome"]
    assert {(word["principal"], word["kind"]) for word in shown} == {(ADAPTER, "event_type")}


async def test_who_administers_what_is_shared_sees_all_and_others_their_own(house: Estate) -> None:
    await prepared(house)
    words = {"kind": "stage", "values": ["build"]}
    other = await house.admit(Holding("other"))
    async with (
        house.client(SECRET) as adapter,
        house.client(other) as second,
        house.client() as operator,
    ):
        for client in (adapter, second):
            await done(client, "/v1/vocabulary", words)
            assert len(await everything(client, "/v1/vocabulary")) == 1
        assert len(await everything(operator, "/v1/vocabulary")) == 2


WRONG: dict[str, tuple[Json, str]] = {
    "an unknown kind": ({"kind": "mood", "values": ["calm"]}, "kind"),
    "no value": ({"kind": "phase", "values": []}, "values"),
    "an empty value": ({"kind": "phase", "values": [""]}, "values.0"),
    "a value with NUL": ({"kind": "phase", "values": ["a", "b\0"]}, "values.1"),
    "a value of two lines": ({"kind": "phase", "values": ["a\nb"]}, "values.0"),
    "half a character": ({"kind": "phase", "values": ["\ud800"]}, "values.0"),
    "a value that is too long": ({"kind": "phase", "values": ["a" * 201]}, "values.0"),
    "a stage that no task can name": ({"kind": "stage", "values": ["two words"]}, ""),
    "an event type that is no key": ({"kind": "event_type", "values": ["a b"]}, ""),
    "a text for values": ({"kind": "phase", "values": "build"}, "values"),
    "too many values": (
        {"kind": "phase", "values": [str(n) for n in range(MOST_WORDS + 1)]},
        "values",
    ),
    "another principal": ({"kind": "phase", "values": ["a"], "principal": "ada"}, "principal"),
}


@pytest.mark.parametrize("name", WRONG)
async def test_words_are_refused_with_the_field_named(lanternquay: Estate, name: str) -> None:
    body, field = WRONG[name]
    async with lanternquay.client() as operator:
        assert await refused(operator, "/v1/vocabulary", body) == (400, "invalid", field)


async def test_a_principal_declares_at_most_a_thousand_values_of_a_kind(house: Estate) -> None:
    await prepared(house)
    full = {"kind": "phase", "values": [f"phase {n}" for n in range(MOST_WORDS)]}
    async with house.client(SECRET) as adapter:
        assert (await done(adapter, "/v1/vocabulary", full))["declared"] == MOST_WORDS
        before = house.dump()
        more = {"kind": "phase", "values": ["phase 0", "one more"]}
        assert await refused(adapter, "/v1/vocabulary", more) == (422, "vocabulary_full", "values")
        assert house.dump() == before
        assert (await done(adapter, "/v1/vocabulary", full))["unchanged"]
        await done(adapter, "/v1/vocabulary", {"kind": "task_kind", "values": ["one more"]})


async def test_the_limit_holds_against_writers_who_come_at_once(house: Estate) -> None:
    await prepared(house)
    batches = [[f"{letter}-{n}" for n in range(400)] for letter in "abcd"]
    async with house.client(SECRET) as adapter:
        calls = (
            sent(adapter, "/v1/vocabulary", {"kind": "phase", "values": values})
            for values in batches
        )
        answers = await asyncio.gather(*calls)
        shown = await everything(adapter, "/v1/vocabulary")
    assert sorted(answer.status_code for answer in answers) == [200, 200, 422, 422]
    assert len(shown) == 800


@pytest.mark.parametrize(
    "holding",
    [
        Holding("reader", operations=("read", "administer")),
        Holding("idle", operations=(), token_operations=("start_task",)),
    ],
)
async def test_who_starts_tasks_nowhere_declares_nothing(house: Estate, holding: Holding) -> None:
    async with house.client(await house.admit(holding)) as client:
        body = {"kind": "phase", "values": ["build"]}
        assert await refused(client, "/v1/vocabulary", body) == (403, "denied", None)


async def test_the_act_lies_where_the_caller_may_start_tasks(house: Estate) -> None:
    holding = Holding("starter", operations=("start_task",), scopes=(LIBRARY, FORGE, SHARED))
    async with house.client(await house.admit(holding)) as client:
        await done(client, "/v1/vocabulary", {"kind": "phase", "values": ["build"]})
    acts = [row for row in house.dump()["acts"] if '"start_task"' in row and "vocabulary" in row]
    assert len(acts) == 1
    assert f'"scope": "{FORGE}"' in acts[0]
