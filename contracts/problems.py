"""What a refusal looks like: a problem of RFC 9457 with our members."""

from typing import Annotated

from pydantic import Field

from contracts.imports import Rejection
from contracts.texts import Contract


class FieldError(Contract):
    """One thing that is wrong with a request; `field` "" stands for the whole body."""

    field: str
    message: str


class Problem(Contract):
    """Why a request got no answer. `code` never changes its meaning; members may be left out.

    `location` names the field of the request that is at fault, `errors` all of them, `rejected` the
    records of an import.
    """

    type: Annotated[str, Field(pattern=r"^urn:athanor:problem:[a-z_]+$")]
    title: str
    status: Annotated[int, Field(ge=400, le=599)]
    detail: str
    code: Annotated[str, Field(pattern=r"^[a-z_]+$")]
    location: str | None = None
    hint: str | None = None
    errors: tuple[FieldError, ...] | None = None
    rejected: tuple[Rejection, ...] | None = None
