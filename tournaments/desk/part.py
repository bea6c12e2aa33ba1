"""The pages and words of tournaments and clubs at the desk."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from games.forms.names import OUTCOME_NAMES
from games.models import WordsReport
from ledger.desk.registry import (
    DeskPart,
    Group,
    Lines,
    MenuPage,
    Pile,
    ProposalWords,
    subject,
    values_named,
)
from ledger.models import Proposal
from ledger.templatetags.credits import credits_text
from tournaments.desk.reports import READ
from tournaments.models import Tournament
from tournaments.services.adding import KIND as ADDITION
from tournaments.services.adding import tournament_of
from tournaments.services.words import name_of


def _addition_lines(proposal: Proposal) -> Lines:
    found = Tournament.objects.get(pk=tournament_of(proposal))
    return [
        (_("Tournament"), name_of(found)),
        (_("Entry fee"), credits_text(found.fee_cents)),
        (_("Added by the house"), credits_text(proposal.content["added_cents"])),
    ]


PART: Final = DeskPart(
    urls="tournaments.desk.urls",
    menu=(
        MenuPage(Group.MATCHES, 3, "tournaments", _("Tournaments"), "ledger.adjust_credits"),
        MenuPage(Group.CONDUCT, 1, "reports", _("Reports"), READ),
    ),
    piles=(
        Pile(
            4,
            READ,
            _("Reports open"),
            "desk:reports",
            "made_at",
            lambda _reader: WordsReport.objects.filter(outcome=""),
        ),
    ),
    verbs={
        "report.close": _("decided a report"),
        "tournament.add": _("added credits to a tournament"),
        "tournament.words": _("decided about the name of a tournament"),
        "tournament.restore": _("gave a tournament its name back"),
        "club.words": _("decided about the name or description of a club"),
        "club.restore": _("gave a club its name or description back"),
    },
    fields={
        "about": _("Description"),
        "outcome": _("Outcome"),
        "silent_until": _("Silent until"),
    },
    values=values_named("outcome", OUTCOME_NAMES),
    subjects={
        "report": subject(_("Report %(number)s"), "desk:report"),
        "club": subject(_("Club %(id)s"), "desk:club", by_uuid=True),
    },
    proposals={ADDITION: ProposalWords(_("Add credits to a tournament"), _addition_lines)},
)
