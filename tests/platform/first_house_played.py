"""What happens in a house of the first public version; runs with the code of that version.

`first_house.py` runs it in a worktree of that version, so its imports are those of the version,
and not today's. It prints the secrets of the players who play on, as JSON.
"""

import json
import sys
from collections.abc import Callable, Iterable
from datetime import timedelta
from itertools import cycle
from typing import Any

import django

django.setup()

# ruff: noqa: E402 (Django is set up first)
from django.utils import timezone
from games.services.dice_statistics import statistics_make

from accounts.models import User
from accounts.roles import Role
from games.models import ChatMeasure, HousePrices
from games.services.administration import match_adjudicate, match_void
from games.services.challenges import challenge_make
from games.services.chat import message_say, mute_set
from games.services.chat_reports import message_report, report_close
from games.services.outages import SWEEP, WEB, heartbeat
from games.services.practice import bot_answer, practice_open
from games.services.tables import table_join, table_open
from games.table import commands as cmd
from ledger import services as books
from ledger.tasks import audit, seal, snapshot
from pasch.staff import role_change
from tests.services import endings
from tests.services.chains import Client
from tests.services.sitters import Sitters, _turn

PLAYERS = ("magriel", "hilde", "tilo", "oswald", "nack", "falafel")
STAKE_CUBE = endings.STAKE_CUBE
Act = Callable[[Sitters], Any]


class Seats(Sitters):
    """Two people of the house at a table, with their programs where they take part in the dice."""

    def __init__(self, opener: User, guest: User | None, **wishes: Any) -> None:
        if guest is None:
            table = practice_open(user=opener, **wishes)
            guest = User.objects.get(pk=table.guest_id)
        else:
            table = table_open(user=opener, **wishes)
            table_join(user=guest, table_id=table.pk)
        self.pk, self.players = table.pk, (opener, guest)
        self.clients = [Client(user, seat) for seat, user in enumerate(self.players)]

    def played_by_programs(self, turns: int = 400) -> None:
        """So many turns, each roll with the parts of both; at most to the end of the match."""
        for _ in range(turns):
            if self.state.phase in ("over", "closed"):
                return
            if self.state.phase == "between_games":
                for seat in (0, 1):
                    self.give(seat, cmd.Ready())
            if self.table.fair["next"] == 0 and self.table.fair["open"] is None:
                self.begin_dice()
            self.turn_with_parts()

    def begin_dice(self) -> None:
        """Both programs fix their parts in the dice of the game."""
        for client in self.clients:
            client.begin(self.table)
        if self.table.fair["mode"] == "K":
            for client in self.clients:
                client.reveal(self.table)

    def turn_with_parts(self) -> None:
        """A roll, if one is due, and a play."""
        state, chains = self.state, self.table.fair["mode"] == "L"
        if state.phase == "roll":
            client = self.clients[state.game.on_roll]
            roll = client.roll(self.table) if chains else cmd.Roll()
            self.give(state.game.on_roll, roll)
        while self.state.phase == "rolling":
            self.clients[self.table.fair["wanted"].index(True)].answer(self.table)
        if self.state.phase == "play":
            self.turn()

    def doubled_by_programs(self) -> None:
        """Turns until somebody may double; they do, and the other takes."""
        self.played_by_programs(1)
        while self.state.phase != "roll":
            self.turn_with_parts()
        seat = self.state.decider
        self.give(seat, cmd.Double())
        self.give(1 - seat, cmd.Take())

    def turn(self) -> None:
        """The first legal play, in any variant."""
        self._at_once(_turn)


# --- people and credits ---------------------------------------------------------------------------
def staff_made() -> dict[str, User]:
    """Two administrators from the server give two roles at the desk, and take one back."""
    made = {name: User.objects.get(username=name) for name in ("anna", "bert")}
    roles = {"ida": Role.MODERATOR, "tess": Role.TREASURER, "gone": Role.TREASURER}
    for name, role in roles.items():
        made[name] = User.objects.create_user(name, f"{name}@example.org")
        give(made["anna"], made[name], role)
    give(made["bert"], made["gone"], None)
    return {name: User.objects.get(pk=user.pk) for name, user in made.items()}


def give(actor: User, user: User, role: Role | None) -> None:
    role_change(
        user_id=user.pk, role=role, actor=actor, reason="as agreed", verified_at=timezone.now()
    )


