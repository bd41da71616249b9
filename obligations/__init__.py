"""Cingulate's reasoning: obligations, the evidence they name, backends, receipts, rule analysis.

The package takes values and gives values; it reads no clock, environment, file or database. Its
one way out is `process`, the only module of the project that starts processes. Today it holds
`process` and `crosscheck`, the vote of a second evaluator.
"""

from obligations import crosscheck, process

__all__ = ["crosscheck", "process"]
