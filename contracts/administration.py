"""What administration asks for: rooms, principals, projects, grants, tokens, vocabularies."""

import re
from datetime import datetime
from typing import Annotated, Literal, Self, TypeAlias

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BeforeValidator,
    Field,
    StringConstraints,
    TypeAdapter,
    ValidationError,
    model_validator,
)

from contracts.tasks import Name
from contracts.texts import Contract, Key, ProjectKey, RoomKey, Title

_RFC_3339 = re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d{1,6})?([Zz]|[+-]\d\d:\d\d)")
_YEARS = range(1970, 9999)  # so that no offset leads out of what Python and PostgreSQL can hold
MOST_WORDS = 1_000
"""How many values of one kind a principal may declare."""


def _rfc_3339(value: object) -> object:
    if isinstance(value, datetime) or (isinstance(value, str) and _RFC_3339.fullmatch(value)):
        return value
    problem = "not a time of RFC 3339 with an offset, such as 2031-05-17T08:30:00Z"
    raise ValueError(problem)


def _in_range(value: datetime) -> datetime:
    if value.year not in _YEARS:
        problem = f"the year is not between {_YEARS.start} and {_YEARS.stop - 1}"
        raise ValueError(problem)
    return value


def _not_shared(room: str) -> str:
    if room == "shared":
        problem = "`shared` is what belongs to no room"
        raise ValueError(problem)
    return room


Instant: TypeAlias = Annotated[
    AwareDatetime, Field(strict=False), AfterValidator(_in_range), BeforeValidator(_rfc_3339)
]
"""A point in time, sent as RFC 3339 with an offset."""

PrincipalKey: TypeAlias = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9_.-]{0,63}$")]
PrincipalKind: TypeAlias = Literal["operator", "spirit", "adapter", "reviewer", "ci"]
Operation: TypeAlias = Literal["read", "start_task", "import", "promote", "administer"]
Scope: TypeAlias = Annotated[
    str, StringConstraints(pattern=r"^(shared|room:[a-z0-9][a-z0-9_-]{0,63})$")
]
"""`shared`, or `room:` and the key of a room."""

Scopes: TypeAlias = Annotated[tuple[Scope, ...], Field(min_length=1, max_length=100, strict=False)]
RecordId: TypeAlias = Annotated[str, StringConstraints(pattern=r"^[a-z0-9-]{1,100}$")]
VocabularyKind: TypeAlias = Literal[
    "event_type", "phase", "task_kind", "stage", "register", "language", "technology"
]


class Reasoned(Contract):
    """A change that may say why; the reason goes into its act."""

    reason: Title | None = None


class NewRoom(Reasoned):
    """A room to be made."""

    room: Annotated[RoomKey, AfterValidator(_not_shared)]


class Appointment(Reasoned):
    """Who is to govern a room, null for nobody; `previous` is the appointment that it follows."""

    principal: PrincipalKey | None
    previous: RecordId | None = None


class NewPrincipal(Reasoned):
    """A principal to be registered."""

    principal: PrincipalKey
    kind: PrincipalKind


class Revocation(Reasoned):
    """The end of a principal, a grant or a token."""


class NewProject(Reasoned):
    """A project that may be named in a scope from now on."""

    project: ProjectKey
    scope: Scope = "shared"


class Retirement(Reasoned):
    """The end of a project in a scope."""

    scope: Scope = "shared"


class NewGrant(Reasoned):
    """A grant of one operation; without times it holds from now on until it is revoked.

    With `delegated` the caller gives it as the governing spirit of all its rooms: it holds as long
    as the caller governs them.
    """

    principal: PrincipalKey
    operation: Operation
    scopes: Scopes
    valid_from: Instant | None = None
    valid_until: Instant | None = None
    delegated: bool = False


class NewToken(Reasoned):
    """A token, by the SHA-256 of the secret that the client made and keeps."""

    principal: PrincipalKey
    operations: Annotated[tuple[Operation, ...], Field(min_length=1, max_length=5, strict=False)]
    scopes: Scopes
    expires_at: Instant | None = None
    sha256: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


_KEYS: TypeAdapter[str] = TypeAdapter(Key)


class NewWords(Contract):
    """Values of one kind that the caller declares that it uses."""

    kind: VocabularyKind
    values: Annotated[tuple[Name, ...], Field(min_length=1, max_length=MOST_WORDS, strict=False)]

    @model_validator(mode="after")
    def _usable(self) -> Self:
        """What a state vector or an event cannot carry would be declared in vain."""
        if self.kind not in {"phase", "task_kind"}:
            for value in self.values:
                try:
                    _KEYS.validate_python(value)
                except ValidationError as cause:
                    problem = f"a value is no key, which a {self.kind.replace('_', ' ')} is"
                    raise ValueError(problem) from cause
        return self
