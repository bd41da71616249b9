"""Whether the process lives, and whether it can answer."""

from typing import Any

from litestar import Controller, Request, Response, get

from house import Runtime
from store import DatabaseUnavailableError, schema_version


class Health(Controller):
    """`/health` and `/ready`; neither needs a token, neither says anything of a House."""

    tags = ["health"]

    @get("/health", sync_to_thread=False)
    def health(self) -> dict[str, str]:
        """Answer that the process lives."""
        return {"status": "live"}

    @get("/ready")
    async def ready(self, request: Request[Any, Any, Any]) -> Response[dict[str, Any]]:
        """Answer whether the database is there, and which ruleset is active."""
        runtime: Runtime = request.app.state.runtime
        body: dict[str, Any] = {"ruleset_version": runtime.ruleset.version}
        try:
            body["schema_version"] = await schema_version(runtime.database)
        except DatabaseUnavailableError:
            return Response({"status": "unavailable"} | body, status_code=503)
        return Response({"status": "ready"} | body)
