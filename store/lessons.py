"""Ledger of lessons: identities, versions, links between them, and authority over them.

The words of current versions are also kept in a projection, `lesson_index`, for full-text search;
`index` writes it for some lessons and `rebuild_index` for all that the transaction can see.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from uuid import UUID

from engine import digest
from store import contents
from store.database import Connection
from store.rows import every, one, write, write_many


@dataclass(frozen=True, slots=True)
class Lesson:
    """The identity of a lesson; what it says is in its versions."""

    lesson_id: str
    kind: str
    scope: str
    project: str | None


@dataclass(frozen=True, slots=True)
class Version:
    """One version of a lesson; texts are named by their content ids."""

    lesson_id: str
    version: int
    source_digest: str
    scope: str
    title_id: str | None
    rule_id: str | None
    trigger_context_id: str | None
    proof_pattern_id: str | None
    shape: str | None
    voice: str | None
    always_on: bool
    tags: list[str]
    stages: list[str]
    registers: list[str]
    languages: list[str]
    technologies: list[str]
    threads: list[str]
    trigger_condition_id: str | None = None
    trigger_ast_condition_id: str | None = None
    trigger_scope: str | None = None
    trigger_interrupt: str | None = None
    trigger_cooldown_seconds: int | None = None
    source_path_id: str | None = None
    source_first_line: int | None = None
    source_last_line: int | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """`lesson_id` in a version is the negation of, or superseded by, another lesson."""

    lesson_id: str
    version: int
    kind: str
    other_id: str


@dataclass(frozen=True, slots=True)
class Authority:
    """A disposition over a version of a lesson; `previous` is the record that it follows."""

    record_id: str
    lesson_id: str
    version: int
    disposition: str
    source_digest: str
    previous: str | None


@dataclass(frozen=True, slots=True)
class Standing:
    """The version that speaks for a lesson, with the last authority record over it, if any.

    It is the last version that was ever promoted, else the last that anyone decided about, else
    the last. `successor_id` is the lesson that it gave way to, by supersession or by a link of this
    version, if it did; `waiting_version` is a later version that nobody decided about, if any.
    """

    lesson_id: str
    kind: str
    scope: str
    project: str | None
    version: int
    source_digest: str
    title_id: str
    record_id: str | None
    disposition: str | None
    successor_id: str | None
    waiting_version: int | None


@dataclass(frozen=True, slots=True)
class Choice:
    """Which lessons a list shows; None means all. `unreviewed` is a disposition here."""

    kind: str | None = None
    scope: str | None = None
    disposition: str | None = None


@dataclass(frozen=True, slots=True)
class Supersession:
    """A lesson gives way to another; the baseline is the version that was read before."""

    lesson_id: str
    successor_id: str
    baseline_version: int
    record_id: str
    evidence_refs: list[str]


@dataclass(frozen=True, slots=True)
class _Id:
    lesson_id: str


@dataclass(frozen=True, slots=True)
class Latest:
    """The last version of a lesson, which need not be the one that speaks for it.

    `imported_digest` is the source digest of the last version that an import brought, if one did.
    """

    lesson_id: str
    version: int
    source_digest: str
    imported_digest: str | None
    is_reviewed: bool
    is_forgotten: bool


@dataclass(frozen=True, slots=True)
class Wording:
    """The texts of one version of a lesson."""

    lesson_id: str
    title: str
    rule: str
    trigger_context: str | None
    proof_pattern: str | None


async def hold_pack(connection: Connection, house_id: UUID, pack_id: str) -> None:
    """Wait for transactions that hold the same pack, and hold it until the end of this one."""
    name = digest(["pack", str(house_id), pack_id])
    lock = int(name[:16], 16) - 2**63
    await write(connection, "lessons.hold_pack", {"lock": lock})


async def add_identities(
    connection: Connection, house_id: UUID, act_id: UUID, lessons: Iterable[Lesson]
) -> None:
    """Append identities that are not there yet; without a version they are not lessons yet."""
    rows = [asdict(lesson) | {"house": house_id, "act": act_id} for lesson in lessons]
    await write_many(connection, "lessons.add_identity", rows)


async def add_versions(
    connection: Connection, house_id: UUID, act_id: UUID, versions: Sequence[Version]
) -> None:
    """Append versions."""
    rows = [asdict(version) | {"house": house_id, "act": act_id} for version in versions]
    await write_many(connection, "lessons.add_version", rows)


async def add_links(
    connection: Connection, house_id: UUID, act_id: UUID, links: Iterable[Link]
) -> None:
    """Append links between lessons."""
    rows = [asdict(link) | {"house": house_id, "act": act_id} for link in links]
    await write_many(connection, "lessons.add_link", rows)


async def add_authority(
    connection: Connection, house_id: UUID, act_id: UUID, records: Iterable[Authority]
) -> None:
    """Append authority records.

    Raises psycopg's `UniqueViolation` when another record already follows the same one.
    """
    rows = [asdict(record) | {"house": house_id, "act": act_id} for record in records]
    await write_many(connection, "lessons.add_authority", rows)


async def supersede(
    connection: Connection, house_id: UUID, act_id: UUID, supersession: Supersession
) -> None:
    """Append that a lesson gives way to another.

    Raises psycopg's `UniqueViolation` when it gave way before.
    """
    parameters = asdict(supersession) | {"house": house_id, "act": act_id}
    await write(connection, "lessons.supersede", parameters)


async def index(connection: Connection, house_id: UUID, lesson_ids: Sequence[str]) -> None:
    """Write the words of the current versions of some lessons to the full-text projection."""
    await write(connection, "lessons.index", {"house": house_id, "ids": list(lesson_ids)})


async def rebuild_index(connection: Connection, house_id: UUID) -> None:
    """Write the full-text projection anew for every lesson that the transaction can see."""
    await write(connection, "lessons.clear_index", {"house": house_id})
    found = await every(connection, _Id, "lessons.ids", {"house": house_id})
    await index(connection, house_id, [lesson.lesson_id for lesson in found])


async def standing(connection: Connection, house_id: UUID, lesson_id: str) -> Standing | None:
    """The current version of a lesson, None iff it is out of sight or forgotten."""
    parameters = {"house": house_id, "lesson": lesson_id}
    return await one(connection, Standing, "lessons.standing", parameters)


async def page(
    connection: Connection, house_id: UUID, choice: Choice, after: str, limit: int
) -> list[Standing]:
    """The chosen lessons that the transaction can see after an id, by id."""
    parameters = asdict(choice) | {"house": house_id, "after": after, "limit": limit}
    return await every(connection, Standing, "lessons.page", parameters)


async def latest(
    connection: Connection, house_id: UUID, lesson_ids: Sequence[str]
) -> dict[str, Latest]:
    """The last versions of the named lessons, by lesson id."""
    parameters = {"house": house_id, "ids": list(lesson_ids)}
    found = await every(connection, Latest, "lessons.latest", parameters)
    return {version.lesson_id: version for version in found}


async def versions(
    connection: Connection, house_id: UUID, chosen: Sequence[tuple[str, int]]
) -> list[Version]:
    """The named versions, by lesson id and number; a forgotten one says nothing."""
    parameters = {
        "house": house_id,
        "ids": [lesson_id for lesson_id, _ in chosen],
        "versions": [version for _, version in chosen],
    }
    return await every(connection, Version, "lessons.versions", parameters)


async def wordings(
    connection: Connection, house_id: UUID, chosen: Sequence[tuple[str, int]]
) -> dict[str, Wording]:
    """The texts of the named versions, by lesson id; forgotten ones are left out."""
    found = await versions(connection, house_id, chosen)
    ids = [i for v in found for i in _wording_ids(v) if i is not None]
    text = await contents.bodies(connection, house_id, ids)
    return {
        v.lesson_id: Wording(
            v.lesson_id,
            text[v.title_id],
            text[v.rule_id],
            text[v.trigger_context_id] if v.trigger_context_id else None,
            text[v.proof_pattern_id] if v.proof_pattern_id else None,
        )
        for v in found
        if v.title_id is not None and v.rule_id is not None
    }


def _wording_ids(version: Version) -> tuple[str | None, ...]:
    return (
        version.title_id,
        version.rule_id,
        version.trigger_context_id,
        version.proof_pattern_id,
    )
