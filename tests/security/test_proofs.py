"""What a session that was left open can do: every address that changes something is on one list."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from allauth.socialaccount.models import SocialAccount
from django.db import transaction
from django.test import Client
from django.urls import get_resolver, reverse
from django.urls.resolvers import URLPattern
from django.utils import timezone

from accounts.models import User
from accounts.providers.configuration import LoginProvider
from accounts.roles import Role, role_give
from fairplay.cases import Alarm, case_open
from fairplay.models import CaseKind
from fairplay.procedure import CaseVerdict, Sanction
from fairplay.reviews import opinion_give
from harness.logins import logged_in
from harness.wallets import credits_bought, mailbox_proved
from ledger.services.bots import bot_declare
from pasch.web.proofs import HARMLESS, HARMLESS_SPACES, PROVED, PROVED_SPACES
from tests.accounts.conftest import PASSWORD
from tests.security.addresses import path_of

pytestmark = pytest.mark.django_db

CHANGING = frozenset({"POST", "PUT", "PATCH", "DELETE"})
JSON = "application/json"


def addresses(patterns: Any = None, space: str = "", route: str = "") -> Iterator[tuple[str, ...]]:
    """(space, name, route) of every address that takes a method which may change something."""
    for each in get_resolver().url_patterns if patterns is None else patterns:
        here = route + str(each.pattern)
        if not isinstance(each, URLPattern):
            yield from addresses(each.url_patterns, each.namespace or space, here)
        elif methods_of(each.callback) & CHANGING:
            yield space, each.name or "", here


def methods_of(view: Any) -> frozenset[str]:
    """The methods that a view takes; all where nothing restricts it."""
    kind = getattr(view, "view_class", None) or getattr(view, "cls", None)
    if kind is not None:
        return frozenset(name for name in CHANGING if hasattr(kind, name.lower()))
    while view is not None:
        code = getattr(view, "__code__", None)
        if code is not None and "request_method_list" in code.co_freevars:
            cell = view.__closure__[code.co_freevars.index("request_method_list")]
            return frozenset(cell.cell_contents)
        view = getattr(view, "__wrapped__", None)
    return CHANGING


def full(space: str, name: str) -> str:
    return f"{space}:{name}" if space else name


def test_every_address_that_changes_something_is_on_one_of_the_lists() -> None:
    found = {
        full(space, name)
        for space, name, _route in addresses()
        if space not in PROVED_SPACES | HARMLESS_SPACES
    }
    assert len(found) > 100
    assert not PROVED.keys() & HARMLESS.keys()
    assert found == PROVED.keys() | HARMLESS.keys()


# --- what is on the list asks ---------------------------------------------------------------------


@pytest.fixture
def owner(db: None) -> User:
    """Make a person with credits that can be paid out and a decided case."""
    user = User.objects.create_user("owner", "owner@example.org", PASSWORD)
    mailbox_proved(user)
    credits_bought(user, 5_000)
    return user


def decided_case(owner: User) -> int:
    """Return a case about this person that two people have decided."""
    case = case_open(Alarm(kind=CaseKind.CONDUCT, accused=frozenset({owner.pk}), evidence=[]))
    for name in ("ada", "ben"):
        judge = User.objects.create_user(name, f"{name}@example.org")
        role_give(judge, Role.MODERATOR)
        opinion_give(
            case_id=case.pk,
            actor=User.objects.get(pk=judge.pk),
            verdict=CaseVerdict(Sanction.WARNING),
            for_them="x",
            reasons="x",
            verified_at=timezone.now(),
        )
    return case.pk


MAIL = {"email": "thief@example.org", "action_add": ""}
OTHER = {"oldpassword": "a guess", "password1": "gammonxqz"}
EVER = {"length": "ever", "confirmed": "yes"}
DEAR = {"amount_cents": "10.00", "destination": "DE02 1203 0000", "client_key": "12345678"}
WHOLE = {"confirm": "yes", "give_up": "5000"}
FORMS: dict[str, Mapping[str, Any]] = {
    "account_bot": {"confirm": "yes"},
    "account_change_password": OTHER,
    "account_delete": WHOLE,
    "account_email": MAIL,
    "account_name": {"name": "another", "confirm": "yes"},
    "account_set_password": {"password1": "gammonxqz"},
    "api_exclusion": {"days": None},
    "api_payout_request": {"amount_cents": 1_000, "destination": "DE02 1203 0000"},
    "fairplay_appeal": {"text": "It was not me."},
    "token_new": {"scopes": ["read"]},
    "wallet_exclusion": EVER,
    "wallet_payouts": DEAR,
}
#: what the credits of this owner forbid, with a proof too
WITHOUT_CREDITS = frozenset({"account_bot", "account_delete"})
#: what has a proof of another kind: the old password, or one given again after the login
OF_ALLAUTH = frozenset({"account_change_password", "account_email"})
#: what only a bot does
OF_BOTS = frozenset({"account_bot_undo", "api_bot_undo", "token_new"})
#: what only somebody with a second factor does
OF_CAREFUL = frozenset(name for name in PROVED if name.startswith("mfa_")) - {"mfa_activate_totp"}
#: what only somebody without a password does
OF_LINKED = frozenset({"account_set_password"})
OF_KEYS = ("mfa_edit_webauthn", "mfa_remove_webauthn")


def asks(answer: Any, name: str) -> bool:
    """Whether this answer asks for a proof."""
    if name.startswith("api_"):
        return bool(answer.status_code == 403 and answer.json()["code"] == "proof_stale")
    if name == "account_change_password":
        return bool(answer.status_code == 200)  # for the old password, in its form
    return any(part in str(getattr(answer, "url", "")) for part in ("reauthenticate", "/confirm/"))


def posted(client: Client, name: str, arguments: Mapping[str, list[Any]]) -> Any:
    """Post what the form of this address posts."""
    path = reverse(name, args=arguments.get(name, []))
    form = FORMS.get(name, {})
    if name.startswith("api_"):
        header = {"Idempotency-Key": "0123456789"}
        return client.post(path, form, content_type=JSON, headers=header)
    return client.post(path, form)


def test_a_session_left_open_does_nothing_of_the_list(
    owner: User, tables_digest: Callable[[], dict[str, str]], settings: Any
) -> None:
    case_id = decided_case(owner)
    bot = User.objects.create_user("program", password=PASSWORD)
    bot_declare(bot)
    careful = User.objects.create_user("careful", password=PASSWORD)
    TOTP.activate(careful, generate_totp_secret())
    key = Authenticator.objects.create(user=careful, type="webauthn", data={})
    provider = LoginProvider("key", "Keyhouse", "https://login.example", "pasch", "secret")
    settings.LOGIN_PROVIDERS = (provider,)
    linked = User.objects.create_user("linked")
    SocialAccount.objects.create(user=linked, provider=provider.id, uid="1")
    people = {
        name: bot if name in OF_BOTS else careful if name in OF_CAREFUL else owner
        for name in PROVED.keys() - OF_LINKED
    } | dict.fromkeys(OF_LINKED, linked)
    stale = {user: logged_in(Client(), user, proved_ago=None) for user in {*people.values()}}
    arguments: dict[str, list[Any]] = {
        "fairplay_appeal": [case_id],
        "provider_link": [provider.id],
        **{name: [key.pk] for name in OF_KEYS},
    }
    before = tables_digest()
    for name, person in people.items():
        assert asks(posted(stale[person], name, arguments), name), name
    assert tables_digest() == before
    for name in (FORMS.keys() | OF_BOTS) - OF_ALLAUTH:  # the same with a proof
        with transaction.atomic():
            person = User.objects.get(pk=people[name].pk)
            fresh = logged_in(Client(), person, proved_ago=60)
            assert not asks(posted(fresh, name, arguments), name), name
            if name not in WITHOUT_CREDITS:
                assert tables_digest() != before, name
            transaction.set_rollback(True)


def test_a_session_left_open_decides_nothing_at_the_desk(
    tables_digest: Callable[[], dict[str, str]],
) -> None:
    chief = User.objects.create_user("chief", password=PASSWORD, is_staff=True, is_superuser=True)
    client = logged_in(Client(), chief, proved_ago=None)
    before = tables_digest()
    found = [route for space, _name, route in addresses() if space in PROVED_SPACES]
    assert len(found) > 40
    for route in found:
        answer = client.post(path_of(route, {}))
        assert "reauthenticate" in answer["location"] or "2fa" in answer["location"], route
    assert tables_digest() == before
