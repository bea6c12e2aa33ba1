"""Parts of pages that offer tables: what choices cost, tiles of quick games, saved settings."""

from collections import Counter
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db.models.fields.json import KeyTextTransform
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from msgspec.json import decode

from games.forms.names import CLOCK_NAMES, clock_label
from games.forms.quick import QuickForm
from games.forms.tables import TermsForm
from games.modes.registry import mode_of
from games.modes.terms import Terms
from games.offered import terms_open
from games.pages.words import terms_facts, terms_line, terms_words
from games.selectors import favourites_of, tables_open
from games.services.favourites import FAVOURITES_MAX, terms_played_last
from games.table.errors import BadTerms

#: as many of the tables that wait are counted for the tiles.
WAITING_MAX: Final = 100

Row = dict[str, Any]


def terms_card(form: TermsForm, balance_cents: int | None) -> Row:
    """A form with its choices, and what each of them costs and pays."""
    form.is_valid()
    chosen = form.data.get(form.choice.name) if form.choice else None
    choices = [
        {"key": key, "chosen": chosen == key, **_offer(terms, balance_cents)}
        for key, terms in form.offers()
    ]
    return {
        "form": form,
        "choices": mark_first(choices),
        "facts": terms_facts(form.terms) if form.terms else None,
        "house_prices": form.prices,
    }


def _offer(terms: Terms, balance_cents: int | None) -> Row:
    affordable = balance_cents is None or balance_cents >= terms.stake_cents
    return {"affordable": affordable, **terms_words(terms), **terms_facts(terms)}


def mark_first(choices: list[Row]) -> list[Row]:
    """Choose the first that the reader can pay, unless one is chosen."""
    if not any(choice["chosen"] and choice["affordable"] for choice in choices):
        payable = [choice for choice in choices if choice["affordable"]]
        if payable:
            payable[0]["chosen"] = True
    return choices


# --- quick games ----------------------------------------------------------------------------------


def quick_card(form: QuickForm, balance_cents: int | None, waiting: Counter[Terms]) -> Row:
    """A form of quick games with its tiles; each says how many others wait there."""
    form.is_valid()
    rows = [
        {
            "name": row_name(form, key),
            "tiles": [
                {
                    "value": f"{key}:{clock}",
                    "clock_label": clock_label(terms),
                    "waiting": waiting[terms],
                    **_offer(terms, balance_cents),
                }
                for clock, terms in tiles
            ],
        }
        for key, tiles in form.rows()
    ]
    return {"form": form, "rows": rows, "clocks": list(CLOCK_NAMES.values())}


class Waiting(NamedTuple):
    """A table that waits; `opener` has name and strength, as the table's `people` have them."""

    id: UUID
    opener_id: int
    opener: Row
    strength_span: int | None
    terms: Terms


def tables_waiting(most: int) -> list[Waiting]:
    """So many of the listed tables that wait, the oldest first: their terms without the states."""
    terms = KeyTextTransform("terms", "state")
    rows = tables_open().values_list("pk", "opener", "people", "strength_span", terms)[:most]
    return [
        Waiting(pk, opener, people[0], span, decode(text, type=Terms))
        for pk, opener, people, span, text in rows
    ]


def terms_waiting(besides: int | None) -> Counter[Terms]:
    """How many open tables wait with the same terms, of the oldest; not those of one person."""
    rows = tables_waiting(WAITING_MAX)
    return Counter(table.terms for table in rows if table.opener_id != besides)


def row_name(form: QuickForm, key: str) -> Row:
    """The heading of a row of tiles: a number and its unit; for credits nothing."""
    if form.with_credits:
        return {}
    points = form.row_wishes()[key].get("target_points")
    if points is None:
        return {"number": 1, "unit": _("game")}
    return {"number": points, "unit": ngettext("point", "points", points)}


# --- saved settings -------------------------------------------------------------------------------


def favourite_rows(user_id: int | None) -> list[Row]:
    """The settings a person has saved, each with its terms; None for those not offered now."""
    if user_id is None:
        return []
    return [
        {"id": favourite.pk, "name": favourite.name, **_favourite_terms(favourite.wishes)}
        for favourite in favourites_of(user_id)[:FAVOURITES_MAX]
    ]


def again_row(user_id: int | None) -> Row | None:
    """The terms that a person played by last, if the house still offers them."""
    terms = terms_played_last(user_id) if user_id is not None else None
    row = _favourite_terms(mode_of(terms).wishes_of(terms)) if terms else {"terms": None}
    return row if row["terms"] else None


def _favourite_terms(wishes: dict[str, object]) -> Row:
    try:
        terms = terms_open(**wishes)
    except BadTerms:
        return {"terms": None, "line": "", "stake_cents": 0}
    return {"terms": terms, "line": terms_line(terms), "stake_cents": terms.stake_cents}
