"""Expressions: terms with arithmetic, read with the usual precedence.

    expression  = product { ( "+" | "-" ) product }
    product     = factor { ( "*" | "/" | "%" ) factor }
    factor      = "-" factor | "(" expression ")" | name | "_" | symbol | number

`-` before digits belongs to the number; before anything else, `-x` is read as `0 - x`.
"""

from typing import Final

import engine
from rules import omissions, syntax
from rules.cursor import NESTING_LIMIT, Cursor, SyntaxFault
from rules.diagnostics import finding
from rules.omissions import omission
from rules.symbols import show
from rules.tokens import Token

AGGREGATES: Final = frozenset({"count", "max", "mean", "min", "sum"})
COMPARISONS: Final = frozenset({"=", "!=", "<", "<=", ">", ">="})
_STRENGTH: Final = {"+": 1, "-": 1, "*": 2, "/": 2, "%": 2}
_BEHIND_NAMES: Final = frozenset({",", ")", ".", ";", "}", "]", "end", *COMPARISONS})
_NUMBER_DIGITS: Final = 19
_ZERO: Final = engine.Constant(0)


class Expressions:
    """Reads terms from a cursor."""

    def __init__(self, cursor: Cursor) -> None:
        self._cursor = cursor
        # One value for all its mentions, since large programs repeat few names.
        self._named: dict[str, engine.Variable | engine.Wildcard] = {"_": engine.Wildcard()}

    def term(self, wanted: str = "a term", first: syntax.Term | None = None) -> syntax.Term:
        """An expression; `first` is its first factor if that was read already."""
        return self._expression(wanted, first, 0)

    def named(self, name: Token) -> syntax.Term:
        """The term that a name is: a variable, or `_`."""
        value = self._named.get(name.text)
        if value is None:
            value = self._named[name.text] = engine.Variable(name.text)
        return syntax.Term(value, name)

    def at_aggregate(self) -> bool:
        """Whether an aggregate begins here, and not a mere name that is one of its words."""
        cursor = self._cursor
        if not cursor.at("name") or cursor.token.text not in AGGREGATES:
            return False
        behind = cursor.peek().kind
        return behind not in _BEHIND_NAMES and (cursor.token.text, behind) != ("count", "(")

    def _expression(self, wanted: str, first: syntax.Term | None, strength: int) -> syntax.Term:
        cursor = self._cursor
        left = first or self._factor(wanted)
        while (stronger := _STRENGTH.get(cursor.token.kind, 0)) > strength:
            operator = cursor.advance()
            left = _combined(operator, left, self._expression("a term", None, stronger))
        token = cursor.token
        if token.kind == "^":
            raise SyntaxFault(omission(token, omissions.MARKS["^"]))
        if token.kind == "name" and token.text in omissions.WORDS:
            raise SyntaxFault(omission(token, omissions.WORDS[token.text]))
        return left

    def _factor(self, wanted: str) -> syntax.Term:
        cursor = self._cursor
        match cursor.token.kind:
            case "name":
                return self._name(wanted)
            case "symbol":
                text = cursor.text()
                return syntax.Term(engine.Constant(text.text), text)
            case "number":
                return self._number(None)
            case "-":
                return self._minus()
            case "(":
                return self._parenthesised()
            case "[" | "$" | "@" as mark:
                raise SyntaxFault(omission(cursor.token, omissions.MARKS[mark]))
            case _:
                raise cursor.expected(wanted)

    def _name(self, wanted: str) -> syntax.Term:
        cursor = self._cursor
        if self.at_aggregate():
            raise misplaced(cursor.token)
        if cursor.token.text in omissions.WORDS:
            raise SyntaxFault(omission(cursor.token, omissions.WORDS[cursor.token.text]))
        return self.named(cursor.name(wanted))

    def _minus(self) -> syntax.Term:
        minus = self._cursor.advance()
        if self._cursor.at("number"):
            return self._number(minus)
        with self._cursor.nested(minus):
            factor = self._factor("a number")
        return _combined(minus, syntax.Term(_ZERO, minus), factor)

    def _parenthesised(self) -> syntax.Term:
        opening = self._cursor.advance()
        with self._cursor.nested(opening):
            inside = self._expression("a term", None, 0)
            self._cursor.take(")", "`)`")
        return inside

    def _number(self, sign: Token | None) -> syntax.Term:
        """A number; one that does not fit 64 bits is reported and read on."""
        number = self._cursor.advance()
        written = number.text
        if sign and sign.line == number.line:
            number = sign._replace(length=number.column + number.length - sign.column)
        digits = written.lstrip("0") or "0"
        # Python refuses to read numbers of thousands of digits, so their length is looked at first.
        size = int(digits) if len(digits) <= _NUMBER_DIGITS else engine.NUMBER_MAX + 2
        value = -size if sign else size
        if not engine.NUMBER_MIN <= value <= engine.NUMBER_MAX:
            law = f"numbers go from {engine.NUMBER_MIN} to {engine.NUMBER_MAX}"
            message = f"number {show('-' * bool(sign) + written)} does not fit 64 bits"
            self._cursor.findings.append(finding("R106", number.place, message, law))
        return syntax.Term(engine.Constant(value), number)


def misplaced(word: Token) -> SyntaxFault:
    """The fault that an aggregate stands inside something else."""
    law = "an aggregate stands alone on one side of `=`, a variable on the other"
    body = ": { … }" if word.text == "count" else "x : { … }"
    hint = f"bind it: `n = {word.text} {body}`, and use `n` instead"
    message = f"`{word.text}` inside another term or literal"
    return SyntaxFault(finding("R113", word.place, message, law, hint=hint))


def _combined(operator: Token, left: syntax.Term, right: syntax.Term) -> syntax.Term:
    depth = 1 + max(left.depth, right.depth)
    if depth > NESTING_LIMIT:
        law = f"an expression holds at most {NESTING_LIMIT} operators one inside the other"
        hint = "bind a part of it: `x = …`"
        message = "an expression nests too deep"
        raise SyntaxFault(finding("R111", operator.place, message, law, hint=hint))
    value = engine.Arithmetic(operator.kind, left.value, right.value)
    leaves = (*(left.leaves or (left,)), *(right.leaves or (right,)))
    return syntax.Term(value, left.token, leaves, depth)
