"""The house and its operator as they are stated now: set at the desk, else by the environment."""

from dataclasses import replace
from typing import Any

from django.conf import settings
from django.urls import reverse

from accounts.house.parts import DOES_NOT_APPLY, Part
from accounts.house.reader import house_now
from pasch.operator import FACTS, Operator


def operator_now() -> Operator:
    """The facts about the house and its operator, some seconds old at most."""
    stated: Operator = settings.OPERATOR
    house = house_now()
    facts: dict[str, Any] = {"house": house.name}
    if "minimum_age" in house.content(Part.LIMITS):
        facts["minimum_age"] = house.content(Part.LIMITS)["minimum_age"]
    for fact in FACTS:
        text = house.content(Part.OPERATOR).get(fact.variable.lower())
        if text:
            facts[fact.field] = "" if text == DOES_NOT_APPLY else text
    return replace(stated, **facts)


def style_address() -> str:
    """The address of the style sheet with the colours of the house; empty without own ones."""
    accents = house_now().accents
    if accents is None:
        return ""
    return reverse("house_style", args=[each.removeprefix("#") for each in accents])
