"""Lessons as an import file carries them."""

from typing import Annotated, Literal, Self, TypeAlias

from pydantic import Field, model_validator

from contracts.texts import Contract, Key, ProjectKey, Prose, RoomKey, Title

Keys: TypeAlias = Annotated[tuple[Key, ...], Field(max_length=64, strict=False)]
Disposition: TypeAlias = Literal["promoted", "dismissed", "archived", "unreviewed"]


class LessonSource(Contract):
    """Where a lesson was written down first."""

    path: Title
    first_line: Annotated[int, Field(ge=1, le=10_000_000)] | None = None
    last_line: Annotated[int, Field(ge=1, le=10_000_000)] | None = None

    @model_validator(mode="after")
    def _lines_in_order(self) -> Self:
        first, last = self.first_line, self.last_line
        if last is not None and (first is None or last < first):
            problem = "last_line comes before first_line"
            raise ValueError(problem)
        return self


class LessonTrigger(Contract):
    """When a lesson would fire; dormant until a review arms it."""

    condition: Prose | None = None
    ast_condition: Prose | None = None
    scope: Annotated[str, Field(pattern=r"^(text|tool|tool:[^\x00]{1,100})$")] | None = None
    interrupt: Literal["block", "remind"] | None = None
    cooldown_seconds: Annotated[int, Field(ge=1, le=31_536_000)] | None = None


class LessonRecord(Contract):
    """One lesson. `scope` is `shared` or the key of one room; empty lists match everything.

    `review` asks for a disposition; it counts only if the importer may promote in that scope.
    """

    title: Title
    lesson: Prose
    kind: Literal["coding_lesson", "project_lesson"] = "coding_lesson"
    trigger_context: Prose | None = None
    proof_pattern: Prose | None = None
    shape: Key | None = None
    scope: RoomKey = "shared"
    project: ProjectKey | None = None
    voice: Key | None = None
    tags: Keys = ()
    stages: Keys = ()
    registers: Keys = ()
    languages: Keys = ()
    technologies: Keys = ()
    threads: Keys = ()
    always_on: bool = False
    negation_of_title: Title | None = None
    superseded_by_title: Title | None = None
    trigger: LessonTrigger | None = None
    source: LessonSource | None = None
    version: Annotated[int, Field(ge=1, le=1_000_000)] = 1
    review: Disposition = "promoted"

    @model_validator(mode="after")
    def _project_lesson_has_project(self) -> Self:
        if self.kind == "project_lesson" and self.project is None:
            problem = "a project lesson needs a project key"
            raise ValueError(problem)
        if self.title in (self.negation_of_title, self.superseded_by_title):
            problem = "a lesson cannot refer to itself"
            raise ValueError(problem)
        return self


class PackIdentity(Contract):
    """What an import file says of itself; only the id takes part in the identity of lessons."""

    id: Key
    version: Annotated[int, Field(ge=1, le=1_000_000)] = 1
    title: Title | None = None
    description: Prose | None = None
    license: Title | None = None


class LessonPack(Contract):
    """An import file."""

    schema_version: Annotated[int, Field(ge=1, le=1)]
    pack: PackIdentity
    lessons: Annotated[tuple[LessonRecord, ...], Field(max_length=100_000, strict=False)]
