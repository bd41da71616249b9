"""The commands of `athanor`, put together."""

import signal
import sys

import click

from api.cli import (
    administration,
    derivations,
    facts,
    lesson_changes,
    lesson_files,
    lessons,
    packets,
    rule_files,
    rule_tests,
    rule_votes,
    serving,
)
from api.cli.outcome import CommandError, Exit
from api.settings import SettingsError
from store import DatabaseAddressError, DatabaseUnavailableError, MigrationError
from store.embedded import EmbeddedError


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="athanor")
def cli() -> None:
    """Lessons for tasks, decided by rules, each with a derivation that can be checked."""


cli.add_command(serving.up)
cli.add_command(serving.demo)
cli.add_command(lesson_files.import_command)
cli.add_command(lesson_files.export_command)
cli.add_command(packets.packet)
cli.add_command(lessons.lesson)
cli.add_command(derivations.derivation)
cli.add_command(facts.facts_group)
cli.add_command(rule_files.rules)
for group in administration.GROUPS:
    cli.add_command(group)
rule_files.rules.add_command(rule_tests.test)
rule_files.rules.add_command(rule_votes.crosscheck)
lessons.lesson.add_command(lesson_files.check)
lessons.lesson.add_command(lesson_changes.review)
lessons.lesson.add_command(lesson_changes.update)
lessons.lesson.add_command(lesson_changes.supersede)
lessons.lesson.add_command(lesson_changes.forget)


def main() -> None:
    """Run the command line; every known failure is one line and an exit code."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, _interrupt)
    try:
        cli(standalone_mode=False)
    except click.ClickException as cause:
        cause.show()
        sys.exit(Exit.USAGE)
    except (click.Abort, KeyboardInterrupt):
        sys.exit(130)
    except CommandError as cause:
        _say(str(cause))
        sys.exit(cause.code)
    except (SettingsError, MigrationError, DatabaseAddressError) as cause:
        _say(str(cause))
        sys.exit(Exit.USAGE)
    except DatabaseUnavailableError as cause:
        _say(f"{cause}: {cause.reason}")
        sys.exit(Exit.INCONCLUSIVE)
    except EmbeddedError as cause:
        _say(str(cause))
        sys.exit(Exit.INCONCLUSIVE)


def _interrupt(_number: int, _frame: object) -> None:
    """Stop as a terminal's interrupt does: whatever runs is unwound, and the server with it."""
    signal.raise_signal(signal.SIGINT)


def _say(message: str) -> None:
    click.echo(f"athanor: {message}", err=True)
