"""Small faults: file, text, and what stands in its place; in facts, joins, proofs and checking."""

from collections.abc import Mapping

FAULTS: Mapping[str, tuple[str, str, str]] = {
    "every row appears in round one": ("naive.py", "number += 1", "number = 1"),
    "rows appear one round early": (
        "naive.py",
        "rows.add(relation, row, number)",
        "rows.add(relation, row, number - 1)",
    ),
    "the greatest fact id is kept": ("opening.py", "min(facts.get", "max(facts.get"),
    "a row counts for each rule that gives it": (
        "naive.py",
        "(relation, row) not in fresh and ",
        "",
    ),
    "request facts count as base facts": (
        "opening.py",
        '("request_facts", list',
        '("base_facts", list',
    ),
    "facts are not admitted": ("opening.py", "        admit(program, given)\n", ""),
    "a round is not counted": ("naive.py", 'meter.count("rounds", 1', 'meter.count("rounds", 0'),
    "a variable that stands twice is two": (
        "solutions.py",
        "extended.setdefault(term.name, value) != value",
        "extended.update({term.name: value})",
    ),
    "`<=` is `<`": ("arithmetic.py", '"<=": operator.le', '"<=": operator.lt'),
    "`!=` is always true": ("arithmetic.py", '"!=": operator.ne', '"!=": lambda left, right: True'),
    "a join counts one row": ("solutions.py", "count(len(found))", "count(1)"),
    "an index is not kept up to date": (
        "rows.py",
        "self._index.get(relation, {}).items()",
        "{}.items()",
    ),
    "whole patterns always match": (
        "rows.py",
        "return (pattern,) if pattern in known else ()",
        "return (pattern,)",
    ),
    "only the first rule of a stratum is looked at": (
        "strata.py",
        "for rule in mine:",
        "for rule in mine[:1]:",
    ),
    "rules of a stratum are not sorted": (
        "strata.py",
        "        mine.sort(key=lambda rule: rule.id)\n",
        "",
    ),
    "low links stay with the child": (
        "strata.py",
        "self.low[parent] = min(self.low[parent], self.low[node])",
        "pass",
    ),
    "a slice leaves out what it rests on": (
        "strata.py",
        "stack.extend(graph.get(relation, ()))",
        "pass",
    ),
    "symbols come before numbers": ("terms.py", "else (2, 0, value)", "else (0, 1, value)"),
    "a truth value is a number in a fact": (
        "facts.py",
        "isinstance(value, bool) or not isinstance(value, int)",
        "not isinstance(value, int)",
    ),
    "numbers have any size": ("facts.py", "NUMBER_MIN <= value <= NUMBER_MAX", "True"),
    "derived rows may be given": ("facts.py", "if not relation.given:", "if False:"),
    "a set has an order": (
        "facts.py",
        "sorted({fact.id for fact in facts})",
        "[fact.id for fact in facts]",
    ),
    "texts are not prefixed by their length": (
        "digests.py",
        'b"s%d:%b" % (len(encoded), encoded)',
        'b"s%b" % encoded',
    ),
    "lists are not prefixed by their length": ("digests.py", 'b"l%d:" % len(item)', 'b"l"'),
    "a rule step does not name its binding": (
        "derivations.py",
        "values, binding, premises])",
        "values, premises])",
    ),
    "the conclusion is no fact id": (
        "derivations.py",
        "{s.fact_id for s in self.steps if isinstance(s, Given)}",
        "{s.fact_id for s in self.steps[:-1] if isinstance(s, Given)}",
    ),
    "a proof stands on rows of its own round": ("applications.py", "< limit", "<= limit"),
    "the greatest value is tried first": (
        "applications.py",
        "order_key((value,)))",
        "order_key((value,)), reverse=True)",
    ),
    "choices in the own stratum are kept": (
        "applications.py",
        "if size >= _MANY and not self._is_mutual(goal, atom.relation):",
        "if size >= _MANY:",
    ),
    "rows for `_` in the own stratum are kept": (
        "applications.py",
        "if self._is_mutual(goal, atom.relation) or len",
        "if len",
    ),
    "the greatest row stands for `_`": (
        "applications.py",
        "row = min(self._earlier",
        "row = max(self._earlier",
    ),
    "given facts are believed": ("checker.py", "        _check_given(steps, facts)\n", ""),
    "facts at hand are believed": ("checker.py", "if set_digest(named) != name:", "if False:"),
    "a step may stand for nothing": (
        "checker.py",
        "if used != set(steps) - {last.id}:",
        "if False:",
    ),
    "a step may stand twice": ("checker.py", "if step.id in steps:", "if False:"),
    "a premise too many is allowed": ("checked_steps.py", "next(premises, None) is None", "True"),
    "a fact id is believed": ("checked_steps.py", "step.fact_id == fact_id(*content)", "True"),
    "the digest is believed": ("checker.py", "certificate_digest(body) == parsed.digest", "True"),
    "input facts are believed": (
        "checker.py",
        "parsed.input_fact_ids == derivation.input_fact_ids",
        "True",
    ),
    "any absence of the relation will do": (
        "checked_steps.py",
        "(premise.relation, premise.pattern) == wanted",
        "premise.relation == wanted[0]",
    ),
    "the bounds are outside the digest": (
        "certificates.py",
        'if name != "digest"',
        'if name not in ("digest", "execution_bounds")',
    ),
    "unknown fields are let through": (
        "json_values.py",
        "set(found) != names",
        "not names <= set(found)",
    ),
    "a limit stops one early": ("limits.py", "if total > allowed:", "if total >= allowed:"),
    "what was used is forgotten": (
        "limits.py",
        "self.used[limit] = total",
        "self.used[limit] = amount",
    ),
    "a negation always holds": (
        "solutions.py",
        "wanted = not isinstance(literal, Negated)",
        "wanted = True",
    ),
    "constants in atoms are not looked up": (
        "solutions.py",
        "return tuple(value_of(term, binding) for term in atom.terms)",
        "return tuple(None if isinstance(t, Constant) else value_of(t, binding) for t in atom.terms)",  # noqa: E501
    ),
    "negated atoms make no dependency": (
        "program.py",
        "                yield literal.atom, True\n",
        "                pass\n",
    ),
    "any number of columns will do": (
        "facts.py",
        "if len(row) != len(relation.columns):",
        "if False:",
    ),
    "tests are forgotten in a proof": (
        "applications.py",
        "full = tested(search.planned.plan.tests, self.world, binding)",
        "full = binding",
    ),
    "variables are taken by name": (
        "program.py",
        "    return tuple(dict.fromkeys(named))\n",
        "    return tuple(sorted(set(named)))\n",
    ),
    "an absence is no premise": (
        "proofs.py",
        "premises.append(self._kept(Absence.of(literal.atom.relation, pattern)).id)",
        "self._kept(Absence.of(literal.atom.relation, pattern))",
    ),
    "absences are believed": (
        "checker.py",
        "if not is_excluded(absence.relation, absence.pattern, world):",
        "if False:",
    ),
    "comparisons are believed": (
        "checked_steps.py",
        "_require(holds(literal, binding), step",
        "_require(True, step",
    ),
    "a variable too many is allowed": (
        "checked_steps.py",
        "set(binding) == {v.name",
        "set(binding) >= {v.name",
    ),
    "any rules will do": ("checker.py", "(parsed.ruleset_version == version,", "(True,"),
    "any conclusion will do": ("checker.py", "if row_of(last) != parsed.conclusion:", "if False:"),
    "a truth value is a number in a certificate": (
        "json_values.py",
        "isinstance(value, bool) or not isinstance(value, int)",
        "not isinstance(value, int)",
    ),
}
