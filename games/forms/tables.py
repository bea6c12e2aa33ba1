"""Opening a table: one form for each mode.

Forms turn into wishes (`games.table.terms.Wishes`); whether the house offers them is asked of the
terms themselves, so a form never knows a price or a rule of its own.
"""

import re
from collections.abc import Iterator
from typing import Any, ClassVar, Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.forms.names import (
    CLOCK_NAMES,
    MODE_NAMES,
    START_NAMES,
    VARIANT_NAMES,
    WATCHERS_NAMES,
)
from games.rules.start import StartRule
from games.rules.variants import by_key
from games.selectors import prices, terms_offered
from games.table.errors import BadTerms
from games.table.prices import Prices
from games.table.terms import Terms

BASE_CENTS_USUAL: Final = 50

#: what a choice of `WATCHERS_NAMES` wishes; the first leaves it to the house.
WATCHERS_WISHES: Final = {"yes": True, "no": False}

_AMOUNT = re.compile(r"([0-9]{1,7})(?:[.,]([0-9]{1,2}))?")


def base_cents_usual(prices: Prices) -> int:
    """The base stake that a form begins with."""
    least, most = prices.base_stake_cents_min, prices.base_stake_cents_max
    return max(least, min(BASE_CENTS_USUAL, most))


class CreditsField(forms.Field):
    """An amount as people write it, 0.50 or 0,50, as cents."""

    default_error_messages = {
        "invalid": gettext_lazy("Write an amount like 1 or 0.50."),
    }

    def to_python(self, value: object) -> int | None:
        """Hundredths of a credit; None for nothing."""
        text = str(value or "").strip()
        if not text:
            return None
        match = _AMOUNT.fullmatch(text)
        if match is None:
            raise forms.ValidationError(self.error_messages["invalid"], code="invalid")
        return int(match[1]) * 100 + int((match[2] or "").ljust(2, "0"))


