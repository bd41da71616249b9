"""What an import answers."""

from contracts.texts import Contract


class Rejection(Contract):
    """Why a record cannot be imported. `record` counts from 0; -1 stands for the file itself."""

    file: str
    record: int
    title: str | None
    field: str
    problem: str


class ImportReport(Contract):
    """Counts of lessons, and the records that are wrong; a rejection means nothing was stored."""

    imported: int
    unchanged: int
    rejected: tuple[Rejection, ...] = ()
