"""S1: an administrator takes over another one's account in Django's administration or the desk."""

import re
import string
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import admin
from django.core import mail
from django.db import InternalError
from django.db.models import Model
from django.test import Client
from django.urls import NoReverseMatch, reverse
from django.utils import timezone

from accounts.admin_site import HouseAdminSite
from accounts.decisions import IdentityChange, IdentityKind
from accounts.models import User
from ledger.models import Payout
from ledger.selectors import wallet_balance
from ledger.services.books import stakes_escrow
from ledger.services.vouchers import voucher_make
from pasch.staff.decisions import decision_confirm, decisions_take_effect
from pasch.staff.identities import IDENTITIES, identity_change
from tests.desk.conftest import PASSWORD, at_desk

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

THEIRS = "anna.two@example.net"


@pytest.fixture
def superuser(anna: User) -> User:
    """anna, who is a superuser of Django too."""
    anna.is_superuser = True
    anna.save(update_fields=["is_superuser"])
    return anna


def reset_link(address: str) -> str | None:
    """The link in the mail of a password reset, or None if there is no mail."""
    Client().post(reverse("account_reset_password"), {"email": address})
    found = re.search(r"https?://[^/\s]+(/\S*reset/key/\S+)", mail.outbox[-1].body)
    return found[1] if found else None


# --- through Django's administration --------------------------------------------------------------


def test_no_address_is_added_to_another_account(superuser: User, bert: User) -> None:
    """The attack: add an address, reset the password by mail, set up an authenticator."""
    client = at_desk(superuser)
    form = {"user": bert.pk, "email": THEIRS, "verified": "on", "primary": "on"}
    answer = client.post(reverse("admin:account_emailaddress_add"), form)
    assert answer.status_code == 403
    assert not EmailAddress.objects.filter(email=THEIRS).exists()
    assert reset_link(THEIRS) is None


def test_no_address_is_verified_by_an_action(superuser: User, bert: User) -> None:
    address = EmailAddress.objects.create(user=bert, email=THEIRS)
    form = {"action": "make_verified", "_selected_action": [address.pk], "index": 0}
    at_desk(superuser).post(reverse("admin:account_emailaddress_changelist"), form)
    address.refresh_from_db()
    assert not address.verified


def test_no_mail_address_name_or_flag_of_another_account_is_changed(
    superuser: User, bert: User
) -> None:
    page = reverse("admin:accounts_user_change", args=[bert.pk])
    form = {"username": "bertold", "email": THEIRS, "language": "", "theme": "", "is_bot": "on"}
    assert at_desk(superuser).post(page, form).status_code == 403
    bert.refresh_from_db()
    assert (bert.username, bert.email, bert.is_bot) == ("bert", "bert@example.org", False)
    assert bert.is_active
    assert reset_link(THEIRS) is None


def test_no_second_factor_of_another_account_is_deleted(superuser: User, bert: User) -> None:
    client = at_desk(superuser)
    factor = Authenticator.objects.get(user=bert)
    form = {"action": "delete_selected", "_selected_action": [factor.pk], "post": "yes"}
    for page in (f"/admin/mfa/authenticator/{factor.pk}/delete/", "/admin/mfa/authenticator/"):
        assert client.post(page, form).status_code in (403, 404)
    assert Authenticator.objects.filter(pk=factor.pk).exists()


def test_nobody_settles_as_somebody_else(superuser: User, bert: User, payout: Payout) -> None:
    """The whole attack: at its end the payout is approved by one person and settled by no one."""
    client = at_desk(superuser)
    client.post(reverse("desk:payout_approve", args=[payout.pk]), {"reason": "right"})
    form = {"user": bert.pk, "email": THEIRS, "verified": "on", "primary": "on"}
    client.post(reverse("admin:account_emailaddress_add"), form)
    assert reset_link(THEIRS) is None
    client.post(reverse("desk:payout_claim", args=[payout.pk]))
    client.post(reverse("desk:payout_settle", args=[payout.pk]), {"receipt": "1"})
    payout.refresh_from_db()
    assert payout.state == "approved"


def furnish(people: list[User]) -> None:
    """Rows for most lists of the administration."""
    for person in people:
        EmailAddress.objects.get_or_create(
            user=person, email=person.email, defaults={"primary": True}
        )
        Client().post(reverse("account_login"), {"login": person.username, "password": "wrong"})
    voucher_make(verified_at=timezone.now(), actor=people[0], amount_cents=100, note="for a test")


