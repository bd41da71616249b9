"""What becomes of a packet: its text, its state, its delivery, and what it left out."""

import asyncio
from collections.abc import AsyncGenerator
from datetime import timedelta

import httpx
import pytest
from houses import FORGE, LIBRARY, SHARED, START, Estate, Holding, Json, lesson, pack, start

from engine import Fact, Limits, Status, check
from house import shipped

pytestmark = pytest.mark.anyio
ROWS = [
    lesson("Rinse the brass", "Rinse the brass valve before the tide turns."),
    lesson("Polish the brass", "Polish the brass valve before the tide turns.", scope="forge"),
    lesson("Leave the brass", "Leave the brass valve.", negation_of_title="Rinse the brass"),
    lesson("Of tar", "Tar the hull."),
    lesson("Draft", "Rinse the brass valve.", review="unreviewed"),
    lesson("Of Rust", "Rinse the brass valve of rust.", languages=["rust"]),
    *(lesson(f"Brass {n}", "Rinse the brass valve before the tide turns.") for n in range(6)),
]


@pytest.fixture
async def worker(house: Estate) -> AsyncGenerator[httpx.AsyncClient]:
    """A client of an adapter, in a House with lessons."""
    secret = await house.admit(Holding("worker"))
    async with house.client() as operator:
        answer = await operator.post("/v1/lessons/import", json=pack(ROWS))
        assert answer.status_code == 200, answer.text
    async with house.client(secret) as client:
        yield client


async def begin(client: httpx.AsyncClient, **changes: object) -> Json:
    answer = await client.post("/v1/tasks/start", json=start(**changes))
    assert answer.status_code == 200, answer.text
    found: Json = answer.json()
    return found


async def reasons(client: httpx.AsyncClient, packet: Json, limit: int = 200) -> list[Json]:
    """Everything that a packet left out, page by page."""
    found: list[Json] = []
    cursor: str | None = None
    while True:
        query = {"limit": limit} | ({"cursor": cursor} if cursor else {})
        answer = await client.get(f"/v1/packets/{packet['packet_id']}/left-out", params=query)
        assert answer.status_code == 200, answer.text
        assert len(answer.json()["items"]) <= limit
        found += answer.json()["items"]
        cursor = answer.json()["next_cursor"]
        if cursor is None:
            return found


async def test_every_lesson_is_in_the_packet_or_left_out_for_a_reason(
    house: Estate, worker: httpx.AsyncClient
) -> None:
    packet = await begin(worker)
    found = await reasons(worker, packet)
    inside = {row["id"] for row in packet["lessons"]}
    outside = {row["lesson_id"] for row in found}
    assert not inside & outside
    assert len(inside | outside) == len(ROWS)
    async with house.inside(SHARED, FORGE) as connection:
        titles = await (
            await connection.execute(
                "select v.lesson_id, c.body from current_versions v join contents c"
                " on c.content_id = v.title_id"
            )
        ).fetchall()
    name = dict(titles)
    told = {name[row["lesson_id"]]: row["reason"] for row in found}
    assert told["Of tar"] == "no_match"
    assert told["Draft"] == "unreviewed"
    assert told["Of Rust"] == "not_now"
    assert {"outranked"} <= {*told.values()}


@pytest.mark.parametrize("limit", [1, 2, 3, 200])
async def test_pages_join_to_the_whole_without_loss_or_double(
    worker: httpx.AsyncClient, limit: int
) -> None:
    packet = await begin(worker)
    whole = await reasons(worker, packet)
    assert await reasons(worker, packet, limit) == whole
    assert whole == sorted(whole, key=lambda row: (row["lesson_id"], row["reason"], row["basis"]))


async def test_a_reason_is_proved_from_the_facts_of_the_packet(worker: httpx.AsyncClient) -> None:
    packet = await begin(worker)
    ruleset = shipped()
    for row in await reasons(worker, packet):
        path = f"/v1/packets/{packet['packet_id']}/left-out/{row['lesson_id']}"
        answer = await worker.get(path)
        assert answer.status_code == 200, answer.text
        for certificate in answer.json():
            given = {}
            for name in certificate["given_digests"]:
                shown = (await worker.get(f"/v1/fact-sets/{name}")).json()
                given[name] = [Fact.of(r, tuple(v), s) for r, v, s in shown["facts"]]
            verdict = check(certificate, ruleset.program, ruleset.version, given, Limits())
            assert verdict.status is Status.VERIFIED
        told = [c["conclusion"]["values"][1] for c in answer.json()]
        assert row["reason"] in told


async def test_reasons_do_not_change_when_the_house_does(
    house: Estate, worker: httpx.AsyncClient
) -> None:
    packet = await begin(worker)
    before = await reasons(worker, packet)
    async with house.client() as operator:
        more = [*ROWS, lesson("New brass", "Rinse the brass valve before the tide turns.")]
        await operator.post("/v1/lessons/import", json=pack(more))
    async with house.client(Holding("worker").secret) as another_process:
        assert await reasons(another_process, packet) == before


