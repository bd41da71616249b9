"""`athanor rules check`."""

import json
from pathlib import Path

import click

from api.cli.outcome import Exit
from rules import Source, load, render


@click.group()
def rules() -> None:
    """Work with rule files."""


@rules.command()
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
def check(files: tuple[Path, ...], as_json: bool) -> None:
    """Check FILES together as one program: 0 when it loads, 2 with findings otherwise."""
    sources: list[Source] = []
    for file in files:
        try:
            sources.append(Source(str(file), file.read_bytes().decode()))
        except UnicodeDecodeError as cause:
            message = f"{file}: not UTF-8 at byte {cause.start}"
            raise click.ClickException(message) from cause
    loaded = load(sources)
    texts = {source.name: source.text for source in sources}
    if as_json:
        findings = [
            {
                "code": d.code,
                "severity": str(d.severity),
                "file": d.place.source,
                "line": d.place.line,
                "column": d.place.column,
                "message": d.message,
            }
            for d in loaded.diagnostics
        ]
        version = loaded.ruleset.version if loaded.ruleset else None
        click.echo(json.dumps({"ruleset_version": version, "findings": findings}))
    else:
        for diagnostic in loaded.diagnostics:
            click.echo(render(diagnostic, texts[diagnostic.place.source]))
        if loaded.ruleset:
            count = len(loaded.ruleset.program.rules)
            click.echo(f"{count} rules, ruleset {loaded.ruleset.version}")
    raise SystemExit(Exit.PASSED if loaded.ruleset else Exit.USAGE)
