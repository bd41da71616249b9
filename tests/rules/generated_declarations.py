"""Generated declarations: types, relations with keys and references, and what rules may read."""

from dataclasses import dataclass

from hypothesis import strategies as st

import engine

AWKWARD = (
    *("\0", '"', "\\", "\\n", "\n", "\r", "\t", "\a", "\v"),
    *(":-", "%", "//", "/*", "\u202e", "\ufeff", ";", "}"),
)
NAMES = (
    *("a", "b", "A", "_a", "__", "x1", "Zed", "lesson", "counts", "minimum", "summer", "c_d"),
    *("given", "id", "never", "decl", "type", "include", "computed", "key", "values", "n", "X"),
)

texts = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
    st.lists(st.sampled_from(AWKWARD), max_size=4).map("".join),
)
numbers = st.one_of(
    st.sampled_from([0, 1, -1, engine.NUMBER_MIN, engine.NUMBER_MAX]),
    st.integers(engine.NUMBER_MIN, engine.NUMBER_MAX),
)
rule_ids = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=6)


@dataclass
class Declared:
    """What the rules of one generated program may use."""

    types: dict[str, engine.Subtype]
    relations: list[engine.Relation]
    recursive: bool
    """Atoms may name any relation and negations only given ones, or both only earlier ones."""

    def base(self, type_name: str) -> str:
        return self.types[type_name].base if type_name in self.types else type_name

    def readable(self, index: int, *, complete: bool) -> list[engine.Relation]:
        given = [r for r in self.relations if r.given]
        if self.recursive:
            derived = [r for r in self.relations if not r.given and not r.computed]
            return given if complete else [*given, *derived]
        earlier = [r for r in self.relations[:index] if not r.given and not r.computed]
        return [*given, *earlier, *([] if complete else [self.relations[index]])]

    def computed(self) -> list[engine.Relation]:
        return [r for r in self.relations if r.computed]


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
    taken = draw(st.permutations(NAMES))
    types: dict[str, engine.Subtype] = {}
    for name in taken[:3]:
        base = draw(st.sampled_from([engine.SYMBOL, engine.NUMBER]))
        values = None
        if base == engine.SYMBOL and draw(st.booleans()):
            values = tuple(draw(st.lists(texts, min_size=1, max_size=3, unique=True)))
        types[name] = engine.Subtype(name, base, values)
    column_types = st.sampled_from([engine.SYMBOL, engine.NUMBER, *types])
    relations: list[engine.Relation] = []
    for index, name in enumerate(taken[3:8]):
        width = draw(st.integers(0, 3))
        columns = tuple(engine.Column(n, draw(column_types)) for n in taken[8 : 8 + width])
        given = index == 0 or draw(st.sampled_from([False, False, True]))
        never, output = not given and draw(st.booleans()), draw(st.booleans())
        relation = engine.Relation(name, columns, given=given, never=never, output=output)
        relations.append(relation)
    if draw(st.booleans()):
        columns = tuple(engine.Column(n, engine.SYMBOL) for n in ("pattern", "text"))
        matcher = draw(st.sampled_from(["glob", "regex", "prefix"]))
        relations.append(engine.Relation(taken[12], columns, computed=matcher))
    declared = Declared(types, relations, recursive=draw(st.booleans()))
    declared.relations = [draw(constrained(declared, relation)) for relation in relations]
    return declared


@st.composite
def constrained(draw: st.DrawFn, declared: Declared, relation: engine.Relation) -> engine.Relation:
    """A given relation with keys and references."""
    if not relation.given or not relation.columns:
        return relation
    names = [column.name for column in relation.columns]
    subsets = st.lists(st.sampled_from(names), min_size=1, unique=True).map(tuple)
    keys = tuple(draw(st.lists(subsets, max_size=2)))
    own = draw(st.sampled_from(relation.columns))
    fitting = [
        engine.Reference((own.name,), other.name, (column.name,))
        for other in declared.relations
        if other.given
        for column in other.columns
        if column.type == own.type
    ]
    references = tuple(draw(st.lists(st.sampled_from(fitting), max_size=1)))
    return engine.Relation(
        relation.name,
        relation.columns,
        given=True,
        output=relation.output,
        keys=keys,
        references=references,
    )
