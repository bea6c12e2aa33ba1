"""The chouette as a kind of table: what the site has to know about it."""

from collections.abc import Iterator
from typing import Final

from django.utils.translation import gettext_lazy

from games.chouette.audit import CHECKS
from games.chouette.frames import ChouetteFrame, ChouetteServerFrame
from games.chouette.models import Circle, Game, Place, Share
from games.chouette.selectors import circles_of, people_seated, place_of
from games.chouette.services.gains import CHOUETTE_GAINS
from games.chouette.services.playing import (
    GONE_SECONDS,
    GameCase,
    chouette_move_on,
    chouettes_due,
    people_stand_up,
)
from games.chouette.services.talk import CircleRoom
from games.kinds import Credits, RunningFigure, TableKind
from kit.personal_data import PersonalData, part_of

EXPORTED: Final = (
    part_of(
        "chouettes_opened",
        Circle,
        by=("founder",),
        columns="id rate_cents limit_cents created_at closed_at",
        order="created_at",
    ),
    part_of("chouette_places", Place, by=("user",), columns="circle_id sat_at stood_up_at"),
    part_of(
        "chouette_games",
        Share,
        by=("user",),
        columns="game_id game__circle_id game__number game__started_at stake_cents paid_cents"
        " box_points",
    ),
)

_EVERY_PLAYER: Final = "part `chouette_games` has every player of a game"
_RESULT: Final = "a result stays for the others; the account has no name any more"

_ESCROWS: Final = """
    SELECT 'chouettes', true, a.balance_cents,
        (SELECT coalesce(sum(s.stake_cents), 0) FROM chouette_share s WHERE s.game_id = g.id)
    FROM chouette_game g LEFT JOIN ledger_account a ON a.key = 'escrow:chouette:' || g.id
    WHERE g.ended_at IS NULL
"""


def _figures() -> Iterator[RunningFigure]:
    running = Game.objects.filter(ended_at=None).count()
    yield RunningFigure(
        "pasch_chouettes_running", "Games of chouettes being played.", "", {"": running}
    )


KIND: Final = TableKind(
    key="chouette",
    subject=gettext_lazy("Game %(id)s of a chouette"),
    subject_page="desk:chouette",
    room_page="chouette:table",
    checks=CHECKS,
    holds=lambda user_id: place_of(user_id) is not None,
    holds_words=gettext_lazy("You sit at a chouette. Leave it first."),
    holds_page="chouette:list",
    holds_at_desk=gettext_lazy("sits at a chouette"),
    personal_data=PersonalData(
        parts=EXPORTED,
        left_out={
            "chouette.Game.box": _EVERY_PLAYER,
            "chouette.Game.captain": _EVERY_PLAYER,
        },
        kept={
            "chouette.Circle.founder": "says who opened it; the account has no name any more",
            "chouette.Place.user": _RESULT,
            "chouette.Game.box": _RESULT,
            "chouette.Game.captain": _RESULT,
            "chouette.Share.user": _RESULT,
        },
    ),
    figures=_figures,
    credits=Credits(escrow_name="chouettes", escrows=_ESCROWS, gains=CHOUETTE_GAINS),
    void=GameCase,
    still_open=lambda: Circle.objects.filter(closed_at=None),
    due=chouettes_due,
    move_on=chouette_move_on,
    waiting=people_seated,
    gone_seconds=GONE_SECONDS,
    leave=people_stand_up,
    rooms_sat_in=lambda user_id: [CircleRoom(circle).key for circle in circles_of(user_id)],
    frames=(ChouetteFrame, ChouetteServerFrame),
)
