"""Refusals of the services: what was wrong, and nothing has changed."""

from django.utils.translation import gettext_noop as _

from games.services.guests import GuestsPlayFree
from games.settlement import StakeNotPossible
from games.table.errors import BadTerms, NotSeated, TableError


class NoSuchChouette(TableError):
    """There is no such table."""

    code = "no_such_chouette"
    sentence = _("There is no such table.")
    staff_sentence = _("There is no such game.")


class ChouetteStale(TableError):
    """The decision that the command answers is not due any more; the view is old."""

    code = "stale"
    sentence = _("This decision is not due any more.")


class Closed(TableError):
    """The table is closed."""

    code = "chouette_closed"
    sentence = _("This table is closed.")


class GameOver(TableError):
    """The game has ended, and its stakes are paid."""

    code = "game_over"
    staff_sentence = _("The game has ended in the meantime, and its stakes are paid.")


class CrewSilent(TableError):
    """This person may not write to the crew of that game now; the message was sent to nobody."""

    code = "crew_silent"
    sentence = _("You cannot write to the crew now. Nobody received the message.")


class SitsElsewhere(TableError):
    """A person sits at one chouette at a time, `fields["circle"]`."""

    code = "sits_elsewhere"
    sentence = _("You sit at another chouette. Leave that one first.")


class NotAtChouette(NotSeated):
    """The person does not sit at this table."""

    sentence = _("You do not sit at this table.")


class BadChouetteTerms(BadTerms):
    """A chouette cannot be opened on these terms."""

    sentence = _("The house does not offer a chouette on these terms.")


class ChouettesNeedAccount(GuestsPlayFree):
    """Guests play at tables for two."""

    sentence = _("For a chouette you need an account.")


class ChouetteStakeNotPossible(StakeNotPossible):
    """The player's stake for a game cannot go into escrow; `fields["reason"]` is the books'."""

    code = "stake_not_possible"
    sentence = _("You do not have enough credits for the limit of a game.")
