"""Starting a task: one packet for one intent, and which lessons stand in it."""

import asyncio
from typing import Any

import httpx
import pytest
from houses import Estate, Holding, Json, demo, lesson, pack, start, start_of_demo

from store import facts

pytestmark = pytest.mark.anyio
TASKS = {task["name"]: task for task in demo("tasks.json")}
STATE = {"stages": ["build"], "languages": ["python"], "technologies": ["postgresql"]}
CHANGED: Json = {
    "worker_id": "worker-2",
    "worker_role": "reviewer",
    "phase": "review",
    "project_key": "quaygauge",
    "task_kind": "bugfix",
    "risk": "medium",
    "target": "the sluice gate",
    "change": "Rinse the brass valve after the tide turns.",
    "proof_contract": ["the brass stays bright", "nobody slips"],
}


async def send(client: httpx.AsyncClient, body: Json) -> httpx.Response:
    answer = await client.post("/v1/tasks/start", json=body)
    assert answer.status_code == 200, answer.text
    return answer


async def fill(client: httpx.AsyncClient, *rows: Json) -> None:
    answer = await client.post("/v1/lessons/import", json=pack(rows))
    assert answer.status_code == 200, answer.text


def titles(packet: Json) -> list[str]:
    return [row["title"] for row in packet["lessons"]]


@pytest.mark.parametrize("name", TASKS)
async def test_a_packet_holds_at_most_four_lessons_in_places_without_a_gap(
    lanternquay: Estate, name: str
) -> None:
    async with lanternquay.client() as client:
        packet = (await send(client, start_of_demo(TASKS[name]))).json()
    assert [row["place"] for row in packet["lessons"]] == [1, 2, 3, 4]
    assert len({row["id"] for row in packet["lessons"]}) == 4


@pytest.mark.parametrize("name", TASKS)
async def test_the_lessons_that_a_reader_expects_are_there_or_their_twins(
    lanternquay: Estate, name: str
) -> None:
    twins = {row["title"]: row.get("negation_of_title") for row in demo("lessons.json")["lessons"]}
    twins |= {positive: negative for negative, positive in twins.items() if positive}
    expected = TASKS[name]["expect"]
    async with lanternquay.client() as client:
        found = titles((await send(client, start_of_demo(TASKS[name]))).json())
    for title in expected["titles"]:
        assert title in found or twins[title] in found
    assert not set(expected["absent"]) & set(found)
    assert not any(twins[title] in found for title in found)


async def test_the_same_intent_gets_the_same_packet_byte_for_byte(house: Estate) -> None:
    async with house.client() as client:
        await fill(client, lesson("Rinse brass"), lesson("Polish brass"))
        first = await send(client, start())
        await fill(client, lesson("Rinse brass before the tide turns, always"))
        again = await send(client, start(state=STATE))
        later = await send(client, start(phase="review"))
        read = await client.get(f"/v1/packets/{first.json()['packet_id']}")
    assert again.content == first.content == read.content
    assert len(later.json()["lessons"]) == 3
    assert later.json()["visible_epoch"] > first.json()["visible_epoch"]


async def test_each_field_of_the_intent_alone_gets_another_packet(house: Estate) -> None:
    async with house.client() as client:
        await fill(client, lesson("Rinse brass"))
        packets = [(await send(client, start())).json()]
        for field, value in CHANGED.items():
            packets.append((await send(client, start(**{field: value}))).json())
    for key in ("intent_digest", "packet_id", "task_id"):
        assert len({packet[key] for packet in packets}) == len(CHANGED) + 1


async def test_eight_starts_of_one_intent_at_once_get_one_packet(house: Estate) -> None:
    async with house.client() as client:
        await fill(client, lesson("Rinse brass"), lesson("Polish brass"))
        answers = await asyncio.gather(*(send(client, start()) for _ in range(8)))
    assert len({answer.content for answer in answers}) == 1
    dumped = house.dump()
    assert [len(dumped[table]) for table in ("packets", "tasks", "packet_lessons")] == [1, 1, 2]
    assert len(answers[0].json()["lessons"]) == 2


async def test_a_house_without_lessons_answers_with_an_empty_packet(house: Estate) -> None:
    async with house.client() as client:
        packet = (await send(client, start())).json()
    assert (packet["lessons"], packet["visible_epoch"], packet["room"]) == ([], 0, "forge")


KEPT_OUT: dict[str, Json] = {
    "unreviewed": {"review": "unreviewed"},
    "dismissed": {"review": "dismissed"},
    "archived": {"review": "archived"},
    "of another project": {"kind": "project_lesson", "project": "quaygauge"},
    "of another room": {"scope": "library"},
    "of another stage": {"stages": ["ship"]},
    "of another language": {"languages": ["rust"]},
    "of another technology": {"technologies": ["redis"]},
    "of another register": {"registers": ["operations"]},
    "superseded": {"superseded_by_title": "Brass"},
    "about other things": {"title": "Anchors", "lesson": "Drop anchors slowly."},
    "held by one word of the task": {"title": "Anchors", "lesson": "Tide."},
}
LET_IN: dict[str, Json] = {
    "of the project": {"kind": "project_lesson", "project": "sluicebook"},
    "of another project in origin only": {"project": "quaygauge"},
    "of the room": {"scope": "forge"},
    "of one of its stages": {"stages": ["ship", "build"]},
    "of one of its languages": {"languages": ["rust", "python"]},
    "superseded by a lesson that nobody promoted": {"superseded_by_title": "Draft"},
}


