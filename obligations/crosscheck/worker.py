"""The second evaluator: a script that reads jobs as JSON and has pyDatalog answer them.

Run as `python -I worker.py MEMORY_BYTES CPU_SECONDS`, never in the process of the service; it knows
pyDatalog and the standard library and nothing of ours. Standard input is a list of jobs (see
`jobs`), standard output the list of their answers. No name and no symbol of a rule reaches
pyDatalog, let alone its parser: clauses are built as objects of `pyDatalog.pyEngine`.

Relations that need one another are derived together, after all that they need, and then asserted
as facts. So negation meets complete relations only, and what an aggregate ranges over is complete
when this script counts, sums or compares it.

What is derived together is one predicate of pyDatalog, `c(place, columns…)`, whose rules ask it for
all of its rows at once. For pyDatalog 0.22.4 never returns when three calls that differ in
predicate or in bound values wait for one another, as in

    path(X, Z) <= edge(X, Y) & path(Y, Z)     over edges a → b → c → a
"""

import gc
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any

Row = tuple[int | str, ...]
Terms = Sequence[Any]
Literal = tuple[str, Terms]
Job = Mapping[str, Any]

OUT_OF_MEMORY = 3
"""The exit code for a memory limit that was reached."""

_OBJECTS_BETWEEN_COLLECTIONS = 200_000
"""Python's 700 took a third of the time and saved no memory."""


class Session:
    """One job under way: `known` holds rows of relations, complete but for those being derived."""

    def __init__(self, engine: Any, job: Job) -> None:
        self.engine = engine
        self.job = job
        self.known: dict[int, set[Row]] = {}
        self._tell = engine.assert_
        self._folded: dict[int, set[Row]] = {}
        bodies = [body for _, _, body in job["rules"]]
        self._read = {subject for body in bodies for kind, subject, _ in body if kind != "compare"}

    def open(self) -> None:
        """Give pyDatalog every relation, and the given rows.

        A relation that it was not told of is an error in a negated literal, and silently empty in
        a positive one.
        """
        self.engine.clear()
        for relation, width in enumerate(self.job["widths"]):
            self.engine.insert(self.engine.Pred(f"r{relation}", width))
        for relation, rows in self.job["facts"]:
            self._add(relation, map(tuple, rows))

    def rows(self, relation: int) -> set[Row]:
        """The rows of a relation: those derived so far, or else those given."""
        if relation not in self.known:
            self.known[relation] = set(self._ask(f"r{relation}", self.job["widths"][relation]))
        return self.known[relation]

    def derive(self, together: Sequence[int]) -> None:
        """Derive all rows of relations that need one another, and assert them.

        More than one run is needed if a rule reads rows of the run before (see `Derivation`), or
        if an aggregate has shared values that are derived here.
        """
        rules = [rule for rule in self.job["rules"] if rule[0] in together]
        folds = [fold for fold in self.job["folds"] if fold[2] in together]
        derivation = Derivation(f"c{together[0]}", self.job["widths"], rules)
        for head, body in derivation.clauses():
            literals = [self._literal(literal) for literal in body]
            self._tell(self.engine.Clause(self._literal(head), literals))
        again = True
        while again:
            grown = self._run(derivation) and derivation.is_iterated
            again = any([self._fold(*fold) for fold in folds]) or grown  # noqa: C419 - all of them

    def _run(self, derivation: "Derivation") -> bool:
        """Ask for all rows of a derivation, and assert the new ones; False iff there are none."""
        found: dict[int, set[Row]] = {relation: set() for relation in derivation.places}
        for place, *row in self._ask(derivation.name, derivation.width) if found else ():
            relation = derivation.relations[int(place)]
            found[relation].add(tuple(row[: self.job["widths"][relation]]))
        new = {key: rows - self.known.get(key, set()) for key, rows in found.items()}
        self.known |= found
        for relation in new.keys() & self._read:
            self._add(relation, new[relation])
        return any(new.values())

    def _ask(self, predicate: str, width: int) -> list[Row]:
        variables = [self.engine.Var(f"Q{column}") for column in range(width)]
        answer = self.engine.Literal(predicate, variables).ask()
        if answer is True or any(type(value) not in {int, str} for row in answer for value in row):
            raise ValueError("an answer that is no rows of codes")
        return list(answer)

    def _add(self, relation: int, rows: Iterable[Row]) -> None:
        engine, name = self.engine, f"r{relation}"
        for row in rows:
            head = engine.Literal(name, [engine.Const(value) for value in row])
            self._tell(engine.Clause(head, []))

    def _fold(self, domain: int, extent: int, value: int, shared: int, function: str) -> bool:
        """Give the aggregate a value for each new row of its domain; False iff there is none.

        A row of the extent is one way in which the aggregate's body holds: the shared values, the
        local ones, and last the target, if there is one.
        """
        done = self._folded.setdefault(value, set())
        groups: dict[Row, list[Row]] = {row: [] for row in self.rows(domain) - done}
        for row in self.rows(extent) if groups else ():
            if row[:shared] in groups:
                groups[row[:shared]].append(row)
        results = ((key, folded(function, group)) for key, group in groups.items())
        self._add(value, ((*key, result) for key, result in results if result is not None))
        done.update(groups)
        return bool(groups)

    def _literal(self, literal: Literal) -> Any:
        predicate, terms = literal
        return self.engine.Literal(predicate, [self._term(term) for term in terms])

    def _term(self, term: Terms) -> Any:
        engine = self.engine
        match term:
            case ["any"]:
                return engine.Fresh_var()
            case ["variable", label]:
                return engine.Var(f"V{label}")
            case ["constant", value]:
                return engine.Const(value)
            case [("/" | "%") as operator, left, right]:
                operands = engine.Term_of([self._term(left), self._term(right)])
                function = quotient if operator == "/" else remainder
                made = engine.Operation(engine.Const(None), function, operands)
            case [operator, left, right]:
                made = engine.Operation(self._term(left), operator, self._term(right))
            case _:
                raise ValueError(str(term))
        return made.subst({})  # an operation on constants alone may never be computed otherwise


