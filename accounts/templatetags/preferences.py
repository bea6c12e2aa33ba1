"""Template tags for the preferences of a reader."""

import json
from collections.abc import Mapping
from itertools import groupby
from typing import Any

from django import template
from django.utils.translation import get_language

from accounts import countries
from accounts.models import User
from accounts.preferences import PREFERENCES, Preference, Section, Value, of_section, zones
from accounts.reader_preferences import country_shown

register = template.Library()


@register.simple_tag
def preferences_in_dialog(choices: Mapping[str, Value]) -> list[dict[str, Any]]:
    """The preferences of the table's own dialog, each with its value."""
    return [_row(each, choices) for each in PREFERENCES.values() if each.in_dialog]


@register.simple_tag
def preferences_of(choices: Mapping[str, Value], section: str) -> list[dict[str, Any]]:
    """The preferences of a section of the settings page, each with its value."""
    return [_row(each, choices) for each in of_section(Section(section))]


@register.simple_tag
def zone_groups() -> list[tuple[str, list[tuple[str, str]]]]:
    """The time zones by region, each as its name and its label."""
    found = []
    for region, names in groupby(sorted(zones()), key=lambda name: name.partition("/")[0]):
        labels = [(name, name.partition("/")[2].replace("_", " ") or name) for name in names]
        found.append((region, labels))
    return found


@register.simple_tag
def country_choices() -> tuple[tuple[str, str], ...]:
    """Every country as its code and its name, in the reader's language and order."""
    return countries.countries(get_language() or "en")


@register.filter
def country_name(code: str) -> str:
    """The name of a country in the reader's language; empty for a code that is none."""
    return countries.country_name(code, get_language() or "en")


@register.filter
def country_of(person: User) -> str:
    """The code of the country that a person shows, or nothing."""
    return country_shown(person)


@register.filter
def for_script(choices: Mapping[str, Value]) -> str:
    """The choices as JSON for an attribute of the page, without those of no use to a script."""
    left_out = {Section.LANGUAGE, Section.PRIVACY, Section.PROFILE}
    shown = {
        key: value for key, value in choices.items() if PREFERENCES[key].section not in left_out
    }
    return json.dumps(shown)


def _row(each: Preference, choices: Mapping[str, Value]) -> dict[str, Any]:
    return {"preference": each, "value": choices.get(each.key, each.default)}
