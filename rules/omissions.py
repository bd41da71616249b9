"""Omissions: what Soufflé has and this language leaves out, each refused by its name."""

from collections.abc import Mapping, Sequence
from typing import Final

from rules.diagnostics import Diagnostic, finding
from rules.symbols import show
from rules.tokens import Token

_TEXT: Final = "text is compared and matched here, it is never made, measured or taken apart"
_TEXT_HINT: Final = "let the facts bring the text as a column of its own"
_MATCHER: Final = "text is matched by a relation that a matcher decides"
_VALUES: Final = "a value is a symbol or a number, so that every row can be written and compared"
_VALUES_HINT: Final = "give each part a column of its own"
_BITS: Final = "the operators on numbers are `+ - * / %`"
_PARTS: Final = "a program is one set of relations and rules, whatever files it is spread over"
_STORED: Final = "how rows are kept is the engine's business, and what a relation holds the rules'"
_ORDER: Final = "what a rule says does not depend on how or when it is evaluated"

WORDS: Final[Mapping[str, tuple[str, str]]] = {
    **dict.fromkeys(
        ("cat", "ord", "strlen", "substr", "to_float", "to_number", "to_string", "to_unsigned"),
        (_TEXT, _TEXT_HINT),
    ),
    "match": (_MATCHER, 'declare one with `@[computed = "regex"]` and two columns of symbols'),
    "contains": (
        _MATCHER,
        'declare one with `@[computed = "contains"]` and two columns of symbols',
    ),
    "as": ("a value keeps its type", "read it from a column of the type that is wanted"),
    "range": ("a number comes from a fact or from arithmetic", "let the facts bring the numbers"),
    "nil": (_VALUES, _VALUES_HINT),
    "mean": (
        "there are no fractions, so a mean would lose what is behind the point",
        "take `s = sum …` and `n = count …`, and compare `s` with multiples of `n`",
    ),
    "true": ("a body lists what must hold", "leave it out"),
    "false": ("a body lists what must hold", "leave the rule out"),
    **dict.fromkeys(
        ("autoinc", "recursive_iteration_cnt", "__FILE__", "__INCL__", "__ITERATION__", "__LINE__"),
        (_ORDER, "let the facts bring the value"),
    ),
    **dict.fromkeys(
        ("band", "bnot", "bor", "bshl", "bshr", "bshru", "bxor", "land", "lnot", "lor", "lxor"),
        (_BITS, "use a column for each flag"),
    ),
}
"""Words that stand for values or literals: why there is no such thing, and what to do instead."""

MARKS: Final[Mapping[str, tuple[str, str]]] = {
    "[": (_VALUES, _VALUES_HINT),
    "$": (_VALUES, _VALUES_HINT),
    "@": ("functions come from outside as matchers only", "declare a relation with `@[computed]`"),
    "^": (_BITS, "multiply as often as it takes"),
    "functor": (
        "`min` and `max` range over rows",
        "write one rule for `x < y` and one for `x >= y`",
    ),
}

DIRECTIVES: Final[Mapping[str, tuple[str, str]]] = {
    ".printsize": ("results are rows", "write `.output`, or a rule with `n = count : …`"),
    ".limitsize": ("limits belong to an evaluation, not to its rules", "pass them where it starts"),
    **dict.fromkeys((".comp", ".init", ".override"), (_PARTS, "write each relation out by name")),
    ".pragma": ("what rules say does not depend on options", "leave it out"),
    ".plan": (_ORDER, "leave it out"),
    ".functor": MARKS["@"],
    ".lattice": (_STORED, "take `min` or `max` of the rows in a relation of its own"),
    ".number_type": ("a type is declared with `.type`", "write `.type T <: number`"),
    ".symbol_type": ("a type is declared with `.type`", "write `.type T <: symbol`"),
}

BLOCKS: Final = frozenset((".comp", ".lattice"))
"""Directives with a block in braces."""

QUALIFIERS: Final[Mapping[str, tuple[str, str]]] = {
    "eqrel": (
        "it adds rows that no rule names",
        "write the rules that make it reflexive, symmetric and transitive",
    ),
    "btree_delete": (_STORED, "leave it out"),
    "overridable": (_PARTS, "leave it out"),
    "input": ("a declaration says what a relation is", "write `.input` with its name"),
    "output": ("a declaration says what a relation is", "write `.output` with its name"),
    "printsize": DIRECTIVES[".printsize"],
    "choice": (
        "what a relation holds does not depend on which row comes first",
        "take the row of the least number with `min`",
    ),
}

KEPT_QUALIFIERS: Final = frozenset(("brie", "btree", "inline", "magic", "no_inline", "no_magic"))
"""Qualifiers that tell Soufflé how to evaluate and change no meaning: read and forgotten."""

BASE_TYPES: Final[Mapping[str, tuple[str, str]]] = {
    "unsigned": ("a number is a signed integer of 64 bits", "use `number` and test `n >= 0`"),
    "float": (
        "a number is a signed integer of 64 bits",
        "use `number` and scale, such as to cents",
    ),
}


def omission(word: Token, why: tuple[str, str]) -> Diagnostic:
    """The finding that a word or mark means something to Soufflé and nothing here."""
    law, hint = why
    message = f"{show(word.text)} is left out of this language"
    return finding("R112", word.place, message, law, hint=hint)


def type_omission(name: Token, members: Sequence[str], mark: str) -> Diagnostic:
    """The finding that a type is declared by `=`: by these members, and then a mark."""
    what, hint = "another name for a type", f"write `.type {name.text} <: symbol`"
    if mark in {"[", "{"}:
        what, hint = "a type of records", _VALUES_HINT
    elif len(members) > 1:
        what = "a union of types"
    elif members == ["number"]:
        hint = f"write `.type {name.text} <: number`"
    law = "every type is a part of `symbol` or of `number`, and meets no other part"
    message = f"{what} is left out of this language"
    return finding("R112", name.place, message, law, hint=hint)
