"""Setting up a tournament."""

from datetime import timedelta
from typing import Any, Final

from django import forms
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.http import require_http_methods

from accounts.crowds import CrowdDoor, door_pass
from accounts.models import User
from games.forms.names import CLOCK_NAMES, VARIANT_NAMES
from kit.errors import Refusal
from kit.requests import SignedInRequest
from kit.sentences import sentence
from kit.throttle import Rate, uncount
from tournaments.engine.formats.robin import MOST as ROBIN_MOST
from tournaments.engine.terms import TournamentTerms
from tournaments.models import Club, Tournament
from tournaments.selectors import directed_by, possible_targets
from tournaments.services.holding import FEE_MOST_CENTS, may_hold_paid, tournament_hold
from tournaments.services.words import FORMATS

SIZES: Final = (4, 8, 16, 32, 64)
LENGTHS: Final = (1, 3, 5, 7, 9, 11)
BEGINS: Final = {
    "full": gettext_lazy("as soon as all seats are taken"),
    "10": gettext_lazy("in 10 minutes"),
    "30": gettext_lazy("in 30 minutes"),
    "60": gettext_lazy("in an hour"),
    "1440": gettext_lazy("tomorrow at this time"),
    "10080": gettext_lazy("in a week at this time"),
}
#: parts of all prizes in percent: the winner of the consolation, of the last chance
SIDES: Final = {
    "": pgettext_lazy("prizes", "none"),
    "10 5": gettext_lazy("10 % and 5 %"),
    "20 5": gettext_lazy("20 % and 5 %"),
    "20 10": gettext_lazy("20 % and 10 %"),
}
#: why the house refuses what is stated in a field
REFUSED: Final = {
    "satellite_of": gettext_lazy("It has begun, or begins earlier than this one."),
    "sides": gettext_lazy("Only a knock-out with consolation and an entry fee has these prizes."),
    "fee": gettext_lazy("A satellite needs an entry fee that buys at least one seat."),
}
USUAL: Final = {"variant": "backgammon", "length": 3, "clock": "normal", "most": 8, "begins": "30"}
LEAST: Final = 4
#: so many are announced from one network, and in the house, without a proof.
ANNOUNCING: Final = CrowdDoor("announcing", Rate(10, 3_600), lambda: Rate(60, 3_600))


class NewForm(forms.Form):
    """A tournament; `hold` announces it. Who may hold paid ones chooses a fee, too."""

    name = forms.CharField(label=gettext_lazy("Name"), min_length=3, max_length=60)
    format = forms.ChoiceField(label=gettext_lazy("Format"), choices=list(FORMATS.items()))
    variant = forms.ChoiceField(label=gettext_lazy("Game"), choices=list(VARIANT_NAMES.items()))
    length = forms.TypedChoiceField(
        label=gettext_lazy("Points"), coerce=int, choices=[(each, each) for each in LENGTHS]
    )
    clock = forms.ChoiceField(label=gettext_lazy("Clock"), choices=list(CLOCK_NAMES.items()))
    most = forms.TypedChoiceField(
        label=gettext_lazy("Players at most"), coerce=int, choices=[(each, each) for each in SIZES]
    )
    begins = forms.ChoiceField(label=gettext_lazy("Begins"), choices=list(BEGINS.items()))
    club = forms.ModelChoiceField(
        label=gettext_lazy("Club"),
        queryset=Club.objects.none(),
        required=False,
        empty_label=gettext_lazy("for everybody"),
    )
    members_only = forms.BooleanField(
        label=gettext_lazy("Only members of the club can enter"), required=False
    )
    minutes = forms.TypedChoiceField(
        label=gettext_lazy("Minutes of an arena"),
        coerce=int,
        choices=[(each, each) for each in (30, 45, 60, 90, 120)],
        initial=45,
    )
    fee = forms.DecimalField(
        label=gettext_lazy("Entry fee"),
        help_text=gettext_lazy("In credits."),
        required=False,
        min_value=0,
        max_value=FEE_MOST_CENTS // 100,
        decimal_places=2,
    )
    sides = forms.ChoiceField(
        label=gettext_lazy("For the winners of consolation and last chance"),
        choices=list(SIDES.items()),
        required=False,
        help_text=gettext_lazy("Parts of all prizes, in a knock-out with consolation."),
    )
    satellite_of = forms.ModelChoiceField(
        label=gettext_lazy("Satellite of"),
        queryset=Tournament.objects.none(),
        required=False,
        empty_label=gettext_lazy("none, prizes are credits"),
        help_text=gettext_lazy("The first prizes are seats there. It begins later and has a fee."),
    )

    def __init__(self, *args: Any, founder: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if may_hold_paid(founder):
            targets = self.fields["satellite_of"]
            assert isinstance(targets, forms.ModelChoiceField)
            targets.queryset = possible_targets(founder.pk)
        else:
            del self.fields["fee"], self.fields["sides"], self.fields["satellite_of"]
        directed = [each.pk for each in directed_by(founder.pk)]
        club = self.fields["club"]
        assert isinstance(club, forms.ModelChoiceField)
        club.queryset = Club.objects.filter(pk__in=directed)
        if not directed:
            del self.fields["club"], self.fields["members_only"]

    def clean_name(self) -> str:
        """Refuse names that show nothing, or more than a line."""
        name = " ".join(str(self.cleaned_data["name"]).split())
        if not name.isprintable():
            raise ValidationError(_("A name has 3 to 60 characters."))
        return name

    def terms(self) -> TournamentTerms:
        """The engine's terms."""
        given = self.cleaned_data
        most = given["most"]
        if given["format"] == "robin":
            most = min(most, ROBIN_MOST)
        return TournamentTerms(
            given["format"],
            length=given["length"],
            least=most if given["begins"] == "full" else LEAST,
            most=most,
            minutes=given["minutes"] if given["format"] == "arena" else 0,
        )

    def hold(self, request: SignedInRequest) -> Any:
        """Announce it."""
        given, starts_at = self.cleaned_data, None
        if given["begins"] != "full":
            starts_at = timezone.now() + timedelta(minutes=int(given["begins"]))
        return tournament_hold(
            founder=request.user,
            name=given["name"],
            terms=self.terms(),
            starts_at=starts_at,
            club=given.get("club"),
            members_only=bool(given.get("club") and given.get("members_only")),
            fee_cents=int((given.get("fee") or 0) * 100),
            sides_bps=tuple(100 * int(each) for each in given.get("sides", "").split()),
            satellite_of=given.get("satellite_of"),
            variant=given["variant"],
            clock=given["clock"],
        )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: SignedInRequest) -> HttpResponse:
    """Choose what is played, and announce it."""
    data = request.POST if request.method == "POST" else None
    initial = USUAL | {"club": request.GET.get("club")}
    form = NewForm(data, initial=initial, founder=request.user)
    if request.method == "POST" and form.is_valid():
        passed = door_pass(request, ANNOUNCING)
        try:
            made = form.hold(request)
        except Refusal as error:
            field = str(error.fields.get("field"))
            form.add_error(field if field in REFUSED else None, REFUSED.get(field, sentence(error)))
        else:
            return redirect("tournament", tournament_id=made.pk)
        for key in passed:
            uncount(key)
    return render(request, "tournaments/new.html", {"form": form})
