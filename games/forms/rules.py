"""Fields for the rules of a table, made of what a mode offers (`games.modes.choices.RuleChoice`).

Names, sentences, values and defaults are the registry's; nothing about a rule is written here.
"""

from typing import Any

from django import forms
from django.utils.translation import gettext as _

from games.modes.choices import RuleChoice


def rule_field(choice: RuleChoice) -> forms.Field:
    """The field for one rule; it begins with the rule's default."""
    label, sentence = _(choice.name), _(choice.sentence)
    if choice.is_switch:
        return forms.BooleanField(
            label=label, help_text=sentence, required=False, initial=choice.default
        )
    values = {str(value): value for value in choice.values}
    names = [_(name) for name in choice.names] or list(values)
    return forms.TypedChoiceField(
        label=label,
        help_text=sentence,
        choices=list(zip(values, names, strict=True)),
        coerce=values.__getitem__,
        initial=str(choice.default),
    )


def value_text(choice: RuleChoice, value: Any) -> str:
    """A value of a rule in words: its name if it has one."""
    named = dict(zip(choice.values, choice.names, strict=False))
    return _(named[value]) if value in named else str(value)
