"""Folders of lesson files: reading all of one, and writing into one without harm."""

import os
import secrets
import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from api.cli.outcome import CommandError, Exit
from contracts import Finding, LessonRecord, field_line, read_lesson


@dataclass(frozen=True, slots=True)
class LessonFile:
    """A lesson with the name of its file and the text in it."""

    name: str
    text: str
    record: LessonRecord

    def finding(self, name: str, problem: str) -> Finding:
        """A finding about a field, at the line where the field stands."""
        return Finding(field_line(self.text, name), name, problem)


@dataclass(slots=True)
class LessonFolder:
    """Lesson files in the order of their names, and what is wrong with others, by name."""

    files: list[LessonFile] = field(default_factory=list[LessonFile])
    wrong: list[tuple[str, Finding]] = field(default_factory=list[tuple[str, Finding]])


def is_lesson_source(path: Path) -> bool:
    """Whether a path is a folder of lesson files or one such file."""
    return path.is_dir() or path.suffix.lower() == ".md"


def read_folder(path: Path) -> LessonFolder:
    """All lesson files of a folder, or the one at the path; what is no lesson is named.

    A name with a dot in front and `README.md` are left out. Raises `CommandError` for a folder
    without lesson files, and for what cannot be read.
    """
    paths = _inside(path) if path.is_dir() else [path]
    if not paths:
        raise CommandError(f"no lesson files in `{shown(path)}`", Exit.USAGE)
    folder = LessonFolder()
    for entry in paths:
        _read_file(folder, entry)
    return folder


def shown(path: Path) -> str:
    """The name of a path as text; a file may have a name that is none."""
    return str(path).encode(errors="backslashreplace").decode()


def _inside(path: Path) -> list[Path]:
    try:
        entries = sorted(path.iterdir(), key=lambda entry: os.fsencode(entry.name))
    except OSError as cause:
        raise _unreadable(path, cause) from cause
    return [
        entry
        for entry in entries
        if entry.suffix.lower() == ".md"
        and not entry.name.startswith(".")
        and entry.name.lower() != "readme.md"
    ]


def _read_file(folder: LessonFolder, path: Path) -> None:
    name = shown(Path(path.name))
    try:
        content = path.read_bytes()
        text = content.decode()
    except UnicodeDecodeError as cause:
        line = cause.object.count(b"\n", 0, cause.start) + 1
        folder.wrong.append((name, Finding(line, "", f"not UTF-8 at byte {cause.start}")))
        return
    except OSError as cause:
        raise _unreadable(path, cause) from cause
    found = read_lesson(text)
    if isinstance(found, LessonRecord):
        folder.files.append(LessonFile(name, text, found))
    else:
        folder.wrong += [(name, finding) for finding in found]


def cross_findings(files: Sequence[LessonFile]) -> Iterator[tuple[str, Finding]]:
    """What is wrong between the files of one folder: titles that repeat, and links to none."""
    first: dict[str, str] = {}
    for file in files:
        title = file.record.title
        if title in first:
            problem = f"the title stands in `{first[title]}` already"
            yield file.name, file.finding("title", problem)
        first.setdefault(title, file.name)
    for file in files:
        for name in ("negation_of_title", "superseded_by_title"):
            title = getattr(file.record, name)
            if title is not None and title not in first:
                problem = f"no lesson of the folder has the title `{title}`"
                yield file.name, file.finding(name, problem)


def write_folder(path: Path, files: Mapping[str, str], *, force: bool) -> int:
    """Write files that are not there as they are, each at once or not at all; how many.

    Nothing is removed. Raises `CommandError`, and then has written nothing, when a file of another
    content is in the way and `force` is not set, or when something that is no file is.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
        states = {name: _state(path / name, text) for name, text in sorted(files.items())}
    except OSError as cause:
        raise _unwritable(path, cause) from cause
    in_the_way = [n for n, s in states.items() if s == "other" or (s == "changed" and not force)]
    if in_the_way:
        names = ", ".join(f"`{name}`" for name in in_the_way)
        hint = "" if force else "; `--force` overwrites files"
        message = f"in the way, so nothing was written: {names}{hint}"
        raise CommandError(message, Exit.USAGE)
    wanted = [name for name, state in states.items() if state != "same"]
    for name in wanted:
        _write_file(path / name, files[name])
    return len(wanted)


def _state(path: Path, text: str) -> str:
    """What stands at a path: `absent`, the `same` text, a `changed` file, or something `other`.

    A link is a changed file whatever it leads to; it is neither followed nor written through.
    """
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return "absent"
    if stat.S_ISLNK(mode):
        return "changed"
    if not stat.S_ISREG(mode):
        return "other"
    return "same" if path.read_bytes() == text.encode() else "changed"


def _write_file(path: Path, text: str) -> None:
    """Put a file in the place of whatever is there, so that no reader sees half of it."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}.draft")
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        with os.fdopen(descriptor, "wb") as file:
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError as cause:
        draft.unlink(missing_ok=True)
        raise _unwritable(path, cause) from cause


def _unreadable(path: Path, cause: OSError) -> CommandError:
    return CommandError(f"`{shown(path)}` cannot be read: {_reason(cause)}", Exit.USAGE)


def _unwritable(path: Path, cause: OSError) -> CommandError:
    return CommandError(f"`{shown(path)}` cannot be written: {_reason(cause)}", Exit.USAGE)


def _reason(cause: OSError) -> str:
    return (cause.strerror or "unknown cause").lower()
