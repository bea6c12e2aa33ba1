"""The pages and words of the games at the desk."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from games.desk.match_decisions import verdict_words
from games.desk.origins import origins_of
from games.forms.names import MODE_NAMES
from games.models import Match
from games.services.administration import ADJUDICATE, VOID
from games.table.verdict import Verdict
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
    players = (found.player_0, found.player_1)
    lines: Lines = []
    if proposal.kind == ADJUDICATE:
        one, two = content["score"]
        verdict = Verdict(
            winner=content["winner_seat"],
            score=(one, two),
            level=content["level"],
            cube=content["cube"],
        )
        lines.append((_("Result"), verdict_words(verdict, players)))
    lines.append((_("Stake per player"), credits_text(found.stake_cents)))
    for player, cents in zip(players, content["paid_cents"], strict=True):
        lines.append((_("%(name)s gets") % {"name": player.get_username()}, credits_text(cents)))
    return [*lines, (_("Rake"), credits_text(content["rake_cents"]))]


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
