"""The house and its operator as they are stated now: set at the desk, else by the environment."""

from dataclasses import dataclass, replace
from typing import Any

from django.conf import settings
from django.urls import reverse

from house.board import HouseBoard, board_key
from house.parts import DOES_NOT_APPLY, HousePart
from house.reader import house_now
from pasch.operator import FACTS, Operator


@dataclass(frozen=True, slots=True)
class ShownLogo:
    """A logo in the head of a page: its address, its size in pixels, and whether it stands alone,
    without the name of the house beside it."""

    address: str
    width: int
    height: int
    alone: bool


def operator_now() -> Operator:
    """The facts about the house and its operator, some seconds old at most."""
    stated: Operator = settings.OPERATOR
    house = house_now()
    facts: dict[str, Any] = {"house": house.name}
    if "minimum_age" in house.content(HousePart.LIMITS):
        facts["minimum_age"] = house.content(HousePart.LIMITS)["minimum_age"]
    for fact in FACTS:
        text = house.content(HousePart.OPERATOR).get(fact.variable.lower())
        if text:
            facts[fact.field] = "" if text == DOES_NOT_APPLY else text
    return replace(stated, **facts)


def style_address() -> str:
    """The address of the style sheet with the colours of the house; empty without own ones."""
    accents = house_now().accents
    if accents is None:
        return ""
    return reverse("house_style", args=[each.removeprefix("#") for each in accents])


def board_address(board: HouseBoard | None) -> str:
    """The address of the style sheet with these colours of the board; empty without own ones."""
    return reverse("house_board", args=[board_key(board)]) if board else ""


def logo_shown() -> ShownLogo | None:
    """The logo of the house as pages show it; None in a house without one."""
    house = house_now()
    logo = house.logo
    if logo is None:
        return None
    address = reverse("house_logo", args=[logo.digest])
    return ShownLogo(address, logo.width, logo.height, alone=not house.name_beside_logo)
