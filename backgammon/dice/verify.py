"""Checking the record of a game's dice: every reason not to believe it, each by a stable name.

The names, which the page and the offline file use as well:

- `terms`, `ctx`, `open_hash`, `log`, `signature`, `public_key`: what was fixed before the game.
- `n_order`, `n_limit`, `kind`, `flags`: the numbers, kinds and flags of the rolls.
- `chain_S`, `chain_W`, `chain_B`, `commit_W`, `commit_B`, `absent_W`, `absent_B`: elements.
- `dice`: the dice are not the ones that the elements give.
- `moves`: a play does not use the dice of its roll.
- `games`: two records of a match are of the same game, or out of the log's order.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from backgammon.dice import chain
from backgammon.dice.errors import FairnessError
from backgammon.dice.opening import canonical_json, commitment, log_hash, open_hash
from backgammon.dice.record import Record, RecordedPlay, RecordedRoll
from backgammon.dice.rolls import Flag, RollKind, dice_count, roll_dice
from backgammon.dice.signature import signature_fits

ROLL_OFFS = ("roll_off_use", "roll_off_reroll")
"""The start rules under which a game begins with openings."""


@dataclass(frozen=True, slots=True)
class DiceFailure:
    """One reason not to believe a record: its name, a sentence, and the number of the roll."""

    name: str
    sentence: str
    n: int | None = None
    game: int | None = None
    """Which game of a match, counted from 1; None in a record of one game."""


def verify(
    record: Record, *, public_key: bytes | None = None, gaps: bool = False
) -> list[DiceFailure]:
    """Every reason not to believe the dice of one game; none if they are as they had to be.

    With `public_key` (32 bytes) the signature must be there and be of this key. With `gaps` rolls
    may be left out: for examples of single rolls, never for a game.
    """
    terms = _terms(record)
    failures = [*_opening(record, terms), *_signature(record, public_key)]
    failures += _rolls(record, terms or {}, gaps)
    start = str((terms or {}).get("start_rule", ""))
    failures += [DiceFailure("moves", text, n) for n, text in checked_plays(record, start)]
    return failures


def verify_match(
    records: Sequence[Record], *, public_key: bytes | None = None
) -> list[DiceFailure]:
    """Every reason not to believe the dice of a match, game by game."""
    found = []
    for number, record in enumerate(records, start=1):
        for failure in verify(record, public_key=public_key):
            found.append(DiceFailure(failure.name, failure.sentence, failure.n, number))
        earlier = records[: number - 1]
        if any(record.game_id == other.game_id for other in earlier):
            found.append(
                DiceFailure("games", "This is the record of an earlier game.", None, number)
            )
        logged = [other.log.number for other in (*earlier, record) if other.log is not None]
        if record.log is not None and logged != sorted(set(logged)):
            text = "The openings of the games stand in the log in another order."
            found.append(DiceFailure("games", text, None, number))
    return found


def unchecked(record: Record) -> tuple[str, ...]:
    """The parts that the record lacks and that cannot be checked: signature, log, moves."""
    signed = record.signature is not None and record.public_key is not None
    there = {"signature": signed, "log": record.log is not None, "moves": record.plays is not None}
    return tuple(name for name, is_there in there.items() if not is_there)


def _terms(record: Record) -> dict[str, Any] | None:
    """The terms as an object; None unless they are canonical JSON with a sensible `dice`."""
    try:
        terms = json.loads(record.terms)
        if not isinstance(terms, dict) or canonical_json(terms) != record.terms.encode():
            return None
    except (ValueError, RecursionError):
        return None
    return terms if terms.get("dice", 2) in (2, 3) else None


def _opening(record: Record, terms: dict[str, Any] | None) -> Iterator[DiceFailure]:
    if terms is None:
        yield DiceFailure("terms", "The terms are not written in the one way that the hash needs.")
    if record.ctx not in (None, record.context):
        yield DiceFailure("ctx", "The hash of the terms is another one.")
    hashed = open_hash(
        record.game_id, record.context, record.mode, record.house_tip, record.white, record.black
    )
    if hashed != record.open_hash:
        text = "The opening hash is not the one of these terms and tips: something was exchanged."
        yield DiceFailure("open_hash", text)
    log = record.log
    if log is not None and log_hash(log.number, log.previous, record.open_hash) != log.hash:
        yield DiceFailure("log", "The entry of the public log does not hold this opening.")


def _signature(record: Record, public_key: bytes | None) -> Iterator[DiceFailure]:
    if public_key is not None and record.public_key != public_key:
        yield DiceFailure("public_key", "The record does not name the house's key.")
    key, signature = record.public_key, record.signature
    if (key is None or signature is None) and (key is signature and public_key is None):
        return
    if key is None or signature is None or not signature_fits(key, signature, record.open_hash):
        yield DiceFailure("signature", "The house's signature does not fit the opening.")


def _rolls(record: Record, terms: dict[str, Any], gaps: bool) -> Iterator[DiceFailure]:
    house = _Chain(record, chain.HOUSE, record.house_tip)
    white = _Player(record, chain.WHITE, record.white, record.white_seed)
    black = _Player(record, chain.BLACK, record.black, record.black_seed)
    before: RecordedRoll | None = None
    for roll in record.rolls:
        expected = 0 if before is None else before.n + 1
        if roll.n >= chain.LENGTH:
            yield DiceFailure(
                "n_limit", f"Roll {roll.n}: no game has more than {chain.LENGTH}.", roll.n
            )
            return
        if roll.n < expected or (roll.n > expected and not gaps):
            text = f"Roll {roll.n} stands where roll {expected} belongs."
            yield DiceFailure("n_order", text, roll.n)
        if roll.n < expected:
            continue  # its elements were used already
        if not house.leads_to_last(roll.house, roll.n):
            text = f"Roll {roll.n}: the house's element does not lead back to its last one."
            yield DiceFailure("chain_S", text, roll.n)
        house.take(roll.house, roll.n)
        if not _kind_fits(roll, before, terms, gaps):
            yield DiceFailure("kind", f"Roll {roll.n} is of a kind that has no place here.", roll.n)
        yield from _parts(record, roll, white, black)
        yield from _dice(record, roll, terms.get("dice", 2))
        before = roll


def _kind_fits(
    roll: RecordedRoll, before: RecordedRoll | None, terms: dict[str, Any], gaps: bool
) -> bool:
    """Whether this roll had to be of its kind: openings come first, until one is not equal."""
    if roll.kind not in (RollKind.OPENING, RollKind.NORMAL):
        return False
    if before is not None and not gaps:
        goes_on = before.kind == RollKind.OPENING and len(set(before.dice)) == 1
        return (roll.kind == RollKind.OPENING) == goes_on
    if before is not None or "start_rule" not in terms:
        return True  # terms of examples do not say how the game begins
    return (roll.kind == RollKind.OPENING) == (terms["start_rule"] in ROLL_OFFS)


def _parts(
    record: Record, roll: RecordedRoll, white: "_Player", black: "_Player"
) -> Iterator[DiceFailure]:
    flags = int(Flag.MODE_K) if record.mode == "K" else 0
    sides = (
        (white, roll.white, Flag.WHITE_ABSENT, "White"),
        (black, roll.black, Flag.BLACK_ABSENT, "Black"),
    )
    for player, element, flag, who in sides:
        is_real, is_absent = player.is_real(element, roll.n), player.is_absent(element, roll.n)
        said_absent = bool(roll.flags & flag)
        if not is_real and not is_absent:
            reason = "absent" if said_absent else "chain" if record.mode == "L" else "commit"
            role = player.role.decode()
            text = f"Roll {roll.n}: {who}'s element is not one of theirs, nor what stands for none."
            yield DiceFailure(f"{reason}_{role}", text, roll.n)
        flags |= flag if is_absent or (said_absent and not is_real) else 0
        if is_real or not (said_absent or is_absent):
            player.take(element, roll.n)
    if roll.flags != flags:
        yield DiceFailure(
            "flags", f"Roll {roll.n}: its flags are {roll.flags}, not {flags}.", roll.n
        )


def _dice(record: Record, roll: RecordedRoll, dice_a_turn: int) -> Iterator[DiceFailure]:
    try:
        dice = roll_dice(
            roll.house,
            game_id=record.game_id,
            ctx=record.context,
            n=roll.n,
            kind=roll.kind,
            flags=roll.flags,
            white=roll.white,
            black=roll.black,
            count=dice_count(roll.kind, dice_a_turn),
        )
    except FairnessError:  # a kind or flags that no roll has, reported above
        return
    if dice != roll.dice:
        told, real = ("-".join(map(str, faces)) for faces in (roll.dice, dice))
        text = f"Roll {roll.n}: the elements give {real}, the record says {told}."
        yield DiceFailure("dice", text, roll.n)


class _Chain:
    """The last element seen of one chain, and in which roll (the tip counts as roll -1)."""

    def __init__(self, record: Record, role: bytes, tip: bytes) -> None:
        self.record, self.role = record, role
        self.last, self.last_n = tip, -1

    def leads_to_last(self, element: bytes, n: int) -> bool:
        """Whether the element of roll `n` leads back to the last one seen."""
        count = n - self.last_n
        return chain.chains_back(self.record.game_id, self.role, element, self.last, count)

    def take(self, element: bytes, n: int) -> None:
        """From now on this is the last one seen."""
        self.last, self.last_n = element, n


class _Player(_Chain):
    """One player's side: the values that may be their part in a roll."""

    def __init__(self, record: Record, role: bytes, tip: bytes, seed: bytes | None) -> None:
        super().__init__(record, role, tip)
        self.tip, self.seed = tip, seed

    def is_real(self, element: bytes, n: int) -> bool:
        """Whether the player gave this element: of their chain, or the seed they committed to."""
        if self.tip == chain.NO_TIP:
            return False
        if self.record.mode == "L":
            return self.leads_to_last(element, n)
        if self.seed not in (None, element):
            return False
        record = self.record
        args = (record.game_id, record.context, self.role, record.house_tip, element)
        return commitment(*args) == self.tip

    def is_absent(self, element: bytes, n: int) -> bool:
        """Whether this is the player's substitute in roll `n`, used when they gave nothing."""
        game_id = self.record.game_id
        return chain.absent_element(game_id, self.role, n, self.last) == element


