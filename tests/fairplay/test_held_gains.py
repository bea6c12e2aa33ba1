"""A hold is never above what its winner won of the others in the case, where more than two play."""

from itertools import permutations
from math import ceil

import pytest
from django.db import IntegrityError, connection, transaction
from django.db.models import F

from fairplay.models import Case
from fairplay.screening import results_screen
from ledger.audit import run
from ledger.models import Hold
from ledger.selectors import wallet_balance
from tests.aging import rows_age
from tests.fairplay.test_gains import chouette, four, sit_and_go

pytestmark = pytest.mark.django_db(transaction=True)

__all__ = ["four"]

ABOVE = "is more than was won of the others whom its case accuses"


def held_again(hold: Hold, cents: int) -> None:
    """Place this hold anew, with another amount; nothing of it stays."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        Hold.objects.filter(pk=hold.pk).delete()
        cursor.execute("SET LOCAL session_replication_role = origin")
        Hold.objects.create(
            user_id=hold.user_id,
            reference=hold.reference,
            amount_cents=cents,
            reason_class=hold.reason_class,
            placed_at=hold.placed_at,
            ends_at=hold.ends_at,
        )
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        transaction.set_rollback(True)


def at_most(hold: Hold, cents: int) -> None:
    """The guard lets so much be held and no cent more, and the audit says so."""
    held_again(hold, cents)
    with pytest.raises(IntegrityError, match="more than was won"):
        held_again(hold, cents + 1)
    rows_age(Hold.objects.filter(pk=hold.pk), amount_cents=cents)
    assert found() == []
    rows_age(Hold.objects.filter(pk=hold.pk), amount_cents=F("amount_cents") + 1)
    assert [message.split(",")[0] for message in found()] == [ABOVE]
    rows_age(Hold.objects.filter(pk=hold.pk), amount_cents=hold.amount_cents)


def found() -> list[str]:
    return [each.message for result in run(("A24",)).results for each in result.findings]


def test_of_a_tournament_an_equal_part_of_each_who_won_less(four, dice):
    dice((3, 1), (4, 2))
    sit_and_go(four[0], four[1:])
    results_screen()
    held = Hold.objects.filter(user=four[0], reference__contains=":tournament:")
    won_cents = wallet_balance(four[0].pk) - 2_000
    assert held.count() == 3
    for hold in held:
        at_most(hold, ceil(won_cents / 3))


def test_of_a_chouette_what_the_member_lost_and_of_its_captain_what_all_lost(four, dice):
    dice((3, 1), (4, 2), (6, 5))
    game = chouette(four[0], four[1:])
    results_screen()
    lost = {each.user_id: each.stake_cents - each.paid_cents for each in game.shares.all()}
    won_cents = -lost.pop(game.box_id)
    assert won_cents < sum(lost.values()), "the house took its rake"
    held = Hold.objects.filter(user=game.box_id, reference__contains=":chouette:")
    assert held.count() == 3
    for hold in held:
        case = Case.objects.get(pk=hold.reference.split(":")[1])
        (giver,) = case.parties.exclude(user=game.box_id).values_list("user_id", flat=True)
        at_most(hold, won_cents if giver == game.captain_id else lost[giver])


def test_of_a_chouette_a_member_wins_of_the_box_alone(four, dice):
    dice((3, 1), (4, 2), (6, 5))
    game = chouette(four[0], four[1:], loses=False)
    won = {each.user_id: each.paid_cents - each.stake_cents for each in game.shares.all()}
    with connection.cursor() as cursor:
        for taker, giver in permutations(set(won) - {game.box_id}, 2):
            for of, cents in ((game.box_id, won[taker]), (giver, 0)):
                cursor.execute("SELECT gained_from_chouette(%s, %s, %s)", [str(game.pk), taker, of])
                assert cursor.fetchone() == (cents,)
    assert min(cents for user, cents in won.items() if user != game.box_id) > 0
