"""A match that outlives its house: its JSON with the proof of its dice, signed by the house.

The document is the match as JSON (format `pasch-match`) with two more fields: `dice`, the record of
its dice (BGD1), and `proof`, the house's key and its signature over all the rest.

As OGXM the same document stands in a section of the file, with the hash (`ogxm`) of what the format
itself holds; so the one signature is over both. The file has OGXM's own signature, too.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any, Final

from backgammon.dice.chain import tagged
from backgammon.dice.errors import BadRecord
from backgammon.dice.opening import canonical_json
from backgammon.dice.record import Record, records_of_json
from backgammon.dice.signature import signature_fits
from backgammon.dice.verify import DiceFailure, verify_match
from backgammon.formats.errors import FormatError
from backgammon.formats.ogxm import format_signed_ogxm
from backgammon.formats.ogxm_bytes import IS_OGXM, digest_of, sections_of
from backgammon.formats.ogxm_reader import document_in
from backgammon.formats.record import MatchRecord

FORMAT: Final = "pasch-match"

#: a play as it is compared: the seat, the dice in order, and the moves.
Play = tuple[object, list[int], list[list[int]]]


def signed_match(
    match: dict[str, Any],
    dice: dict[str, Any] | None,
    *,
    public_key: bytes,
    sign: Callable[[bytes], bytes],
) -> dict[str, Any]:
    """The document of a match and the record of its dice, None where it has no such dice."""
    document = {**match, "dice": dice}
    proof = {"public_key": public_key.hex(), "signature": sign(match_hash(document)).hex()}
    return {**document, "proof": proof}


def signed_ogxm(
    record: MatchRecord,
    dice: dict[str, Any] | None,
    *,
    public_key: bytes,
    sign: Callable[[bytes], bytes],
) -> bytes:
    """Return the OGXM file of a match with the record of its dice, signed.

    :raises UnsupportedRecord: for a game that the format does not know.
    """

    def complete(match: dict[str, Any]) -> dict[str, Any]:
        return signed_match(match, dice, public_key=public_key, sign=sign)

    return format_signed_ogxm(record, complete, public_key=public_key, sign=sign)


def match_hash(document: dict[str, Any]) -> bytes:
    """The hash that is signed, over everything in the document but its proof.

    :raises BadDiceTerms: for a value that canonical JSON of ours does not have.
    """
    return tagged(
        "BGD1.match", canonical_json({name: document[name] for name in document if name != "proof"})
    )


def verify_dice(text: str | bytes, *, public_key: bytes | None = None) -> list[DiceFailure]:
    """Every reason not to believe a file: a signed match, or the dice of a match or a game.

    It is JSON, or OGXM with the match and its proof.

    With `public_key` (32 bytes) everything must be signed by this key.

    :raises BadRecord: if the text is nothing of this kind.
    """
    return records_and_failures(text, public_key=public_key)[1]


def records_and_failures(
    text: str | bytes, *, public_key: bytes | None = None
) -> tuple[tuple[Record, ...], list[DiceFailure]]:
    """The records of dice in a text, and what `verify_dice` says of it.

    :raises BadRecord: if the text is nothing of this kind.
    """
    value, digest = _document(text)
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        records = records_of_json(value)
        return records, verify_match(records, public_key=public_key)
    failures = list(_signature(value, public_key))
    if digest is not None and value.get("ogxm") != digest.hex():
        failures.append(DiceFailure("match", "The file holds another match than the signed one."))
    if value.get("dice") is None:
        return (), failures
    records = records_of_json(value["dice"])
    failures += verify_match(records, public_key=public_key)
    return records, [*failures, *_other_plays(value, records)]


def _document(text: str | bytes) -> tuple[Any, bytes | None]:
    """Return the content of a file, and for OGXM the hash of the rest of it."""
    try:
        if not isinstance(text, bytes) or not text.startswith(IS_OGXM):
            return json.loads(text), None
        sections = sections_of(text)
        document = document_in(sections)
    except FormatError as error:
        raise BadRecord(error.reason) from error
    except (ValueError, RecursionError) as error:
        raise BadRecord(f"this is no JSON: {error}") from error
    if document is None:
        raise BadRecord("the match has no proof: a key and a signature")
    return document, digest_of(sections)


def _signature(document: dict[str, Any], public_key: bytes | None) -> Iterator[DiceFailure]:
    key, signature = _proof(document)
    if public_key is not None and key != public_key:
        yield DiceFailure("public_key", "The match does not name the house's key.")
    if not signature_fits(key, signature, match_hash(document)):
        text = "The house's signature does not fit the match: something in it was changed."
        yield DiceFailure("match", text)


def _proof(document: dict[str, Any]) -> tuple[bytes, bytes]:
    proof = document.get("proof")
    try:
        return bytes.fromhex(proof["public_key"]), bytes.fromhex(proof["signature"])  # type: ignore[index] # what is no such object is caught
    except (KeyError, TypeError, ValueError) as error:
        raise BadRecord("the match has no proof: a key and a signature") from error


def _other_plays(document: dict[str, Any], records: tuple[Record, ...]) -> Iterator[DiceFailure]:
    """The games of which the plays are not those of their dice."""
    games = document.get("games")
    if not isinstance(games, list):
        raise BadRecord("games of the match is a list")
    for number in range(1, max(len(games), len(records)) + 1):
        record = records[number - 1] if number <= len(records) else None
        if record is not None and record.plays is None:
            continue
        rolled = [
            (play.seat, sorted(play.dice), [list(move) for move in play.moves])
            for play in (record.plays or () if record is not None else ())
        ]
        played = list(_plays(games[number - 1])) if number <= len(games) else []
        if played != rolled:
            text = "The plays of the match are not those of the record of its dice."
            yield DiceFailure("plays", text, None, number)


def _plays(game: object) -> Iterator[Play]:
    actions = game.get("actions") if isinstance(game, dict) else None
    if not isinstance(actions, list) or not all(isinstance(action, dict) for action in actions):
        raise BadRecord("a game of the match has a list of actions")
    for action in actions:
        if action.get("type") == "turn" and action.get("moves") is not None:
            yield action.get("seat"), sorted(action.get("dice", [])), action["moves"]
