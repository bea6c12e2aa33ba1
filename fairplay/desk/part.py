"""The pages and words of fair play at the desk."""

from datetime import datetime
from typing import Final

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from fairplay.cases import holds_of_case
from fairplay.desk.queue import cases_of_others, cases_waiting
from fairplay.holding import KIND as PROLONG
from fairplay.holding import case_of
from fairplay.models import Case
from ledger.desk.registry import (
    DeskPart,
    Group,
    Lines,
    MenuPage,
    Pile,
    ProposalWords,
    subject,
)
from ledger.models import Proposal
from ledger.templatetags.credits import credits_text


def _hold_lines(proposal: Proposal) -> Lines:
    case = Case.objects.get(pk=case_of(proposal))
    held_cents = sum(hold.amount_cents for hold in holds_of_case(case))
    until = timezone.localtime(datetime.fromisoformat(proposal.before["until"]))
    return [
        (_("Case"), f"{case.pk}: {case.get_kind_display()}"),
        (_("Held credits"), credits_text(held_cents)),
        (_("Held until"), date_format(until, "SHORT_DATETIME_FORMAT")),
        (_("Additional hours"), str(proposal.content["hours"])),
    ]


PART: Final = DeskPart(
    urls="fairplay.desk.urls",
    menu=(MenuPage(Group.CONDUCT, 2, "cases", _("Fair play"), "fairplay.view_case"),),
    piles=(
        Pile(
            1,
            "fairplay.view_case",
            _("Cases waiting"),
            "desk:cases",
            "opened_at",
            lambda reader: cases_waiting(cases_of_others(reader)),
        ),
    ),
    verbs={
        "case.open": _("opened a case"),
        "case.opinion": _("gave an opinion in a case"),
        "case.set_aside": _("replaced an opinion that did not count any more"),
        "case.hear": _("decided on an appeal"),
        "case.refund": _("gave back what a case had cost"),
        "links.confirm": _("confirmed two people"),
        "links.end": _("took back that these are two people"),
        "hold.prolong": _("held the winnings of a case longer"),
    },
    subjects={
        "case": subject("case:%(number)s", "desk:case"),
    },
    proposals={PROLONG: ProposalWords(_("Hold the winnings of a case longer"), _hold_lines)},
)
