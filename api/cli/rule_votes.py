"""`athanor rules crosscheck`: a second evaluator's vote on every scenario."""

import json
import sys
from pathlib import Path

import click

from api.cli.outcome import CommandError, Exit, counted
from api.cli.rule_sources import ruleset_of
from api.cli.rule_tests import scenarios_of
from engine import ArithmeticFaultError, FactRefusedError, LimitReachedError, Limits, evaluate
from obligations.crosscheck import Agrees, Diverges, Question, Vote, Voter
from rules import MATCHERS, Ruleset, Scenario

_MEMORY_BYTES = 4 * 1024**3


@click.command()
@click.argument("names", nargs=-1, required=True, metavar="FILE|FOLDER|PACK…")
@click.option(
    "--scenarios",
    "files",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Scenario files; by default every `*.toml` beside the rules.",
)
@click.option(
    "--seconds", default=60.0, show_default=True, help="What the second evaluator may take."
)
@click.option("--json", "as_json", is_flag=True, help="Print the votes as one JSON object.")
def crosscheck(
    names: tuple[str, ...], files: tuple[Path, ...], seconds: float, as_json: bool
) -> None:
    """Let pyDatalog evaluate the scenarios too: 0 agrees, 1 diverges, 3 when some are unchecked."""
    ruleset = ruleset_of(names)
    scenarios = scenarios_of(names, files)
    questions = [_question(ruleset, scenario) for scenario in scenarios]
    voter = Voter(Path(sys.executable), timeout_seconds=seconds, memory_bytes=_MEMORY_BYTES)
    votes = voter.vote_all(questions)
    _print(scenarios, votes, as_json=as_json)
    if any(isinstance(vote, Diverges) for vote in votes):
        raise SystemExit(Exit.FAILED)
    if not all(isinstance(vote, Agrees) for vote in votes):
        raise SystemExit(Exit.INCONCLUSIVE)


def _question(ruleset: Ruleset, scenario: Scenario) -> Question:
    """The question whether our model of a scenario is right in all derived relations."""
    try:
        model = evaluate(ruleset.program, scenario.facts, [], Limits(), MATCHERS)
    except (FactRefusedError, LimitReachedError, ArithmeticFaultError) as cause:
        message = f"scenario `{scenario.name}` has no model: {cause}"
        raise CommandError(message, Exit.FAILED) from cause
    return Question.of(model, scenario.facts)


def _print(scenarios: list[Scenario], votes: tuple[Vote, ...], *, as_json: bool) -> None:
    if as_json:
        told = [
            {"scenario": s.name, "vote": type(v).__name__.lower(), "detail": str(v)}
            for s, v in zip(scenarios, votes, strict=True)
        ]
        click.echo(json.dumps({"votes": told}))
        return
    for scenario, vote in zip(scenarios, votes, strict=True):
        if not isinstance(vote, Agrees):
            click.echo(f"{type(vote).__name__.lower()}: {scenario.name}: {vote}")
    count = sum(isinstance(vote, Agrees) for vote in votes)
    verb = "agrees" if len(votes) == 1 else "agree"
    click.echo(f"{count} of {counted(len(votes), 'scenario')} {verb}")
