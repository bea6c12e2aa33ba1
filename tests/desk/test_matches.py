"""Matches at the desk: their course as boards and text, voiding and adjudicating."""

import json
import re
from typing import get_args
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.roles import Role
from games.chouette.models import Game
from games.desk import event_words
from games.desk.part import ENDINGS
from games.models import Match
from games.prizes import PrizeEnding
from games.table.events import AnyEvent
from harness.chouettes import Hands
from harness.sitting import Sitting
from ledger.models import Proposal
from ledger.selectors import account_balance, wallet_balance
from ratings.selectors import rating_of
from tests.chouette.test_voiding import running
from tests.desk.conftest import at_desk


@pytest.fixture
def magriel(transactional_db) -> User:
    return User.objects.create_user("magriel")


@pytest.fixture
def match(sitting: Sitting, dice) -> Match:
    """magriel and hilde have played two turns each."""
    dice((3, 1), (6, 5))
    for _ in range(4):
        sitting.turn()
    return Match.objects.get()


def shown(user: User, match: Match, **query: str) -> str:
    answer = at_desk(user).get(reverse("desk:match", args=[match.pk]), query)
    assert answer.status_code == 200
    return answer.content.decode()


def decide(user: User, match: Match, looked_at: str, reason: str, **other: str):
    """Open the page of a decision and send its form, with a reason."""
    client = at_desk(user)
    page = client.get(reverse("desk:match_decision", args=[match.pk]), {"outcome": looked_at})
    fields = page.context["form"].initial if page.status_code == 200 else {}
    address = reverse("desk:match_decision", args=[match.pk])
    return client.post(address, {**fields, "reason": reason, **other}, follow=True)


HILDE_WINS = "1.0.5.0.0"


def test_the_page_tells_events_dice_entries_and_draws_the_board(anna, match):
    page = shown(anna, match)
    assert "magriel – hilde" in page
    assert "played 3-1:" in page
    assert "Wallet of hilde" in page
    assert page.count('href="#bg-man-') == 30 or "bg-count" in page


def test_the_board_is_drawn_after_any_event(anna, match):
    seqs = [int(seq) for seq in re.findall(r'href="\?seq=(\d+)#board"', shown(anna, match))]
    drawings = set()
    for seq in seqs:
        page = shown(anna, match, seq=str(seq))
        assert f"after event {seq}" in page
        drawings.add(page.split('<svg class="bg bg-drawing"')[-1].split("</svg>")[0])
    assert len(drawings) >= 5


@pytest.mark.parametrize("seq", ["0", "99999", "-1", "x", "9" * 30])
def test_an_event_that_is_not_there_shows_the_last(anna, match, seq):
    assert f"after event {match.table.seq}" in shown(anna, match, seq=seq)


def test_a_running_match_is_adjudicated_then_voided(anna, match, magriel, hilde):
    decide(anna, match, HILDE_WINS, "collusion")
    assert wallet_balance(hilde.pk) == 10_200
    assert rating_of(hilde.pk, "prize").elo > 1500
    assert "Rating changes" in shown(anna, match)
    decide(anna, match, "void", "it was not")
    assert wallet_balance(magriel.pk) == wallet_balance(hilde.pk) == 10_000
    assert rating_of(hilde.pk, "prize").elo == 1500


@pytest.mark.parametrize(
    ("outcome", "fields"),
    [
        ("void", {"reason": "  "}),
        ("void", {"shown": ""}),
        ("void", {"shown": "0" * 64}),
        (HILDE_WINS, {"reason": ""}),
        (HILDE_WINS, {"shown": "0" * 64}),
        (HILDE_WINS, {"outcome": "0.5.0.0.0"}),
        (HILDE_WINS, {"outcome": "1.0.6.0.0"}),
        (HILDE_WINS, {"outcome": "1"}),
        (HILDE_WINS, {"outcome": ""}),
    ],
)
def test_a_decision_that_lacks_something_decides_nothing(anna, match, outcome, fields):
    answer = decide(anna, match, outcome, **{"reason": "collusion"} | fields)
    assert "notice-error" in answer.content.decode()
    assert Match.objects.get().ended_at is None


