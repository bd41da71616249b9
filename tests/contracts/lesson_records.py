"""Lesson records for tests: every field, awkward texts, and the texts that a file is made of."""

from typing import Any

from hypothesis import strategies as st
from pydantic import ValidationError

from contracts import LessonRecord

SIGNS = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
PIECES = (
    "\n", "\n\n", "\r\n", "\r", "\t", " ", "+++", "\n+++\n", "## When", "## Proof", "## Notes",
    "##", "# ", "#", "### three", "title = 1", "[trigger]", '"""', "'''", '"', "\\", "\\n",
    "\\u0041", "```", "\u2028", "\x85", "\u202e", "\u200b", "\ufeff", "\x1b", "\x7f", "\u00a0",
    "\u3000", "e\u0301", "\U0001f6f6", "\U000e0041", "a", "rule",
)  # fmt: skip
TEXTS = st.one_of(
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=12).map("".join),
    st.text(SIGNS, min_size=1, max_size=60),
    st.sampled_from(["x" * 8000, "\n".join(["line"] * 400), "a\n\n    code\n\nb"]),
).filter(lambda text: bool(text.strip()) and len(text) <= 8000)
TITLES = TEXTS.map(lambda text: "".join(text.splitlines())[:300]).filter(
    lambda text: bool(text.strip()) and text.splitlines() == [text]
)
KEYS = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9_.:/+#-]{0,12}", fullmatch=True)
LISTS = st.lists(KEYS, max_size=14)
TRIGGERS = st.fixed_dictionaries(
    {},
    optional={
        "condition": TEXTS,
        "ast_condition": TEXTS,
        "scope": st.sampled_from(["text", "tool", "tool:a \u2028\n+++\n'\"\\b"]),
        "interrupt": st.sampled_from(["block", "remind"]),
        "cooldown_seconds": st.integers(1, 31_536_000),
    },
)
SOURCES = st.fixed_dictionaries(
    {"path": TITLES}, optional={"first_line": st.integers(1, 9), "last_line": st.integers(9, 99)}
)
LISTED = ("tags", "stages", "registers", "languages", "technologies", "threads")
FIELDS = {
    "kind": st.sampled_from(["coding_lesson", "project_lesson"]),
    "trigger_context": TEXTS,
    "proof_pattern": TEXTS,
    "shape": KEYS,
    "scope": st.sampled_from(["shared", "forge"]),
    "project": st.sampled_from(["sluicebook", "a.b_c-9"]),
    "voice": KEYS,
    **dict.fromkeys(LISTED, LISTS),
    "always_on": st.booleans(),
    "negation_of_title": TITLES,
    "superseded_by_title": TITLES,
    "trigger": TRIGGERS,
    "source": SOURCES,
    "version": st.integers(1, 1_000_000),
    "review": st.sampled_from(["promoted", "dismissed", "archived", "unreviewed"]),
}


def a_record(**changes: object) -> LessonRecord:
    return LessonRecord.model_validate({"title": "Rinse", "lesson": "Rinse it."} | changes)


def _fits(fields: dict[str, Any]) -> bool:
    try:
        LessonRecord.model_validate(fields)
    except ValidationError:
        return False
    return True


RECORDS = (
    st.fixed_dictionaries({"title": TITLES, "lesson": TEXTS}, optional=FIELDS)
    .filter(_fits)
    .map(LessonRecord.model_validate)
)
