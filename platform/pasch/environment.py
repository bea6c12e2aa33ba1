"""Reading the environment: a variable has a valid value, or one sentence names the fault.

A misspelt value never becomes the default, because a house would then open without a limit that its
operator set. All functions raise `ImproperlyConfigured`, which every entry point prints.
"""

import os
import re
from collections.abc import Sequence

from django.core.exceptions import ImproperlyConfigured

from kit.valkey.address import AddressError, check

_WHOLE = re.compile(r"[0-9]{1,15}")


def flag(name: str, default: bool) -> bool:
    """A yes (1) or no (0); the default where the variable is missing or empty."""
    text = _text(name)
    if text not in ("", "0", "1"):
        raise ImproperlyConfigured(f"{name} must be 1 (yes) or 0 (no), not {text!r}.")
    return text == "1" if text else default


def whole(name: str, default: int, *, least: int = 0, most: int = 10**15) -> int:
    """A whole number in plain digits from `least` to `most`; units are the name's own."""
    text = _text(name)
    if not text:
        return default
    if not _WHOLE.fullmatch(text) or not least <= int(text) <= most:
        upper = f" to {most}" if most < 10**15 else " or more"
        raise ImproperlyConfigured(
            f"{name} must be a whole number of {least}{upper}, in digits only, not {text!r}."
        )
    return int(text)


def choice(name: str, options: Sequence[str], default: str) -> str:
    """One of a few words; the default where the variable is missing or empty."""
    text = _text(name) or default
    if text not in options:
        raise ImproperlyConfigured(f"{name} must be one of {', '.join(options)}, not {text!r}.")
    return text


def valkey(name: str, default: str) -> str:
    """The address of Valkey; the default where the variable is missing or empty.

    The error leaves the address out, because it may have a password.
    """
    text = _text(name)
    try:
        if text:
            check(text)
    except AddressError as error:
        raise ImproperlyConfigured(f"{name} {error}") from error
    return text or default


def names(name: str, default: str = "") -> list[str]:
    """A list with commas; empty parts are left out. The default where the variable is empty."""
    return [part.strip() for part in (_text(name) or default).split(",") if part.strip()]


def _text(name: str) -> str:
    return os.environ.get(name, "").strip()


def public_address(hosts: Sequence[str], *, secure: bool, port: str) -> str:
    """The address of the house by the first of its host names that is a whole one."""
    whole_names = (host for host in hosts if host != "*" and not host.startswith("."))
    host = next(whole_names, "localhost")
    return f"{'https' if secure else 'http'}://{host}{f':{port}' if port else ''}"
