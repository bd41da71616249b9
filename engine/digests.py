"""Content digests: SHA-256 over tagged, length-prefixed fields.

Two different values never have the same encoding, because every text and every list carries its
length in front and every kind its own tag; so `["ab", "c"]`, `["a", "bc"]`, `1` and `"1"` differ.
"""

import hashlib
from collections.abc import Collection, Iterator
from typing import Final, TypeAlias

Content: TypeAlias = "str | int | Collection[Content] | None"

_FLUSHED_PARTS: Final = 4096


def digest(content: Content) -> str:
    """The SHA-256 of a nested list of texts, integers and holes, as 64 hexadecimal digits.

    Iterative, so that depth is no limit. Raises `UnicodeEncodeError` for text with lone surrogates,
    and `TypeError` for a truth value, which is no number here.
    """
    state = hashlib.sha256()
    parts: list[bytes] = []
    stack: list[Iterator[Content]] = [iter((content,))]
    while stack:
        for item in stack[-1]:
            if isinstance(item, str):
                encoded = item.encode()
                parts.append(b"s%d:%b" % (len(encoded), encoded))
            elif item is None:
                parts.append(b"n")
            elif isinstance(item, int):
                if isinstance(item, bool):
                    raise TypeError("a truth value has no digest")
                parts.append(b"i%d;" % item)
            else:
                parts.append(b"l%d:" % len(item))
                stack.append(iter(item))
                break
        else:
            stack.pop()
        if len(parts) >= _FLUSHED_PARTS or not stack:
            state.update(b"".join(parts))
            parts.clear()
    return state.hexdigest()
