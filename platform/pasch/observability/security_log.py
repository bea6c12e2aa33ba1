"""The security log: one line for each login, each refusal and each change of credentials.

The lines go to the logger `security`, each with an `event` from a short list, the client's address
and what the work was about (tracing.py). What was typed is never logged: people type their
password into the field for the name.
"""

import logging
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Final

from allauth.account import signals as account_signals
from allauth.mfa import signals as factor_signals
from allauth.socialaccount import signals as provider_signals
from django.contrib.auth import get_user_model
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.db.models import Q
from django.http import HttpRequest, HttpResponse

from accounts.signals import token_changed
from games.live.figures import SOCKETS

Scope = MutableMapping[str, Any]
App = Callable[[Any, Any, Any], Awaitable[None]]

logger = logging.getLogger("security")

#: answers that refuse something: bad input, no login, no right, wrong method, too large, too often.
REFUSALS: Final = frozenset({400, 401, 403, 405, 413, 429})
#: normal ends of sockets: gone away, page closed, logged out, try again
PEACEFUL: Final = frozenset({1000, 1001, 1005, 1006, 1012, 1013, 4401})


def note(event: str, *, level: int = logging.WARNING, **facts: object) -> None:
    """Write one line; facts that are unknown (None, "") are left out."""
    known = {name: value for name, value in facts.items() if value not in (None, "")}
    logger.log(level, event.replace("_", " "), extra={"event": {"event": event, **known}})


class SecurityLog:
    """Middleware: every answer that refuses something is one line of the security log."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request. Log the route, not the path, which may contain secrets."""
        response = self.get_response(request)
        if response.status_code in REFUSALS:
            match = request.resolver_match
            note(
                "refused",
                status=response.status_code,
                method=request.method,
                route=match.route if match else "none",
                address=_address(request),
            )
        return response


class SocketLog:
    """An ASGI application around the sockets: counts them and logs refused ones."""

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        """Serve one connection."""
        accepted = False
        sockets = SOCKETS.labels("table" if scope["path"].startswith("/ws/table/") else "lobby")

        async def watched(message: MutableMapping[str, Any]) -> None:
            nonlocal accepted
            accepted = accepted or message["type"] == "websocket.accept"
            if message["type"] == "websocket.accept":
                sockets.inc()
            if message["type"] == "websocket.close":
                code = message.get("code") or 1000
                if not accepted or code not in PEACEFUL:
                    address = (scope.get("client") or ("",))[0]
                    note("socket_refused", code=code if accepted else 403, address=address)
            await send(message)

        try:
            await self.app(scope, receive, watched)
        finally:
            if accepted:
                sockets.dec()


def connect() -> None:
    """Connect to the signals of logins and of changes of credentials."""
    token_changed.connect(_token_changed, dispatch_uid="security.token_changed")
    user_login_failed.connect(_login_failed, dispatch_uid="security.login_failed")
    for signal, event in (
        (user_logged_in, "logged_in"),
        (user_logged_out, "logged_out"),
        (account_signals.password_changed, "password_changed"),
        (account_signals.password_reset, "password_reset"),
        (account_signals.password_set, "password_changed"),
        (account_signals.email_changed, "email_changed"),
        (factor_signals.authenticator_added, "second_factor_added"),
        (factor_signals.authenticator_removed, "second_factor_removed"),
        (factor_signals.authenticator_reset, "second_factor_reset"),
        (provider_signals.social_account_added, "provider_linked"),
        (provider_signals.social_account_removed, "provider_unlinked"),
        (factor_signals.authentication_failed, "second_factor_failed"),
    ):
        failed = event.endswith("failed")
        level = logging.WARNING if failed else logging.INFO
        signal.connect(_teller(event, level), weak=False, dispatch_uid=f"security.{event}")


def _token_changed(*, user: Any, verb: str, **_: Any) -> None:
    event = "token_made" if verb == "make" else "token_ended"
    note(event, level=logging.INFO, user_id=user.pk)


def _teller(event: str, level: int) -> Callable[..., None]:
    def tell(*, request: HttpRequest | None = None, user: Any = None, **_: Any) -> None:
        person = user or getattr(request, "user", None)
        note(event, level=level, user_id=getattr(person, "pk", None), address=_address(request))

    return tell


def _login_failed(
    *, credentials: dict[str, Any], request: HttpRequest | None = None, **_: Any
) -> None:
    """The account that was tried, if there is one; the name itself might be a password."""
    name = str(credentials.get("username") or credentials.get("email") or "")
    people = get_user_model().objects.filter(Q(username__iexact=name) | Q(email__iexact=name))
    account = people.values_list("pk", flat=True).first() if name and "\0" not in name else None
    note("login_failed", account_id=account, address=_address(request))


def _address(request: HttpRequest | None) -> str:
    return str(request.META.get("REMOTE_ADDR", "")) if request is not None else ""
