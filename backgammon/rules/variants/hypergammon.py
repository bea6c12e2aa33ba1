"""Hypergammon: backgammon with three checkers a side."""

from backgammon.rules.naming import gettext_noop
from backgammon.rules.variant import Variant


class Hypergammon(Variant):
    """One checker each on 24, 23 and 22; in unlimited play gammons count only with the cube."""

    key = "hypergammon"
    name = gettext_noop("Hypergammon")
    setup = {24: 1, 23: 1, 22: 1}
    jacoby_by_default = True
