"""Codes: what stands for a value in the second evaluator.

A number stands for itself, because there is arithmetic on it. A symbol becomes `s` and its place in
byte order among all symbols of the question, so that codes compare as symbols do and never equal a
number; no symbol comes about during an evaluation.
"""

from collections.abc import Iterable, Sequence

from engine import Row, Value


class UnknownCodeError(Exception):
    """The second evaluator answered with a value that stands for nothing."""


class Codes:
    """The codes of the symbols of one question."""

    def __init__(self, values: Iterable[Value]) -> None:
        # The order of code points is that of the bytes of UTF-8.
        self._symbols = sorted({value for value in values if isinstance(value, str)})
        digits = len(str(len(self._symbols)))
        self._codes = {s: f"s{place:0{digits}}" for place, s in enumerate(self._symbols)}
        self._decoded = {code: symbol for symbol, code in self._codes.items()}

    def encode(self, value: Value) -> Value:
        """The code of a value."""
        return self._codes[value] if isinstance(value, str) else value

    def decode(self, codes: Sequence[object]) -> Row:
        """The row behind a row of codes; raises `UnknownCodeError`."""
        return tuple(self._value(code) for code in codes)

    def _value(self, code: object) -> Value:
        if type(code) is int:
            return code
        if isinstance(code, str) and code in self._decoded:
            return self._decoded[code]
        raise UnknownCodeError
