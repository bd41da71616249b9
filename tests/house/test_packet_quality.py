"""Packets over the synthetic labelled tasks are as good as they were measured, and no worse."""

import json
from typing import Any

import pytest
from houses import Estate, start

from benchmarks.packet_quality import CORPUS, cases_of, score

pytestmark = pytest.mark.anyio
PACK = json.loads((CORPUS / "lessons.json").read_text(encoding="utf-8"))
TASKS: list[dict[str, Any]] = json.loads((CORPUS / "tasks.json").read_text(encoding="utf-8"))
ON = {row["title"] for row in PACK["lessons"] if row.get("always_on")}
TITLES = {row["title"] for row in PACK["lessons"]}


def test_the_labels_name_lessons_of_the_pack() -> None:
    assert len(TASKS) >= 24
    assert len({task["task_id"] for task in TASKS}) == len(TASKS)
    for task in TASKS:
        assert {*task["relevant"], *task["acceptable"]} <= TITLES
        assert not set(task["relevant"]) & set(task["acceptable"])


async def test_packets_hit_and_hold_little_that_is_unrelated(house: Estate) -> None:
    packets: list[list[str]] = []
    async with house.client() as client:
        assert (await client.post("/v1/lessons/import", json=PACK)).status_code == 200
        for task in TASKS:
            body = start(
                worker_id=task["task_id"],
                worker_role=task["role"],
                phase=task["phase"],
                task_kind=task["task_kind"],
                risk=task["risk"],
                target=task["target"],
                change=task["change"],
                proof_contract=task["proof"],
            )
            packet = (await client.post("/v1/tasks/start", json=body)).json()
            packets.append([lesson["title"] for lesson in packet["lessons"]])
    counts = score(TASKS, packets, ON)
    assert counts.hits >= 25
    assert counts.unrelated <= 8
    nothing = [case for case in cases_of(TASKS, packets, ON) if not case.has_relevant]
    assert all(case.delivered <= 1 and not case.unrelated for case in nothing)
