"""Reading lessons: pages, choices, cursors bound to scopes and choice, one lesson with its past."""

import base64
import json
from itertools import pairwise

import httpx
import pytest
from houses import FORGE, LIBRARY, SHARED, Estate, Holding, Json
from lesson_calls import brass, bring, done, lessons_of, review, update
from lesson_packs import synthetic

from contracts import LessonRecord

pytestmark = pytest.mark.anyio


async def walked(client: httpx.AsyncClient, limit: int, **choice: str) -> list[Json]:
    """Every item of a list, page by page."""
    found: list[Json] = []
    asked: dict[str, str] = {"limit": str(limit)} | choice
    while True:
        answer = await client.get("/v1/lessons", params=asked)
        assert answer.status_code == 200, answer.text
        page = answer.json()
        assert len(page["items"]) == limit or page["next_cursor"] is None
        found += page["items"]
        if page["next_cursor"] is None:
            return found
        asked["cursor"] = page["next_cursor"]


@pytest.fixture
async def full(house: Estate) -> Estate:
    async with house.client() as client:
        answer = await client.post("/v1/lessons/import", json=synthetic(60))
        assert answer.status_code == 200
    return house


@pytest.mark.parametrize("limit", [1, 7, 20, 60, 200])
async def test_pages_of_every_size_give_every_lesson_once_in_order(
    full: Estate, limit: int
) -> None:
    async with full.client() as client:
        items = await walked(client, limit)
    ids = [item["lesson_id"] for item in items]
    assert len(ids) == 60
    assert all(one < other for one, other in pairwise(ids))


async def test_a_record_is_the_one_that_was_imported(full: Estate) -> None:
    imported = {row["title"]: row for row in synthetic(60)["lessons"]}
    async with full.client() as client:
        for title, item in (await lessons_of(client)).items():
            assert item["record"] == LessonRecord.model_validate(imported[title]).model_dump(
                mode="json"
            )


CHOICES: dict[str, dict[str, str]] = {
    "kind": {"kind": "project_lesson"},
    "scope": {"scope": FORGE},
    "disposition": {"disposition": "archived"},
    "no decision": {"disposition": "unreviewed"},
    "several": {"scope": SHARED, "disposition": "promoted", "kind": "coding_lesson"},
    "a scope that is not there": {"scope": "room:cellar"},
}


@pytest.mark.parametrize("name", CHOICES)
async def test_a_choice_shows_just_what_it_names(full: Estate, name: str) -> None:
    choice = CHOICES[name]
    async with full.client() as client:
        every = await walked(client, 200)
        chosen = await walked(client, 3, **choice)
    for item in every:
        item["disposition"] = item["disposition"] or "unreviewed"
    wanted = [i["lesson_id"] for i in every if all(i[k] == v for k, v in choice.items())]
    assert [item["lesson_id"] for item in chosen] == wanted
    assert bool(wanted) == (name != "a scope that is not there")


async def test_a_cursor_goes_on_with_its_own_list_and_scopes_alone(full: Estate) -> None:
    narrow = await full.admit(Holding("narrow", scopes=(FORGE, SHARED)))
    async with full.client() as client, full.client(narrow) as other:
        first = (await client.get("/v1/lessons", params={"limit": 2})).json()
        cursor = first["next_cursor"]
        spoiled = json.loads(base64.urlsafe_b64decode(cursor))
        wrong = [cursor[:-4], "", "zz", cursor + "A", "\u00e4"]
        for key in ([], ["a", "b"], [1], ["a\0"]):
            content = json.dumps([spoiled[0], *key]).encode()
            wrong.append(base64.urlsafe_b64encode(content).decode())
        refused = [await client.get("/v1/lessons", params={"cursor": text}) for text in wrong]
        refused.append(await other.get("/v1/lessons", params={"cursor": cursor}))
        asked = [choice | {"cursor": cursor} for choice in CHOICES.values()]
        refused += [await client.get("/v1/lessons", params=params) for params in asked]
        rest = (await client.get("/v1/lessons", params={"cursor": cursor, "limit": 200})).json()
    assert {(a.status_code, a.json()["code"]) for a in refused} == {(400, "stale_cursor")}
    assert len(rest["items"]) == 58


