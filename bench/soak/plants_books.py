"""The planted faults of the books: wrong amounts, reasons and people."""

from collections.abc import Callable
from typing import Any, Final

from bench.soak.swapping import swap


def _rake_apart() -> None:
    from django.db import transaction

    from games import settlement
    from ledger.postings import HOUSE_RAKE, escrow_key, lines_of
    from ledger.services.books import escrow_resolve, transfer_post

    def apart(match: Any, paid: Any, *, kind: Any) -> None:
        if not match.stake_cents:
            return
        players = zip(match.players, paid.paid_cents, strict=True)
        reference, rake = match.reference, paid.rake_cents
        payouts = {user_id: cents for user_id, cents in players if cents}
        escrow_resolve(reference=reference, payouts=payouts, rake_cents=0, kind=kind)
        amounts = {escrow_key(reference): -rake, HOUSE_RAKE: rake}

        def later() -> None:
            transfer_post(
                key=f"{reference}:rake", kind="result", reference=reference, lines=lines_of(amounts)
            )

        if rake:
            transaction.on_commit(later)

    swap(settlement, "_pay", apart)


def _rake_rounded_up() -> None:
    from games import settlement
    from games.prizes import MatchPayout

    right = settlement._pay

    def rounded_up(match: Any, paid: MatchPayout, *, kind: Any) -> None:
        bps, least = match.terms["rake_bps"], min(paid.paid_cents)
        raked = match.stake_cents - least if match.terms["rate_cents"] else 2 * match.stake_cents
        uneven = bool(paid.rake_cents and raked * bps % 10_000)
        right(
            match,
            MatchPayout(paid.paid_cents, paid.rake_cents + uneven, paid.rated_points),
            kind=kind,
        )

    swap(settlement, "_pay", rounded_up)


def _approver_in_the_form() -> None:
    from ledger.services import payouts

    right = payouts._locked_for

    def trusting(*args: Any) -> Any:
        payout = right(*args)
        payout.four_eyes = False
        return payout

    swap(payouts, "_locked_for", trusting)


def _transfer_without_a_reason() -> None:
    import uuid

    from django.db import transaction

    from games import settlement
    from ledger.postings import lines_of, promo_key, wallet_key
    from ledger.services.books import transfer_post

    right = settlement._pay

    def generous(match: Any, paid: Any, *, kind: Any) -> None:
        right(match, paid, kind=kind)
        winner = wallet_key(match.players[0])

        def later() -> None:
            transfer_post(
                key=f"voucher:{uuid.uuid4().int % 10**12}",
                kind="voucher",
                reference="promo:vouchers",
                lines=lines_of({promo_key("vouchers"): -100, winner: 100}),
            )

        transaction.on_commit(later)

    swap(settlement, "_pay", generous)


def _seal_left_out() -> None:
    from ledger import seals

    every = seals.streams
    swap(seals, "streams", lambda: [each for each in every() if each.name != "transfer"])


def _second_person_is_the_first() -> None:
    from ledger.services import proposals

    right = proposals.two_people_check

    def trusting(*, first_id: int, second: Any, **more: Any) -> None:
        if first_id != second.pk:
            right(first_id=first_id, second=second, **more)

    swap(proposals, "two_people_check", trusting)


PLANTS: Final[dict[str, Callable[[], None]]] = {
    "rake_apart": _rake_apart,
    "rake_rounded_up": _rake_rounded_up,
    "approver_in_the_form": _approver_in_the_form,
    "transfer_without_a_reason": _transfer_without_a_reason,
    "seal_left_out": _seal_left_out,
    "second_person_is_the_first": _second_person_is_the_first,
}
