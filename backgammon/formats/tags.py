"""A match's heading as named values, which the text formats carry in their own ways.

The names of eXtreme Gammon's .mat files are used where they exist; our own are added, so that
nothing is lost on the way out and back. Other programs ignore unknown names.

Stakes: there ``Stake`` is what passes between the players and ``Rake`` what each of them pays on
top, so a stake of 2.50 each with 0.50 for the house out of the pot is written as 2.25 and 0.25:
the winner is up 2.00, the loser down 2.50 in both ways of speaking.
"""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass, field, replace

from backgammon.formats.errors import FormatError, UnsupportedRecord
from backgammon.formats.record import Ending, GameRecord, Heading, MatchRecord, Stakes
from backgammon.rules.cube import HIGHEST_CAP, CubeRules
from backgammon.rules.errors import RulesError
from backgammon.rules.match import FormatKind
from backgammon.rules.position import Position
from backgammon.rules.variant import Options

Tags = list[tuple[str, str]]

VARIATIONS = {
    "backgammon": "Backgammon",
    "nackgammon": "Nackgammon",
    "hypergammon": "Hypergammon",
}
_KEYS = {name.lower(): key for key, name in VARIATIONS.items()}
_GAME_TAG = re.compile(r"Game ([0-9]{1,4}) (Ending|Cube|Owner|Variation|Start|Crawford)", re.ASCII)
_AMOUNT = re.compile(r"([0-9]{1,12})(?:\.([0-9]{1,3}))?", re.ASCII)
_FREE_TEXT = {"Site": "site", "Match ID": "match_id", "Event": "event", "Round": "round"}
_SWITCHES = {
    "Crawford": "crawford",
    "Jacoby": "jacoby",
    "Beaver": "beavers",
    "Raccoon": "raccoons",
    "Holland": "holland",
}
_OFF = ("off", "no", "false", "0")
_NOT_IN_MATCHES = ("Jacoby", "Beaver", "Raccoon", "AutoDoubles")
"""Rules of unlimited play; a match that names them is read without."""
_MONEY = ("Currency", "Stake", "Rake", "Point")


def match_tags(record: MatchRecord) -> Tags:
    """Everything about the match that is not a game, as name and value.

    :raises UnsupportedRecord: if a value cannot stand in a tag.
    """
    heading = record.heading
    tags: Tags = [(name, getattr(heading, attribute)) for name, attribute in _FREE_TEXT.items()]
    tags += [("Player 1", record.players[0]), ("Player 2", record.players[1])]
    tags += [("Player 1 Elo", heading.elo[0]), ("Player 2 Elo", heading.elo[1])]
    if heading.date is not None:
        tags.append(("EventDate", heading.date.strftime("%Y.%m.%d")))
    if heading.time is not None:
        tags.append(("EventTime", heading.time.strftime("%H.%M")))
    if record.games:
        key = record.games[0].variant
        tags.append(("Variation", VARIATIONS.get(key, key)))
    if heading.unrated:
        tags.append(("Unrated", "Yes"))
    tags += _rule_tags(record)
    if record.stakes is not None:
        tags += _stake_tags(record.stakes)
    tags += heading.other
    for name, value in tags:
        if not (name + value).isprintable() or '"' in name or name != name.strip():
            raise UnsupportedRecord(f"{name}: a tag is one line of text")
    return [(name, value) for name, value in tags if value]


def _rule_tags(record: MatchRecord) -> Tags:
    """Optional rules; the usual ones of a match or a session are named, the rare ones if chosen."""
    rules, options = record.rules, record.options
    is_match = record.kind is FormatKind.POINTS
    jacoby_is_said = rules.jacoby or not (is_match or record.jacoby_assumed)
    tags = (
        (record.kind is FormatKind.GAMES, "Games", str(record.length)),
        (is_match or not rules.crawford, "Crawford", _on(rules.crawford)),
        (jacoby_is_said, "Jacoby", _on(rules.jacoby)),
        (not is_match or rules.beavers, "Beaver", _on(rules.beavers)),
        (rules.raccoons, "Raccoon", "On"),
        (rules.holland, "Holland", "On"),
        (rules.auto_doubles_max > 0, "AutoDoubles", str(rules.auto_doubles_max)),
        (rules.cap != HIGHEST_CAP, "CubeLimit", str(rules.cap)),
        (not record.has_cube, "Cube", "Off"),
        (options.max_stack is not None, "MaxStack", str(options.max_stack)),
        (options.no_hit_and_run, "NoHitAndRun", "On"),
        (not options.extra_roll_on_doubles, "ExtraRollOnDoubles", "Off"),
    )
    return [(name, value) for is_said, name, value in tags if is_said]


