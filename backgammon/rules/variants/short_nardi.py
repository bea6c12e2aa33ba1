"""Short Nardi, the Russian name of standard backgammon."""

from backgammon.rules.families import WithOptionalRules
from backgammon.rules.naming import gettext_noop


class ShortNardi(WithOptionalRules):
    """Standard backgammon under its own label, so that lobby and ratings keep them apart."""

    key = "short_nardi"
    name = gettext_noop("Short Nardi")
