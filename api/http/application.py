"""The Litestar application over one runtime."""

from collections.abc import Callable
from datetime import datetime

from litestar import Litestar
from litestar.datastructures import State
from litestar.di import Provide
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, License, SecurityScheme

from api.http.access import provide_access
from api.http.bodies import JsonRequest, strict_contracts
from api.http.evidence import Evidence
from api.http.health import Health
from api.http.imports import Imports
from api.http.problems import HANDLERS
from api.http.tasks import Tasks
from house import Runtime


def create_application(runtime: Runtime, clock: Callable[[], datetime]) -> Litestar:
    """The application; whoever made the runtime opens and closes it. Its API is at `/openapi`."""
    return Litestar(
        route_handlers=[Tasks, Evidence, Imports, Health],
        dependencies={"access": Provide(provide_access)},
        exception_handlers=HANDLERS,
        plugins=[strict_contracts()],
        request_class=JsonRequest,
        state=State({"runtime": runtime, "clock": clock}),
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
            security=[{"token": []}],
        ),
        logging_config=None,
    )
