"""The style sheets with the colours of the house, and its logo.

An address contains the colours, or the digest of the logo: any host can serve it, also one that has
not seen the change yet, and browsers keep it for ever.
"""

import re
from datetime import timedelta
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from house.board import COLOURS, HouseBoard, board_faults, board_style
from house.colours import pale, style
from house.models import HouseChange
from house.parts import HousePart, contents_usable
from house.reader import House, house_now
from kit.png import Png

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


KEPT: Final = timedelta(minutes=10)
"""So long the logo before a change stays: other processes and open pages may still name it."""


@require_safe
def house_logo(request: HttpRequest, digest: str) -> HttpResponse:
    """The logo with this digest, if it is in force or was ten minutes ago; else 404."""
    logo = _logo(digest)
    if logo is None:
        raise Http404
    response = HttpResponse(logo.data, content_type="image/png")
    response["Cache-Control"] = FOR_EVER
    return response


def _logo(digest: str) -> Png | None:
    known = house_now().logo
    if known is not None and known.digest == digest:
        return known
    rows = list(HouseChange.objects.filter(part=HousePart.LOGO).order_by("-number")[:2])
    if rows and timezone.now() - rows[0].made_at > KEPT:
        rows = rows[:1]
    found = (House(0, dict(contents_usable({HousePart.LOGO: row.content}))).logo for row in rows)
    return next((logo for logo in found if logo is not None and logo.digest == digest), None)
