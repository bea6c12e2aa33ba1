"""Every page of the desk and every role: one table has the permissions, and every page is in it."""

import re
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.roles import Role
from harness.logins import logged_in
from pasch.desk import urls
from tests.desk.conftest import PASSWORD, at_desk

pytestmark = pytest.mark.django_db

MODERATOR, TREASURER, ADMINISTRATOR = Role.MODERATOR, Role.TREASURER, Role.ADMINISTRATOR
ALL = {MODERATOR, TREASURER, ADMINISTRATOR}
MONEY = {TREASURER, ADMINISTRATOR}
ORDER = {MODERATOR, ADMINISTRATOR}
HEAD = {ADMINISTRATOR}

#: page: (the method that works, the roles with the right)
PAGES: dict[str, tuple[str, set[Role]]] = {
    "overview": ("get", ALL),
    "factor": ("post", ALL),
    "payouts": ("get", MONEY),
    "payout": ("get", MONEY),
    "payout_approve": ("post", MONEY),
    "payout_claim": ("post", MONEY),
    "payout_cancel": ("post", MONEY),
    "payout_settle": ("post", MONEY),
    "payout_decline": ("post", MONEY),
    "payout_fail": ("post", MONEY),
    "adjustments": ("get", MONEY),
    "vouchers": ("get", MONEY),
    "voucher_revoke": ("post", MONEY),
    "players": ("get", ALL),
    "player": ("get", ALL),
    "identity": ("get", HEAD),
    "identity_confirm": ("post", HEAD),
    "identity_stop": ("post", HEAD),
    "player_freeze": ("post", ALL),
    "player_thaw": ("post", ALL),
    "two_people": ("post", ORDER),
    "two_people_end": ("post", ORDER),
    "matches": ("get", ALL),
    "match": ("get", ALL),
    "match_evidence": ("get", ALL),
    "match_decision": ("get", ORDER),
    "chouettes": ("get", ALL),
    "chouette": ("get", ALL),
    "chouette_decision": ("get", ORDER),
    "proposals": ("get", ALL),
    "proposal_confirm": ("post", ALL),
    "proposal_refuse": ("post", ALL),
    "proposal_withdraw": ("post", ALL),
    "reports": ("get", ORDER),
    "report": ("get", ORDER),
    "report_close": ("post", ORDER),
    "club": ("get", ORDER),
    "club_decide": ("post", ORDER),
    "club_restore": ("post", ORDER),
    "title": ("get", ORDER),
    "title_decide": ("post", ORDER),
    "title_restore": ("post", ORDER),
    "cases": ("get", ORDER),
    "case": ("get", ORDER),
    "case_open": ("post", ORDER),
    "case_opinion": ("post", ORDER),
    "case_prolong": ("post", ORDER),
    "case_refund": ("post", HEAD),
    "reviewers": ("get", ORDER),
    "roles": ("get", HEAD),
    "role_confirm": ("post", HEAD),
    "role_stop": ("post", HEAD),
    "house": ("get", HEAD),
    "house_part": ("get", HEAD),
    "house_look": ("post", HEAD),
    "money": ("get", HEAD),
    "stops": ("get", HEAD),
    "tournaments": ("get", MONEY),
    "stop_resume": ("post", HEAD),
    "mails": ("get", HEAD),
    "mail_retry": ("post", HEAD),
    "journal": ("get", ALL),
    "audit": ("get", MONEY),
    "audit_run": ("post", MONEY),
}
#: pages that have a form of their own
POSTED_TOO = {
    "adjustments": MONEY,
    "vouchers": MONEY,
    "stops": HEAD,
    "match_decision": ORDER,
    "chouette_decision": ORDER,
    "tournaments": MONEY,
    "roles": HEAD,
    "money": HEAD,
    "house_part": HEAD,
    "identity": HEAD,
}
CASES = [
    *((page, method, may) for page, (method, may) in PAGES.items()),
    *((page, "post", may) for page, may in POSTED_TOO.items()),
]
NAMES = [f"{method} {page}" for page, method, _ in CASES]
ABSENT_ID = 999_999


def address(name: str) -> str:
    """The page of an object that does not exist: 404 with the right, a refusal without."""
    route = next(str(p.pattern) for p in urls.urlpatterns if p.name == name)
    if "<int:" in route:
        return reverse(f"desk:{name}", args=[ABSENT_ID])
    if "<slug:" in route:
        return reverse(f"desk:{name}", args=["name"])
    return reverse(f"desk:{name}", args=[uuid4()] if "<uuid:" in route else [])


def test_every_page_stands_in_the_table():
    assert {pattern.name for pattern in urls.urlpatterns} == set(PAGES)


def test_every_page_is_guarded():
    unguarded = [p.name for p in urls.urlpatterns if not hasattr(p.callback, "desk_permission")]
    assert unguarded == []


