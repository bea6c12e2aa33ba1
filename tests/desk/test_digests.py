"""Staff are told by mail that something waits: at once where it has a deadline, else once a day."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client

from accounts.models import OutgoingMail, User
from accounts.roles import Role
from fairplay.complaints import case_open_by_hand
from fairplay.models import CaseKind
from harness.wallets import payout_asked
from ledger.models import Payout
from pasch.staff import digests
from pasch.staff.digests import digests_send
from tests.desk.conftest import at_desk

pytestmark = pytest.mark.django_db

Staff = Callable[..., User]


def mails(person: User) -> list[OutgoingMail]:
    return list(OutgoingMail.objects.filter(to=person.email, about="desk").order_by("pk"))


def case_against(staff: Staff, person: User) -> None:
    """Somebody of the staff without a mail address opens a case."""
    otto = staff("otto", Role.MODERATOR)
    User.objects.filter(pk=otto.pk).update(email="")
    case_open_by_hand(people=[person], kind=CaseKind.CONDUCT, words="Look at this.", actor=otto)


def test_each_role_is_told_what_it_may_decide_with_a_link(
    staff: Staff, payout: Payout, magriel: User, settings: object
) -> None:
    settings.PUBLIC_ADDRESS = "https://pasch.example"  # type: ignore[attr-defined]
    mona, theo = staff("mona", Role.MODERATOR), staff("theo", Role.TREASURER)
    User.objects.filter(pk=mona.pk).update(language="de")
    case_against(staff, magriel)
    assert digests_send() == 2
    (to_mona,), (to_theo,) = mails(mona), mails(theo)
    assert to_mona.subject == "In der Verwaltung wartet etwas"
    assert "Wartende Fälle: 1, das älteste seit " in to_mona.body
    assert "https://pasch.example/desk/cases/" in to_mona.body
    assert "/desk/payouts/" not in to_mona.body
    assert "Payouts waiting: 1, the oldest since " in to_theo.body
    assert "https://pasch.example/desk/payouts/" in to_theo.body
    assert "/desk/cases/" not in to_theo.body
    assert "magriel" not in to_mona.body + to_theo.body, "a mail names nobody"


def test_the_same_is_told_once_a_day_and_what_is_new_at_once(
    staff: Staff, payout: Payout, magriel: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    theo = staff("theo", Role.TREASURER)
    assert digests_send() == 1
    payout_asked(magriel, 1000, "second")
    assert digests_send() == 0, "a flood is one mail in ten minutes"
    monkeypatch.setattr(digests, "PAUSE", timedelta())
    assert digests_send() == 1
    assert "Payouts waiting: 2" in mails(theo)[-1].body
    assert digests_send() == 0, "nothing is new"
    monkeypatch.setattr(digests, "DAY", timedelta())
    assert digests_send() == 1


def test_nobody_is_told_of_a_case_against_them_nor_of_nothing(staff: Staff) -> None:
    mona = staff("mona", Role.MODERATOR)
    assert digests_send() == 0
    case_against(staff, mona)
    assert digests_send() == 0


def test_the_overview_shows_how_many_cases_wait(staff: Staff, magriel: User) -> None:
    client: Client = at_desk(staff("mona", Role.MODERATOR))
    case_against(staff, magriel)
    page = client.get("/desk/").content.decode()
    assert '<span class="muted small">Cases waiting</span><b>1</b>' in page
