"""What rules mean: terms, relations, strata, evaluation, derivations and their checker.

Values in, values out: no clock, no input or output, no randomness. `evaluate` is the definition;
`prove` explains a row of its model, and `check` verifies such an explanation without trusting it.
"""

from engine.arithmetic import ArithmeticFaultError
from engine.certificates import certificate
from engine.certificates import read as read_certificate
from engine.checker import Status, Verdict, check
from engine.contributions import expand
from engine.coverage import applied_rules
from engine.derivations import Aggregated, Derivation, Given
from engine.digests import digest
from engine.facts import Fact, FactRefusedError, fact_id, set_digest
from engine.json_values import Json, MalformedCertificateError
from engine.limits import LimitReachedError, Limits
from engine.model import Model
from engine.naive import evaluate_by_definition
from engine.outcomes import (
    Derived,
    Failed,
    LimitReached,
    NotDerivable,
    Outcome,
    answer,
)
from engine.plans import UnsafeBodyError
from engine.program import (
    NUMBER,
    SYMBOL,
    Column,
    Program,
    Reference,
    Relation,
    Rule,
    Subtype,
    atoms_of,
    terms_of,
    variables_in,
    variables_of,
)
from engine.proofs import NotDerivedError, prove
from engine.seminaive import evaluate
from engine.solutions import MatcherFaultError, Matchers, NoMatcherError
from engine.strata import Stratum, UnstratifiedError, restrict, stratify
from engine.terms import (
    NUMBER_MAX,
    NUMBER_MIN,
    Aggregate,
    Arithmetic,
    Atom,
    Comparison,
    Constant,
    Literal,
    Negated,
    Pattern,
    Row,
    Term,
    Value,
    Variable,
    Wildcard,
    order_key,
)

__all__ = [
    "NUMBER",
    "NUMBER_MAX",
    "NUMBER_MIN",
    "SYMBOL",
    "Aggregate",
    "Aggregated",
    "Arithmetic",
    "ArithmeticFaultError",
    "Atom",
    "Column",
    "Comparison",
    "Constant",
    "Derivation",
    "Derived",
    "Fact",
    "FactRefusedError",
    "Failed",
    "Given",
    "Json",
    "LimitReached",
    "LimitReachedError",
    "Limits",
    "Literal",
    "MalformedCertificateError",
    "MatcherFaultError",
    "Matchers",
    "Model",
    "Negated",
    "NoMatcherError",
    "NotDerivable",
    "NotDerivedError",
    "Outcome",
    "Pattern",
    "Program",
    "Reference",
    "Relation",
    "Row",
    "Rule",
    "Status",
    "Stratum",
    "Subtype",
    "Term",
    "UnsafeBodyError",
    "UnstratifiedError",
    "Value",
    "Variable",
    "Verdict",
    "Wildcard",
    "answer",
    "applied_rules",
    "atoms_of",
    "certificate",
    "check",
    "digest",
    "evaluate",
    "evaluate_by_definition",
    "expand",
    "fact_id",
    "order_key",
    "prove",
    "read_certificate",
    "restrict",
    "set_digest",
    "stratify",
    "terms_of",
    "variables_in",
    "variables_of",
]
