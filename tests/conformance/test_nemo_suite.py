"""Cases in Nemo's layout, laid out here, and the outcome of each."""

import gzip
from functools import partial
from pathlib import Path

import nemo_suite
import pytest
from suite_report import Result, judge

Files = dict[str, str]


def outcome(folder: Path, program: str, files: Files) -> Result:
    """The result of a case `c.rls` with files beside it, its answers in `c`."""
    (folder / "c").mkdir()
    for name, text in {"c.rls": program, **files}.items():
        (folder / name).write_text(text, encoding="utf-8")
    (file,) = nemo_suite.programs(folder)
    return judge("c", partial(nemo_suite.prepare, file))


IMPORT = '@import e :- csv { resource = "e.csv" }. '
EXPORT = "@export p :- csv {}. "
COPY = "p(?x, ?y) :- e(?x, ?y)."
AGREE = {
    "facts": (EXPORT + 'p(a, "a"). p(b, "b c").', {"c/p.csv": 'a,"""a"""\nb,"""b c"""\n'}),
    "an import": (IMPORT + EXPORT + COPY, {"e.csv": "a,1\na,1\nb,2", "c/p.csv": "b,2\na,1"}),
    "lines of another width are none": (
        IMPORT + EXPORT + COPY,
        {"e.csv": "a\na,1\na,1,2\n", "c/p.csv": "a,1"},
    ),
    "an import beside facts and rules": (
        '@import p :- tsv { resource = "e.tsv" }. ' + EXPORT + "p(c). p(?x) :- q(?x). q(d).",
        {"e.tsv": "a\nb\n", "c/p.csv": "a\nb\nc\nd\n"},
    ),
    "formats, headers and a delimiter": (
        '@import e :- dsv { resource = "e", delimiter = ";", format = (string, skip, int), '
        "ignore_headers = true }. " + EXPORT + COPY,
        {"e": "x;y;1\n7;z;1\n8;z;no\n", "c/p.csv": '"""7""",1\n'},
    ),
    "quotes as they stand": (
        '@import e :- csv { resource = "e.csv", quoting = false }. ' + EXPORT + COPY,
        {"e.csv": 'a,"b"@en\n', "c/p.csv": 'a,"""b""@en"\n'},
    ),
    "an export by another name": (
        '@export p :- tsv { resource = "r.tsv" }. p(a, 1).',
        {"c/r.tsv": "a\t1\n"},
    ),
    "a base in the name of an export": ("@base <e:/> . p(a). @export p :- csv {}.", {
        "c/e__p.csv": "e:/a\n",
    }),
    "an empty relation": (IMPORT + EXPORT + COPY, {"e.csv": "", "c/p.csv": ""}),
    "negation with a free variable twice": (
        EXPORT + "p(?x) :- q(?x), ~r(?x, ?y, ?y). q(1). q(2). r(1, 2, 3). r(2, 3, 3).",
        {"c/p.csv": "1\n"},
    ),
    "a negation of free variables only": (
        EXPORT + "p(?x) :- q(?x), ~r(?y, ?y). q(1). r(1, 2).",
        {"c/p.csv": "1\n"},
    ),
    "an aggregate over different values": (
        EXPORT + "p(?x, #sum(?y)) :- q(?x, ?y, ?z). q(a, 5, 1). q(a, 5, 2). q(a, 1, 1).",
        {"c/p.csv": "a,6\n"},
    ),
    "an aggregate over different rows": (
        EXPORT + "p(?x, #sum(?y, ?z)) :- q(?x, ?y, ?z). q(a, 5, 1). q(a, 5, 2). q(a, 1, 1).",
        {"c/p.csv": "a,11\n"},
    ),
    "an aggregate over nothing": (
        EXPORT + "p(#count(?x)) :- q(?x), ?x > 7. q(1).",
        {"c/p.csv": ""},
    ),
    "an aggregate below recursion": (
        EXPORT + "p(#max(?x)) :- q(?x). p(?x) :- r(?x). r(?x) :- p(?x). r(9). q(1). q(2).",
        {"c/p.csv": "2\n9\n"},
    ),
    "a group by a calculated term": (
        EXPORT + "p(?x - ?y, #count(?x)) :- q(?x, ?y). q(2, 1). q(3, 2). q(3, 1).",
        {"c/p.csv": "1,2\n2,1\n"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", AGREE)
def test_a_case_agrees(name: str, tmp_path: Path) -> None:
    program, files = AGREE[name]
    result = outcome(tmp_path, program, files)
    assert (result.outcome, result.detail.startswith("relations: 1,")) == ("agree", True)


@pytest.mark.parametrize("name", AGREE)
def test_one_row_more_in_the_answers_is_a_difference(name: str, tmp_path: Path) -> None:
    program, files = AGREE[name]
    (answers,) = (path for path in files if path.startswith("c/"))
    mark = "\t" if answers.endswith(".tsv") else ","
    columns = files[answers].partition("\n")[0].count(mark) + 1
    more = f"{files[answers].rstrip()}\n{mark.join(['77'] * columns)}"
    result = outcome(tmp_path, program, {**files, answers: more})
    assert (result.outcome, "expected" in result.detail) == ("differ", True)


OTHER = {
    "no answers": (EXPORT + "p(a).", {}, "no answers", ""),
    "answers of no export": (EXPORT + "p(a).", {"c/q.csv": ""}, "failed form", "q.csv"),
    "no file to import": (IMPORT + EXPORT + COPY, {"c/p.csv": ""}, "failed form", "e.csv"),
    "a fraction in the answers": (
        EXPORT + "p(1).",
        {"c/p.csv": "1.5"},
        "failed form",
        "number with a fraction",
    ),
    "a rule that fails": (
        EXPORT + "p(1 / ?x) :- q(?x). q(0).",
        {"c/p.csv": ""},
        "differ",
        "a rule failed",
    ),
    "numbers and IRIs in one column": (
        EXPORT + "p(1). p(a).",
        {"c/p.csv": "1\na\n"},
        "outside",
        "numbers and symbols in one column",
    ),
    "IRIs by order": (
        EXPORT + "p(?x) :- q(?x, ?y), ?x < ?y. q(a, b).",
        {"c/p.csv": ""},
        "outside",
        "numbers and symbols in one column",
    ),
    "imports of two widths": (
        IMPORT + '@import e :- csv { resource = "f.csv", format = (int) }. ' + EXPORT + COPY,
        {"e.csv": "1,2", "f.csv": "1", "c/p.csv": ""},
        "outside",
        "imports of different widths",
    ),
    "arithmetic in recursion": (
        EXPORT + "p(1). p(?x + 1) :- p(?x), ?x < 5.",
        {"c/p.csv": "1\n2\n3\n4\n5\n"},
        "outside",
        "R310",
    ),
    "an import of RDF": (
        '@import e :- rdf { resource = "e.nt" }. ' + EXPORT + "p(a).",
        {"c/p.csv": "a"},
        "outside",
        "import of `rdf`",
    ),
    "a computed import and more": (
        '@import e :- csv { resource = f"{?a}.csv", limit = 1 }, ?a = "e". ' + EXPORT + "p(!x).",
        {"c/p.csv": "a"},
        "outside",
        "computed import, existential variable, format string as an attribute, import attribute",
    ),
    "an export in a format": (
        "@export p :- csv { format = (int) }. p(1).",
        {"c/p.csv": "1"},
        "outside",
        "export attribute `format`",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", OTHER)
def test_a_case_that_does_not_agree_says_why(name: str, tmp_path: Path) -> None:
    program, files, expected, reason = OTHER[name]
    result = outcome(tmp_path, program, files)
    assert (result.outcome, reason in result.detail) == (expected, True), result


def test_a_compressed_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "e.csv.gz").write_bytes(gzip.compress(b"a,1\n"))
    program = IMPORT.replace("e.csv", "e.csv.gz") + EXPORT + COPY
    assert outcome(tmp_path, program, {"c/p.csv": "a,1"}).outcome == "agree"