@pytest.mark.parametrize(
    "cursor", ["", "x", "AAAA", "\u00e9", "W10=", "WzFd", "a" * 5000, "WyJhIiwiXHUwMDAwIl0="]
)
async def test_a_cursor_that_is_none_is_refused(worker: httpx.AsyncClient, cursor: str) -> None:
    packet = await begin(worker)
    for path in (f"/v1/packets/{packet['packet_id']}/left-out", "/v1/packets"):
        answer = await worker.get(path, params={"cursor": cursor})
        assert (answer.status_code, answer.json()["code"]) == (400, "stale_cursor")


async def test_a_cursor_of_another_list_or_of_other_scopes_is_refused(
    house: Estate, worker: httpx.AsyncClient
) -> None:
    one, other = await begin(worker), await begin(worker, risk="high")
    path = f"/v1/packets/{one['packet_id']}/left-out"
    cursor = (await worker.get(path, params={"limit": 1})).json()["next_cursor"]
    wrong = f"/v1/packets/{other['packet_id']}/left-out"
    assert (await worker.get(wrong, params={"cursor": cursor})).status_code == 400
    wide = Holding("wide", operations=("read", "administer"), scopes=(FORGE, LIBRARY, SHARED))
    async with house.client(await house.admit(wide)) as client:
        assert (await client.get(path)).status_code == 200
        assert (await client.get(path, params={"cursor": cursor})).status_code == 400


@pytest.mark.parametrize("limit", ["0", "-1", "201", "x", "1.5", ""])
async def test_a_limit_out_of_range_is_refused(worker: httpx.AsyncClient, limit: str) -> None:
    answer = await worker.get("/v1/packets", params={"limit": limit})
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")


async def test_a_packet_is_rendered_for_its_worker_alone(
    house: Estate, worker: httpx.AsyncClient
) -> None:
    packet = await begin(worker)
    path = f"/v1/packets/{packet['packet_id']}/text"
    answer = await worker.get(path, params={"worker_id": "worker-1"})
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain")
    assert len(answer.content) <= 8192
    assert all(row["lesson"] in answer.text for row in packet["lessons"])
    other = await worker.get(path, params={"worker_id": "worker-2"})
    absent = await worker.get("/v1/packets/packet-0/text", params={"worker_id": "worker-2"})
    assert (other.status_code, other.json()["code"]) == (404, "not_found")
    assert other.text.replace(packet["packet_id"], "packet-0") == absent.text
    assert (await worker.get(path)).status_code == 400
    stranger = await house.admit(Holding("stranger"))
    async with house.client(stranger) as client:
        hidden = await client.get(path, params={"worker_id": "worker-1"})
        assert hidden.status_code == 404


async def test_a_delivery_is_recorded_once_and_to_the_worker_alone(
    house: Estate, worker: httpx.AsyncClient
) -> None:
    packet = await begin(worker)
    path = f"/v1/packets/{packet['packet_id']}/deliveries"
    wrong = await worker.post(path, json={"worker_id": "worker-2"})
    assert (wrong.status_code, wrong.json()["code"]) == (409, "wrong_worker")
    right = {"worker_id": "worker-1"}
    answers = await asyncio.gather(*(worker.post(path, json=right) for _ in range(6)))
    assert {answer.status_code for answer in answers} == {200}
    assert sorted(answer.json()["unchanged"] for answer in answers) == [False] + [True] * 5
    assert len(house.dump()["packet_deliveries"]) == 1
    stranger = await house.admit(Holding("stranger"))
    async with house.client(stranger) as client:
        assert (await client.post(path, json=right)).status_code == 404


async def test_the_list_shows_ones_own_packets_and_those_of_administered_scopes(
    house: Estate, worker: httpx.AsyncClient
) -> None:
    mine = [(await begin(worker, risk=risk))["packet_id"] for risk in ("low", "medium", "high")]
    async with house.client(await house.admit(Holding("stranger"))) as client:
        theirs = (await begin(client))["packet_id"]
    listed = (await worker.get("/v1/packets")).json()
    assert [row["packet_id"] for row in listed["items"]] == sorted(mine)
    first = (await worker.get("/v1/packets", params={"limit": 2})).json()
    rest = (await worker.get("/v1/packets", params={"cursor": first["next_cursor"]})).json()
    assert first["items"] + rest["items"] == listed["items"]
    async with house.client() as operator:
        shown = (await operator.get("/v1/packets")).json()["items"]
    assert {row["packet_id"] for row in shown} == {*mine, theirs}


async def test_a_grant_that_expires_between_two_identical_calls_ends_the_answer(
    house: Estate,
) -> None:
    until = START + timedelta(minutes=5)
    secret = await house.admit(Holding("brief", valid_until=until))
    async with house.client(secret) as client:
        before = await client.post("/v1/tasks/start", json=start())
        assert before.status_code == 200
        assert before.headers["athanor-valid-until"] == until.isoformat().replace("+00:00", "Z")
        house.clock.at = until
        after = await client.post("/v1/tasks/start", json=start())
        assert (after.status_code, after.json()["code"]) == (403, "denied")
        read = await client.get(f"/v1/packets/{before.json()['packet_id']}")
        assert read.status_code == 404