@pytest.mark.parametrize(
    "outcome",
    ["", "2.0.5.0.0", "1.0.6.0.0", "-.4.4.0.0", "1.0.5.1.1", "x", "1.0.5.0.0.0", "9" * 60],
)
def test_no_page_shows_an_impossible_result(anna, match, outcome):
    page = reverse("desk:match_decision", args=[match.pk])
    answer = at_desk(anna).get(page, {"outcome": outcome}, follow=True)
    assert "notice-error" in answer.content.decode()


def test_the_page_shows_what_is_paid_before_it_is_decided(anna, match):
    page = at_desk(anna).get(
        reverse("desk:match_decision", args=[match.pk]), {"outcome": HILDE_WINS}
    )
    seats = page.context["seats"]
    assert [seat.paid_cents for seat in seats] == [0, 450]
    assert page.context["rake_cents"] == 50
    text = page.content.decode()
    assert "hilde wins: 0 : 5" in text
    assert "4.50" in text
    decide(anna, match, HILDE_WINS, "collusion")
    match.refresh_from_db()
    assert match.paid_cents == [0, 450]
    assert match.score == [0, 5]
    changed = [rating_of(player, "prize").elo for player in match.players]
    assert changed == [seat.elo_after for seat in seats]


def test_the_choice_has_every_result_the_match_can_have(anna, match):
    page = shown(anna, match)
    values = re.findall(r'<option value="([01-][^"]+)"', page)
    assert len(values) == 10
    assert HILDE_WINS in values


def test_nobody_decides_a_match_of_his_own(match, magriel):
    from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret

    from accounts.roles import role_give

    role_give(magriel, Role.MODERATOR)
    TOTP.activate(magriel, generate_totp_secret())
    assert "You cannot decide a match of your own." in shown(magriel, match)
    answer = decide(magriel, match, "void", "mine")
    assert "it is about yourself" in answer.content.decode()
    assert Match.objects.get().ended_at is None


def test_a_match_is_found_by_player_id_and_state(anna, match):
    client, link = at_desk(anna), reverse("desk:match", args=[match.pk])
    found = {
        (search, state): link
        in client.get(reverse("desk:matches"), {"search": search, "state": state}).content.decode()
        for search in ("", "HILD", str(match.pk)[:8], f"match:{match.pk}", "nobody", "\x00")
        for state in ("", "running", "ended")
    }
    for (search, state), there in found.items():
        assert there == (search not in ("nobody", "\x00") and state != "ended"), (search, state)
    by_table = client.get(reverse("desk:matches"), {"search": str(match.table_id)})
    assert link in by_table.content.decode()


def test_all_that_is_known_comes_as_one_file(anna, match):
    decide(anna, match, "void", "the server was down")
    answer = at_desk(anna).get(reverse("desk:match_evidence", args=[match.pk]))
    assert "attachment" in answer["Content-Disposition"]
    evidence = json.loads(answer.content)
    assert evidence["form"] == "pasch-evidence-1"
    assert sum(entry["amount_cents"] for entry in evidence["entries"]) == 0
    assert [event["seq"] for event in evidence["events"]] == list(
        range(evidence["events"][0]["seq"], evidence["events"][-1]["seq"] + 1)
    )
    assert evidence["decisions"][0]["reason"] == "the server was down"
    assert evidence["proposals"] == []


def test_the_file_has_the_score_and_what_was_proposed(anna, bert, match, settings):
    settings.LEDGER_ALONE_CENTS = 0
    decide(anna, match, HILDE_WINS, "collusion")
    address = reverse("desk:match_evidence", args=[match.pk])
    (proposal,) = json.loads(at_desk(bert).get(address).content)["proposals"]
    assert (proposal["state"], proposal["proposed_by"]) == ("waiting", "anna")
    assert proposal["content"]["score"] == [0, 5]
    assert "Waiting for a second person" in shown(bert, match)
    confirm = reverse("desk:proposal_confirm", args=[Proposal.objects.get().pk])
    assert confirm in shown(bert, match)
    assert confirm not in shown(anna, match)
    at_desk(bert).post(confirm)
    evidence = json.loads(at_desk(bert).get(address).content)
    assert (evidence["score"], evidence["paid_cents"]) == ([0, 5], [0, 450])
    assert evidence["proposals"][0]["decided_by"] == "bert"


