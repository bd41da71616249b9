"""Calls about one lesson, as a client makes them: what is there, and what is asked of it."""

from dataclasses import dataclass

import httpx
from houses import Json, lesson, pack


@dataclass(frozen=True, slots=True)
class Ask:
    """A request."""

    method: str
    path: str
    body: Json | None = None

    async def of(self, client: httpx.AsyncClient, key: str | None = None) -> httpx.Response:
        """The answer, asked for under an idempotency key if one is given."""
        headers = {} if key is None else {"Idempotency-Key": key}
        return await client.request(self.method, self.path, json=self.body, headers=headers)


async def bring(client: httpx.AsyncClient, *rows: Json, name: str = "synthetic") -> Json:
    """Import records; the lessons that the caller sees then, by title."""
    answer = await client.post("/v1/lessons/import", json=pack(rows, name))
    assert answer.status_code == 200, answer.text
    return await lessons_of(client)


async def lessons_of(client: httpx.AsyncClient) -> Json:
    """The lessons that a caller sees, by title."""
    answer = await client.get("/v1/lessons", params={"limit": 200})
    assert answer.status_code == 200, answer.text
    return {item["title"]: item for item in answer.json()["items"]}


async def done(client: httpx.AsyncClient, ask: Ask) -> Json:
    """What a request that succeeds answers."""
    answer = await ask.of(client)
    assert answer.status_code == 200, answer.text
    found: Json = answer.json()
    return found


async def refused(client: httpx.AsyncClient, ask: Ask) -> tuple[int, str]:
    """Status and code of a request that is refused."""
    answer = await ask.of(client)
    assert answer.headers["content-type"] == "application/problem+json", answer.text
    return answer.status_code, answer.json()["code"]


def review(item: Json, disposition: str, /, **changes: object) -> Ask:
    """A review of the version and record that an item shows."""
    body: Json = {
        "version": item["version"],
        "disposition": disposition,
        "previous": item["record_id"],
        "reason": "a reviewer says so",
    }
    return Ask("POST", f"/v1/lessons/{item['lesson_id']}/review", body | changes)


def update(item: Json, record: Json, /, **changes: object) -> Ask:
    """An update of what an item shows."""
    body: Json = {
        "expected_title": item["title"],
        "baseline_version": item["version"],
        "record": record,
        "reason": "it was wrong",
    }
    return Ask("PUT", f"/v1/lessons/{item['lesson_id']}", body | changes)


def supersede(item: Json, successor: Json, /, **changes: object) -> Ask:
    """A supersession of what an item shows by another item, or by a record."""
    named = (
        {"lesson_id": successor["lesson_id"]} if "lesson_id" in successor else {"record": successor}
    )
    body: Json = {
        "baseline_version": item["version"],
        "successor": named,
        "reason": "there is a better one",
    }
    return Ask("POST", f"/v1/lessons/{item['lesson_id']}/supersede", body | changes)


def forget(item: Json, /, **changes: object) -> Ask:
    """A forgetting of what an item shows."""
    body: Json = {"title": item["title"], "reason": "its author asks for it"}
    return Ask("POST", f"/v1/lessons/{item['lesson_id']}/forget", body | changes)


def create(record: Json, /, **changes: object) -> Ask:
    """The making of one lesson."""
    return Ask("POST", "/v1/lessons", {"record": record} | changes)


def forget_packet(packet: Json) -> Ask:
    """A forgetting of what the task of a packet said."""
    body = {"reason": "its author asks for it"}
    return Ask("POST", f"/v1/packets/{packet['packet_id']}/forget", body)


def brass(
    title: str = "Rinse the brass", rule: str = "Rinse brass at the tide.", **m: object
) -> Json:
    """A record that fits the usual task."""
    return lesson(title, rule, **m)
