"""What this server can do, for callers who have to choose how to speak to it."""

from dataclasses import asdict
from importlib.metadata import version
from typing import Any, Final

from litestar import Controller, Request, get
from litestar.routes import HTTPRoute

from api.http.bodies import MAX_BODY_BYTES, MAX_IMPORT_BYTES
from api.http.problems import documented
from contracts import CONTRACTS, PACKET_LESSONS, RENDERED_BYTES
from house import Runtime

_API_VERSIONS: Final = ("v1",)


class Capabilities(Controller):
    """`/v1/capabilities`: versions, contracts, limits, operations; nothing of any House."""

    path = "/v1/capabilities"
    tags = ["contracts"]

    @get("/", sync_to_thread=False, responses=documented())
    def capabilities(self, request: Request[Any, Any, Any]) -> dict[str, Any]:
        """Tell what this server speaks and allows: versions, contracts, limits, operations."""
        runtime: Runtime = request.app.state.runtime
        return {
            "version": version("athanor"),
            "api_versions": _API_VERSIONS,
            "contracts": list(CONTRACTS),
            "limits": {
                "body_bytes": MAX_BODY_BYTES,
                "import_bytes": MAX_IMPORT_BYTES,
                "packet_lessons": PACKET_LESSONS,
                "rendered_bytes": RENDERED_BYTES,
                "evaluation": asdict(runtime.evaluator.limits),
            },
            "operations": _operations(request),
        }


def _operations(request: Request[Any, Any, Any]) -> list[str]:
    """Method and path of every operation of the interface, sorted by path."""
    found = [
        (route.path_format, handler_method)
        for route in request.app.routes
        if isinstance(route, HTTPRoute) and not route.path.startswith("/openapi")
        for handler_method in route.methods
        if handler_method != "OPTIONS"
    ]
    return [f"{method} {path}" for path, method in sorted(found)]
