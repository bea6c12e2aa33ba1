"""Honest records are accepted; altered ones are refused, each for the right reason."""

import dataclasses
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backgammon.dice import chain
from backgammon.dice.errors import BadRecord, BadRoll
from backgammon.dice.record import RecordedPlay, record_of_json, records_of_json
from backgammon.dice.rolls import roll_dice
from backgammon.dice.verify import unchecked, verify, verify_match
from backgammon.tests.amounts import amount
from backgammon.tests.dice.alterations import absences, altered
from backgammon.tests.dice.games import PUBLIC_KEY, HouseSide, game
from backgammon.tests.dice.test_vectors import CASES, by_name

ALTERED = list(altered())


def names(failures):
    return [failure.name for failure in failures]


@by_name([case for case in CASES if not case.get("unit_only")])
def test_the_examples_are_believed_or_refused_as_they_say(case):
    found = names(verify(record_of_json(case), gaps=case.get("gap_ok", False)))
    if case["expect"] == "accept":
        assert found == []
    else:
        assert case["reason"] in found


@pytest.mark.parametrize("mode", ["L", "K"])
@pytest.mark.parametrize("start_rule", ["roll_off_use", "roll_off_reroll", "opener_alternates"])
def test_an_honest_record_is_believed(mode, start_rule):
    record = game(f"honest {mode}", mode=mode, start_rule=start_rule)
    if start_rule == "roll_off_reroll":
        kept = tuple(play for play in record.plays if record.rolls[play.n].kind != 1)
        record = dataclasses.replace(record, plays=kept)
    assert verify(record, public_key=PUBLIC_KEY) == []
    assert unchecked(record) == ()
    assert verify(record_of_json(json.loads(json.dumps(record.to_json())))) == []


@pytest.mark.parametrize(("name", "reason", "record"), ALTERED, ids=[name for name, *_ in ALTERED])
def test_an_altered_record_is_refused_for_its_reason(name, reason, record):
    assert reason in names(verify(record_of_json(record)))


def test_a_failure_names_the_roll():
    record = game().to_json()
    record["rolls"][5]["dice"] = [6, 6] if record["rolls"][5]["dice"] != [6, 6] else [1, 1]
    failure = verify(record_of_json(record))[0]
    assert (failure.name, failure.n) == ("dice", 5)
    assert "Roll 5" in failure.sentence


@given(data=st.data(), silent=st.sampled_from(["", "W", "B", "WB"]), mode=st.sampled_from("LK"))
@settings(max_examples=amount(12, long=40), deadline=None)
def test_whoever_misses_rolls_may_come_back(data, silent, mode):
    house = HouseSide("missing", mode, silent=silent)
    for _ in range(data.draw(st.integers(1, 12))):
        house.roll(absent=data.draw(st.sampled_from(["", "W", "B", "WB"])))
    assert verify(house.record()) == []


@given(data=st.data())
@settings(max_examples=amount(30, long=300), deadline=None)
def test_no_byte_of_a_record_can_be_another(data):
    record = absences()
    holders = [(record, key) for key in ("game_id", "s0", "w", "b", "open_hash", "signature")]
    holders += [(roll, key) for roll in record["rolls"] for key in ("s", "eW", "eB")]
    holders += [(record["log"], key) for key in ("previous", "hash")]
    holder, key = data.draw(st.sampled_from(holders), label="field")
    old = bytearray.fromhex(holder[key])
    place = data.draw(st.integers(0, len(old) - 1), label="byte")
    old[place] ^= data.draw(st.integers(1, 255), label="change")
    holder[key] = bytes(old).hex()
    assert verify(record_of_json(record)) != []


def test_an_element_kept_back_in_the_last_roll_shows():
    house = HouseSide("kept back")
    for _ in range(3):
        house.roll()
    house.roll(absent="B")
    roll = house.rolls[-1]
    assert roll.flags == 2
    assert verify(house.record()) == []


