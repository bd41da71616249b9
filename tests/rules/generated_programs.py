"""Generated programs that are right: typed, safe, stratified, with awkward text in every symbol."""

from generated_declarations import Declared, declarations, rule_ids
from generated_literals import Scope, aggregates, bindings, bound_atoms, comparisons, positive_atoms
from hypothesis import strategies as st

import engine


@st.composite
def generated_rules(draw: st.DrawFn, declared: Declared, index: int, rule_id: str) -> engine.Rule:
    relation, scope = declared.relations[index], Scope()
    body: list[engine.Literal] = []
    for _ in range(draw(st.sampled_from([1, 2, 3, 0]))):
        chosen = draw(st.sampled_from(declared.readable(index, complete=False)))
        body.append(draw(positive_atoms(declared, chosen, scope, wild=True)))
    if body:
        body += draw(extras(declared, index, scope))
    read = {atom.relation for atom, _ in engine.atoms_of(body)}
    recursive = declared.recursive or relation.name in read
    if recursive:
        scope.types = {name: own for name, own in scope.types.items() if name in scope.drawn}
        scope.loose.clear()
    head = draw(bound_atoms(declared, relation, scope, wild=False, arithmetic=not recursive))
    return engine.Rule(rule_id, head, tuple(draw(st.permutations(body))))


@st.composite
def extras(draw: st.DrawFn, declared: Declared, index: int, scope: Scope) -> list[engine.Literal]:
    """Literals beside positive atoms, each over what was bound before it."""
    complete = declared.readable(index, complete=True)
    body: list[engine.Literal | None] = []
    kinds = st.sampled_from(["aggregate", "bound", "negated", "compared", "computed"])
    for kind in draw(st.lists(kinds, min_size=1, max_size=4)):
        match kind:
            case "negated":
                chosen = draw(st.sampled_from(complete))
                atom = draw(bound_atoms(declared, chosen, scope, wild=True, arithmetic=True))
                body.append(engine.Negated(atom))
            case "compared":
                body.append(draw(comparisons(declared, scope)) if scope.types else None)
            case "bound":
                body.append(draw(bindings(declared, scope)))
            case "aggregate":
                body.append(draw(aggregates(declared, complete, scope)))
            case _:
                for chosen in declared.computed():
                    atom = draw(bound_atoms(declared, chosen, scope, wild=False, arithmetic=False))
                    body.append(engine.Negated(atom) if draw(st.booleans()) else atom)
    return [literal for literal in body if literal is not None]


@st.composite
def programs(draw: st.DrawFn) -> engine.Program:
    """A program that loads without errors, in canonical order."""
    declared = draw(declarations())
    derived = [i for i, r in enumerate(declared.relations) if not r.given and not r.computed]
    heads = [i for i in derived if declared.relations[i].never]
    heads += draw(st.lists(st.sampled_from(derived), min_size=1, max_size=4)) if derived else []
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
