"""The form that opens a chouette."""

from decimal import Decimal
from typing import Any

from django import forms
from django.utils.formats import number_format
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from games.chouette.services.opening import BOTS, LIMITS_POINTS, RATES_CENTS


def _rates() -> list[tuple[int, Any]]:
    free = _("nothing")
    return [
        (cents, number_format(Decimal(cents) / 100, 2) if cents else free) for cents in RATES_CENTS
    ]


def _limits() -> list[tuple[int, Any]]:
    return [
        (points, ngettext("%(points)s point", "%(points)s points", points) % {"points": points})
        for points in LIMITS_POINTS
    ]


class OpeningForm(forms.Form):
    """The credits, if any, and the rules of the table."""

    rate_cents = forms.TypedChoiceField(
        label=_("Credits a point"), choices=_rates, coerce=int, initial=0
    )
    limit_points = forms.TypedChoiceField(
        label=_("Limit of a game"),
        choices=_limits,
        coerce=int,
        initial=8,
    )
    consulting = forms.ChoiceField(
        label=_("Advice for the captain"),
        choices=[
            ("own_cube", _("after their cube has been turned")),
            ("always", _("always")),
            ("never", _("never")),
        ],
        initial="own_cube",
    )
    cubes = forms.ChoiceField(
        label=_("Cubes"),
        choices=[("each", _("one for each member")), ("one", _("one for the whole team"))],
        initial="each",
        help_text=_("With one cube the captain doubles for all, and there are no beavers."),
    )
    jacoby = forms.BooleanField(label=_("Jacoby rule"), required=False, initial=True)
    beavers = forms.BooleanField(label=_("Beavers"), required=False, initial=True)
    lone_taker = forms.ChoiceField(
        label=_("If only one team member takes the box’s double"),
        choices=[("free", _("they play on")), ("beavers", _("they must beaver or drop"))],
        initial="free",
        required=False,
        help_text=_("Where the box doubled three or more at once and all others dropped."),
    )
    bots = forms.TypedChoiceField(
        label=_("House bots"),
        choices=[(number, str(number)) for number in range(len(BOTS) + 1)],
        coerce=int,
        initial=0,
    )

    def clean(self) -> dict[str, Any]:
        """Leave out what the form does not offer: a lone taker has no beaver without beavers."""
        wishes = super().clean() or self.cleaned_data
        has_beavers = wishes.get("beavers") and wishes.get("cubes") == "each"
        if not has_beavers or not wishes.get("lone_taker"):
            wishes["lone_taker"] = "free"
        return wishes
