"""Money sessions: one escrow, one transfer at the end, a rating for every game, and races."""

from collections.abc import Callable
from decimal import Decimal

import pytest
from django.test import Client

from accounts.models import User
from games.models import Match, TableEvent
from games.services.outages import SWEEP, WEB, heartbeat
from games.services.tables import Stale, table_join, table_open, table_wake
from games.settlement import StakeNotPossible
from games.table import commands as cmd
from games.table.errors import WrongPhase
from games.table.machine import due_ms
from games.table.state import SESSION_PAUSE_MS
from harness.decisions import adjudicate_shown, administrator, void_shown
from harness.prices import house_prices
from harness.sitting import Sitting
from kit.database import database_now_ms
from ledger.models import Transfer
from ledger.selectors import escrow_balance
from ledger.services.limits import break_start, player_freeze, stakes_resume, stakes_stop
from ratings.elo import EloStanding, rate
from ratings.models import RatingChange
from ratings.replay import check
from tests.aging import guards_off
from tests.services.conftest import Race
from tests.services.test_match_audit import findings

pytestmark = pytest.mark.django_db(transaction=True)

WISHES = {
    "mode": "session", "stake_cents": 50, "bank_cents": 1000, "start_rule": "opener_alternates",
}  # fmt: skip


class Session(Sitting):
    """A session whose games are given up by the test."""

    def lose(self, level: int = 1) -> None:
        """The player on roll resigns the running game; before it both come to it."""
        state = self.state
        if state.phase == "between_games":
            for seat in (0, 1):
                self.give(seat, cmd.Ready())
            state = self.state
        if state.phase == "roll":
            self.give(state.game.on_roll, cmd.Roll())
        seat = self.state.game.on_roll
        self.give(seat, cmd.OfferResignation(level=level))
        if self.state.phase == "resignation_offered":
            self.give(1 - seat, cmd.AcceptResignation())

    @property
    def match(self) -> Match:
        return Match.objects.filter(table_id=self.pk).latest("number")


def sit(magriel: User, hilde: User, **wishes: object) -> Session:
    table = table_open(user=magriel, **{**WISHES, **wishes})
    table_join(user=hilde, table_id=table.pk)
    return Session(table, (magriel, hilde))


@pytest.fixture
def session(magriel: User, hilde: User, dice: Callable[..., None]) -> Session:
    """magriel and hilde at 0.50 a point with 10.00 each; a game costs 5.00 at most."""
    dice((3, 1), (4, 2))
    return sit(magriel, hilde)


@pytest.mark.slow
def test_one_transfer_ends_a_session_and_every_game_is_rated(session: Session) -> None:
    assert session.balances() == (9000, 9000)
    session.lose()  # magriel loses one point
    session.lose(level=2)  # hilde loses two
    session.lose()  # magriel loses one
    assert escrow_balance(session.match.reference) == 2000
    assert findings() == {}
    session.give(1, cmd.Stop())
    match = session.match
    assert match.games == [[1, 1], [0, 2], [1, 1]]
    assert (match.ending, match.winner_seat, match.paid_cents) == ("stopped", None, [990, 990])
    assert match.rake_cents == 20
    assert session.balances() == (9990, 9990)
    kinds = Transfer.objects.filter(reference=match.reference).order_by("pk")
    assert [transfer.kind for transfer in kinds] == ["stake", "tie"]
    one = two = EloStanding()
    outcome = rate(two, one, 2)
    two, one = outcome.winner, outcome.loser
    outcome = rate(one, two, 2)
    one, two = outcome.winner, outcome.loser
    outcome = rate(two, one, 2)
    two, one = outcome.winner, outcome.loser
    result = session.state.match.result
    assert [Decimal(elo) for elo in result.elo_after] == [one.elo, two.elo]
    rows = RatingChange.objects.order_by("id").values_list("reference", "won", "n")
    assert list(rows) == [
        (match.game_reference(number), won, 2) for number in (1, 2, 3) for won in (True, False)
    ]
    assert check() == []
    assert findings() == {}


def test_an_even_session_is_no_tie_in_the_list_of_matches(session: Session, magriel: User) -> None:
    session.lose()  # each loses a point
    session.lose()
    session.give(0, cmd.Stop())
    reader = Client()
    reader.force_login(magriel)
    row = reader.get("/matches/").context["rows"][0]
    assert (row.listed.result, row.score, row.change_cents) == ("even", (1, 1), -5)
    for address in ("/matches/", f"/match/{session.match.pk}/"):
        page = " ".join(reader.get(address).content.decode().split())
        assert "even</" in page
        assert ">tie</span>" not in page
        assert ">tie</dd>" not in page
        assert "1 : 1 points" in page or "<dt>Points</dt><dd>1 : 1</dd>" in page
        assert "−0.05" in page


