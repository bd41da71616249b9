"""Which principals can still act: registered, and not revoked."""

from uuid import UUID

from store import Connection, houses, one_at_a_time


class UnknownPrincipalError(Exception):
    """What is asked for names a principal that cannot act."""

    def __init__(self, key: str) -> None:
        super().__init__(f"principal `{key}` is not registered, or was revoked")
        self.location = "principal"


async def acting_principal(connection: Connection, house_id: UUID, key: str) -> houses.Principal:
    """The principal of that key; raises `UnknownPrincipalError` iff it cannot act."""
    found = await houses.principal(connection, house_id, key)
    if found is None or found.revoked:
        raise UnknownPrincipalError(key)
    return found


async def hold_principals(connection: Connection, house_id: UUID) -> None:
    """Let no other transaction revoke or appoint anyone before this one ends."""
    await one_at_a_time(connection, house_id, "principals")
