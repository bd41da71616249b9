"""Forgetting: what a lesson or a task said is deleted on purpose, by who administers its scope.

Only ids stay. What rests on them answers that its evidence was forgotten, and a packet that holds
a forgotten lesson is replaced when its task starts again.
"""

from uuid import UUID

from contracts import LessonForgetting, LessonForgotten, PacketForgetting, PacketForgotten
from house.answers import NotFoundError, findable, open_to
from house.authorization import Caller, Deed
from house.commands import Call, Result, Written, perform
from house.lesson_lookup import StaleTitleError, visible_lesson
from house.runtime import Runtime
from store import Connection, contents, forgettings, lessons, one_at_a_time, packets


async def forget_lesson(
    runtime: Runtime, call: Call, lesson_id: str, wanted: LessonForgetting
) -> LessonForgotten:
    """Delete all that a lesson said in any version; a second time changes nothing.

    The digest of the call must not be made of the title. Raises `NotFoundError`, `DeniedError`,
    `StaleTitleError`.
    """

    async def asking(connection: Connection, caller: Caller) -> Deed:
        found = await visible_lesson(connection, caller, lesson_id)
        return Deed("administer", [found.scope], f"forgetting of {lesson_id}", wanted.reason)

    async def standing(connection: Connection, caller: Caller) -> Result | None:
        if await _is_forgotten(connection, caller, lesson_id):
            return {"lesson_id": lesson_id, "unchanged": True}
        present = await lessons.standing(connection, caller.house_id, lesson_id)
        if present is None:
            raise NotFoundError("lesson", lesson_id)
        if contents.content_of(present.scope, wanted.title).content_id != present.title_id:
            raise StaleTitleError(lesson_id)
        return None

    async def write(connection: Connection, _caller: Caller, act: UUID) -> Written:
        await forgettings.forget_lesson(connection, lesson_id, act)
        return Written({"lesson_id": lesson_id, "unchanged": False}, [lesson_id])

    return LessonForgotten.model_validate(await perform(runtime, call, asking, write, standing))


async def forget_packet(
    runtime: Runtime, call: Call, packet_id: str, wanted: PacketForgetting
) -> PacketForgotten:
    """Delete all that the task of a packet said, for every packet that it got.

    Raises `NotFoundError` for a packet that the caller may not read, and `DeniedError`.
    """

    async def found(connection: Connection, caller: Caller) -> packets.StoredPacket:
        name = findable("packet", packet_id)
        stored = await packets.packet(connection, caller.house_id, name)
        if stored is None or not open_to(caller, stored):
            raise NotFoundError("packet", packet_id)
        return stored

    async def asking(connection: Connection, caller: Caller) -> Deed:
        stored = await found(connection, caller)
        subject = f"forgetting of {stored.task_id}"
        return Deed("administer", [stored.scope], subject, wanted.reason)

    async def standing(connection: Connection, caller: Caller) -> Result | None:
        task_id = (await found(connection, caller)).task_id
        if await _is_forgotten(connection, caller, task_id):
            return {"packet_id": packet_id, "task_id": task_id, "unchanged": True}
        return None

    async def write(connection: Connection, caller: Caller, act: UUID) -> Written:
        task_id = (await found(connection, caller)).task_id
        await forgettings.forget_task(connection, task_id, act)
        return Written({"packet_id": packet_id, "task_id": task_id, "unchanged": False})

    return PacketForgotten.model_validate(await perform(runtime, call, asking, write, standing))


async def _is_forgotten(connection: Connection, caller: Caller, subject: str) -> bool:
    """Whether a subject was forgotten, once nobody writes texts and nobody else forgets any."""
    await one_at_a_time(connection, caller.house_id, "texts")
    return bool(await forgettings.forgotten(connection, caller.house_id, [subject]))
