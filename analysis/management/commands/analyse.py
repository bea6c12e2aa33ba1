"""``manage.py analyse``: how well a match was played, or what is best in a position."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from time import process_time
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError

from backgammon.analysis.answers import Verdict, refusal_of, verdict
from backgammon.analysis.depths import AGAIN, DEPTHS, Depth, analysed, judged, judged_at
from backgammon.analysis.json_lines import Line, decision_line, figures_line, position_line
from backgammon.analysis.rollouts import BLOCKS_MOST, course_of, is_over, rollout_line
from backgammon.counting.chances import span
from backgammon.counting.decisions import (
    Answer,
    Decision,
    Doubling,
    Place,
    Play,
    decisions,
    length_check,
)
from backgammon.counting.figures import Judged, figures, without_luck
from backgammon.counting.judging import NO_DOUBLE
from backgammon.counting.positions import key_of, roll_of, situation_of, xgid_of
from backgammon.counting.situation import MatchTooLong
from backgammon.engines.analysed import ANALYSED
from backgammon.engines.house import engine_for
from backgammon.engines.rollout import BLOCK
from backgammon.engines.sage import Sage, house_engine
from backgammon.formats.errors import FormatError
from backgammon.formats.record import CubeVerb, MatchRecord
from backgammon.formats.registry import decoded, parse_match
from backgammon.rules.errors import RulesError
from backgammon.rules.match import FormatKind

ALONE = Place(1, 1, 0)

#: the right actions of both players, in words
VERDICTS: Final[Mapping[Verdict, str]] = {
    "no_double": "no double, take",
    "too_good": "too good to double, drop",
    "double_take": "double, take",
    "double_drop": "double, drop",
    "double_beaver": "double, beaver",
    "no_double_beaver": "no double, beaver",
    "no_cube": "a double is not possible: {}",
}


#: why nobody may double, by the codes of `backgammon.analysis.answers.refusal_of`
REFUSALS: Final[Mapping[str, str]] = {
    "crawford": "it is Crawford's game",
    "not_yours": "the opponent owns the cube",
    "dead": "a win wins the match anyway",
}


class BadQuestion(ValueError):
    """The command cannot be carried out as it was given."""

    code = "bad_question"


class Command(BaseCommand):
    """``manage.py analyse FILE`` or ``manage.py analyse --position ID [--dice 3-1]``."""

    help = "Analyse a match file, or a position with or without dice. Needs no database."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """A file or a position, and the depth."""
        parser.add_argument("file", nargs="?", metavar="FILE", help="- reads standard input")
        parser.add_argument("--position", metavar="ID", help="an XGID or GNU Backgammon's IDs")
        parser.add_argument("--dice", metavar="3-1", help="the roll; without one, the cube")
        parser.add_argument("--depth", choices=DEPTHS, default="full")
        parser.add_argument(
            "--rollout",
            nargs="?",
            type=int,
            const=BLOCK * BLOCKS_MOST,
            metavar="N",
            help=f"play the position on, at most N times in steps of {BLOCK}",
        )
        parser.add_argument("--json", action="store_true", help="one JSON line a decision")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print the decisions; in words the figures of both players follow."""
        try:
            if (options["file"] is None) == (options["position"] is None):
                raise BadQuestion("name either a match file or a position")
            if options["rollout"] is not None:
                self._rollout(options)
            elif options["position"] is None:
                self._match(options)
            else:
                self._position(options)
        except (RulesError, FormatError, BadQuestion, MatchTooLong) as error:
            if options["json"]:
                self.stdout.write(json.dumps({"error": _error(error)}))
            raise CommandError(f"{error.code}: {error}") from error

    def _match(self, options: Mapping[str, Any]) -> None:
        if options["dice"] is not None:
            raise BadQuestion("dice belong to a position")
        record = _read(options["file"])
        length_check(record)
        engine, depth = engine_for(record.variants), options["depth"]
        _check_variants(record)
        rows = []
        for row in analysed(decisions(record), engine, depth):
            rows.append(row)
            line = decision_line(row, record.players, engine, depth, length=record.length)
            if options["json"]:
                self.stdout.write(json.dumps(line, ensure_ascii=False))
            elif row.judgement.mark:
                self.stdout.write(_error_text(line))
        if not options["json"]:
            self.stdout.write("\n".join(_figures_texts(rows, record)))
            self.stdout.write(f"{engine.name} {engine.version}, {depth}")

    def _position(self, options: Mapping[str, Any]) -> None:
        engine, depth = house_engine(), options["depth"]
        row = _position_judged(options["position"], options["dice"], engine, depth)
        line = _lawful(position_line(row, engine, depth), row)
        if options["json"]:
            self.stdout.write(json.dumps(line))
            return
        for option in line["options"]:
            self.stdout.write(f"{option['equity']:+.3f}  {option['text'] or 'no move'}")
        if "verdict" in line:
            self.stdout.write(VERDICTS[line["verdict"]].format(REFUSALS.get(line["refusal"])))
        self.stdout.write(f"{engine.name} {engine.version}, {line['ply']}-ply")

    def _rollout(self, options: Mapping[str, Any]) -> None:
        blocks_most = options["rollout"] // BLOCK
        if options["position"] is None:
            raise BadQuestion("a rollout needs a position")
        if blocks_most < 1:
            raise BadQuestion(f"a rollout has at least {BLOCK} trials")
        xgid = xgid_of(options["position"])
        if options["dice"] is not None:
            xgid = replace(xgid, dice=_dice(options["dice"]))
        course = course_of(key_of(xgid), house_engine())
        blocks: list[list[float]] = []
        began = process_time()
        while not is_over(blocks, process_time() - began, blocks_most=blocks_most):
            blocks.append(course.block(len(blocks)))
        line = rollout_line(course, blocks)
        if options["json"]:
            self.stdout.write(json.dumps(line))
        else:
            self.stdout.write("\n".join(rollout_texts(line)))


