"""Sources include others, each of which is read once."""

from collections.abc import Mapping

from rules import Loaded, Source, load
from rules.includes import SOURCES_LIMIT

TYPES = ".type Id <: symbol\n"
USE = '.include "types"\n@[given] .decl q(x:Id)\n'


def loaded(files: Mapping[str, str], *names: str) -> Loaded:
    asked: list[tuple[str, str]] = []

    def include(source: str, path: str) -> Source | None:
        asked.append((source, path))
        return Source(path, files[path]) if path in files else None

    return load([Source(name, files[name]) for name in names], include)


def errors(found: Loaded) -> list[str]:
    return [f"{d.place} {d.code}" for d in found.diagnostics]


def test_an_included_source_is_part_of_the_program() -> None:
    files = {"main": USE + ".decl p(x:Id)\np(x) :- q(x).", "types": TYPES}
    found = loaded(files, "main")
    assert errors(found) == []
    assert [source.name for source in found.sources] == ["types", "main"]
    assert len(found.trees) == 2
    together = load([Source("all", TYPES + files["main"].split("\n", 1)[1])])
    assert together.ruleset == found.ruleset


def test_what_two_sources_include_is_read_once() -> None:
    files = {
        "main": '.include "left"\n.include "right"\n.include "right"\n',
        "left": USE,
        "right": '.include "types"\n.once\n@[given] .decl r(x:Id)\n',
        "types": TYPES,
    }
    found = loaded(files, "main")
    assert errors(found) == []
    assert [source.name for source in found.sources] == ["types", "left", "right", "main"]


def test_a_source_that_is_passed_in_and_included_is_read_once() -> None:
    files = {"main": USE, "types": TYPES}
    for names in (("main", "types"), ("types", "main")):
        found = loaded(files, *names)
        assert errors(found) == []
        assert [source.name for source in found.sources] == ["types", "main"]


def test_a_circle_is_refused_where_it_closes() -> None:
    files = {"a": '.include "b"', "b": '\n.include "c"', "c": '.include "a"'}
    (found,) = loaded(files, "a").diagnostics
    assert (str(found.place), found.code) == ("c:1:10", "R118")
    assert found.message == "sources include one another: `a -> b -> c -> a`"
    (found,) = loaded({"a": '.include "a"'}, "a").diagnostics
    assert found.message == "sources include one another: `a -> a`"


def test_without_a_finder_every_include_is_refused() -> None:
    found = load([Source("t.dl", USE + '.include "x"')])
    assert errors(found) == ["t.dl:1:10 R117", "t.dl:2:20 R202", "t.dl:3:10 R117"]


def test_includes_without_end_are_refused() -> None:
    def include(source: str, path: str) -> Source:
        return Source(f"{source}{path}", f'.include "{path}"')

    found = load([Source("", '.include "x"')], include)
    assert [d.code for d in found.diagnostics] == ["R117"]
    assert len(found.sources) == SOURCES_LIMIT + 1


def test_faults_of_an_included_source_stand_in_it() -> None:
    files = {"main": USE + "q(1).", "types": ".type Id <: symbl"}
    assert errors(loaded(files, "main")) == ["types:1:13 R217", "main:3:1 R211"]


def test_ids_are_counted_with_the_included_source_first() -> None:
    files = {"main": 'p(2).\n.include "more"\n', "more": ".decl p(x:number)\np(1).\n"}
    found = loaded(files, "main")
    assert found.ruleset is not None
    assert found.ruleset.text.endswith('@[id = "p-1"]\np(1).\n@[id = "p-2"]\np(2).\n')
