"""S7: four accounts move 50 credits to one of them, by every way in which credits change hands.

In a house of real processes: they screen, draw, call and roll; the four only play. They begin all
their games before they give one up, since they are kept apart seconds later. Nothing that the taker
gained can be paid out before people have looked, and an honest winner is clear in seconds.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from fairplay.models import Case, Screening
from games.chouette import commands as at_chouette
from games.chouette.models import Game
from games.chouette.services.opening import circle_open
from games.chouette.services.playing import chouette_command
from games.models import Match
from games.services.bars import Barred, OpenerBarred
from games.services.tables import table_join, table_open
from games.table import commands as cmd
from games.table.errors import TableError
from harness.chouettes import circle_sit
from harness.processes import Processes
from harness.sitting import Sitting
from harness.waiting import wait_until
from harness.wallets import credits_bought, mailbox_proved, payout_asked
from ledger.errors import CreditsHeld, ResultsUnchecked
from ledger.selectors import wallet_balance
from ledger.selectors_player import payable
from tournaments.models import Meeting, Phase, Tournament
from tournaments.services.entering import meeting_ready, tournament_enter

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

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
