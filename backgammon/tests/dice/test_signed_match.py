"""A match signed with the proof of its dice: honest ones are believed, changed ones are not."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from backgammon.dice.errors import BadRecord
from backgammon.dice.signature import signature_fits
from backgammon.dice.signed_match import match_hash, signed_match, signed_ogxm, verify_dice
from backgammon.formats.ogxm import format_ogxm
from backgammon.formats.ogxm_bytes import (
    OURS,
    SIGNATURE,
    digest_of,
    file_bytes,
    sections_of,
    signed_part,
)
from backgammon.formats.record_json import record_to_json
from backgammon.formats.registry import parse_match, read_match
from backgammon.tests.dice.games import PUBLIC_KEY, SIGNING_KEY, game
from backgammon.tests.formats.matches import random_match


def a_document() -> dict[str, Any]:
    """A match whose only game has the plays of an honest record of dice."""
    dice = game().to_json()
    turns = [{"type": "turn", **{name: play[name] for name in play}} for play in dice["moves"]]
    match = {"format": "pasch-match", "version": 1, "games": [{"actions": turns}]}
    return signed_match(match, {"games": [dice]}, public_key=PUBLIC_KEY, sign=SIGNING_KEY.sign)


def reasons(document: dict[str, Any], key: bytes | None = None) -> list[str]:
    return [failure.name for failure in verify_dice(json.dumps(document), public_key=key)]


def signed_again(document: dict[str, Any]) -> dict[str, Any]:
    signature = SIGNING_KEY.sign(match_hash(document)).hex()
    return {**document, "proof": {"public_key": PUBLIC_KEY.hex(), "signature": signature}}


def test_an_honest_match_is_believed() -> None:
    assert reasons(a_document()) == []
    assert reasons(a_document(), PUBLIC_KEY) == []
    assert set(reasons(a_document(), bytes(32))) == {"public_key"}


CHANGES: dict[str, Callable[[dict[str, Any]], object]] = {
    "a name": lambda match: match.update(players=["eve", "bob"]),
    "a play": lambda match: match["games"][0]["actions"].pop(),
    "a result": lambda match: match["games"][0].update(result={"winner": 1}),
    "the dice left out": lambda match: match.update(dice=None),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_whatever_is_changed_breaks_the_signature(change: Callable[..., object]) -> None:
    document = a_document()
    change(document)
    assert reasons(document)[0] == "match"


def test_even_the_house_cannot_sign_other_plays_than_those_of_the_dice() -> None:
    document = a_document()
    document["games"][0]["actions"][2]["dice"] = [6, 6]
    assert reasons(signed_again(document)) == ["plays"]
    document = a_document()
    document["games"].append({"actions": document["games"][0]["actions"]})
    assert reasons(signed_again(document)) == ["plays"]


def test_a_match_without_such_dice_has_the_signature_alone() -> None:
    match = record_to_json(random_match(3, length=1, games_max=1))
    document = signed_match(match, None, public_key=PUBLIC_KEY, sign=SIGNING_KEY.sign)
    assert reasons(document) == []
    assert parse_match(json.dumps(document)) == random_match(3, length=1, games_max=1)


def test_a_match_without_a_proof_is_no_signed_one() -> None:
    document = a_document()
    del document["proof"]
    with pytest.raises(BadRecord, match="has no proof"):
        reasons(document)


def a_signed_ogxm() -> bytes:
    record = random_match(3, length=1, games_max=1)
    return signed_ogxm(record, None, public_key=PUBLIC_KEY, sign=SIGNING_KEY.sign)


def test_a_match_as_ogxm_is_signed_twice() -> None:
    data = a_signed_ogxm()
    assert verify_dice(data, public_key=PUBLIC_KEY) == []
    assert read_match(data) == random_match(3, length=1, games_max=1)
    sections = sections_of(data)
    inside = dict(sections)[SIGNATURE]
    assert inside[4:36] != bytes(32)
    message = signed_part(digest_of(sections))
    assert signature_fits(PUBLIC_KEY, inside[4:68], message), "what other programs check"


def test_a_match_that_is_exchanged_in_an_ogxm_file_breaks_the_signature() -> None:
    ours = [each for each in sections_of(a_signed_ogxm()) if each[0] in (OURS, SIGNATURE)]
    other = [each for each in sections_of(format_ogxm(random_match(4))) if each[0] != OURS]
    failures = verify_dice(file_bytes([*other, *ours]))
    assert [failure.name for failure in failures] == ["match"]
    with pytest.raises(BadRecord, match="has no proof"):
        verify_dice(file_bytes(other))
    with pytest.raises(BadRecord, match="cut off"):
        verify_dice(a_signed_ogxm()[:-7])
