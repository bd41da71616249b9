"""One-line faults of `rules`: file, text that stands there once, text put in its place."""

FAULTS: list[tuple[str, str, str]] = [
    (
        "annotations.py",
        "if words and declared.base.text == engine.NUMBER:",
        "if words and declared.base.text != engine.NUMBER:",
    ),
    (
        "annotations.py",
        'yield finding("R216", name.place, message, hint=hint)',
        '_ = finding("R216", name.place, message, hint=hint)',
    ),
    ("bodies.py", 'if function.text == "count":', 'if function.text != "count":'),
    ("computed.py", "if word.text not in unit.matchers:", "if word.text in unit.matchers:"),
    (
        "constraints.py",
        "if reference.relation.text not in unit.unread_declarations:",
        "if reference.relation.text in unit.unread_declarations:",
    ),
    (
        "constraints.py",
        'return "1 column" if len(words) == 1 else f"{len(words)} columns"',
        'return "1 column" if len(words) != 1 else f"{len(words)} columns"',
    ),
    ("contradictions.py", "if not cases and before != here:", "if not cases and before == here:"),
    ("contradictions.py", 'if other_sign == "=":', 'if other_sign != "=":'),
    (
        "declarations.py",
        "elif not known and type_name.text not in unit.unread_declarations:",
        "elif not known and type_name.text in unit.unread_declarations:",
    ),
    (
        "declarations.py",
        'yield finding("R202", type_name.place, message, law, hint=hint)',
        '_ = finding("R202", type_name.place, message, law, hint=hint)',
    ),
    (
        "dependencies.py",
        "return f\"{mark}{' ' if len(mark) > 1 else ''}{name}\"",
        "return f\"{mark}{' ' if len(mark) >= 1 else ''}{name}\"",
    ),
    ("emptiness.py", "if name not in found:", "if name in found:"),
    (
        "expressions.py",
        "if not engine.NUMBER_MIN <= value <= engine.NUMBER_MAX:",
        "if engine.NUMBER_MIN <= value <= engine.NUMBER_MAX:",
    ),
    ("expressions.py", 'if token.kind == "^":', 'if token.kind != "^":'),
    ("includes.py", "if source.name not in self._included:", "if source.name in self._included:"),
    (
        "leftovers.py",
        "if mention.atom.relation.text != named.clause.head.relation.text",
        "if mention.atom.relation.text == named.clause.head.relation.text",
    ),
    (
        "misfits.py",
        "elif term.leaves and base_of(unit, column.type.text) == engine.SYMBOL:",
        "elif term.leaves and base_of(unit, column.type.text) != engine.SYMBOL:",
    ),
    (
        "misfits.py",
        'yield finding("R208", term.token.place, message, note, hint=hint)',
        '_ = finding("R208", term.token.place, message, note, hint=hint)',
    ),
    ("omissions.py", 'elif members == ["number"]:', 'elif members != ["number"]:'),
    (
        "ranges.py",
        "if len(atoms) == 1 and len(set(named)) == len(named):",
        "if len(atoms) != 1 and len(set(named)) == len(named):",
    ),
    (
        "ranges.py",
        'yield finding("R312", term.token.place, message, law, hint=hint)',
        '_ = finding("R312", term.token.place, message, law, hint=hint)',
    ),
    (
        "references.py",
        'yield finding("R204", atom.relation.place, message, note, hint=hint)',
        '_ = finding("R204", atom.relation.place, message, note, hint=hint)',
    ),
    (
        "rendering.py",
        'cut_right = "…" if last < len(line) else ""',
        'cut_right = "…" if last <= len(line) else ""',
    ),
    ("rendering.py", 'if char == "\\t":', 'if char != "\\t":'),
    (
        "roles.py",
        'yield finding("R211", head.place, message, note, law)',
        '_ = finding("R211", head.place, message, note, law)',
    ),
    (
        "roles.py",
        'yield finding("R212", name.place, message, law)',
        '_ = finding("R212", name.place, message, law)',
    ),
    (
        "spelling.py",
        "cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))",
        "cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a == b))",
    ),
    (
        "spelling.py",
        "if candidate != name and abs(len(candidate) - len(name)) <= allowed:",
        "if candidate == name and abs(len(candidate) - len(name)) <= allowed:",
    ),
    ("symbols.py", 'if "\\\\" not in lexeme:', 'if "\\\\" in lexeme:'),
    ("tokens.py", 'if char == "\\ufeff":', 'if char != "\\ufeff":'),
    ("tokens.py", 'if kind == "newline":', 'if kind != "newline":'),
    ("unbound.py", 'if comparison.operator.kind != "=":', 'if comparison.operator.kind == "=":'),
    (
        "unbound.py",
        "return inside and len(list(free_variables(terms, bound))) == 1",
        "return inside and len(list(free_variables(terms, bound))) != 1",
    ),
]
