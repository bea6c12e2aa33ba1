"""A match with its report, for one reader: one that was played here, or one from elsewhere."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any, Final

from django.urls import reverse
from django.utils.translation import gettext as _

from analysis.access import is_kept_back
from analysis.models import ImportedMatch, Transcript
from analysis.pages.source_words import source_words
from analysis.subjects import Subject, has_cube, record_of
from backgammon.formats.record import MatchRecord
from backgammon.formats.registry import OGXM, BinaryFormat, FileFormat, formats_for
from games.forms.names import GAME_NAMES
from games.models import Match
from games.pages.words import points_words, terms_words
from games.selectors import match_terms
from games.services.archive import file_name, match_record

#: the match as text for a post in a forum, among the keys of its files.
POST: Final = "post"


@dataclass(frozen=True, slots=True)
class ReportedMatch:
    """A match with what its report says about it, for one reader.

    `seat` is the reader's, None for others. `terms` are those of a match of the house, `facts`
    words about one from elsewhere, and `day` when that was played, if its file says so.
    `jacoby_assumed` is the rule by which it is judged if its file does not say, else None. Of
    `replay_url`, `plain_url` (the file without comments), `ask_url` and `jacoby_url` one
    that is "" does not exist.
    """

    subject: Subject
    names: tuple[str, str]
    seat: int | None
    variant: str
    score: tuple[int, int]
    winner_seat: int | None
    ended_at: datetime | None
    day: date | None
    terms: dict[str, Any] | None
    facts: tuple[str, ...]
    jacoby_assumed: bool | None
    kept_back: bool
    replay_url: str
    plain_url: str
    ask_url: str
    jacoby_url: str
    file_url: Callable[[str], str]
    record: Callable[[], MatchRecord]
    file_name: Callable[[FileFormat | BinaryFormat], str]

    @property
    def is_imported(self) -> bool:
        """Whether it comes from elsewhere."""
        return isinstance(self.subject, Transcript)

    @property
    def has_ended(self) -> bool:
        """Whether the match is over, or goes no further in its file."""
        return self.ended_at is not None

    @property
    def has_cube(self) -> bool:
        """Whether the match is played with a cube."""
        return has_cube(self.subject)

    @property
    def mat_url(self) -> str:
        """Where the match with comments is, as .mat."""
        return self.file_url("mat")

    @property
    def sgf_url(self) -> str:
        """Where the match with comments is, as SGF."""
        return self.file_url("sgf")

    @property
    def ogxm_url(self) -> str:
        """Where the match with comments is, as OGXM; "" for a game that OGXM does not know."""
        return self.file_url(OGXM.key) if OGXM in formats_for([self.variant]) else ""

    @property
    def post_url(self) -> str:
        """Where the match is as text for a post, with its errors."""
        return self.file_url(POST)

    def result(self, seat: int, *, points: bool) -> float | None:
        """The result of a seat: 1, 0 or a half, or the points between both."""
        if points:
            return float(self.score[seat] - self.score[1 - seat])
        if self.winner_seat is None:
            return None if self.is_imported else 0.5
        return 1.0 if self.winner_seat == seat else 0.0


def played(match: Match, reader_id: int | None) -> ReportedMatch:
    """A match of the house."""
    seat = match.players.index(reader_id) if reader_id in match.players else None
    pk = match.pk
    return ReportedMatch(
        subject=match,
        names=(match.player_0.get_username(), match.player_1.get_username()),
        seat=seat,
        variant=match.variant,
        score=match.score_shown,
        winner_seat=match.winner_seat,
        ended_at=match.ended_at,
        day=None,
        terms=dict(terms_words(match_terms(match))),
        facts=(),
        jacoby_assumed=None,
        kept_back=is_kept_back(match),
        replay_url=reverse("match", args=[pk]),
        plain_url=reverse("match_download", args=[pk, "mat"]),
        ask_url=reverse("match_report_ask", args=[pk]),
        jacoby_url="",
        file_url=lambda key: reverse("match_report_file", args=[pk, key]),
        record=lambda: match_record(match),
        file_name=lambda chosen: file_name(match, chosen),
    )


def brought(match: ImportedMatch, *, shared: bool = False) -> ReportedMatch:
    """A match from elsewhere, for who brought it or, if `shared`, for whoever has the link."""
    kept = match.transcript
    name = "shared_report_file" if shared else "imported_report_file"
    key = match.share_key if shared else match.pk
    return ReportedMatch(
        subject=kept,
        names=match.names,
        seat=None if shared else match.seat,
        variant=kept.variant,
        score=(kept.score_0, kept.score_1),
        winner_seat=kept.winner_seat,
        ended_at=match.ended_at,
        day=match.played_on,
        terms=None,
        facts=_facts(match),
        jacoby_assumed=kept.jacoby if match.jacoby_assumed else None,
        kept_back=False,
        replay_url="",
        plain_url="",
        ask_url="",
        jacoby_url="" if shared else reverse("imported_jacoby", args=[match.pk]),
        file_url=lambda wanted: reverse(name, args=[key, wanted]),
        record=lambda: replace(
            record_of(kept), players=match.names, jacoby_assumed=match.jacoby_assumed
        ),
        file_name=lambda chosen: (
            f"{match.played_on or match.added_at.date()}-{str(key)[:8]}.{chosen.key}"
        ),
    )


def _facts(match: ImportedMatch) -> tuple[str, ...]:
    """Length, variant, source and event in words."""
    length, variant = match.transcript.length, match.transcript.variant
    facts = (
        points_words(length) if length else _("unlimited"),
        str(GAME_NAMES.get(variant, variant)),
        source_words(match.source),
        match.event,
        _("read in part") if match.in_part else "",
    )
    return tuple(fact for fact in facts if fact)
