"""The questions about files: matches, pictures, the positions of a match, records of dice."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from backgammon.board import read_position
from backgammon.command.asking import BadQuestion, dice_of, read_bytes
from backgammon.command.matches import ABOUT_FAULTS, FilesNamed, add_jacoby, place_of, title_of
from backgammon.counting.decisions import Answer, DecidedPlay, Decision, decisions
from backgammon.counting.match_post import match_post
from backgammon.counting.positions import xgid_of, xgid_of_situation
from backgammon.dice.signed_match import records_and_failures
from backgammon.formats import registry
from backgammon.formats.reading import MatchRead
from backgammon.formats.record import MatchRecord
from backgammon.pictures.svg import svg
from backgammon.rules.drawing import draw
from backgammon.rules.errors import NotationError
from backgammon.rules.ogid import format_ogid
from backgammon.rules.position_id import format_position_id
from backgammon.rules.post import post_text
from backgammon.rules.variants import KEYS, by_key
from backgammon.rules.xgid import Offer

Line = dict[str, Any]

_POST: Final = "post"
_KEYS: Final = (*(each.key for each in registry.WRITTEN), _POST)


def add_to(questions: _SubParsersAction[ArgumentParser]) -> None:
    """Add `convert`, `draw`, `match-ids` and `verify`."""
    convert = _add(questions, "convert", "match files in another format", _convert, ABOUT_FAULTS)
    convert.add_argument("files", nargs="+", metavar="FILE", help="- reads standard input")
    convert.add_argument("--to", choices=_KEYS, help="default: mat, for .mat sgf")
    add_jacoby(convert)
    convert.add_argument("--json", action="store_const", dest="to", const="json")
    picture = _add(questions, "draw", "a position as a picture", _draw)
    picture.add_argument("position", metavar="POSITION", help="a position, ID, XGID or start")
    picture.add_argument("--variant", choices=KEYS, default="backgammon", metavar="VARIANT")
    picture.add_argument("--svg", metavar="FILE", help="write an SVG; - writes to the output")
    picture.add_argument("--dice", metavar="3-1", help="the dice of the player on roll")
    picture.add_argument("--post", action="store_true", help="text for a post, from an XGID or ID")
    about = "the XGID and GNU's IDs of every decision"
    ids = _add(questions, "match-ids", about, _match_ids, ABOUT_FAULTS)
    ids.add_argument("files", nargs="+", metavar="FILE", help="- reads standard input")
    ids.add_argument("--json", action="store_true", help="one JSON line a decision")
    check = _add(questions, "verify", "check a record of dice (BGD1) or a signed match", _verify)
    check.add_argument("file", metavar="FILE", help="JSON or OGXM; - reads standard input")
    check.add_argument("--key", metavar="HEX", help="the public key that must have signed it")
    check.add_argument("--json", action="store_true", help="the failures as JSON")


def _add(
    questions: _SubParsersAction[ArgumentParser],
    name: str,
    about: str,
    answer: object,
    more: str | None = None,
) -> ArgumentParser:
    description = about[:1].upper() + about[1:] + "."
    parser = questions.add_parser(name, help=about, description=description, epilog=more)
    parser.set_defaults(answer=answer)
    return parser


def _convert(options: Namespace) -> int:
    files, is_mat = FilesNamed(options.files, jacoby=options.jacoby), False
    records: list[MatchRecord] = []
    for _name, read in files:
        is_mat = is_mat or (not records and read.key == "mat")
        records += [match.record for match in read.matches]
    if options.to == _POST:
        print("\n".join(map(match_post, records)), end="")
        return files.status
    target = registry.written_by_key(options.to or ("sgf" if is_mat else "mat"))
    if target is registry.OGXM:
        sys.stdout.buffer.write(b"".join(map(target.encode, records)))
        return files.status
    if len(records) > 1 and target.key == "json":
        raise BadQuestion(f"there are {len(records)} matches, a JSON file has one")
    print("\n".join(target.encode(record).decode() for record in records), end="")
    return files.status


def _draw(options: Namespace) -> None:
    if options.post:
        asked = xgid_of(options.position)
        if options.dice is not None:
            asked = replace(asked, dice=dice_of(options.dice))
        print(post_text(asked))
        return
    variant = by_key(options.variant)
    position = read_position(options.position, variant.key)
    variant.check(position)
    if options.svg is None:
        print(draw(position))
        return
    dice = () if options.dice is None else dice_of(options.dice)
    picture = svg(position, way=variant.way, dice=dice, cube=1 if variant.has_cube else None)
    if options.svg == "-":
        print(picture)
        return
    try:
        Path(options.svg).write_text(picture, encoding="utf-8")
    except OSError as error:
        raise BadQuestion(f"{options.svg}: {error.strerror}") from error


def _match_ids(options: Namespace) -> int:
    files = FilesNamed(options.files)
    for name, read in files:
        for number, match in enumerate(read.matches, start=1):
            title = title_of(files, name, read, number)
            if title and not options.json:
                print(title)
            for line in _id_lines(match):
                if options.json:
                    whole = {**place_of(files, name, number), **line}
                    print(json.dumps(whole, ensure_ascii=False))
                else:
                    print(_id_text(line))
    return files.status


def _id_text(line: Line) -> str:
    gnu = f"{line['position_id']}:{line['match_id']}" if line["xgid"] else "no ID"
    return f"{line['game']:3} {line['number']:3}  {gnu}  {line['xgid'] or ''}".rstrip()


def _id_lines(match: MatchRead) -> Iterator[Line]:
    """Each decision of a match with its IDs, which are None where they cannot say it."""
    for decision in decisions(match.record):
        place = decision.place
        ids = _ids(decision, match.record.length)
        game = match.number_of(place.game - 1)
        yield {"game": game, "number": place.number, "kind": decision.kind, **ids}


def _ids(decision: Decision, length: int) -> Line:
    dice = decision.dice if isinstance(decision, DecidedPlay) else None
    offer = Offer.DOUBLE if isinstance(decision, Answer) else None
    try:
        roll = None if dice is None else (dice[0], dice[1])
        xgid = xgid_of_situation(decision.situation, length, roll, offer)
        position, match = xgid.to_gnu()
        return {
            "xgid": xgid.text(),
            "ogid": format_ogid(xgid),
            "position_id": format_position_id(position),
            "match_id": match.text(),
        }
    except NotationError:
        return dict.fromkeys(("xgid", "ogid", "position_id", "match_id"))


def _verify(options: Namespace) -> int:
    try:
        key = None if options.key is None else bytes.fromhex(options.key)
    except ValueError as error:
        raise BadQuestion(f"--key {options.key:.80} is no hexadecimal number") from error
    records, failures = records_and_failures(read_bytes(options.file), public_key=key)
    if options.json:
        names = ("name", "sentence", "n", "game")
        print(json.dumps([{name: getattr(each, name) for name in names} for each in failures]))
    else:
        for failure in failures:
            place = "match" if failure.game is None else f"game {failure.game}"
            print(f"{place}: {failure.name}: {failure.sentence}")
        rolls = sum(len(record.rolls) for record in records)
        print(f"{len(records)} games, {rolls} rolls: {len(failures)} failures")
    return 1 if failures else 0
