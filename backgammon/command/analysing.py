"""The question `analyse`: how well a match was played, or what is best in a position."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Iterator, Mapping
from dataclasses import replace
from time import process_time
from typing import Any, Final

from backgammon.analysis.depths import DEPTHS
from backgammon.analysis.json_lines import Line, decision_line, figures_line, position_line
from backgammon.analysis.questions import MatchAnalysis, analyse, decision_about, match_judged
from backgammon.analysis.rollouts import BLOCKS_MOST, course_of, is_over, rollout_line
from backgammon.analysis.verdicts import Verdict, refusal_of, verdict
from backgammon.command.asking import BadQuestion, dice_of
from backgammon.command.matches import ABOUT_FAULTS, FilesNamed, add_jacoby, place_of, title_of
from backgammon.counting.decisions import Answer, Doubling
from backgammon.counting.figures import Judged
from backgammon.counting.judging import NO_DOUBLE, depth_text
from backgammon.counting.positions import key_of, xgid_of
from backgammon.engines.house import engine_for
from backgammon.engines.rollout import BLOCK
from backgammon.engines.sage import house_engine
from backgammon.formats.reading import MatchRead
from backgammon.rules.match import FormatKind

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


def add_to(questions: _SubParsersAction[ArgumentParser]) -> None:
    """Add `analyse`."""
    about = "how well matches were played, or what is best in a position"
    description = about.capitalize() + "."
    asked = questions.add_parser(
        "analyse", help=about, description=description, epilog=ABOUT_FAULTS
    )
    asked.add_argument("files", nargs="*", metavar="FILE", help="- reads standard input")
    asked.add_argument("--position", metavar="ID", help="an XGID or GNU Backgammon's IDs")
    asked.add_argument("--dice", metavar="3-1", help="the roll; without one, the cube")
    add_jacoby(asked)
    asked.add_argument("--depth", choices=DEPTHS, default="full")
    asked.add_argument(
        "--rollout",
        nargs="?",
        type=int,
        const=BLOCK * BLOCKS_MOST,
        metavar="N",
        help=f"play the position on, at most N times in steps of {BLOCK}",
    )
    asked.add_argument("--json", action="store_true", help="one JSON line a decision")
    asked.set_defaults(answer=answer)


def answer(options: Namespace) -> int:
    """Print the decisions; in words the figures of both players follow. Returns the exit status.

    :raises BadQuestion: if the question is not put well.
    """
    if bool(options.files) == (options.position is not None):
        raise BadQuestion("name either a match file or a position")
    if options.rollout is not None:
        _rollout(options)
    elif options.position is None:
        return _files(options)
    else:
        _position(options)
    return 0


def _files(options: Namespace) -> int:
    if options.dice is not None:
        raise BadQuestion("dice belong to a position")
    files = FilesNamed(options.files, jacoby=options.jacoby)
    for name, read in files:
        for number, match in enumerate(read.matches, start=1):
            title = title_of(files, name, read, number)
            if title and not options.json:
                print(title)
            _match(options, match, place_of(files, name, number))
    return files.status


def _match(options: Namespace, match: MatchRead, place: Line) -> None:
    record = match.record
    engine, depth = engine_for(record.variants), options.depth
    rows = []
    for row in match_judged(record, engine, depth):
        rows.append(row)
        line = decision_line(row, record.players, engine, depth, length=record.length)
        line["game"] = match.number_of(row.decision.place.game - 1)
        if options.json:
            print(json.dumps({**place, **line}, ensure_ascii=False))
        elif row.judgement.mark:
            print(_error_text(line))
    if not options.json:
        whole = MatchAnalysis(record, tuple(rows), f"{engine.name} {engine.version}", depth)
        print("\n".join(_figures_texts(whole)))
        print(f"{whole.engine}, {depth}")


def _position(options: Namespace) -> None:
    engine, depth = house_engine(), options.depth
    _check_offer(options)
    row = analyse(options.position, _dice(options), depth=depth, engine=engine)
    line = _lawful(position_line(row, engine, depth), row)
    if options.json:
        print(json.dumps(line))
        return
    for option in line["options"]:
        print(f"{option['equity']:+.3f}  {option['text'] or 'no move'}")
    if "verdict" in line:
        print(VERDICTS[line["verdict"]].format(REFUSALS.get(line["refusal"])))
    print(f"{engine.name} {engine.version}, {depth_text(line['ply'])}")


def _check_offer(options: Namespace) -> None:
    """Refuse a double in the position that was not possible."""
    decision = decision_about(options.position, _dice(options))
    refusal = refusal_of(decision.situation)
    if isinstance(decision, Answer) and refusal:
        raise BadQuestion(f"the double was not possible: {REFUSALS[refusal]}")


def _rollout(options: Namespace) -> None:
    blocks_most = options.rollout // BLOCK
    if options.position is None:
        raise BadQuestion("a rollout needs a position")
    if blocks_most < 1:
        raise BadQuestion(f"a rollout has at least {BLOCK} trials")
    xgid = xgid_of(options.position)
    if options.dice is not None:
        xgid = replace(xgid, dice=dice_of(options.dice))
    course = course_of(key_of(xgid), house_engine())
    blocks: list[list[float]] = []
    began = process_time()
    while not is_over(blocks, process_time() - began, blocks_most=blocks_most):
        blocks.append(course.block(len(blocks)))
    line = rollout_line(course, blocks)
    print(json.dumps(line) if options.json else "\n".join(rollout_texts(line)))


def _dice(options: Namespace) -> tuple[int, int] | None:
    return None if options.dice is None else dice_of(options.dice)


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


def _error_text(line: Mapping[str, Any]) -> str:
    dice = "-".join(map(str, line["dice"])) if line["dice"] else line["kind"]
    return (
        f"game {line['game']} decision {line['number']:3}  {line['player']}  {dice:6}"
        f" {line['played']}, best {line['best']}  {line['mark']:2} {line['loss']:.3f}"
    )


def _figures_texts(whole: MatchAnalysis) -> Iterator[str]:
    both = whole.figures
    for seat, player in enumerate(whole.record.players):
        line = figures_line(both[seat], player)
        pr, band = line["pr"], line["band"]
        parts = [
            f"PR {'–' if pr is None else pr}" + (f" ({band[0]}–{band[1]})" if band else ""),
            f"{line['errors']} errors in {line['counted']} of {line['decisions']} decisions",
        ]
        if line["class"] is not None:
            parts.append(line["class"].replace("_", " "))
        if line["luck"] is not None:
            parts.append(f"luck {line['luck']:+.2f}")
        if (adjusted := whole.without_luck(seat)) is not None:
            is_match = whole.record.kind is FormatKind.POINTS
            parts.append(
                f"without luck {adjusted:.0%}"
                if is_match
                else f"without luck {adjusted:+.2f} points"
            )
        yield f"{player}: " + ", ".join(parts)
