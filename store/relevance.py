"""How well the words of lessons fit a task, by Okapi BM25 over full-text search.

Source: S. Robertson, H. Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009,
with k1 = 1.2 and b = 0.75. Word statistics are counted over the lessons that the transaction can
see, so that hidden lessons change no score and no order.
"""

from dataclasses import dataclass
from uuid import UUID

from store.database import Connection
from store.rows import every


@dataclass(frozen=True, slots=True)
class Relevance:
    """A lesson's score in thousandths, and how many different words of the task it holds."""

    lesson_id: str
    score: int
    words: int


async def score_words(connection: Connection, house_id: UUID, text: str) -> list[Relevance]:
    """The lessons that hold some word of the text, by id; stop words do not count."""
    parameters = {"house": house_id, "text": text}
    return await every(connection, Relevance, "relevance.scores", parameters)