def credits_given(staff: dict[str, User], players: list[User]) -> None:
    """Vouchers redeemed, open, revoked; adjustments up and down, in every state."""
    anna, bert, tess = (staff[name] for name in ("anna", "bert", "tess"))
    made = books.voucher_make(actor=tess, amount_cents=12_000, count=8, note="the opening")
    for user, voucher in zip(players, made, strict=False):
        books.voucher_redeem(user=user, code=voucher.code)
    books.voucher_revoke(voucher_id=made[-1].voucher.pk, actor=tess, reason="printed twice")
    for number, (user, cents) in enumerate(((players[0], 1500), (players[1], -250))):
        books.adjustment_propose(
            actor=anna, user=user, amount_cents=cents, reason="a mistake", client_key=f"a{number}"
        )
    large = [
        books.adjustment_propose(
            actor=anna, user=user, amount_cents=50_000, reason="a prize", client_key=f"l{number}"
        )
        for number, user in enumerate(players[:3])
    ]
    books.adjustment_approve(adjustment_id=large[0].pk, actor=bert)
    books.adjustment_refuse(adjustment_id=large[1].pk, actor=bert, reason="not agreed")


def payouts_made(staff: dict[str, User], player: User, other: User) -> None:
    """A payout in each state."""
    anna, bert, now = staff["anna"], staff["bert"], timezone.now()
    asked = {
        state: books.payout_request(
            user=player, amount_cents=200 + n, destination="DE00 test", client_key=state
        )
        for n, state in enumerate(("approved", "paid", "declined", "failed", "cancelled"))
    }
    books.payout_request(user=other, amount_cents=300, destination="DE00 test", client_key="r")
    for state in ("approved", "paid", "failed"):
        books.payout_approve(payout_id=asked[state].pk, actor=anna, verified_at=now)
    books.payout_settle(payout_id=asked["paid"].pk, actor=bert, verified_at=now, receipt="TX 1")
    books.payout_decline(
        payout_id=asked["declined"].pk, actor=bert, verified_at=now, reason="another name"
    )
    books.payout_fail(payout_id=asked["failed"].pk, actor=bert, verified_at=now, reason="returned")
    books.payout_cancel(payout_id=asked["cancelled"].pk, user=player)


def moderated(staff: dict[str, User], table: Seats) -> None:
    """Talk, two complaints of which one is decided, a mute, a freeze that has ended, a stop."""
    ida, anna = staff["ida"], staff["anna"]
    magriel, hilde = table.players
    message_say(table_id=table.pk, user_id=magriel.pk, client_id="1", phrase="good_luck")
    for number, text in enumerate(("Sore loser!", "You always roll doubles.")):
        said = message_say(table_id=table.pk, user_id=hilde.pk, client_id=f"{number}", text=text)
        report = message_report(
            table_id=table.pk, user_id=magriel.pk, message_id=said.pk, reason="insult", words="Rude"
        )
        if number == 0:
            report_close(report_id=report.pk, actor=ida, outcome="silence_1", reason="insult")
            ChatMeasure.objects.update(until=timezone.now())  # the day is over
    mute_set(user_id=magriel.pk, person_id=hilde.pk, on=True)
    books.player_freeze(user=hilde, actor=ida, reason="looked into")
    books.player_thaw(user=hilde, actor=ida, reason="nothing found")
    books.stakes_stop(scope="house", actor=anna, reason="a quiet hour")
    books.stakes_resume(scope="house", actor=anna, reason="over")


# --- matches --------------------------------------------------------------------------------------
def void(table: Seats) -> None:
    match_void(
        match_id=table.match.pk, actor=User.objects.get(username="ida"), reason="a broken table"
    )


def adjudicate(table: Seats) -> None:
    match_adjudicate(
        match_id=table.match.pk,
        winner_seat=1,
        actor=User.objects.get(username="ida"),
        reason="no way on",
    )


def borne_off(table: Seats) -> None:
    table.until_last_play(3)  # by the first legal plays
    endings.last_play(table)


def rematch(table: Seats) -> None:
    for seat in (0, 1):
        table.give(seat, cmd.Rematch())


def double_and_drop(table: Seats) -> None:
    while table.state.phase != "roll":
        table.turn()
    endings.double_and_drop(table.state.decider)(table)


def ready(table: Seats) -> None:
    for seat in (0, 1):
        table.give(seat, cmd.Ready())


def resign_long(table: Seats) -> None:
    table.played_by_programs(3)
    endings.resign(table.state.game.on_roll, 1)(table)


