"""Lessons as files: what was written is read, what is wrong is named with its line and field."""

import re
from pathlib import Path, PureWindowsPath
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lesson_records import RECORDS, SIGNS, TEXTS, TITLES, a_record

from contracts import LessonPack, LessonRecord, field_line, file_names, read_lesson, written_lesson
from contracts.signs import has_hidden

WHOLE = dedent(
    """\
    +++
    scope = "forge"
    tags = ["payments", "retries"]
    always_on = true
    [trigger]
    interrupt = "remind"
    [source]
    path = "notes/payments.md"
    first_line = 3
    +++

    # Give each payment request an idempotency key

    A retry after a lost answer must not charge twice:

        key = uuid4()

    # kept beside the order

    ## When

    a request that changes something is sent again

    ## Proof

    the same request sent twice makes one charge
    """
)


@given(RECORDS)
def test_what_is_written_is_read_back(record: LessonRecord) -> None:
    text = written_lesson(record)
    assert read_lesson(text) == record
    assert text == written_lesson(record)
    assert text.endswith("\n")
    assert not has_hidden(text)
    assert not re.search(r"[^\S\n]$", text, re.MULTILINE)  # an editor that trims lines does nothing


@given(RECORDS)
def test_a_file_survives_the_line_endings_of_windows_and_a_byte_order_mark(
    record: LessonRecord,
) -> None:
    assert read_lesson("\ufeff" + written_lesson(record).replace("\n", "\r\n")) == record


LINES = st.sampled_from(["+++", "# a", "## When", "## Proof", "## x", "", "b", "tags = [", "a = 1"])
FILES = st.lists(LINES | st.text(SIGNS, max_size=20), max_size=12).map("\n".join)


@given(FILES | st.text(SIGNS, max_size=80))
def test_any_text_is_a_lesson_or_has_findings(text: str) -> None:
    found = read_lesson(text)
    if isinstance(found, LessonRecord):
        assert read_lesson(written_lesson(found)) == found
        return
    assert found
    for finding in found:
        assert 1 <= finding.line <= text.count("\n") + 1
        assert finding.problem


def test_a_file_reads_as_a_person_would_write_it() -> None:
    record = read_lesson(WHOLE)
    assert isinstance(record, LessonRecord)
    assert written_lesson(record) == WHOLE
    assert record.title == "Give each payment request an idempotency key"
    assert record.lesson.splitlines()[-1] == "# kept beside the order"
    assert record.trigger_context == "a request that changes something is sent again"
    assert record.proof_pattern == "the same request sent twice makes one charge"


def test_the_least_lesson_is_a_heading_and_a_rule() -> None:
    assert written_lesson(a_record()) == "# Rinse\n\nRinse it.\n"
    assert read_lesson("# Rinse\nRinse it.") == a_record()


PLACES = {
    "a text of several lines": ("a\nb\n\nc", "body"),
    "a code block": ("run:\n\n    ## no\n```\n# yes\n```", "body"),
    "a heading of the third level": ("### Why\nb", "body"),
    "a plus line": ("a\n+++\nb", "body"),
    "a line that begins with a blank": ("  a", "body"),
    "a heading of ours": ("a\n## Proof\nb", "block"),
    "another heading of the second level": ("a\n## Notes", "block"),
    "a title": ("# a\nb", "block"),
    "a blank line at the end": ("a\n", "block"),
    "a blank line at the beginning": ("\na", "block"),
    "a line that ends with a blank": ("a \nb", "block"),
    "line endings of Windows": ("a\r\nb", "block"),
    "a sign that does not show": ("a\u202eb", "block"),
    "a zero-width sign": ("a\u200bb", "block"),
    "a line break of another kind": ("a\u2028## When", "block"),
}


@pytest.mark.parametrize("name", PLACES)
def test_a_rule_stands_in_the_body_iff_it_comes_back_from_there(name: str) -> None:
    rule, place = PLACES[name]
    text = written_lesson(a_record(lesson=rule))
    assert text.startswith("+++") == (place == "block")
    assert read_lesson(text) == a_record(lesson=rule)
    assert field_line(text, "lesson") == (2 if place == "block" else 3)


