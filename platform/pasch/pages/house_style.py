"""The style sheets with the colours of the house: of its pages, and of its board.

An address contains the colours and so its whole content: any host can serve it, also one that has
not seen the change yet, and browsers keep it for ever.
"""

import re
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from house.board import COLOURS, HouseBoard, board_faults, board_style
from house.colours import pale, style

FOR_EVER: Final = "public, max-age=31536000, immutable"
_COLOUR: Final = re.compile("[0-9a-f]{6}")


@require_safe
def house_style(request: HttpRequest, light: str, dark: str) -> HttpResponse:
    """The style sheet of two accents; 404 for colours that no house can choose."""
    one, other = f"#{light}", f"#{dark}"
    if not (_COLOUR.fullmatch(light) and _COLOUR.fullmatch(dark)):
        raise Http404
    if pale(one, "light") or pale(other, "dark"):
        raise Http404
    return _sheet(style(one, other))


@require_safe
def house_board(request: HttpRequest, colours: str) -> HttpResponse:
    """The style sheet of a board; 404 for colours that no house can choose."""
    parts = colours.split("-")
    if len(parts) != len(COLOURS) or not all(map(_COLOUR.fullmatch, parts)):
        raise Http404
    board = HouseBoard(*(f"#{part}" for part in parts))
    if any(board_faults(board)):
        raise Http404
    return _sheet(board_style(board))


def _sheet(text: str) -> HttpResponse:
    response = HttpResponse(text, content_type="text/css; charset=utf-8")
    response["Cache-Control"] = FOR_EVER
    return response
