"""Chouettes at which people sit, and hands that play them."""

import random

import pytest


@pytest.fixture
def chance() -> random.Random:
    return random.Random(7)
