"""Mails about a case to those under suspicion, in each person's language."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Final

from django.urls import reverse
from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.mails import full_address, mail_enqueue
from accounts.models import User
from fairplay.models import Case, PartyRole
from fairplay.procedure import APPEAL, HEARING, HOLD
from house.reader import house_now

NEWS: Final[Mapping[str, str | Promise]] = {
    "opened": gettext_lazy(
        "A check of your matches found something that people have to look at. Nothing is decided."
        " Winnings that it concerns may be held for {hours} hours. You can read what was found, and"
        " write a statement."
    ),
    "prolonged": gettext_lazy(
        "Two people decided to hold the winnings that your case concerns for {hours} hours more,"
        " because the case is still under review. You can read their reason."
    ),
    "decided": gettext_lazy(
        "Two reviewers have decided your case. You can read their reasons, and appeal within"
        " {appeal} days. A third person decides on the appeal."
    ),
    "appealed": gettext_lazy(
        "Your appeal has arrived. A third person decides on it within {hearing} days."
    ),
    "confirmed": gettext_lazy("The decision of your case is final."),
    "cleared": gettext_lazy(
        "Your case is closed. Nothing was found against you, and nothing is held any longer."
    ),
    "lapsed": gettext_lazy(
        "Your case is closed. Nobody decided it in time, so it counts as if nothing was found, and"
        " nothing is held any longer."
    ),
}
"""The news of a mail, by the step of the case."""


def case_mail(case: Case, step: str) -> None:
    """Put a mail about this step into the outbox for everybody under suspicion with an address."""
    accused = User.objects.filter(
        fairplay_parties__case=case, fairplay_parties__role=PartyRole.ACCUSED, is_active=True
    )
    for person in accused.exclude(email=""):
        with translation.override(house_now().language(person.language)):
            mail_enqueue(
                to=person.email,
                subject=_("Fair play: case %(number)s") % {"number": case.pk},
                body=_body(case, person, step),
                about=case.reference,
            )


def _body(case: Case, person: User, step: str) -> str:
    greeting = _("Hello %(name)s,") % {"name": person.get_username()}
    place = full_address(reverse("fairplay_case", args=[case.pk]))
    where = _("Log in and open the page of the case: %(place)s") % {"place": place}
    news = str(NEWS[step]).format(
        hours=HOLD // timedelta(hours=1), appeal=APPEAL.days, hearing=HEARING.days
    )
    return f"{greeting}\n\n{news}\n\n{where}\n"
