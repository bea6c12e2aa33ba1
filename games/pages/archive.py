"""The archive: one match with its replay and its moves, and files of one's own matches."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final
from uuid import UUID

import msgspec
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_safe

from backgammon.formats.errors import FormatError, UnsupportedRecord
from backgammon.formats.registry import (
    OGXM,
    BinaryFormat,
    FileFormat,
    formats_for,
    written_by_key,
)
from backgammon.rules.position import Position
from games.forms.filters import ArchiveForm
from games.forms.names import ENDING_NAMES
from games.models import Match
from games.modes.terms import Terms
from games.pages.words import terms_line, terms_words
from games.selectors import match_terms, may_see
from games.services.archive import (
    ARCHIVE,
    VOIDED,
    file_name,
    halves_of,
    is_analysed,
    is_session,
    match_file,
    match_settled,
    match_steps,
    matches_zip,
    signed_file,
)
from games.table.replay import Step, setting
from kit.requests import SignedInRequest


@dataclass(frozen=True, slots=True)
class Cell:
    """An action of a seat; `step` is the number of the step that shows it on the board."""

    step: int
    roll: str
    text: str


@dataclass(slots=True)
class GameTold:
    """A game: its rows of two cells, and how it ended (None: it did not).

    `rolled` are the rows of the roll-off, which no match file numbers.
    """

    number: int
    crawford: bool
    score: list[int]
    step: int
    rolled: list[list[Cell | None]] = field(default_factory=list)
    rows: list[list[Cell | None]] = field(default_factory=list)
    ended: Step | None = None
    ending: str = ""

    def write(self, seat: int, cell: Cell) -> None:
        """Put a cell into the seat's column, in a new row if it does not follow in the last one."""
        last = self.rows[-1] if self.rows else None
        if last is None or last[seat] is not None or (seat == 0 and last[1] is not None):
            last = [None, None]
            self.rows.append(last)
        last[seat] = cell


def games_told(steps: Iterable[Step]) -> list[GameTold]:
    """The games of a match."""
    games: list[GameTold] = []
    for number, step in enumerate(steps):
        if step["type"] == "game_started":
            score = step["view"]["score"]
            games.append(GameTold(step["game"], step["crawford"], score, number))
        elif step["type"] == "rolled_off":
            games[-1].rolled.append([Cell(number, str(die), "") for die in step["dice"]])
        elif step["type"] == "game_ended":
            games[-1].ended = step
            games[-1].ending = str(ENDING_NAMES.get(step["ending"], step["ending"]))
        elif step["type"] != "dice_rolled":
            games[-1].write(step["seat"], _cell(number, step))
    return games


def _cell(number: int, step: Step) -> Cell:
    kind = step["type"]
    if kind == "play_made":
        roll = "".join(map(str, step["dice"]))
        return Cell(number, roll, step["text"] or _("no legal move"))
    spoken = {
        "double_offered": _("doubles to {value}"),
        "beavered": _("beavers to {value}"),
        "raccooned": _("raccoon: {value}"),
        "double_taken": _("takes"),
        "double_dropped": _("drops"),
        "resignation_offered": _("offers to resign"),
        "resignation_accepted": _("accepts the resignation"),
        "resignation_refused": _("refuses the resignation"),
    }
    return Cell(number, "", spoken[kind].replace("{value}", str(step.get("value", ""))))


#: a zip holds this many matches at most, from the first one of the page on.
FILES_MAX: Final = 250


def ending_words(ending: str) -> str:
    """How a match or a game ended, in words."""
    return str(ENDING_NAMES.get(ending, ending))


@login_required
@require_GET
def archive_files(request: SignedInRequest, file_format: str) -> HttpResponse:
    """One's own matches that fit the filters, as a zip of files in one format.

    Those are the newest, or those from a place in the list on (`first`).
    """
    chosen = _format_or_404(file_format)
    halves = halves_of(request.user.pk, **ArchiveForm(request.GET).wanted())
    part = ARCHIVE.beginning(request.GET.get("first", ""), FILES_MAX, *halves)
    response = HttpResponse(matches_zip(part, chosen), content_type="application/zip")
    response["Content-Disposition"] = f'attachment; filename="matches-{chosen.key}.zip"'
    return response


