"""The journal stores what players received, and detects contradictions."""

from bench.soak.journal import Acknowledged, Journal, digest

TABLE = "6f0c"


def told(seq: int) -> Acknowledged:
    return Acknowledged(TABLE, 7, "a command", seq, "roll")


def codes(journal: Journal) -> list[str]:
    return [violation.code for violation in journal.violations]


def test_a_command_repeated_is_answered_the_same():
    journal = Journal()
    journal.accept(told(5))
    journal.accept(told(5))
    assert codes(journal) == []
    journal.accept(told(6))
    assert codes(journal) == ["I5"]


def test_an_event_is_told_to_everybody_alike():
    journal, event = Journal(), {"seq": 4, "type": "game_ended", "winner": 0}
    journal.see(TABLE, [event])
    journal.see(TABLE, [dict(reversed(event.items()))])
    assert codes(journal) == []
    assert journal.games == {(TABLE, 4)}
    journal.see(TABLE, [{**event, "winner": 1}])
    assert codes(journal) == ["I5"]


def test_a_roll_is_shown_to_everybody_alike():
    roll = {"n": 0, "kind": 2, "flags": 0, "s": "aa", "eW": "bb", "eB": "cc", "dice": [5, 3]}
    journal = Journal()
    journal.see_dice({"game": "g", "rolls": [roll]})
    journal.see_dice({"game": "g", "rolls": [roll, {**roll, "n": 1}]})
    assert codes(journal) == []
    journal.see_dice({"game": "g", "rolls": [{**roll, "dice": [6, 6]}]})
    assert codes(journal) == ["I7"]


def test_events_that_differ_in_anything_have_other_digests():
    event = {"seq": 4, "type": "dice_rolled", "dice": [6, 1], "at_ms": 1}
    changed = [{**event, "seq": 5}, {**event, "dice": [1, 6]}, {**event, "at_ms": 2}]
    assert len({digest(each) for each in [event, *changed]}) == 4
