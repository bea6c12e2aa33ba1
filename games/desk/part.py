"""The pages and words of the games at the desk."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from games.desk.deciding import paid_lines, verdict_words
from games.desk.origins import origins_of
from games.forms.names import MODE_NAMES
from games.models import Match
from games.services.match_decisions import ADJUDICATE, VOID, verdict_in
from ledger.desk.registry import DeskPart, Group, Lines, MenuPage, ProposalWords, values_named
from ledger.models import Proposal
from ledger.templatetags.credits import credits_text

ENDINGS: Final = {
    "": _("running"),
    "borne_off": _("borne off"),
    "double_dropped": _("double dropped"),
    "resigned": _("resigned"),
    "left": _("table left"),
    "time_over": _("time over"),
    "absent": _("absent"),
    "stood_up": _("left the seat before the first roll"),
    "voided": _("voided"),
    "adjudicated": _("adjudicated"),
    "stopped": _("stopped between two games"),
    "lapsed": _("not ready in time"),
    "bank_short": _("bank too small for another game"),
}
"""How a match ended, in words."""


def _match_lines(proposal: Proposal) -> Lines:
    matches, content = Match.objects.select_related("player_0", "player_1"), proposal.content
    found = matches.get(pk=proposal.subject.removeprefix("match:"))
    lines: Lines = []
    if proposal.kind == ADJUDICATE:
        words = verdict_words(verdict_in(content), (found.player_0, found.player_1))
        lines.append((_("Result"), words))
    lines.append((_("Stake per player"), credits_text(found.stake_cents)))
    return [*lines, *paid_lines(proposal), (_("Rake"), credits_text(content["rake_cents"]))]


PART: Final = DeskPart(
    urls="games.desk.urls",
    menu=(
        MenuPage(Group.CREDITS, 5, "stops", _("Stops"), "ledger.stop_stakes"),
        MenuPage(Group.MATCHES, 1, "matches", _("Matches"), "games.view_match"),
    ),
    verbs={
        "match.void": _("voided a match"),
        "match.adjudicate": _("adjudicated a match"),
    },
    fields={
        "ending": _("Ending"),
        "winner_seat": _("Winner's seat"),
        "score": _("Score"),
        "game": _("Game"),
        "level": _("Level"),
        "cube": _("Doubling cube"),
        "paid_cents": _("Paid"),
        "rake_cents": _("Rake"),
        "stake_cents": _("Stake per player"),
    },
    values=values_named("ending", ENDINGS),
    subjects={"mode": lambda name: (MODE_NAMES.get(name, name), "")},  # a stop outlives its mode
    proposals={
        VOID: ProposalWords(_("Void a match"), _match_lines),
        ADJUDICATE: ProposalWords(_("Adjudicate a match"), _match_lines),
    },
    origins=origins_of,
)
