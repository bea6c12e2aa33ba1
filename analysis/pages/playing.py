"""Playing on from a position of the analysis board, in practice."""

from typing import Final

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from accounts.models import User
from analysis.pages.board import board_page
from analysis.pages.problems import problem_shown
from backgammon.counting.pasted import LONGEST, read_position
from backgammon.counting.positions import key_of
from backgammon.rules.errors import RulesError
from backgammon.rules.xgid import Xgid
from games.forms.practice import opponent_choices
from games.models import Table
from games.pages.practice import practice_begun
from games.services.practice import practice_from
from games.table.errors import BadSetup

#: what is wrong with a position, by the field of `games.table.errors.BadSetup`.
_WRONG: Final = {
    "position": gettext_lazy("No game can go on from this position."),
    "score": gettext_lazy("Nobody plays on at this score."),
    "crawford": gettext_lazy("At this score it can’t be the Crawford game."),
    "cube_value": gettext_lazy("The cube cannot show this here."),
    "cube_owner": gettext_lazy("A cube above 1 belongs to a player in a match."),
    "length": gettext_lazy("The match is too long."),
}

#: which side of the position the opener plays: that on roll, or light or dark.
_SIDES: Final = {"light": 0, "dark": 1}


@require_POST
@never_cache
def play_on(request: HttpRequest) -> HttpResponse:
    """Begin a practice game from the position `xgid`; a bad one is named on the board's page."""
    text = request.POST.get("xgid", "")[:LONGEST]
    strength, wish = request.POST.get("strength", ""), request.POST.get("side", "")
    try:
        xgid = read_position(text).xgid
        key_of(xgid)  # the board and its form name the same faults
    except RulesError as error:
        return _refused(request, text, problem_shown(error, text)["message"])
    if strength not in dict(opponent_choices()) or wish not in ("on_roll", *_SIDES):
        return _refused(request, text, _("Choose an opponent and a side."))
    side = _SIDES.get(wish, xgid.turn)
    try:
        return practice_begun(request, lambda user: _begun(user, xgid, side, strength))
    except BadSetup as error:
        field = str(error.fields["field"])
        return _refused(request, text, _WRONG.get(field, _WRONG["position"]))


def _begun(user: User, xgid: Xgid, side: int, strength: str) -> Table:
    return practice_from(user=user, xgid=xgid, side=side, strength=strength)


def _refused(request: HttpRequest, text: str, message: object) -> HttpResponse:
    return board_page(request, text, refused=str(message), status=400)
