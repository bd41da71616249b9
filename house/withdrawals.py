"""Which lessons of a packet must no longer be used, and why: pack `context` says so."""

from collections.abc import Iterable

from engine import Fact, restrict
from house.authorization import Caller
from house.runtime import Runtime
from store import Connection, facts, packets


async def reasons_against(
    runtime: Runtime, connection: Connection, caller: Caller, packet: packets.StoredPacket
) -> list[packets.Replacement]:
    """The reasons against lessons inside a packet, by lesson and reason; none iff it stands.

    They are concluded from the facts of now about these lessons and those that took their place,
    inside the scopes of the transaction.
    """
    placed = await packets.placed(connection, caller.house_id, packet.packet_id)
    inside = {place.lesson_id: place.version for place in placed}
    if not inside:
        return []
    task = await packets.task(connection, caller.house_id, packet.task_id)
    project = task.project_key if task else ""
    given = await _with_successors(connection, caller, inside)
    source = f"packet:{packet.packet_id}"
    held = [
        Fact.of("task_scope", (packet.scope,), source),
        Fact.of("task_project", (project,), source),
        *(Fact.of("held", row, source) for row in sorted(inside.items())),
    ]
    program = restrict(runtime.ruleset.program, ["withdrawn"])
    model = await runtime.evaluator.run(program, given, held)
    return [
        packets.Replacement(lesson_id=str(row[0]), reason=str(row[1]), basis=str(row[2]))
        for row in sorted(model.of("withdrawn"))
    ]


async def _with_successors(
    connection: Connection, caller: Caller, lessons: Iterable[str]
) -> list[Fact]:
    """The facts about lessons and all that they, step by step, gave way to."""
    given: list[Fact] = []
    known: set[str] = set()
    wanted = set(lessons)
    while wanted:
        found = await facts.of_subjects(connection, caller.house_id, wanted)
        known |= wanted
        given += found
        wanted = {str(f.values[1]) for f in found if f.relation == "lesson_superseded"} - known
    return given
