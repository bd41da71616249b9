"""Small faults in deltas, plans, aggregates, arithmetic, matchers, keys and outcomes."""

from collections.abc import Mapping

RICH_FAULTS: Mapping[str, tuple[str, str, str]] = {
    "every row appears in round one to the semi-naive evaluator": (
        "seminaive.py",
        "number += 1",
        "number = 1",
    ),
    "a delta takes all rows": (
        "seminaive.py",
        "return new.matching(relation, pattern)",
        "return world.rows.matching(relation, pattern)",
    ),
    "only the first recursive atom has a delta": (
        "seminaive.py",
        "        if scan.atom.relation in stratum.relations\n",
        "        if scan.atom.relation in stratum.relations and scan.position == 0\n",
    ),
    "atoms behind a delta take older rows": (
        "seminaive.py",
        "if scan.position > delta or relation",
        "if relation",
    ),
    "atoms before a delta take all rows": (
        "seminaive.py",
        "if scan.position > delta or relation not in stratum.relations:",
        "if True:",
    ),
    "new rows are not kept for the next round": (
        "seminaive.py",
        "                new.add(relation, row, number)\n",
        "",
    ),
    "rules without a delta are forgotten after a round of others": (
        "seminaive.py",
        "if number == 1:",
        "if number == 2:",
    ),
    "the semi-naive evaluator counts no round": (
        "seminaive.py",
        'world.meter.count("rounds", 1',
        'world.meter.count("rounds", 0',
    ),
    "the semi-naive evaluator counts a row for each rule": (
        "seminaive.py",
        "(relation, row) not in fresh and ",
        "",
    ),
    "a fault names no rule to the semi-naive evaluator": (
        "seminaive.py",
        "        with variant.planned.blamed():\n",
        "        if True:\n",
    ),
    "tests come in any order": (
        "plans.py",
        "next((w for w in waiting if _is_ready(w, known, outside)), None)",
        "next((w for w in waiting[::-1] if _is_ready(w, known, outside)), None)",
    ),
    "arithmetic is moved forward": (
        "plans.py",
        "return not any(isinstance(term, Arithmetic) for term in terms_of(literal))",
        "return True",
    ),
    "a matcher is asked early": (
        "plans.py",
        "program.relations[atom.relation].computed is not None:\n        return False",
        "program.relations[atom.relation].computed is not None:\n        return True",
    ),
    "tests move past one that can fail": ("plans.py", "tuple(taken)", "tuple(taken[:0])"),
    "an equality is ready before its other side": (
        "plans.py",
        "return (left and (right or isinstance(literal.right, Variable))) or (",
        "return (left or isinstance(literal.left, Variable)) or (",
    ),
    "arithmetic in an atom is any value": (
        "plans.py",
        "            waiting.extend(equalities)\n",
        "",
    ),
    "every variable of an aggregate is local": (
        "plans.py",
        "for v in variables_inside(aggregate) if v.name in names))",
        "for v in variables_inside(aggregate) if not names))",
    ),
    "an unbound head is let through": ("plans.py", "    _require_bound((rule.head,), bound)\n", ""),
    "an unbound target is let through": (
        "plans.py",
        "    _require_bound(target, known | _bound_by(inner, frozenset(shared)))\n",
        "",
    ),
    "the first scan is not the delta": (
        "plans.py",
        "if s.position == first and not scans",
        "if False",
    ),
    "an aggregate binds nothing": (
        "plans.py",
        "        return {literal.result.name}\n",
        "        return set()\n",
    ),
    "a test before a test that fails": (
        "plans.py",
        "    movable, fixed = list(plan.tests[:harmless]), plan.tests[harmless:]",
        "    movable = [t for t in plan.tests if t.is_harmless]\n    fixed = tuple(t for t in plan.tests if not t.is_harmless)",  # noqa: E501
    ),
    "a sum is a sum of a set": (
        "solutions.py",
        "return bounded(sum(values))",
        "return bounded(sum(set(values)))",
    ),
    "a sum has any size": ("solutions.py", "return bounded(sum(values))", "return sum(values)"),
    "the minimum is the maximum": (
        "solutions.py",
        '(min if literal.function == "min" else max)',
        '(max if literal.function == "min" else min)',
    ),
    "the minimum of nothing is zero": (
        "solutions.py",
        "(values, default=None)",
        "(values, default=0)",
    ),
    "a count counts rows of the first atom": (
        "solutions.py",
        "return sum(1 for _ in found)",
        "return len({s.rows[:1] for s in found})",
    ),
    "an aggregate forgets what is shared": (
        "solutions.py",
        "start = {name: binding[name] for name in test.shared}",
        "start: Binding = {}",
    ),
    "an aggregate result is never compared": (
        "solutions.py",
        "if binding.get(result, value) == value else None",
        "if True else None",
    ),
    "`=` never binds": (
        "solutions.py",
        'if comparison.operator == "=":',
        'if comparison.operator == "==":',
    ),
    "a matcher is always true": (
        "solutions.py",
        "return not world.matchers[matcher](row)",
        "return False",
    ),
    "a missing matcher is false": (
        "solutions.py",
        "        raise NoMatcherError(relation, matcher)\n",
        "        return True\n",
    ),
    "division rounds down": (
        "arithmetic.py",
        "quotient = abs(left) // abs(right)\n    if (left < 0) != (right < 0):\n        quotient = -quotient",  # noqa: E501
        "quotient = left // right",
    ),
    "the remainder has the sign of the divisor": (
        "arithmetic.py",
        "left - quotient * right",
        "left % right",
    ),
    "a product has any size": (
        "arithmetic.py",
        "return bounded(left * right)",
        "return left * right",
    ),
    "a division by zero gives zero": (
        "arithmetic.py",
        'raise ArithmeticFaultError("division by zero")',
        "return 0",
    ),
    "64 bits have one more number": (
        "arithmetic.py",
        "NUMBER_MIN <= number <= NUMBER_MAX",
        "NUMBER_MIN <= number <= NUMBER_MAX + 1",
    ),
    "a difference is a sum": ("arithmetic.py", "bounded(left - right)", "bounded(left + right)"),
    "a contribution has an order": (
        "contributions.py",
        "each = sorted(digest([[relation, row] for relation, row in solution]) for solution in found)",  # noqa: E501
        "each = [digest([[relation, row] for relation, row in solution]) for solution in found]",
    ),
    "the digest of contributions names the first only": (
        "contributions.py",
        'return digest(["contributions", content])',
        'return digest(["contributions", content[:1]])',
    ),
    "many rows are few": (
        "contributions.py",
        "return len(self.rows) <= FEW",
        "return len(self.rows) < FEW",
    ),
    "all rows are few": ("contributions.py", "return len(self.rows) <= FEW", "return True"),
    "rows behind an aggregate are not sorted": (
        "contributions.py",
        "tuple(sorted(rows, key=lambda pair: (pair[0], order_key(pair[1]))))",
        "tuple(rows)",
    ),
    "an aggregate is believed": (
        "checker.py",
        "if found is None or found.claim != step.claim:",
        "if False:",
    ),
    "rows behind an aggregate are believed": (
        "checker.py",
        "if rows != (found.rows if found.is_few else ()):",
        "if False:",
    ),
    "an aggregate without atoms is believed": (
        "checker.py",
        "if not absences and not aggregates:",
        "if not relations:",
    ),
    "a missing matcher is verified": ("checker.py", "if missing is not None:", "if False:"),
    "a matcher is believed": (
        "checked_steps.py",
        '_require(matcher(step.values), step, "match")',
        "pass",
    ),
    "shared variables are believed": (
        "checked_steps.py",
        '    _require(tuple(name for name, _ in step.binding) == shared, step, "binding")\n',
        "",
    ),
    "the value of a premise is believed": (
        "checked_steps.py",
        "                and binding[literal.result.name] == premise.value\n",
        "",
    ),
    "an aggregate of any place will do": (
        "checked_steps.py",
        "(premise.rule_id, premise.position) == (rule.id, position)",
        "True",
    ),
    "keys are not held": (
        "constraints.py",
        "            _hold_key(relation, key, rows.of(name))\n",
        "            pass\n",
    ),
    "every column is a key": (
        "constraints.py",
        "seen.setdefault(projected(row), row)",
        "seen.setdefault(row, row)",
    ),
    "references are not held": (
        "constraints.py",
        "            _hold_reference(program, relation, reference, rows)\n",
        "            pass\n",
    ),
    "a reference is to the columns of the same name": (
        "constraints.py",
        "_projection(target, reference.targets)",
        "_projection(target, reference.columns)",
    ),
    "an aggregate does not need its relation complete": (
        "program.py",
        "yield from ((atom, True) for",
        "yield from ((atom, False) for",
    ),
    "an aggregate reads nothing": (
        "program.py",
        "yield from ((atom, True) for atom, _ in atoms_of(literal.body))",
        "pass",
    ),
    "every rule is applied": ("coverage.py", "        if next(", "        if True or next("),
    "a limit is not derivable": (
        "outcomes.py",
        "return LimitReached(reached.limit, reached.relation, reached.rule_id, str(reached))",
        "raise NotImplementedError",
    ),
    "a failure is not caught": (
        "outcomes.py",
        "except (ArithmeticFaultError, MatcherFaultError, NoMatcherError) as",
        "except (ArithmeticFaultError, MatcherFaultError) as",
    ),
    "a question fits every row": (
        "outcomes.py",
        "model.rows.matching(relation, pattern), key",
        "model.rows.of(relation), key",
    ),
    "the time is never up": ("limits.py", "if self.expired():", "if False:"),
    "the clock is asked for other rows too": (
        "limits.py",
        "self.unasked += 1 + amount",
        "self.unasked += 0",
    ),
    "an aggregate step does not name its value": (
        "derivations.py",
        "[claim.binding, claim.value, claim.count",
        "[claim.binding, claim.count",
    ),
    "a head of another rule is computed": (
        "solutions.py",
        "        elif isinstance(term, Constant) and term.value != value:\n            return None\n",  # noqa: E501
        "        elif value_of(term, extended) not in (None, value):\n            return None\n",
    ),
}
