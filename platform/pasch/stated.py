"""The house and its operator as they are stated now: set at the desk, else by the environment."""

from dataclasses import replace

from django.conf import settings

from accounts.house.reader import house_now
from pasch.operator import Operator


def operator_now() -> Operator:
    """The facts about the house and its operator, some seconds old at most."""
    stated: Operator = settings.OPERATOR
    return replace(stated, house=house_now().name)
