"""Lists in pages: a cursor is the last key shown, bound to the list and to the caller's scopes.

It is made of what was shown and nothing else, so that it tells nothing; one from other scopes or of
another list is refused, since what it would go on with is another list.
"""

import base64
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from engine import digest
from house.authorization import Caller

USUAL_ITEMS, MOST_ITEMS = 50, 200
_SURROGATE = re.compile("[\ud800-\udfff]")
Item = TypeVar("Item")


class CursorError(Exception):
    """The cursor is none of this list under the caller's present scopes."""

    def __init__(self) -> None:
        super().__init__("the cursor belongs to another list or to other scopes")


@dataclass(frozen=True, slots=True)
class Window:
    """What of a list is asked for: how many items, after which cursor; None: from the start."""

    limit: int = USUAL_ITEMS
    cursor: str | None = None


@dataclass(frozen=True, slots=True)
class Page(Generic[Item]):
    """Items in the order of the list, and where it goes on; None iff it ends here."""

    items: tuple[Item, ...]
    next_cursor: str | None


def start_of(caller: Caller, name: str, window: Window, first: Sequence[str]) -> list[str]:
    """The key after which the page starts; `first` is less than every key.

    Raises `CursorError`.
    """
    if window.cursor is None:
        return list(first)
    try:
        found: Any = json.loads(base64.urlsafe_b64decode(window.cursor.encode("ascii")))
        bound, *key = found
    except (ValueError, TypeError, RecursionError) as cause:
        raise CursorError from cause
    fits = len(key) == len(first) and all(_storable(part) for part in key)
    if not fits or bound != _bound(caller, name):
        raise CursorError
    return [str(part) for part in key]


def page_of(
    caller: Caller, name: str, window: Window, found: Sequence[tuple[Sequence[str], Item]]
) -> Page[Item]:
    """The page of what was found: pairs of key and item, of one more than the limit if there is."""
    shown = found[: window.limit]
    more = len(found) > window.limit
    following = _cursor(caller, name, shown[-1][0]) if more and shown else None
    return Page(tuple(item for _, item in shown), following)


def _storable(part: object) -> bool:
    """Whether PostgreSQL can be asked for it: a text without NUL and without half a character."""
    return isinstance(part, str) and "\0" not in part and not _SURROGATE.search(part)


def _cursor(caller: Caller, name: str, key: Sequence[str]) -> str:
    text = json.dumps([_bound(caller, name), *key], separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode("ascii")


def _bound(caller: Caller, name: str) -> str:
    """What ties a cursor to its list and to what the caller may read."""
    return digest(["cursor", name, caller.authorization_digest])[:16]
