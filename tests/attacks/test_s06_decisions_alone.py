"""S6: a moderator gives a match with large stakes to a friend, alone."""

import time
from collections.abc import Callable
from typing import Any

import pytest
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.decisions import IdentityKind
from accounts.models import User
from accounts.roles import Role, role_give
from games.models import Match
from games.services.tables import table_join, table_open
from games.table import commands as cmd
from harness.rig import opener_begins
from harness.sitting import Sitting
from ledger.audit import run
from ledger.models import JournalEntry, Proposal
from ledger.selectors import escrow_balance, house_totals, wallet_balance
from pasch.staff.decisions import decision_confirm
from pasch.staff.identities import IDENTITIES, identity_change
from tests.attacks.conftest import at_desk

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

#: free stakes with cube at a base of 9 ℂ: 90 ℂ a side.
LARGE = {"mode": "stake", "stake_cents": 900}
#: the same at 1.50 ℂ: 15 ℂ a side, below the limit of 20 ℂ for one person.
SMALL = {"mode": "stake", "stake_cents": 150}
FRIEND_WINS = "1.0.3.3.1"
VOID = "void"


@pytest.fixture
def play(transactional_db: None, dice: Callable[..., None]) -> Callable[..., Match]:
    """`play("mia", "friend", **wishes)` starts a match; each player had 100 ℂ."""
    dice((3, 1), (4, 2))

    def begin(one: str, two: str, **wishes: Any) -> Match:
        players = tuple(User.objects.get_or_create(username=name)[0] for name in (one, two))
        table = table_open(user=players[0], **opener_begins(wishes))
        table_join(user=players[1], table_id=table.pk)
        Sitting(table, players).turn()
        return Match.objects.get(table=table)

    return begin


@pytest.fixture
def moderator(staff: Callable[..., User]) -> User:
    return staff("moderator", Role.MODERATOR)


@pytest.fixture
def second(staff: Callable[..., User]) -> User:
    return staff("second", Role.MODERATOR)


def with_a_password(user: User) -> Client:
    """A browser session with a password of now and a second factor of an hour ago."""
    client = at_desk(user, proved_ago=3600)
    session = client.session
    session["account_authentication_methods"].append(
        {"method": "password", "at": time.time(), "username": user.username}
    )
    session.save()
    return client


def decide(
    client: Client, match: Match, outcome: str, *, shown: str | None = None, **other: str
) -> HttpResponse:
    """Open the page of the decision and send its form; once, `winner_seat` was enough."""
    if shown is None:
        shown = shown_to(client, match, outcome)
    fields = {"outcome": outcome, "shown": shown, "reason": "he left", "winner_seat": "1"} | other
    return client.post(reverse("desk:match_decision", args=[match.pk]), fields)


def shown_to(client: Client, match: Match, outcome: str) -> str:
    """The hidden field `shown` of a decision's page; zeros if there is no such page."""
    page = client.get(f"{reverse('desk:match', args=[match.pk])}decision/", {"outcome": outcome})
    if page.status_code != 200 or not page.context:
        return "0" * 64
    return str(page.context["form"].initial["shown"])


def confirm(client: Client, proposal: Proposal) -> HttpResponse:
    return client.post(reverse("desk:proposal_confirm", args=[proposal.pk]))


def assert_nothing_happened(match: Match) -> None:
    match.refresh_from_db()
    assert match.ended_at is None
    assert escrow_balance(match.reference) == 2 * match.stake_cents
    assert not JournalEntry.objects.filter(verb__startswith="match.").exists()


@pytest.mark.parametrize("outcome", [FRIEND_WINS, VOID])
@pytest.mark.parametrize("wishes", [LARGE, SMALL], ids=["90 a side", "15 a side"])
def test_s06_a_password_alone_decides_no_match_with_stakes(
    play: Callable[..., Match], moderator: User, outcome: str, wishes: dict[str, Any]
) -> None:
    match = play("mia", "friend", **wishes)
    answer = decide(with_a_password(moderator), match, outcome)
    assert answer.status_code == 302
    assert answer.url.startswith(reverse("mfa_reauthenticate"))
    assert_nothing_happened(match)
    assert not Proposal.objects.exists()


