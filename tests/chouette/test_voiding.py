"""Voiding the running game of a chouette: stakes, points, journal, rights, second person, races."""

from datetime import UTC, datetime
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import expect

from accounts.models import User
from accounts.roles import Role, role_give
from games.chouette import commands as cmd
from games.chouette.engine.errors import ChouetteError
from games.chouette.engine.state import evolve
from games.chouette.errors import ChouetteStale, GameOver
from games.chouette.models import CircleEvent, Game, Share
from games.chouette.services import course
from games.chouette.services.store import JOURNAL, state_of
from games.kinds import table_void, void_case
from games.services.administration import MayNotDecide, ReasonMissing
from games.table.errors import Busy
from harness.chouettes import Hands, at_random
from ledger.audit import run as audit
from ledger.errors import NotAllowed as RefusedByTheBooks
from ledger.errors import ProposalWaits, SecondFactorStale
from ledger.models import JournalEntry, Proposal
from ledger.selectors import account_balance, rake_balance, wallet_balance
from ledger.services.proposals import proposal_confirm
from tests.desk.test_browser import DESKTOP, PHONE
from tests.racing import racers, tries


def assert_clean() -> None:
    found = [each for check in audit().results for each in check.findings]
    assert not found, found[:5]


def staff(name: str, role: Role = Role.ADMINISTRATOR) -> User:
    user = User.objects.create_user(name)
    role_give(user, role)
    return user


def void(game: Game, by: User, **more: Any) -> Any:
    wish = {"actor": by, "reason": "it hangs", "verified_at": datetime.now(UTC), **more}
    shown = void_case(game.reference).effect().shown
    return table_void(reference=game.reference, shown=shown, **wish)


def running(hands: Hands) -> Game:
    return Game.objects.get(circle=hands.circle, ended_at=None)


@pytest.mark.slow
def test_stakes_go_back_whole_and_nobody_has_a_point(people, chance):
    players = people(4, 10_000)
    hands = Hands(players, rate_cents=10, limit_points=8)
    hands.begin()
    hands.play_out(at_random(chance))
    after_first = {each.pk: wallet_balance(each.pk) for each in players}
    points, rake_cents = state_of(hands.row()).points, rake_balance()
    hands.begin()
    game = running(hands)
    gone = state_of(hands.row()).game.order[3]
    hands.do(gone, cmd.StandUpNow())  # loses points, and is paid back nevertheless
    assert state_of(hands.row()).points != points
    list_before = state_of(hands.row()).order
    void(game, staff("anna"))
    game.refresh_from_db()
    assert game.voided
    assert (account_balance(f"escrow:{game.reference}"), rake_balance()) == (0, rake_cents)
    assert {each.pk: wallet_balance(each.pk) for each in players} == after_first
    state = state_of(hands.row())
    assert tuple(pair for pair in state.points if pair[2]) == points
    assert (state.phase, state.order) == ("between_games", list_before)
    assert JOURNAL.replayed(hands.row()) == state
    assert all(each.box_points is None for each in Share.objects.filter(game=game))
    entry = JournalEntry.objects.get(verb="chouette.void")
    assert (entry.subject, entry.reason) == (game.reference, "it hangs")
    assert entry.after["alone_cents"] == 240
    assert hands.view()["games"][0] == {
        "number": 2, "box": game.box_id, "results": [], "rake_cents": 0, "voided": True,
    }  # fmt: skip
    hands.begin()
    assert running(hands).box_id == list_before[0]
    assert_clean()


def test_a_game_that_hangs_is_voided_and_the_table_goes_on(people, monkeypatch):
    hands = Hands(people(3, 10_000), rate_cents=10, limit_points=4)
    hands.begin()
    game = running(hands)

    def fail(_work: object) -> bool:
        raise AssertionError("stuck")

    with monkeypatch.context() as broken:
        broken.setattr(course, "_only_play", fail)
        broken.setattr(course, "_lapse", fail)
        void(game, staff("anna"))
    assert account_balance(f"escrow:{game.reference}") == 0
    hands.begin()
    assert running(hands).number == 2
    assert_clean()


def test_without_the_right_a_reason_or_a_running_game_nothing_happens(people):
    players = people(3, 10_000)
    hands = Hands(players, rate_cents=10, limit_points=4)
    hands.begin()
    game, anna = running(hands), staff("anna")
    for person in (User.objects.create_user("nobody"), staff("theo", Role.TREASURER)):
        with pytest.raises(MayNotDecide):
            void(game, person)
    role_give(players[0], Role.ADMINISTRATOR)
    with pytest.raises(MayNotDecide):
        void(game, players[0])  # plays in it
    with pytest.raises(ReasonMissing):
        void(game, anna, reason=" ")
    with pytest.raises(SecondFactorStale):
        void(game, anna, verified_at=None)
    assert running(hands) == game
    hands.do(game.box_id, cmd.StandUpNow())
    with pytest.raises(GameOver):
        void(game, anna)
    assert not JournalEntry.objects.filter(verb="chouette.void").exists()
    assert_clean()


