"""`athanor token`: the secret is made here, goes into a file, and is sent nowhere."""

import hashlib
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import click

from api.cli.calls import Item, as_json, change, idempotency_key, reason, segment, show, tell
from api.cli.grants import OPERATIONS
from api.cli.outcome import CommandError, Exit
from api.opening import new_secret, write_secret


@click.group()
def token() -> None:
    """Make, list and revoke tokens."""


@token.command()
@click.argument("principal")
@click.option(
    "--operation", "operations", required=True, multiple=True, type=click.Choice(OPERATIONS)
)
@click.option(
    "--scope", "scopes", required=True, multiple=True, help="`shared` or `room:` and its key."
)
@click.option("--expires", metavar="TIME", help="RFC 3339 with an offset; never if not named.")
@click.option(
    "--out",
    "file",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="A new file for the secret, which only you may read.",
)
@reason
@idempotency_key
@as_json
def create(
    *,
    principal: str,
    operations: tuple[str, ...],
    scopes: tuple[str, ...],
    expires: str | None,
    file: Path,
    reason: str | None,
    key: str | None,
    as_json: bool,
) -> None:
    """Make a token for PRINCIPAL and write its secret to a file of mode 0600."""
    with _new_secret_in(file) as secret:
        body = {
            "principal": principal,
            "operations": operations,
            "scopes": scopes,
            "expires_at": expires,
            "sha256": hashlib.sha256(secret.encode()).hexdigest(),
            "reason": reason,
        }
        answer = change("/v1/tokens", body, key)
    tell(answer, f"token {answer['token_id']} in {file}", as_json=as_json)


@contextmanager
def _new_secret_in(file: Path) -> Generator[str]:
    """A secret that is kept in a new file iff the block succeeds."""
    secret = new_secret()
    try:
        write_secret(file, secret)
    except OSError as cause:
        problem = (cause.strerror or "unknown cause").lower()
        raise CommandError(f"`{file}` cannot be written: {problem}", Exit.USAGE) from cause
    try:
        yield secret
    except BaseException:
        file.unlink(missing_ok=True)
        raise


@token.command("list")
@as_json
def list_tokens(as_json: bool) -> None:
    """List the tokens in scopes that you administer, and your own."""
    show("/v1/tokens", _line, as_json=as_json)


@token.command()
@click.argument("token")
@reason
@idempotency_key
@as_json
def revoke(token: str, reason: str | None, key: str | None, as_json: bool) -> None:
    """End TOKEN, from now on."""
    answer = change(f"/v1/tokens/{segment(token)}/revoke", {"reason": reason}, key)
    tell(answer, f"token {answer['token_id']} is revoked", as_json=as_json)


def _line(found: Item) -> str:
    parts = [f"{found['token_id']}  {found['principal']}: {', '.join(found['operations'])}"]
    parts.append(f"in {', '.join(found['scopes'])}")
    if found["expires_at"] is not None:
        parts.append(f"until {found['expires_at']}")
    if found["revoked"]:
        parts.append("revoked")
    return "  ".join(parts)
