"""The games of one press: a tile for each length, by the chosen pace and stake."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.forms.names import CLOCK_NAMES, VARIANT_NAMES
from games.modes.registry import by_key
from games.modes.terms import Terms
from games.offered import USUAL_VARIANT, choices_offered, terms_open, variant_usual
from games.pages.counts import paces_now, terms_waiting
from games.selectors import prices
from games.table.errors import BadTerms

Row = dict[str, Any]

#: a tile's name, the points it is played to, and its mode where it is free
GAMES: Final = (
    (gettext_lazy("One game"), 1, "normal"),
    (gettext_lazy("Match to 3"), 3, "match"),
    (gettext_lazy("Match to 5"), 5, "match"),
    (gettext_lazy("Match to 7"), 7, "match"),
)
USUAL_PACE: Final = "normal"
STAKED: Final = "match"
"""The mode of the tiles for credits."""
STAKES_MAX: Final = 4
"""As many stakes can be chosen above the tiles; every stake is on the page with all rules."""


@dataclass(frozen=True, slots=True)
class WaysChosen:
    """The pace and the stake of the tiles; `stake_cents` is 0 where they are free."""

    pace: str = USUAL_PACE
    stake_cents: int = 0

    @property
    def wishes(self) -> dict[str, Any]:
        """The wishes that the choice states, for the form with every rule."""
        staked = {"mode": STAKED, "stake_cents": self.stake_cents} if self.stake_cents else {}
        return {**staked, "clock": self.pace}

    def address(self, **changed: Any) -> str:
        """The address of the lobby with this choice, and what is changed in it."""
        chosen = {**self.asked, **changed}
        query = urlencode({name: value for name, value in chosen.items() if value})
        return reverse("lobby") + (f"?{query}" if query else "")

    @property
    def asked(self) -> dict[str, str]:
        """The choice as an address has it; empty what is usual."""
        return {
            "pace": "" if self.pace == USUAL_PACE else self.pace,
            "stake": str(self.stake_cents or ""),
        }


def choice_of(asked: Mapping[str, str], stakes: tuple[int, ...]) -> WaysChosen:
    """The choice that an address states; what does not exist is as without it."""
    pace, stake = asked.get("pace", ""), asked.get("stake", "")
    cents = next((cents for cents in stakes if str(cents) == stake), 0)
    return WaysChosen(pace if pace in CLOCK_NAMES else USUAL_PACE, cents)


def stakes_offered() -> tuple[int, ...]:
    """The lowest stakes of a match in this house, in cents; empty where it is never staked."""
    offered = choices_offered(by_key(STAKED), prices())
    stakes = sorted({wishes.get("stake_cents", 0) for wishes in offered.values()} - {0})
    return tuple(filter(_is_offered, stakes))[:STAKES_MAX]


def _is_offered(stake_cents: int) -> bool:
    variant = variant_usual(by_key(STAKED))
    try:
        terms_open(mode=STAKED, variant=variant, stake_cents=stake_cents)
    except BadTerms:
        return False
    return True


def tiles(person_id: int | None, choice: WaysChosen, balance_cents: int | None) -> list[Row]:
    """The tiles that the house offers; the one where most people wait is golden, else the first."""
    waiting = terms_waiting(person_id)
    rows = [row for game in GAMES for row in _tile(*game, choice, waiting, balance_cents)]
    if rows:
        # of equals the first
        most = max(rows, key=lambda row: (row["affordable"], row["waiting"]))
        most["golden"] = most["affordable"]
    return rows


def _tile(
    name: object,
    points: int,
    mode_key: str,
    choice: WaysChosen,
    waiting: Mapping[Terms, int],
    balance_cents: int | None,
) -> Iterator[Row]:
    mode = by_key(STAKED if choice.stake_cents else mode_key)
    variant = variant_usual(mode)
    wishes: Row = {"mode": mode.key, "variant": variant, "clock": choice.pace}
    if mode.lengths:
        wishes["target_points"] = points
    if choice.stake_cents:
        wishes["stake_cents"] = choice.stake_cents
    try:
        terms = terms_open(**wishes)
    except BadTerms:
        return
    minutes = paces_now().minutes(points, choice.pace)
    yield {
        "name": name,
        "stones": range(points),
        "variant_name": "" if variant == USUAL_VARIANT else VARIANT_NAMES[variant],
        "fields": {**wishes, **({"for": "credits"} if choice.stake_cents else {})},
        "minutes": minutes,
        "stake_cents": choice.stake_cents,
        "waiting": waiting.get(terms, 0),
        "affordable": not choice.stake_cents or (balance_cents or 0) >= choice.stake_cents,
        "golden": False,
    }


def paces_of(choice: WaysChosen) -> list[Row]:
    """The paces to choose from, each with the address that chooses it."""
    return [
        {
            "name": name,
            "address": choice.address(pace="" if key == USUAL_PACE else key),
            "chosen": key == choice.pace,
        }
        for key, name in CLOCK_NAMES.items()
    ]


def stakes_of(choice: WaysChosen, stakes: tuple[int, ...]) -> list[Row]:
    """The stakes to choose from, 0 for a free game; empty where all games are free."""
    return [
        {
            "cents": cents,
            "address": choice.address(stake=cents),
            "chosen": cents == choice.stake_cents,
        }
        for cents in ((0, *stakes) if stakes else ())
    ]


def wait_words() -> str:
    """How long people wait for a game here; without enough games of the last week nothing."""
    seconds = paces_now().wait_seconds
    if seconds is None:
        return ""
    if seconds <= 90:
        shown = max(10, -(-seconds // 10) * 10)
        return _("You rarely wait longer than %(seconds)s seconds.") % {"seconds": shown}
    minutes = -(-seconds // 60)
    text = ngettext(
        "You rarely wait longer than %(minutes)s minute.",
        "You rarely wait longer than %(minutes)s minutes.",
        minutes,
    )
    return text % {"minutes": minutes}