def test_the_second_person_refuses_and_the_first_withdraws(anna, bert, match, settings):
    settings.LEDGER_ALONE_CENTS = 0
    decide(anna, match, HILDE_WINS, "collusion")
    proposals = reverse("desk:proposals")
    assert "hilde wins: 0 : 5" in at_desk(bert).get(proposals).content.decode()
    assert ">1</b>" in at_desk(bert).get(reverse("desk:overview")).content.decode()
    refuse = reverse("desk:proposal_refuse", args=[Proposal.objects.get().pk])
    at_desk(bert).post(refuse, {"reason": " "})
    assert Proposal.objects.get().state == "waiting"
    at_desk(bert).post(refuse, {"reason": "nothing shows it"})
    assert Proposal.objects.get().state == "refused"
    decide(anna, match, "void", "the server was down")
    withdraw = reverse("desk:proposal_withdraw", args=[Proposal.objects.latest("id").pk])
    at_desk(anna).post(withdraw)
    assert Proposal.objects.latest("id").state == "withdrawn"
    assert Match.objects.get().ended_at is None
    page = at_desk(bert).get(proposals).content.decode()
    assert "nothing shows it" in page
    journal = at_desk(bert).get(reverse("desk:journal")).content.decode()
    assert "refused a proposed decision" in journal


@pytest.mark.django_db(transaction=True)
def test_every_event_and_every_ending_has_words():
    types = {kind.__struct_config__.tag for kind in get_args(AnyEvent)}
    assert types == set(event_words._WORDS)
    assert {ending.value for ending in PrizeEnding} <= set(ENDINGS)


@pytest.mark.django_db(transaction=True)
def test_an_unknown_match_is_not_found(anna):
    for page in ("match", "match_evidence"):
        assert at_desk(anna).get(reverse(f"desk:{page}", args=[uuid4()])).status_code == 404


# --- chouettes ------------------------------------------------------------------------------------
def text(client: Client, page: str, *args: object) -> str:
    answer = client.get(reverse(f"desk:{page}", args=args))
    assert answer.status_code == 200
    return answer.content.decode()


def decided(client: Client, game: Game, reason: str) -> str:
    """The page after the form of the decision, as it is shown, was sent with a reason."""
    page = reverse("desk:chouette_decision", args=[game.pk])
    fields = client.get(page, {"outcome": "void"}).context["form"].initial
    return client.post(page, {**fields, "reason": reason}, follow=True).content.decode()


def test_a_game_that_hangs_is_voided_on_its_page(people, anna):
    players = people(3, 10_000)
    hands = Hands(players, rate_cents=10, limit_points=4)
    hands.begin()
    game, desk = running(hands), at_desk(anna)
    assert str(game.pk) in text(desk, "chouettes")
    page = text(desk, "chouette", game.pk)
    assert all(player.username in page for player in players)
    assert "required" in decided(desk, game, "")
    assert running(hands) == game
    assert "Voided: every stake is back" in decided(desk, game, "it hangs")
    assert account_balance(f"escrow:{game.reference}") == 0
    page = reverse("desk:chouette_decision", args=[game.pk])
    again = desk.get(page, {"outcome": "void"}, follow=True).content.decode()
    assert "The game has ended in the meantime" in again
    assert str(game.pk) in desk.get(reverse("desk:chouettes") + "?state=voided").content.decode()
    assert "voided a game of a chouette" in text(desk, "journal")
    assert hands.view(players[0].pk)["games"][-1]["voided"]


def test_above_the_limit_it_waits_among_the_proposals(people, anna, bert, staff, settings):
    settings.LEDGER_ALONE_CENTS = 100
    hands = Hands(people(3, 10_000), rate_cents=10, limit_points=8)
    hands.begin()
    game, desk = running(hands), at_desk(anna)
    page = reverse("desk:chouette_decision", args=[game.pk])
    looked_at = desk.get(page, {"outcome": "void"}).content.decode()
    assert "A second person confirms it" in looked_at
    assert game.box.get_username() in looked_at
    assert at_desk(staff("theo", Role.TREASURER)).post(page, {"reason": "x"}).status_code == 403
    assert "It waits for a second person" in decided(desk, game, "it hangs")
    proposal = Proposal.objects.get(subject=game.reference)
    second = at_desk(bert)
    for page in (text(second, "proposals"), text(second, "chouette", game.pk)):
        assert "Void a game of a chouette" in page
        assert "it hangs" in page
    second.post(reverse("desk:proposal_confirm", args=[proposal.pk]))
    game.refresh_from_db()
    assert game.voided
    assert account_balance(f"escrow:{game.reference}") == 0
