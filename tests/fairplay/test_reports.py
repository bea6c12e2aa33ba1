"""Reports of players, the ladder of leavers, and what is deleted in time."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from fairplay.cases import cases_move_on
from fairplay.complaints import complaint_make, weight_of
from fairplay.errors import ReportRefused
from fairplay.leavers import conduct_note_ended, record_now
from fairplay.models import Case, Complaint, Conduct, Pause, Screening
from fairplay.refunds import CHECKS_KEPT, CONDUCT_KEPT, measurements_forget
from games.models import Match, Outage
from games.services.bars import Barred
from games.services.tables import table_open
from harness.logins import logged_in
from harness.wallets import handed_over
from kit.sentences import sentence
from tests.aging import row_made, rows_age

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def left(person, dice):
    """`left(giver)`: the giver leaves a match against somebody new."""
    dice((3, 1), (4, 2))
    made = iter(range(100))

    def leave(giver):
        return handed_over(giver, person(f"taker{next(made)}"), mode="normal")

    return leave


def grown_up() -> None:
    """Everybody has been here for a while."""
    User.objects.update(date_joined=timezone.now() - timedelta(days=60))


def test_reports_of_two_people_open_a_case_and_one_does_not(person, left):
    giver = person("giver")
    first, second, third = left(giver), left(giver), left(giver)
    grown_up()
    one = complaint_make(match=first, reporter=first.player_1, reason="conduct", words="Left.")
    assert complaint_make(match=first, reporter=first.player_1, reason="conduct") == one
    assert not Case.objects.exists()
    complaint_make(match=second, reporter=second.player_1, reason="conduct")
    case = Case.objects.get()
    assert case.parties.filter(role="accused").get().user == giver
    complaint_make(match=third, reporter=third.player_1, reason="conduct")
    assert {row.case_id for row in Complaint.objects.all()} == {case.pk}
    assert {row.match for row in case.matches.all()} == {first, second, third}


def test_a_case_that_nobody_decided_costs_its_reporters_weight(person, left):
    """The same two alone open no second one."""
    giver = person("giver")
    both = [left(giver), left(giver)]
    grown_up()
    for match in both:
        complaint_make(match=match, reporter=match.player_1, reason="conduct")
    rows_age(Case.objects.all(), waits_until=timezone.now() - timedelta(seconds=1))
    assert cases_move_on() == 1
    assert set(Complaint.objects.values_list("outcome", flat=True)) == {"lapsed"}
    assert weight_of(both[0].player_1_id) == 0.4
    for match in both:
        again = handed_over(giver, match.player_1, mode="normal")
        complaint_make(match=again, reporter=match.player_1, reason="conduct")
    assert Case.objects.count() == 1


def test_accounts_made_for_it_open_no_case(person, left):
    giver = person("giver")
    for match in (left(giver), left(giver)):
        complaint_make(match=match, reporter=match.player_1, reason="conduct")
    assert not Case.objects.exists()


def test_a_report_is_refused_for_matches_of_others_and_old_ones(person, left):
    match = left(person("giver"))
    with pytest.raises(ReportRefused):
        complaint_make(match=match, reporter=person("stranger"), reason="conduct")
    with pytest.raises(ReportRefused):
        complaint_make(match=match, reporter=match.player_1, reason="nonsense")
    Match.objects.update(ended_at=timezone.now() - timedelta(days=8))
    match.refresh_from_db()
    with pytest.raises(ReportRefused):
        complaint_make(match=match, reporter=match.player_1, reason="conduct")
    assert not Complaint.objects.exists()


def test_somebody_whose_reports_led_nowhere_weighs_less(person, left):
    match = left(person("giver"))
    reporter = match.player_1
    assert weight_of(reporter.pk) == 0.25
    grown_up()
    assert weight_of(reporter.pk) == 0.5
    complaint_make(match=match, reporter=reporter, reason="conduct")
    rows_age(Complaint.objects.all(), outcome="cleared")
    assert weight_of(reporter.pk) == pytest.approx(1 / 3)
    rows_age(Complaint.objects.all(), outcome="confirmed")
    assert weight_of(reporter.pk) == pytest.approx(2 / 3)


def test_leaving_twice_costs_ten_minutes_and_is_explained(person, left):
    giver = person("giver")
    left(giver)
    assert conduct_note_ended() == 1
    assert not Pause.objects.exists()
    left(giver)
    assert conduct_note_ended() == 1
    assert conduct_note_ended() == 0
    pause = Pause.objects.get()
    assert (pause.faults, pause.matches) == (2, 2)
    assert pause.ends_at - pause.placed_at == timedelta(minutes=10)
    with pytest.raises(Barred):
        table_open(user=giver, mode="normal")
    assert record_now(giver.pk).to_heal == 10
    client = logged_in(Client(headers={"accept-language": "en"}), giver)
    form = {"mode": "normal", "variant": "nackgammon", "clock": "slow"}
    page = client.post(reverse("table_open"), form).content.decode()
    assert "You left several of your last matches" in page
    assert f'<a href="{reverse("fairplay_mine")}">' in page
    assert '<option value="nackgammon" selected>' in page, "the form is kept"


def test_a_refused_entry_says_until_when() -> None:
    refusal = Barred("kept", until_ms=1_790_000_000_000)
    assert "{" not in sentence(refusal)
    assert "Fair play" in sentence(refusal)


def test_a_match_that_ended_while_the_house_was_down_is_nobodys_fault(person, left):
    match = left(person("giver"))
    Outage.objects.create(began_at=match.ended_at - timedelta(minutes=1), ended_at=match.ended_at)
    conduct_note_ended()
    assert not Conduct.objects.exclude(fault="").exists()


def test_measurements_are_deleted_in_time(alarm):
    conduct_note_ended()
    giver = alarm.parties.first().user
    row_made(Pause(user=giver, step=1, faults=2, matches=2, ends_at=timezone.now()))
    assert measurements_forget() == 0
    rows_age(Conduct.objects.all(), at=timezone.now() - CONDUCT_KEPT - timedelta(seconds=1))
    old = timezone.now() - CONDUCT_KEPT - timedelta(seconds=1)
    rows_age(Pause.objects.all(), placed_at=old)
    rows_age(Screening.objects.all(), made_at=timezone.now() - CHECKS_KEPT - timedelta(seconds=1))
    assert measurements_forget() == 4
    assert not Conduct.objects.exists()
    assert not Screening.objects.exists()
    assert Case.objects.exists()
