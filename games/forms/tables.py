"""The form for the terms of a table, of any mode in any variant.

Its fields are what the mode offers in the variant (`Mode.rules_offered`, `Mode.choices`), so a form
contains no rules, prices or defaults of its own. Values turn into wishes
(`games.modes.terms.Wishes`); the terms themselves decide whether the house offers them.

A form that is shown states in the hidden field `shown` for which game it was. If another one was
chosen in it meanwhile, `TermsForm.of` makes the form of that game, with everything that the reader
had changed and that exists there. A field that the game does not have is refused by its name.
"""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Final, Self

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.forms.fields import REFUSED, StakeField, amount_text, rule_field
from games.forms.names import (
    CLOCK_NAMES,
    MODE_NAMES,
    VARIANT_NAMES,
    WATCHERS_NAMES,
    clock_label,
    mode_choices,
)
from games.modes.choices import CUBE_RULES, RuleChoice
from games.modes.mode import Mode
from games.modes.registry import OPENED
from games.modes.terms import Terms
from games.offered import (
    choices_offered,
    modes_playable,
    rules_offered,
    terms_open,
    variant_usual,
    variants_offered,
)
from games.selectors import prices, terms_offered
from games.table.errors import BadTerms

#: the wish behind each choice of `WATCHERS_NAMES`; the first leaves it to the house.
WATCHERS_WISHES: Final = {"yes": True, "no": False}

#: how the field is labelled that takes one of a mode's choices (`Mode.choice_field`).
CHOICE_LABELS: Final = {
    "stake_cents": gettext_lazy("Stake per player"),
    "game": gettext_lazy("A point and the limit"),
}

#: what a form may send beside its fields: the token, and buttons.
NO_FIELDS: Final = frozenset({"csrfmiddlewaretoken", "preview", "proof", "save", "name"})

Game = tuple[Mode, str]
"""A mode and the key of a variant in which it is played."""


