"""From wishes to the terms of a table: the mode makes them, the table refuses bad ones."""

from games.modes.errors import BadWishes, UnknownMode
from games.modes.prices import Prices
from games.modes.registry import by_key
from games.modes.terms import Terms, Wishes
from games.table.errors import BadTerms


def terms_of(wishes: Wishes, prices: Prices) -> Terms:
    """The terms the house gives for these wishes.

    Raises `BadTerms`; its `fields["field"]` names the refused wish.
    """
    try:
        return by_key(wishes.mode).terms(wishes, prices)
    except UnknownMode as error:
        raise BadTerms(str(error), field="mode") from error
    except BadWishes as error:
        raise BadTerms(str(error), field=error.field) from error
    except ValueError as error:
        raise BadTerms(str(error)) from error
