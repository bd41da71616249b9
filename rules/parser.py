"""The parser: tokens to a tree, by recursive descent.

    source      = { prefix ( relation | type | exchange | include | rule ) }
    prefix      = { documentation | "@" "[" name [ "=" ( symbol | "[" symbols "]" ) ] "]" }
    relation    = ".decl" names "(" [ name ":" name { "," name ":" name } ] ")" { qualifier }
    type        = ".type" name "<:" name
    exchange    = ( ".input" | ".output" ) names [ "(" [ parameter { "," parameter } ] ")" ]
    parameter   = name "=" ( symbol | name | number )
    include     = ".include" symbol | ".once"
    names       = name { "," name }
    rule        = atom { "," atom } ":-" body "." | atom "."

How bodies and their terms are read is the business of `bodies` and `expressions`. `.once` is read
and forgotten, since every source is read once anyway.

After a syntax error reading goes on behind the next `.`, at the next directive, or at the next line
that begins, no further right than the statement did, with something that can begin a statement.
"""

from typing import Final

from rules import omissions, syntax
from rules.bodies import Bodies
from rules.cursor import Cursor, SyntaxFault
from rules.diagnostics import Diagnostic, finding
from rules.omissions import omission, type_omission
from rules.spelling import Spelling
from rules.symbols import show
from rules.tokens import DIRECTIVES, FINDINGS_LIMIT, Scanner, Source, Token