class TermsForm(forms.Form):
    """The terms of a table; `terms` is what they come to once the form is valid.

    Make one with `of`. It is always bound: what nobody has stated has its default.
    """

    every: ClassVar[tuple[Mode, ...]] = OPENED
    """The modes to choose from, as far as the house offers them; only one need not be stated."""
    terms: Terms | None = None
    is_new: bool = False
    """Whether another game was chosen than the form was shown for, so that it must be shown."""

    clock = forms.ChoiceField(label=gettext_lazy("Clock"), choices=list(CLOCK_NAMES.items()))
    watchers = forms.TypedChoiceField(
        label=gettext_lazy("Watchers"),
        choices=list(WATCHERS_NAMES.items()),
        coerce=WATCHERS_WISHES.get,
        empty_value=None,
        required=False,
    )
    shown = forms.CharField(widget=forms.HiddenInput, required=False)

    def __init__(self, game: Game, data: Mapping[str, Any] | None = None, **kwargs: Any) -> None:
        kwargs.setdefault("auto_id", "terms_%s")
        super().__init__(data, **kwargs)
        self.mode, self.variant = game
        self.prices = prices()
        self.offered = {rule.field: rule for rule in rules_offered(self.mode, self.variant)}
        self.choices = self.choices_of(self.mode)
        self.fields["shown"].initial = f"{self.mode.key}:{self.variant}"
        self.fields["clock"].initial = self.mode.clock_usual
        self.fields |= dict(self._game_fields())
        self.fields |= {field: rule_field(rule) for field, rule in self.offered.items()}

    def choices_of(self, mode: Mode) -> dict[str, Mapping[str, int]]:
        """The wishes of each choice of this mode, by its key; without choices, of each stake."""
        return choices_offered(mode, self.prices)

    @property
    def choice_name(self) -> str:
        """The name of the field that takes one of the choices."""
        return self.mode.choice_field or "stake_cents"

    def _game_fields(self) -> Iterator[tuple[str, forms.Field]]:
        names = mode_choices(self.modes())
        mode = forms.ChoiceField(label=gettext_lazy("Mode"), choices=names, initial=self.mode.key)
        mode.required = len(names) > 1  # the only one is not shown, so nobody can state it
        yield "mode", mode
        if len(self.mode.variants) > 1:
            names = [(key, VARIANT_NAMES[key]) for key in variants_offered(self.mode)]
            yield (
                "variant",
                forms.ChoiceField(
                    label=gettext_lazy("Variant"), choices=names, initial=self.variant
                ),
            )
        if self.choices:
            yield (
                self.choice_name,
                forms.ChoiceField(
                    label=CHOICE_LABELS[self.choice_name],
                    choices=[(key, key) for key in self.choices],
                    initial=next(iter(self.choices)),
                    widget=forms.RadioSelect,
                ),
            )
        if "base" in self.mode.asks:
            usual = amount_text(self.prices.base_stake_cents_usual)
            yield (
                "base",
                StakeField(label=gettext_lazy("Base stake, for each point"), initial=usual),
            )
        if "bank_cents" in self.mode.amounts:
            label = gettext_lazy("Bank of each player (optional)")
            yield "bank", StakeField(label=label, required=False)

    @classmethod
    def modes(cls) -> tuple[Mode, ...]:
        """The modes to choose from in this house."""
        return modes_playable(cls.every, prices)

    # --- which form -------------------------------------------------------------------------------

    @classmethod
    def of(cls, data: Mapping[str, str], *, shows: bool = False, **kwargs: Any) -> Self:
        """The form for this data: fields that it does not state have their defaults.

        With `shows` mode and amounts have one too: the form is only looked at, nothing follows.
        """
        data = {name: data[name] for name in data}  # of a name that came twice, the last value
        former, game = cls._shown(data), cls._game(data)
        if former == game:
            return cls(game, data, **kwargs)
        form = cls(game, **kwargs)
        texts = form.blank(is_shown=shows or former is not None)
        if former is None:
            return cls(game, {**texts, **data}, **kwargs)
        changed = cls(former, **kwargs).changed_in(data)
        texts |= {name: text for name, text in changed.items() if form.takes(name, text)}
        made = cls(game, {name: text for name, text in texts.items() if text}, **kwargs)
        made.is_new = True
        return made

    @classmethod
    def _game(cls, data: Mapping[str, str]) -> Game:
        """The game that is chosen; the usual one where it is not, or where there is none such."""
        mode = next((mode for mode in cls.modes() if mode.key == data.get("mode")), cls.modes()[0])
        return mode, _variant_of(mode, data.get("variant", ""))

    @classmethod
    def _shown(cls, data: Mapping[str, str]) -> Game | None:
        """The game that the form was shown for; None if it does not say so."""
        key, _colon, variant = data.get("shown", "").partition(":")
        mode = next((mode for mode in cls.modes() if mode.key == key), None)
        return (mode, variant) if mode is not None and variant in mode.variants else None

    @classmethod
    def data_for(cls, wishes: Mapping[str, Any]) -> dict[str, str]:
        """The data of a form for these wishes, which the house may no longer offer."""
        form = cls(cls._game(wishes))
        texts = {name: _text(wish) for name, wish in wishes.items() if name in form.fields}
        if "base" in form.fields:
            texts["base"] = amount_text(wishes.get("stake_cents", 0))
        if "bank" in form.fields and wishes.get("bank_cents"):
            texts["bank"] = amount_text(wishes["bank_cents"])
        if form.choice is not None:
            same = (key for key, choice in form.choices.items() if choice.items() <= wishes.items())
            texts[form.choice_name] = next(same, "")
        if "watchers" in wishes:
            texts["watchers"] = "yes" if wishes["watchers"] else "no"
        return texts

    def blank(self, *, is_shown: bool = True) -> dict[str, str]:
        """The data of the form as it is shown, unchanged.

        Without `is_shown`: what need not be stated by somebody who has not seen the form.
        """
        texts: dict[str, str] = {}
        for name, field in self.fields.items():
            if not is_shown and self._must_be_stated(name):
                continue
            if isinstance(field, forms.BooleanField):
                texts |= {name: "on"} if field.initial else {}
            else:
                texts[name] = str(field.initial if field.initial is not None else "")
        return texts

    def _must_be_stated(self, name: str) -> bool:
        """Whether this field has no default: which game it is, and what it costs."""
        if name == "mode":
            return len(self.modes()) > 1
        if name == self.choice_name:
            return any(self.choices[self.fields[name].initial].values())
        return name == "base"

    def changed_in(self, data: Mapping[str, str]) -> dict[str, str]:
        """The data that differ from the blank form; an empty text is a box without its tick."""
        blank = self.blank()
        texts = {name: data.get(name, "") for name in self.fields if name != "shown"}
        return {name: text for name, text in texts.items() if text != blank.get(name, "")}

    def takes(self, name: str, text: str) -> bool:
        """Whether this text can stand in the field of this name."""
        field = self.fields.get(name)
        if isinstance(field, forms.ChoiceField):
            return field.valid_value(text)
        return field is not None

    # --- what it shows ----------------------------------------------------------------------------

    @property
    def title(self) -> str:
        """The name of the mode."""
        return str(MODE_NAMES[self.mode.key])

    @property
    def summary(self) -> str:
        """The description of the mode in one line."""
        return _(self.mode.summary) if self.mode.summary else ""

    @property
    def is_staked(self) -> bool:
        """Whether credits are at stake; while the terms have mistakes, whether the mode has any."""
        return bool(self.terms.stake_cents) if self.terms else self.mode.is_staked

    @property
    def mode_field(self) -> forms.BoundField | None:
        """The field for the mode, if there is more than one."""
        return self["mode"] if len(self.modes()) > 1 else None

    @property
    def variant_field(self) -> forms.BoundField | None:
        """The field for the variant, if the mode is played in more than one."""
        return self["variant"] if "variant" in self.fields else None

    @property
    def choice(self) -> forms.BoundField | None:
        """The field that takes one of the mode's choices, if it has one."""
        return self[self.choice_name] if self.choices else None

    @property
    def length(self) -> forms.BoundField | None:
        """The field for the length of a match, if that can be chosen."""
        return self["target_points"] if "target_points" in self.offered else None

    @property
    def rules(self) -> list[forms.BoundField]:
        """The rules that can be chosen, without the length."""
        return [self[field] for field in self.offered if field != "target_points"]

    @property
    def cube_rules(self) -> frozenset[str]:
        """The names of rules that mean something with the cube only."""
        return frozenset(CUBE_RULES) if "has_cube" in self.offered else frozenset()

    @property
    def rules_chosen(self) -> bool:
        """Whether an optional rule differs from its default or is wrong, so they are unfolded."""
        return any(
            field.errors or self._is_changed(self.offered[field.name]) for field in self.rules
        )

    def _is_changed(self, rule: RuleChoice) -> bool:
        return bool(self.cleaned_data.get(rule.field, rule.default) != rule.default)

    def offers(self) -> Iterator[tuple[str, Terms]]:
        """Each choice with the terms it comes to."""
        for key, wishes in self.choices.items():
            yield key, self._terms_with({**self.game_wishes(), **wishes})

    def _terms_with(self, changed: Mapping[str, Any]) -> Terms:
        """The terms with these wishes changed; of the plain game, if the form has mistakes."""
        if self.terms is None:
            return terms_offered(**{**self.game_wishes(), **changed})
        return terms_offered(**{**self.wishes(), **changed})

    def game_wishes(self) -> dict[str, Any]:
        """The wishes for the plain game of this mode and variant, without amounts."""
        with_variant = {"variant": self.variant} if "variant" in self.fields else {}
        return {"mode": self.mode.key, **with_variant}

    # --- what it comes to -------------------------------------------------------------------------

    def wishes(self) -> dict[str, Any]:
        """The arguments for the services: fields of `games.modes.terms.Wishes`."""
        values = self.cleaned_data
        wishes = {**self.game_wishes(), "clock": values["clock"], **self._rules_wished()}
        if "base" in self.fields:
            wishes["stake_cents"] = values["base"]
        if values.get("bank") is not None:
            wishes["bank_cents"] = values["bank"]
        if self.choice is not None:
            wishes |= self.choices[values[self.choice_name]]
        if values.get("watchers") is not None:
            wishes["watchers"] = values["watchers"]
        return wishes

    def _rules_wished(self) -> dict[str, Any]:
        """The chosen rules. Without the cube its rules are no wishes, unless somebody chose one."""
        values = {field: self.cleaned_data[field] for field in self.offered}
        if values.get("has_cube", True):
            return values
        return {
            field: value
            for field, value in values.items()
            if field not in CUBE_RULES or self._is_changed(self.offered[field])
        }

    def clean(self) -> dict[str, Any]:
        """Check the terms of the house; a refusal appears at its field, or above them all."""
        cleaned = super().clean() or self.cleaned_data
        for name in sorted(set(self.data) - set(self.fields) - NO_FIELDS):
            self.add_error(None, self._foreign(name))
        if not self.errors:
            try:
                self.terms = terms_open(**self.wishes())
            except BadTerms as error:
                self._refuse(error)
        self._name_clocks()
        return cleaned

    def _foreign(self, name: str) -> str:
        game = self.title
        if "variant" in self.fields:
            game = f"{game} · {VARIANT_NAMES[self.variant]}"
        words = {"game": game, "field": name}
        return _("“%(field)s” cannot be chosen here (%(game)s).") % words

    def _refuse(self, error: BadTerms) -> None:
        """Show a refusal of the house at the field that it names."""
        name = str(error.fields.get("field", ""))
        amounts = {"stake_cents": "base", "bank_cents": "bank"}
        at = amounts.get(name, name) if name not in self.fields else name
        if at in CUBE_RULES and not self.cleaned_data.get("has_cube", True):
            text = _("This rule needs the doubling cube.")
        else:
            text = str(REFUSED.get(at) or _("The house does not offer a table on these terms."))
        self.add_error(at if at in self.fields else None, text)

    def _name_clocks(self) -> None:
        """Name each clock with its times at a table on these terms."""
        plain = {} if self.terms else self._any_amount()
        named = [
            (key, f"{clock_label(self._terms_with({**plain, 'clock': key}))} · {name}")
            for key, name in CLOCK_NAMES.items()
        ]
        field = self.fields["clock"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = named

    def _any_amount(self) -> Mapping[str, int]:
        """Some amount that the house offers in this mode."""
        if self.choices:
            return next(iter(self.choices.values()))
        return {"stake_cents": self.prices.base_stake_cents_usual} if "base" in self.fields else {}


class TableForm(TermsForm):
    """A table that others find in the lobby, or that is reached by its code alone."""

    private = forms.BooleanField(
        label=gettext_lazy("Private: only with the link or the code"), required=False
    )


class ChallengeForm(TermsForm):
    """The terms of a challenge: those of any table."""


def _variant_of(mode: Mode, wished: str) -> str:
    """The wished variant if the mode is played in it, else the usual one of the mode."""
    return wished if wished in variants_offered(mode) else variant_usual(mode)


def _text(wish: Any) -> str:
    """A wish as a form sends it; a box without its tick sends nothing."""
    if isinstance(wish, bool):
        return "on" if wish else ""
    return str(wish)