@pytest.mark.parametrize("name", KEPT_OUT)
async def test_a_lesson_is_kept_out_that_is(house: Estate, name: str) -> None:
    row = lesson("Rinse the brass") | KEPT_OUT[name]
    async with house.client() as client:
        await fill(client, row, lesson("Brass"))
        packet = (await send(client, start(state=STATE))).json()
    assert titles(packet) == ["Brass"]


@pytest.mark.parametrize("name", LET_IN)
async def test_a_lesson_is_let_in_that_is(house: Estate, name: str) -> None:
    row = lesson("Rinse the brass") | LET_IN[name]
    async with house.client() as client:
        await fill(client, row, lesson("Draft", "Anchors.", review="unreviewed"))
        packet = (await send(client, start(state=STATE))).json()
    assert titles(packet) == ["Rinse the brass"]


@pytest.mark.parametrize("field", ["stages", "languages", "technologies", "registers"])
async def test_an_unknown_state_never_matches_a_list_that_names_something(
    house: Estate, field: str
) -> None:
    async with house.client() as client:
        await fill(client, lesson("Rinse the brass") | {field: ["build"]})
        assert titles((await send(client, start())).json()) == []
        known = start(phase="other", state={field: ["build"]})
        assert titles((await send(client, known)).json()) == ["Rinse the brass"]


async def test_a_lesson_and_its_opposite_never_share_a_packet(house: Estate) -> None:
    rows = [lesson("Rinse the brass", "Rinse the brass before the tide turns, brass first.")]
    rows += [lesson(f"Let brass be {n}", negation_of_title="Rinse the brass") for n in range(3)]
    async with house.client() as client:
        await fill(client, *rows)
        found = titles((await send(client, start())).json())
    assert found == ["Rinse the brass"] or set(found) == {f"Let brass be {n}" for n in range(3)}


@pytest.mark.parametrize("link", ["negation_of_title", "superseded_by_title"])
async def test_a_link_holds_for_the_version_that_names_it_and_no_longer(
    house: Estate, link: str
) -> None:
    rows = [lesson("Rinse the brass"), lesson("Brass", **{link: "Rinse the brass"})]
    async with house.client() as client:
        await fill(client, *rows)
        assert len(titles((await send(client, start())).json())) == 1
        await fill(client, rows[0], lesson("Brass"))
        later = await send(client, start(phase="later"))
    assert sorted(titles(later.json())) == ["Brass", "Rinse the brass"]


@pytest.mark.parametrize(("matches", "places"), [(0, 1), (1, 2), (3, 4), (4, 4), (6, 4)])
async def test_what_is_always_on_fills_one_place_at_most_and_the_last(
    house: Estate, matches: int, places: int
) -> None:
    rows = [lesson(f"Brass {n}", f"Rinse brass in the tide {n}.") for n in range(matches)]
    rows += [lesson(f"Always {n}", f"Sleep well {n}.", always_on=True) for n in range(3)]
    async with house.client() as client:
        await fill(client, *rows)
        packet = (await send(client, start())).json()
    bases = ["match"] * min(matches, 4) + ["always_on"] * (places - min(matches, 4))
    assert [row["basis"] for row in packet["lessons"]] == bases


async def test_what_is_always_on_and_matches_competes_as_a_match(house: Estate) -> None:
    async with house.client() as client:
        await fill(client, lesson("Brass", always_on=True), lesson("Rinse the brass valve, brass"))
        packet = (await send(client, start())).json()
    assert [row["basis"] for row in packet["lessons"]] == ["match", "match"]


@pytest.mark.parametrize(
    "limits", [{"always_on": True, "stages": ["ship"]}, {"review": "archived"}]
)
async def test_what_is_always_on_is_still_held_to_its_limits(house: Estate, limits: Json) -> None:
    async with house.client() as client:
        await fill(client, lesson("Sleep", "Sleep well.", always_on=True) | limits)
        assert titles((await send(client, start(state=STATE))).json()) == []


async def test_equal_scores_are_settled_by_an_order_made_of_ids(house: Estate) -> None:
    async with house.client() as client:
        await fill(client, *(lesson(f"Brass n{n} tide") for n in range(6)))
        packet = (await send(client, start())).json()
    places = [row["id"] for row in packet["lessons"]]
    async with house.inside("shared") as connection:
        given = await facts.base(connection, house.house_id)
    order = {str(f.values[0]): f.values[1] for f in given if f.relation == "lesson_order"}
    assert len(order) == len({*order.values()}) == 6
    assert places == sorted(order, key=lambda key: order[key])[:4]


async def refused(client: httpx.AsyncClient, **changes: Any) -> tuple[int, Json]:
    answer = await client.post("/v1/tasks/start", json=start(**changes))
    return answer.status_code, answer.json()


async def test_a_start_that_cannot_be_is_refused_by_name_and_leaves_nothing(house: Estate) -> None:
    one_room = await house.admit(Holding("one"))
    before = house.dump()
    async with house.client() as client, house.client(one_room) as narrow:
        status, told = await refused(client, project_key="attic")
        assert (status, told["location"]) == (400, "project_key")
        assert told["detail"] == "project `attic` is not registered"
        status, told = await refused(client, room=None)
        assert (status, told["code"], told["location"]) == (400, "room_not_named", "room")
        assert await refused(client, room="cellar") == await refused(narrow, room="library")
        assert (await refused(narrow, room="library"))[0] == 403
    assert house.dump()["packets"] == before["packets"]


async def test_the_only_room_of_a_token_need_not_be_named(house: Estate) -> None:
    secret = await house.admit(Holding("one"))
    async with house.client(secret) as client:
        unnamed = await send(client, start(room=None))
        named = await send(client, start(room="forge"))
    assert unnamed.content == named.content
