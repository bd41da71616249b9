"""`athanor derivation show | export | verify`."""

import asyncio
import json
from pathlib import Path
from typing import Any

import click
import httpx

from api.cli.connection import connected
from api.cli.evidence import BUNDLE_FORMAT, Evidence, from_bundle, from_house, parsed, shipped_only
from api.cli.explanation import explain_certificate
from api.cli.outcome import CommandError, Exit, body_of
from api.settings import Settings, read_settings
from engine import Limits, Status, Verdict, check

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
    click.echo(json.dumps(certificate) if as_json else explain_certificate(certificate, {}))


@derivation.command()
@click.argument("which")
@click.argument("bundle", type=click.Path(dir_okay=False, path_type=Path))
def export(which: str, bundle: Path) -> None:
    """Write certificate, rules and given facts of WHICH to BUNDLE, to be verified offline."""
    content = asyncio.run(_bundle(read_settings(), which))
    bundle.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
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
        content = parsed(file.read_bytes())
    except ValueError as cause:
        return Verdict(Status.REFUSED, f"not a certificate: {cause}")
    certificate = content
    evidence: Evidence | None
    if isinstance(content, dict) and content.get("format") == BUNDLE_FORMAT:
        certificate = content.get("certificate")
        evidence = from_bundle(content)
    elif offline:
        evidence = shipped_only()
    else:
        try:
            async with connected(read_settings()) as client:
                evidence = await from_house(client, certificate)
        except CommandError as cause:
            if cause.code != Exit.INCONCLUSIVE:
                raise
            evidence = shipped_only()
    if evidence is None:
        return Verdict(Status.REFUSED, "the rules that it names are not known")
    return check(
        certificate, evidence.ruleset.program, evidence.ruleset.version, evidence.given, _LIMITS
    )


async def _certificate(settings: Settings, which: str) -> dict[str, Any]:
    """The certificate in a file (by itself or in a bundle), or of that digest in the House."""
    if Path(which).is_file():
        try:
            content = parsed(Path(which).read_bytes())
        except ValueError as cause:
            raise CommandError(f"`{which}` is not a certificate: {cause}", Exit.USAGE) from cause
        if isinstance(content, dict) and content.get("format") == BUNDLE_FORMAT:
            content = content.get("certificate")
        if not isinstance(content, dict) or "derivation_trace" not in content:
            raise CommandError(f"`{which}` is not a certificate", Exit.USAGE)
        return content
    async with connected(settings) as client:
        return await _fetch(client, f"/v1/derivations/{which}")


async def _bundle(settings: Settings, which: str) -> dict[str, Any]:
    certificate = await _certificate(settings, which)
    async with connected(settings) as client:
        ruleset = await _fetch(client, f"/v1/rulesets/{certificate['ruleset_version']}")
        sets = [
            await _fetch(client, f"/v1/fact-sets/{name}") for name in certificate["given_digests"]
        ]
    return {
        "format": BUNDLE_FORMAT,
        "certificate": certificate,
        "rules": ruleset["text"],
        "fact_sets": {found["digest"]: found["facts"] for found in sets},
    }


async def _fetch(client: httpx.AsyncClient, path: str) -> dict[str, Any]:
    body: dict[str, Any] = body_of(await client.get(path))
    return body
