"""Matchers: computed relations over text, each in time linear in the text.

Regular expressions are RE2's (R. Cox, Regular Expression Matching in the Wild, 2010), which cannot
be made to run away; globs and affixes are turned into them or compared directly. Each matcher takes
a row of pattern and text.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib import import_module
from typing import Any, Final, cast

from engine import MatcherFaultError, Row

_RE2: Any = import_module("re2")  # it ships no types
_MOST_STATES_BYTES: Final = 8 * 1024 * 1024


def glob(row: Row) -> bool:
    """Whether the whole text fits a glob: `*` and `?` stay inside a path segment, `**` does not."""
    pattern, text = _texts(row)
    return _compiled(_glob_expression(pattern)).fullmatch(text) is not None


def regex(row: Row) -> bool:
    """Whether an RE2 expression matches somewhere in the text.

    Raises `MatcherFaultError` for an expression that RE2 refuses.
    """
    pattern, text = _texts(row)
    return _compiled(pattern).search(text) is not None


def prefix(row: Row) -> bool:
    """Whether the text starts with the pattern."""
    pattern, text = _texts(row)
    return text.startswith(pattern)


def suffix(row: Row) -> bool:
    """Whether the text ends with the pattern."""
    pattern, text = _texts(row)
    return text.endswith(pattern)


def contains(row: Row) -> bool:
    """Whether the pattern stands somewhere in the text."""
    pattern, text = _texts(row)
    return pattern in text


MATCHERS: Final[Mapping[str, Callable[[Row], bool]]] = {
    "contains": contains,
    "glob": glob,
    "prefix": prefix,
    "regex": regex,
    "suffix": suffix,
}
"""The matchers by the name that `@[computed = "…"]` takes; each has two symbol columns."""


def _texts(row: Row) -> tuple[str, str]:
    pattern, text = row
    if isinstance(pattern, int) or isinstance(text, int):
        raise MatcherFaultError("a matcher takes symbols")
    return pattern, text


def _glob_expression(pattern: str) -> str:
    """The regular expression of a glob; every other character stands for itself."""
    parts: list[str] = []
    rest = pattern
    while rest:
        if rest.startswith("**"):
            parts.append("(?s:.*)")
            rest = rest.lstrip("*")
        elif rest[0] in "*?":
            parts.append("[^/]*" if rest[0] == "*" else "[^/]")
            rest = rest[1:]
        else:
            parts.append(cast("str", _RE2.escape(rest[0])))
            rest = rest[1:]
    return "".join(parts)


@lru_cache(maxsize=1024)
def _compiled(expression: str) -> Any:
    options = _RE2.Options()
    options.log_errors = False
    options.max_mem = _MOST_STATES_BYTES
    try:
        return _RE2.compile(expression, options)
    except _RE2.error as cause:
        raise MatcherFaultError("an expression is not one of RE2's") from cause
