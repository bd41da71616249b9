"""Synthetic packs of lessons: every field occurs, every text is made up."""

from houses import PROJECTS, Json, lesson, pack

WORDS = ("brass", "tide", "valve", "sluice", "lantern", "barge", "gauge", "quay", "rope", "keel")
REVIEWS = ("promoted", "promoted", "promoted", "unreviewed", "dismissed", "archived")
SCOPES = ("shared", "shared", "forge", "library")


def synthetic(count: int = 117, *, name: str = "synthetic") -> Json:
    """A pack with so many lessons, of which some are twins and some have given way."""
    return pack([record(number) for number in range(count)], name)


def title(number: int) -> str:
    return f"Lesson {number} of the {WORDS[number % len(WORDS)]}"


def record(number: int) -> Json:
    """A record whose fields depend on its number alone."""
    first, second = WORDS[number % 10], WORDS[(number * 7 + 3) % 10]
    row = lesson(
        title(number),
        f"Check the {first} before the {second}, number {number}. \u00dcber \u2013 \U0001f6f6.",
        scope=SCOPES[number % len(SCOPES)],
        review=REVIEWS[number % len(REVIEWS)],
        tags=[first, f"n-{number % 9}"],
        always_on=number % 40 == 11,
    )
    if number % 3 == 0:
        row |= {"trigger_context": f"The {first} is wet.", "proof_pattern": f"The {second} is dry."}
        row |= {"shape": "process", "voice": "house", "threads": [f"thread-{number}"]}
    if number % 4 == 1:
        row |= {"stages": ["build"], "languages": ["python"], "technologies": ["postgresql"]}
    if number % 10 == 7:
        row |= {"kind": "project_lesson", "project": PROJECTS[number % len(PROJECTS)]}
    if number % 12 == 5:
        row |= {"negation_of_title": title(number - 1)}
    if number % 12 == 8:
        row |= {"superseded_by_title": title(number - 1), "registers": ["operations"]}
    if number % 20 == 2:
        row["trigger"] = {"condition": f"{first}.*", "scope": "tool:shell", "interrupt": "remind"}
        row["trigger"] |= {"ast_condition": "call", "cooldown_seconds": 60 + number}
        row["source"] = {"path": f"docs/{first}.md", "first_line": 3, "last_line": 3 + number}
    return row
