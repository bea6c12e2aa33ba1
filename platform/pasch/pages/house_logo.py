"""The logo of the house, at an address that contains the digest of its content."""

from datetime import timedelta
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from house.models import HouseChange
from house.parts import HousePart, contents_usable
from house.reader import House, house_now
from kit.png import Png
from pasch.pages.house_style import FOR_EVER

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