def _stake_tags(stakes: Stakes) -> Tags:
    """The amounts in thousandths, because half a rake may be half a cent."""
    share = 5 * stakes.rake_cents
    passing = 10 * stakes.stake_cents - share
    if min(stakes.stake_cents, stakes.rake_cents, stakes.point_cents, passing) < 0:
        raise UnsupportedRecord("Stake and Rake cannot be negative, nor the rake above the pot")
    return [
        ("Currency", stakes.currency),
        ("Stake", _amount(passing)),
        ("Rake", _amount(share)),
        ("Point", _amount(10 * stakes.point_cents) if stakes.point_cents else ""),
    ]


def _amount(thousandths: int) -> str:
    text = f"{thousandths // 1000}.{thousandths % 1000:03}"
    return text.removesuffix("0")


def game_tags(number: int, game: GameRecord, first_variant: str) -> Tags:
    """The tags of game ``number`` (from 1), besides its moves."""
    tags: Tags = []
    if game.variant != first_variant:
        tags.append((f"Game {number} Variation", game.variant))
    if game.start is not None:
        tags.append((f"Game {number} Start", game.start.text()))
    if game.cube_value != 1:
        tags.append((f"Game {number} Cube", str(game.cube_value)))
    if game.cube_owner is not None:
        tags.append((f"Game {number} Owner", str(game.cube_owner + 1)))
    result = game.result
    if result and result.ending not in (Ending.BOARD, Ending.DROP, Ending.RESIGNATION):
        tags.append((f"Game {number} Ending", result.ending.value))
    return tags


class TagError(FormatError):
    """A tag cannot be read."""

    def __init__(self, tag: str, reason: str) -> None:
        super().__init__(f"{tag}: {reason}")
        self.tag = tag


