"""Atoms on their own: lists of rows, `eligible("l1"). lesson("x", _).`, as scenarios hold them."""

import engine
from rules import syntax
from rules.bodies import Bodies
from rules.cursor import Cursor, SyntaxFault
from rules.diagnostics import Diagnostic, finding
from rules.printer import write_term
from rules.symbols import show
from rules.tokens import Scanner, Source


def parse_atoms(text: str, name: str) -> tuple[engine.Atom, ...] | tuple[Diagnostic, ...]:
    """The atoms of a text, their terms constants and `_`; or what is wrong with it, in order.

    `name` is what places call the text. Whether relations are declared is not looked at.
    """
    findings: list[Diagnostic] = []
    scanner = Scanner(Source(name, text), findings)
    scanner.refuse_characters()
    cursor = Cursor(scanner, findings)
    bodies = Bodies(cursor)
    atoms: list[engine.Atom] = []
    while not cursor.at("end"):
        first = cursor.token
        try:
            atom = bodies.atom(cursor.name("an atom"))
            cursor.take(".", "`.`")
        except SyntaxFault as fault:
            if fault.diagnostic:
                findings.append(fault.diagnostic)
            cursor.recover(first)
            continue
        findings += [_no_constant(term) for term in atom.terms if not _is_row_term(term.value)]
        terms = tuple(term.value for term in atom.terms)
        atoms.append(engine.Atom(atom.relation.text, terms))
    findings.sort(key=lambda found: (found.place.line, found.place.column))
    return tuple(findings) or tuple(atoms)


def _is_row_term(term: engine.Term) -> bool:
    return isinstance(term, engine.Constant | engine.Wildcard)


def _no_constant(term: syntax.Term) -> Diagnostic:
    written = show(write_term(term.value))
    if isinstance(term.value, engine.Variable):
        hint = f'a symbol is written in quotes: `"{term.token.text}"`; any value is `_`'
        return finding("R301", term.token.place, f"variable {written} in a row", hint=hint)
    return finding("R101", term.token.place, f"arithmetic {written} in a row")
