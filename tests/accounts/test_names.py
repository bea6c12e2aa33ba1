"""Names: which are allowed, and which look alike."""

import pytest
from django.core.exceptions import ValidationError
from hypothesis import given
from hypothesis import strategies as st

from accounts.names import is_reserved, is_well_formed, skeleton, validate_name


@pytest.mark.parametrize(
    "name", ["magriel", "Jürgen", "Łukasz", "weiß", "a-b", "x_1.y", "007", "Ørjan", "Ngô"]
)
def test_good_name_is_accepted(name: str) -> None:
    validate_name(name)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("ab", "name_short"),
        ("a" * 25, "name_long"),
        ("with space", "name_characters"),
        ("_tilo", "name_characters"),
        ("tilo.", "name_characters"),
        ("ti--lo", "name_characters"),
        ("tilo@home", "name_characters"),
        ("mаgriel", "name_characters"),  # a Cyrillic a
        ("Ωmega", "name_characters"),
        ("ti\u200blo", "name_characters"),
        ("ti\u202elo", "name_characters"),
        ("<b>tilo", "name_characters"),
        ("tilo\n", "name_characters"),
        ("١٢٣", "name_characters"),
        ("🎲🎲🎲", "name_characters"),
        ("Admin", "name_reserved"),
        ("adm1n", "name_reserved"),
        ("SUPP0RT", "name_reserved"),
        ("Pasch", "name_reserved"),
    ],
)
def test_bad_name_is_refused_with_its_cause(name: str, code: str) -> None:
    with pytest.raises(ValidationError) as caught:
        validate_name(name)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("magriel", "MAGRIEL"),
        ("magriel", "magrie1"),
        ("magriel", "rnagriel"),
        ("tilo", "TIL0"),
        ("tilo", "tiIo"),
        ("Jürgen", "jurgen"),
        ("weiß", "weiss"),
        ("wilma", "vvilma"),
        ("a-b", "a_b"),
        ("ﬁbs", "fibs"),
    ],
)
def test_look_alikes_share_a_skeleton(one: str, other: str) -> None:
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(("one", "other"), [("tilo", "tila"), ("ab1", "ab2"), ("a-bc", "abc")])
def test_different_names_keep_different_skeletons(one: str, other: str) -> None:
    assert skeleton(one) != skeleton(other)


@given(st.text(max_size=40))
def test_any_text_has_a_stable_skeleton_and_an_answer(text: str) -> None:
    assert skeleton(skeleton(text)) == skeleton(skeleton(skeleton(text)))
    assert is_well_formed(text) in (True, False)
    assert is_reserved(text) in (True, False)