def _lawful(line: Line, row: Judged) -> Line:
    """The line with only what the rules allow, and for the cube the right actions of both."""
    value = row.judgement.cube
    if not isinstance(row.decision, Doubling) or value is None:
        return line
    situation = row.decision.situation
    refusal = refusal_of(situation)
    if refusal is None:
        found = verdict(value.no_double, value.double_take, situation.cube_turns_most)
        return {**line, "verdict": found, "refusal": None}
    options = [option for option in line["options"] if option["text"] == NO_DOUBLE]
    cube = {**line["cube"], "double_take": None}
    legal = {"options": options, "best": NO_DOUBLE, "gap": None, "cube": cube}
    return {**line, **legal, "verdict": "no_cube", "refusal": refusal}


def rollout_texts(line: Mapping[str, Any]) -> Iterator[str]:
    """The result of a rollout, in words."""
    if line["kind"] == "play":
        for option in line["options"]:
            yield f"{option['equity']:+.3f} {_band(option)}  {option['text'] or 'no move'}"
    else:
        for name, words in (("no_double", "no double"), ("double_take", "double, take")):
            if line[name] is not None:
                yield f"{line[name]:+.3f} {_band(line['exactness'][name])}  {words}"
    for apart in line["compared"]:
        better, worse = (apart[name] for name in ("better", "worse"))
        noise = "more than noise" if apart["is_clear"] else "within noise"
        if apart["band"] is None:
            noise = "too few trials to say how exact that is"
        yield f"{better} is better than {worse} by {apart['by']:.3f} {_band(apart)}: {noise}"
    yield f"{line['trials']} trials of {line['turns']} turns each; ± is the 95 % band"


def _band(exact: Mapping[str, Any]) -> str:
    return "±  –  " if exact["band"] is None else f"± {exact['band']:.3f}"


