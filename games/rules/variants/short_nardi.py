"""Short Nardi, the Russian name of standard backgammon."""

from games.rules.families.optional import WithOptionalRules


class ShortNardi(WithOptionalRules):
    """Standard backgammon under its own label, so that lobby and ratings can tell them apart."""

    key = "short_nardi"
