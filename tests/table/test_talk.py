"""The talk that is allowed at a table, and its audience."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.table.talk import (
    TEXT_LENGTH_MAX,
    BadText,
    Ears,
    Utterance,
    text_cleaned,
)

MAGRIEL, HILDE, TILO, OTTO = 1, 2, 3, 4

HOSTILE = [
    "", "   ", "\n\t", "\u200d", "\u00ad",
    "a\u202eb", "\u2066x", "x\u2069", "bell\x07", "nul\x00", "\x1b[31m",
    "\ufeffx", "a\u200bb", "\ue000", "\ud800", "e" + "\u0301" * 9, "x" * 201,
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_what_cannot_be_shown_as_one_line_is_refused(text):
    with pytest.raises(BadText):
        text_cleaned(text)


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("  well   played\n", "well played"),
        ("two\nlines", "two lines"),
        ("<b>x</b> & 'y'", "<b>x</b> & 'y'"),
        ("mi\u200cravam", "mi\u200cravam"),
        ("👨\u200d👩\u200d👧 ✌️", "👨\u200d👩\u200d👧 ✌️"),
        ("e\u0301", "é"),
        ("שלום", "שלום"),
        ("x" * TEXT_LENGTH_MAX, "x" * TEXT_LENGTH_MAX),
    ],
)
def test_ordinary_lines_are_only_trimmed(text, cleaned):
    assert text_cleaned(text) == cleaned


@given(st.text(max_size=TEXT_LENGTH_MAX + 20))
def test_a_cleaned_line_is_clean_short_and_visible(text):
    try:
        cleaned = text_cleaned(text)
    except BadText:
        return
    assert text_cleaned(cleaned) == cleaned
    assert 0 < len(cleaned) <= TEXT_LENGTH_MAX
    assert len(cleaned.splitlines()) == 1


seats = st.sampled_from([(MAGRIEL, HILDE), (MAGRIEL, None)])
people = st.sampled_from([None, MAGRIEL, HILDE, TILO, OTTO])


@given(
    seats,
    people,
    st.sampled_from([TILO, OTTO]),
    st.booleans(),
    st.booleans(),
    st.frozensets(st.sampled_from([TILO, OTTO])),
)
def test_no_player_ever_hears_what_was_said_among_watchers(
    seats, reader, author, free, reads, mutes
):
    said = Utterance(author=author, audience="watchers", seats=seats, free=free)
    heard = Ears(reader, mutes, reads).hear(said)
    if reader is None or reader in seats:
        assert not heard
    if reader == author:
        assert heard


def test_who_mutes_or_reads_phrases_only_hears_less_and_himself_always():
    said = Utterance(author=HILDE, audience="everybody", seats=(MAGRIEL, HILDE), free=True)
    assert Ears(MAGRIEL).hear(said)
    assert Ears(None).hear(said)
    assert not Ears(MAGRIEL, frozenset({HILDE})).hear(said)
    assert not Ears(MAGRIEL, free_text=False).hear(said)
    assert Ears(HILDE, frozenset({HILDE}), free_text=False).hear(said)
    phrase = Utterance(author=HILDE, audience="everybody", seats=(MAGRIEL, HILDE), free=False)
    assert Ears(MAGRIEL, free_text=False).hear(phrase)
