"""Settings that are incomplete or dangerous; see also `pasch/checks.py`."""

import ipaddress
from collections.abc import Callable, Iterable
from typing import Final

from django.conf import settings
from django.core import checks as django_checks
from django.core.mail import get_connection
from django.utils.crypto import constant_time_compare

from pasch import checks
from pasch.doctor.registry import Diagnosis, inside, ok, warning, wrong

#: findings of `manage.py check --deploy` that checks of their own report
REPORTED_BY_OTHERS: Final = frozenset(
    f"pasch.{code}"
    for code in ("E001", "E002", "E003", "E004", "E005", "E007", "E011", "E012", "E013", "W014")
)
SMTP: Final = "django.core.mail.backends.smtp.EmailBackend"


@inside()
def django_check() -> Diagnosis:
    """The findings of `manage.py check --deploy`; at home those of `manage.py check`."""
    found = django_checks.run_checks(include_deployment_checks=not settings.EMBEDDED)
    mine = [each for each in found if each.id not in REPORTED_BY_OTHERS]
    if not mine:
        return ok("manage.py check has no findings")
    text = "; ".join(f"{each.id}: {each.msg}" for each in mine)
    serious = any(each.is_serious() for each in mine)
    return (wrong if serious else warning)(text, "manage.py check --deploy has hints")


@inside()
def keys() -> Diagnosis:
    """SECRET_KEY and DICE_KEY are long, different and not made of a few letters."""
    if settings.EMBEDDED:
        return ok("the keys of an embedded house are made by itself")
    if found := _messages(checks.check_secret_key, checks.check_dice_key):
        return wrong(found, "set keys from `openssl rand -base64 48`")
    for name in ("SECRET_KEY", "DICE_KEY"):
        key = getattr(settings, name)
        if len(set(key)) < 10 or key.startswith("django-insecure-"):
            return wrong(f"{name} can be guessed", "set one from `openssl rand -base64 48`")
    if any(constant_time_compare(settings.DICE_KEY, key) for key in settings.SECRET_KEY_FALLBACKS):
        return wrong("DICE_KEY is among SECRET_KEY_FALLBACKS", "take it out there")
    return ok("SECRET_KEY and DICE_KEY are long and different")


@inside()
def debug() -> Diagnosis:
    """Neither DEBUG nor dice of a test are on."""
    if found := _messages(checks.check_no_test_settings):
        return wrong(found, "unset it and start again")
    return ok("DEBUG is off, and the dice are the real ones")


@inside()
def hosts() -> Diagnosis:
    """ALLOWED_HOSTS and CSRF_TRUSTED_ORIGINS name this house and nobody else."""
    if found := _messages(checks.check_hosts):
        return wrong(found, "set ALLOWED_HOSTS to the names in the address of the house")
    for origin in settings.CSRF_TRUSTED_ORIGINS:
        if "*" in origin or (settings.HTTPS and not origin.startswith("https://")):
            todo = "name one host with https:// each, or leave the variable empty"
            return wrong(f"CSRF_TRUSTED_ORIGINS has {origin}: its pages may act for people", todo)
    return ok(f"the house answers to {', '.join(settings.ALLOWED_HOSTS)}")


@inside()
def https() -> Diagnosis:
    """Pages go over https, and the proxy that does so is named."""
    if settings.EMBEDDED and not settings.HTTPS:
        return ok("an embedded house needs no https")
    if not settings.HTTPS:
        return wrong("HTTPS is 0: passwords and sessions can be read on their way", "set HTTPS=1")
    if not settings.TRUSTED_PROXIES:
        return wrong(
            "HTTPS is on and TRUSTED_PROXIES is empty: every page redirects to itself",
            "set TRUSTED_PROXIES to the address or network of the proxy",
        )
    if wide := [each for each in settings.TRUSTED_PROXIES if _is_everybody(each)]:
        return wrong(
            f"TRUSTED_PROXIES has {wide[0]}: anybody may claim any address",
            "name the proxy's own address or network",
        )
    return ok(f"https, behind {', '.join(settings.TRUSTED_PROXIES)}")


@inside()
def mail_server() -> Diagnosis:
    """A mail server is set and takes our login."""
    if found := _messages(checks.check_mail):
        return wrong(found, "set EMAIL_HOST and its login")
    if settings.EMAIL_BACKEND != SMTP:
        return ok("mails are not sent, they go to files")
    if settings.DEFAULT_FROM_EMAIL.endswith("@localhost"):
        return warning(
            "mails come from pasch@localhost: many are refused", "set DEFAULT_FROM_EMAIL"
        )
    try:
        server = get_connection()
        server.open()
        server.close()
    except OSError as error:  # those of smtplib among them
        return wrong(
            f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT} takes no mail: {error}",
            "look at EMAIL_HOST, EMAIL_PORT, EMAIL_USE_TLS and the login",
        )
    return ok(f"{settings.EMAIL_HOST} takes mails")


@inside()
def imprint() -> Diagnosis:
    """The imprint and the pages around it have no gaps."""
    if settings.EMBEDDED:
        return ok("a house for oneself needs no imprint")
    if missing := settings.OPERATOR.missing_variables:
        return warning(f"the imprint has gaps: {missing}", "set each, or - where it does not apply")
    return ok("the operator has stated everything")


def _messages(*look: Callable[..., Iterable[django_checks.CheckMessage]]) -> str:
    return " ".join(str(each.msg) for check in look for each in check())


def _is_everybody(network: str) -> bool:
    try:
        return network == "*" or ipaddress.ip_network(network, strict=False).prefixlen == 0
    except ValueError:
        return False
