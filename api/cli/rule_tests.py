"""`athanor rules test | crosscheck`: scenarios, and a second evaluator's vote on them."""

import json
from dataclasses import dataclass
from pathlib import Path

import click

from api.cli.outcome import CommandError, Exit
from api.cli.rule_sources import own_rules, ruleset_of
from engine import Limits
from house import PACKS, scenario_files
from rules import (
    MATCHERS,
    Scenario,
    ScenarioError,
    Trial,
    read_scenarios,
    try_scenario,
    uncovered,
)

_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class _Run:
    """All trials of a command, and the rules that none of them applied."""

    trials: list[Trial]
    uncovered: tuple[str, ...]

    @property
    def failed(self) -> list[Trial]:
        return [trial for trial in self.trials if trial.failures]


@click.command()
@click.argument("names", nargs=-1, required=True, metavar="FILE|FOLDER|PACK…")
@click.option(
    "--scenarios",
    "files",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Scenario files; by default every `*.toml` beside the rules.",
)
@click.option("--cover", is_flag=True, help="Fail when a rule is applied by no scenario.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object.")
def test(names: tuple[str, ...], files: tuple[Path, ...], cover: bool, as_json: bool) -> None:
    """Run scenarios: 0 when all pass, 1 when one fails, 2 when there are none."""
    ruleset = ruleset_of(names)
    scenarios = scenarios_of(names, files)
    trials = [try_scenario(ruleset.program, s, _LIMITS, MATCHERS) for s in scenarios]
    done = _Run(trials, uncovered(own_rules(names), trials))
    _print_run(done, as_json=as_json)
    if done.failed or (cover and done.uncovered):
        raise SystemExit(Exit.FAILED)


def scenarios_of(names: tuple[str, ...], files: tuple[Path, ...]) -> list[Scenario]:
    """The scenarios that are named, or that lie beside the rules; none at all is an error."""
    found: list[Scenario] = []
    texts = [(str(file), file.read_text(encoding="utf-8")) for file in files]
    if not files:
        for name in names:
            texts.extend(_beside(name))
    try:
        for file, text in texts:
            found.extend(read_scenarios(file, text))
    except ScenarioError as cause:
        raise CommandError(str(cause), Exit.USAGE) from cause
    if not found:
        raise CommandError("there is no scenario", Exit.USAGE)
    return found


def _beside(name: str) -> list[tuple[str, str]]:
    path = Path(name)
    if not path.exists():
        return scenario_files(PACKS if name == "shipped" else (name,))
    folder = path if path.is_dir() else path.parent
    return [(str(f), f.read_text(encoding="utf-8")) for f in sorted(folder.glob("*.toml"))]


def _print_run(done: _Run, *, as_json: bool) -> None:
    if as_json:
        content = {
            "scenarios": [
                {"name": trial.name, "passed": not trial.failures, "failures": list(trial.failures)}
                for trial in done.trials
            ],
            "uncovered_rules": list(done.uncovered),
        }
        click.echo(json.dumps(content))
        return
    for trial in done.failed:
        click.echo(f"failed: {trial.name}")
        for failure in trial.failures:
            click.echo(f"  {failure}")
    for rule_id in done.uncovered:
        click.echo(f"not covered: rule {rule_id}")
    click.echo(f"{len(done.trials) - len(done.failed)} passed, {len(done.failed)} failed")
