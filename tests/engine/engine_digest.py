"""The digests written a second time, by recursion, from the words of ARCHITECTURE.md."""

import hashlib
from collections.abc import Mapping, Sequence

Part = str | int | Sequence["Part"] | None
Text = str | int | Sequence["Text"] | Mapping[str, "Text"] | None


def encoded(part: Part) -> bytes:
    """Tag, length where there is one, content."""
    if part is None:
        return b"n"
    if isinstance(part, int):
        return b"i" + str(part).encode() + b";"
    if isinstance(part, str):
        content = part.encode()
        return b"s" + str(len(content)).encode() + b":" + content
    return b"l" + str(len(part)).encode() + b":" + b"".join(encoded(item) for item in part)


def digest_of(part: Part) -> str:
    return hashlib.sha256(encoded(part)).hexdigest()


def json_part(value: Text) -> Part:
    """An object as its sorted pairs, a list as its items, each behind its name."""
    if isinstance(value, Mapping):
        return ["object", [[name, json_part(value[name])] for name in sorted(value)]]
    if value is None or isinstance(value, str | int):
        return value
    return ["list", [json_part(item) for item in value]]
