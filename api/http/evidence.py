"""What answers rest on: derivations, sets of given facts, rulesets."""

from typing import Any

from litestar import Controller, get
from litestar.params import FromPath

from api.http.access import Authenticated
from api.http.problems import RULES, TOKEN, documented
from house import read_derivation, read_facts, read_ruleset
from store.proofs import StoredFacts, StoredRuleset


class Evidence(Controller):
    """`/v1/derivations`, `/v1/fact-sets` and `/v1/rulesets`."""

    path = "/v1"
    tags = ["evidence"]

    @get("/derivations/{digest:str}", responses=documented(*TOKEN, *RULES, "not_found"))
    async def derivation(self, digest: FromPath[str], access: Authenticated) -> dict[str, Any]:
        """Read the certificate of a conclusion; knowing its digest grants nothing."""
        return await read_derivation(access.runtime, access.token, digest, access.at)

    @get("/fact-sets/{digest:str}", responses=documented(*TOKEN, *RULES, "not_found"))
    async def facts(self, digest: FromPath[str], access: Authenticated) -> StoredFacts:
        """Read a set of given facts, as rows of relation, values and source."""
        return await read_facts(access.runtime, access.token, digest, access.at)

    @get("/rulesets/{version:str}", responses=documented(*TOKEN, "not_found"))
    async def ruleset(self, version: FromPath[str], access: Authenticated) -> StoredRuleset:
        """Read the canonical text of a ruleset."""
        return await read_ruleset(access.runtime, access.token, version)
