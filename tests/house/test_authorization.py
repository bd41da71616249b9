"""Who may do what where: denied unless a grant in force and the token both allow it."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

import pytest
from houses import FORGE, LIBRARY, SHARED, START, Estate, Holding, lesson, pack, start

from house import UnauthenticatedError, authenticate
from house.authorization import Caller, authorize
from store import grants

pytestmark = pytest.mark.anyio
AT = START + timedelta(hours=1)
SECOND = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class Case:
    """A principal that wants to start a task in the forge, and whether it may."""

    holding: Holding
    permitted: bool
    revoked: bool = False


def holding(**changes: object) -> Holding:
    """May start tasks in the forge, and no more."""
    fields: dict[str, object] = {"operations": ("start_task",), "scopes": (FORGE,)}
    return Holding("worker", **(fields | changes))  # type: ignore[arg-type]


CASES = {
    "a grant in force and a token": Case(holding(), permitted=True),
    "no grant": Case(holding(operations=(), token_operations=("start_task",)), permitted=False),
    "a grant of tomorrow": Case(holding(valid_from=AT + timedelta(days=1)), permitted=False),
    "a grant of the next second": Case(holding(valid_from=AT + SECOND), permitted=False),
    "a grant from this second on": Case(holding(valid_from=AT), permitted=True),
    "a grant of yesterday": Case(holding(valid_until=AT - timedelta(days=1)), permitted=False),
    "a grant until this second": Case(holding(valid_until=AT), permitted=False),
    "a grant until the next second": Case(holding(valid_until=AT + SECOND), permitted=True),
    "a revoked grant": Case(holding(), permitted=False, revoked=True),
    "a grant of another operation": Case(
        holding(operations=("read",), token_operations=("start_task", "read")), permitted=False
    ),
    "a grant in another scope": Case(
        holding(scopes=(LIBRARY, SHARED), token_scopes=(FORGE, LIBRARY, SHARED)), permitted=False
    ),
    "a token without the operation": Case(holding(token_operations=("read",)), permitted=False),
    "a token without any operation": Case(holding(token_operations=()), permitted=False),
    "a token without the scope": Case(holding(token_scopes=(LIBRARY, SHARED)), permitted=False),
    "a token without any scope": Case(holding(token_scopes=()), permitted=False),
    "a token that outlives the call": Case(holding(expires_at=AT + SECOND), permitted=True),
}


async def caller(house: Estate, secret: str, at: datetime = AT) -> Caller:
    """What the rules conclude for the token of a secret."""
    token = await authenticate(house.runtime, secret, at)
    async with house.inside() as connection:
        return await authorize(house.runtime, connection, token, at)


@pytest.mark.parametrize("name", CASES)
async def test_a_task_may_be_started_iff_grant_and_token_both_allow_it(
    house: Estate, name: str
) -> None:
    case = CASES[name]
    secret = await house.admit(case.holding)
    if case.revoked:
        await house.revoke("grant-worker-start_task")
    found = await caller(house, secret)
    assert found.may("start_task", FORGE) is case.permitted
    assert (FORGE in found.scopes_of("start_task")) is case.permitted


async def test_the_grant_of_one_principal_is_nothing_to_another(house: Estate) -> None:
    await house.admit(Holding("worker"))
    stranger = await house.admit(
        Holding("stranger", operations=(), token_operations=("read", "start_task"))
    )
    found = await caller(house, stranger)
    assert found.model.of("permitted") == found.model.of("readable") == frozenset()
    assert found.readable == ()


async def test_what_is_shared_is_readable_from_any_room_that_is(house: Estate) -> None:
    secret = await house.admit(Holding("worker", operations=("read",), scopes=(FORGE,)))
    assert (await caller(house, secret)).readable == (FORGE, SHARED)


async def test_the_authorization_digest_names_scopes_and_nobody(house: Estate) -> None:
    one = await house.admit(Holding("one"))
    other = await house.admit(Holding("other", operations=("read",)))
    wide = await house.admit(Holding("wide", scopes=(FORGE, LIBRARY, SHARED)))
    digests = [(await caller(house, s)).authorization_digest for s in (one, other, wide)]
    assert digests[0] == digests[1] != digests[2]


async def no_token(house: Estate) -> str:
    assert house
    return "ath_nobody-has-this"


async def expired(house: Estate) -> str:
    return await house.admit(Holding("worker", expires_at=START - SECOND))


async def expires_now(house: Estate) -> str:
    return await house.admit(Holding("worker", expires_at=AT))


async def revoked(house: Estate) -> str:
    secret = await house.admit(Holding("worker"))
    async with house.inside() as connection:
        act = await house.act(connection)
        token = await house.give_token(connection, Holding("worker"), "ath_second", act)
        await grants.revoke_token(connection, house.house_id, token, act)
    assert await authenticate(house.runtime, secret, AT)  # the first token still opens
    return "ath_second"


@pytest.mark.parametrize("made", [no_token, expired, expires_now, revoked])
async def test_a_token_that_opens_nothing_now_is_refused(
    house: Estate, made: Callable[[Estate], Awaitable[str]]
) -> None:
    secret = await made(house)
    with pytest.raises(UnauthenticatedError):
        await authenticate(house.runtime, secret, AT)


async def test_every_refused_token_gets_the_same_answer_byte_for_byte(house: Estate) -> None:
    secrets = [None, "ath_nobody-has-this", await expired(house)]
    second = Holding("second")
    await house.admit(second)
    async with house.inside() as connection:
        act = await house.act(connection)
        token = await house.give_token(connection, second, "ath_revoked", act)
        await grants.revoke_token(connection, house.house_id, token, act)
    for method, path in (
        ("POST", "/v1/tasks/start"),
        ("POST", "/v1/lessons/import"),
        ("GET", "/v1/packets/packet-1"),
        ("GET", "/v1/derivations/1"),
        ("GET", "/v1/fact-sets/1"),
        ("GET", f"/v1/rulesets/{house.runtime.ruleset.version}"),
    ):
        body = pack([]) if "import" in path else start()
        answers = set()
        for secret in [*secrets, "ath_revoked", "", "\u00e9"]:
            async with house.client(None) as client:
                headers = {b"X-Request-ID": b"one"}
                if secret is not None:
                    headers[b"Authorization"] = b"Bearer " + secret.encode()
                answer = await client.request(method, path, json=body, headers=headers)
                told = tuple(sorted(answer.headers.multi_items()))
                answers.add((answer.status_code, answer.content, told))
        assert len(answers) == 1
        assert next(iter(answers))[0] == 401


async def test_a_task_cannot_be_started_where_its_lessons_cannot_be_read(house: Estate) -> None:
    secret = await house.admit(Holding("blind", operations=("start_task",)))
    async with house.client(secret) as client:
        answer = await client.post("/v1/tasks/start", json=start())
    assert (answer.status_code, answer.json()["detail"]) == (
        403,
        "operation `read` is not permitted here",
    )


async def test_a_grant_that_is_revoked_ends_access_to_what_was_answered_before(
    house: Estate,
) -> None:
    secret = await house.admit(Holding("worker"))
    async with house.client() as operator:
        await operator.post("/v1/lessons/import", json=pack([lesson("Rinse brass")]))
    async with house.client(secret) as client:
        packet = (await client.post("/v1/tasks/start", json=start())).json()
        certificate = packet["lessons"][0]["derivation"]
        paths = [
            f"/v1/packets/{packet['packet_id']}",
            f"/v1/derivations/{certificate['digest']}",
            *(f"/v1/fact-sets/{name}" for name in certificate["given_digests"]),
        ]
        assert [(await client.get(path)).status_code for path in paths] == [200] * 4
        await house.revoke("grant-worker-read")
        assert [(await client.get(path)).status_code for path in paths] == [404] * 4
        assert (await client.post("/v1/tasks/start", json=start())).status_code == 403