async def test_a_list_shows_what_its_caller_may_read_and_a_cursor_tells_nothing_else(
    full: Estate,
) -> None:
    narrow = await full.admit(Holding("narrow", scopes=(FORGE, SHARED)))
    blind = await full.admit(Holding("blind", operations=("start_task",)))
    async with full.client(narrow) as client, full.client(blind) as nobody:
        items = await walked(client, 7)
        assert (await nobody.get("/v1/lessons")).json() == {"items": [], "next_cursor": None}
        assert (await client.get("/v1/lessons", params={"scope": LIBRARY})).json()["items"] == []
        page = (await client.get("/v1/lessons", params={"limit": 3})).json()
    assert {item["scope"] for item in items} == {FORGE, SHARED}
    _, key = json.loads(base64.urlsafe_b64decode(page["next_cursor"]))
    assert key == page["items"][-1]["lesson_id"]


async def test_one_lesson_is_shown_with_its_past(house: Estate) -> None:
    clerk = await house.admit(
        Holding("clerk", operations=("import", "read"), scopes=(SHARED, FORGE))
    )
    async with house.client() as client, house.client(clerk) as other:
        await bring(client, brass(), brass("Leave it", negation_of_title="Rinse the brass"))
        item = (await lessons_of(client))["Rinse the brass"]
        await done(client, update(item, brass(rule="Twice."), reason="once was too little"))
        await bring(other, brass(rule="Thrice."), brass("Leave it"))
        shown = (await other.get(f"/v1/lessons/{item['lesson_id']}")).json()
        assert [(v["version"], v["by"]) for v in shown["versions"]] == [
            (1, "operator"),
            (2, "operator"),
            (3, "clerk"),
        ]
        assert (shown["version"], shown["waiting_version"]) == (2, 3)
        assert [v["record"]["lesson"] for v in shown["versions"]][1:] == ["Twice.", "Thrice."]
        assert [v["record"]["review"] for v in shown["versions"]] == [
            "promoted",
            "promoted",
            "unreviewed",
        ]
        (decision,) = shown["versions"][1]["dispositions"]
        assert decision["reason"] == "once was too little"
        assert decision["basis"].startswith("derivation:")
        await done(client, review(shown, "promoted", version=3, previous=None))
        opposed = (await lessons_of(client))["Leave it"]
        assert opposed["record"]["negation_of_title"] == "Rinse the brass"
    assert {k: shown[k] for k in ("lesson_id", "title", "scope", "supersession")} == {
        "lesson_id": item["lesson_id"],
        "title": "Rinse the brass",
        "scope": SHARED,
        "supersession": None,
    }


async def test_a_link_to_a_hidden_lesson_is_not_shown(house: Estate) -> None:
    rows = [brass(), brass("Polish brass", scope="library")]
    rows[0] |= {"negation_of_title": "Polish brass", "superseded_by_title": "Polish brass"}
    secret = await house.admit(Holding("narrow", scopes=(FORGE, SHARED)))
    async with house.client() as client, house.client(secret) as other:
        items = await bring(client, *rows)
        hidden = items["Polish brass"]["lesson_id"]
        path = f"/v1/lessons/{items['Rinse the brass']['lesson_id']}"
        seen, narrow = await client.get(path), await other.get(path)
        assert hidden in seen.text
        assert seen.json()["successor_id"] == hidden
        listed = await other.get("/v1/lessons")
    for answer in (narrow, listed):
        assert hidden not in answer.text
        assert "Polish" not in answer.text
    assert narrow.json()["successor_id"] is None


async def test_a_long_list_is_read_to_its_end(
    house: Estate,
) -> None:
    rows = [brass(f"Rinse brass {n}", f"Rinse brass {n} at the tide.") for n in range(2000)]
    async with house.client() as client:
        await bring(client, *rows)
        assert len(await walked(client, 200)) == 2000
