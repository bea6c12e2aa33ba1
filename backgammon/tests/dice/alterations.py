"""Altered records, each with the reason for which it must be refused."""

import copy
import json
from collections.abc import Callable, Iterator
from functools import cache

from backgammon.dice.opening import canonical_json
from backgammon.tests.dice.games import HouseSide, game

Json = dict


def absences() -> Json:
    """A game in which white misses rolls 2 to 4 and black roll 5."""
    return copy.deepcopy(_absences())


@cache
def _absences() -> Json:
    house = HouseSide("absences")
    for n in range(10):
        house.roll(absent="W" * (2 <= n <= 4) + "B" * (n == 5))
    return house.record().to_json()


def first_byte_flipped(value: str) -> str:
    return f"{int(value[:2], 16) ^ 1:02x}{value[2:]}"


def _terms(record: Json, **changed: object) -> None:
    record["terms"] = canonical_json({**json.loads(record["terms"]), **changed}).decode()


def _swap(record: Json, n: int, one: str, two: str) -> None:
    roll = record["rolls"][n]
    roll[one], roll[two] = roll[two], roll[one]


def _left_out(record: Json) -> None:
    del record["rolls"][6]


def _shifted(record: Json) -> None:
    """Leave out an unwanted roll and number the later ones anew."""
    del record["rolls"][6]
    for n, roll in enumerate(record["rolls"]):
        roll["n"] = n


def _role_copied(record: Json) -> None:
    """Black's chain is white's: his tip and his elements are copies."""
    record["b"] = record["w"]
    for roll in record["rolls"]:
        roll["eB"] = roll["eW"]


def _die_turned(record: Json) -> None:
    dice = record["rolls"][5]["dice"]
    dice[0] = 7 - dice[0]


def _play_of_other_dice(record: Json) -> None:
    play = record["moves"][3]
    play["dice"] = [die % 6 + 1 for die in play["dice"]]


def _too_many_moves(record: Json) -> None:
    record["moves"][3]["moves"] = [[20, 19, 1]] * 5


def _play_missing(record: Json) -> None:
    del record["moves"][4]


Change = Callable[[Json], object]

IN_A_GAME: dict[str, tuple[str, Change]] = {
    # the change: (the reason that must be given, how to make it)
    "white's and black's elements of a roll are swapped": (
        "chain_W", lambda record: _swap(record, 3, "eW", "eB"),
    ),
    "the house's element of a roll is another one": (
        "chain_S", lambda record: record["rolls"][4].update(s="ab" * 32),
    ),
    "a player's element is another one": (
        "chain_B", lambda record: record["rolls"][7].update(eB="ab" * 32),
    ),
    "a die is turned": ("dice", _die_turned),
    "a normal roll is told as an opening": (
        "kind", lambda record: record["rolls"][5].update(kind=1),
    ),
    "the opening is told as a normal roll": (
        "kind", lambda record: record["rolls"][0].update(kind=2),
    ),
    "the role is copied": ("chain_B", _role_copied),
    "the terms are others": ("open_hash", lambda record: _terms(record, black="magriel")),
    "the terms are written another way": (
        "terms", lambda record: record.update(terms=record["terms"].replace(":", ": ", 1)),
    ),
    "the hash of the terms is another one": ("ctx", lambda record: record.update(ctx="cd" * 32)),
    "the game has another id": ("open_hash", lambda record: record.update(game_id="cd" * 16)),
    "a roll is left out": ("n_order", _left_out),
    "a roll is left out and the others move up": ("chain_S", _shifted),
    "a roll is there twice": (
        "n_order", lambda record: record["rolls"].insert(4, copy.deepcopy(record["rolls"][3])),
    ),
    "white's tip is another one": (
        "chain_W", lambda record: record.update(w=first_byte_flipped(record["w"])),
    ),
    "the house's tip is another one": (
        "chain_S", lambda record: record.update(s0=first_byte_flipped(record["s0"])),
    ),
    "the signature is another one": (
        "signature",
        lambda record: record.update(signature=first_byte_flipped(record["signature"])),
    ),
    "the signature is gone, its key is there": (
        "signature", lambda record: record.pop("signature"),
    ),
    "the log's entry is another one": (
        "log", lambda record: record["log"].update(previous="ef" * 32),
    ),
    "a flag says that white was absent": (
        "flags", lambda record: record["rolls"][6].update(flags=1),
    ),
    "a roll has a number that no game reaches": (
        "n_limit", lambda record: record["rolls"][11].update(n=1024),
    ),
    "a play has other dice than its roll": ("moves", _play_of_other_dice),
    "a play has more moves than dice": ("moves", _too_many_moves),
    "a play is left out": ("moves", _play_missing),
}  # fmt: skip

WITH_ABSENCES: dict[str, tuple[str, Change]] = {
    "the flag of an absence is removed": (
        "flags", lambda record: record["rolls"][3].update(flags=0),
    ),
    "what stands for an absent player is another value": (
        "absent_W", lambda record: record["rolls"][3].update(eW="ab" * 32),
    ),
    "an absence is counted from another element": (
        "absent_B", lambda record: record["rolls"][5].update(eB=record["rolls"][3]["eW"]),
    ),
}  # fmt: skip

IN_MODE_K: dict[str, tuple[str, Change]] = {
    "white's seed is another one": (
        "commit_W", lambda record: record.update(seed_W=first_byte_flipped(record["seed_W"])),
    ),
    "black's seed is another one in one roll": (
        "commit_B", lambda record: record["rolls"][2].update(eB="ab" * 32),
    ),
    "the flag of the mode is removed": (
        "flags", lambda record: record["rolls"][2].update(flags=0),
    ),
    "the mode is another one": ("open_hash", lambda record: record.update(mode="L")),
}  # fmt: skip


def altered() -> Iterator[tuple[str, str, Json]]:
    """Each alteration: the change, the reason, the record's JSON."""
    sources = (
        (game().to_json, IN_A_GAME),
        (absences, WITH_ABSENCES),
        (game("seeds", mode="K").to_json, IN_MODE_K),
    )
    for source, changes in sources:
        for name, (reason, change) in changes.items():
            record = copy.deepcopy(source())
            change(record)
            yield name, reason, record
