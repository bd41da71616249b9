"""`athanor derivation show | export | verify`."""

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

import click
import httpx

from api.cli.connection import connected
from api.cli.evidence import (
    Evidence,
    NotACertificateError,
    from_bundle,
    from_house,
    read_file,
    shipped_only,
)
from api.cli.explanation import explain_certificate
from api.cli.outcome import CommandError, Exit, body_of
from api.settings import Settings, read_settings
from contracts import Bundle
from engine import Limits, MalformedCertificateError, Status, Verdict, check
from rules import MATCHERS

_LIMITS = Limits()
_EXITS = {
    Status.VERIFIED: Exit.PASSED,
    Status.REFUSED: Exit.FAILED,
    Status.UNCHECKED: Exit.INCONCLUSIVE,
}


@click.group()
def derivation() -> None:
    """Show, export and verify derivations."""


@derivation.command()
@click.argument("which")
@click.option("--json", "as_json", is_flag=True, help="Print the certificate as JSON.")
def show(which: str, as_json: bool) -> None:
    """Show the derivation in the file WHICH, or the one of that digest from the House."""
    certificate = asyncio.run(_certificate(read_settings(), which))
    if as_json:
        click.echo(json.dumps(certificate))
        return
    try:
        click.echo(explain_certificate(certificate, {}))
    except MalformedCertificateError as cause:
        raise CommandError(str(cause), Exit.USAGE) from cause


@derivation.command()
@click.argument("which")
@click.argument("bundle", type=click.Path(dir_okay=False, path_type=Path))
def export(which: str, bundle: Path) -> None:
    """Write certificate, rules and given facts of WHICH to BUNDLE, to be verified offline."""
    content = asyncio.run(_bundle(read_settings(), which))
    bundle.write_text(content.model_dump_json(indent=1) + "\n", encoding="utf-8")
    click.echo(f"wrote {bundle}")


@derivation.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--offline", is_flag=True, help="Ask no House; use what FILE holds.")
@click.option("--json", "as_json", is_flag=True, help="Print the verdict as JSON.")
def verify(file: Path, offline: bool, as_json: bool) -> None:
    """Verify the certificate or bundle in FILE: 0 verified, 1 refused, 3 absences unchecked."""
    verdict = asyncio.run(_verdict(file, offline=offline))
    if as_json:
        click.echo(json.dumps({"verdict": verdict.status, "reason": verdict.reason}))
    else:
        click.echo(f"{verdict.status}: {verdict.reason}")
    raise SystemExit(_EXITS[verdict.status])


async def _verdict(file: Path, *, offline: bool) -> Verdict:
    try:
        content = read_file(file.read_bytes())
    except NotACertificateError as cause:
        return Verdict(Status.REFUSED, f"not a certificate: {cause}")
    if isinstance(content, Bundle):
        certificate: Mapping[str, object] = content.certificate
        evidence = from_bundle(content)
    else:
        certificate = content
        evidence = shipped_only() if offline else await _from_any_house(content)
    if evidence is None:
        return Verdict(Status.REFUSED, "the rules that it names are not known")
    ruleset = evidence.ruleset
    verdict = check(
        certificate, ruleset.program, ruleset.version, evidence.given, _LIMITS, matchers=MATCHERS
    )
    if verdict.status == Status.VERIFIED and not evidence.is_shown:
        return Verdict(Status.UNCHECKED, "steps hold, but the House shows no such derivation")
    return verdict


async def _from_any_house(certificate: Mapping[str, object]) -> Evidence | None:
    """The evidence from the House; the shipped rules alone when the House cannot be reached."""
    try:
        async with connected(read_settings()) as client:
            return await from_house(client, certificate)
    except CommandError as cause:
        if cause.code != Exit.INCONCLUSIVE:
            raise
        return shipped_only()


async def _certificate(settings: Settings, which: str) -> dict[str, Any]:
    """The certificate in a file (by itself or in a bundle), or of that digest in the House."""
    if not Path(which).is_file():
        async with connected(settings) as client:
            return await _fetch(client, f"/v1/derivations/{quote(which, safe='')}")
    try:
        content = read_file(Path(which).read_bytes())
    except NotACertificateError as cause:
        raise CommandError(f"`{which}` is not a certificate: {cause}", Exit.USAGE) from cause
    return content.certificate if isinstance(content, Bundle) else content


async def _bundle(settings: Settings, which: str) -> Bundle:
    certificate = await _certificate(settings, which)
    async with connected(settings) as client:
        ruleset = await _fetch(client, f"/v1/rulesets/{certificate['ruleset_version']}")
        sets = [
            await _fetch(client, f"/v1/fact-sets/{name}") for name in certificate["given_digests"]
        ]
    return Bundle(
        certificate=certificate,
        rules=ruleset["text"],
        fact_sets={found["digest"]: found["facts"] for found in sets},
    )


async def _fetch(client: httpx.AsyncClient, path: str) -> dict[str, Any]:
    body: dict[str, Any] = body_of(await client.get(path))
    return body
