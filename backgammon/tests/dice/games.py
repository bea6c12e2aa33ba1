"""Records of whole games as an honest house would write them, from secrets derived from a name."""

import hashlib
from collections.abc import Collection

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from backgammon.dice import chain
from backgammon.dice.opening import LOG_START, canonical_json, commitment, log_hash, open_hash
from backgammon.dice.record import LogEntry, Record, RecordedPlay, RecordedRoll
from backgammon.dice.rolls import Flag, RollKind, dice_count, roll_dice

SIGNING_KEY = Ed25519PrivateKey.from_private_bytes(hashlib.sha256(b"tests").digest())
PUBLIC_KEY = SIGNING_KEY.public_key().public_bytes_raw()
ROLES = {"W": chain.WHITE, "B": chain.BLACK}


def secret(name: str) -> bytes:
    """32 bytes that are derived from this name."""
    return hashlib.sha256(name.encode()).digest()


class HouseSide:
    """Writes the record of one game, roll by roll; a `silent` player gave no tip."""

    def __init__(
        self, name: str, mode: str = "L", silent: Collection[str] = (), **terms: object
    ) -> None:
        self.name, self.mode = name, mode
        self.game_id = secret(f"{name} id")[:16]
        named = {"black": "hilde", "game": "backgammon", "start_rule": "roll_off_use"}
        self.terms = canonical_json({**named, "mode": mode, "white": "tilo", **terms})
        self.dice_a_turn = int(terms.get("dice", 2))
        self.start_rule = {**named, **terms}["start_rule"]
        self.ctx = hashlib.sha256(b"BGD1.terms\0" + self.terms).digest()
        self.house_tip = chain.chain_tip(self.game_id, chain.HOUSE, secret(f"{name} S"))
        self.tips = {who: self._tip(who, who in silent) for who in "WB"}
        self.last = dict(self.tips)
        self.rolls: list[RecordedRoll] = []
        self.plays: list[RecordedPlay] = []

    def _tip(self, who: str, is_silent: bool) -> bytes:
        if is_silent:
            return chain.NO_TIP
        own = secret(f"{self.name} {who}")
        if self.mode == "K":
            return commitment(self.game_id, self.ctx, ROLES[who], self.house_tip, own)
        return chain.chain_tip(self.game_id, ROLES[who], own)

    def roll(self, absent: str = "", n: int | None = None) -> RecordedRoll:
        """The next roll and its play; `absent` names the sides that do not send their part."""
        n = len(self.rolls) if n is None else n
        elements = {who: self._part(who, n, who in absent) for who in "WB"}
        flags = (
            Flag.WHITE_ABSENT * (elements["W"][1])
            | Flag.BLACK_ABSENT * (elements["B"][1])
            | Flag.MODE_K * (self.mode == "K")
        )
        kind = self._kind()
        house = chain.roll_element(self.game_id, chain.HOUSE, secret(f"{self.name} S"), n)
        parts = {"white": elements["W"][0], "black": elements["B"][0]}
        named = {"n": n, "kind": int(kind), "flags": int(flags)}
        count = dice_count(kind, self.dice_a_turn)
        made = {"game_id": self.game_id, "ctx": self.ctx, "count": count}
        dice = roll_dice(house, **made, **named, **parts)
        self.rolls.append(RecordedRoll(house=house, dice=dice, **named, **parts))
        self._play(self.rolls[-1])
        return self.rolls[-1]

    def _kind(self) -> RollKind:
        if self.rolls:
            before = self.rolls[-1]
            tie = before.kind == RollKind.OPENING and before.dice[0] == before.dice[1]
            return RollKind.OPENING if tie else RollKind.NORMAL
        return RollKind.OPENING if self.start_rule.startswith("roll_off") else RollKind.NORMAL

    def _part(self, who: str, n: int, is_absent: bool) -> tuple[bytes, bool]:
        if is_absent or self.tips[who] == chain.NO_TIP:
            return chain.absent_element(self.game_id, ROLES[who], n, self.last[who]), True
        own = secret(f"{self.name} {who}")
        if self.mode == "L":
            own = chain.roll_element(self.game_id, ROLES[who], own, n)
        self.last[who] = own
        return own, False

    def _play(self, roll: RecordedRoll) -> None:
        opening = roll.kind == RollKind.OPENING
        if opening and roll.dice[0] == roll.dice[1]:
            return
        seat = int(roll.dice[1] > roll.dice[0]) if opening else len(self.plays) % 2
        dice = tuple(sorted(roll.dice, reverse=True))
        self.plays.append(RecordedPlay(roll.n, seat, dice, ((24, 24 - dice[0], dice[0]),)))

    def record(self) -> Record:
        """The record so far: signed, logged, with the plays."""
        tips = self.tips["W"], self.tips["B"]
        opened = open_hash(self.game_id, self.ctx, self.mode, self.house_tip, *tips)
        entry = LogEntry(1, LOG_START, log_hash(1, LOG_START, opened))
        seeds = {}
        if self.mode == "K":
            names = (("W", "white_seed"), ("B", "black_seed"))
            told = [(who, name) for who, name in names if self.tips[who] != chain.NO_TIP]
            seeds = {name: secret(f"{self.name} {who}") for who, name in told}
        return Record(
            game_id=self.game_id,
            terms=self.terms.decode(),
            mode=self.mode,
            house_tip=self.house_tip,
            white=tips[0],
            black=tips[1],
            open_hash=opened,
            rolls=tuple(self.rolls),
            ctx=self.ctx,
            signature=SIGNING_KEY.sign(opened),
            public_key=PUBLIC_KEY,
            log=entry,
            plays=tuple(self.plays),
            **seeds,
        )


def game(name: str = "a game", rolls: int = 12, mode: str = "L", **wishes: object) -> Record:
    """The record of a game in which both players always send their parts."""
    house = HouseSide(name, mode, **wishes)
    for _ in range(rolls):
        house.roll()
    return house.record()
