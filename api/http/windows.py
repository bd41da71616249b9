"""The two parameters of a list: how much of it, and where to go on."""

from typing import Annotated, TypeAlias

from litestar.params import QueryParameter

from house import MOST_ITEMS

Limit: TypeAlias = Annotated[
    int, QueryParameter(ge=1, le=MOST_ITEMS, description="How many items a page holds at most.")
]
Cursor: TypeAlias = Annotated[
    str | None,
    QueryParameter(description="The `next_cursor` of the page before; none for the first page."),
]