@dataclass(slots=True)
class TagReader:
    """Gathers tags and makes a heading of them."""

    fields: dict[str, str] = field(default_factory=dict)
    aside: dict[str, str] = field(default_factory=dict)
    games: dict[int, dict[str, str]] = field(default_factory=dict)

    def add(self, name: str, value: str) -> None:
        """Remember one tag; what was said first counts."""
        match = _GAME_TAG.fullmatch(name)
        if match:
            self.games.setdefault(int(match[1]), {}).setdefault(match[2], value)
        else:
            self.fields.setdefault(name, value)

    def heading_and_faults(
        self, players: tuple[str, str], points: int, comment: str = "", site: str = ""
    ) -> tuple[MatchRecord, list[FormatError]]:
        """A heading with unreadable tags kept as text, and what is wrong with them.

        :raises FormatError: if the tags cannot all be true.
        """
        faults: list[FormatError] = []
        while True:
            try:
                return self.heading(players, points, comment, site), faults
            except TagError as error:
                if error.tag not in self.fields:
                    raise
                self.aside[error.tag] = self.fields.pop(error.tag)
                faults.append(error)

    def heading(
        self, players: tuple[str, str], points: int, comment: str = "", site: str = ""
    ) -> MatchRecord:
        """A record without games; ``points`` is the length the file states, 0 for a session.

        :raises FormatError: naming the tag that cannot be read.
        """
        fields = dict(self.fields)
        aside = dict(self.aside)
        for name in _NOT_IN_MATCHES if points else ():
            if fields.get(name, "off").strip().lower() not in _OFF:
                aside[name] = fields.pop(name)
        for name, read in (("EventDate", _date), ("EventTime", _time)):
            if fields.get(name) and read(fields[name]) is None:
                aside[name] = fields.pop(name)
        names = (fields.pop("Player 1", ""), fields.pop("Player 2", ""))
        record = MatchRecord(
            players=(players[0] or names[0], players[1] or names[1]),
            has_cube=self._switch(fields, "Cube", default=True),
            rules=self._rules(fields, is_match=points > 0),
            options=self._options(fields),
            stakes=self._stakes(fields),
        )
        kind, length = FormatKind.POINTS if points else FormatKind.UNLIMITED, points
        if "Games" in fields:
            kind, length = FormatKind.GAMES, _number("Games", fields.pop("Games"), 99)
        fields.pop("Variation", None)
        heading = Heading(
            elo=(fields.pop("Player 1 Elo", ""), fields.pop("Player 2 Elo", "")),
            date=_date(fields.pop("EventDate", "")),
            time=_time(fields.pop("EventTime", "")),
            unrated=self._switch(fields, "Unrated", default=False),
            comment=comment,
            site=fields.pop("Site", "") or site,
            match_id=fields.pop("Match ID", ""),
            event=fields.pop("Event", ""),
            round=fields.pop("Round", ""),
        )
        heading = replace(heading, other=tuple({**fields, **aside}.items()))
        return replace(record, kind=kind, length=length, heading=heading)

    def game(self, number: int, score: tuple[int, int]) -> GameRecord:
        """A record without actions for game ``number``, counted from 1.

        :raises FormatError: naming the tag that cannot be read.
        """
        tags = self.games.get(number, {})
        variation = tags.get("Variation") or self.fields.get("Variation") or "backgammon"
        start = None
        if "Start" in tags:
            try:
                start = Position.parse(tags["Start"])
            except RulesError as error:
                raise FormatError(f"Game {number} Start: {error}") from error
        cube = _number(f"Game {number} Cube", tags.get("Cube", "1"), HIGHEST_CAP)
        owner = _number(f"Game {number} Owner", tags.get("Owner", "0"), 2)
        return GameRecord(
            variant=_KEYS.get(variation.lower(), variation),
            score=score,
            start=start,
            cube_value=cube,
            cube_owner=owner - 1 if owner else None,
        )

    def ending(self, number: int) -> Ending | None:
        """The ending stated for a game, if one is.

        :raises FormatError: for an unknown ending.
        """
        text = self.games.get(number, {}).get("Ending")
        if text is None:
            return None
        try:
            return Ending(text)
        except ValueError:
            raise FormatError(f"Game {number} Ending: {text!r} is no ending") from None

    def _rules(self, fields: dict[str, str], *, is_match: bool) -> CubeRules:
        defaults = {"crawford": True}
        switches = {
            attribute: self._switch(fields, name, default=defaults.get(attribute, False))
            for name, attribute in _SWITCHES.items()
        }
        rules = CubeRules(
            cap=_number("CubeLimit", fields.pop("CubeLimit", str(HIGHEST_CAP)), HIGHEST_CAP),
            auto_doubles_max=_number("AutoDoubles", fields.pop("AutoDoubles", "0"), 99),
            **switches,
        )
        try:
            rules.check(is_match=is_match)
        except RulesError as error:
            raise FormatError(str(error)) from error
        return rules

    def _options(self, fields: dict[str, str]) -> Options:
        stack = fields.pop("MaxStack", "")
        return Options(
            max_stack=_number("MaxStack", stack, 15) if stack else None,
            no_hit_and_run=self._switch(fields, "NoHitAndRun", default=False),
            extra_roll_on_doubles=self._switch(fields, "ExtraRollOnDoubles", default=True),
        )

    def _stakes(self, fields: dict[str, str]) -> Stakes | None:
        if not {"Stake", "Rake"} <= fields.keys():
            return None
        passing, share = _thousandths(fields["Stake"]), _thousandths(fields["Rake"])
        point = _thousandths(fields.get("Point", "0"))
        if passing is None or share is None or share % 5 or (passing + share) % 10:
            return None  # kept among the other tags: not an amount we could have written
        if point is None or point % 10:
            return None
        currency = fields.get("Currency", "")
        for name in _MONEY:
            fields.pop(name, None)
        return Stakes((passing + share) // 10, share // 5, currency, point // 10)

    def _switch(self, fields: dict[str, str], name: str, *, default: bool) -> bool:
        if name not in fields:
            return default
        text = fields.pop(name).strip().lower()
        if text in ("on", "yes", "true", "1"):
            return True
        if text in _OFF:
            return False
        raise TagError(name, f"{text!r} is neither On nor Off")


def _on(value: bool) -> str:
    return "On" if value else "Off"


def _number(name: str, text: str, most: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 6 and int(text) <= most):
        raise TagError(name, f"{text!r} is no number up to {most}")
    return int(text)


def _thousandths(text: str) -> int | None:
    match = _AMOUNT.fullmatch(text.strip())
    if match is None:
        return None
    return int(match[1]) * 1000 + int((match[2] or "").ljust(3, "0"))


def _date(text: str) -> datetime.date | None:
    if not text:
        return None
    try:
        year, month, day = (int(part) for part in re.split(r"[.\-/]", text))
        return datetime.date(year, month, day)
    except ValueError:
        return None


def _time(text: str) -> datetime.time | None:
    if not text:
        return None
    try:
        hour, minute, *_ = (int(part) for part in re.split(r"[.:]", text))
        return datetime.time(hour, minute)
    except ValueError:
        return None