def answers_of(client: Client, model: type[Model]) -> dict[str, int]:
    """The statuses of POSTs to every page of one model: page or action -> status."""
    name = f"{model._meta.app_label}_{model._meta.model_name}"
    pages = {"add": [], "changelist": []}
    first = model._default_manager.first()
    if first is not None:
        pages |= {"change": [first.pk], "delete": [first.pk], "history": [first.pk]}
    fields: dict[str, Any] = {"post": "yes", "_save": "Save", "form-TOTAL_FORMS": 0}
    fields |= {"form-INITIAL_FORMS": 0}
    if first is not None:
        for field in model._meta.concrete_fields:
            value = field.value_to_string(first)
            fields[field.name] = "changed@example.org" if "email" in field.name else value
        fields |= {"is_bot": "on", "is_staff": "on", "is_superuser": "on", "verified": "on"}
    found = {}
    for page, parts in pages.items():
        address = reverse(f"admin:{name}_{page}", args=parts)
        found[page] = client.post(address, fields).status_code
    for action in ("delete_selected", "make_verified", *actions_of(model)):
        chosen = {"action": action, "_selected_action": [first.pk if first else 1], "post": "yes"}
        address = reverse(f"admin:{name}_changelist")
        found[action] = client.post(address, chosen | {"index": 0}).status_code
    return found


def actions_of(model: type[Model]) -> list[str]:
    """The actions that the class of a model offers to any user."""
    chosen = admin.site._registry[model].actions or ()
    return [each if isinstance(each, str) else each.__name__ for each in chosen]


def test_the_administration_writes_nothing_for_anybody(
    superuser: User, bert: User, magriel: User, payout: Payout, tables_digest: Any
) -> None:
    """POST to every page of every registered model, and compare every table."""
    furnish([superuser, bert, magriel])
    client = at_desk(superuser)
    models = list(admin.site._registry)
    assert {User, EmailAddress} <= set(models)
    before = tables_digest()
    for model in models:
        answers = answers_of(client, model)
        assert set(answers.values()) == {403}, model._meta.label
    page = reverse("admin:password_change")
    form = {"old_password": "a", "new_password1": "b"}
    assert client.post(page, form).status_code == 403
    assert tables_digest() == before


def test_a_page_that_writes_is_stopped_by_the_database(superuser: User, rf: Any) -> None:
    """A library may register a page of its own that writes on GET."""

    def page(request: Any) -> None:
        User.objects.update(is_superuser=True)

    request = rf.get("/admin/library/")
    request.user = superuser
    with pytest.raises(InternalError, match="read-only"):
        admin.site.admin_view(page)(request)
    assert User.objects.filter(is_superuser=True).count() == 1


def test_a_class_with_actions_and_rights_of_its_own_has_none_here(superuser: User, rf: Any) -> None:
    class Eager(admin.ModelAdmin):
        """A model's administration as a library may register it."""

        actions = ("wipe",)

        def wipe(self, request: Any, queryset: Any) -> None:
            """Delete all rows."""
            queryset.delete()

        def has_change_permission(self, request: Any, obj: Any = None) -> bool:
            """Allow everything to everybody."""
            return True

    site = HouseAdminSite()
    site.register(User, Eager)
    request = rf.get("/admin/library/")
    request.user = superuser
    shown = site._registry[User]
    assert shown.get_actions(request) == {}
    assert shown.get_model_perms(request) == {
        "add": False,
        "change": False,
        "delete": False,
        "view": True,
    }


# --- sessions -------------------------------------------------------------------------------------
SESSIONS = "/admin/usersessions/usersession/"


@pytest.fixture
def chief(anna: User) -> User:
    """anna is a superuser as well, and may see every page."""
    User.objects.filter(pk=anna.pk).update(is_superuser=True)
    return User.objects.get(pk=anna.pk)


def test_no_page_tells_the_session_of_another_administrator(chief: User, magriel: User) -> None:
    """The attack: guess the key of a session letter by letter, and send it as a cookie.

    The list showed no key, but its query string could filter by it: a right guess had a row.
    """
    theirs = Client()
    theirs.post(reverse("account_login"), {"login": "magriel", "password": PASSWORD})
    theirs.get(reverse("account"))
    key = theirs.cookies[settings.SESSION_COOKIE_NAME].value
    row = UserSession.objects.get(session_key=key)
    looking, guessed = at_desk(chief), ""
    for _ in range(3):
        for letter in string.ascii_lowercase + string.digits:
            found = looking.get(f"{SESSIONS}?session_key__startswith={guessed}{letter}")
            if f"{SESSIONS}{row.pk}/change/" in found.content.decode():
                guessed += letter
                break
    assert not guessed
    assert looking.get(SESSIONS).status_code == 404


