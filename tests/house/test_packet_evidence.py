"""What a packet rests on: certificates, given facts and rules, each fetched and checked apart."""

from dataclasses import replace

import httpx
import pytest
from houses import (
    FORGE,
    LIBRARY,
    SHARED,
    Estate,
    Holding,
    Json,
    demo,
    lesson,
    pack,
    start,
    start_of_demo,
)

from engine import Fact, Limits, Status, check, evaluate
from rules import Source, load

pytestmark = pytest.mark.anyio
TASKS = {task["name"]: task for task in demo("tasks.json")}
Sets = dict[str, list[Fact]]


async def fetched(client: httpx.AsyncClient, path: str) -> Json:
    answer = await client.get(path)
    assert answer.status_code == 200, answer.text
    found: Json = answer.json()
    return found


async def sets_of(client: httpx.AsyncClient, certificate: Json) -> Sets:
    """The given facts that a certificate names, as the House gives them out."""
    found: Sets = {}
    for name in certificate["given_digests"]:
        rows = (await fetched(client, f"/v1/fact-sets/{name}"))["facts"]
        found[name] = [
            Fact.of(relation, tuple(values), source) for relation, values, source in rows
        ]
    return found


async def verdicts(client: httpx.AsyncClient, packet: Json) -> list[Status]:
    """The verdict over each certificate of a packet, by rules and facts that were fetched."""
    text = (await fetched(client, f"/v1/rulesets/{packet['ruleset_version']}"))["text"]
    ruleset = load([Source("fetched", text)]).ruleset
    assert ruleset is not None
    assert ruleset.version == packet["ruleset_version"]
    found: list[Status] = []
    for row in packet["lessons"]:
        certificate = await fetched(client, f"/v1/derivations/{row['derivation']['digest']}")
        assert certificate == row["derivation"]
        assert certificate["conclusion"] == {
            "relation": "selected",
            "values": [row["id"], row["place"], row["basis"]],
        }
        given = await sets_of(client, certificate)
        verdict = check(certificate, ruleset.program, ruleset.version, given, Limits())
        found.append(verdict.status)
    return found


@pytest.mark.parametrize("name", TASKS)
async def test_every_lesson_of_a_packet_is_verified_from_what_the_house_gives_out(
    lanternquay: Estate, name: str
) -> None:
    async with lanternquay.client() as client:
        packet = (await client.post("/v1/tasks/start", json=start_of_demo(TASKS[name]))).json()
        assert await verdicts(client, packet) == [Status.VERIFIED] * 4


@pytest.mark.parametrize("name", TASKS)
async def test_the_reasons_against_a_lesson_are_just_the_expected_ones(
    lanternquay: Estate, name: str
) -> None:
    async with lanternquay.client() as client:
        packet = (await client.post("/v1/tasks/start", json=start_of_demo(TASKS[name]))).json()
        given = await sets_of(client, packet["lessons"][0]["derivation"])
    base, request = given.values()
    model = evaluate(lanternquay.runtime.ruleset.program, base, request, Limits())
    reasons: dict[str, set[object]] = {}
    for lesson_id, reason, _ in model.of("ineligible"):
        reasons.setdefault(str(lesson_id), set()).add(reason)
    ids = await ids_by_title(lanternquay)
    known = {str(fact.values[0]) for fact in base if fact.relation == "lesson"}
    expected = dict(TASKS[name]["expect"]["absent"])
    elsewhere = [t for t in expected if ids[t] not in known]  # in rooms that a task cannot use
    assert {expected.pop(title) for title in elsewhere} <= {"not_here"}
    assert {title: reasons.get(ids[title]) for title in expected} == {
        title: {reason} for title, reason in expected.items()
    }
    wanted = {ids[title] for title in TASKS[name]["expect"]["titles"]}
    assert wanted <= {str(row[0]) for row in model.of("eligible")}
    assert len(reasons) + len(model.of("eligible")) == len(known)
    assert len(known) > 20


async def ids_by_title(house: Estate) -> dict[str, str]:
    async with house.inside(FORGE, LIBRARY, SHARED) as connection:
        rows = await connection.execute(
            "select c.body, v.lesson_id from lesson_versions v join contents c"
            " on c.house_id = v.house_id and c.content_id = v.title_id"
        )
        return dict(await rows.fetchall())


async def test_a_certificate_names_a_lesson_that_is_always_on_and_what_left_it_room(
    house: Estate,
) -> None:
    async with house.client() as client:
        rows = [lesson("Sleep", "Sleep well.", always_on=True), lesson("Rinse the brass")]
        await client.post("/v1/lessons/import", json=pack(rows))
        packet = (await client.post("/v1/tasks/start", json=start())).json()
        assert await verdicts(client, packet) == [Status.VERIFIED] * 2
    assert packet["lessons"][1]["derivation"]["supporting_rule_ids"].count("standby-second") == 1


@pytest.mark.parametrize("order", [1, -1], ids=["the wider first", "the narrower first"])
async def test_one_intent_in_one_room_gets_one_packet_whatever_else_a_token_opens(
    house: Estate, order: int
) -> None:
    """What else a token may read takes no part: whoever comes first, the answer is the same."""
    wide = Holding("worker", scopes=(FORGE, LIBRARY, SHARED))
    await house.admit(wide)
    async with house.inside() as connection:
        act = await house.act(connection)
        narrow = replace(wide, token_scopes=(FORGE, SHARED))
        await house.give_token(connection, narrow, "ath_narrow", act)
    rows = [lesson("Rinse the brass"), lesson("Brass first", scope="forge")]
    rows.append(lesson("Brass elsewhere", scope="library"))
    async with house.client() as operator:
        await operator.post("/v1/lessons/import", json=pack(rows))
    async with house.client(wide.secret) as one, house.client("ath_narrow") as other:
        clients = [one, other][::order]
        packets = [(await c.post("/v1/tasks/start", json=start())).json() for c in clients]
        ids = [[row["id"] for row in packet["lessons"]] for packet in packets]
        assert ids[0] == ids[1]
        assert len(ids[0]) == 2
        assert packets[0] == packets[1]
        for client, packet in zip(clients, packets, strict=True):
            assert await verdicts(client, packet) == [Status.VERIFIED] * 2


async def test_evidence_of_a_hidden_room_stays_hidden_whoever_kept_it(house: Estate) -> None:
    rows = [lesson("Rinse the brass"), lesson("Brass", "Rinse brass.", scope="library")]
    narrow = await house.admit(Holding("narrow"))
    async with house.client() as operator, house.client(narrow) as client:
        await operator.post("/v1/lessons/import", json=pack(rows))
        packet = (await operator.post("/v1/tasks/start", json=start())).json()
        certificate = packet["lessons"][0]["derivation"]
        base, request = (f"/v1/fact-sets/{name}" for name in certificate["given_digests"])
        assert (await client.get(base)).status_code == 404
        assert (await client.get(request)).status_code == 404
        path = f"/v1/derivations/{certificate['digest']}"
        assert (await client.get(path)).status_code == 404


async def test_a_packet_answers_by_rules_and_epoch_of_one_instant(house: Estate) -> None:
    async with house.client() as client:
        await client.post("/v1/lessons/import", json=pack([lesson("Rinse the brass")]))
        packet = (await client.post("/v1/tasks/start", json=start())).json()
        ready = (await client.get("/ready")).json()
    assert packet["ruleset_version"] == ready["ruleset_version"]
    assert packet["visible_epoch"] == 1
    bounds = packet["lessons"][0]["derivation"]["execution_bounds"]
    assert all(bound["used"] <= bound["limit"] for bound in bounds.values())
