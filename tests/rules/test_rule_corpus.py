"""Wrong programs and exactly what is said about each."""

from pathlib import Path

import pytest

from rules import CODES, Loaded, Source, load, render

CORPUS = Path(__file__).parents[2] / "corpus" / "diagnostics"
CASES = sorted(folder.name for folder in CORPUS.iterdir() if folder.is_dir())


def included(case: str, path: str) -> Source | None:
    """What a case includes lies in a folder of its own."""
    file = CORPUS / case / "included" / path
    return Source(path, file.read_bytes().decode()) if file.exists() else None


def reported(case: str) -> tuple[Loaded, str]:
    files = sorted((CORPUS / case).glob("*.dl"))
    sources = [Source(file.name, file.read_bytes().decode()) for file in files]
    loaded = load(sources, lambda _, path: included(case, path))
    texts = {source.name: source.text for source in loaded.sources}
    return loaded, "\n".join(render(d, texts[d.place.source]) for d in loaded.diagnostics)


@pytest.mark.parametrize("case", CASES)
def test_a_wrong_program_gets_exactly_its_expected_diagnostics(case: str) -> None:
    _, report = reported(case)
    assert report == (CORPUS / case / "expected.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("case", CASES)
def test_a_ruleset_comes_iff_no_diagnostic_is_an_error(case: str) -> None:
    loaded, _ = reported(case)
    errors = [found for found in loaded.diagnostics if found.severity == "error"]
    assert (loaded.ruleset is None) == bool(errors)


def test_every_code_has_a_case() -> None:
    seen = {found.code for case in CASES for found in reported(case)[0].diagnostics}
    assert set(CODES) - seen == {"R110"}, "R110 takes a long source, see the hostile texts"


def test_severity_follows_from_the_code() -> None:
    found = [d for case in CASES for d in reported(case)[0].diagnostics]
    assert {d.code[:2] for d in found if d.severity == "warning"} == {"R4"}
    assert {d.code[:2] for d in found if d.severity == "info"} == {"R5"}
    assert {d.code[:2] for d in found if d.severity == "error"} == {"R1", "R2", "R3"}


@pytest.mark.parametrize("case", CASES)
def test_diagnostics_stand_in_source_order_and_once_each(case: str) -> None:
    loaded, _ = reported(case)
    index = {source.name: i for i, source in enumerate(loaded.sources)}
    places = [(index[d.place.source], d.place.line, d.place.column) for d in loaded.diagnostics]
    assert places == sorted(places)
    assert len(set(loaded.diagnostics)) == len(loaded.diagnostics)


@pytest.mark.parametrize("case", CASES)
def test_messages_are_one_line_in_lower_case_without_a_full_stop(case: str) -> None:
    loaded, _ = reported(case)
    for found in loaded.diagnostics:
        for text in (found.message, *found.notes, *filter(None, [found.hint])):
            assert "\n" not in text
            assert not text.endswith(".")
        first = found.message[0]
        assert first == first.lower() or found.message.startswith(("NUL", "`"))
