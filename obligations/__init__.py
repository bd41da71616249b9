"""Cingulate's reasoning: obligations, the evidence they name, backends, receipts, rule analysis.

The package takes values and gives values; it reads no clock, environment, file or database. Its
one way out is `process`, the only module of the project that starts processes. Today it holds
`process` alone.
"""

from obligations import process

__all__ = ["process"]