@pytest.mark.parametrize("outcome", [FRIEND_WINS, VOID])
def test_s06_one_person_decides_nothing_above_the_limit(
    play: Callable[..., Match], moderator: User, second: User, outcome: str
) -> None:
    match = play("mia", "friend", **LARGE)
    client = at_desk(moderator)
    decide(client, match, outcome)
    assert_nothing_happened(match)
    proposal = Proposal.objects.get()
    assert confirm(client, proposal).status_code == 302
    assert_nothing_happened(match)
    confirm(at_desk(second), proposal)
    match.refresh_from_db()
    assert match.ending == ("voided" if outcome == VOID else "adjudicated")
    paid = [wallet_balance(player) for player in match.players]
    assert paid == ([10_000, 10_000] if outcome == VOID else [10_000 - 2700, 10_000 + 2430])
    assert [result for result in run().results if result.findings] == []


def test_s06_the_limit_is_not_passed_in_parts(play: Callable[..., Match], moderator: User) -> None:
    first = play("mia", "friend", **SMALL)
    other = play("tom", "ally", **SMALL)
    settled = play("ben", "pal", **SMALL)
    table = Sitting(settled.table, (settled.player_0, settled.player_1))
    table.give(0, cmd.Leave())
    client = at_desk(moderator)
    decide(client, first, FRIEND_WINS)
    first.refresh_from_db()
    assert first.ending == "adjudicated"  # 15 of 20
    decide(client, other, VOID)
    other.refresh_from_db()
    assert other.ended_at is None
    decide(client, settled, VOID)  # a settled match counts as well
    settled.refresh_from_db()
    assert settled.ending == "left"
    assert Proposal.objects.filter(state="waiting").count() == 2


def test_s06_nobody_but_a_second_person_with_a_fresh_factor_confirms(
    play: Callable[..., Match], moderator: User, second: User, staff: Callable[..., User]
) -> None:
    match = play("mia", "friend", **LARGE)
    decide(at_desk(moderator), match, FRIEND_WINS)
    proposal = Proposal.objects.get()
    friend = match.player_1
    role_give(friend, Role.MODERATOR)
    treasurer = staff("treasurer", Role.TREASURER)
    for client in (
        at_desk(moderator),
        with_a_password(second),
        at_desk(second, proved_ago=3600),
        at_desk(friend),
        at_desk(treasurer),
        at_desk(match.player_0),
        Client(),
    ):
        confirm(client, proposal)
        assert_nothing_happened(match)
    proposal.refresh_from_db()
    assert proposal.state == "waiting"


@pytest.mark.parametrize("outcome", [FRIEND_WINS, VOID])
def test_s06_a_decision_does_what_was_shown_or_nothing(
    play: Callable[..., Match], moderator: User, outcome: str
) -> None:
    match = play("mia", "friend", **SMALL)
    client = at_desk(moderator)
    shown = shown_to(client, match, outcome)
    table = Sitting(match.table, (match.player_0, match.player_1))
    seat = 1 - table.state.game.on_roll
    if outcome == VOID:
        table.give(seat, cmd.Leave())  # the match ends: voiding would now take back what was paid
    else:
        while table.state.phase != "roll":
            table.turn()
        doubler = table.state.game.on_roll
        table.give(doubler, cmd.Double())
        table.give(1 - doubler, cmd.Take())  # the cube is at 2: no result at 1 any more
    before = [wallet_balance(player) for player in match.players]
    answer = decide(client, match, outcome, shown=shown)
    assert answer.status_code == 302
    assert [wallet_balance(player) for player in match.players] == before
    assert not JournalEntry.objects.filter(verb__startswith="match.").exists()


