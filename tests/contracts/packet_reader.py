"""A reader of rendered packets, written against `docs/adapter.md` and not against the writer.

It breaks lines wherever any reader might, so that a break of another kind inside a lesson shows.
"""

import re
from dataclasses import dataclass, field

BEGIN = re.compile(r"=== ATHANOR PACKET (\S+) ===")
LESSON = re.compile(r"--- LESSON (\d+): (\S+)@(\d+) (match|always_on) derivation (\S+) ---")
CUT = re.compile(r"\(cut: (\d+) bytes\)")
CODE = re.compile(r"⟨U\+([0-9A-F]{4,6})⟩")
FIELDS = {
    "title:": "title",
    "rule:": "lesson",
    "when:": "trigger_context",
    "proof:": "proof_pattern",
}


@dataclass(slots=True)
class ReadText:
    """A text of a lesson as far as it was kept, and the bytes that were cut from its end."""

    lines: list[str] = field(default_factory=list)
    cut: int = 0

    @property
    def text(self) -> str:
        return CODE.sub(lambda found: chr(int(found[1], 16)), "\n".join(self.lines))


@dataclass(slots=True)
class ReadLesson:
    """What stands in the line of a lesson, and its texts by field."""

    place: int
    id: str
    version: int
    basis: str
    digest: str
    texts: dict[str, ReadText] = field(default_factory=dict)


@dataclass(slots=True)
class ReadPacket:
    """A packet as its text says."""

    packet_id: str
    place: str
    said: str
    lessons: list[ReadLesson] = field(default_factory=list)


def read_packet(text: str) -> ReadPacket:
    """The packet in a text; fails for every line that the format does not have there."""
    lines = text.splitlines()
    assert text == "".join(f"{line}\n" for line in lines)
    begin = BEGIN.fullmatch(lines[0])
    assert begin, lines[0]
    assert lines[-1] == f"=== END OF ATHANOR PACKET {begin[1]} ==="
    place, said = lines[1].split(": ")
    packet = ReadPacket(begin[1], place, said)
    body = lines[2:-1]
    if packet.said == "no lesson.":
        assert len(body) == 1, body
        return packet
    current: ReadText | None = None
    for line in body[2:]:
        current = _read_line(packet, current, line)
    return packet


def _read_line(packet: ReadPacket, current: ReadText | None, line: str) -> ReadText | None:
    if found := LESSON.fullmatch(line):
        place, name, version, basis, digest = found.groups()
        packet.lessons.append(ReadLesson(int(place), name, int(version), basis, digest))
        return None
    texts = packet.lessons[-1].texts
    if line in FIELDS:
        assert FIELDS[line] not in texts, "a field stands twice"
        return texts.setdefault(FIELDS[line], ReadText())
    assert current is not None, f"no field before {line!r}"
    if cut := CUT.fullmatch(line):
        assert not current.cut
        current.cut = int(cut[1])
    else:
        assert line.startswith("| "), f"a line of another kind: {line!r}"
        assert not current.cut
        current.lines.append(line[2:])
    return current
