"""Signs that do not show, or that act on what shows them: one table for all that writes text out.

The table is written down instead of asked of a Unicode database, whose version differs from one
Python to the next: the same text is written alike everywhere.
"""

import re
from typing import Final

_CONTROLS: Final = r"\x00-\x08\x0b-\x1f\x7f-\x9f"  # all but tab and line feed; escape, NEL, CR
_BREAKS: Final = r"\u2028\u2029"
_JOINERS_AND_DIRECTIONS: Final = r"\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff"
_FILLERS: Final = r"\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\uffa0\ufff0-\ufffb"
_NOTATIONS: Final = r"\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
_VARIATIONS_AND_TAGS: Final = r"\ufe00-\ufe0f\U000e0000-\U000e0fff"
_PRIVATE: Final = r"\ue000-\uf8ff\U000f0000-\U0010ffff"
_NO_CHARACTERS: Final = r"\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"

HIDDEN: Final = (
    _CONTROLS
    + _BREAKS
    + _JOINERS_AND_DIRECTIONS
    + _FILLERS
    + _NOTATIONS
    + _VARIATIONS_AND_TAGS
    + _PRIVATE
    + _NO_CHARACTERS
)
"""The inside of a character class of regular expressions: every sign that is never written raw.

Tab and line feed are not in it.
"""

COMBINING: Final = r"\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
"""Marks that change the sign before them, in the same form."""

_ANY_HIDDEN: Final = re.compile(f"[{HIDDEN}]")


def has_hidden(text: str) -> bool:
    """Whether the text holds a sign that does not show; tab and line feed do."""
    return _ANY_HIDDEN.search(text) is not None