Finding = tuple[int, str]
"""The number of a roll and what is wrong with a play of it."""


def checked_plays(record: Record, start_rule: str) -> Iterator[Finding]:
    """The faults of the plays; none in a record without plays.

    Each turn has a play, even an empty one, except the last; plays stand in the order of the
    rolls; dice and moves are those of the roll.
    """
    if record.plays is None:
        return
    rolls = {roll.n: roll for roll in record.rolls}
    played: set[int] = set()
    last = -1
    for play in record.plays:
        roll = rolls.get(play.n)
        if roll is None or play.n < last:
            yield (play.n, f"A play names roll {play.n}, which has no place there.")
            continue
        follows = play.n in played
        played.add(play.n)
        last = play.n
        yield from ((play.n, text) for text in _wrong_with(play, roll, start_rule, follows))
    for roll in record.rolls[:-1]:
        if roll.kind == RollKind.NORMAL and roll.n not in played:
            yield (roll.n, f"Roll {roll.n} has no play, but the game went on.")


def _wrong_with(
    play: RecordedPlay, roll: RecordedRoll, start_rule: str, follows: bool
) -> Iterator[str]:
    shown = "-".join(map(str, play.dice))
    if play.seat not in (0, 1):
        yield f"Roll {play.n}: a table has the seats 0 and 1, not {play.seat}."
    if roll.kind == RollKind.OPENING:
        yield from _wrong_with_opening(play, roll, start_rule)
    if follows and (len(set(play.dice)) != 1 or len(play.dice) != 2):
        yield f"Roll {play.n}: what follows a roll without chance is a double, not {shown}."
    if not follows and sorted(play.dice) != sorted(roll.dice):
        yield f"Roll {play.n}: the play has the dice {shown}, which are not those of its roll."
    if Counter(die for _, _, die in play.moves) - Counter(singles(play.dice)):
        yield f"Roll {play.n}: the moves use more than the dice {shown}."


def _wrong_with_opening(play: RecordedPlay, roll: RecordedRoll, start_rule: str) -> Iterator[str]:
    if start_rule == "roll_off_reroll":
        yield f"Roll {play.n} only says who begins, it is not played."
    elif len(roll.dice) == 2 and play.seat != int(roll.dice[1] > roll.dice[0]):
        yield f"Roll {play.n}: the other player threw more and had to begin."


def singles(dice: Sequence[int]) -> tuple[int, ...]:
    """The dice one by one as they may be played: a double of two dice counts four times."""
    if len(dice) == 2 and dice[0] == dice[1]:
        return (dice[0],) * 4
    return tuple(dice)
