"""Whether the process lives, and whether it can answer."""

from typing import Any, Final

from litestar import Controller, Request, Response, get
from litestar.openapi.datastructures import ResponseSpec

from api.http.problems import documented
from house import Runtime
from store import DatabaseUnavailableError, schema_version

_UNAVAILABLE: Final = ResponseSpec(
    dict[str, Any],
    generate_examples=False,
    description="The same body with the status `unavailable`: the database does not answer.",
)


class Health(Controller):
    """`/health` and `/ready`; neither needs a token, neither says anything of a House."""

    tags = ["health"]

    @get("/health", sync_to_thread=False, responses=documented())
    def health(self) -> dict[str, str]:
        """Answer that the process lives."""
        return {"status": "live"}

    @get("/ready", responses=documented() | {503: _UNAVAILABLE})
    async def ready(self, request: Request[Any, Any, Any]) -> Response[dict[str, Any]]:
        """Answer whether the database is there, and which ruleset is active."""
        runtime: Runtime = request.app.state.runtime
        body: dict[str, Any] = {"ruleset_version": runtime.ruleset.version}
        try:
            body["schema_version"] = await schema_version(runtime.database)
        except DatabaseUnavailableError:
            return Response({"status": "unavailable"} | body, status_code=503)
        return Response({"status": "ready"} | body)