@pytest.mark.parametrize("model", ["usersessions_usersession", "mfa_authenticator"])
def test_sessions_and_second_factors_have_no_page_there(chief: User, model: str) -> None:
    with pytest.raises(NoReverseMatch):
        reverse(f"admin:{model}_changelist")


def test_no_column_that_opens_a_door_is_registered() -> None:
    opens: Any = {"session_key", "session_data", "password", "digest", "key", "data", "body"}
    shown = {
        (model._meta.label, field.name)
        for model in admin.site._registry
        for field in model._meta.fields
        if field.name in opens
    }
    assert shown <= {
        ("accounts.User", "password"),  # left out of its page
        ("ledger.Account", "key"),
        ("ledger.Transfer", "key"),
        ("ledger.Transfer", "digest"),
    }


# --- the account of a player ----------------------------------------------------------------------
WAYS_IN = (
    (IdentityKind.ADDRESS, THEIRS),
    (IdentityKind.VERIFY, ""),
    (IdentityKind.NO_ADDRESS, ""),
    (IdentityKind.FACTORS, ""),
)


def change(actor: User, person: User, kind: IdentityKind, value: str = "") -> IdentityChange:
    told = {"reason": "lost the phone", "verified_at": timezone.now()}
    return identity_change(user_id=person.pk, kind=kind, value=value, actor=actor, **told)


def test_one_administrator_does_not_come_in_as_a_player_with_credits(
    anna: User, bert: User, magriel: User
) -> None:
    """The attack: set an address, reset the password by mail, and lose the credits in a match."""
    assert wallet_balance(magriel.pk) > 0
    form = {"kind": "address", "value": THEIRS, "reason": "asked me to"}
    page = at_desk(anna).post(reverse("desk:identity", args=[magriel.pk]), form, follow=True)
    assert "second administrator confirms it" in page.content.decode()
    assert User.objects.get(pk=magriel.pk).email == "magriel@example.org"


@pytest.mark.parametrize(("kind", "value"), WAYS_IN)
def test_every_way_in_waits_for_a_second_administrator(
    anna: User, bert: User, magriel: User, kind: IdentityKind, value: str
) -> None:
    TOTP.activate(magriel, generate_totp_secret())
    EmailAddress.objects.filter(user=magriel).update(verified=False)
    asked = change(anna, magriel, kind, value)
    assert asked.waits
    assert decisions_take_effect(IDENTITIES) == 0
    decision_confirm(IDENTITIES, decision_id=asked.pk, actor=bert, verified_at=timezone.now())
    asked.refresh_from_db()
    assert not asked.waits


def test_or_for_its_time(anna: User, bert: User, magriel: User) -> None:
    TOTP.activate(magriel, generate_totp_secret())
    asked = change(anna, magriel, IdentityKind.FACTORS)
    assert decisions_take_effect(IDENTITIES, now=asked.effective_from - timedelta(seconds=1)) == 0
    assert Authenticator.objects.filter(user=magriel).count() == 1
    assert decisions_take_effect(IDENTITIES, now=asked.effective_from) == 1
    assert not Authenticator.objects.filter(user=magriel).exists()


def test_credits_at_stake_and_in_a_payout_count_too(
    anna: User, bert: User, magriel: User, payout: Payout
) -> None:
    """Credits in an escrow or a payout hold count as much as those in the wallet."""
    left = wallet_balance(magriel.pk)
    other = User.objects.create_user("other")
    stakes_escrow(reference="match:one", stakes={magriel.pk: left, other.pk: left})
    assert wallet_balance(magriel.pk) == 0
    assert change(anna, magriel, IdentityKind.ADDRESS, THEIRS).waits


def test_an_account_without_credits_is_mended_at_once(
    anna: User, magriel: User, settings: Any
) -> None:
    settings.LEDGER_WELCOME_CENTS = 0
    poor = User.objects.create_user("poor", "poor@example.org")
    assert wallet_balance(poor.pk) == 0
    assert not change(anna, poor, IdentityKind.ADDRESS, THEIRS).waits


def test_closing_and_names_of_players_wait_for_nobody(anna: User, magriel: User) -> None:
    assert not change(anna, magriel, IdentityKind.NAME, "margriet").waits
    assert not change(anna, magriel, IdentityKind.CLOSE).waits
    assert Client().get(reverse("account_login")).status_code == 200
