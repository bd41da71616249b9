"""The HTTP interface, version 1."""

from api.http.application import create_application

__all__ = ["create_application"]
