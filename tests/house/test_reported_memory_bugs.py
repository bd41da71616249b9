"""Kinds of bugs that users of other memories of agents reported, each tried on ours.

The rows are those of the public trackers that the names of the tests cite by number, in two groups:
contradiction, correction and supersession (mb), isolation and scope (mc).
"""

import re

import pytest
import test_reported_isolation_bugs
from houses import Estate, Json, start
from lesson_calls import (
    brass,
    bring,
    create,
    done,
    forget,
    lessons_of,
    refused,
    review,
    supersede,
    update,
)

pytestmark = pytest.mark.anyio
ROWS = {
    *(f"mb_{number}" for number in (12, 13, 14, 15, 17, 18, 20, 21, 22, 23)),
    *(f"mc_{number}" for number in (24, 26, 27, 28, 29, 31, 32, 33, 35, 36)),
}
# What such a row asks beyond what is there; the nearest kind is tried here.
NOT_YET = {
    "mb_17": "dates of sources, which decide what is older, come with candidates",
    "mb_18": "a query for conflicts that nobody resolved comes with candidates",
    "mc_28": "the queue, through which the room of an event must pass, comes with events",
}
OLD, NEW = "Rinse the brass", "Rinse brass in water"


def test_every_row_has_a_test() -> None:
    names = [*globals(), *vars(test_reported_isolation_bugs)]
    named = [re.match(r"test_(m[bc]_\d+)_", name) for name in names]
    assert {found.group(1) for found in named if found} == ROWS
    assert set(NOT_YET) <= ROWS


async def selected(house: Estate) -> list[str]:
    async with house.client() as client:
        answer = await client.post("/v1/tasks/start", json=start())
    return sorted(row["title"] for row in answer.json()["lessons"])


async def test_mb_12_a_correction_stores_the_new_or_changes_nothing(house: Estate) -> None:
    async with house.client() as client:
        items = await bring(client, brass())
        before = house.dump()
        broken = supersede(items[OLD], brass(NEW, project="attic"))
        assert (await broken.of(client)).status_code == 400
        assert house.dump() == before
        assert await selected(house) == [OLD]
        await done(client, supersede(items[OLD], brass(NEW)))
    assert await selected(house) == [NEW]


async def test_mb_13_the_same_lesson_again_leaves_every_row(house: Estate) -> None:
    async with house.client() as client:
        await bring(client, brass())
        await done(client, create(brass(NEW)))
        before = house.dump()
        await bring(client, brass())
        assert (await done(client, create(brass(NEW))))["unchanged"]
        item = (await lessons_of(client))[OLD]
        assert (await done(client, update(item, brass())))["unchanged"]
    assert house.dump() == before


async def test_mb_14_after_a_supersession_the_new_is_current_and_the_old_is_history(
    house: Estate,
) -> None:
    async with house.client() as client:
        items = await bring(client, brass())
        await done(client, supersede(items[OLD], brass(NEW)))
        old = (await client.get(f"/v1/lessons/{items[OLD]['lesson_id']}")).json()
    assert await selected(house) == [NEW]
    assert old["record"]["lesson"] == "Rinse brass at the tide."
    assert old["supersession"]["successor_id"] == old["successor_id"]


async def test_mb_15_a_supersession_retires_its_target_and_no_neighbour(house: Estate) -> None:
    rows = [brass(f"Rinse brass {n}", f"Rinse brass at the tide {n}.") for n in range(30)]
    async with house.client() as client:
        before = await bring(client, *rows)
        target = before["Rinse brass 7"]
        wrong: list[Json] = [{"baseline_version": 2}, {"successor": {}}]
        for changes in wrong:
            assert (await supersede(target, brass(NEW), **changes).of(client)).is_client_error
        other = await bring(client, brass("P", kind="project_lesson", project="sluicebook"))
        assert await refused(client, supersede(target, other["P"])) == (409, "successor_refused")
        await done(client, supersede(target, brass(NEW)))
        after = await lessons_of(client)
    changed = {title for title, item in before.items() if after[title] != item}
    assert changed == {"Rinse brass 7"}


