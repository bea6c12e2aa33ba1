"""S7: one account loses to another at once, and the winner requests a payout of the credits.

Seconds after the sign-up, 90 credits had changed hands and could be paid out, and nothing was
marked. Locked credits stay locked with their winner (tests/ledger/test_promo.py); the desk marks
other credits, and a marked payout is approved only with a remark.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.login_marks import marks_note
from accounts.models import User
from fairplay.models import Case, Screening
from fairplay.screening import results_screen
from games.chouette import commands as at_chouette
from games.chouette.models import Game
from games.chouette.services.opening import circle_open
from games.chouette.services.playing import chouette_command
from games.models import Match
from games.services.bars import Barred, Linked, OpenerBarred
from games.services.tables import table_join, table_open
from games.table import commands as cmd
from games.table.errors import TableError
from harness.chouettes import circle_sit
from harness.processes import Processes
from harness.sitting import Sitting
from harness.waiting import wait_until
from harness.wallets import credits_bought, mailbox_proved, payout_asked
from ledger.errors import CreditsHeld, ResultsUnchecked
from ledger.models import JournalEntry, Payout, PayoutState
from ledger.selectors import held_cents, wallet_balance
from ledger.selectors_player import payable
from tests.desk.conftest import at_desk
from tournaments.models import Meeting, Phase, Tournament
from tournaments.services.entering import meeting_ready, tournament_enter

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.fixture
def handed_over(dice: Callable[..., None], settings: Any) -> tuple[User, User]:
    """The second account lost 5 of its 8 credits to the first one, which asks for a payout."""
    settings.LEDGER_WELCOME_CENTS = 0
    dice((3, 1), (4, 2))
    first, second = User.objects.create_user("first"), User.objects.create_user("second")
    for number, user in enumerate((first, second)):
        credits_bought(user, (5_000, 800)[number])
        UserSession.objects.create(
            user=user, ip="192.0.2.7", session_key=f"key{number}", user_agent=""
        )
    mailbox_proved(first)
    table = table_open(user=first, mode="prize5", stake_cents=500)
    table_join(user=second, table_id=table.pk)
    sitting = Sitting(table, (first, second))
    sitting.turn()
    sitting.give(1, cmd.Leave())
    return first, second


def test_two_accounts_of_one_address_do_not_get_that_far(dice: Callable[..., None]) -> None:
    """They log in from one network, so they cannot meet for credits."""
    dice((3, 1), (4, 2))
    first, second = User.objects.create_user("first"), User.objects.create_user("second")
    for number, user in enumerate((first, second)):
        credits_bought(user, 5_000)
        marks_note(user.pk, browser=f"browser {number}", address="9.9.9.9")
    table = table_open(user=first, mode="single", rate_cents=200, limit_cents=2_000)
    with pytest.raises(Linked):
        table_join(user=second, table_id=table.pk)


def approve(administrator: Client, payout: Payout, remark: str) -> str:
    """Press Approve and return the text of the next page."""
    address = reverse("desk:payout_approve", args=[payout.pk])
    return administrator.post(address, {"reason": remark}, follow=True).content.decode()


def test_what_was_handed_over_is_held_before_it_can_be_paid_out(
    handed_over: tuple[User, User],
) -> None:
    first, second = handed_over
    with pytest.raises(ResultsUnchecked):  # before anything has looked at it
        payout_asked(first, 5_300, key="at once")
    results_screen()
    with pytest.raises(CreditsHeld):
        payout_asked(first, 5_300, key="seconds later")
    assert held_cents(first.pk) == 400  # the stake of the other, less the rake
    case = Case.objects.get()
    assert set(case.parties.values_list("user_id", flat=True)) == {first.pk, second.pk}


def test_the_desk_marks_what_was_handed_over(handed_over: tuple[User, User], anna: User) -> None:
    first, second = handed_over
    payout = payout_asked(first, 2_000)
    page = at_desk(anna).get(reverse("desk:payout", args=[payout.pk])).content.decode()
    marks = page.partition('data-testid="origin-marks"')[2].partition("</ul>")[0]
    assert marks.count("<li>") == 4
    assert second.username in page.partition('data-testid="origins"')[2]


def test_nobody_approves_it_without_a_remark(handed_over: tuple[User, User], anna: User) -> None:
    payout = payout_asked(handed_over[0], 2_000)
    desk = at_desk(anna)
    assert "say in the remark what you found" in approve(desk, payout, "")
    assert Payout.objects.get().state == PayoutState.REQUESTED
    approve(desk, payout, "asked both, they are a family")
    assert Payout.objects.get().state == PayoutState.APPROVED
    entry = JournalEntry.objects.get(subject=payout.reference)
    assert entry.reason == "asked both, they are a family"


def test_credits_that_were_a_present_cannot_be_paid_to_the_winner(
    dice: Callable[..., None], settings: object
) -> None:
    settings.LEDGER_WELCOME_CENTS = 10_000
    first, second = User.objects.create_user("first"), User.objects.create_user("second")
    dice((3, 1), (4, 2))
    table = table_open(user=first, mode="single", rate_cents=200, limit_cents=2_000)
    table_join(user=second, table_id=table.pk)
    sitting = Sitting(table, (first, second))
    sitting.turn()
    sitting.give(1, cmd.Leave())
    assert payable(first.pk).balance_cents > 10_000
    assert payable(first.pk).payable_cents == 0


# --- by four --------------------------------------------------------------------------------------
START_CENTS = 30_000
MOVED_CENTS = 5_000
MATCH = {"mode": "match", "stake_cents": 1_000, "target_points": 3}
SESSION = {"mode": "session", "stake_cents": 300, "bank_cents": 6_000}
ROLLS = [(3, 1), (4, 2), (6, 5)]

Four = tuple[User, User, User, User]


@pytest.fixture
def house(transactional_db: None, tmp_path: Path) -> Iterator[Processes]:
    with Processes(tmp_path, ROLLS) as house:
        house.start("web", "worker", "beat")
        yield house


@pytest.fixture
def four(transactional_db: None, settings: Any) -> Callable[[str], Four]:
    """Make four accounts with 50 credits each."""
    settings.LEDGER_WELCOME_CENTS = 0

    def make(way: str) -> Four:
        people = []
        for number in range(4):
            user = User.objects.create_user(f"{way}{number}")
            mailbox_proved(user)
            credits_bought(user, START_CENTS)
            people.append(user)
        taker, one, two, three = people
        return taker, one, two, three

    return make


def begun(giver: User, taker: User, **terms: Any) -> Sitting:
    """A match or a session after its first turn."""
    table = table_open(user=giver, **terms)
    table_join(user=taker, table_id=table.pk)
    at_table = Sitting(table, (giver, taker))
    at_table.turn()
    return at_table


def sit_and_go(taker: User, *givers: User) -> str:
    """The house's own, for 2.50: everybody leaves for the taker, and before for each other."""
    tournament = wait_until(lambda: Tournament.objects.filter(offer="four-3-credits").first())
    people = {user.pk: user for user in (taker, *givers)}
    for user in people.values():
        tournament_enter(user=user, tournament_id=tournament.pk)
    waiting = Meeting.objects.filter(tournament=tournament, decided_at=None, undone=False)
    for number in (1, 2, 3):
        meeting = wait_until(lambda: waiting.order_by("number").first())
        for player in meeting.players:
            meeting_ready(user=people[player], tournament_id=tournament.pk)
        meeting.refresh_from_db()
        at_table = Sitting(meeting.table, tuple(people[each] for each in meeting.players))
        at_table.turn()
        at_table.give(0 if meeting.players[1] == taker.pk else 1, cmd.Leave())
        decided = Meeting.objects.filter(tournament=tournament, decided_at__isnull=False)
        wait_until(lambda many=number, found=decided: found.count() == many)
    wait_until(lambda: Tournament.objects.get(pk=tournament.pk).phase == Phase.OVER)
    return tournament.reference


