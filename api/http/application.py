"""The Litestar application over one runtime."""

from collections.abc import Callable
from datetime import datetime
from typing import Final

from litestar import Litestar, Router
from litestar.datastructures import State
from litestar.di import Provide
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, License, SecurityScheme
from litestar.types import ControllerRouterHandler

from api.http.access import admit, provide_access
from api.http.administration import ADMINISTRATION
from api.http.bodies import MAX_BODY_BYTES, JsonRequest, strict_contracts
from api.http.capabilities import Capabilities
from api.http.evidence import Evidence
from api.http.health import Health
from api.http.imports import Imports
from api.http.lessons import Lessons
from api.http.packets import Packets
from api.http.refusals import HANDLERS
from api.http.request_ids import name_answer
from api.http.schemas import Schemas
from api.http.tasks import Tasks
from house import ReasonCache, Runtime

PUBLIC: Final[list[ControllerRouterHandler]] = [Health, Capabilities, Schemas]
"""What needs no token, and says nothing of any House."""

ADMITTED: Final[list[ControllerRouterHandler]] = [
    Tasks,
    Packets,
    Evidence,
    Imports,
    Lessons,
    *ADMINISTRATION,
]
"""What needs a token: nobody else gets so far that a body is read."""


def create_application(runtime: Runtime, clock: Callable[[], datetime]) -> Litestar:
    """The application; whoever made the runtime opens and closes it. Its API is at `/openapi`."""
    admitted = Router(
        path="/",
        route_handlers=ADMITTED,
        guards=[admit],
        dependencies={"access": Provide(provide_access)},
        security=[{"token": []}],
    )
    return Litestar(
        route_handlers=[*PUBLIC, admitted],
        exception_handlers=HANDLERS,
        before_send=[name_answer],
        plugins=[strict_contracts()],
        request_class=JsonRequest,
        request_max_body_size=MAX_BODY_BYTES,
        state=State({"runtime": runtime, "clock": clock, "reasons": ReasonCache()}),
        openapi_config=OpenAPIConfig(
            title="Athanor",
            version="1",
            description="Lessons for tasks, decided by rules, each with a derivation to check.",
            license=License(name="Apache-2.0", identifier="Apache-2.0"),
            path="/openapi",
            use_handler_docstrings=True,
            render_plugins=[JsonRenderPlugin()],
            components=Components(
                security_schemes={"token": SecurityScheme(type="http", scheme="bearer")}
            ),
        ),
        logging_config=None,
    )
