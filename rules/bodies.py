"""Bodies: what stands behind `:-`, read as a tree of conjunctions and disjunctions.

    body        = conjunction { ";" conjunction }
    conjunction = part { "," part }
    part        = "(" body ")" | "!" atom | atom | comparison | bound
    comparison  = expression ( "=" | "!=" | "<" | "<=" | ">" | ">=" ) expression
    bound       = name "=" aggregate | aggregate "=" name
    aggregate   = ( "count" | ( "sum" | "min" | "max" ) expression ) ":" ( "{" body "}" | atom )
    atom        = name "(" [ expression { "," expression } ] ")"

A parenthesis opens a body or a term; which of them is known once it is closed, so that nothing is
read twice.
"""

from typing import TypeAlias

import engine
from rules import omissions, syntax
from rules.alternatives import first_alternative, size
from rules.cursor import Cursor, SyntaxFault
from rules.diagnostics import finding
from rules.expressions import COMPARISONS, Expressions, misplaced
from rules.omissions import omission
from rules.tokens import Token

_Ranged: TypeAlias = tuple[syntax.Atom | syntax.Negated | syntax.Comparison, ...]


class Bodies:
    """Reads bodies from a cursor."""

    def __init__(self, cursor: Cursor) -> None:
        self._cursor = cursor
        self._expressions = Expressions(cursor)
        self._aggregating = False

    def body(self, first: syntax.Body | None = None) -> syntax.Body:
        """A disjunction; `first` is its first part if that was read already."""
        parts = [self._conjunction(first)]
        while self._cursor.at(";"):
            self._cursor.advance()
            parts.append(self._conjunction(None))
        return parts[0] if len(parts) == 1 else syntax.Disjunction(tuple(parts))

    def atom(self, relation: Token) -> syntax.Atom:
        """The atom whose relation was just read."""
        return syntax.Atom(relation, self._cursor.listed(self._expressions.term, "(", ")"))

    def _conjunction(self, first: syntax.Body | None) -> syntax.Body:
        parts = [first or self._part()]
        while self._cursor.at(","):
            self._cursor.advance()
            parts.append(self._part())
        return parts[0] if len(parts) == 1 else syntax.Conjunction(tuple(parts))

    def _part(self) -> syntax.Body:
        found = self._part_or_term()
        if isinstance(found, syntax.Term):
            named = isinstance(found.value, engine.Variable | engine.Wildcard)
            raise self._cursor.expected("`(` or a comparison" if named else "a comparison")
        return found

    def _part_or_term(self) -> syntax.Body | syntax.Term:
        """A part of a conjunction, or a term that nothing is compared with."""
        cursor = self._cursor
        if cursor.at("!"):
            return self._negated(cursor.advance())
        if self._expressions.at_aggregate():
            return self._aggregate_first()
        first = self._group() if cursor.at("(") else None
        if first is not None and not isinstance(first, syntax.Term):
            return first
        if first is None and cursor.at("name"):
            name = self._name()
            if cursor.at("("):
                return self.atom(name)
            first = self._expressions.named(name)
        left = self._expressions.term("a literal", first)
        return self._comparison(left) if cursor.token.kind in COMPARISONS else left

    def _name(self) -> Token:
        word = self._cursor.token
        if word.text in omissions.WORDS:
            raise SyntaxFault(omission(word, omissions.WORDS[word.text]))
        return self._cursor.name("a literal")

    def _group(self) -> syntax.Body | syntax.Term:
        """What stands between parentheses."""
        opening = self._cursor.advance()
        with self._cursor.nested(opening):
            found = self._part_or_term()
            if not isinstance(found, syntax.Term):
                found = self.body(found)
            self._cursor.take(
                ")", "a comparison or `)`" if isinstance(found, syntax.Term) else "`)`"
            )
        return found

    def _negated(self, mark: Token) -> syntax.Negated:
        cursor = self._cursor
        if cursor.at("name") and cursor.peek().kind == "(":
            return syntax.Negated(self.atom(self._name()))
        law = "`!` says that no row fits an atom"
        match cursor.token.kind:
            case "(":
                what = "a negated parenthesis"
                hint = "let a rule of its own say what is in it: `r(x) :- …`, and write `!r(x)`"
            case "!":
                what, hint = "a negated negation", "leave both `!` out"
            case "name" | "number" | "symbol" | "-":
                what, hint = "a negated comparison", "turn its operator: `!=` for `=`, `>=` for `<`"
            case _:
                raise cursor.expected("a relation")
        raise SyntaxFault(finding("R115", mark.place, f"{what} is left out here", law, hint=hint))

    def _comparison(self, left: syntax.Term) -> syntax.Literal:
        cursor = self._cursor
        operator = cursor.advance()
        if not self._expressions.at_aggregate():
            return syntax.Comparison(operator, left, self._expressions.term())
        if operator.kind != "=":
            raise misplaced(cursor.token)
        return self._aggregate(left)

    def _aggregate_first(self) -> syntax.Aggregate:
        """An aggregate with its result behind it, which is the same as before it."""
        cursor = self._cursor
        word = cursor.token
        aggregate = self._aggregate(None)
        if not cursor.at("="):
            raise misplaced(word)
        cursor.advance()
        if self._expressions.at_aggregate():
            raise misplaced(cursor.token)
        return self._bound(aggregate, self._expressions.term())

    def _aggregate(self, result: syntax.Term | None) -> syntax.Aggregate:
        """An aggregate; without a result its word stands in for it until that is read."""
        cursor = self._cursor
        function = cursor.advance()
        if function.text in omissions.WORDS:
            raise SyntaxFault(omission(function, omissions.WORDS[function.text]))
        if self._aggregating:
            law = "the body of an aggregate holds atoms, negated atoms and comparisons"
            hint = "let a rule of its own bind the inner one, and range over its relation"
            message = "an aggregate inside an aggregate"
            raise SyntaxFault(finding("R114", function.place, message, law, hint=hint))
        target = self._target(function)
        colon = cursor.take(":", "`:` and the body of the aggregate")
        self._aggregating = True
        try:
            body = self._aggregate_body(colon)
        finally:
            self._aggregating = False
        placeholder = syntax.Term(engine.Wildcard(), function)
        aggregate = syntax.Aggregate(function, result or placeholder, target, body)
        if result is None:
            return aggregate
        if cursor.token.kind in {"+", "-", "*", "/", "%"}:
            raise misplaced(function)
        return self._bound(aggregate, result)

    def _target(self, function: Token) -> syntax.Term | None:
        cursor = self._cursor
        if function.text == "count":
            if not cursor.at(":"):
                hint = "`count` counts rows, so it names no term: `n = count : …`"
                raise cursor.expected("`:`", hint)
            return None
        if cursor.at(":"):
            raise cursor.expected("a term", f"say of what: `n = {function.text} x : …`")
        opening = cursor.token
        try:
            return self._expressions.term()
        except SyntaxFault:
            if opening.kind == "(" and cursor.at(","):
                raise SyntaxFault(omission(function, omissions.MARKS["functor"])) from None
            raise

    def _aggregate_body(self, colon: Token) -> _Ranged:
        cursor = self._cursor
        if not cursor.at("{"):
            if not cursor.at("name"):
                raise cursor.expected("`{` or an atom")
            return (self.atom(self._name()),)
        opening = cursor.advance()
        with cursor.nested(opening):
            body = self.body()
            cursor.take("}", "`,` or `}`")
        if size(body).alternatives > 1:
            law = "an aggregate ranges over the ways in which one conjunction holds"
            hint = "let two rules of one relation say `;`, and range over that relation"
            message = "`;` in the body of an aggregate"
            cursor.findings.append(finding("R114", colon.place, message, law, hint=hint))
        return tuple(
            literal
            for literal in first_alternative(body)
            if not isinstance(literal, syntax.Aggregate)
        )

    def _bound(self, aggregate: syntax.Aggregate, result: syntax.Term) -> syntax.Aggregate:
        if not isinstance(result.value, engine.Variable):
            raise misplaced(aggregate.function)
        return syntax.Aggregate(aggregate.function, result, aggregate.target, aggregate.body)
