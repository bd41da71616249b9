"""The routes of administration, together."""

from typing import Final

from litestar.types import ControllerRouterHandler

from api.http.grants import GrantRoutes
from api.http.principals import PrincipalRoutes
from api.http.projects import ProjectRoutes
from api.http.rooms import RoomRoutes
from api.http.tokens import TokenRoutes
from api.http.vocabularies import VocabularyRoutes

ADMINISTRATION: Final[list[ControllerRouterHandler]] = [
    RoomRoutes,
    PrincipalRoutes,
    ProjectRoutes,
    GrantRoutes,
    TokenRoutes,
    VocabularyRoutes,
]
"""Every one needs a token."""
