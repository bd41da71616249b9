"""Generated programs that are right: typed, safe, stratified, with awkward text in every symbol.

They load as they were printed; and cut up, they still make nothing raise.
"""

from dataclasses import dataclass, field

from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from rules import Source, canonical, load, render
from rules.tokens import RESERVED

AWKWARD = (
    *("\0", '"', "\\", "\\n", "\n", "\r", "\t", "\a", "\v"),
    *(":-", "%", "//", "/*", "\u202e", "\ufeff"),
)
NAMES_TAKEN = RESERVED | {"_", "symbol", "number", "float", "unsigned"}
OPERATORS = ("=", "!=", "<", "<=", ">", ">=")

texts = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
    st.lists(st.sampled_from(AWKWARD), max_size=4).map("".join),
)
numbers = st.one_of(
    st.sampled_from([0, 1, -1, engine.NUMBER_MIN, engine.NUMBER_MAX]),
    st.integers(engine.NUMBER_MIN, engine.NUMBER_MAX),
)
names = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,5}", fullmatch=True).filter(
    lambda name: name not in NAMES_TAKEN
)
rule_ids = texts.filter(lambda text: bool(text) and text.isprintable() and " " not in text)


@dataclass
class Declared:
    """What the rules of one generated program may use."""

    types: dict[str, engine.Subtype]
    relations: list[engine.Relation]
    recursive: bool
    """Atoms may name any relation and negations only given ones, or both only earlier ones."""

    def base(self, type_name: str) -> str:
        return self.types[type_name].base if type_name in self.types else type_name

    def readable(self, index: int, *, negated: bool) -> list[engine.Relation]:
        given = [relation for relation in self.relations if relation.given]
        if self.recursive:
            return given if negated else self.relations
        earlier = [relation for relation in self.relations[:index] if not relation.given]
        own = [] if negated else [self.relations[index]]
        return [*given, *earlier, *own]


@dataclass
class Scope:
    """The variables that a rule has bound so far, each with its type."""

    types: dict[str, str] = field(default_factory=dict[str, str])

    def fitting(self, declared: Declared, wanted: str) -> list[str]:
        """The variables whose values all belong to a type."""
        return [name for name, own in self.types.items() if wanted in {own, declared.base(own)}]


def constants(declared: Declared, type_name: str) -> st.SearchStrategy[engine.Term]:
    subtype = declared.types.get(type_name)
    values: st.SearchStrategy[engine.Value]
    if subtype and subtype.values is not None:
        values = st.sampled_from(subtype.values)
    else:
        values = numbers if declared.base(type_name) == engine.NUMBER else texts
    return values.map(engine.Constant)


@st.composite
def declarations(draw: st.DrawFn) -> Declared:
    taken = draw(st.lists(names, min_size=7, max_size=10, unique=True))
    types: dict[str, engine.Subtype] = {}
    for name in taken[:3]:
        base = draw(st.sampled_from([engine.SYMBOL, engine.SYMBOL, engine.NUMBER]))
        values = None
        if base == engine.SYMBOL and draw(st.booleans()):
            values = tuple(draw(st.lists(texts, min_size=1, max_size=4, unique=True)))
        types[name] = engine.Subtype(name, base, values)
    column_types = st.sampled_from([engine.SYMBOL, engine.NUMBER, *types])
    relations: list[engine.Relation] = []
    for index, name in enumerate(taken[3:]):
        columns = draw(st.lists(st.tuples(names, column_types), max_size=4, unique_by=first))
        given = index == 0 or draw(st.booleans())
        relations.append(
            engine.Relation(
                name,
                tuple(engine.Column(*column) for column in columns),
                given=given,
                never=not given and draw(st.booleans()),
                output=draw(st.booleans()),
            )
        )
    return Declared(types, relations, recursive=draw(st.booleans()))


def first(column: tuple[str, str]) -> str:
    return column[0]


@st.composite
def positive_atoms(
    draw: st.DrawFn, declared: Declared, relation: engine.Relation, scope: Scope
) -> engine.Atom:
    terms: list[engine.Term] = []
    for column in relation.columns:
        kind = draw(st.sampled_from(["variable", "variable", "known", "constant", "wildcard"]))
        known = scope.fitting(declared, column.type)
        if kind == "constant":
            terms.append(draw(constants(declared, column.type)))
        elif kind == "wildcard":
            terms.append(engine.Wildcard())
        elif kind == "known" and known:
            terms.append(engine.Variable(draw(st.sampled_from(known))))
        else:
            name = draw(names)
            if name in scope.types:
                terms.append(engine.Wildcard())
            else:
                scope.types[name] = column.type
                terms.append(engine.Variable(name))
    return engine.Atom(relation.name, tuple(terms))


