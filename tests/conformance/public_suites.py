"""Runs the test programs of other engines: `python tests/conformance/public_suites.py DIR OUT`.

DIR is a checkout of Soufflé or of Nemo, or any folder of their tests; what it holds says which.
Into the folder OUT goes `conformance-SUITE.json` with the suite's commit and digest and with the
outcome of every case. Nothing of a suite is kept.
"""

import json
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import nemo_suite
import souffle_suite
from suite_report import Case, Result, judge, record


@dataclass(frozen=True, slots=True)
class Suite:
    """How the cases of a suite are found and read."""

    programs: Callable[[Path], list[Path]]
    prepare: Callable[[Path], Case]


SUITES = {
    "nemo": Suite(nemo_suite.programs, nemo_suite.prepare),
    "souffle": Suite(souffle_suite.programs, souffle_suite.prepare),
}


class UnknownSuiteError(Exception):
    """A folder holds the programs of no suite, or of several."""

    def __init__(self, root: Path, found: list[str]) -> None:
        what = " and ".join(found) or f"neither {' nor '.join(SUITES)}"
        super().__init__(f"`{root}` holds test programs of {what}")


def recognise(root: Path) -> str:
    """The name of the suite in a folder; raises `UnknownSuiteError`."""
    found = [name for name, suite in SUITES.items() if suite.programs(root)]
    if len(found) != 1:
        raise UnknownSuiteError(root, found)
    return found[0]


def run(name: str, root: Path) -> list[Result]:
    """The result of every case of a suite, by path."""
    suite = SUITES[name]
    return [
        judge(str(file.relative_to(root).with_suffix("")), partial(suite.prepare, file))
        for file in suite.programs(root)
    ]


def main(root: Path, out: Path) -> None:
    """Run the suite in a folder, and write what became of it into another."""
    name = recognise(root)
    found = run(name, root)
    content = json.dumps(record(name, root, found), indent=1, ensure_ascii=False)
    (out / f"conformance-{name}.json").write_text(content + "\n", encoding="utf-8")
    counts = Counter(result.outcome for result in found)
    shown = ", ".join(f"{count} {outcome}" for outcome, count in sorted(counts.items()))
    sys.stdout.write(f"{name}: {len(found)} cases: {shown}\n")


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]), Path(sys.argv[2]))
    except UnknownSuiteError as cause:
        sys.exit(str(cause))
