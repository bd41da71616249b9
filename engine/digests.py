"""Content digests: SHA-256 over tagged, length-prefixed fields.

Two different values never have the same encoding, because every text and every list carries its
length in front and every kind its own tag; so `["ab", "c"]`, `["a", "bc"]`, `1` and `"1"` differ.
"""

import hashlib
from collections.abc import Iterator, Sequence
from typing import TypeAlias

Content: TypeAlias = "str | int | Sequence[Content] | None"


def digest(content: Content) -> str:
    """The SHA-256 of a nested list of texts, integers and holes, as 64 hexadecimal digits.

    Iterative, so that depth is no limit. Raises `UnicodeEncodeError` for text with lone surrogates.
    """
    state = hashlib.sha256()
    stack: list[Iterator[Content]] = [iter((content,))]
    while stack:
        for item in stack[-1]:
            if item is None:
                state.update(b"n")
            elif isinstance(item, str):
                encoded = item.encode()
                state.update(b"s%d:" % len(encoded) + encoded)
            elif isinstance(item, int):
                state.update(b"i%d;" % item)
            else:
                state.update(b"l%d:" % len(item))
                stack.append(iter(item))
                break
        else:
            stack.pop()
    return state.hexdigest()