async def test_mb_17_the_order_in_which_supersessions_arrive_does_not_matter(house: Estate) -> None:
    names = [f"Rinse brass {n}" for n in range(3)]
    async with house.client() as client:
        items = await bring(client, *(brass(name) for name in names))
        await done(client, supersede(items[names[1]], items[names[2]]))
        await done(client, supersede(items[names[0]], items[names[1]]))  # the older one later
    assert await selected(house) == [names[2]]


async def test_mb_18_of_two_that_contradict_each_other_both_are_told(house: Estate) -> None:
    async with house.client() as client:
        items = await bring(client, brass(), brass("Leave brass", negation_of_title=OLD))
        shown = (await client.get(f"/v1/lessons/{items['Leave brass']['lesson_id']}")).json()
        assert {item["disposition"] for item in items.values()} == {"promoted"}
    assert shown["versions"][0]["links"] == [
        {"kind": "negation_of", "lesson_id": items[OLD]["lesson_id"]}
    ]
    assert len(await selected(house)) == 1  # never both to one worker


async def test_mb_20_every_id_of_a_listing_serves_in_every_action(house: Estate) -> None:
    names = [f"Rinse brass {n}" for n in range(4)]
    async with house.client() as client:
        await bring(client, *(brass(name) for name in names))
        packet = (await client.post("/v1/tasks/start", json=start())).json()
        listed = {item["title"]: item for item in (await client.get("/v1/lessons")).json()["items"]}
        assert {row["id"] for row in packet["lessons"]} == {i["lesson_id"] for i in listed.values()}
        first, second, third, fourth = (listed[name] for name in names)
        assert (await client.get(f"/v1/lessons/{first['lesson_id']}")).status_code == 200
        await done(client, review(first, "archived"))
        await done(client, update(second, brass(names[1], "Other.")))
        await done(client, supersede(third, fourth))
        for row in packet["lessons"]:
            title = row["title"]
            await done(client, forget({"lesson_id": row["id"], "title": title}))
        assert (await client.get("/v1/lessons")).json()["items"] == []


async def test_mb_21_a_convention_that_changes_thrice_has_one_current_lesson(
    house: Estate,
) -> None:
    project: Json = {"kind": "project_lesson", "project": "sluicebook"}
    names = ["Rinse brass", "Rinse brass twice", "Rinse brass thrice"]
    async with house.client() as client:
        item = (await bring(client, brass(names[0], **project)))[names[0]]
        for name in names[1:]:
            await done(client, supersede(item, brass(name, **project)))
            item = (await lessons_of(client))[name]
        items = await lessons_of(client)
    assert await selected(house) == [names[-1]]
    assert [items[name]["successor_id"] is not None for name in names] == [True, True, False]


async def test_mb_22_a_refuted_lesson_reaches_no_task(house: Estate) -> None:
    async with house.client() as client:
        items = await bring(client, brass())
        correction = brass("Never rinse brass", negation_of_title=OLD)
        await done(client, supersede(items[OLD], correction))
        packet = (await client.post("/v1/tasks/start", json=start())).json()
    assert [row["title"] for row in packet["lessons"]] == ["Never rinse brass"]


async def test_mb_23_a_lesson_gives_way_to_one_of_its_own_name_and_nothing_is_stripped(
    house: Estate,
) -> None:
    full = brass(
        OLD,
        "Rinse the brass valve in water before the tide turns.",
        tags=["water"],
        shape="process",
        voice="house",
    )
    async with house.client() as client:
        items = await bring(client, brass())
        for ask in (
            supersede(items[OLD], full | {"colour": "red"}),
            supersede(items[OLD], full, colour="red"),
            update(items[OLD], full | {"colour": "red"}),
        ):
            assert await refused(client, ask) == (400, "invalid")
        told = await done(client, supersede(items[OLD], full))
        assert told["successor_id"] != told["lesson_id"]
        new = (await client.get(f"/v1/lessons/{told['successor_id']}")).json()["record"]
    assert {key: new[key] for key in full} == full
    assert await selected(house) == [OLD]