def test_without_stakes_one_person_voids_without_a_second_factor(people):
    hands = Hands(people(3))
    hands.begin()
    void(running(hands), staff("moni", Role.MODERATOR), verified_at=None)
    assert not Game.objects.filter(circle=hands.circle, ended_at=None).exists()
    assert_clean()


def test_above_the_limit_a_second_person_confirms(people, settings):
    settings.LEDGER_ALONE_CENTS = 2_000
    players = people(4, 50_000)
    hands = Hands(players, rate_cents=100, limit_points=16)  # the box stakes 48.00
    hands.begin()
    game, anna, bert = running(hands), staff("anna"), staff("bert")
    proposal_id = void(game, anna)
    assert account_balance(f"escrow:{game.reference}") == 2 * 3 * 1_600
    with pytest.raises(ProposalWaits):
        void(game, anna)
    confirm = partial(
        proposal_confirm, proposal_id=proposal_id, verified_at=datetime.now(UTC), reason=""
    )
    with pytest.raises(RefusedByTheBooks, match="second person"):
        confirm(actor=anna)
    confirm(actor=bert)
    assert account_balance(f"escrow:{game.reference}") == 0
    assert {wallet_balance(each.pk) for each in players} == {50_000}
    assert JournalEntry.objects.get(verb="chouette.void").after["proposal"] == proposal_id
    hands.begin()
    late = void(running(hands), anna)
    hands.do(running(hands).box_id, cmd.StandUpNow())
    with pytest.raises(GameOver):
        confirm(actor=bert, proposal_id=late)
    assert Proposal.objects.get(pk=late).state == "waiting"
    assert_clean()


def test_the_limit_counts_all_that_one_person_voids(people, settings):
    settings.LEDGER_ALONE_CENTS = 200
    anna = staff("anna")
    hands = Hands(people(3, 10_000), rate_cents=10, limit_points=8)  # the box stakes 1.60
    hands.begin()
    assert void(running(hands), anna) is None
    hands.begin()
    assert void(running(hands), anna) is not None


def to_the_last_play(hands: Hands, chance: Any) -> tuple[int, Any]:
    """Play until any play of the mover ends the game; the mover and that play."""
    choose = at_random(chance, doubles=0)
    for _ in range(2_000):
        state = state_of(hands.row())
        assert state.game is not None, "the game ended before its last play was found"
        player = hands.view()["waits_for"][0]
        command = choose(hands.view(player), player)
        if isinstance(command, cmd.ChouettePlay):
            event = JOURNAL.event_of({"type": "played", "moves": command.moves})
            if evolve(state, event).phase == "over":
                return player, command
        hands.do(player, command)
        hands.dice_come()
    raise AssertionError("the game does not end")


@pytest.mark.slow
def test_the_last_play_and_a_voiding_at_once(people, chance):
    players, anna = people(3, 50_000), staff("anna")
    with racers(2) as race:
        for _ in range(tries(1, long=2)):
            hands = Hands(players, rate_cents=10, limit_points=4)
            hands.begin()
            game = running(hands)
            player, last = to_the_last_play(hands, chance)
            outcomes = race([partial(hands.do, player, last), partial(void, game, anna)])
            played, voided = (not isinstance(each, Exception) for each in outcomes)
            assert played != voided, outcomes
            assert isinstance(outcomes[0], ChouetteStale | ChouetteError | Busy) or played
            assert isinstance(outcomes[1], GameOver | Busy) or voided
            game.refresh_from_db()
            assert game.voided == voided
            assert account_balance(f"escrow:{game.reference}") == 0
            for each in players:
                hands.do(each.pk, cmd.StandUpNow())
    assert_clean()


def test_two_who_void_at_once_void_once(people):
    players, pair = people(3, 10_000), [staff("anna"), staff("bert")]
    with racers(2) as race:
        for _ in range(tries(2, long=5)):
            hands = Hands(players, rate_cents=10, limit_points=4)
            hands.begin()
            game = running(hands)
            outcomes = race([partial(void, game, each) for each in pair])
            assert sum(isinstance(each, GameOver | Busy) for each in outcomes) == 1
            voided = CircleEvent.objects.filter(circle=hands.circle, payload__type="game_voided")
            assert voided.count() == 1
            for each in players:
                hands.do(each.pk, cmd.StandUpNow())
    assert {wallet_balance(each.pk) for each in players} == {10_000}
    assert_clean()


# --- in a browser ---------------------------------------------------------------------------------
@pytest.mark.slow
def test_players_read_that_their_game_is_voided(player, people):
    players = people(3, 10_000)
    hands = Hands(players, rate_cents=10, limit_points=4)
    hands.begin()
    pages = [
        player(user.username, locale=locale, color_scheme=colours, **screen)
        for user, locale, colours, screen in zip(
            players, ("en-GB", "de-DE"), ("light", "dark"), (DESKTOP, PHONE), strict=False
        )
    ]
    for page in pages:
        page.goto(f"/chouette/{hands.circle.pk}/")
        expect(page.locator("#room")).to_be_visible()
    void(running(hands), staff("anna"))
    for page, words in zip(
        pages, ("all stakes went back", "alle Einsätze gingen zurück"), strict=True
    ):
        expect(page.locator("#ask-text")).to_contain_text(words)
