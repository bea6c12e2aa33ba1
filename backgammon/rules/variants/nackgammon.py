"""Nackgammon, Nack Ballard's setup: longer games with more back checkers."""

from backgammon.rules.families import WithOptionalRules
from backgammon.rules.naming import gettext_noop


class Nackgammon(WithOptionalRules):
    """Four back checkers instead of two; all else is standard."""

    key = "nackgammon"
    name = gettext_noop("Nackgammon")
    setup = {24: 2, 23: 2, 13: 4, 8: 3, 6: 4}
