"""A quick check of the package `rules` that is on the path: prints where it lies and `no flaw`.

Every wrong program of the corpus must be told exactly what stands beside it, the shipped packs must
load, and what they print must be read back as the same program.
"""

import sys
from pathlib import Path

import rules
from rules import Source, canonical, load, render

ROOT = Path(__file__).parents[2]
CORPUS = ROOT / "corpus" / "diagnostics"
TERMS = """
.decl p(a:number, b:symbol)
.output p
p((1 - (2 - 3)) * 4 % 5, "\\"q\\\\\\n") :- p(x, _), !p(x + 1, "z"), x != -3.
p(n, "c") :- n = count : { p(_, "a"), p(m, _), m > 2 }.
"""


def flaw_in_corpus() -> str:
    for folder in sorted(path for path in CORPUS.iterdir() if path.is_dir()):

        def include(_: str, path: str, folder: Path = folder) -> Source | None:
            file = folder / "included" / path
            return Source(path, file.read_bytes().decode()) if file.exists() else None

        sources = [Source(f.name, f.read_bytes().decode()) for f in sorted(folder.glob("*.dl"))]
        loaded = load(sources, include)
        texts = {source.name: source.text for source in loaded.sources}
        told = "\n".join(render(d, texts[d.place.source]) for d in loaded.diagnostics)
        if told != (folder / "expected.txt").read_text(encoding="utf-8"):
            return folder.name
    return ""


def flaw_in_print() -> str:
    packs = ROOT / "rules"
    files = [packs / "facts.dl", *sorted(packs.glob("packs/*/*.dl"))]
    for sources in ([Source(f.name, f.read_text("utf-8")) for f in files], [Source("t", TERMS)]):
        ruleset = load(sources).ruleset
        if ruleset is None:
            if sources[0].name != "t":
                return "the shipped packs do not load"
            continue
        again = load([Source("print", ruleset.text)]).ruleset
        if again is None or again.program != ruleset.program or again.version != ruleset.version:
            return f"the print of {sources[0].name} is read as another program"
        if canonical(again.program) != ruleset.text:
            return "printing twice differs"
    return ""


sys.stdout.write(f"{rules.__file__}\n")
found = flaw_in_corpus() or flaw_in_print()
sys.stdout.write(f"flaw: {found}\n" if found else "no flaw\n")
sys.exit(bool(found))
