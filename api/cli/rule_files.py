"""`athanor rules check | run | explain`."""

import json
from pathlib import Path

import click

from api.cli.explanation import explain_certificate
from api.cli.fact_files import read_facts, write_rows
from api.cli.outcome import CommandError, Exit, counted
from api.cli.rule_sources import load_named, with_inputs
from engine import (
    ArithmeticFaultError,
    Atom,
    Constant,
    Derived,
    Fact,
    FactRefusedError,
    Failed,
    LimitReached,
    LimitReachedError,
    Limits,
    MatcherFaultError,
    NotDerivable,
    answer,
    certificate,
    evaluate,
    order_key,
    prove,
    set_digest,
)
from rules import MATCHERS, Diagnostic, Ruleset, parse_atoms, render

LIMITS = Limits(request_facts=0, base_facts=20_000_000, derived_rows=20_000_000)
"""What `rules run` and `rules explain` allow, a thousand join rows for each derived row at most."""


@click.group()
def rules() -> None:
    """Check, test, run and explain rule files."""


@rules.command()
@click.argument("names", nargs=-1, required=True, metavar="FILE|FOLDER|PACK…")
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
def check(names: tuple[str, ...], as_json: bool) -> None:
    """Check files together as one program: 0 when it loads, 2 with findings otherwise."""
    loaded, texts = load_named(names)
    if as_json:
        version = loaded.ruleset.version if loaded.ruleset else None
        findings = [_finding(diagnostic) for diagnostic in loaded.diagnostics]
        click.echo(json.dumps({"ruleset_version": version, "findings": findings}))
    else:
        for diagnostic in loaded.diagnostics:
            click.echo(render(diagnostic, texts[diagnostic.place.source]))
        if loaded.ruleset:
            count = len(loaded.ruleset.program.rules)
            click.echo(f"{counted(count, 'rule')}, ruleset {loaded.ruleset.version}")
    raise SystemExit(Exit.PASSED if loaded.ruleset else Exit.USAGE)


@rules.command()
@click.argument("names", nargs=-1, required=True, metavar="FILE|FOLDER|PACK…")
@click.option("--facts", "folder", required=True, type=click.Path(file_okay=False, path_type=Path))
@click.option("--relation", "wanted", multiple=True, help="Instead of the `.output` relations.")
@click.option("--json", "as_json", is_flag=True, help="Print the rows as one JSON object.")
def run(names: tuple[str, ...], folder: Path, wanted: tuple[str, ...], as_json: bool) -> None:
    """Evaluate over tab-separated facts: `RELATION.facts` in the folder for each given relation.

    0 with the rows of every output relation, 3 when a limit was reached, 4 when a rule failed.
    """
    ruleset, inputs = with_inputs(names)
    program = ruleset.program
    chosen = wanted or tuple(r.name for r in program.relations.values() if r.output)
    for name in chosen:
        if name not in program.relations:
            raise CommandError(f"relation `{name}` is not declared", Exit.USAGE)
    try:
        model = evaluate(program, read_facts(program, folder, inputs), [], LIMITS, MATCHERS)
    except FactRefusedError as cause:
        raise CommandError(str(cause), Exit.USAGE) from cause
    except LimitReachedError as cause:
        raise CommandError(str(cause), Exit.INCONCLUSIVE) from cause
    except (ArithmeticFaultError, MatcherFaultError) as cause:
        raise CommandError(str(cause), Exit.INTERNAL) from cause
    rows = {
        name: [list(row) for row in sorted(model.of(name), key=order_key)]
        for name in sorted(chosen)
    }
    click.echo(json.dumps(rows, ensure_ascii=False) if as_json else write_rows(rows))


@rules.command()
@click.argument("names", nargs=-1, required=True, metavar="FILE|FOLDER|PACK…")
@click.option("--facts", "folder", required=True, type=click.Path(file_okay=False, path_type=Path))
@click.option("--atom", "text", required=True, help='What to explain, such as `path("a", _)`.')
@click.option("--json", "as_json", is_flag=True, help="Print the certificate as JSON.")
def explain(names: tuple[str, ...], folder: Path, text: str, as_json: bool) -> None:
    """Explain the least row that an atom fits, with facts as for `run`.

    0 with its derivation, 1 when no such row follows, 3 when a limit was reached, 4 when a rule
    failed.
    """
    ruleset, inputs = with_inputs(names)
    atom = _atom(ruleset, text)
    pattern = tuple(t.value if isinstance(t, Constant) else None for t in atom.terms)
    facts = read_facts(ruleset.program, folder, inputs)
    try:
        outcome = answer(ruleset.program, facts, (atom.relation, pattern), LIMITS, MATCHERS)
    except FactRefusedError as cause:
        raise CommandError(str(cause), Exit.USAGE) from cause
    match outcome:
        case NotDerivable():
            raise CommandError(f"not derivable: {text}", Exit.FAILED)
        case LimitReached():
            raise CommandError(outcome.message, Exit.INCONCLUSIVE)
        case Failed():
            raise CommandError(outcome.message, Exit.INTERNAL)
        case Derived():
            _print_derivation(ruleset, facts, atom.relation, outcome, as_json=as_json)


def _print_derivation(
    ruleset: Ruleset, facts: list[Fact], relation: str, outcome: Derived, *, as_json: bool
) -> None:
    derivation = prove(outcome.model, relation, outcome.rows[0])
    given = [set_digest(facts)]
    content = certificate(derivation, ruleset.version, given, outcome.model.bounds)
    click.echo(json.dumps(content) if as_json else explain_certificate(content, {}))
    if not as_json and len(outcome.rows) > 1:
        more = len(outcome.rows) - 1
        click.echo(f"({counted(more, 'more row')} {'fits' if more == 1 else 'fit'})")


def _atom(ruleset: Ruleset, text: str) -> Atom:
    """The atom of a question; raises `CommandError` for what is none of the program's."""
    found = parse_atoms(text if text.rstrip().endswith(".") else text + ".", "atom")
    if len(found) != 1 or isinstance(found[0], Diagnostic):
        first = found[0].message if found and isinstance(found[0], Diagnostic) else "not one atom"
        raise CommandError(f"`{text}`: {first}", Exit.USAGE)
    atom = found[0]
    relation = ruleset.program.relations.get(atom.relation)
    if relation is None or len(relation.columns) != len(atom.terms):
        raise CommandError(f"`{text}`: no relation of that name and width", Exit.USAGE)
    return atom


def _finding(diagnostic: Diagnostic) -> dict[str, object]:
    place = diagnostic.place
    return {
        "code": diagnostic.code,
        "severity": str(diagnostic.severity),
        "file": place.source,
        "line": place.line,
        "column": place.column,
        "message": diagnostic.message,
        "notes": list(diagnostic.notes),
        "hint": diagnostic.hint,
    }