@pytest.mark.slow
def test_a_game_ends_at_the_end_of_its_chains():
    house = HouseSide("long", start_rule="opener_alternates")
    for n in range(chain.LENGTH):
        house.roll(absent="WB"[n % 2] * (n % 7 == 0))
    assert verify(house.record()) == []
    with pytest.raises(BadRoll, match="0 to 1023"):
        house.roll()
    with pytest.raises(BadRoll, match="0 to 1023"):
        roll_dice(
            bytes(32), game_id=bytes(16), ctx=bytes(32), n=1024, kind=2, flags=0,
            white=bytes(32), black=bytes(32),
        )  # fmt: skip


def test_three_dice_are_the_first_three():
    record = game("three dice", dice=3, start_rule="opener_alternates")
    assert {len(roll.dice) for roll in record.rolls} == {3}
    assert verify(record) == []
    two = dataclasses.replace(record.rolls[4], dice=record.rolls[4].dice[:2])
    rolls = (*record.rolls[:4], two, *record.rolls[5:])
    assert "dice" in names(verify(dataclasses.replace(record, rolls=rolls)))


def test_what_a_variant_gives_without_chance_shows_a_double():
    record = game()
    play = record.plays[2]
    given_too = RecordedPlay(play.n, play.seat, (5, 5), ((13, 8, 5),) * 4)
    plays = (*record.plays[:3], given_too, *record.plays[3:])
    assert verify(dataclasses.replace(record, plays=plays)) == []
    plays = (*record.plays[:3], dataclasses.replace(given_too, dice=(5, 4)), *record.plays[3:])
    assert "moves" in names(verify(dataclasses.replace(record, plays=plays)))


def test_the_winner_of_the_opening_begins():
    record = game()
    first = record.plays[0]
    plays = (dataclasses.replace(first, seat=1 - first.seat), *record.plays[1:])
    assert names(verify(dataclasses.replace(record, plays=plays))) == ["moves"]


def test_another_house_s_signature_is_refused():
    assert names(verify(game(), public_key=bytes(32))) == ["public_key"]
    unsigned = dataclasses.replace(game(), signature=None, public_key=None)
    assert verify(unsigned) == []
    assert "signature" in unchecked(unsigned)
    assert "signature" in names(verify(unsigned, public_key=PUBLIC_KEY))


def test_the_games_of_a_match_are_different_ones():
    one, two = game("one"), game("two")
    entry = dataclasses.replace(two.log, number=2)
    assert names(verify_match([one, one])) == ["games", "games"]
    assert [failure.game for failure in verify_match([one, two])] == [2]
    hashed = chain.tagged("BGD1.log", (2).to_bytes(8, "big"), entry.previous, two.open_hash)
    two = dataclasses.replace(two, log=dataclasses.replace(entry, hash=hashed))
    assert verify_match([one, two]) == []
    assert names(verify_match([two, one])) == ["games"]
    match = {"games": [one.to_json(), two.to_json()]}
    assert records_of_json(match) == (one, two)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"game_id": "AB" * 16}, "game_id of the record is not 32 hexadecimal digits"),
        ({"s0": "ab"}, "s0 of the record is not 64 hexadecimal digits"),
        ({"mode": "M"}, "mode of the record is K or L, not 'M'"),
        ({"terms": 5}, "terms of the record is not text"),
        ({"rolls": "none"}, "rolls of the record is not a list"),
        ({"rolls": [{"n": -1}]}, "n of roll 0 (counted from 0) is not a whole number"),
        ({"rolls": [{"n": True}]}, "n of roll 0 (counted from 0) is not a whole number"),
        ({"rolls": [5]}, "roll 0 (counted from 0) is not a JSON object"),
        ({"moves": [{"n": 0, "seat": 0, "dice": [1, 2], "moves": [[1, 2]]}]}, "[from, to, die]"),
        ({"log": {"number": 1}}, "the log entry has no field previous"),
    ],
)
def test_a_record_that_cannot_be_read_says_why(change, message):
    with pytest.raises(BadRecord) as raised:
        record_of_json({**game().to_json(), **change})
    assert message in str(raised.value)


@pytest.mark.parametrize("value", [None, [], {}, {"games": []}, {"games": "x"}, {"games": [1]}])
def test_what_is_no_record_is_told_so(value):
    with pytest.raises(BadRecord):
        records_of_json(value)
