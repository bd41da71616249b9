"""How well the words of lessons fit a task, measured over full-text search, in whole numbers.

A word weighs the more the fewer lessons hold it: Okapi BM25's weight (S. Robertson, H. Zaragoza,
The Probabilistic Relevance Framework: BM25 and Beyond, 2009) in thousandths. A lesson's score is
the sum over the words that it shares with the task, less for long lessons, with k1 = 1.2 and
b = 0.75. How often a lesson says a word does not count: in texts of a hundred words it told nothing
(benchmarks/packet_quality.py), and which lessons hold a word is what the index can tell.

Everything is counted over the lessons that the transaction can see, so that hidden lessons change
no score and no order. What is a match is decided by pack `context`, not here.
"""

from dataclasses import dataclass
from typing import Final
from uuid import UUID

from engine import Fact
from store.database import Connection
from store.rows import every

PLAIN_WORDS: Final = """
a about after again all always am an and any are around as ask at ate away be because been before
best better big black blue both bring brown but buy by call came can carry clean cold come could
cut did do does done don't down draw drink eat eight every fall far fast find first five fly for
found four from full funny gave get give go goes going good got green grow had has have he help
her here him his hold hot how hurt I if in into is it its jump just keep kind know laugh let light
like little live long look made make many may me much must my myself never new no not now of off
old on once one only open or our out over own pick play please pretty pull put ran read red ride
right round run said saw say see seven shall she show sing sit six sleep small so some soon start
stop take tell ten thank that the their them then there these they think this those three to today
together too try two under up upon us use very walk want warm was wash we well went were what when
where which white who why will wish with work would write yellow yes you your
"""
"""Words that English has for everything, so that they tell nothing of a subject however few lessons
hold them: the 220 of E. W. Dolch, A Basic Sight Vocabulary, 1936. A list from outside, made for
another end, so that it fits no task better than another."""


@dataclass(frozen=True, slots=True)
class Relevance:
    """A lesson's score and weight in thousandths, and how many telling words it shares."""

    lesson_id: str
    score: int
    words: int
    weight: int


@dataclass(frozen=True, slots=True)
class Measures:
    """What the words of a task say: how many are telling, and which lessons hold some, by id.

    `unique_weight` is what a word weighs that only one lesson holds.
    """

    task_words: int
    unique_weight: int
    lessons: list[Relevance]


@dataclass(frozen=True, slots=True)
class _Word:
    word: str


@dataclass(frozen=True, slots=True)
class _Corpus:
    lessons: int
    words: int
    unique_weight: int


async def score_words(connection: Connection, house_id: UUID, text: str) -> Measures:
    """The measures of a text. A word is what is left of it by PostgreSQL's English dictionary."""
    of_text = {"text": text, "plain": PLAIN_WORDS}
    words = [row.word for row in await every(connection, _Word, "relevance.words", of_text)]
    (corpus,) = await every(connection, _Corpus, "relevance.corpus", {"house": house_id})
    parameters = {"words": words, "lessons": corpus.lessons, "corpus_words": corpus.words}
    of_house = {"house": house_id, **parameters}
    found = await every(connection, Relevance, "relevance.scores", of_house)
    return Measures(len(words), corpus.unique_weight, found)


def relevance_facts(measures: Measures, source: str) -> list[Fact]:
    """The measures as request facts, the lessons in the order of the measures."""
    return [
        Fact.of("task_words", (measures.task_words,), source),
        Fact.of("unique_word", (measures.unique_weight,), source),
        *(
            Fact.of("relevance", (r.lesson_id, r.score, r.words, r.weight), source)
            for r in measures.lessons
        ),
    ]
