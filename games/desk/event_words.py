"""The events of a table in words, for administrators."""

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _

from ledger.templatetags.credits import credits_text

Payload = dict[str, Any]


def event_words(payload: Payload) -> str:
    """Describe an event without its player. An unknown type is shown as it is."""
    words = _WORDS.get(payload["type"])
    return words(payload) if words else str(payload["type"])


def event_seat(payload: Payload) -> int | None:
    """The seat an event is about; None for what happened to both."""
    if payload["type"] in ("game_ended", "match_ended"):
        return payload.get("winner")
    if payload["type"] in ("game_started", "rolled_off"):
        return payload.get("starter")
    return 0 if payload["type"] == "table_opened" else payload.get("seat")


def _dice(payload: Payload) -> str:
    return "-".join(str(die) for die in payload["dice"])


def _rolled(payload: Payload) -> str:
    if payload.get("auto"):
        return _("rolled %(dice)s (the server rolled)") % {"dice": _dice(payload)}
    return _("rolled %(dice)s") % {"dice": _dice(payload)}


def _played(payload: Payload) -> str:
    if not payload["moves"]:
        return _("could not move with %(dice)s") % {"dice": _dice(payload)}
    return _("played %(dice)s: %(play)s") % {"dice": _dice(payload), "play": payload["text"]}


def _rolled_off(payload: Payload) -> str:
    if payload["starter"] is None:
        return _("both rolled for the start: %(dice)s, again") % {"dice": _dice(payload)}
    return _("won the roll for the start: %(dice)s") % {"dice": _dice(payload)}


def _game_started(payload: Payload) -> str:
    if payload["starter"] is None:
        return _("game %(game)s: both roll for the start") % {"game": payload["game"]}
    return _("starts game %(game)s") % {"game": payload["game"]}


def _game_ended(payload: Payload) -> str:
    if payload["winner"] is None:
        return _("the game was drawn; score %(score)s") % {
            "score": ":".join(map(str, payload["score"]))
        }
    return _("won the game, %(points)s points; score %(score)s") % {
        "points": payload["points"],
        "score": ":".join(map(str, payload["score"])),
    }


def _outage(payload: Payload) -> str:
    seconds = (payload["ended_ms"] - payload["began_ms"]) // 1000
    return _("the house was down for %(seconds)s s; the clocks stood") % {"seconds": seconds}


def _match_ended(payload: Payload) -> str:
    score = ":".join(map(str, payload["score"]))
    if payload["winner"] is None:
        return _("the match ended without a winner, %(score)s") % {"score": score}
    return _("won the match, %(score)s") % {"score": score}


def _settled(payload: Payload) -> str:
    paid = " / ".join(credits_text(cents) for cents in payload["paid_cents"])
    return _("the match was settled: paid %(paid)s, rake %(rake)s") % {
        "paid": paid,
        "rake": credits_text(payload["rake_cents"]),
    }


_WORDS: Mapping[str, Callable[[Payload], str]] = {
    "table_opened": lambda _payload: _("opened the table"),
    "player_sat": lambda _payload: _("sat down"),
    "match_started": lambda payload: (
        _("match %(number)s began; both stakes are in escrow") % {"number": payload["number"]}
    ),
    "position_set": lambda _payload: _("the match begins from a position"),
    "game_started": _game_started,
    "rolled_off": _rolled_off,
    "dice_asked_for": lambda _payload: _("the players' parts in the dice are awaited"),
    "dice_rolled": _rolled,
    "play_made": _played,
    "double_offered": lambda payload: _("doubled to %(value)s") % {"value": payload["value"]},
    "beavered": lambda payload: _("beavered to %(value)s") % {"value": payload["value"]},
    "raccooned": lambda payload: _("raccooned to %(value)s") % {"value": payload["value"]},
    "double_taken": lambda payload: _("took the double to %(value)s") % {"value": payload["value"]},
    "double_dropped": lambda payload: (
        _("dropped the double to %(value)s") % {"value": payload["value"]}
    ),
    "resignation_offered": lambda payload: (
        _("offered to resign at level %(level)s") % {"level": payload["level"]}
    ),
    "resignation_accepted": lambda _payload: _("accepted the resignation"),
    "resignation_refused": lambda _payload: _("refused the resignation"),
    "player_ready": lambda _payload: _("was ready for the next game"),
    "player_left": lambda _payload: _("left the table"),
    "player_stopped": lambda _payload: _("stopped the session between two games"),
    "player_absent": lambda _payload: _("lost the connection"),
    "taken_back": lambda _payload: _("took the last play back"),
    "player_back": lambda _payload: _("was connected again"),
    "win_claimed": lambda _payload: _("claimed the win, the other being absent"),
    "outage_credited": _outage,
    "time_ran_out": lambda _payload: _("ran out of time"),
    "player_stood_up": lambda _payload: _("left the seat before the first roll"),
    "game_ended": _game_ended,
    "match_ended": _match_ended,
    "match_settled": _settled,
    "match_voided": lambda _payload: _("the match was voided: the stakes went back"),
    "rematch_offered": lambda _payload: _("offered a rematch"),
    "table_closed": lambda _payload: _("the table was closed"),
}
