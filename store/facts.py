"""Projection: records become given facts, each with the record and version that it rests on.

`rules/facts.dl` declares what is projected here; a test holds the two against each other.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Final

from engine import NUMBER, SYMBOL, Fact
from store import grants, lessons
from store.database import Connection
from store.relevance import Relevance

_S, _N = SYMBOL, NUMBER

PROJECTED: Final[Mapping[str, tuple[str, ...]]] = {
    "now": (_N,),
    "caller": (_S,),
    "token_operation": (_S,),
    "token_scope": (_S,),
    "grant": (_S, _S, _S),
    "grant_scope": (_S, _S),
    "grant_from": (_S, _N),
    "grant_until": (_S, _N),
    "grant_revoked": (_S,),
    "lesson": (_S, _S),
    "lesson_scope": (_S, _S),
    "lesson_project": (_S, _S),
    "lesson_stage": (_S, _S),
    "lesson_register": (_S, _S),
    "lesson_language": (_S, _S),
    "lesson_technology": (_S, _S),
    "lesson_always_on": (_S,),
    "lesson_authority": (_S, _S, _S),
    "lesson_superseded": (_S, _S),
    "lesson_negation": (_S, _S),
    "lesson_order": (_S, _N),
    "task_scope": (_S,),
    "task_project": (_S,),
    "task_stage": (_S,),
    "task_register": (_S,),
    "task_language": (_S,),
    "task_technology": (_S,),
    "relevance": (_S, _N, _N),
}
"""Every relation that is projected, with the kind of each column; held against `facts.dl`."""


def seconds(at: datetime) -> int:
    """Whole seconds of Unix time."""
    return int(at.timestamp())


async def routing_facts(connection: Connection, token: grants.Token, at: datetime) -> list[Fact]:
    """What pack `routing` needs: the caller, its token, its grants, and the present."""
    given = await grants.of_principal(connection, token.house_id, token.principal_id)
    return [*_token_facts(token, at), *(fact for grant in given for fact in _grant_facts(grant))]


def _token_facts(token: grants.Token, at: datetime) -> Iterator[Fact]:
    source = f"token:{token.token_id}"
    yield Fact.of("now", (seconds(at),), "clock")
    yield Fact.of("caller", (token.principal_id,), source)
    for operation in sorted(set(token.operations)):
        yield Fact.of("token_operation", (operation,), source)
    for scope in sorted(set(token.scopes)):
        yield Fact.of("token_scope", (scope,), source)


def _grant_facts(grant: grants.Grant) -> Iterator[Fact]:
    source = f"grant:{grant.grant_id}"
    key = grant.grant_id
    yield Fact.of("grant", (key, grant.principal_id, grant.operation), source)
    for scope in sorted(set(grant.scopes)):
        yield Fact.of("grant_scope", (key, scope), source)
    yield Fact.of("grant_from", (key, seconds(grant.valid_from)), source)
    if grant.valid_until is not None:
        yield Fact.of("grant_until", (key, seconds(grant.valid_until)), source)
    if grant.revoked:
        yield Fact.of("grant_revoked", (key,), f"revocation:{key}")


def base_facts(
    current: Iterable[lessons.Current], links: Iterable[lessons.Link], authorization: str
) -> list[Fact]:
    """What holds in the House whatever the task; lessons in the order that breaks ties.

    The order rests on the scopes that the caller may read, which the authorization digest names:
    sets that callers of different scopes arrive at are different sets, even of the same lessons.
    """
    facts: list[Fact] = []
    for position, lesson in enumerate(current):
        facts.extend(_lesson_facts(lesson))
        row = (lesson.lesson_id, position)
        facts.append(Fact.of("lesson_order", row, f"scopes:{authorization}"))
    for link in links:
        relation = "lesson_negation" if link.kind == "negation_of" else "lesson_superseded"
        source = f"lesson:{link.lesson_id}@{link.version}"
        facts.append(Fact.of(relation, (link.lesson_id, link.other_id), source))
    return facts


def _lesson_facts(lesson: lessons.Current) -> Iterator[Fact]:
    key = lesson.lesson_id
    source = f"lesson:{key}@{lesson.version}"
    yield Fact.of("lesson", (key, lesson.kind), source)
    yield Fact.of("lesson_scope", (key, lesson.scope), source)
    if lesson.project is not None:
        yield Fact.of("lesson_project", (key, lesson.project), source)
    if lesson.always_on:
        yield Fact.of("lesson_always_on", (key,), source)
    for relation, values in (
        ("lesson_stage", lesson.stages),
        ("lesson_register", lesson.registers),
        ("lesson_language", lesson.languages),
        ("lesson_technology", lesson.technologies),
    ):
        for value in sorted(set(values)):
            yield Fact.of(relation, (key, value), source)
    if lesson.record_id is not None and lesson.disposition is not None:
        row = (key, lesson.record_id, lesson.disposition)
        yield Fact.of("lesson_authority", row, f"authority:{lesson.record_id}")


def relevance_facts(found: list[Relevance], source: str) -> list[Fact]:
    """Scores of lessons as request facts; a score too large for a number does not occur."""
    return [Fact.of("relevance", (r.lesson_id, r.score, r.words), source) for r in found]
