"""Annotations: which there are, where each belongs, and what value it takes."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import engine
from rules import syntax
from rules.diagnostics import Diagnostic, finding
from rules.spelling import Spelling
from rules.symbols import show
from rules.syntax import texts
from rules.tokens import Token
from rules.unit import Unit

Subject: TypeAlias = Literal["relation", "rule", "type", "exchange", "include"]
Shape: TypeAlias = Literal["nothing", "text", "texts"]


@dataclass(frozen=True, slots=True)
class Kind:
    """What an annotation describes and takes; `repeats` iff one subject may carry several."""

    subject: Subject
    shape: Shape
    repeats: bool = False


KINDS: Final[Mapping[str, Kind]] = {
    "id": Kind("rule", "text"),
    "given": Kind("relation", "nothing"),
    "never": Kind("relation", "nothing"),
    "computed": Kind("relation", "text"),
    "source": Kind("relation", "text"),
    "key": Kind("relation", "text", repeats=True),
    "references": Kind("relation", "text", repeats=True),
    "values": Kind("type", "texts"),
}
_SUBJECTS: Final[Mapping[Subject, str]] = {
    "relation": "a `.decl`",
    "rule": "a rule or fact",
    "type": "a `.type`",
    "exchange": "an `.input` or `.output`",
    "include": "an `.include`",
}
_SHAPES: Final[Mapping[Shape, str]] = {
    "nothing": "@[{name}]",
    "text": '@[{name} = "…"]',
    "texts": '@[{name} = ["…", "…"]]',
}


def find_annotation_faults(unit: Unit) -> Iterator[Diagnostic]:
    """Annotations that are unknown, misplaced, repeated, or without the value that they need."""
    for tree in unit.trees:
        groups: tuple[tuple[Subject, tuple[syntax.Statement, ...]], ...] = (
            ("type", tree.types),
            ("relation", tree.relations),
            ("rule", tree.rules),
            ("exchange", tree.exchanges),
            ("include", tree.includes),
        )
        for subject, statements in groups:
            for statement in statements:
                yield from _statement_faults(subject, statement.annotations, unit.spelling)
        for declared in tree.types:
            yield from _enumeration_faults(declared)


def _statement_faults(
    subject: Subject, annotations: tuple[syntax.Annotation, ...], spelling: Spelling
) -> Iterator[Diagnostic]:
    seen: dict[str, Token] = {}
    for annotation in annotations:
        name = annotation.name
        kind = KINDS.get(name.text)
        if kind is None:
            law = f"the annotations are {', '.join(f'`{known}`' for known in sorted(KINDS))}"
            hint = spelling.hint(name.text, KINDS)
            message = f"unknown annotation {show(name.text)}"
            yield finding("R214", name.place, message, law, hint=hint)
        elif kind.subject != subject:
            law = f"`{name.text}` describes {_SUBJECTS[kind.subject]}"
            message = f"annotation `{name.text}` before {_SUBJECTS[subject]}"
            yield finding("R215", name.place, message, law)
        else:
            yield from _value_faults(annotation, kind.shape)
            if name.text in seen and not kind.repeats:
                note = f"the first one stands at {seen[name.text].place}"
                yield finding("R220", name.place, f"annotation `{name.text}` repeated", note)
            seen[name.text] = name


def _value_faults(annotation: syntax.Annotation, shape: Shape) -> Iterator[Diagnostic]:
    name, value = annotation.name, annotation.value
    hint = f"write `{_SHAPES[shape].format(name=name.text)}`"
    match shape, value:
        case ("nothing", None) | ("text", Token(text=str())) | ("texts", (_, *_)):
            pass
        case "nothing", _:
            yield finding("R216", name.place, f"annotation `{name.text}` takes no value", hint=hint)
        case "text", _:
            yield finding("R216", name.place, f"annotation `{name.text}` needs a text", hint=hint)
        case "texts", _:
            message = f"annotation `{name.text}` needs a list of at least one text"
            yield finding("R216", name.place, message, hint=hint)
    if name.text == "id" and isinstance(value, Token) and not _is_id(value.text):
        law = "an id is not empty and holds no spaces and no invisible characters"
        yield finding("R216", value.place, f"{show(value.text)} cannot be a rule id", law)


def _is_id(text: str) -> bool:
    return bool(text) and text.isprintable() and " " not in text


def _enumeration_faults(declared: syntax.Type) -> Iterator[Diagnostic]:
    words = texts(declared, "values")
    if words and declared.base.text == engine.NUMBER:
        law = "an enumeration is a subtype of `symbol`"
        yield finding("R216", words[0].place, "values for a subtype of `number`", law)
    seen: dict[str, Token] = {}
    for word in words:
        first = seen.setdefault(word.text, word)
        if first is not word:
            note = f"the first one stands at {first.place}"
            yield finding("R220", word.place, f"value {show(word.text)} repeated", note)