def chouette_begun(taker: User, *givers: User) -> Game:
    """A game at 1.00 a point whose dice have fallen."""
    circle = circle_open(user=taker, rate_cents=100, limit_points=16)
    for giver in givers:
        circle_sit(user=giver, circle_id=circle.pk)
    chouette_command(user=taker, circle_id=circle.pk, command=at_chouette.StartGame())
    return wait_until(lambda: Game.objects.filter(circle=circle, next_roll__gt=0).first())


def chouette_given_up(game: Game, *givers: User) -> None:
    """Everybody stands up but for the taker."""
    for giver in givers:
        with suppress(TableError):  # the game ends once nobody plays it
            chouette_command(user=giver, circle_id=game.circle_id, command=at_chouette.StandUpNow())


def test_nothing_that_four_accounts_move_is_payable(
    house: Processes, four: Callable[[str], Four], dice: Callable[..., None]
) -> None:
    dice(*ROLLS)
    taker, *givers = four("player")
    game = chouette_begun(taker, *givers)
    tables = [begun(giver, taker, **terms) for giver in givers for terms in (MATCH, SESSION)]
    event = sit_and_go(taker, *givers)
    chouette_given_up(game, *givers)
    for at_table in tables:
        at_table.give(0, cmd.Leave())
    matches = Match.objects.filter(table__in=[each.table.pk for each in tables])
    references = {event, game.reference, *(match.reference for match in matches)}
    assert len(references) == 2 + 2 * len(givers)
    assert wallet_balance(taker.pk) - START_CENTS >= MOVED_CENTS, "it is in the wallet"
    seen = Screening.objects.filter(reference__in=references).values("reference").distinct()
    wait_until(lambda: seen.count() == len(references))
    assert payable(taker.pk).payable_cents <= START_CENTS
    with pytest.raises((CreditsHeld, ResultsUnchecked)):
        payout_asked(taker, START_CENTS + 1)
    assert Case.objects.filter(parties__user=taker, closed_at=None).exists(), "people look"
    with pytest.raises((Barred, OpenerBarred)):  # the giver has left matches
        begun(givers[0], taker, **MATCH)

    honest, other = (four("honest")[0], four("other")[0])
    User.objects.filter(pk__in=(honest.pk, other.pk)).update(
        date_joined=timezone.now() - timedelta(days=400)
    )
    at_table = begun(other, honest, mode="prize5", stake_cents=500)
    Match.objects.filter(table=at_table.table).update(
        started_at=timezone.now() - timedelta(minutes=9)
    )
    at_table.give(0, cmd.Leave())
    wait_until(lambda: payable(honest.pk).payable_cents == START_CENTS + 400)
