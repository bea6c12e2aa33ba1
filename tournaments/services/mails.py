"""Mails about clubs and about the names of tournaments, in each person's language."""

from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from accounts.mails import full_address, mail_enqueue
from accounts.models import User
from house.reader import house_now
from tournaments.models import Club, ClubStanding, Tournament
from tournaments.services.naming import neutral_name


def directors_mail(club: Club, *, name: str, about: str) -> None:
    """Put a mail into the outbox for every director with an address: what was taken away."""
    directs = User.objects.filter(
        club_memberships__club=club,
        club_memberships__standing=ClubStanding.DIRECTOR,
        is_active=True,
    )
    for person in directs.exclude(email=""):
        with translation.override(house_now().language(person.language)):
            mail_enqueue(
                to=person.email,
                subject=_("Your club %(name)s") % {"name": club.name},
                body=_body(club, person, name, about),
                about=f"club:{club.pk}",
            )


def _body(club: Club, person: User, name: str, about: str) -> str:
    lines = [_("Hello %(name)s,") % {"name": person.get_username()}]
    if name:
        lines.append(
            _("The moderators took away the name of your club. It is called %(name)s for now.")
            % {"name": club.name}
        )
    if about:
        lines.append(_("The moderators took away the description of your club."))
    place = full_address(reverse("club_edit", args=[club.pk]))
    lines.append(_("Log in to write something else: %(place)s") % {"place": place})
    return "\n\n".join(lines) + "\n"


def founder_mail(tournament: Tournament) -> None:
    """Put a mail into the outbox for a founder with an address: the name was taken away."""
    founder = tournament.founder
    if founder is None or not founder.is_active or not founder.email:
        return
    with translation.override(house_now().language(founder.language)):
        name = neutral_name(tournament)
        lines = [
            _("Hello %(name)s,") % {"name": founder.get_username()},
            _("The moderators took away the name of your tournament. It is called %(name)s now.")
            % {"name": name},
            _("Nothing else changes. The tournament: %(place)s")
            % {"place": full_address(reverse("tournament", args=[tournament.pk]))},
        ]
        mail_enqueue(
            to=founder.email,
            subject=_("Your tournament %(name)s") % {"name": name},
            body="\n\n".join(lines) + "\n",
            about=tournament.reference,
        )
