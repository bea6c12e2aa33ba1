"""Words that the scripts of a chouette say by keys, which views and frames have in their place.

Its codes are refused in words of its own; a stale view is refused in the words of every table.
"""

from django import template
from django.utils.translation import gettext as _

from games.chouette.errors import ChouetteStakeNotPossible
from games.templatetags.table_words import Words, refused, table_words, unsaid
from kit.fragments import kept

register = template.Library()


@register.simple_tag
@kept
def chouette_words() -> Words:
    """Return the words by their kind, then by their key, for `word` of static/js/say.js."""
    table = table_words()
    own = refused("games.services", "games.table", "games.chouette")
    return {
        "phrases": table["phrases"],
        "refused": {
            **table["refused"],
            **table["no_stakes"],
            "insufficient_credits": _(ChouetteStakeNotPossible.sentence),
            **{code: text for code, text in own.items() if code != "stale"},
        },
        "unsaid": {
            **unsaid(),
            "not_seated": _("Those who sit at the table write here."),
            "crew_silent": _("You cannot write to the crew now. Nobody received the message."),
        },
    }
