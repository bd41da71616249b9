"""A lesson as a Markdown file that people read, edit and compare: `.athanor/lessons/*.md`.

    +++
    tags = ["payments", "retries"]
    +++

    # Give each payment request an idempotency key

    A retry after a lost answer must not charge twice.

    ## When

    a request that changes something is sent again

    ## Proof

    the same request sent twice makes one charge

Between the `+++` lines stands TOML with the fields of the contract under their own names; a field
that has its default is left out, and without any field the block is. Title, rule, trigger context
and proof pattern stand in the body. A text that would not come back from there as it is stands in
the block instead, as a TOML string: one that begins or ends with a blank line or a line that ends
with a blank, has a heading that would be taken for one of ours, or a sign that does not show.
"""

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final, cast

import rfc8785
from pydantic import ValidationError

from contracts.lesson_texts import FENCE, SECTIONS, Finding, LessonText, is_heading, parsed
from contracts.lessons import LessonRecord
from contracts.signs import has_hidden
from contracts.toml_text import Value, toml_lines

_LONGEST_SLUG: Final = 48
_DIGEST_SIGNS: Final = 12


def written_lesson(record: LessonRecord) -> str:
    """The file of a record; `read_lesson` gives the record back, whatever it holds."""
    fields: dict[str, Any] = record.model_dump(mode="json", exclude_defaults=True)
    body = {name: fields.pop(name) for name in _texts(record) if _is_plain(name, fields[name])}
    parts = [f"{heading}{text}\n" for heading, text in _body(body)]
    if fields:
        block = "".join(f"{line}\n" for line in toml_lines(cast("Mapping[str, Value]", fields)))
        parts.insert(0, f"{FENCE}\n{block}{FENCE}\n")
    return "\n".join(parts)


def read_lesson(text: str) -> LessonRecord | tuple[Finding, ...]:
    """The record in a file, or all that is wrong with the file, in the order of its lines."""
    found = parsed(text)
    try:
        record = LessonRecord.model_validate(found.fields)
    except ValidationError as cause:
        found.findings += _findings(found, cause)
    else:
        if not found.findings:
            return record
    return tuple(sorted(found.findings, key=lambda finding: (finding.line, finding.field)))


def field_line(text: str, field: str) -> int:
    """The line on which a field of the file stands, or the line that it ought to stand behind."""
    return parsed(text).line_of(field)


def file_names(lessons: Mapping[str, LessonRecord]) -> dict[str, str]:
    """The file name of each lesson by its id: made of the title, safe on every file system.

    Names tell apart what a House tells apart; lessons of several packs that are alike in kind,
    scope, project and title get their ids into their names.
    """
    plain = {key: _name(record) for key, record in lessons.items()}
    taken = Counter(plain.values())
    return {
        key: f"{name}.md" if taken[name] == 1 else f"{name}-{_digest([key])}.md"
        for key, name in plain.items()
    }


def _texts(record: LessonRecord) -> list[str]:
    """The fields that stand in the body if they can."""
    named = ("title", "lesson", *SECTIONS)
    return [name for name in named if getattr(record, name) is not None]


def _body(texts: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    headings = {"title": "# ", "lesson": ""} | {k: f"{v}\n\n" for k, v in SECTIONS.items()}
    yield from ((heading, texts[name]) for name, heading in headings.items() if name in texts)


def _is_plain(name: str, text: str) -> bool:
    """Whether the text comes back from the body as it is, also when an editor trims lines."""
    lines = text.split("\n")
    if has_hidden(text) or any(line != line.rstrip() for line in lines):
        return False
    if name == "title":
        return text == text.strip()
    taken = is_heading(lines[0], "#") or any(is_heading(line, "##") for line in lines)
    return bool(lines[0] and lines[-1]) and not taken


def _findings(found: LessonText, cause: ValidationError) -> Iterator[Finding]:
    """What the contract says; a field may be missing because the block could not be read."""
    broken = bool(found.findings)
    for error in cause.errors(include_input=False, include_url=False):
        if broken and error["type"] == "missing":
            continue
        name = ".".join(str(part) for part in error["loc"])
        problem = error["msg"].removeprefix("Value error, ")
        yield Finding(found.line_of(name), name or "record", problem[:1].lower() + problem[1:])


def _name(record: LessonRecord) -> str:
    folded = unicodedata.normalize("NFKD", record.title).encode("ascii", "ignore").decode().lower()
    slug = re.sub(r"[^a-z0-9]+", "-", folded).strip("-")
    if len(slug) > _LONGEST_SLUG:  # at the end of a word, if it has one
        slug = slug[: _LONGEST_SLUG + 1].rpartition("-")[0] or slug[:_LONGEST_SLUG]
    return (
        f"{slug or 'lesson'}-{_digest([record.kind, record.scope, record.project, record.title])}"
    )


def _digest(parts: list[str | None]) -> str:
    return hashlib.sha256(rfc8785.dumps(parts)).hexdigest()[:_DIGEST_SIGNS]
