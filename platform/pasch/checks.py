"""System checks before the house opens, for `manage.py check` and the start of the web server."""

import ipaddress
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core import checks
from django.db import connections

from games.services.dice.fair import FAIR_DICE
from ledger.seal_places import seal_places

SECRET_KEY_LETTERS_MIN = 50
METRICS_TOKEN_LETTERS_MIN = 32
NO_MAIL = "pasch.mail.NoMail"
#: of each web process, besides its pool (games/services/fast_lane.py, games/live/stopgap.py)
OWN_CONNECTIONS = 3
#: the worker, beat, commands in a terminal and a backup
OTHER_CONNECTIONS = 10
#: required by the preload lists of browsers
PRELOAD_SECONDS_MIN = 365 * 24 * 60 * 60


@checks.register(checks.Tags.security, deploy=True)
def check_secret_key(**kwargs: Any) -> list[checks.CheckMessage]:
    """Sessions are signed with a key that was given and cannot be guessed."""
    if len(settings.SECRET_KEY) < SECRET_KEY_LETTERS_MIN:
        return [_error(1, f"SECRET_KEY must have {SECRET_KEY_LETTERS_MIN} letters or more.")]
    return []


@checks.register(checks.Tags.security, deploy=True)
def check_dice_key(**kwargs: Any) -> list[checks.CheckMessage]:
    """The coming dice are hidden with a key of their own."""
    if len(settings.DICE_KEY) < SECRET_KEY_LETTERS_MIN or settings.DICE_KEY == settings.SECRET_KEY:
        least = SECRET_KEY_LETTERS_MIN
        return [_error(7, f"DICE_KEY must have {least} letters or more, and not be SECRET_KEY.")]
    return []


@checks.register(checks.Tags.security, deploy=True)
def check_hosts(**kwargs: Any) -> list[checks.CheckMessage]:
    """ALLOWED_HOSTS has a real name: no wildcard, and not only this machine's."""
    if "*" in settings.ALLOWED_HOSTS:
        return [_error(2, "ALLOWED_HOSTS must name the hosts of the house; '*' lets anyone in.")]
    if settings.HTTPS and all(_is_loopback(host) for host in settings.ALLOWED_HOSTS):
        return [_error(3, "ALLOWED_HOSTS names this machine only; set it to the house's own name.")]
    return []


@checks.register(checks.Tags.security, deploy=True)
def check_hsts(**kwargs: Any) -> list[checks.CheckMessage]:
    """Preloading is promised only together with what it needs; it can hardly be taken back."""
    if settings.SECURE_HSTS_PRELOAD and not (
        settings.SECURE_HSTS_INCLUDE_SUBDOMAINS
        and settings.SECURE_HSTS_SECONDS >= PRELOAD_SECONDS_MIN
    ):
        needed = f"HSTS_SUBDOMAINS=1 and HSTS_SECONDS of {PRELOAD_SECONDS_MIN} or more"
        return [_error(9, f"HSTS_PRELOAD=1 needs {needed}.")]
    return []


@checks.register(checks.Tags.security, deploy=True)
def check_mail(**kwargs: Any) -> list[checks.CheckMessage]:
    """A mail server is set: it is the only way in for people who forgot their password."""
    if settings.EMAIL_BACKEND == NO_MAIL:
        return [_error(11, "EMAIL_HOST must name a mail server; mails would be lost.")]
    return []


@checks.register(checks.Tags.security, deploy=True)
def check_no_test_settings(**kwargs: Any) -> list[checks.CheckMessage]:
    """No error pages that show the source, and no dice but the system's."""
    found: list[checks.CheckMessage] = []
    if settings.DEBUG:
        found.append(_error(4, "DEBUG shows settings and source to strangers; leave it off."))
    if settings.DICE_SOURCE != FAIR_DICE:
        found.append(_error(5, f"DICE_SOURCE is {settings.DICE_SOURCE}, not {FAIR_DICE}."))
    return found