def finished(pairs: Iterable[tuple[User, User]]) -> list[Seats]:
    """Matches of every mode that ended in every way."""
    begin = Sitters.begin
    programs, leave = Seats.played_by_programs, endings.leave
    hyper = {"variant": "hypergammon"}
    kinds: list[tuple[dict[str, Any], tuple[Act, ...]]] = [
        ({**endings.NORMAL, **hyper}, (programs,)),
        ({**STAKE_CUBE, **hyper}, (Seats.doubled_by_programs, programs)),
        ({**endings.STAKE, **hyper}, (programs,)),
        (endings.NORMAL, (borne_off,)),
        (endings.PRIZE3, (endings.won(0, 2), endings.won(1, 1), endings.may_resign(0),
                          endings.resign(0, 1))),
        (endings.PRIZE3_500, (endings.won(0, 3), endings.may_resign(1), endings.resign(1, 1))),
        (endings.PRIZE5, (resign_long, ready, endings.won(1, 2), leave(0))),
        (endings.PRIZE5_500, (endings.won(0, 3), endings.may_resign(1), endings.resign(1, 2))),
        ({**endings.PRIZE5, "holland": True}, (begin, leave(1))),
        (endings.SINGLE_1_10, (Sitters.double_taken, endings.may_resign(1), endings.resign(1, 2))),
        (endings.SINGLE_2_20, (Sitters.double_taken, double_and_drop)),
        (endings.SINGLE_1_20, (begin, endings.time_runs_out)),
        (endings.SINGLE_2_10, (begin, endings.claim)),
        (STAKE_CUBE, (endings.may_double(0), endings.double_and_drop(0))),
        (endings.STAKE, (begin, endings.both_leave(1))),
        (endings.STAKE, (begin, void)),
        (endings.PRIZE5, (begin, leave(0), void)),
        (endings.PRIZE3, (begin, adjudicate)),
        (endings.PRIZE5, (lambda table: table.give(1, cmd.StandUp()),)),
        (endings.NORMAL, (begin, leave(0), rematch, begin, leave(1))),
        (endings.NORMAL, (begin, endings.time_runs_out)),
        ({**endings.NORMAL, "private": True}, (endings.may_resign(0), endings.resign(0, 3))),
        ({**STAKE_CUBE, "private": True, "stake_cents": 20}, (resign_long,)),
        *(
            ({**endings.NORMAL, "variant": variant}, (begin, leave(0)))
            for variant in ("plakoto", "nackgammon", "tapa", "fevga", "acey_deucey", "misere")
        ),
    ]  # fmt: skip
    tables = []
    for (opener, guest), (wishes, acts) in zip(pairs, kinds, strict=False):
        tables.append(table := Seats(opener, guest, **wishes))
        for act in acts:
            act(table)
    return tables


def running(people: list[User]) -> list[Seats]:
    """Matches at every point where one can stand still; the first goes on with its programs."""

    def resignation(table: Seats) -> None:
        table.until_resignation(0)
        table.give(0, cmd.OfferResignation(level=1))

    def double(table: Seats) -> None:
        table.until_double(1)
        table.give(1, cmd.Double())

    one, two, three, four, five, six = people
    begun = [
        (Seats(one, two, **endings.PRIZE5), (lambda t: t.played_by_programs(3),)),
        (Seats(three, four, **STAKE_CUBE, variant="hypergammon"), (Sitters.double_taken,)),
        (Seats(five, six, **endings.SINGLE_1_10), (resignation,)),
        (Seats(two, three, **STAKE_CUBE), (double,)),
        (Seats(four, five, **endings.PRIZE3), (endings.won(1, 1),)),
        (Seats(six, one, mode="normal", variant="hypergammon"), ()),
    ]
    for table, acts in begun:
        for act in acts:
            act(table)
    return [table for table, _acts in begun]


def alive() -> None:
    """The web servers and the sweep are there."""
    for role in (WEB, SWEEP):
        heartbeat(role)


def main() -> None:
    staff = staff_made()
    HousePrices.objects.create(pk=1, figures={"single_rates_cents": [100, 200, 300]})
    players = [User.objects.create_user(name, f"{name}@example.org") for name in PLAYERS]
    credits_given(staff, players)
    around = cycle(zip(players, players[1:] + players[:1], strict=True))
    tables = finished(around)
    payouts_made(staff, players[0], players[1])
    moderated(staff, Seats(players[0], players[1], mode="normal"))
    books.limit_set(user=players[2], measure="stake", period="week", amount_cents=90_000)
    resting = User.objects.create_user("resting", "resting@example.org")
    books.exclusion_start(user=resting, days=200)
    practised = Seats(players[3], None, variant="hypergammon")
    practised.give(0, cmd.Roll())
    bot_answer(table_id=practised.pk)
    challenge_make(user=players[4], opponent_id=players[5].pk, mode="normal")
    table_open(user=players[5], mode="prize3", stake_cents=250)
    on = running(players)
    seal(), snapshot(), audit()
    statistics_make(until=timezone.now() + timedelta(seconds=1))
    alive()
    secrets = {
        str(on[0].pk): [
            {game: secret.hex() for game, secret in client.secrets.items()}
            for client in on[0].clients
        ]
    }
    running_ids = [str(table.pk) for table in on]
    sys.stdout.write(json.dumps({"running": running_ids, "secrets": secrets, "of": len(tables)}))


if __name__ == "__main__":
    main()
