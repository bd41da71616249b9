"""Digests: two contents that differ in anything have different ones, for ever the same."""

import hashlib
from itertools import combinations

import pytest
from engine_digest import Part, digest_of
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import NUMBER_MAX, NUMBER_MIN, Fact, digest, set_digest

TEXTS = st.text(st.sampled_from("ab01:;sinl\0\xe9\U0001f600"), max_size=4)
LEAVES = st.none() | TEXTS | st.integers(-12, 12) | st.sampled_from((NUMBER_MIN, NUMBER_MAX))
PARTS: st.SearchStrategy[Part] = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4), max_leaves=8
)


@settings(max_examples=500, deadline=None)
@given(PARTS)
def test_a_digest_is_the_one_of_an_encoder_written_by_hand(part: Part) -> None:
    assert digest(part) == digest_of(part)


@settings(max_examples=500, deadline=None)
@given(PARTS, PARTS)
def test_contents_have_the_same_digest_exactly_when_they_are_equal(a: Part, b: Part) -> None:
    assert (digest(a) == digest(b)) == (a == b)


@settings(max_examples=300, deadline=None)
@given(st.lists(TEXTS, max_size=4), st.lists(TEXTS, max_size=4))
def test_texts_that_join_to_one_text_have_digests_of_their_own(a: list[str], b: list[str]) -> None:
    assert (digest(["".join(a), *b]) == digest([*a, "".join(b)])) == (
        ["".join(a), *b] == [*a, "".join(b)]
    )


DIFFERENT: dict[str, tuple[Part, ...]] = {
    "texts cut elsewhere": (["ab", "c"], ["a", "bc"], ["abc"], ["abc", ""], ["", "abc"]),
    "a number and its text": (1, "1", [1], ["1"], "i1;"),
    "numbers cut elsewhere": ([1, 23], [12, 3], [123], [1, 2, 3]),
    "nothing of several kinds": (None, "", 0, [], [None], [""], [0], "n"),
    "lists in lists": ([], [[]], [[], []], [[[]]], [[[], []]]),
    "items inside and outside": ([["a"], "b"], ["a", ["b"]], [["a", "b"]], ["a", "b"]),
    "signs": (1, -1, "-1", [1, -1], [-1, 1]),
    "ends of 64 bits": (NUMBER_MAX, NUMBER_MIN, NUMBER_MAX + 1, NUMBER_MIN - 1),
    "text that looks like the encoding": ("s1:a", ["s1:a"], ["a"], "l1:s1:a", [["a"]]),
    "forms of one letter": ("\xe9", "e\u0301", "E\u0301"),
    "bytes that a length does not count as letters": (["\xe9", "a"], ["\xe9a", ""], ["", "\xe9a"]),
    "zero bytes": ("\0", "", "\0\0", ["\0", ""], ["", "\0"]),
    "order": (["a", "b"], ["b", "a"]),
}


@pytest.mark.parametrize("name", DIFFERENT)
def test_these_contents_have_different_digests(name: str) -> None:
    digests = [digest(part) for part in DIFFERENT[name]]
    assert len(set(digests)) == len(digests)


VECTORS: dict[str, tuple[Part, bytes]] = {
    "nothing": (None, b"n"),
    "an empty text": ("", b"s0:"),
    "a text": ("abc", b"s3:abc"),
    "a text of several bytes a letter": ("\xe9\U0001f600", b"s6:\xc3\xa9\xf0\x9f\x98\x80"),
    "zero": (0, b"i0;"),
    "a negative number": (-45, b"i-45;"),
    "an empty list": ([], b"l0:"),
    "a list of everything": (["a", [1, None], []], b"l3:s1:al2:i1;nl0:"),
    "a tuple is a list": (("a", (1,)), b"l2:s1:al1:i1;"),
}


@pytest.mark.parametrize("name", VECTORS)
def test_a_content_is_encoded_as(name: str) -> None:
    part, encoding = VECTORS[name]
    assert digest(part) == hashlib.sha256(encoding).hexdigest()


def test_digests_are_the_same_for_ever() -> None:
    fact = Fact.of("lesson", ("l1", 7), "record 3")
    other = Fact.of("lesson", ("l2", 7), "record 3")
    assert fact.id == "91e7125c07f98de81054f30da9e2d286f3cf15ce908ba6f1e1d5ea1afedece91"
    assert (
        set_digest([fact, other])
        == "66afca87884c7e4f4879871eab130fbd93c69ebfafe0139f1b574dc0986edcc4"
    )
    assert set_digest([]) == "8b23dbd6568432c66accb827467681ae456bd7087b7616c44ae9ae6cdea166c8"


def test_content_of_any_depth_and_length_has_a_digest() -> None:
    deep: Part = "x"
    for _ in range(100_000):
        deep = [deep]
    encoding = b"l1:" * 100_000 + b"s1:x"
    assert digest(deep) == hashlib.sha256(encoding).hexdigest()
    wide = [None] * 100_000
    assert digest(wide) == hashlib.sha256(b"l100000:" + b"n" * 100_000).hexdigest()


@pytest.mark.parametrize("value", [True, False, [1, [True]], ("a", False)], ids=str)
def test_a_truth_value_has_no_digest(value: Part) -> None:
    with pytest.raises(TypeError):
        digest(value)


def test_a_lone_surrogate_has_no_digest() -> None:
    with pytest.raises(UnicodeEncodeError):
        digest(["\ud800"])


FIELDS = {
    "relation": Fact.of("q", (1, "b"), "s"),
    "number": Fact.of("p", (2, "b"), "s"),
    "text": Fact.of("p", (1, "c"), "s"),
    "type": Fact.of("p", ("1", "b"), "s"),
    "source": Fact.of("p", (1, "b"), "t"),
    "nothing": Fact.of("p", (1, "b"), "s"),
    "columns moved into the source": Fact.of("p", (1,), "bs"),
}


def test_a_fact_id_tells_every_field_of_a_fact() -> None:
    assert all(a.id != b.id for a, b in combinations(FIELDS.values(), 2))


def test_a_set_digest_tells_the_facts_and_nothing_of_their_order_or_number() -> None:
    facts = list(FIELDS.values())
    assert set_digest(facts) == set_digest(facts[::-1]) == set_digest([*facts, *facts])
    subsets = [c for n in range(4) for c in combinations(facts, n)]
    assert len({set_digest(subset) for subset in subsets}) == len(subsets)
