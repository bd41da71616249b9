"""Why pyDatalog is not left to do everything: its own answers to what `ASSISTED` says of it.

A failure here is good news: the version that is installed does better, and the tables are to be
gone through again. BUGS.md rows 20, 32 and 42.
"""

import json
import sys
from pathlib import Path

import pytest

from obligations.crosscheck import ASSISTED
from obligations.process import ProcessTimeoutError, run

PRELUDE = """
import json
from pyDatalog import pyDatalog, pyEngine
from pyDatalog.pyParser import Term
X, Y, Z, N = map(Term, "XYZN")
a, b, c, p, q, r, sum_, len_ = map(Term, ("a", "b", "c", "p", "q", "r", "sum_", "len_"))
def give(name, *rows):
    for row in rows:
        pyDatalog.assert_fact(name, *row)
def show(rows):
    print(json.dumps(sorted(rows) if isinstance(rows, list) else repr(rows)))
"""

ANSWERS = {
    "1, True and 1.0 are one row": ("give('a', (1,), (True,), (1.0,)); show(a(X).data)", [[1.0]]),
    "a symbol in capitals is a variable": ("show(Term('Ada')._pyD_type)", "'variable'"),
    "a group of nothing has no row": (
        (
            "give('a', ('g',), ('h',)); give('b', ('g', 1))\n"
            "(c[X] == len_(Y)) <= a(X) & b(X, Y); show((c[X] == N).data)"
        ),
        [["g", 1]],
    ),
    "a count counts different targets": (
        (
            "give('a', ('g', 1, 5), ('g', 2, 5)); (c[X] == len_(Z)) <= a(X, Y, Z)\n"
            "show((c[X] == N).data)"
        ),
        [["g", 1]],
    ),
    "a sum of an expression is empty": (
        (
            "give('a', ('g', 1, 5)); (c[X] == sum_(Z * 2, for_each=Y)) <= a(X, Y, Z)\n"
            "show((c[X] == N).data)"
        ),
        [],
    ),
    "division rounds down": (
        "give('a', (-7,)); p(X, Y) <= a(X) & (Y == X // 2); show(p(X, Y).data)",
        [[-7, -4]],
    ),
    "a division by zero is a value": (
        "give('a', (0,)); p(X, Y) <= a(X) & (Y == 1 // X)\nshow(type(p(X, Y).data[0][1]).__name__)",
        "'ZeroDivisionError'",
    ),
    "a relation that nobody declared is empty": (
        "give('a', (1,)); p(X) <= a(X) & q(X); show(p(X).data)",
        [],
    ),
    "negation through itself is answered": (
        "give('a', (1,)); p(X) <= a(X) & ~p(X); show(p(X).data)",
        [[1]],
    ),
    "an unsafe head is answered": ("give('a', (1,)); p(X, Y) <= a(X); show(p(X, Y).data)", "True"),
    "text that is loaded runs": (
        "pyDatalog.load(\"+ a(1)\\n__import__('builtins').print('[2]')\")",
        [2],
    ),
}

ENDLESS = {
    "three relations that need one another": (
        "give('a', (1,)); p(X) <= a(X); q(X) <= p(X); r(X) <= q(X); p(X) <= r(X); show(p(X).data)"
    ),
    "a right-recursive path over a cycle of three": (
        "give('a', (1, 2), (2, 3), (3, 1)); p(X, Y) <= a(X, Y); p(X, Z) <= a(X, Y) & p(Y, Z)\n"
        "show(p(X, Y).data)"
    ),
    "negation of one another": (
        "give('a', (1,)); p(X) <= a(X) & ~q(X); q(X) <= a(X) & ~p(X); show(p(X).data)"
    ),
    "new values without an end": (
        "give('a', (1,)); p(X) <= a(X); p(Y) <= p(X) & (Y == X + 1); show(p(X).data)"
    ),
}


def said(script: str, timeout_seconds: float) -> object:
    argv = [sys.executable, "-I", "-W", "ignore", "-c", PRELUDE + script]
    done = run(argv, env={}, cwd=Path("/"), timeout_seconds=timeout_seconds)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize(("script", "answer"), ANSWERS.values(), ids=ANSWERS)
def test_pydatalog_answers_so(script: str, answer: object) -> None:
    assert said(script, 30) == answer


@pytest.mark.parametrize("script", ENDLESS.values(), ids=ENDLESS)
def test_pydatalog_never_returns(script: str) -> None:
    with pytest.raises(ProcessTimeoutError):
        said(script, 0.7)


def test_a_negated_relation_that_nobody_declared_is_an_error() -> None:
    script = "give('a', (1,)); p(X) <= a(X) & ~q(X); show(p(X).data)"
    with pytest.raises(AssertionError, match="AttributeError: Predicate without definition"):
        said(script, 30)


def test_each_assisted_construct_has_a_reason() -> None:
    assert all(ASSISTED.values())
