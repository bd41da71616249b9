"""Files that Nemo's programs import, and those that hold what they export.

Read as `nemo/src/io/formats/dsv/reader.rs` of its sources does it: a line of another width and a
line with a cell of another format are left out.
"""

import csv
import gzip
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from nemo_syntax import Exchange, Odd, Several, Term
from nemo_values import cell
from suite_report import FormError, OutsideError

import engine

_DELIMITERS: Final = {"csv": ",", "tsv": "\t", "dsv": ""}
_READ: Final = frozenset(
    {"resource", "format", "delimiter", "compression", "ignore_headers", "quoting"}
)
_WRITTEN: Final = frozenset({"resource", "delimiter"})
_GZIP: Final = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class Form:
    """How a file is named and written; `formats` are of its columns, none iff none are stated."""

    file: str
    delimiter: str
    formats: tuple[str, ...] = ()
    quoting: bool = True
    headers: bool = False


def oddities_of(exchange: Exchange, role: str) -> Iterator[str]:
    """What our subset leaves out of an `import` or `export`."""
    if exchange.format not in _DELIMITERS:
        yield f"{role} of `{exchange.format}`"
    if exchange.computed:
        yield f"computed {role}"
    for key, term in exchange.attributes.items():
        if key not in (_READ if role == "import" else _WRITTEN):
            yield f"{role} attribute `{key}`"
        elif isinstance(term, Odd):
            yield f"{term.construct} as an attribute"


def form_of(exchange: Exchange) -> Form:
    """The form of an import or export without oddities."""
    texts = {key: _texts(term) for key, term in exchange.attributes.items()}
    (file,) = texts.get("resource", (f"{exchange.predicate}.{exchange.format}",))
    (delimiter,) = texts.get("delimiter", (_DELIMITERS[exchange.format],))
    return Form(
        file,
        delimiter,
        texts.get("format", ()),
        texts.get("quoting") != ("false",),
        texts.get("ignore_headers") == ("true",),
    )


def exported_name(exchange: Exchange) -> str:
    """The name of the file that an export writes."""
    return re.sub(r"[^A-Za-z0-9._~-]", "_", form_of(exchange).file)


def imported(folder: Path, form: Form, width: int) -> Iterator[engine.Row]:
    """The rows of an imported file; `width` is that of the relation, 0 iff no rule tells it."""
    lines = _lines(folder / form.file, form.delimiter, quoting=form.quoting)
    formats: Sequence[str] = form.formats or ("any",) * (
        width or max(map(len, lines[:1]), default=0)
    )
    for cells in lines[1 if form.headers else 0 :]:
        if len(cells) == len(formats):
            pairs = zip(cells, formats, strict=True)
            row = [cell(text, how) for text, how in pairs if how != "skip"]
            whole = tuple(value for value in row if value is not None)
            if len(whole) == len(row):
                yield whole


def answered(file: Path, form: Form) -> frozenset[engine.Row]:
    """The rows of a file of answers, of whatever width."""
    try:
        lines = _lines(file, form.delimiter)
        return frozenset(
            tuple(value for text in cells if (value := cell(text)) is not None) for cells in lines
        )
    except OutsideError as cause:
        raise FormError(f"{file.name}: {cause}") from cause


def _texts(term: Term) -> tuple[str, ...]:
    match term:
        case Several(terms):
            return tuple(text for part in terms for text in _texts(part))
        case engine.Constant(str(text)):
            return (text.removeprefix('"').removesuffix('"'),)
        case _:
            raise OutsideError("attribute of another kind")


def _lines(path: Path, delimiter: str, *, quoting: bool = True) -> list[list[str]]:
    try:
        content = path.read_bytes()
        text = (gzip.decompress(content) if content.startswith(_GZIP) else content).decode()
    except (OSError, UnicodeDecodeError) as cause:
        raise FormError(f"`{path.name}` cannot be read as UTF-8") from cause
    lines = csv.reader(
        io.StringIO(text, newline=""),
        delimiter=delimiter,
        quoting=csv.QUOTE_MINIMAL if quoting else csv.QUOTE_NONE,
    )
    return [cells for cells in lines if cells]
