"""The parser: tokens to a tree, by recursive descent over a grammar that does not nest.

    source      = { prefix ( relation | type | exchange | rule ) }
    prefix      = { documentation | "@" "[" name [ "=" ( symbol | "[" symbols "]" ) ] "]" }
    relation    = ".decl" name "(" [ name ":" name { "," name ":" name } ] ")"
    type        = ".type" name "<:" name
    exchange    = ( ".input" | ".output" ) name
    rule        = atom [ ":-" literal { "," literal } ] "."
    literal     = "!" atom | atom | term operator term
    atom        = name "(" [ term { "," term } ] ")"
    term        = name | "_" | symbol | [ "-" ] number

After a syntax error reading goes on behind the next `.`, at the next directive, or at the next line
that begins, no further right than the statement did, with something that can begin a statement.
"""

from typing import Final

from rules import syntax
from rules.cursor import Cursor, SyntaxFault
from rules.diagnostics import Diagnostic, finding
from rules.spelling import Spelling
from rules.symbols import show
from rules.tokens import DIRECTIVES, FINDINGS_LIMIT, Scanner, Source, Token

OPERATORS: Final = frozenset({"=", "!=", "<", "<=", ">", ">="})


def parse(source: Source, spelling: Spelling) -> tuple[syntax.Tree, list[Diagnostic]]:
    """The tree of all statements that could be read, and what was wrong with the others."""
    findings: list[Diagnostic] = []
    scanner = Scanner(source, findings)
    scanner.refuse_characters()
    reader = _Reader(Cursor(scanner, findings), spelling)
    tree = reader.read()
    if len(findings) >= FINDINGS_LIMIT:
        message = f"{FINDINGS_LIMIT} syntax errors, the rest of the source was not read"
        findings.append(finding("R110", reader.cursor.token.place, message))
    return tree, findings