class Derivation:
    """Rules of relations that need one another, as rules of the predicate `name`.

    `places` tells the relations apart in its first column; further columns are filled up to `width`
    with zeros. `is_iterated` iff some rule reads rows of the run before.
    """

    def __init__(
        self, name: str, widths: Sequence[int], rules: Sequence[tuple[int, Terms, Sequence[Terms]]]
    ) -> None:
        self.name = name
        self._rules = rules
        self.relations = sorted({relation for relation, _, _ in rules})
        self.places = {relation: place for place, relation in enumerate(self.relations)}
        self.width = 1 + max((widths[relation] for relation in self.relations), default=0)
        self.is_iterated = any(len(self._own(body)) > 1 for _, _, body in rules)

    def clauses(self) -> Iterator[tuple[Literal, list[Literal]]]:
        """Head and body of each clause."""
        for relation, terms, body in self._rules:
            filling = [["constant", 0]] * (self.width - 1 - len(terms))
            head = [["constant", self.places[relation]], *terms, *filling]
            yield (self.name, head), list(self._body(body))

    def _body(self, body: Sequence[Terms]) -> Iterator[Literal]:
        """The predicate itself comes first, since nothing could narrow it.

        A second call of it would be tried on every pair of rows; it reads rows of the run before
        instead, by their columns, until a run gives no new ones.
        """
        own = self._own(body)[:1]
        for n in (*own, *(n for n in range(len(body)) if n not in own)):
            kind, subject, terms = body[n]
            if n in own:
                yield from self._call(subject, terms)
            elif kind == "compare":
                yield ("==" if subject == "=" else subject, terms)
            else:
                yield (f"~r{subject}" if kind == "not" else f"r{subject}", terms)

    def _own(self, body: Sequence[Terms]) -> list[int]:
        """Where a body has positive atoms over the relations that are derived here."""
        places = self.places
        return [n for n, (kind, name, _) in enumerate(body) if kind == "atom" and name in places]

    def _call(self, relation: int, terms: Terms) -> Iterator[Literal]:
        """A call of the predicate itself with no bound column, and the tests that bind them."""
        columns: list[Terms] = [["variable", f"c{column}"] for column in range(self.width)]
        tests = [(columns[0], ["constant", self.places[relation]])] if len(self.places) > 1 else []
        for column, term in enumerate(terms, 1):
            if term[0] == "variable" and term not in columns:
                columns[column] = term
            elif term != ["any"]:
                tests.append((columns[column], term))
        yield (self.name, columns)
        for test in tests:
            yield ("==", test)


