"""The pages around the house: imprint, contact, terms, privacy, responsible play, minimum age.

Their texts are templates; the operator's facts come from the environment (`pasch/operator.py`).
"""

from dataclasses import dataclass
from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from accounts.deletions import DELETION_WAIT
from accounts.guests import LIFETIME
from accounts.login_marks import KEPT as MARKS_KEPT
from analysis.imports.removing import KEPT as BROUGHT_KEPT
from fairplay.refunds import CHECKS_KEPT, CONDUCT_KEPT
from games.services.chat_reports import KEPT_FOR
from pasch.house_identity import operator_now
from pasch.operator import FACTS, Operator

#: the pages by address, in the order of the footer
PAPERS: Final = {
    "imprint": _("Imprint"),
    "privacy": _("Privacy"),
    "terms": _("Terms"),
    "contact": _("Contact"),
    "responsible-play": _("Responsible play"),
    "minimum-age": _("Minimum age"),
}
#: the facts that the imprint lists
OF_THE_IMPRINT: Final = (
    "name",
    "representative",
    "address",
    "mail",
    "phone",
    "register",
    "vat_id",
    "licence",
)
DAY_SECONDS: Final = 24 * 60 * 60


@dataclass(frozen=True, slots=True)
class Row:
    """A fact on a page: its label and the lines of its value; no lines while it is empty."""

    label: Promise
    lines: list[str]
    is_mail: bool


@require_safe
def paper(request: HttpRequest, page: str) -> HttpResponse:
    """Show one of the pages; needs no login."""
    operator = operator_now()
    context = {
        "operator": operator,
        "rows": rows(operator),
        "fairplay_days": (CHECKS_KEPT.days, CONDUCT_KEPT.days, MARKS_KEPT.days),
        "session_days": settings.SESSION_COOKIE_AGE // DAY_SECONDS,
        "chat_days": KEPT_FOR.days,
        "file_days": BROUGHT_KEPT.days,
        "deletion_days": DELETION_WAIT.days,
        "guest_hours": int(LIFETIME.total_seconds()) // 3600,
    }
    return render(request, f"pasch/papers/{page}.html", context)


def rows(operator: Operator) -> list[Row]:
    """The rows of the imprint; a fact that does not apply has none."""
    facts = [fact for fact in FACTS if fact.field in OF_THE_IMPRINT]
    return [
        Row(fact.label, _lines(operator, fact.field), fact.field == "mail")
        for fact in facts
        if getattr(operator, fact.field) != ""
    ]


def _lines(operator: Operator, field: str) -> list[str]:
    if field == "address":
        return operator.address_lines
    value = getattr(operator, field)
    return [value] if value else []