class TableForm(forms.Form):
    """Terms of a table in one mode; `terms` is what they come to once the form is valid."""

    mode: ClassVar[str]
    terms: Terms | None = None

    clock = forms.ChoiceField(
        label=gettext_lazy("Clock"), choices=list(CLOCK_NAMES.items()), initial="normal"
    )
    private = forms.BooleanField(
        label=gettext_lazy("Private: only with the link or the code"), required=False
    )

    watchers = forms.TypedChoiceField(
        label=gettext_lazy("Watchers"),
        choices=list(WATCHERS_NAMES.items()),
        coerce=WATCHERS_WISHES.get,
        empty_value=None,
        required=False,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("auto_id", f"{self.mode}_%s")
        super().__init__(*args, **kwargs)
        self.prices = prices()
        self.prepare(self.prices)

    def prepare(self, prices: Prices) -> None:
        """Fill in what the house offers."""

    @property
    def title(self) -> str:
        """The name of the mode."""
        return str(MODE_NAMES[self.mode])

    @property
    def rules(self) -> list[forms.BoundField]:
        """The optional rules of the mode."""
        return [self[name] for name in self.fields if name in EXTRAS and name != "variant"]

    @property
    def rules_chosen(self) -> bool:
        """Whether the reader has touched the optional rules, so that they stay unfolded."""
        names = {field.name for field in self.rules}
        return self.is_bound and bool(names & (set(self.changed_data) | set(self.errors)))

    def wishes(self) -> dict[str, object]:
        """What `games.services.tables.table_open` is asked for."""
        values = self.cleaned_data
        wishes = {name: values[name] for name in EXTRAS if name in values}
        if values.get("watchers") is not None:
            wishes["watchers"] = values["watchers"]
        return {"mode": self.mode, "clock": values["clock"], **wishes}

    def clean(self) -> dict[str, Any]:
        """Ask the terms of the house; what they refuse is said at its field, or above them all."""
        cleaned = super().clean() or self.cleaned_data
        if self.errors:
            return cleaned
        self.check_rules()
        if not self.errors:
            try:
                self.terms = terms_offered(**self.wishes())
            except BadTerms as error:
                self.refuse(error)
        return cleaned

    def check_rules(self) -> None:
        """Say of rules that do not fit together which one is in the way."""

    def refuse(self, error: BadTerms) -> None:
        """What the house does not offer, said where the reader can change it."""
        self.add_error(None, _("The house does not offer a table on these terms."))


#: the fields that are optional rules; their names are those of the wishes.
EXTRAS: Final = (
    "variant",
    "has_cube",
    "jacoby",
    "beavers",
    "raccoons",
    "auto_doubles_max",
    "start_rule",
    "holland",
)


class PrizeForm(TableForm):
    """A prize match: the stakes that the house offers."""

    choice: ClassVar[str] = "stake_cents"
    stake_cents = forms.TypedChoiceField(
        label=gettext_lazy("Stake of each player"), coerce=int, widget=forms.RadioSelect
    )

    def prepare(self, prices: Prices) -> None:
        """One choice for each stake."""
        self.fields["stake_cents"].choices = [(c, str(c)) for c in prices.prize_stakes_cents]

    def offers(self) -> Iterator[tuple[str, Terms]]:
        """Each choice with the terms it comes to."""
        for cents in self.prices.prize_stakes_cents:
            yield str(cents), terms_offered(mode=self.mode, stake_cents=cents)

    def wishes(self) -> dict[str, object]:
        return {**super().wishes(), "stake_cents": self.cleaned_data["stake_cents"]}


class Prize5Form(PrizeForm):
    """First to five points, with the cube and Crawford."""

    mode = "prize5"
    holland = forms.BooleanField(
        label=gettext_lazy("Holland rule"),
        help_text=gettext_lazy(
            "After the Crawford game nobody doubles before both have rolled twice."
        ),
        required=False,
    )


class Prize3Form(PrizeForm):
    """Three games, most points, without the cube."""

    mode = "prize3"


class SingleForm(TableForm):
    """One game by the point: each rate with each limit."""

    mode = "single"
    choice: ClassVar[str] = "game"
    game = forms.ChoiceField(label=gettext_lazy("A point and the limit"), widget=forms.RadioSelect)

    def prepare(self, prices: Prices) -> None:
        """Every combination of rate and limit."""
        self.fields["game"].choices = [(key, key) for key, _rate, _limit in self._combinations()]

    def _combinations(self) -> Iterator[tuple[str, int, int]]:
        for rate in self.prices.single_rates_cents:
            for limit in self.prices.single_limits_cents:
                yield f"{rate}-{limit}", rate, limit

    def offers(self) -> Iterator[tuple[str, Terms]]:
        """Each choice with the terms it comes to."""
        for key, rate, limit in self._combinations():
            yield key, terms_offered(mode=self.mode, rate_cents=rate, limit_cents=limit)

    def wishes(self) -> dict[str, object]:
        rate, limit = self.cleaned_data["game"].split("-")
        return {**super().wishes(), "rate_cents": int(rate), "limit_cents": int(limit)}


class FreeForm(TableForm):
    """The modes in which any variant and the optional rules of unlimited play may be chosen."""

    variant = forms.ChoiceField(
        label=gettext_lazy("Variant"),
        choices=list(VARIANT_NAMES.items()),
        initial="backgammon",
    )
    has_cube = forms.BooleanField(
        label=gettext_lazy("With the doubling cube"), required=False, initial=True
    )
    jacoby = forms.BooleanField(
        label=gettext_lazy("Jacoby rule"),
        help_text=gettext_lazy("Gammons count only once the cube has been turned."),
        required=False,
    )
    beavers = forms.BooleanField(label=gettext_lazy("Beavers"), required=False)
    raccoons = forms.BooleanField(label=gettext_lazy("Raccoons"), required=False)
    start_rule = forms.ChoiceField(
        label=gettext_lazy("Who begins"), choices=list(START_NAMES.items())
    )
    auto_doubles_max = forms.TypedChoiceField(
        label=gettext_lazy("Automatic doubles, at most"),
        help_text=gettext_lazy("An equal roll-off turns the cube by itself."),
        choices=[(number, str(number)) for number in range(4)],
        coerce=int,
        initial=0,
    )

    def check_rules(self) -> None:
        """Rules of the cube need a cube, raccoons need beavers, automatic doubles a roll-off."""
        values = self.cleaned_data
        with_cube = values["has_cube"] and by_key(values["variant"]).has_cube
        for name in ("jacoby", "beavers", "raccoons", "auto_doubles_max"):
            if values[name] and not with_cube:
                self.add_error(name, _("This rule needs the doubling cube."))
        if values.get("raccoons") and not values.get("beavers"):
            self.add_error("raccoons", _("Raccoons answer beavers: choose both."))
        if values.get("auto_doubles_max") and values["start_rule"] != StartRule.ROLL_OFF_USE.value:
            self.add_error(
                "auto_doubles_max",
                _("Automatic doubles need a roll-off whose numbers are played."),
            )


class StakeForm(FreeForm):
    """Free stakes: the base stake as typed."""

    mode = "stake"
    base = CreditsField(
        label=gettext_lazy("Base stake, for each point"),
        widget=forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"}),
    )

    def prepare(self, prices: Prices) -> None:
        """Begin with a small stake that the house offers."""
        self.base_cents = base_cents_usual(prices)
        self.fields["base"].initial = f"{self.base_cents // 100}.{self.base_cents % 100:02d}"

    def check_rules(self) -> None:
        super().check_rules()
        base = self.cleaned_data["base"]
        if not self.prices.base_stake_cents_min <= base <= self.prices.base_stake_cents_max:
            self.add_error("base", _("This base stake is outside of what the house offers."))

    def wishes(self) -> dict[str, object]:
        return {**super().wishes(), "stake_cents": self.cleaned_data["base"]}


class NormalForm(FreeForm):
    """A normal game: no credits."""

    mode = "normal"


OPEN_FORMS: Final[tuple[type[TableForm], ...]] = (
    Prize5Form,
    Prize3Form,
    SingleForm,
    StakeForm,
    NormalForm,
)


def open_form(mode: str) -> type[TableForm] | None:
    """The form of a mode, or None."""
    return next((form for form in OPEN_FORMS if form.mode == mode), None)
