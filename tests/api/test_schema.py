"""The interface follows its schema for any input, over real HTTP."""

import os
from collections import Counter
from dataclasses import dataclass
from typing import Any

import pytest
import schemathesis
from django.conf import settings as django_settings
from django.test import Client
from drf_spectacular.generators import SchemaGenerator
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test
from rest_framework.throttling import SimpleRateThrottle
from schemathesis.specs.openapi.checks import ignored_auth, positive_data_acceptance

from accounts.models import User
from backgammon.tests.amounts import amount
from harness.logins import logged_in
from harness.wallets import credits_bought, mailbox_proved
from ledger.selectors import house_totals

pytestmark = pytest.mark.django_db(transaction=True)

CSRF = "c" * 32
EXAMPLES = int(os.environ.get("API_EXAMPLES", amount(2, long=12)))
QUICK = settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@dataclass(frozen=True, slots=True)
class Session:
    """A player's session, as a program sends it."""

    user: User
    cookies: dict[str, str]
    headers: dict[str, str]


@pytest.fixture
def session(live: str, monkeypatch: pytest.MonkeyPatch) -> Session:
    """A rich player, logged in, without a limit of requests."""
    monkeypatch.setattr(SimpleRateThrottle, "THROTTLE_RATES", {"anon": None, "user": None})
    user = User.objects.create_user("magriel")
    mailbox_proved(user)
    credits_bought(user, 10_000)
    client = logged_in(Client(), user)
    name = django_settings.SESSION_COOKIE_NAME
    cookies = {name: client.cookies[name].value, django_settings.CSRF_COOKIE_NAME: CSRF}
    return Session(user, cookies, {"X-CSRFToken": CSRF})


#: operations that have refused a missing or a wrong login: one check of each is enough.
GUARDED: set[str] = set()
#: operations whose fields can contradict each other, which no schema expresses.
CONTRADICTORY = {
    "POST /api/v1/tables/open/",
    "POST /api/v1/tables/pair/",
    "POST /api/v1/tables/practise/",
    "POST /api/v1/challenges/make/",
    "POST /api/v1/chouettes/open/",
    "POST /api/v1/chouettes/{circle_id}/do/",
    "GET /api/v1/matches/",
    "GET /api/v1/matches/mine/",
    "POST /api/v1/analysis/positions/",
    "POST /api/v1/analysis/positions/estimate/",
    "POST /api/v1/exercises/today/",
    "POST /api/v1/exercises/{key}/answer/",
}
#: how many cases of an operation were generated, and how many of them are all sent.
SENT: Counter[str] = Counter()
EDGES = amount(10, long=10_000)

schema = schemathesis.openapi.from_dict(SchemaGenerator().get_schema(public=True))
schema.config.generation.update(with_security_parameters=False)  # the session is sent by the test


@pytest.mark.slow
@schema.parametrize()
@QUICK
def test_every_operation_keeps_its_schema(case: Any, session: Session, live: str) -> None:
    """A few random cases, and the edges of the schema: missing, too long, of another type.

    Where there are many, the daily run sends one in six.
    """
    name = case.operation.label
    SENT[name] += 1
    if SENT[name] > EDGES and SENT[name] % 6:
        return
    known = [ignored_auth] if name in GUARDED else []
    known += [positive_data_acceptance] if name in CONTRADICTORY else []
    answer = case.call_and_validate(
        base_url=live, cookies=session.cookies, headers=session.headers, excluded_checks=known
    )
    if answer.status_code < 300:
        GUARDED.add(name)


@pytest.mark.slow
def test_sequences_of_calls_keep_the_schema_and_the_books(session: Session, live: str) -> None:
    class Sequence(schema.as_state_machine()):  # type: ignore[misc]
        """Each call uses the answer of the one before: a payout is requested, read, cancelled."""

        def get_call_kwargs(self, case: Any) -> dict[str, Any]:
            return {"base_url": live, "cookies": session.cookies, "headers": session.headers}

        def validate_response(self, response: Any, case: Any, **_: Any) -> None:
            known = [positive_data_acceptance] if case.operation.label in CONTRADICTORY else []
            case.validate_response(response, excluded_checks=known)

    run_state_machine_as_test(
        Sequence, settings=settings(QUICK, max_examples=amount(4, long=8), stateful_step_count=8)
    )
    assert house_totals().difference_cents == 0
