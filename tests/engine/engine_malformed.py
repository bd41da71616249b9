"""Ways in which a certificate can fail to be one."""

from typing import Any

from engine_certificates import Break, step, top, trace


def number_a_field(found: dict[Any, Any]) -> None:
    found[1] = 1


MALFORMED: dict[str, tuple[Break, str]] = {
    "another format": (top(format="athanor.derivation.v2"), "format is not"),
    "a missing field": (lambda forged: forged.pop("execution_bounds"), "`execution_bounds`"),
    "an unknown field": (top(note=""), "missing or unknown field `note`"),
    "an unknown field of a step": (step(0, note=""), "step 0: missing or unknown field `note`"),
    "an unknown field of an absence": (step(1, source=""), "step 1: missing or unknown field"),
    "an unknown field of a rule step": (step(2, fact_id=""), "step 2: missing or unknown field"),
    "an unknown field of the conclusion": (
        top(conclusion={"relation": "near", "values": [1, 3], "text": ""}),
        "conclusion: missing or unknown field `text`",
    ),
    "an unknown kind of step": (step(0, kind="believed"), "step 0: unknown kind"),
    "a list as kind": (step(0, kind=["given"]), "step 0: unknown kind"),
    "a step that is no object": (top(derivation_trace=["given"]), "step 0: not an object"),
    "a trace that is no list": (top(derivation_trace={}), "derivation_trace: not a list"),
    "values that are a text": (step(0, values="12"), "step 0: not a list"),
    "a truth value for a number": (step(0, values=[True, 2]), "neither a symbol nor a number"),
    "a float for a number": (step(0, values=[1.0, 2]), "neither a symbol nor a number"),
    "null for a number": (step(0, values=[None, 2]), "neither a symbol nor a number"),
    "a list for a number": (step(0, values=[[1], 2]), "neither a symbol nor a number"),
    "a truth value in a binding": (
        step(-1, binding={"x": True, "y": 2, "z": 3}),
        "neither a symbol nor a number",
    ),
    "a truth value in a pattern": (step(1, pattern=[True, None]), "neither a symbol nor a number"),
    "a number outside 64 bits": (step(0, values=[2**63, 2]), "outside 64 bits"),
    "a number too long to be written": (step(0, values=[-(10**5000), 2]), "outside 64 bits"),
    "a number for a text": (top(ruleset_version=1), "ruleset_version: not a text"),
    "null for a text": (step(0, source=None), "step 0: not a text"),
    "a number among the premises": (step(-1, premises=[1]), "not a text"),
    "a bound without a limit": (top(execution_bounds={"rounds": {"used": 1}}), "`limit`"),
    "a bound with a truth value": (
        top(execution_bounds={"rounds": {"used": True, "limit": 1}}),
        "execution_bounds.rounds",
    ),
    "a bound outside 64 bits": (
        top(execution_bounds={"rounds": {"used": 1, "limit": 10**5000}}),
        "execution_bounds.rounds: a number outside 64 bits",
    ),
    "a field name that is no text": (number_a_field, "field name"),
    "a variable that is no text": (
        lambda forged: number_a_field(trace(forged)[-1]["binding"]),
        "field name",
    ),
    "a lone surrogate": (step(0, source="\ud800"), "lone surrogate"),
    "a lone surrogate in a field name": (top(**{"\ud800": 1}), r"field `\\ud800`"),
    "a line break in a field name": (top(**{"a\nb": 1}), r"field `a\\nb`"),
    "very many unknown fields": (top(**{f"x{i}": 1 for i in range(999)}), "field `x0`, `x1`"),
}
