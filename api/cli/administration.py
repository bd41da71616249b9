"""The groups of commands of administration, together."""

from typing import Final

import click

from api.cli.grants import grant
from api.cli.projects import project
from api.cli.rooms import room
from api.cli.spirits import spirit
from api.cli.tokens import token
from api.cli.vocabularies import vocabulary

GROUPS: Final[tuple[click.Group, ...]] = (room, spirit, project, grant, token, vocabulary)
