"""Generated programs load as they were printed; and cut up, they still make nothing raise."""

from contextlib import suppress

from generated_declarations import AWKWARD
from generated_programs import programs
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import engine
from rules import Source, canonical, load, render
from rules.matchers import MATCHERS

SLOW = settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)


@settings(SLOW)
@given(programs())
def test_loading_what_was_printed_gives_the_program_back(program: engine.Program) -> None:
    text = canonical(program)
    loaded = load([Source("printed.dl", text)])
    assert loaded.ruleset is not None, loaded.diagnostics
    assert loaded.ruleset.program == program
    assert loaded.ruleset.text == text


@settings(SLOW, max_examples=60)
@given(programs())
def test_what_loads_is_safe_and_stratified_to_the_engine(program: engine.Program) -> None:
    matchers = {name: lambda _: True for name in MATCHERS}
    with suppress(engine.ArithmeticFaultError):  # such as `1 / 0` in a head
        engine.evaluate_by_definition(program, [], [], engine.Limits(), matchers)


@settings(SLOW, max_examples=40)
@given(programs(), st.data())
def test_the_order_of_declarations_and_rules_does_not_enter_the_print(
    program: engine.Program, data: st.DataObject
) -> None:
    types = dict(data.draw(st.permutations(list(program.types.items()))))
    relations = dict(data.draw(st.permutations(list(program.relations.items()))))
    rules = tuple(data.draw(st.permutations(program.rules)))
    assert canonical(engine.Program(types, relations, rules)) == canonical(program)


@settings(SLOW, max_examples=60)
@given(programs(), st.data())
def test_a_mutilated_program_gives_diagnostics_or_a_ruleset(
    program: engine.Program, data: st.DataObject
) -> None:
    text = canonical(program)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 8)))
    patch = data.draw(st.sampled_from(("", *AWKWARD, *".,()[]:=<>!@-_{}+*;", "@[id = ", ".decl ")))
    mutilated = text[:start] + patch + text[end:]
    loaded = load([Source("t.dl", mutilated)])
    said = [render(found, mutilated) for found in loaded.diagnostics]
    assert all(said)
    refused = any(found.severity == "error" for found in loaded.diagnostics)
    assert (loaded.ruleset is None) == refused
