"""What rules mean: terms, relations, strata, evaluation, derivations and their checker.

Values in, values out: no clock, no input or output, no randomness. `evaluate` is the definition;
`prove` explains a row of its model, and `check` verifies such an explanation without trusting it.
"""

from engine.certificates import Json, MalformedCertificateError, certificate
from engine.certificates import read as read_certificate
from engine.checker import Status, Verdict, check
from engine.digests import digest
from engine.facts import Fact, FactRefusedError, set_digest
from engine.limits import LimitReachedError, Limits
from engine.model import Model
from engine.naive import evaluate
from engine.program import (
    NUMBER,
    SYMBOL,
    Column,
    Program,
    Relation,
    Rule,
    Subtype,
    terms_of,
    variables_of,
)
from engine.proofs import NotDerivedError, prove
from engine.strata import Stratum, UnstratifiedError, restrict, stratify
from engine.terms import (
    NUMBER_MAX,
    NUMBER_MIN,
    Atom,
    Comparison,
    Constant,
    Literal,
    Negated,
    Row,
    Term,
    Value,
    Variable,
    Wildcard,
)

__all__ = [
    "NUMBER",
    "NUMBER_MAX",
    "NUMBER_MIN",
    "SYMBOL",
    "Atom",
    "Column",
    "Comparison",
    "Constant",
    "Fact",
    "FactRefusedError",
    "Json",
    "LimitReachedError",
    "Limits",
    "Literal",
    "MalformedCertificateError",
    "Model",
    "Negated",
    "NotDerivedError",
    "Program",
    "Relation",
    "Row",
    "Rule",
    "Status",
    "Stratum",
    "Subtype",
    "Term",
    "UnstratifiedError",
    "Value",
    "Variable",
    "Verdict",
    "Wildcard",
    "certificate",
    "check",
    "digest",
    "evaluate",
    "prove",
    "read_certificate",
    "restrict",
    "set_digest",
    "stratify",
    "terms_of",
    "variables_of",
]
