"""The connection of a command to the application."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

import httpx

from api.cli.outcome import CommandError, Exit
from api.http import create_application
from api.opening import clock, opened
from api.settings import Settings

_TIMEOUT_SECONDS = 300


@asynccontextmanager
async def connected(settings: Settings) -> AsyncGenerator[httpx.AsyncClient]:
    """A client of the server at `ATHANOR_URL`, or of the application in this process.

    In process it uses `DATABASE_URL` or the embedded PostgreSQL, starting it when needed, and the
    operator's token unless a token file is named. Raises `CommandError` when the server is named
    but no token file, when that cannot be read, or when the server cannot be reached.
    """
    if settings.url is None:
        async with opened(settings) as house:
            application = create_application(house.runtime, clock)
            transport = httpx.ASGITransport(cast("Any", application), raise_app_exceptions=False)
            secret = _secret(settings.token_file) if settings.token_file else house.secret
            async with _client("http://in-process", secret, transport) as client:
                yield client
        return
    if settings.token_file is None:
        raise CommandError("`ATHANOR_URL` needs `ATHANOR_TOKEN_FILE`", Exit.USAGE)
    async with _client(settings.url, _secret(settings.token_file), None) as client:
        try:
            yield client
        except httpx.TransportError as cause:
            message = f"the server at `{settings.url}` cannot be reached"
            raise CommandError(message, Exit.INCONCLUSIVE) from cause


def _secret(token_file: Path) -> str:
    """The secret in a token file; raises `CommandError` when it cannot be read."""
    try:
        return token_file.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as cause:
        raise CommandError("the token file cannot be read", Exit.USAGE) from cause


def _client(url: str, secret: str, transport: httpx.AsyncBaseTransport | None) -> httpx.AsyncClient:
    headers = {"Authorization": f"Bearer {secret}"}
    return httpx.AsyncClient(
        base_url=url,
        headers=headers,
        transport=transport,
        timeout=_TIMEOUT_SECONDS,
        trust_env=False,
    )
