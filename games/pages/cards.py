"""Parts of pages that offer tables: what choices cost, tiles of quick games, saved settings."""

from collections.abc import Mapping
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.forms.names import CLOCK_NAMES, clock_label
from games.forms.quick import QuickForm
from games.forms.tables import TermsForm
from games.models import Table
from games.modes.registry import mode_of
from games.modes.terms import Terms
from games.offered import terms_open
from games.pages.words import terms_facts, terms_line, terms_words
from games.selectors import favourites_of
from games.selectors_lobby import OPEN, TERMS_TEXT, terms_read
from games.services.favourites import FAVOURITES_MAX, terms_played_last
from games.table.errors import BadTerms
from kit.paging import KeyPage

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


def quick_card(form: QuickForm, balance_cents: int | None, waiting: Mapping[Terms, int]) -> Row:
    """A form of quick games with its tiles; each says how many others wait there."""
    form.is_valid()
    rows = [
        {
            "name": row_name(form, key),
            "tiles": [
                {
                    "value": f"{key}:{clock}",
                    "clock_label": clock_label(terms),
                    "waiting": waiting.get(terms, 0),
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


def tables_waiting(asked: Mapping[str, str], most: int, found: QuerySet[Table]) -> KeyPage[Waiting]:
    """The page of these tables that an address asks for: their terms without the states."""
    rows: QuerySet[Any] = found.values_list(
        "id", "created_at", "opener_id", "people", "strength_span", TERMS_TEXT, named=True
    )
    page = OPEN.page(asked, most, rows)
    tables = [
        Waiting(row.id, row.opener_id, row.people[0], row.strength_span, terms_read(row[-1]))
        for row in page
    ]
    return KeyPage(tables, page.above, page.below)


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