def _read(name: str) -> MatchRecord:
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise BadQuestion(f"{name}: {error.strerror}") from error
    return parse_match(decoded(data))


def _check_variants(record: MatchRecord) -> None:
    """Refuse a match of which no game can be judged."""
    unknown = [variant for variant in record.variants if variant not in ANALYSED]
    if unknown and len(unknown) == len(record.variants):
        raise BadQuestion(f"no engine supports {', '.join(unknown)}")


def _position_judged(text: str, dice: str | None, engine: Sage, depth: Depth) -> Judged:
    decision = _asked(text, dice)
    # what is asked for expressly is looked at as deeply as that goes
    judgement = (
        judged_at(decision, engine, AGAIN) if depth == "deep" else judged(decision, engine, depth)
    )
    luck = engine.luck(decision) if isinstance(decision, Play) and depth != "quick" else None
    return Judged(decision, judgement, span(decision.situation, engine.table), luck)


def _asked(text: str, dice: str | None) -> Decision:
    """The decision that a position leaves open."""
    xgid = xgid_of(text)
    situation = situation_of(xgid)
    roll = xgid.dice if dice is None else _dice(dice)
    if roll is not None:
        return roll_of(situation, roll)
    if xgid.offer is not None:
        if refusal := refusal_of(situation):
            raise BadQuestion(f"the double was not possible: {REFUSALS[refusal]}")
        return Answer(ALONE, situation, 1, CubeVerb.TAKE)
    return Doubling(ALONE, situation, doubled=False)


def _dice(text: str) -> tuple[int, int]:
    pips = [int(sign) for sign in text if sign in "123456"]
    if len(pips) != 2 or len(text.strip("123456")) > 1:
        raise BadQuestion(f"dice are written like 3-1, not {text!r:.20}")
    return pips[0], pips[1]


def _error(error: Exception) -> dict[str, Any]:
    """An error with its place in the file or in the text, where it has one."""
    told = {"code": getattr(error, "code", "error"), "message": str(error)}
    places = {name: getattr(error, name, None) for name in ("line", "column", "path")}
    return {**told, **{name: place for name, place in places.items() if place is not None}}


def _error_text(line: Mapping[str, Any]) -> str:
    dice = "-".join(map(str, line["dice"])) if line["dice"] else line["kind"]
    return (
        f"game {line['game']} decision {line['number']:3}  {line['player']}  {dice:6}"
        f" {line['played']}, best {line['best']}  {line['mark']:2} {line['loss']:.3f}"
    )


def _figures_texts(rows: list[Judged], record: MatchRecord) -> Iterator[str]:
    both = figures(rows, 0), figures(rows, 1)
    for seat, player in enumerate(record.players):
        told = figures_line(both[seat], player)
        pr, band = told["pr"], told["band"]
        parts = [
            f"PR {'–' if pr is None else pr}" + (f" ({band[0]}–{band[1]})" if band else ""),
            f"{told['errors']} errors in {told['counted']} of {told['decisions']} decisions",
        ]
        if told["class"] is not None:
            parts.append(told["class"].replace("_", " "))
        if told["luck"] is not None:
            parts.append(f"luck {told['luck']:+.2f}")
        adjusted = _without_luck(record, both[seat].gift, both[1 - seat].gift, seat)
        if adjusted is not None:
            parts.append(adjusted)
        yield f"{player}: " + ", ".join(parts)


def _without_luck(
    record: MatchRecord, own: float | None, other: float | None, seat: int
) -> str | None:
    """The result less the luck: the chance to win a match, or the points of single games."""
    mine, theirs = record.score[seat], record.score[1 - seat]
    if record.kind is not FormatKind.POINTS:
        points = without_luck(mine - theirs, own, other)
        return None if points is None else f"without luck {points:+.2f} points"
    if max(mine, theirs) < record.length:
        return None
    chance = without_luck(float(mine > theirs), own, other)
    return None if chance is None else f"without luck {chance:.0%}"