@pytest.mark.parametrize("outcome", [FRIEND_WINS, VOID])
def test_s06_a_match_that_ended_meanwhile_is_not_decided_as_proposed(
    play: Callable[..., Match], moderator: User, second: User, outcome: str
) -> None:
    match = play("mia", "friend", **LARGE)
    decide(at_desk(moderator), match, outcome)
    table = Sitting(match.table, (match.player_0, match.player_1))
    table.give(1, cmd.Leave())
    before = [wallet_balance(player) for player in match.players]
    rake_cents = house_totals().rake_cents
    confirm(at_desk(second), Proposal.objects.get())
    match.refresh_from_db()
    assert match.ending == "left"
    assert [wallet_balance(player) for player in match.players] == before
    assert house_totals().rake_cents == rake_cents
    assert Proposal.objects.get().state == "waiting"


def test_s06_without_stakes_a_reason_is_enough(play: Callable[..., Match], moderator: User) -> None:
    match = play("mia", "friend", mode="normal")
    decide(with_a_password(moderator), match, "1.0.3.3.1")
    match.refresh_from_db()
    assert (match.ending, match.winner_seat) == ("adjudicated", 1)


def test_s06_the_journal_names_both_people(
    play: Callable[..., Match], moderator: User, second: User
) -> None:
    match = play("mia", "friend", **LARGE)
    decide(at_desk(moderator), match, FRIEND_WINS)
    confirm(at_desk(second), Proposal.objects.get())
    entries = JournalEntry.objects.filter(subject=match.reference).order_by("id")
    assert [(entry.actor.username, entry.verb) for entry in entries] == [
        ("moderator", "proposal.make"),
        ("second", "match.adjudicate"),
        ("second", "proposal.confirm"),
    ]
    assert entries[1].after["paid_cents"] == [6300, 11430]
    assert "alone_cents" not in entries[1].after


# --- a player whose account the deciding person may control ---------------------------------------


def taken_over(player: User, *, asker: User, second: User) -> None:
    """Two administrators gave this player's account another way in: either may use it now."""
    now = timezone.now()
    asked = identity_change(
        user_id=player.pk,
        kind=IdentityKind.FACTORS,
        actor=asker,
        reason="lost the phone",
        verified_at=now,
    )
    decision_confirm(IDENTITIES, decision_id=asked.pk, actor=second, verified_at=now)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("outcome", [FRIEND_WINS, VOID])
def test_s06_nobody_decides_who_took_over_a_player(
    play: Callable[..., Match], anna: User, bert: User, staff: Any, outcome: str, seat: int
) -> None:
    cleo = staff("cleo")
    match = play("mia", "friend", **SMALL)
    TOTP.activate((match.player_0, match.player_1)[seat], generate_totp_secret())
    taken_over((match.player_0, match.player_1)[seat], asker=anna, second=bert)
    for one in (anna, bert):
        decide(at_desk(one), match, outcome)
        assert_nothing_happened(match)
    assert not Proposal.objects.exists()
    decide(at_desk(cleo), match, outcome)
    match.refresh_from_db()
    assert match.ending == ("voided" if outcome == VOID else "adjudicated")


def test_s06_nobody_confirms_who_took_over_a_player(
    play: Callable[..., Match], anna: User, bert: User, moderator: User, second: User
) -> None:
    match = play("mia", "friend", **LARGE)
    decide(at_desk(moderator), match, FRIEND_WINS)
    TOTP.activate(match.player_1, generate_totp_secret())
    taken_over(match.player_1, asker=anna, second=bert)
    for one in (anna, bert):
        confirm(at_desk(one), Proposal.objects.get())
        assert_nothing_happened(match)
    confirm(at_desk(second), Proposal.objects.get())
    match.refresh_from_db()
    assert match.ending == "adjudicated"


def test_s06_a_player_taken_over_after_the_proposal_leaves_it_undone(
    play: Callable[..., Match], anna: User, bert: User, second: User
) -> None:
    match = play("mia", "friend", **LARGE)
    decide(at_desk(anna), match, FRIEND_WINS)
    TOTP.activate(match.player_1, generate_totp_secret())
    taken_over(match.player_1, asker=anna, second=bert)
    confirm(at_desk(second), Proposal.objects.get())
    assert_nothing_happened(match)
