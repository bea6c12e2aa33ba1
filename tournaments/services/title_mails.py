"""The mail to the person who gave a tournament its name, in their language."""

from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from accounts.mails import full_address, mail_enqueue
from house.reader import house_now
from tournaments.models import Tournament
from tournaments.services.naming import neutral_name


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