def folded(function: str, group: Sequence[Row]) -> int | None:
    """The value of an aggregate over a group; None for `min` and `max` of nothing."""
    if function == "count":
        return len(group)
    targets = [int(row[-1]) for row in group]
    if function == "sum":
        return sum(targets)
    return (min if function == "min" else max)(targets, default=None)


def quotient(left: int, right: int) -> int:
    """The quotient cut towards zero; pyDatalog's own is rounded down.

    0 for a divisor of 0: pyDatalog computes as soon as operands are known, before the tests in
    front of it, and makes a constant of what is raised. A division by zero that no test in front
    keeps off is a fault of our evaluator, and then there is no answer to compare with.
    """
    if right == 0:
        return 0
    size = abs(left) // abs(right)
    return size if (left < 0) == (right < 0) else -size


def remainder(left: int, right: int) -> int:
    """The remainder with the sign of the dividend; pyDatalog's own has that of the divisor."""
    return left - right * quotient(left, right)


def components(job: Job) -> list[list[int]]:
    """The derived relations that the asked ones need, in lists of those that need one another.

    Each list comes after all that it needs: of two relations the one that needs the other reaches
    more relations, unless both reach the same.
    """
    reads: dict[int, set[int]] = {}
    for relation, _terms, body in job["rules"]:
        named = {subject for kind, subject, _terms in body if kind != "compare"}
        reads.setdefault(relation, set()).update(named)
    for domain, extent, value, _shared, _function in job["folds"]:
        reads.setdefault(value, set()).update((domain, extent))
    needed = {relation for asked in job["asked"] for relation in _reached(reads, asked)}
    reached = {relation: _reached(reads, relation) for relation in needed & reads.keys()}
    together: dict[frozenset[int], list[int]] = {}
    for relation in sorted(reached, key=lambda relation: len(reached[relation])):
        together.setdefault(reached[relation], []).append(relation)
    return list(together.values())


def _reached(reads: Mapping[int, set[int]], start: int) -> frozenset[int]:
    """The relation and all that it needs, directly or not."""
    found, stack = {start}, [start]
    while stack:
        new = reads.get(stack.pop(), set()) - found
        found |= new
        stack += new
    return frozenset(found)


def answered(engine: Any, job: Job) -> list[list[Row]]:
    """The rows of the asked relations, in the order in which they were asked for."""
    session = Session(engine, job)
    session.open()
    for together in components(job):
        session.derive(together)
    return [list(session.rows(relation)) for relation in job["asked"]]


def _hold_limits(memory_bytes: int, cpu_seconds: int) -> None:
    """Limit this process, its time too, for the case that nobody is left to end it."""
    resource = import_module("resource")
    for name, value in (("CORE", 0), ("CPU", cpu_seconds), ("AS", memory_bytes or -1)):
        number = getattr(resource, f"RLIMIT_{name}")
        limit = min((n for n in (value, resource.getrlimit(number)[1]) if n >= 0), default=-1)
        resource.setrlimit(number, (limit, limit))


def main(memory_bytes: int, cpu_seconds: int) -> int:
    """Answer the jobs; returns the exit code."""
    try:
        _hold_limits(memory_bytes, cpu_seconds)
        gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
        engine = import_module("pyDatalog.pyEngine")
        json.dump([answered(engine, job) for job in json.load(sys.stdin)], sys.stdout)
    except MemoryError:
        return OUT_OF_MEMORY
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
