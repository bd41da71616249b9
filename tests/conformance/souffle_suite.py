"""Soufflé's own tests, those that our subset can hold, against the answers kept beside them.

`python tests/conformance/souffle_suite.py DIR OUT.json` takes a checkout of Soufflé (or any folder
of its layout: `NAME/NAME.dl`, `NAME/facts/*.facts`, `NAME/*.csv`), runs each program under stated
limits, and writes for every case one outcome: `agrees`, `differs` (in which relations), `outside`
(the codes that refuse it), `limit`, `failed`, or `no answers`. Nothing of the suite is kept.
"""

import hashlib
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from time import monotonic

import engine
from rules import MATCHERS, Loaded, Source, load, syntax

LIMITS = engine.Limits(base_facts=2_000_000, derived_rows=2_000_000, join_rows=20_000_000)
SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one case."""

    case: str
    outcome: str
    detail: str


def results(root: Path) -> Iterator[Result]:
    """The result of every case of a suite, by name."""
    for program in sorted(root.rglob("*.dl")):
        if program.stem == program.parent.name:
            yield _result(program)


def digest_of(root: Path) -> str:
    """A digest of all programs of a suite, by path."""
    state = hashlib.sha256()
    for program in sorted(root.rglob("*.dl")):
        state.update(str(program.relative_to(root)).encode() + b"\0" + program.read_bytes())
    return state.hexdigest()


def commit_of(root: Path) -> str | None:
    """The commit that a suite is checked out at, None iff it is no checkout."""
    done = subprocess.run(
        ["git", "-C", str(root), "rev-parse", "HEAD"], capture_output=True, text=True, check=False
    )
    return done.stdout.strip() or None


def _result(file: Path) -> Result:
    name = file.stem
    try:
        text = file.read_bytes().decode()
    except UnicodeDecodeError:
        return Result(name, "outside", "not UTF-8")
    loaded = load([Source(str(file), text)], include=_include)
    if loaded.ruleset is None:
        codes = sorted({d.code for d in loaded.diagnostics if d.severity == "error"})
        return Result(name, "outside", " ".join(codes))
    return _compared(file, loaded, loaded.ruleset.program)


def _compared(file: Path, loaded: Loaded, program: engine.Program) -> Result:
    outputs = {r.name for r in program.relations.values() if r.output}
    answers = {p.stem: p for p in file.parent.glob("*.csv") if p.stem in outputs}
    if not answers:
        return Result(file.stem, "no answers", "")
    end = monotonic() + SECONDS
    try:
        facts = [f for name in program.relations for f in _facts(file, loaded, program, name)]
        model = engine.evaluate(
            program, facts, [], LIMITS, MATCHERS, expired=lambda: monotonic() > end
        )
    except engine.LimitReachedError as cause:
        return Result(file.stem, "limit", str(cause))
    except (engine.ArithmeticFaultError, engine.FactRefusedError, ValueError) as cause:
        return Result(file.stem, "failed", str(cause))
    try:
        wrong = [
            f"{name}: {len(model.of(name))} rows, {len(wanted)} expected"
            for name, path in sorted(answers.items())
            if model.of(name) != (wanted := _rows(program, name, path))
        ]
    except ValueError as cause:
        return Result(file.stem, "failed", f"answers in another form: {cause}")
    return Result(file.stem, "differs" if wrong else "agrees", "; ".join(wrong))


def _include(including: str, wanted: str) -> Source | None:
    path = Path(including).parent / wanted
    return Source(str(path), path.read_text(encoding="utf-8")) if path.is_file() else None


def _facts(file: Path, loaded: Loaded, program: engine.Program, name: str) -> Iterator[engine.Fact]:
    """The facts of a given relation, from the file that its `.input` names."""
    if not program.relations[name].given:
        return
    parameters = _parameters(loaded, name)
    path = file.parent / "facts" / parameters.get("filename", f"{name}.facts")
    if not path.is_file():
        problem = f"no facts for {name}"
        raise ValueError(problem)
    delimiter = parameters.get("delimiter", "\t").replace("\\t", "\t")
    for row in _rows(program, name, path, delimiter):
        yield engine.Fact.of(name, row, "suite")


def _parameters(loaded: Loaded, name: str) -> Mapping[str, str]:
    exchanges: Iterator[syntax.Exchange] = (e for tree in loaded.trees for e in tree.exchanges)
    for exchange in exchanges:
        if exchange.relation.text == name and exchange.direction == "input":
            return {key.text.lower(): value.text for key, value in exchange.parameters}
    return {}


def _rows(
    program: engine.Program, name: str, path: Path, delimiter: str = "\t"
) -> frozenset[engine.Row]:
    bases = [program.base_of(column.type) for column in program.relations[name].columns]
    found: set[engine.Row] = set()
    for line in path.read_text(encoding="utf-8").split("\n"):
        if line or (bases == [engine.SYMBOL] and line != ""):
            cells = [] if not bases and line == "()" else line.removesuffix("\r").split(delimiter)
            if len(cells) != len(bases):
                problem = f"{path.name}: {len(cells)} cells for {len(bases)} columns"
                raise ValueError(problem)
            pairs = zip(cells, bases, strict=True)
            found.add(tuple(int(c) if base == engine.NUMBER else c for c, base in pairs))
    return frozenset(found)


def main() -> None:
    """Run the suite in the folder named first, and write the results to the file named second."""
    root, out = Path(sys.argv[1]), Path(sys.argv[2])
    found = list(results(root))
    counts = Counter(result.outcome for result in found)
    content = {
        "suite_commit": commit_of(root),
        "suite_digest": digest_of(root),
        "limits": {**asdict(LIMITS), "seconds": SECONDS},
        "counts": dict(sorted(counts.items())),
        "cases": [asdict(result) for result in found],
    }
    out.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    sys.stdout.write(f"{dict(counts)}\n")


if __name__ == "__main__":
    main()
