"""What can be done to one lesson, and what each change came to.

What a change came to is kept under its idempotency key, so it holds ids, keys and numbers only.
`unchanged` says that the records were as asked already, and nothing was appended.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Final, Literal, Self, TypeAlias

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from contracts.lessons import LessonRecord
from contracts.texts import Contract, Prose, Title

Decision: TypeAlias = Literal["promoted", "dismissed", "archived"]
LessonId: TypeAlias = Annotated[str, StringConstraints(pattern=r"^[a-z0-9-]{1,80}$")]
RecordId: TypeAlias = Annotated[str, StringConstraints(pattern=r"^[a-z0-9-]{1,100}$")]
EvidenceRef: TypeAlias = Annotated[
    str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.:/@-]{0,119}$")
]
"""The id of a record that is evidence: a turn, an event, a packet, a derivation; no text."""

VersionNumber: TypeAlias = Annotated[int, Field(ge=1, lt=2**31)]


def _short(text: str) -> str:
    if len(text) > MOST_OF_A_REASON:
        problem = f"a reason has at most {MOST_OF_A_REASON} characters"
        raise ValueError(problem)
    return text


MOST_OF_A_REASON: Final = 500
Reason: TypeAlias = Annotated[
    Prose, AfterValidator(_short), Field(json_schema_extra={"maxLength": MOST_OF_A_REASON})
]
"""Why somebody does something; it goes into the act."""

TRANSITIONS: Final[Mapping[Decision | None, frozenset[Decision]]] = MappingProxyType(
    {
        None: frozenset({"promoted", "dismissed"}),
        "promoted": frozenset({"archived", "dismissed"}),
        "dismissed": frozenset({"promoted"}),
        "archived": frozenset({"promoted"}),
    }
)
"""Which disposition may follow which over one version; None: nobody has decided yet."""


class LessonReview(Contract):
    """A decision about one version; `previous` is the record that it follows, null for none."""

    version: VersionNumber
    disposition: Decision
    previous: RecordId | None
    reason: Reason


class NewLesson(Contract):
    """A lesson to be made; `negation_of` names its opposite by id where the title would not do."""

    record: LessonRecord
    negation_of: LessonId | None = None
    reason: Reason | None = None


class LessonUpdate(Contract):
    """What a lesson says from now on, by somebody who read `baseline_version` of that title."""

    expected_title: Title
    baseline_version: VersionNumber
    record: LessonRecord
    negation_of: LessonId | None = None
    reason: Reason | None = None


class Successor(Contract):
    """The lesson that another gives way to: one that is there, or one to be made."""

    lesson_id: LessonId | None = None
    record: LessonRecord | None = None
    negation_of: LessonId | None = None

    @model_validator(mode="after")
    def _one_of_both(self) -> Self:
        if (self.lesson_id is None) == (self.record is None):
            problem = "name the successor by `lesson_id`, or give its `record`"
            raise ValueError(problem)
        if self.record is None and self.negation_of is not None:
            problem = "`negation_of` goes with a `record`"
            raise ValueError(problem)
        return self


class LessonSupersession(Contract):
    """A lesson gives way; `evidence_refs` are ids of what shows that it must."""

    baseline_version: VersionNumber
    successor: Successor
    reason: Reason
    evidence_refs: Annotated[tuple[EvidenceRef, ...], Field(max_length=32, strict=False)] = ()


class LessonForgetting(Contract):
    """What a lesson said is to be deleted; the exact title keeps a slip from hitting another."""

    title: Title
    reason: Reason


class PacketForgetting(Contract):
    """What a task said is to be deleted, for every packet that it got."""

    reason: Reason


class LessonReviewed(Contract):
    """A version as it stands now."""

    lesson_id: str
    version: int
    record_id: str
    disposition: Decision


class LessonWritten(Contract):
    """The version that was written, with its authority record; null iff it is unreviewed."""

    lesson_id: str
    version: int
    record_id: str | None
    unchanged: bool


class LessonSuperseded(Contract):
    """A lesson that gave way, to which one, and by which record."""

    lesson_id: str
    successor_id: str
    baseline_version: int
    record_id: str


class LessonForgotten(Contract):
    """A lesson of which only the id is left."""

    lesson_id: str
    unchanged: bool


class PacketForgotten(Contract):
    """A packet of whose task only the id is left."""

    packet_id: str
    task_id: str
    unchanged: bool
