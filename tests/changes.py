"""Every change that administration makes, as a call that succeeds in the House of the tests.

The calls stand on `prepared`: a spirit that governs nothing yet, an adapter with a grant and a
token, a second operator, and a project in the forge.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass

import httpx
from houses import FORGE, LIBRARY, SHARED, Estate, Holding, Json

SPIRIT, ADAPTER, SECOND = "ada", "builder", "second"
GRANT = f"grant-{ADAPTER}-read"
TOKEN = hashlib.sha256(f"ath_secret-of-{ADAPTER}:id".encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class Change:
    """A call with its answer, and another body for the same address; `table` gets its record.

    An act is recorded in each of `scopes`.
    """

    path: str
    body: Json
    other: Json
    table: str
    answer: Mapping[str, object]
    scopes: int = 1


def sha256(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


CHANGES = {
    "a room is made": Change(
        "/v1/rooms", {"room": "attic"}, {"room": "cellar"}, "rooms", {"room": "attic"}
    ),
    "a spirit is appointed": Change(
        "/v1/rooms/forge/governor",
        {"principal": SPIRIT},
        {"principal": None},
        "governors",
        {"room": "forge", "governor": SPIRIT},
    ),
    "a principal is registered": Change(
        "/v1/principals",
        {"principal": "eve", "kind": "reviewer"},
        {"principal": "eve", "kind": "ci"},
        "principals",
        {"principal": "eve", "kind": "reviewer", "revoked": False},
    ),
    "a principal is revoked": Change(
        f"/v1/principals/{SECOND}/revoke",
        {},
        {"reason": "gone"},
        "principal_revocations",
        {"principal": SECOND, "kind": "operator", "revoked": True},
    ),
    "a project is opened": Change(
        "/v1/projects",
        {"project": "tidemill", "scope": FORGE},
        {"project": "tidemill"},
        "project_scopes",
        {"project": "tidemill", "scope": FORGE, "retired": False},
    ),
    "a project is retired": Change(
        "/v1/projects/ropewalk/retire",
        {"scope": FORGE},
        {"scope": FORGE, "reason": "done"},
        "project_retirements",
        {"project": "ropewalk", "scope": FORGE, "retired": True},
    ),
    "a grant is given": Change(
        "/v1/grants",
        {"principal": ADAPTER, "operation": "import", "scopes": [LIBRARY]},
        {"principal": ADAPTER, "operation": "import", "scopes": [FORGE]},
        "grants",
        {"revoked": False},
    ),
    "a grant is revoked": Change(
        f"/v1/grants/{GRANT}/revoke",
        {},
        {"reason": "no more"},
        "grant_revocations",
        {"grant_id": GRANT, "revoked": True},
        scopes=2,
    ),
    "a token is made": Change(
        "/v1/tokens",
        {
            "principal": ADAPTER,
            "operations": ["read"],
            "scopes": [LIBRARY],
            "sha256": sha256("ath_new"),
        },
        {
            "principal": ADAPTER,
            "operations": ["read"],
            "scopes": [LIBRARY],
            "sha256": sha256("ath_newer"),
        },
        "tokens",
        {"revoked": False},
        scopes=2,
    ),
    "a token is revoked": Change(
        f"/v1/tokens/{TOKEN}/revoke",
        {},
        {"reason": "lost"},
        "token_revocations",
        {"revoked": True},
        scopes=2,
    ),
    "words are declared": Change(
        "/v1/vocabulary",
        {"kind": "phase", "values": ["build", "review"]},
        {"kind": "phase", "values": ["build"]},
        "vocabulary",
        {"kind": "phase", "added": 2, "declared": 2},
    ),
}


async def prepared(house: Estate) -> None:
    """Register who and what the changes are about."""
    await house.admit(Holding(ADAPTER))
    await house.admit(
        Holding(
            SECOND,
            kind="operator",
            operations=("read", "administer", "start_task"),
            scopes=(FORGE, LIBRARY, SHARED),
        )
    )
    async with house.client() as operator:
        await done(operator, "/v1/principals", {"principal": SPIRIT, "kind": "spirit"})
        await done(operator, "/v1/projects", {"project": "ropewalk", "scope": FORGE})


async def done(
    client: httpx.AsyncClient, path: str, body: Mapping[str, object], key: str | None = None
) -> Json:
    """The answer to a change that succeeds."""
    answer = await sent(client, path, body, key)
    assert answer.status_code == 200, answer.text
    found: Json = answer.json()
    return found


async def refused(
    client: httpx.AsyncClient, path: str, body: Mapping[str, object]
) -> tuple[int, str, str | None]:
    """Status, code and location of the problem that a change gets."""
    answer = await sent(client, path, body)
    members = answer.json()
    assert answer.headers["content-type"] == "application/problem+json"
    return answer.status_code, members["code"], members.get("location")


async def sent(
    client: httpx.AsyncClient, path: str, body: Mapping[str, object], key: str | None = None
) -> httpx.Response:
    """The answer to a change, under an idempotency key or none."""
    headers = {} if key is None else {"Idempotency-Key": key}
    headers |= {"Content-Type": "application/json"}
    return await client.post(path, content=json.dumps(body), headers=headers)


async def everything(client: httpx.AsyncClient, path: str, limit: int = 200) -> list[Json]:
    """All items of a list, page by page."""
    found: list[Json] = []
    cursor: str | None = None
    while True:
        params: dict[str, str | int] = {"limit": limit} | ({"cursor": cursor} if cursor else {})
        answer = await client.get(path, params=params)
        assert answer.status_code == 200, answer.text
        page = answer.json()
        assert len(page["items"]) <= limit
        found += page["items"]
        cursor = page["next_cursor"]
        if cursor is None:
            return found