# --- one match ------------------------------------------------------------------------------------


@require_safe
def match(request: HttpRequest, match_id: UUID) -> HttpResponse:
    """Show a match to people who may see it: result, games, and every move on the board."""
    found = match_or_404(match_id)
    if not may_see(found, request.user):
        return render(request, "games/table_unwatched.html", status=403)
    terms = match_terms(found)
    told = match_steps(found)
    players = (found.player_0, found.player_1)
    context = {
        "match": found,
        "players": players,
        "winner": None if found.winner_seat is None else players[found.winner_seat],
        "terms": terms_words(terms),
        "line": terms_line(terms),
        "variant": terms.variant,
        "last": _last_position(terms, told),
        "ending": ending_words(found.ending),
        "void": found.ending in VOIDED,
        "analysed": is_analysed(found, players),
        "may_report": found.ended_at is not None
        and request.user.pk in found.players
        and not any(player.is_bot or player.is_guest for player in players),
        "by_point": is_session(found),
        "changes": _changes(found),
        "games": games_told(told),
        "formats": formats_for([terms.game_key]),
        "replay": {
            "steps": told,
            "near": 1 if request.user.pk == found.player_1_id else 0,
            "names": [player.get_username() for player in players],
            "contest": terms.contest,
            "target_points": terms.target_points,
            **setting(terms),
        },
    }
    return render(request, "games/match.html", context)


def _last_position(terms: Terms, steps: list[Step]) -> Position | None:
    """Where the checkers lay at the end, as seat 0 sees it; None in a series of several games."""
    if not steps or terms.series:
        return None
    return msgspec.convert(steps[-1]["view"]["board"], Position)


def _changes(match: Match) -> list[dict[str, Any]]:
    """The credits the settlement moved, by seat; empty for a match that was not settled."""
    settled = match_settled(match)
    if settled is None:
        return []
    elos = zip(settled.elo_before, settled.elo_after, strict=True)
    return [
        {
            "player": player,
            "paid_cents": paid_cents,
            "won_cents": paid_cents - match.stake_cents,
            "elo": None if player.is_guest else Decimal(after),
            "elo_change": Decimal(after) - Decimal(before),
        }
        for player, paid_cents, (before, after) in zip(
            (match.player_0, match.player_1), settled.paid_cents, elos, strict=True
        )
    ]


@require_GET
def match_download(request: HttpRequest, match_id: UUID, file_format: str) -> HttpResponse:
    """Send a match as a file in one of the formats, to people who may see the match.

    As JSON and OGXM one that has ended carries the proof of its dice and the house's signature.
    """
    found, chosen = match_seen(request, match_id), _format_or_404(file_format)
    is_signed = chosen.key in ("json", OGXM.key) and found.ended_at is not None
    try:
        written = signed_file(found, chosen) if is_signed else match_file(found, chosen)
    except UnsupportedRecord as error:
        raise Http404 from error
    response = HttpResponse(written, content_type=chosen.media_type)
    name = file_name(found, chosen)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def match_seen(request: HttpRequest, match_id: UUID) -> Match:
    """The match, if this reader may see it. Raises `Http404`, `PermissionDenied`."""
    found = match_or_404(match_id)
    if not may_see(found, request.user):
        raise PermissionDenied
    return found


def match_or_404(match_id: UUID) -> Match:
    """The match with its table and players, for any reader. Raises `Http404`."""
    return get_object_or_404(
        Match.objects.select_related("table", "player_0", "player_1"), pk=match_id
    )


def _format_or_404(key: str) -> FileFormat | BinaryFormat:
    try:
        return written_by_key(key)
    except FormatError as error:
        raise Http404 from error