@pytest.mark.slow
def test_a_session_with_a_winner(session: Session) -> None:
    session.lose()
    session.give(0, cmd.Leave())
    match = session.match
    assert (match.ending, match.winner_seat, match.paid_cents) == ("stopped", 1, [950, 1045])
    assert Transfer.objects.filter(reference=match.reference).latest("pk").kind == "result"
    assert findings() == {}


@pytest.mark.slow
def test_leaving_a_game_is_paid_and_rated_as_that_game(session: Session) -> None:
    session.lose()
    session.lose()
    session.give(0, cmd.Ready())
    session.give(1, cmd.Ready())
    session.give(1, cmd.Leave())
    match = session.match
    assert match.games == [[1, 1], [0, 1], [0, 3]]
    assert (match.ending, match.winner_seat) == ("left", 0)
    assert match.paid_cents == [1000 - 50 + 45 + 135, 1000 + 45 - 50 - 150]
    assert RatingChange.objects.count() == 6
    assert check() == []
    assert findings() == {}


@pytest.mark.slow
def test_silence_between_games_ends_the_session(session: Session) -> None:
    session.lose()
    session.give(0, cmd.Ready())
    due = due_ms(session.state)
    assert due == session.state.clock.since_ms + SESSION_PAUSE_MS or due > database_now_ms()
    for part in (SWEEP, WEB):
        heartbeat(part)
    assert table_wake(session.pk, now_ms=due)
    assert session.match.ending == "lapsed"
    assert findings() == {}


@pytest.mark.slow
def test_standing_up_before_the_first_roll_returns_both_banks(session: Session) -> None:
    session.give(1, cmd.StandUp())
    assert session.balances() == (10_000, 10_000)
    assert findings() == {}


@pytest.mark.slow
def test_a_void_returns_everything_and_every_rating(session: Session) -> None:
    session.lose()
    session.lose(level=2)
    session.give(0, cmd.Stop())
    ida = administrator("ida")
    void_shown(session.match.pk, ida)
    assert session.balances() == (10_000, 10_000)
    assert session.match.games == [[1, 1], [0, 2]]
    rows = RatingChange.objects.filter(kind="void").order_by("id")
    assert [row.reference[-2:] for row in rows] == [":2", ":2", ":1", ":1"]
    assert check() == []
    assert findings() == {}


@pytest.mark.slow
def test_a_running_session_is_voided_without_a_rating(session: Session) -> None:
    session.lose()
    void_shown(session.match.pk, administrator("ida"))
    assert session.balances() == (10_000, 10_000)
    assert not RatingChange.objects.exists()
    assert findings() == {}


@pytest.mark.slow
def test_a_verdict_ends_the_running_game_and_the_session(session: Session) -> None:
    session.lose()
    session.give(0, cmd.Ready())
    session.give(1, cmd.Ready())
    adjudicate_shown(session.match.pk, administrator("ida"), 1)
    match = session.match
    assert match.games == [[1, 1], [1, 3]]
    assert (match.ending, match.paid_cents) == ("adjudicated", [800, 1180])
    assert findings() == {}


@pytest.mark.slow
def test_a_verdict_between_games_settles_the_session_as_it_stands(session: Session) -> None:
    session.lose()
    adjudicate_shown(session.match.pk, administrator("ida"), 1)
    assert session.match.paid_cents == [950, 1045]
    assert findings() == {}


def test_a_leave_that_was_meant_for_the_pause_is_refused_once_the_next_game_runs(
    session: Session,
) -> None:
    session.lose()
    seen = session.table.seq
    session.give(0, cmd.Ready())
    session.give(1, cmd.Ready())
    with pytest.raises(Stale):
        session.give(0, cmd.Leave(), seen_seq=seen)
    with pytest.raises(WrongPhase):
        session.give(0, cmd.Stop(), seen_seq=seen)
    assert session.match.ended_at is None


