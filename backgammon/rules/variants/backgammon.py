"""Standard backgammon; every other variant is defined by its differences from this one."""

from backgammon.rules.families import WithOptionalRules
from backgammon.rules.naming import gettext_noop


class Backgammon(WithOptionalRules):
    """Two checkers on 24, five on 13, three on 8, five on 6; hits, cube, three levels."""

    key = "backgammon"
    name = gettext_noop("Backgammon")