class _Reader:
    """Reads statements; knows what the statement at hand is about, should it turn out broken."""

    def __init__(self, cursor: Cursor, spelling: Spelling) -> None:
        self.cursor = cursor
        self._spelling = spelling
        self._declares, self._subject = False, ""

    def read(self) -> syntax.Tree:
        """The tree of the whole source."""
        statements: list[syntax.Statement] = []
        unread: dict[bool, set[str]] = {True: set(), False: set()}
        while not self.cursor.at("end"):
            first = self.cursor.token
            self._declares, self._subject = False, ""
            try:
                statement = self._statement()
            except SyntaxFault as fault:
                if fault.diagnostic:
                    self.cursor.findings.append(fault.diagnostic)
                unread[self._declares].add(self._subject)
                self.cursor.recover(first)
            else:
                statements += [statement] if statement else []
        return syntax.Tree(
            tuple(s for s in statements if isinstance(s, syntax.Type)),
            tuple(s for s in statements if isinstance(s, syntax.Relation)),
            tuple(s for s in statements if isinstance(s, syntax.Rule)),
            tuple(s for s in statements if isinstance(s, syntax.Exchange)),
            unread_declarations=frozenset(unread[True]),
            unread_rules=frozenset(unread[False]),
        )

    def _statement(self) -> syntax.Statement | None:
        """The next statement; None iff nothing but documentation is left."""
        documentation, annotations = self._prefix()
        token = self.cursor.token
        match token.kind, token.text:
            case "directive", ".decl":
                return self._relation(annotations, documentation)
            case "directive", ".type":
                return self._type(annotations, documentation)
            case "directive", (".input" | ".output"):
                self.cursor.advance()
                return syntax.Exchange(token.text[1:], self._declared_name(), annotations)
            case "directive", _:
                raise SyntaxFault(self._unknown_directive(token))
            case "name", _:
                return self._rule(annotations, documentation)
            case "end", _ if documentation and not annotations:
                message = "documentation without a declaration or rule behind it"
                self.cursor.findings.append(finding("R404", self.cursor.token.place, message))
                return None
            case _:
                raise self.cursor.expected("a declaration, a rule or a fact")

    def _unknown_directive(self, token: Token) -> Diagnostic:
        law = f"the directives are {', '.join(f'`{name}`' for name in DIRECTIVES)}"
        hint = self._spelling.hint(token.text, DIRECTIVES)
        message = f"unknown directive {show(token.text)}"
        return finding("R108", self.cursor.token.place, message, law, hint=hint)

    def _prefix(self) -> tuple[str, tuple[syntax.Annotation, ...]]:
        lines: list[str] = []
        annotations: list[syntax.Annotation] = []
        while True:
            if self.cursor.at("documentation"):
                lines.append(self.cursor.advance().text[3:].strip())
            elif self.cursor.at("@"):
                annotations.append(self._annotation())
            else:
                return "\n".join(lines), tuple(annotations)

    def _annotation(self) -> syntax.Annotation:
        cursor = self.cursor
        cursor.advance()
        cursor.take("[", "`[`")
        name = cursor.take("name", "the name of an annotation")
        value: Token | tuple[Token, ...] | None = None
        if cursor.at("="):
            cursor.advance()
            value = cursor.listed(cursor.text, "[", "]") if cursor.at("[") else cursor.text()
        if cursor.at(","):
            raise cursor.expected("`]`", "one annotation to a bracket: `@[given] @[never]`")
        cursor.take("]", "`]`")
        return syntax.Annotation(name, value)

    def _relation(
        self, annotations: tuple[syntax.Annotation, ...], documentation: str
    ) -> syntax.Relation:
        self.cursor.advance()
        name = self._declared_name()
        columns = self.cursor.listed(self._column, "(", ")")
        return syntax.Relation(name, columns, annotations, documentation)

    def _column(self) -> syntax.Column:
        name = self.cursor.name("the name of a column")
        self.cursor.take(":", "`:` and a type")
        return syntax.Column(name, self.cursor.name("a type"))

    def _type(self, annotations: tuple[syntax.Annotation, ...], documentation: str) -> syntax.Type:
        self.cursor.advance()
        name = self._declared_name()
        self.cursor.take("<:", "`<:` and `symbol` or `number`")
        base = self.cursor.name("`symbol` or `number`")
        return syntax.Type(name, base, annotations, documentation)

    def _declared_name(self) -> Token:
        name = self.cursor.name("a name")
        self._declares, self._subject = True, name.text
        return name

    def _rule(self, annotations: tuple[syntax.Annotation, ...], documentation: str) -> syntax.Rule:
        cursor = self.cursor
        name = cursor.name("a relation")
        self._subject = name.text
        head = self._atom(name)
        body: list[syntax.Literal] = []
        if cursor.at(":-"):
            cursor.advance()
            body.append(self._literal())
            while cursor.at(","):
                cursor.advance()
                body.append(self._literal())
        cursor.take(".", "`,` or `.`" if body else "`:-` or `.`")
        return syntax.Rule(head, tuple(body), annotations, documentation)

    def _literal(self) -> syntax.Literal:
        cursor = self.cursor
        if cursor.at("!"):
            cursor.advance()
            return syntax.Negated(self._atom(cursor.name("a relation")))
        if not cursor.at("name"):
            return self._comparison(cursor.term("a literal"), "a comparison")
        name = cursor.name("a literal")
        if cursor.at("("):
            return self._atom(name)
        return self._comparison(cursor.named_term(name), "`(` or a comparison")

    def _comparison(self, left: syntax.Term, wanted: str) -> syntax.Comparison:
        if self.cursor.token.kind not in OPERATORS:
            raise self.cursor.expected(wanted)
        operator = self.cursor.advance()
        return syntax.Comparison(operator, left, self.cursor.term("a term"))

    def _atom(self, relation: Token) -> syntax.Atom:
        return syntax.Atom(relation, self.cursor.listed(self._term, "(", ")"))

    def _term(self) -> syntax.Term:
        return self.cursor.term("a term")
