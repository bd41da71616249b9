"""The page of wrong programs, made from the corpus of diagnostics.

`python tests/docs/wrong_programs.py` writes it anew.
"""

from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "wrong-programs.md"
CORPUS = ROOT / "corpus" / "diagnostics"
SHOWN = {
    "relation-undeclared": "A name that is almost right",
    "arity": "Too many terms, or too few",
    "type-of-constant": "A constant of the wrong type",
    "enumeration": "A value that an enumeration does not have",
    "types-never-meet": "One variable in columns of two types",
    "comparison-of-types": "A number compared with a symbol",
    "unsafe": "Variables that nothing binds",
    "fact-with-variables": "A fact with a variable",
    "cycle-two-negations": "Negation through recursion",
    "aggregation-through-recursion": "An aggregate through recursion",
    "arithmetic-in-recursion": "Arithmetic that feeds its own recursion",
    "aggregate-unbound": "A shared variable of an aggregate that is not bound",
    "aggregate-misplaced": "An aggregate inside something else",
    "negation-of-more": "Negation of more than one atom",
    "id-duplicate": "A rule id that stands twice",
    "given-and-derived": "A relation that is given and derived",
    "computed-unbound": "A matcher without anything to match",
    "key-columns": "A key over columns that are not there",
    "contradiction": "A rule that can never fire",
    "variable-once": "A variable that is used once",
    "several-syntax-errors": "Several mistakes of syntax at once",
    "omitted-types": "Types of Soufflé that are left out",
}


def written_page() -> str:
    """The page: each program with what `athanor rules check` says of it."""
    parts = [
        "# Wrong programs and what they are told\n",
        (
            "All findings of a program come at once, in source order: an error keeps it from being "
            "loaded, a warning does not.\nThe first line has the place, a code that never changes "
            "its meaning, and the finding; `note:` is the law or the other\n"
            "place, `hint:` the mend.\n"
        ),
    ]
    for number, (case, title) in enumerate(SHOWN.items(), 1):
        program = (CORPUS / case / "program.dl").read_text(encoding="utf-8")
        expected = (CORPUS / case / "expected.txt").read_text(encoding="utf-8")
        parts.append(f"## {number}. {title}\n\n```dl\n{program}```\n\n```text\n{expected}```\n")
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(written_page(), encoding="utf-8")