WRONG: dict[str, tuple[str, list[tuple[int, str, str]]]] = {
    "nothing": ("", [(1, "lesson", "required"), (1, "title", "required")]),
    "no heading": ("just words", [(1, "title", "required")]),
    "no rule": ("# a\n\n## Proof\nb", [(1, "lesson", "required")]),
    "a blank title": ("# \nb", [(1, "title", "at least 1 character")]),
    "an open block": ("+++\ntags = []\n# a\nb", [(1, "", "`+++` opens is not closed")]),
    "no TOML": ("+++\n\ntags = [\n+++\n# a\nb", [(3, "", "no TOML")]),
    "a date for a flag": (
        "+++\nalways_on = 2031-05-17\n+++\n# a\nb",
        [(2, "always_on", "valid boolean")],
    ),
    "a key twice": ("+++\nshape = 'a'\nshape = 'b'\n+++\n# a\nb", [(3, "", "no TOML")]),
    "a number without end": (f"+++\nversion = {'9' * 5000}\n+++\n# a\nb", [(2, "", "no TOML")]),
    "a block without end": (f"+++\ntags = {'[' * 5000}\n+++\n# a\nb", [(2, "", "nested")]),
    "a fraction": ("+++\nversion = 1.0\n+++\n# a\nb", [(2, "version", "valid integer")]),
    "not a number": ("+++\nversion = nan\n+++\n# a\nb", [(2, "version", "valid integer")]),
    "an unknown field": (
        "+++\nkind = 'coding_lesson'\ncolour = 1\n+++\n# a\nb",
        [(3, "colour", "")],
    ),
    "a wrong tag": (
        "+++\ntags = [\n  'a',\n  'two words',\n]\n+++\n# a\nb",
        [(2, "tags.1", "match")],
    ),
    "a wrong table": (
        "+++\n[trigger]\ninterrupt = 'x'\n+++\n# a\nb",
        [(3, "trigger.interrupt", "")],
    ),
    "an unknown section": ("# a\nb\n## Proofs\nc", [(3, "", "`## When` and `## Proof`")]),
    "a section twice": (
        "# a\nb\n## Proof\nc\n## When\nd\n## Proof\ne",
        [(7, "proof_pattern", "stands in line 3 already")],
    ),
    "a rule in both places": (
        "+++\nlesson = 'x'\n+++\n# a\nb",
        [(5, "lesson", "stands in line 2 already")],
    ),
    "a title in both places": ("+++\ntitle = 'x'\n+++\n\n# a\nb", [(5, "title", "line 2 already")]),
    "an empty section": ("# a\nb\n## Proof\n\n", [(3, "proof_pattern", "at least 1 character")]),
    "a project lesson without one": (
        "+++\nkind = 'project_lesson'\n+++\n# a\nb",
        [(4, "record", "needs a project key")],
    ),
    "a NUL": ('+++\nshape = "\\u0000"\n+++\n# a\nb', [(2, "shape", "match")]),
    "a lone surrogate": ('+++\nshape = "\\ud800"\n+++\n# a\nb', [(2, "", "no TOML")]),
    "everything at once": (
        "+++\ncolour = 1\nversion = 0\n+++\n# a\n## Notes\nx\n## Proof\n",
        [
            (2, "colour", "not permitted"),
            (3, "version", "greater"),
            (6, "", "unknown section"),
            (8, "proof_pattern", "at least 1"),
        ],
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_file_is_refused_with_line_and_field_for(name: str) -> None:
    text, expected = WRONG[name]
    found = read_lesson(text)
    assert not isinstance(found, LessonRecord)
    assert [(f.line, f.field) for f in found] == [(line, field) for line, field, _ in expected]
    for finding, (_, _, said) in zip(found, expected, strict=True):
        assert said in finding.problem


NAMED = st.builds(
    lambda title, scope: a_record(title=title, scope=scope),
    TITLES | st.sampled_from(["con", "NUL", "..", "a/b", "", "\U0001f6f6"]).filter(bool),
    st.sampled_from(["shared", "forge"]),
)


@given(st.dictionaries(st.text(SIGNS, min_size=1, max_size=5), NAMED, max_size=6))
def test_file_names_are_safe_and_tell_lessons_apart(lessons: dict[str, LessonRecord]) -> None:
    names = file_names(lessons)
    assert set(names) == set(lessons)
    assert len(set(names.values())) == len(lessons)
    for name in names.values():
        assert re.fullmatch(r"[a-z0-9][a-z0-9-]*-[0-9a-f]{12}\.md", name)
        assert len(name) <= 90
        assert PureWindowsPath(name).name == name
        assert not PureWindowsPath(name).is_reserved()


def test_a_lesson_keeps_its_file_name_when_its_rule_changes() -> None:
    one, other = a_record(), a_record(lesson="Otherwise.", version=2, review="archived")
    assert file_names({"a": one}) == file_names({"a": other})
    assert file_names({"a": one})["a"].startswith("rinse-")


@pytest.mark.parametrize("change", [{"scope": "forge"}, {"project": "p"}, {"title": "rinse"}])
def test_lessons_that_a_house_tells_apart_have_names_of_their_own(change: dict[str, str]) -> None:
    names = file_names({"a": a_record(), "b": a_record(**change)})
    assert names["a"] != names["b"]


NAMED_AS = {
    "Drop a column in a release of its own": "drop-a-column-in-a-release-of-its-own",
    "Quote the failing input in the first line of a bug": (
        "quote-the-failing-input-in-the-first-line-of-a"
    ),
    "x" * 300: "x" * 48,
    "\u00c9t\u00e9: 2 \u00bd cups / day": "ete-2-12-cups-day",
    "\u65e5\u672c": "lesson",
    "../../etc/passwd": "etc-passwd",
    "CON": "con",
}


@pytest.mark.parametrize("title", NAMED_AS)
def test_a_file_is_named_after_the_words_of_its_title(title: str) -> None:
    name = file_names({"a": a_record(title=title)})["a"]
    assert name[:-16] == NAMED_AS[title]


def test_the_lesson_files_of_the_corpus_are_those_of_its_pack() -> None:
    corpus = Path(__file__).parents[2] / "corpus"
    pack = LessonPack.model_validate_json((corpus / "first-lessons.json").read_bytes())
    lessons = {str(number): record for number, record in enumerate(pack.lessons)}
    names = file_names(lessons)
    wanted = {names[key]: written_lesson(record) for key, record in lessons.items()}
    paths = (corpus / "lesson-files").glob("*-*.md")
    assert {path.name: path.read_text(encoding="utf-8") for path in paths} == wanted


@given(TITLES, TEXTS)
def test_titles_and_rules_never_change_places(title: str, rule: str) -> None:
    record = a_record(title=title, lesson=rule)
    found = read_lesson(written_lesson(record))
    assert isinstance(found, LessonRecord)
    assert (found.title, found.lesson) == (title, rule)
