"""Money sessions: games by the point, one after the other, from one bank of each player."""

from collections.abc import Iterator
from typing import ClassVar, Final

import msgspec

from backgammon.rules.naming import gettext_noop
from games.modes.kinds.stake import Stake
from games.modes.mode import Bounds
from games.modes.prices import STAKE_CENTS_MOST, PriceFault, Prices
from games.modes.terms import BadWishes, Contest, Terms, Wishes

BANK_TIMES: Final = (20, 100)
"""The smallest and the largest bank, in base stakes; the smallest covers two games."""

BANK_TIMES_USUAL: Final = 30


class SessionMode(Stake):
    """Games of any variant at one base stake, until a player stops or a bank is short."""

    key = "session"
    place = 45
    name = gettext_noop("Money session")
    summary = gettext_noop("Game after game by the point at one stake, until either stops.")
    rules = (
        gettext_noop(
            "Games by the point at one base stake, one after the other. Each player brings a bank"
            " of 20 to 100 base stakes; it is reserved, and it is the most that can be lost. Every"
            " game moves what it is worth from bank to bank, less the rake of the winner, and costs"
            " at most %(factor_without_cube)s times the base stake without the cube and"
            " %(factor_with_cube)s times with it."
        ),
        gettext_noop(
            "Between two games either player may stop at no cost; both get back what is left of"
            " their banks. The next game begins when both are ready. The session ends by itself if"
            " that takes longer than 60 seconds, or if a bank no longer covers the most that a game"
            " can cost."
        ),
        gettext_noop(
            "Leaving during a game, or running out of time, loses this game at the largest score"
            " still possible; then the session ends."
        ),
    )
    examples_label = gettext_noop("What a game of a session pays with the cube at 1")
    preview_label = gettext_noop("Session, bank %(stake)s")
    contest: ClassVar[Contest] = "session"
    amounts = ("stake_cents", "bank_cents")

    def bounds(self, amount: str, prices: Prices) -> Bounds | None:
        """Those of a base stake, and of a bank at some base stake."""
        base = super().bounds(amount, prices)
        if amount != "bank_cents" or base is None:
            return base
        least_times, most_times = BANK_TIMES
        return Bounds(
            least_times * base.least,
            min(most_times * base.most, STAKE_CENTS_MOST),
            times_of="stake_cents",
            least_times=least_times,
            most_times=most_times,
        )

    def amounts_of(self, terms: Terms) -> dict[str, int]:
        """The base stake and the bank."""
        return {"stake_cents": terms.rate_cents, "bank_cents": terms.stake_cents}

    def price_faults(self, prices: Prices) -> Iterator[PriceFault]:
        """Free stakes use the same figures and name what is wrong with them."""
        yield from ()

    def offer(self, wishes: Wishes, prices: Prices) -> Terms:
        game = super().offer(wishes, prices)
        least, most = banks_cents(wishes.stake_cents)
        bank_cents = wishes.bank_cents or usual_bank_cents(wishes.stake_cents)
        if not least <= bank_cents <= most:
            raise BadWishes(
                f"a bank at this base stake lies between {least} and {most} cents,"
                f" {bank_cents} does not",
                field="bank_cents",
            )
        return msgspec.structs.replace(
            game,
            games_max=0,
            stake_cents=bank_cents,
            game_limit_cents=min(game.stake_cents, bank_cents),
        )


def banks_cents(base_cents: int) -> tuple[int, int]:
    """The smallest and the largest bank at a base stake; empty if the smallest is too large."""
    least, most = (times * base_cents for times in BANK_TIMES)
    return least, min(most, STAKE_CENTS_MOST)


def usual_bank_cents(base_cents: int) -> int:
    """The bank at a base stake where none is wished."""
    return min(BANK_TIMES_USUAL * base_cents, banks_cents(base_cents)[1])


MODE = SessionMode()
