"""JSON that programs send, read strictly: what is odd in it is named, and never an error of ours.

RFC 8259 leaves open what happens to names that stand twice, to numbers without bounds, to half
characters and to brackets without end. Here all of them are refused, whatever the operation.
"""

import json
from collections.abc import Mapping
from typing import IO, Any, Final

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

BYTES_MAX: Final = 65_536
DEPTH_MAX: Final = 20
DIGITS_MAX: Final = 30


class StrictJSON(JSONParser):
    """A body of JSON in UTF-8, of 64 KiB and twenty brackets at most."""

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """The value of a request body. Raises `ParseError`, which names the fault."""
        body = stream.read(BYTES_MAX + 1)
        if len(body) > BYTES_MAX:
            raise ParseError(f"The body has more than {BYTES_MAX} bytes.")
        try:
            return read_json(body.decode())
        except ValueError as error:
            raise ParseError(f"This is not the JSON of a request: {error}") from error


def read_json(text: str) -> Any:
    """The value of a JSON text. Raises `ValueError`, which names the fault and its place."""
    try:
        value = json.loads(
            text,
            object_pairs_hook=_object,
            parse_constant=_no_constant,
            parse_float=_float,
            parse_int=_int,
        )
    except RecursionError as error:
        raise ValueError(f"brackets are more than {DEPTH_MAX} deep") from error
    _check(value)
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the name {twice[:40]!a} stands twice in one object")
    return found


def _no_constant(word: str) -> Any:
    raise ValueError(f"{word} is no JSON")


def _float(text: str) -> float:
    number = float(text)
    if abs(number) == float("inf"):
        raise ValueError(f"the number {text[:40]} is too large")
    return number


def _int(text: str) -> int:
    if len(text) > DIGITS_MAX:
        raise ValueError(f"a number has more than {DIGITS_MAX} digits")
    return int(text)


def _check(value: Any) -> None:
    """Look at every text and every depth, without recursion. Raises `ValueError`."""
    level = [("$", value)]
    for _ in range(DEPTH_MAX + 1):
        if not level:
            return
        following = []
        for place, each in level:
            if isinstance(each, str):
                _check_text(each, place)
            elif isinstance(each, dict):
                for name in each:
                    _check_text(name, place)
                following += [(f"{place}.{name[:40]}", part) for name, part in each.items()]
            elif isinstance(each, list):
                following += [(f"{place}[{n}]", part) for n, part in enumerate(each)]
        level = following
    raise ValueError(f"brackets are more than {DEPTH_MAX} deep")


def _check_text(text: str, place: str) -> None:
    """Refuse lone surrogates. Fields decide what else a text may contain."""
    if any("\ud800" <= sign <= "\udfff" for sign in text):
        raise ValueError(f"a text at {place} holds half of a character (a lone surrogate)")
