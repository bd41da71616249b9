"""`athanor up` and `athanor demo`."""

import asyncio
import signal
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import click
import uvicorn

from api.cli.demonstration import first_house, run_demonstration
from api.http import create_application
from api.opening import Opened, clock, opened
from api.settings import Settings, read_settings


class _Server(uvicorn.Server):
    """A server that leaves signals to whoever runs it."""

    def install_signal_handlers(self) -> None:
        pass


@asynccontextmanager
async def served(house: Opened, host: str, port: int) -> AsyncGenerator[str]:
    """The address at which a House is served while the block runs."""
    application = create_application(house.runtime, clock)
    config = uvicorn.Config(
        application, host=host, port=port, lifespan="off", log_level="warning", access_log=False
    )
    listener = config.bind_socket()
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