@st.composite
def bound_atoms(
    draw: st.DrawFn, declared: Declared, relation: engine.Relation, scope: Scope, *, head: bool
) -> engine.Atom:
    terms: list[engine.Term] = []
    for column in relation.columns:
        choices = [constants(declared, column.type)]
        known = scope.fitting(declared, column.type)
        if known:
            choices.append(st.sampled_from(known).map(engine.Variable))
        if not head:
            choices.append(st.just(engine.Wildcard()))
        terms.append(draw(st.one_of(choices)))
    return engine.Atom(relation.name, tuple(terms))


@st.composite
def comparisons(draw: st.DrawFn, declared: Declared, scope: Scope) -> engine.Comparison:
    name = draw(st.sampled_from(sorted(scope.types)))
    own = scope.types[name]
    other = draw(
        st.one_of(
            constants(declared, own),
            st.sampled_from(scope.fitting(declared, own)).map(engine.Variable),
        )
    )
    pair: list[engine.Term] = [engine.Variable(name), other]
    left, right = draw(st.permutations(pair))
    return engine.Comparison(draw(st.sampled_from(OPERATORS)), left, right)


@st.composite
def generated_rules(draw: st.DrawFn, declared: Declared, index: int, rule_id: str) -> engine.Rule:
    relation, scope = declared.relations[index], Scope()
    body: list[engine.Literal] = []
    for _ in range(draw(st.integers(0, 3))):
        chosen = draw(st.sampled_from(declared.readable(index, negated=False)))
        body.append(draw(positive_atoms(declared, chosen, scope)))
    if body:
        for chosen in draw(
            st.lists(st.sampled_from(declared.readable(index, negated=True)), max_size=2)
        ):
            atom = draw(bound_atoms(declared, chosen, scope, head=False))
            body.append(engine.Negated(atom))
        if draw(st.booleans()) and scope.types:
            body.append(draw(comparisons(declared, scope)))
    head = draw(bound_atoms(declared, relation, scope, head=True))
    return engine.Rule(rule_id, head, tuple(draw(st.permutations(body))))


@st.composite
def programs(draw: st.DrawFn) -> engine.Program:
    """A program that loads without errors, in canonical order."""
    declared = draw(declarations())
    derived = [i for i, relation in enumerate(declared.relations) if not relation.given]
    heads = [i for i in derived if declared.relations[i].never]
    heads += draw(st.lists(st.sampled_from(derived), max_size=4)) if derived else []
    ids = draw(st.lists(rule_ids, min_size=len(heads), max_size=len(heads), unique=True))
    rules = [
        draw(generated_rules(declared, index, rule_id))
        for index, rule_id in zip(heads, ids, strict=True)
    ]
    return engine.Program(
        types={name: declared.types[name] for name in sorted(declared.types)},
        relations={
            relation.name: relation
            for relation in sorted(declared.relations, key=lambda relation: relation.name)
        },
        rules=tuple(sorted(rules, key=lambda rule: (rule.head.relation, rule.id))),
    )


@given(programs())
def test_loading_what_was_printed_gives_the_program_back(program: engine.Program) -> None:
    text = canonical(program)
    loaded = load([Source("printed.dl", text)])
    assert loaded.ruleset is not None, loaded.diagnostics
    assert loaded.ruleset.program == program
    assert loaded.ruleset.text == text


@settings(max_examples=40)
@given(programs(), st.data())
def test_the_order_of_declarations_and_rules_does_not_enter_the_print(
    program: engine.Program, data: st.DataObject
) -> None:
    types = dict(data.draw(st.permutations(list(program.types.items()))))
    relations = dict(data.draw(st.permutations(list(program.relations.items()))))
    rules = tuple(data.draw(st.permutations(program.rules)))
    assert canonical(engine.Program(types, relations, rules)) == canonical(program)


@settings(max_examples=60)
@given(programs(), st.data())
def test_a_mutilated_program_gives_diagnostics_or_a_ruleset(
    program: engine.Program, data: st.DataObject
) -> None:
    text = canonical(program)
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 8)))
    patch = data.draw(st.sampled_from(("", *AWKWARD, *".,()[]:=<>!@-_", "@[id = ", ".decl ")))
    mutilated = text[:start] + patch + text[end:]
    loaded = load([Source("t.dl", mutilated)])
    said = [render(found, mutilated) for found in loaded.diagnostics]
    assert all(said)
    refused = any(found.severity == "error" for found in loaded.diagnostics)
    assert (loaded.ruleset is None) == refused
