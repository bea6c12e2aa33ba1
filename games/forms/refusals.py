"""The errors of a form where the house refuses a wish, at the field that states it."""

from typing import Final

from django.utils.translation import gettext_lazy

#: why the house refuses what is stated in a field, where more can be said than that it does.
REFUSED: Final = {
    "raccoons": gettext_lazy("Raccoons answer beavers: choose both."),
    "auto_doubles_max": gettext_lazy("Automatic doubles need a roll-off whose numbers are played."),
    "holland": gettext_lazy("The Holland rule follows a Crawford game: choose both."),
    "base": gettext_lazy("This base stake is outside of what the house offers."),
    "bank": gettext_lazy("A bank is 20 to 100 times the base stake."),
}