@checks.register(checks.Tags.security, deploy=True)
def check_seal_places(**kwargs: Any) -> list[checks.CheckMessage]:
    """The roots of the seals are kept outside of the database, or seals prove nothing."""
    if settings.EMBEDDED:
        return []
    if bool(settings.LEDGER_SEAL_COMMAND) != bool(settings.LEDGER_SEAL_READ_COMMAND):
        return [_error(13, "LEDGER_SEAL_COMMAND and LEDGER_SEAL_READ_COMMAND go together.")]
    try:
        if seal_places():
            return []
    except (ImportError, TypeError, ValueError) as error:
        return [_error(13, f"LEDGER_SEAL_PLACE cannot be used: {error}")]
    return [
        _error(
            12,
            "LEDGER_SEAL_FILE must name a file out of reach of the database's administrators"
            " (docs/operations.md).",
        )
    ]


@checks.register(deploy=True)
def check_operator(**kwargs: Any) -> list[checks.CheckMessage]:
    """The imprint and the other pages around the house have no gaps."""
    if missing := settings.OPERATOR.missing_variables:
        hint = "Set each of them, or to - where it does not apply (docs/operations-reference.md)."
        text = f"The pages around the house have gaps; empty variables: {missing}."
        return [checks.Warning(text, hint=hint, id="pasch.W014")]
    return []


@checks.register(checks.Tags.security)
def check_metrics_token(**kwargs: Any) -> list[checks.CheckMessage]:
    """The figures of the house are for the operator: no token, or one that cannot be guessed."""
    if settings.METRICS_TOKEN and len(settings.METRICS_TOKEN) < METRICS_TOKEN_LETTERS_MIN:
        least = METRICS_TOKEN_LETTERS_MIN
        return [_error(8, f"METRICS_TOKEN must have {least} letters or more, or be empty.")]
    return []


@checks.register(checks.Tags.database)
def check_durability(
    *, databases: Sequence[str] | None = None, **kwargs: Any
) -> list[checks.CheckMessage]:
    """A commit that was answered survives a crash of the database."""
    found: list[checks.CheckMessage] = []
    for alias in databases or ():
        with connections[alias].cursor() as cursor:
            cursor.execute("SHOW synchronous_commit")
            if cursor.fetchone()[0] == "off":
                found.append(
                    _error(6, "synchronous_commit is off: a crash would lose credits already paid.")
                )
    return found


@checks.register(checks.Tags.database)
def check_connections(
    *, databases: Sequence[str] | None = None, **kwargs: Any
) -> list[checks.CheckMessage]:
    """PostgreSQL has enough connections for all web processes at once; a pooler shares them out."""
    if settings.DATABASE_POOLED:
        return []
    each = settings.DATABASE_POOL["max_size"] + OWN_CONNECTIONS
    if "replica" in settings.DATABASES:  # its address may lead to the primary after a failover
        each += settings.DATABASE_REPLICA_POOL["max_size"]
    wanted = settings.WEB_WORKERS * each + OTHER_CONNECTIONS
    found: list[checks.CheckMessage] = []
    for alias in databases or ():
        with connections[alias].cursor() as cursor:
            cursor.execute(
                "SELECT sum(setting::int) FILTER (WHERE name = 'max_connections')"
                " - sum(setting::int) FILTER (WHERE name <> 'max_connections') FROM pg_settings"
                " WHERE name IN ('max_connections', 'superuser_reserved_connections',"
                " 'reserved_connections')"
            )
            free = int(cursor.fetchone()[0])
        if wanted > free:
            found.append(
                _error(
                    10,
                    f"{settings.WEB_WORKERS} web processes (WEB_WORKERS) with {each} connections"
                    f" each (DATABASE_POOL_MAX and {OWN_CONNECTIONS}) and {OTHER_CONNECTIONS}"
                    f" others make {wanted}, and PostgreSQL has {free}; raise its max_connections"
                    " or lower one of the two.",
                )
            )
    return found


def _error(number: int, text: str) -> checks.CheckMessage:
    return checks.Error(text, id=f"pasch.E{number:03}")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"