@pytest.mark.slow
def test_who_takes_a_break_plays_no_further_game(session: Session) -> None:
    session.lose()
    session.give(0, cmd.Ready())
    break_start(user=session.players[0])
    for seat, who in ((0, "you"), (1, "opponent")):
        with pytest.raises(StakeNotPossible) as refused:
            session.give(seat, cmd.Ready())
        assert (refused.value.fields["who"], refused.value.fields["reason"]) == (who, "play_paused")
    session.give(0, cmd.Stop())
    assert findings() == {}


@pytest.mark.slow
def test_stopped_stakes_and_frozen_wallets_begin_no_further_game(session: Session) -> None:
    anna = User.objects.create_superuser("anna")
    session.lose()
    stakes_stop(scope="mode:session", actor=anna, reason="we look into it")
    with pytest.raises(StakeNotPossible) as refused:
        session.give(0, cmd.Ready())
    assert refused.value.fields["reason"] == "stakes_stopped"
    stakes_resume(scope="mode:session", actor=anna, reason="done")
    player_freeze(user=session.players[1], actor=anna, reason="we look into it")
    with pytest.raises(StakeNotPossible) as refused:
        session.give(0, cmd.Ready())
    assert refused.value.fields["reason"] == "account_frozen"
    session.give(1, cmd.Stop())
    assert session.match.ended_at is not None


def test_both_banks_must_be_there(magriel: User, hilde: User) -> None:
    table_open(user=magriel, mode="session", stake_cents=100, bank_cents=10_000)
    with pytest.raises(StakeNotPossible):
        table_open(user=hilde, mode="session", stake_cents=200, bank_cents=10_100)


@pytest.mark.slow
def test_the_pair_limit_counts_every_game(magriel: User, hilde: User, dice) -> None:
    dice((3, 1), (4, 2))
    house_prices(pair_limit=2)
    session = sit(magriel, hilde)
    assert session.match.rated_games == 2
    other = sit(magriel, hilde)
    assert not other.match.rated
    for _ in range(3):
        session.lose()
    session.give(0, cmd.Stop())
    assert RatingChange.objects.count() == 4
    assert findings() == {}


# --- an audit finds what was changed --------------------------------------------------------------
def ended(session: Session) -> Match:
    session.lose()
    session.lose(level=2)
    session.give(0, cmd.Stop())
    return session.match


@pytest.mark.slow
def test_other_points_of_a_game_in_the_row_are_found(session: Session) -> None:
    match = ended(session)
    Match.objects.filter(pk=match.pk).update(games=[[1, 1], [0, 3]])
    assert {"M2", "M5"} <= set(findings())


@pytest.mark.slow
def test_another_winner_of_a_game_in_the_row_is_found(session: Session) -> None:
    match = ended(session)
    Match.objects.filter(pk=match.pk).update(games=[[0, 1], [0, 2]])
    assert {"M2", "M3", "M5"} <= set(findings())


@pytest.mark.slow
def test_other_points_of_a_game_in_its_event_are_found(session: Session) -> None:
    ended(session)
    with guards_off():
        row = TableEvent.objects.filter(table_id=session.pk, type="game_ended").first()
        TableEvent.objects.filter(pk=row.pk).update(payload={**row.payload, "points": 3})
    assert {"M1", "M5"} <= set(findings())


@pytest.mark.slow
def test_a_rating_of_a_game_that_was_not_played_is_found(session: Session) -> None:
    match = ended(session)
    with guards_off() as cursor:
        cursor.execute(
            "UPDATE ratings_ratingchange SET reference = %s WHERE reference = %s",
            [match.game_reference(9), match.game_reference(2)],
        )
    assert "M3" in findings()


# --- races ----------------------------------------------------------------------------------------
@pytest.mark.slow
def test_stop_against_the_next_game(session: Session, race: Race) -> None:
    session.lose()
    session.give(0, cmd.Ready())
    race(lambda: session.give(0, cmd.Stop()), lambda: session.give(1, cmd.Ready()))
    if session.state.phase == "over":
        assert session.match.paid_cents == [950, 1045]
    else:
        assert session.state.game.number == 2
        assert escrow_balance(session.match.reference) == 2000
    assert findings() == {}


@pytest.mark.slow
def test_both_stop(session: Session, race: Race) -> None:
    session.lose()
    race(lambda: session.give(0, cmd.Stop()), lambda: session.give(1, cmd.Stop()))
    stopped = TableEvent.objects.filter(table_id=session.pk, type="player_stopped")
    assert stopped.count() == 1
    assert Transfer.objects.filter(reference=session.match.reference).count() == 2
    assert findings() == {}