_VALUES: Final = frozenset({"symbol", "name", "number"})


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
        self._bodies = Bodies(cursor)
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
                statements += self._statement()
            except SyntaxFault as fault:
                if fault.diagnostic:
                    self.cursor.findings.append(fault.diagnostic)
                unread[self._declares].add(self._subject)
                self.cursor.recover(first)
        return syntax.Tree(
            tuple(s for s in statements if isinstance(s, syntax.Type)),
            tuple(s for s in statements if isinstance(s, syntax.Relation)),
            tuple(s for s in statements if isinstance(s, syntax.Rule)),
            tuple(s for s in statements if isinstance(s, syntax.Exchange)),
            tuple(s for s in statements if isinstance(s, syntax.Include)),
            unread_declarations=frozenset(unread[True]),
            unread_rules=frozenset(unread[False]),
        )

    def _statement(self) -> tuple[syntax.Statement, ...]:
        """What the next statement says; nothing iff nothing but documentation is left."""
        documentation, annotations = self._prefix()
        token = self.cursor.token
        match token.kind, token.text:
            case "directive", ".decl":
                return self._relations(annotations, documentation)
            case "directive", ".type":
                return (self._type(annotations, documentation),)
            case "directive", (".input" | ".output"):
                return self._exchanges(annotations)
            case "directive", (".include" | ".once"):
                return self._include(annotations)
            case "directive", _:
                raise SyntaxFault(self._unknown_directive(token))
            case "name", _:
                return (self._rule(annotations, documentation),)
            case "end", _ if documentation and not annotations:
                message = "documentation without a declaration or rule behind it"
                self.cursor.findings.append(finding("R404", self.cursor.token.place, message))
                return ()
            case _:
                raise self.cursor.expected("a declaration, a rule or a fact")

    def _unknown_directive(self, token: Token) -> Diagnostic:
        if token.text in omissions.DIRECTIVES:
            if token.text in omissions.BLOCKS:
                self.cursor.pass_block()
            return omission(token, omissions.DIRECTIVES[token.text])
        law = f"the directives are {', '.join(f'`{name}`' for name in DIRECTIVES)}"
        hint = self._spelling.hint(token.text, DIRECTIVES)
        if token.text == "#include":
            hint = "write `.include` and the path in double quotes"
        message = f"unknown directive {show(token.text)}"
        return finding("R108", token.place, message, law, hint=hint)

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

    def _relations(
        self, annotations: tuple[syntax.Annotation, ...], documentation: str
    ) -> tuple[syntax.Relation, ...]:
        self.cursor.advance()
        names = self._declared_names()
        columns = self.cursor.listed(self._column, "(", ")")
        self._qualifiers()
        return tuple(syntax.Relation(name, columns, annotations, documentation) for name in names)

    def _qualifiers(self) -> None:
        """Go past words that say how Soufflé keeps or finds rows; others are reported."""
        cursor = self.cursor
        while cursor.at("name"):
            word = cursor.token
            if word.text == "choice" and cursor.peek().kind == "-":
                raise SyntaxFault(omission(word, omissions.QUALIFIERS[word.text]))
            if word.text in omissions.KEPT_QUALIFIERS:
                cursor.advance()
            elif word.text in omissions.QUALIFIERS and word.text != "choice":
                why = omissions.QUALIFIERS[cursor.advance().text]
                cursor.findings.append(omission(word, why))
            else:
                return

    def _column(self) -> syntax.Column:
        name = self.cursor.name("the name of a column")
        self.cursor.take(":", "`:` and a type")
        return syntax.Column(name, self.cursor.name("a type"))

    def _type(self, annotations: tuple[syntax.Annotation, ...], documentation: str) -> syntax.Type:
        self.cursor.advance()
        name = self._declared_name()
        if self.cursor.at("="):
            raise SyntaxFault(self._equal_type(name))
        self.cursor.take("<:", "`<:` and `symbol` or `number`")
        base = self.cursor.name("`symbol` or `number`")
        return syntax.Type(name, base, annotations, documentation)

    def _equal_type(self, name: Token) -> Diagnostic:
        self.cursor.advance()
        members: list[str] = []
        while self.cursor.at("name"):
            members.append(self.cursor.advance().text)
            if self.cursor.at("|"):
                self.cursor.advance()
        return type_omission(name, members, self.cursor.token.kind)

    def _exchanges(self, annotations: tuple[syntax.Annotation, ...]) -> tuple[syntax.Exchange, ...]:
        direction = self.cursor.advance().text[1:]
        names = self._declared_names()
        listed = self.cursor.listed
        parameters = listed(self._parameter, "(", ")") if self.cursor.at("(") else ()
        return tuple(syntax.Exchange(direction, name, parameters, annotations) for name in names)

    def _parameter(self) -> tuple[Token, Token]:
        cursor = self.cursor
        key = cursor.take("name", "the name of a parameter")
        cursor.take("=", "`=`")
        if cursor.token.kind not in _VALUES:
            raise cursor.expected("a symbol, a name or a number")
        return key, cursor.text() if cursor.at("symbol") else cursor.advance()

    def _include(self, annotations: tuple[syntax.Annotation, ...]) -> tuple[syntax.Include, ...]:
        if self.cursor.advance().text == ".once":
            return ()
        return (syntax.Include(self.cursor.text(), annotations),)

    def _declared_names(self) -> list[Token]:
        names = [self._declared_name()]
        while self.cursor.at(","):
            self.cursor.advance()
            names.append(self._declared_name())
        return names

    def _declared_name(self) -> Token:
        name = self.cursor.name("a name")
        self._declares, self._subject = True, name.text
        return name

    def _rule(self, annotations: tuple[syntax.Annotation, ...], documentation: str) -> syntax.Rule:
        cursor = self.cursor
        heads = [self._head()]
        while cursor.at(","):
            cursor.advance()
            heads.append(self._head())
        body: syntax.Body | None = None
        if cursor.at(":-"):
            cursor.advance()
            body = self._bodies.body()
        elif len(heads) > 1:
            raise cursor.expected("`:-`", "a fact ends with a full stop of its own")
        cursor.take(".", "`,`, `;` or `.`" if body else "`:-` or `.`")
        return syntax.Rule(tuple(heads), body, annotations, documentation)

    def _head(self) -> syntax.Atom:
        name = self.cursor.name("a relation")
        self._subject = self._subject or name.text
        return self._bodies.atom(name)
