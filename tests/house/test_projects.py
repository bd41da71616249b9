"""Projects: opened and retired by scope, and named by tasks and lessons only while open."""

import pytest
from changes import done, everything, refused
from houses import FORGE, LIBRARY, SHARED, Estate, Holding, Json, lesson, pack, start

pytestmark = pytest.mark.anyio
WARDEN = Holding("warden", operations=("read", "administer", "start_task"), scopes=(FORGE,))


async def test_a_project_is_named_by_tasks_of_its_scope_and_of_no_other(house: Estate) -> None:
    async with house.client() as operator:
        body = start(project_key="tidemill")
        assert (await operator.post("/v1/tasks/start", json=body)).status_code == 400
        await done(operator, "/v1/projects", {"project": "tidemill", "scope": FORGE})
        assert (await operator.post("/v1/tasks/start", json=body)).status_code == 200
        elsewhere = await operator.post("/v1/tasks/start", json=body | {"room": "library"})
        assert (elsewhere.status_code, elsewhere.json()["code"]) == (400, "unknown_project")


async def test_a_shared_project_is_named_in_every_room(house: Estate) -> None:
    async with house.client() as operator:
        await done(operator, "/v1/projects", {"project": "tidemill"})
        for room in ("forge", "library"):
            body = start(project_key="tidemill", room=room)
            assert (await operator.post("/v1/tasks/start", json=body)).status_code == 200


async def test_a_retired_project_is_named_by_nothing_new(house: Estate) -> None:
    rows = pack([lesson("Brass", project="tidemill", scope="forge")])
    async with house.client() as operator:
        await done(operator, "/v1/projects", {"project": "tidemill", "scope": FORGE})
        gone = await done(operator, "/v1/projects/tidemill/retire", {"scope": FORGE})
        assert gone == {"project": "tidemill", "scope": FORGE, "retired": True, "unchanged": False}
        task = await operator.post("/v1/tasks/start", json=start(project_key="tidemill"))
        assert task.json()["code"] == "unknown_project"
        assert (await operator.post("/v1/lessons/import", json=rows)).status_code == 422
        again = {"project": "tidemill", "scope": FORGE}
        assert await refused(operator, "/v1/projects", again) == (
            409,
            "project_retired",
            "project",
        )
        await done(operator, "/v1/projects", again | {"scope": LIBRARY})


async def test_a_list_shows_the_projects_of_the_readable_scopes(house: Estate) -> None:
    async with house.client() as operator, house.client(await house.admit(WARDEN)) as warden:
        for scope in (FORGE, LIBRARY):
            await done(operator, "/v1/projects", {"project": "tidemill", "scope": scope})
        await done(operator, "/v1/projects/tidemill/retire", {"scope": FORGE})
        shown = await everything(warden, "/v1/projects")
    assert [(p["project"], p["scope"]) for p in shown] == [
        ("bargepost", SHARED),
        ("quaygauge", SHARED),
        ("sluicebook", SHARED),
        ("tidemill", FORGE),
    ]
    assert [p["project"] for p in shown if p["retired"]] == ["tidemill"]


async def test_only_who_administers_the_scope_opens_and_retires(house: Estate) -> None:
    async with house.client(await house.admit(WARDEN)) as warden:
        before = house.dump()
        for scope in (LIBRARY, SHARED, "room:cellar"):
            body = {"project": "tidemill", "scope": scope}
            assert await refused(warden, "/v1/projects", body) == (403, "denied", None)
            for key in ("sluicebook", "nothing"):
                path = f"/v1/projects/{key}/retire"
                assert await refused(warden, path, {"scope": scope}) == (403, "denied", None)
        assert house.dump() == before
        await done(warden, "/v1/projects", {"project": "tidemill", "scope": FORGE})


@pytest.mark.parametrize("key", ["nothing", "a%00b", "%ff", "sluicebook"])
async def test_a_project_that_the_scope_does_not_know_cannot_be_retired(
    lanternquay: Estate, key: str
) -> None:
    body = {"scope": "room:workshop" if key == "sluicebook" else SHARED}
    async with lanternquay.client() as operator:
        rooms = await everything(operator, "/v1/rooms")
        body["scope"] = f"room:{rooms[0]['room']}"
        assert await refused(operator, f"/v1/projects/{key}/retire", body) == (
            404,
            "not_found",
            None,
        )


WRONG: dict[str, tuple[Json, str]] = {
    "no key": ({}, "project"),
    "a key in capitals": ({"project": "Tidemill"}, "project"),
    "a scope that is a room's key": ({"project": "tidemill", "scope": "forge"}, "scope"),
    "a scope with NUL": ({"project": "tidemill", "scope": "room:a\0"}, "scope"),
    "no scope": ({"project": "tidemill", "scope": None}, "scope"),
}


@pytest.mark.parametrize("name", WRONG)
async def test_a_project_is_refused_with_the_field_named(lanternquay: Estate, name: str) -> None:
    body, field = WRONG[name]
    async with lanternquay.client() as operator:
        assert await refused(operator, "/v1/projects", body) == (400, "invalid", field)
