"""The command line: a client of the same application, over TCP or in this process."""

from api.cli.program import main

__all__ = ["main"]
