"""The rulesets that a House runs: the shipped packs, whole, and with every invariant watched."""

import pytest
from houses import SHARED, START, Estate, start

from house import RulesetBrokenError, shipped, shipped_sources
from house.authorization import ROUTING
from house.deciding import CONCLUSIONS
from house.rulesets import kept
from rules import load
from store import proofs

pytestmark = pytest.mark.anyio


async def test_every_invariant_of_the_shipped_packs_is_evaluated_by_some_command() -> None:
    never = {name for name, relation in shipped().program.relations.items() if relation.never}
    assert never
    assert never <= {*CONCLUSIONS, *ROUTING}


async def test_the_shipped_packs_load_without_any_finding() -> None:
    loaded = load(shipped_sources())
    assert loaded.diagnostics == ()
    assert loaded.ruleset == shipped()


async def test_a_ruleset_that_was_used_is_kept_and_loads_as_the_same(house: Estate) -> None:
    async with house.client() as client:
        await client.post("/v1/tasks/start", json=start())
    async with house.inside(SHARED) as connection:
        again = await kept(connection, shipped().version)
        assert await kept(connection, "0" * 64) is None
    assert again is not None
    assert (again.version, again.text) == (shipped().version, shipped().text)


async def test_a_kept_ruleset_that_does_not_load_is_named(house: Estate) -> None:
    async with house.inside() as connection:
        await proofs.keep_ruleset(connection, "broken", "brass(", START)
    async with house.inside() as connection:
        with pytest.raises(RulesetBrokenError, match="`broken` does not load: R1"):
            await kept(connection, "broken")
