"""`athanor up` and `athanor demo`."""

import asyncio
import signal
import socket
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import uvicorn

from api.cli.demonstration import first_house, run_demonstration
from api.cli.outcome import CommandError, Exit
from api.http import create_application
from api.opening import Opened, clock, opened
from api.settings import Settings, read_settings

_GRACE_SECONDS = 5  # for requests that are under way when the server is stopped
_BACKLOG = 2048


class _Server(uvicorn.Server):
    """A server that leaves signals to whoever runs it."""

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        yield


@asynccontextmanager
async def served(house: Opened, host: str, port: int) -> AsyncGenerator[str]:
    """The address at which a House is served while the block runs.

    Raises `CommandError` when nothing can listen there.
    """
    application = create_application(house.runtime, clock)
    config = uvicorn.Config(
        application,
        lifespan="off",
        log_level="warning",
        access_log=False,
        timeout_graceful_shutdown=_GRACE_SECONDS,
    )
    listener = _listener(host, port)
    server = _Server(config)
    running = asyncio.create_task(server.serve(sockets=[listener]))
    try:
        while not server.started:
            if running.done():
                await running
            await asyncio.sleep(0.005)
        name, bound = listener.getsockname()[:2]
        shown = f"[{name}]" if ":" in name else name
        yield f"http://{shown}:{bound}"
    finally:
        server.should_exit = True
        await running
        listener.close()


def _listener(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=_BACKLOG)
    except OSError as cause:
        reason, _, _ = (cause.strerror or "unknown cause").lower().partition(" (")
        message = f"cannot listen on `{host}` port {port}: {reason}"
        raise CommandError(message, Exit.USAGE) from cause


async def until_stopped() -> None:
    """Return when the process is asked to stop."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)
    await stop.wait()


@click.command()
def up() -> None:
    """Serve the House until stopped: PostgreSQL, schema, first token, HTTP."""
    asyncio.run(_up(read_settings()))


async def _up(settings: Settings) -> None:
    async with opened(settings) as house, served(house, settings.host, settings.port) as address:
        click.echo(f"serving {address}")
        click.echo(f"token in {house.token_file}")
        click.echo(f"  export ATHANOR_URL={address} ATHANOR_TOKEN_FILE={house.token_file}")
        await until_stopped()


@click.command()
@click.option("--stay", is_flag=True, help="Keep serving until stopped.")
def demo(stay: bool) -> None:
    """Show the main job on a synthetic House: three task starts over HTTP, each explained."""
    asyncio.run(_demo(stay=stay))


async def _demo(*, stay: bool) -> None:
    with TemporaryDirectory(prefix="athanor-demo-") as directory:
        settings = Settings(home=Path(directory), database_url=None)
        async with opened(settings, first_house()) as house, served(house, "127.0.0.1", 0) as url:
            await run_demonstration(url, house.secret)
            if stay:
                click.echo(f"\nserving {url}\ntoken in {house.token_file}\nstop with Ctrl-C")
                await until_stopped()
