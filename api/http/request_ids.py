"""`X-Request-ID` on every answer: the caller's own if it is fit to repeat, else one of ours."""

import re
from typing import Final
from uuid import uuid4

from litestar.types import Message, Scope

_HEADER: Final = b"x-request-id"
_FIT: Final = re.compile(rb"[\x21-\x7e]{1,128}")


def request_id(scope: Scope) -> str:
    """The id of a request, always the same for the same request.

    It is the caller's iff there is exactly one, of 1 to 128 visible ASCII characters.
    """
    state = scope["state"]
    if "request_id" not in state:
        sent = [value for name, value in scope["headers"] if name.lower() == _HEADER]
        fit = len(sent) == 1 and _FIT.fullmatch(sent[0])
        state["request_id"] = sent[0].decode("ascii") if fit else uuid4().hex
    return str(state["request_id"])


async def name_answer(message: Message, scope: Scope) -> None:
    """Put the id of the request on its answer."""
    if message["type"] == "http.response.start":
        kept = [row for row in message.get("headers", ()) if row[0].lower() != _HEADER]
        message["headers"] = [*kept, (_HEADER, request_id(scope).encode("ascii"))]
