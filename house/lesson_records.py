"""From the rows of the lesson ledger back to records of lessons."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from contracts import LessonRecord, LessonSource, LessonTrigger
from store import Connection, contents, lesson_history, lessons


@dataclass(frozen=True, slots=True)
class Wanted:
    """A version of a lesson, with its identity and what was decided about it last."""

    lesson_id: str
    version: int
    kind: str
    scope: str
    project: str | None
    disposition: str | None


async def records_of(
    connection: Connection, house_id: UUID, wanted: Sequence[Wanted]
) -> dict[tuple[str, int], LessonRecord]:
    """What versions say, by lesson id and number; forgotten ones are left out.

    A link is told by the present title of the lesson that it leads to, if that is in sight and
    named otherwise than the lesson itself.
    """
    chosen = [(w.lesson_id, w.version) for w in wanted]
    rows = await lessons.versions(connection, house_id, chosen)
    links = await lesson_history.linked(connection, house_id, {w.lesson_id for w in wanted})
    ids = [i for row in rows for i in _text_ids(row) if i is not None]
    ids += [link.other_title_id for link in links if link.other_title_id is not None]
    text = await contents.bodies(connection, house_id, ids)
    titles = _linked_titles(links, text)
    asked = {(w.lesson_id, w.version): w for w in wanted}
    return {
        key: _record(asked[key], row, text, titles.get(key, {}))
        for row in rows
        if (key := (row.lesson_id, row.version)) and row.title_id is not None
    }


def says_the_same(one: LessonRecord, other: LessonRecord) -> bool:
    """Whether two records say the same, whatever their numbers, dispositions and links."""
    return _said(one) == _said(other)


def _said(record: LessonRecord) -> dict[str, Any]:
    said = record.model_dump(exclude={"version", "review", "negation_of_title"})
    if record.trigger == LessonTrigger():
        said["trigger"] = None
    return said


def _linked_titles(
    links: Iterable[lesson_history.Linked], text: Mapping[str, str]
) -> dict[tuple[str, int], dict[str, str]]:
    """The title that each version links to, by kind of link; the first one if there are more."""
    found: dict[tuple[str, int], dict[str, str]] = {}
    for link in links:
        if link.other_title_id is not None:
            kinds = found.setdefault((link.lesson_id, link.version), {})
            kinds.setdefault(link.kind, text[link.other_title_id])
    return found


def _record(
    wanted: Wanted, row: lessons.Version, text: Mapping[str, str], linked: Mapping[str, str]
) -> LessonRecord:
    title, rule = text[str(row.title_id)], text[str(row.rule_id)]
    named = {kind: other for kind, other in linked.items() if other != title}
    review: Any = wanted.disposition or "unreviewed"
    kind: Any = wanted.kind
    return LessonRecord(
        title=title,
        lesson=rule,
        kind=kind,
        trigger_context=_text(row.trigger_context_id, text),
        proof_pattern=_text(row.proof_pattern_id, text),
        shape=row.shape,
        scope=wanted.scope.removeprefix("room:"),
        project=wanted.project,
        voice=row.voice,
        tags=tuple(row.tags),
        stages=tuple(row.stages),
        registers=tuple(row.registers),
        languages=tuple(row.languages),
        technologies=tuple(row.technologies),
        threads=tuple(row.threads),
        always_on=row.always_on,
        negation_of_title=named.get("negation_of"),
        superseded_by_title=named.get("superseded_by"),
        trigger=_trigger(row, text),
        source=_source(row, text),
        version=row.version,
        review=review,
    )


def _trigger(row: lessons.Version, text: Mapping[str, str]) -> LessonTrigger | None:
    scope: Any = row.trigger_scope
    interrupt: Any = row.trigger_interrupt
    found = LessonTrigger(
        condition=_text(row.trigger_condition_id, text),
        ast_condition=_text(row.trigger_ast_condition_id, text),
        scope=scope,
        interrupt=interrupt,
        cooldown_seconds=row.trigger_cooldown_seconds,
    )
    return None if found == LessonTrigger() else found


def _source(row: lessons.Version, text: Mapping[str, str]) -> LessonSource | None:
    if row.source_path_id is None:
        return None
    return LessonSource(
        path=text[row.source_path_id],
        first_line=row.source_first_line,
        last_line=row.source_last_line,
    )


def _text(content_id: str | None, text: Mapping[str, str]) -> str | None:
    return None if content_id is None else text[content_id]


def _text_ids(row: lessons.Version) -> tuple[str | None, ...]:
    return (
        row.title_id,
        row.rule_id,
        row.trigger_context_id,
        row.proof_pattern_id,
        row.trigger_condition_id,
        row.trigger_ast_condition_id,
        row.source_path_id,
    )
