"""What administration answers: what a change came to, and lists in pages.

What a change came to is kept under its idempotency key, so it holds ids, keys and numbers only.
`unchanged` says that the records were as asked already, and nothing was appended.
"""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from contracts.texts import Contract


class RoomMade(Contract):
    """A room; `grants` are those that its maker got in it, none iff the room was there."""

    room: str
    grants: Annotated[tuple[str, ...], Field(strict=False)]
    unchanged: bool


class Appointed(Contract):
    """Who governs a room now, null for nobody, and by which appointment."""

    room: str
    governor: str | None
    appointment: str | None
    unchanged: bool


class PrincipalChanged(Contract):
    """A principal as it is now."""

    principal: str
    kind: str
    revoked: bool
    unchanged: bool


class ProjectChanged(Contract):
    """A project as it is now in a scope."""

    project: str
    scope: str
    retired: bool
    unchanged: bool


class GrantChanged(Contract):
    """A grant as it is now."""

    grant_id: str
    revoked: bool
    unchanged: bool


class TokenChanged(Contract):
    """A token as it is now."""

    token_id: str
    revoked: bool
    unchanged: bool


class WordsDeclared(Contract):
    """How many values of a kind are new, and how many the caller has declared by now."""

    kind: str
    added: int
    declared: int
    unchanged: bool


class Room(Contract):
    """A room with the spirit that governs it, if one does, and the last appointment."""

    room: str
    governor: str | None
    appointment: str | None


class Principal(Contract):
    """Who can be granted something."""

    principal: str
    kind: str
    revoked: bool


class Project(Contract):
    """A project as one scope knows it."""

    project: str
    scope: str
    retired: bool


class Grant(Contract):
    """A grant of one operation in some scopes.

    `delegator` is set iff a governing spirit gave it to act in its place.
    """

    grant_id: str
    principal: str
    operation: str
    scopes: tuple[str, ...]
    valid_from: datetime
    valid_until: datetime | None
    delegator: str | None
    revoked: bool


class Token(Contract):
    """A token; neither its secret nor the hash of that is ever shown."""

    token_id: str
    principal: str
    operations: tuple[str, ...]
    scopes: tuple[str, ...]
    expires_at: datetime | None
    revoked: bool


class Word(Contract):
    """A value of a kind that a principal declared."""

    principal: str
    kind: str
    value: str


class _Listing(Contract):
    """A page of a list; `next_cursor` is null iff it is the last one."""

    next_cursor: str | None


class Rooms(_Listing):
    """A page of the rooms that the caller may read."""

    items: tuple[Room, ...]


class Principals(_Listing):
    """A page of the principals: all for who administers what is shared, else the caller alone."""

    items: tuple[Principal, ...]


class Projects(_Listing):
    """A page of the projects in the scopes that the caller may read."""

    items: tuple[Project, ...]


class Grants(_Listing):
    """A page of the grants in scopes that the caller administers, and of its own."""

    items: tuple[Grant, ...]


class Tokens(_Listing):
    """A page of the tokens in scopes that the caller administers, and of its own."""

    items: tuple[Token, ...]


class Words(_Listing):
    """A page of the vocabularies: all for who administers what is shared, else the caller's."""

    items: tuple[Word, ...]
