"""The kinds of text that contracts allow: free text, keys and titles, each with its bounds."""

from typing import Annotated, Final, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

_NOT_BLANK: Final = r"[^\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]"
_BREAKS: Final = r"[\x00\n-\r\x1c-\x1e\x85\u2028\u2029]"


def _storable(text: str) -> str:
    """The text itself; raises `ValueError` for the one character that PostgreSQL cannot keep."""
    if "\0" in text:
        problem = "text holds a NUL character"
        raise ValueError(problem)
    return text


def _not_blank(text: str) -> str:
    if not text.strip():
        problem = "text is blank"
        raise ValueError(problem)
    return text


def _one_line(text: str) -> str:
    if text.splitlines() != [text]:
        problem = "text has more than one line"
        raise ValueError(problem)
    return text


Prose: TypeAlias = Annotated[
    str,
    StringConstraints(min_length=1, max_length=8_000),
    Field(json_schema_extra={"pattern": _NOT_BLANK, "not": {"pattern": r"\x00"}}),
    AfterValidator(_storable),
    AfterValidator(_not_blank),
]
"""Free text, at most 8,000 characters."""

Title: TypeAlias = Annotated[
    str,
    StringConstraints(min_length=1, max_length=300),
    Field(json_schema_extra={"pattern": _NOT_BLANK, "not": {"pattern": _BREAKS}}),
    AfterValidator(_storable),
    AfterValidator(_not_blank),
    AfterValidator(_one_line),
]
"""One line that names a lesson."""

Key: TypeAlias = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.:/+#-]{0,79}$")]
"""A key of an open enumeration: a tag, a stage, a language."""

RoomKey: TypeAlias = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_-]{0,63}$")]
ProjectKey: TypeAlias = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_.-]{0,63}$")]


class Contract(BaseModel):
    """A record at a boundary: strict types, no unknown fields, unchangeable."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)
