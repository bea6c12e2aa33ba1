"""Players, stops, journal, audit and overview at the desk."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext

from accounts.models import OutgoingMail, User
from accounts.roles import Role
from fairplay.complaints import case_open_by_hand
from fairplay.models import CaseKind
from games.services.dice.statistics import statistics_make
from games.settlement import StakeNotPossible
from harness.wallets import payout_asked
from ledger.models import AuditRun, JournalEntry, Payout, StakesStop
from ledger.selectors import wallet_is_frozen
from ledger.tasks import audit as audit_task
from ledger.tasks import audit_recent
from pasch.staff.mails import digests_send
from tests.desk.conftest import at_desk

pytestmark = pytest.mark.django_db


def html(client, page: str, *args: object, **query: str) -> str:
    answer = client.get(reverse(f"desk:{page}", args=args), query)
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_wallet_is_frozen_and_released_with_reasons(anna, magriel):
    client = at_desk(anna)
    client.post(reverse("desk:player_freeze", args=[magriel.pk]), {"reason": "two accounts?"})
    assert wallet_is_frozen(magriel.pk)
    assert "Nothing leaves this wallet" in html(client, "player", magriel.pk)
    client.post(reverse("desk:player_thaw", args=[magriel.pk]), {"reason": "one person"})
    assert not wallet_is_frozen(magriel.pk)
    rows = JournalEntry.objects.filter(subject=f"user:{magriel.pk}").order_by("id")
    assert list(rows.values_list("verb", "reason")) == [
        ("player.freeze", "two accounts?"),
        ("player.thaw", "one person"),
    ]


def test_freezing_without_a_reason_does_nothing(anna, magriel):
    at_desk(anna).post(reverse("desk:player_freeze", args=[magriel.pk]), {"reason": "  "})
    assert not wallet_is_frozen(magriel.pk)


def test_people_are_found_by_name_and_mail_address_closed_ones_too(anna, magriel):
    User.objects.create_user("tilo", "tilo@somewhere.example")
    User.objects.filter(pk=magriel.pk).update(is_active=False)
    client = at_desk(anna)
    assert "tilo" in html(client, "players", search="SOMEWHERE")
    assert "magriel" in html(client, "players", search="Magr")
    assert "No player with that name" in html(client, "players", search="\x00")


def test_a_moderator_sees_no_credits_of_a_player(staff, magriel):
    shown = html(at_desk(staff("mona", Role.MODERATOR)), "player", magriel.pk)
    assert "100.00" not in shown.split("</header>")[1]
    assert reverse("desk:adjustments") not in shown


def test_the_house_a_mode_and_a_player_are_stopped_and_opened_again(anna, magriel):
    client = at_desk(anna)
    wanted = [
        ({"what": "house"}, "house"),
        ({"what": "mode:prize5"}, "mode:prize5"),
        ({"what": "user", "player": "Magriel"}, f"player:{magriel.pk}"),
    ]
    for fields, scope in wanted:
        client.post(reverse("desk:stops"), {**fields, "reason": "maintenance"})
        assert StakesStop.objects.filter(scope=scope).exists()
    shown = html(client, "stops")
    assert "Prize, 5 points" in shown
    assert "magriel" in shown
    for _, scope in wanted:
        client.post(reverse("desk:stop_resume"), {"scope": scope, "reason": "done"})
    assert not StakesStop.objects.exists()
    assert JournalEntry.objects.filter(verb="stakes.resume").count() == 3


@pytest.mark.django_db(transaction=True)
def test_a_stopped_player_cannot_sit_down(anna, magriel):
    from games.services.tables import table_join, table_open

    hilde = User.objects.create_user("hilde")
    fields = {"what": "user", "player": "magriel", "reason": "looked into"}
    at_desk(anna).post(reverse("desk:stops"), fields)
    table = table_open(user=hilde, mode="prize5", stake_cents=250)
    with pytest.raises(StakeNotPossible):
        table_join(user=magriel, table_id=table.pk)


@pytest.mark.parametrize(
    "fields",
    [
        {"what": "mode:chess", "reason": "x"},
        {"what": "user", "player": "nobody", "reason": "x"},
        {"what": "user", "player": "\x00", "reason": "x"},
        {"what": "house", "reason": ""},
        {},
    ],
)
def test_a_bad_stop_stops_nothing(anna, fields):
    answer = at_desk(anna).post(reverse("desk:stops"), fields)
    assert "errorlist" in answer.content.decode()
    assert not StakesStop.objects.exists()


def test_the_journal_tells_before_and_after_and_is_narrowed(anna, bert, magriel):
    at_desk(anna).post(reverse("desk:player_freeze", args=[magriel.pk]), {"reason": "suspicion"})
    at_desk(bert).post(reverse("desk:stops"), {"what": "house", "reason": "the storm"})
    client = at_desk(anna)
    shown = html(client, "journal")
    assert "froze a wallet" in shown
    assert "<del>no</del> → <ins>yes</ins>" in shown
    assert ">magriel</a>" in shown
    only = html(client, "journal", subject=f"user:{magriel.pk}")
    assert "suspicion" in only
    assert "the storm" not in only
    assert "the storm" in html(client, "journal", actor="BERT")
    assert "No entries found" in html(client, "journal", actor="nobody")


def test_what_administrators_write_is_shown_as_text(anna, magriel):
    script = "<script>alert(1)</script>"
    at_desk(anna).post(reverse("desk:player_freeze", args=[magriel.pk]), {"reason": script})
    for page in ("journal", "player"):
        args = [magriel.pk] if page == "player" else []
        assert script not in html(at_desk(anna), page, *args)


@pytest.mark.django_db(transaction=True)
def test_the_audit_shows_that_everything_holds(anna, magriel):
    client = at_desk(anna)
    assert "No audit has run yet." in html(client, "audit")
    audit_task()
    shown = html(client, "audit")
    assert "Everything holds" in shown
    assert "All entries sum to zero" in shown


def test_the_audit_shows_what_does_not_hold(anna):
    finding = {"row": "account 7", "message": "holds 5 cents too many"}
    AuditRun.objects.create(
        started_at="2026-01-01T03:17:00Z",
        duration_ms=12,
        finding_count=1,
        report={
            "checks": [
                {"code": "A1", "title": "All entries sum to zero", "findings": []},
                {"code": "A4", "title": "Every stored balance", "findings": [finding]},
            ],
            "totals": dict.fromkeys(
                (
                    "issued_cents",
                    "paid_out_cents",
                    "wallets_cents",
                    "escrows_cents",
                    "holds_cents",
                    "rake_cents",
                ),
                0,
            ),
        },
    )
    shown = html(at_desk(anna), "audit")
    assert "1 problem found" in shown
    assert "holds 5 cents too many" in shown
    assert shown.index("A4") < shown.index("A1<")
    assert "1 problem found" in html(at_desk(anna), "overview")


@pytest.mark.django_db(transaction=True)
def test_the_hourly_audit_stands_beside_the_nightly_one(anna, magriel):
    client = at_desk(anna)
    assert html(client, "overview").count("No audit has run yet.") == 3
    audit_task()
    audit_recent()
    shown = html(client, "overview")
    assert shown.count("Everything holds") == 2
    assert "Hourly: new rows" in shown
    assert "What is new and a part of the rest, every night" in shown
    shown = html(client, "audit")
    assert "Audits of what was new" in shown
    assert "Only what came since:" not in shown
    recent = AuditRun.objects.exclude(since_at=None).get()
    assert "Only what came since:" in html(client, "audit", run=str(recent.pk))


def test_every_check_has_words_for_translators():
    from ledger.audit import _checks

    titles = {check.title for check in _checks.values()}
    with translation.override("de"):
        assert {title for title in titles if gettext(title) == title} == set()


def test_the_overview_shows_what_waits_and_the_identity_of_the_books(anna, payout):
    shown = html(at_desk(anna), "overview")
    assert reverse("desk:payout", args=[payout.pk]) in shown
    assert 'data-testid="difference">0.00' in shown


def test_the_overview_of_a_moderator_has_no_figures(staff, payout):
    shown = html(at_desk(staff("mona", Role.MODERATOR)), "overview")
    assert reverse("desk:payouts") not in shown
    assert "difference" not in shown


def test_the_demo_house_has_two_administrators(settings, tmp_path, capsys):
    from accounts.roles import role_of
    from pasch.servers.embedded import Home

    settings.HOME = Home(tmp_path)
    call_command("demo_house")
    roles = {user.username: role_of(user) for user in User.objects.exclude(password="")}
    assert {name for name, role in roles.items() if role} == {"adele", "bruno"}
    proved = EmailAddress.objects.filter(verified=True).values_list("user__username", flat=True)
    assert set(proved) == set(roles), "or nobody could try a payout"


def test_the_file_of_accounts_is_never_overwritten(settings, tmp_path, capsys):
    from pasch.servers.embedded import Home

    settings.HOME = Home(tmp_path)
    file = tmp_path / "demo-accounts.txt"
    file.write_text("adele of-an-interrupted-start\nolder account\n")
    call_command("demo_house")
    assert User.objects.get(username="adele").check_password("of-an-interrupted-start")
    assert file.read_text().startswith("adele of-an-interrupted-start\nolder account\nbruno ")


# --- dice -----------------------------------------------------------------------------------------
@pytest.mark.parametrize("alarm", [True, False])
def test_an_alarm_of_the_dice_stands_on_the_overview(anna, alarm):
    counted = statistics_make()
    counted.alarm = alarm
    counted.save()
    page = at_desk(anna).get("/desk/").content.decode()
    assert ("The dice are improbable" in page) == alarm
    assert page.count('href="/fair/dice/"') == alarm


# --- mails to the staff ---------------------------------------------------------------------------
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
    monkeypatch.setattr("pasch.staff.mails.PAUSE", timedelta())
    assert digests_send() == 1
    assert "Payouts waiting: 2" in mails(theo)[-1].body
    assert digests_send() == 0, "nothing is new"
    monkeypatch.setattr("pasch.staff.mails.DAY", timedelta())
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
