"""Founding a House: the House itself, its first rooms and projects, and the operator's token."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from engine import digest
from house.authorization import act_id, secret_hash
from store import Connection, Database, acts, facts, grants, houses, narrow, projects

OPERATOR = "operator"
OPERATIONS = ("administer", "import", "promote", "read", "start_task")


@dataclass(frozen=True, slots=True)
class Founding:
    """What a new House starts with; keys and secret come from the entry point."""

    house_id: UUID
    name: str
    rooms: Sequence[str]
    projects: Sequence[str]
    secret: str


async def found_house(database: Database, founding: Founding, at: datetime) -> None:
    """Found a House whose operator may do everything in all its rooms and in what is shared."""
    house_id = founding.house_id
    scopes = sorted([houses.SHARED, *(houses.scope_of(room) for room in founding.rooms)])
    async with database.changing(house_id, scopes) as connection:
        await houses.found(connection, houses.House(house_id, founding.name), at)
        await facts.open_house(connection, house_id)
        await houses.add_principal(connection, house_id, OPERATOR, "operator", at)
        act = await _founding_act(connection, house_id, "found", "the House is founded", at)
        for room in founding.rooms:
            await houses.add_room(connection, house_id, room, act)
        for project in founding.projects:
            await projects.open_in(connection, house_id, project, houses.SHARED, act)
        given: list[str] = []
        for operation in OPERATIONS:
            key = digest(["grant", OPERATOR, operation, scopes])[:24]
            grant = grants.Grant(
                house_id, f"grant-{key}", OPERATOR, operation, scopes, at, valid_until=None
            )
            await grants.give(connection, grant, act)
            given.append(grant.grant_id)
        await _give_token(connection, house_id, founding.secret, scopes, act)
        await facts.advance(connection, given)


async def renew_operator_token(
    database: Database, house_id: UUID, secret: str, at: datetime
) -> None:
    """Give the operator a further token: whoever owns the database owns its Houses."""
    async with database.inside(house_id, []) as connection:
        scopes = sorted(
            [houses.SHARED, *(houses.scope_of(r) for r in await houses.rooms(connection, house_id))]
        )
        await narrow(connection, house_id, scopes)
        reason = "the operator's token file was missing"
        act = await _founding_act(connection, house_id, "token", reason, at)
        await _give_token(connection, house_id, secret, scopes, act)


async def _founding_act(
    connection: Connection, house_id: UUID, operation: str, reason: str, at: datetime
) -> UUID:
    act = acts.Act(
        house_id=house_id,
        act_id=act_id(OPERATOR, operation, houses.SHARED, reason, at),
        principal_id=OPERATOR,
        operation=operation,
        scope=houses.SHARED,
        basis="custody of the database",
        reason=reason,
        permission=None,
        at=at,
    )
    await acts.record(connection, act)
    return act.act_id


async def _give_token(
    connection: Connection, house_id: UUID, secret: str, scopes: list[str], act: UUID
) -> None:
    token = grants.Token(
        house_id=house_id,
        token_id=UUID(bytes=secret_hash(secret + ":id")[:16]),
        principal_id=OPERATOR,
        operations=list(OPERATIONS),
        scopes=scopes,
        expires_at=None,
    )
    await grants.add_token(connection, token, secret_hash(secret), act)
