"""The title of each check of the audit in the reader's language.

Stored audits have the titles in English; here they are only marked for translation.
"""

from typing import Final

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

TITLES: Final = (
    _("Every setting of the house keeps its rules and is as people decided it"),
    _("Every guard of the database is as the migrations made it"),
    _("All entries sum to zero"),
    _("Every transfer has the lines it announced, and they sum to zero"),
    _("No transfer without lines, no line without its transfer and account"),
    _("Every stored balance is the sum of its entries"),
    _("Every account's version is the number of its entries"),
    _("No account on the wrong side of zero"),
    _("Running balances go on without a gap"),
    _("Every escrow is decided once: full before, empty after"),
    _("Payouts, vouchers and adjustments are booked as they say"),
    _("A reversed or corrected transfer is mended by one of the same reference"),
    _("Every seal verifies, and is the one that was anchored"),
    _("Every snapshot is the sum it stands for"),
    _("Issued less paid out is wallets, escrows, holds and rake"),
    _("Every transfer's digest is that of its lines"),
    _("Every transfer moves credits only where its kind may, and by whom it may"),
    _("Every transfer has a row that justifies it"),
    _("Every welcome and warrant was booked, vouchers and adjustments stand in the journal"),
    _("Every payout has the steps and the journal entries that led to it"),
    _("Every watched row is its last logged version"),
    _("Every change of a guarded row is allowed and justified"),
    _("Every decision in the journal has its rows"),
    _("Conduct at tables follows from how the matches ended"),
    _("No limit of a player became wider before its day"),
    _("Every wallet is frozen or free as the journal says"),
    _("Nobody was made a superuser after their account was"),
    _("Every table follows from its events"),
    _("Every match paid what its ending says"),
    _("Every counted match was rated once"),
    _("Every transfer of a match has a match behind it"),
    _("Every tournament, its entries and meetings follow from its journal"),
    _("Every pool holds its fees, or was paid as the final standing says"),
    _("Every transfer of a tournament has an entry or an end behind it"),
    _("Every chouette, its people and its dice follow from its journal"),
    _("Every game of a chouette holds its stakes, or paid each pair as its points say"),
    _("Every transfer of a chouette has the shares of a game behind it"),
    _("Events, row, result and ratings of every match say the same"),
    _("Every right at the desk follows from a decision in force"),
    _("Every second person was another one at that time"),
    _("Every deleted account is closed, and has no name and no way in"),
    _("Every record of dice is believed, and lay on the board"),
    _("The log of openings is one chain"),
    _("Every game with anything of value to win has dice of mode L"),
    _("Every rating follows from the rating log"),
    _("No rows wait for a seal that later ones have"),
)


def check_title(title: str) -> str:
    """The title of a check; one without a translation stays as it is."""
    return gettext(title) if title else ""