def ask(client: Client) -> dict[str, Any]:
    """The statuses that this client gets from every page of the table."""
    return {f"{method} {page}": getattr(client, method)(address(page)) for page, method, _ in CASES}


def test_stranger_is_sent_to_log_in(client):
    for name, answer in ask(client).items():
        assert answer.status_code == 302, name
        assert answer.url.startswith(reverse("account_login")), name


def test_player_is_refused(magriel):
    answers = ask(at_desk(magriel))
    assert {name: answer.status_code for name, answer in answers.items()} == dict.fromkeys(
        NAMES, 403
    )


@pytest.mark.parametrize("role", list(Role))
def test_role_without_second_factor_is_sent_to_set_one_up(staff, role):
    for name, answer in ask(at_desk(staff("anna", role, second_factor=False))).items():
        assert (answer.status_code, answer.url) == (302, reverse("mfa_activate_totp")), name


def test_setting_one_up_explains_itself_and_leads_back_to_the_desk(staff):
    anna = staff("anna", second_factor=False)
    page = logged_in(Client(), anna).get(reverse("mfa_index")).content.decode()
    assert 'id="factor-title"' in page
    assert f'<a class="button button-primary" href="{reverse("desk:overview")}">' in page


def test_the_pages_of_the_desk_stand_in_a_few_groups(anna):
    page = at_desk(anna).get(reverse("desk:overview")).content.decode()
    (menu,) = re.findall(r'<nav class="tabs".*?</nav>', page, re.DOTALL)
    assert menu.count("<summary>") == 5
    beside = re.sub(r"<details.*?</details>", "", menu, flags=re.DOTALL)
    assert beside.count("<a ") == 2, "more tabs stood on two lines"


@pytest.mark.parametrize("role", list(Role))
def test_role_with_second_factor_may_what_the_table_says(staff, role):
    statuses = {
        name: answer.status_code for name, answer in ask(at_desk(staff("anna", role))).items()
    }
    let_in = {name for name, status in statuses.items() if status in (200, 302, 404)}
    refused = {name for name, status in statuses.items() if status == 403}
    assert let_in == {f"{method} {page}" for page, method, may in CASES if role in may}
    assert refused == set(NAMES) - let_in


def test_nothing_is_done_by_a_link(anna):
    client = at_desk(anna)
    posted = [name for name, (method, _) in PAGES.items() if method == "post"]
    statuses = {name: client.get(address(name)).status_code for name in posted}
    assert statuses == dict.fromkeys(posted, 405)


def test_every_form_is_protected_against_forgery(anna):
    forged = Client(enforce_csrf_checks=True)
    forged.cookies = at_desk(anna).cookies
    posted = [name for name, method, _ in CASES if method == "post"]
    statuses = {name: forged.post(address(name)).status_code for name in posted}
    assert statuses == dict.fromkeys(posted, 403)


def test_groups_without_staff_open_nothing(staff):
    anna = staff("anna")
    User.objects.filter(pk=anna.pk).update(is_staff=False)
    assert at_desk(anna).get(reverse("desk:overview")).status_code == 403


def test_staff_without_a_role_see_nothing(magriel, settings):
    settings.STAFF_SECOND_FACTOR = False
    User.objects.filter(pk=magriel.pk).update(is_staff=True)
    client = at_desk(magriel)
    answers = {name: client.get(address(name)).status_code for name in PAGES}
    assert set(answers.values()) == {403}


def test_who_was_away_says_again_who_is_there(anna):
    client = at_desk(anna, proved_ago=16 * 60)
    answer = client.get(reverse("desk:players"))
    assert answer.status_code == 302
    assert answer.url.startswith(reverse("account_reauthenticate"))
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    assert client.get(reverse("desk:players")).status_code == 200


def test_what_is_sent_after_long_silence_is_not_done(anna, magriel):
    from ledger.selectors import wallet_is_frozen

    client = at_desk(anna, proved_ago=16 * 60)
    client.post(reverse("desk:player_freeze", args=[magriel.pk]), {"reason": "looked into"})
    assert not wallet_is_frozen(magriel.pk)


def test_working_at_the_desk_keeps_it_open(anna, monkeypatch):
    import time

    client, now = at_desk(anna), time.time()
    for minutes in (10, 20, 30):
        monkeypatch.setattr("ledger.desk.access.time.time", lambda m=minutes: now + 60 * m)
        assert client.get(reverse("desk:overview")).status_code == 200


def test_no_page_of_the_desk_is_kept_by_the_browser(anna):
    answer: Any = at_desk(anna).get(reverse("desk:overview"))
    assert "no-store" in answer["Cache-Control"]


def test_only_staff_are_shown_the_way_to_the_desk(anna, magriel):
    assert reverse("desk:overview") in at_desk(anna).get("/").content.decode()
    assert reverse("desk:overview") not in at_desk(magriel).get("/").content.decode()
