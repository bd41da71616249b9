"""Vocabularies: the values that an adapter declares that it uses.

A value that it has not declared says nothing, not even by being absent.
"""

from datetime import datetime
from uuid import UUID

from contracts import MOST_WORDS, NewWords, Word, WordsDeclared
from engine import digest
from house.authorization import Caller, Deed, DeniedError, authorize
from house.commands import Call, Result, Written, perform
from house.pages import Page, Window, page_of, start_of
from house.runtime import Runtime
from store import Connection, grants, houses, one_at_a_time, vocabulary


class VocabularyFullError(Exception):
    """A principal declares no more values of one kind than an answer can hold."""

    def __init__(self, kind: str, found: int) -> None:
        told = f"{found} values of kind `{kind}` are more than {MOST_WORDS}"
        super().__init__(told)
        self.location = "values"


async def register_vocabulary(runtime: Runtime, call: Call, wanted: NewWords) -> WordsDeclared:
    """Declare values of a kind for the caller, who may start tasks somewhere.

    From the first one on a task that names another value of the kind is refused. Raises
    `DeniedError` and `VocabularyFullError`.
    """
    principal = call.token.principal_id

    async def asking(_connection: Connection, caller: Caller) -> Deed:
        scopes = caller.scopes_of("start_task")
        if not scopes:
            raise DeniedError("start_task")
        named = digest([wanted.kind, sorted(set(wanted.values))])[:24]
        return Deed("start_task", scopes[:1], f"vocabulary of {wanted.kind}: {named}")

    async def standing(connection: Connection, caller: Caller) -> Result | None:
        await one_at_a_time(connection, caller.house_id, f"vocabulary of {principal}")
        known, new = await _sorted_out(connection, caller.house_id)
        if len(known | new) > MOST_WORDS:
            raise VocabularyFullError(wanted.kind, len(known | new))
        return None if new else _told(known, new)

    async def write(connection: Connection, caller: Caller, act: UUID) -> Written:
        known, new = await _sorted_out(connection, caller.house_id)
        words = [vocabulary.Word(principal, wanted.kind, value) for value in sorted(new)]
        await vocabulary.add(connection, caller.house_id, words, act)
        return Written(_told(known, new))

    async def _sorted_out(connection: Connection, house_id: UUID) -> tuple[set[str], set[str]]:
        """The values of the kind that are declared already, and those that are new."""
        words = await vocabulary.of_principal(connection, house_id, principal)
        known = {word.value for word in words if word.kind == wanted.kind}
        return known, set(wanted.values) - known

    def _told(known: set[str], new: set[str]) -> Result:
        return {
            "kind": wanted.kind,
            "added": len(new),
            "declared": len(known | new),
            "unchanged": not new,
        }

    return WordsDeclared.model_validate(await perform(runtime, call, asking, write, standing))


async def list_vocabulary(
    runtime: Runtime, token: grants.Token, window: Window, at: datetime
) -> Page[Word]:
    """All declared values for who administers what is shared, else the caller's; in order."""
    async with runtime.database.inside(token.house_id, []) as connection:
        caller = await authorize(runtime, connection, token, at)
        only = None if caller.may("administer", houses.SHARED) else token.principal_id
        name = "vocabulary" if only is None else "own vocabulary"
        after = vocabulary.Word(*start_of(caller, name, window, ["", "", ""]))
        found = await vocabulary.page(connection, caller.house_id, only, after, window.limit + 1)
    shown = [
        (
            [word.principal_id, word.kind, word.value],
            Word(principal=word.principal_id, kind=word.kind, value=word.value),
        )
        for word in found
    ]
    return page_of(caller, name, window, shown)
