"""Boards as pictures for messengers: `/board.jpg`, whose address says what it shows."""

from collections.abc import Sequence
from typing import Final
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from backgammon.pictures.geometry import Side
from backgammon.pictures.preview import preview
from backgammon.rules.position import Position
from backgammon.rules.variants import by_key

#: the longest address of a board; those of real positions are much shorter.
LONGEST: Final = 400
DICE_MOST: Final = 4
_OWNERS: Final[dict[str, Side | None]] = {"": None, "me": "me", "op": "op"}


def board_address(
    position: Position | None = None,
    variant: str = "backgammon",
    dice: Sequence[int] = (),
    cube: int | None = None,
    cube_owner: Side | None = None,
) -> str:
    """Return the address of the picture of a board; without a position, of the start."""
    said = {
        "position": "" if position is None else position.text(),
        "variant": "" if variant == "backgammon" else variant,
        "dice": "".join(map(str, dice)),
        "cube": "" if cube is None else str(cube),
        "owner": cube_owner or "",
    }
    query = urlencode({name: value for name, value in said.items() if value})
    return reverse("board_picture") + (f"?{query}" if query else "")


@require_safe
def board_picture(request: HttpRequest) -> HttpResponse:
    """Return the picture of a board; 404 for what is no position."""
    try:
        drawn = _drawn(request)
    except ValueError as error:
        raise Http404 from error
    response = HttpResponse(drawn, content_type="image/jpeg")
    response["Cache-Control"] = "max-age=31536000, immutable"
    return response


def _drawn(request: HttpRequest) -> bytes:
    """Raise `ValueError` for what cannot be drawn."""
    if len(request.META.get("QUERY_STRING", "")) > LONGEST:
        raise ValueError("the address is too long")
    asked = {name: request.GET.get(name, "") for name in ("position", "dice", "cube", "owner")}
    variant = by_key(request.GET.get("variant", "backgammon"))
    position = variant.start
    if asked["position"]:
        position = Position.parse(asked["position"])
        variant.check(position)
    dice = [int(face) for face in asked["dice"][: DICE_MOST + 1]]
    if len(dice) > DICE_MOST or asked["owner"] not in _OWNERS:
        raise ValueError("there is no such roll or owner")
    return preview(
        position,
        way=variant.way,
        dice=dice,
        cube=int(asked["cube"]) if asked["cube"] else None,
        cube_owner=_OWNERS[asked["owner"]],
    )
