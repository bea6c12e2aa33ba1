"""Opening a table: one form for each mode, made of the wishes in its `asks`.

Forms turn into wishes (`games.modes.terms.Wishes`); the terms themselves decide whether the house
offers them, so a form contains no prices or rules of its own.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

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
from games.modes.mode import Mode
from games.modes.registry import OPENED
from games.modes.terms import Terms
from games.rules.start import StartRule
from games.rules.variants import by_key
from games.selectors import prices, terms_offered
from games.table.errors import BadTerms

#: the wish behind each choice of `WATCHERS_NAMES`; the first leaves it to the house.
WATCHERS_WISHES: Final = {"yes": True, "no": False}

#: the rules that turn a cube, and so need one.
CUBE_RULES: Final = ("jacoby", "beavers", "raccoons", "auto_doubles_max")

#: how the field is labelled that takes one of a mode's choices (`Mode.choice_field`).
CHOICE_LABELS: Final = {
    "stake_cents": gettext_lazy("Stake of each player"),
    "game": gettext_lazy("A point and the limit"),
}

_AMOUNT = re.compile(r"([0-9]{1,7})(?:[.,]([0-9]{1,2}))?")


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


def _yes(label: Any, help_text: Any = "", *, initial: bool = False) -> forms.BooleanField:
    return forms.BooleanField(label=label, help_text=help_text, required=False, initial=initial)


#: the field for each wish that a mode may take (`Mode.asks`).
FIELDS: Final[Mapping[str, Callable[[], forms.Field]]] = {
    "base": lambda: CreditsField(
        label=gettext_lazy("Base stake, for each point"),
        widget=forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"}),
    ),
    "variant": lambda: forms.ChoiceField(
        label=gettext_lazy("Variant"),
        choices=list(VARIANT_NAMES.items()),
        initial="backgammon",
    ),
    "has_cube": lambda: _yes(gettext_lazy("With the doubling cube"), initial=True),
    "jacoby": lambda: _yes(
        gettext_lazy("Jacoby rule"),
        gettext_lazy("Gammons count only once the cube has been turned."),
    ),
    "beavers": lambda: _yes(gettext_lazy("Beavers")),
    "raccoons": lambda: _yes(gettext_lazy("Raccoons")),
    "start_rule": lambda: forms.ChoiceField(
        label=gettext_lazy("Who begins"), choices=list(START_NAMES.items())
    ),
    "auto_doubles_max": lambda: forms.TypedChoiceField(
        label=gettext_lazy("Automatic doubles, at most"),
        help_text=gettext_lazy("An equal roll-off turns the cube by itself."),
        choices=[(number, str(number)) for number in range(4)],
        coerce=int,
        initial=0,
    ),
    "holland": lambda: _yes(
        gettext_lazy("Holland rule"),
        gettext_lazy("After the Crawford game nobody doubles before both have rolled twice."),
    ),
}

#: wishes with a place of their own in the form, beside the optional rules.
_NO_RULES: Final = ("base", "variant")


class TableForm(forms.Form):
    """Terms of a table in one mode; `terms` is what they come to once the form is valid."""

    terms: Terms | None = None

    clock = forms.ChoiceField(label=gettext_lazy("Clock"), choices=list(CLOCK_NAMES.items()))
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

    def __init__(self, mode: Mode, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("auto_id", f"{mode.key}_%s")
        super().__init__(*args, **kwargs)
        self.mode = mode
        self.prices = prices()
        self.choices = {choice.key: choice.wishes for choice in mode.choices(self.prices)}
        self.fields["clock"].initial = mode.clock_usual
        if mode.choice_field:
            self.fields[mode.choice_field] = forms.ChoiceField(
                label=CHOICE_LABELS[mode.choice_field],
                choices=[(key, key) for key in self.choices],
                widget=forms.RadioSelect,
            )
        for name in mode.asks:
            if name not in FIELDS:
                continue
            self.fields[name] = FIELDS[name]()
        if "base" in self.fields:
            cents = self.prices.base_stake_cents_usual
            self.fields["base"].initial = f"{cents // 100}.{cents % 100:02d}"

    @property
    def title(self) -> str:
        """The name of the mode."""
        return str(MODE_NAMES[self.mode.key])

    @property
    def summary(self) -> str:
        """The description of the mode in one line."""
        return _(self.mode.summary)

    @property
    def choice(self) -> forms.BoundField | None:
        """The field that takes one of the mode's choices, if it has one."""
        return self[self.mode.choice_field] if self.mode.choice_field else None

    @property
    def rules(self) -> list[forms.BoundField]:
        """The optional rules of the mode."""
        return [
            self[name] for name in self.mode.asks if name in self.fields and name not in _NO_RULES
        ]

    @property
    def rules_chosen(self) -> bool:
        """Whether the reader has touched the optional rules, so that they stay unfolded."""
        names = {field.name for field in self.rules}
        return self.is_bound and bool(names & (set(self.changed_data) | set(self.errors)))

    def offers(self) -> Iterator[tuple[str, Terms]]:
        """Each choice with the terms it comes to."""
        if self.mode.choice_field:
            for key, wishes in self.choices.items():
                yield key, terms_offered(mode=self.mode.key, **wishes)

    def first_terms(self) -> Terms | None:
        """The terms that the base stake of the initial form gives; None without such a field."""
        if self.is_bound or "base" not in self.fields:
            return None
        return terms_offered(mode=self.mode.key, stake_cents=self.prices.base_stake_cents_usual)

    def wishes(self) -> dict[str, Any]:
        """The arguments for `games.services.tables.table_open`."""
        values = self.cleaned_data
        wishes = {name: values[name] for name in self.mode.asks if name in self.fields}
        if "variant" in wishes and not by_key(wishes["variant"]).has_cube:
            for name in ("has_cube", *CUBE_RULES):
                wishes.pop(name, None)
        if "base" in wishes:
            wishes["stake_cents"] = wishes.pop("base")
        if self.mode.choice_field:
            wishes |= self.choices[values[self.mode.choice_field]]
        if values.get("watchers") is not None:
            wishes["watchers"] = values["watchers"]
        return {"mode": self.mode.key, "clock": values["clock"], **wishes}

    def clean(self) -> dict[str, Any]:
        """Check the terms of the house; a refusal appears at its field, or above them all."""
        cleaned = super().clean() or self.cleaned_data
        if self.errors:
            return cleaned
        self._check_base_stake()
        self._check_rules()
        if not self.errors:
            try:
                self.terms = terms_offered(**self.wishes())
            except BadTerms:
                self.add_error(None, _("The house does not offer a table on these terms."))
        return cleaned

    def _check_base_stake(self) -> None:
        base_cents = self.cleaned_data.get("base")
        least, most = self.prices.base_stake_cents_min, self.prices.base_stake_cents_max
        if base_cents is not None and not least <= base_cents <= most:
            self.add_error("base", _("This base stake is outside of what the house offers."))

    def _check_rules(self) -> None:
        """Rules of the cube need a cube, raccoons need beavers, automatic doubles a roll-off."""
        values = self.cleaned_data
        if "has_cube" in values:
            with_cube = values["has_cube"] and by_key(values["variant"]).has_cube
            for name in CUBE_RULES:
                if values[name] and not with_cube:
                    self.add_error(name, _("This rule needs the doubling cube."))
        if values.get("raccoons") and not values.get("beavers"):
            self.add_error("raccoons", _("Raccoons answer beavers: choose both."))
        if values.get("auto_doubles_max") and values["start_rule"] != StartRule.ROLL_OFF_USE.value:
            self.add_error(
                "auto_doubles_max",
                _("Automatic doubles need a roll-off whose numbers are played."),
            )


def open_forms() -> Iterator[TableForm]:
    """An empty form for each mode in which people play each other."""
    return (TableForm(mode) for mode in OPENED)


def open_form(data: Mapping[str, Any]) -> TableForm | None:
    """The form that was filled in; None for a mode in which no table is opened for others."""
    mode = next((mode for mode in OPENED if mode.key == data.get("mode")), None)
    return TableForm(mode, data) if mode else None
