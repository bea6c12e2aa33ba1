"""The name of a tournament as it is shown: format and game where moderators took it away."""

from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.forms.names import VARIANT_NAMES
from tournaments.models import Tournament
from tournaments.offers import BY_KEY
from tournaments.services.store import table_terms_of, terms_of

FORMATS: Final = {
    "knockout": gettext_lazy("Knock-out"),
    "consolation": gettext_lazy("Knock-out with consolation"),
    "double": gettext_lazy("Double elimination"),
    "lives": gettext_lazy("Swiss by lives"),
    "swiss": gettext_lazy("Swiss by rounds"),
    "robin": gettext_lazy("Round robin"),
    "arena": gettext_lazy("Arena"),
}


def name_of(tournament: Tournament) -> str:
    """The name; that of an offer of the house is translated."""
    return _(tournament.name) if tournament.offer in BY_KEY else title_of(tournament)


def title_of(tournament: Tournament) -> str:
    """The name as it was given, or a neutral one in the reader's language."""
    return tournament.name or neutral_name(tournament)


def neutral_name(tournament: Tournament) -> str:
    """A name of format and game, which nobody has chosen: "Knock-out, Backgammon"."""
    variant = VARIANT_NAMES[table_terms_of(tournament).variant]
    return f"{FORMATS[terms_of(tournament).format]}, {variant}"
