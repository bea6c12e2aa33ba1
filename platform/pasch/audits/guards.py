"""A0: the database holds its rules with the very tables, constraints, triggers and functions that
the migrations made, and no role has more rights than the migrations grant.

`guards.json` beside this file describes a database fresh from all migrations, and how PostgreSQL
words some of it after the schema went through pg_dump. A test keeps it true
(`PASCH_WRITE_GUARDS=1 scripts/test tests/platform/test_guards.py` writes it anew).
"""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from ledger.audit import AuditFinding
from ledger.catalog import definitions, rights, role_powers
from ledger.roles import APPLICATION_ROLE

FILE: Final = Path(__file__).with_name("guards.json")

_READING: Final = frozenset({"SELECT", "USAGE"})
"""The rights an operator may give to a role of their own, to read the figures."""

_KNOWN_GRANTEES: Final = (APPLICATION_ROLE, "PUBLIC")


def guards_now() -> dict[str, dict[str, str]]:
    """The guards of this database, and the rights of the application's role and PUBLIC."""
    held = {
        f"{role}: {thing}": " ".join(sorted(given))
        for role, thing, given in rights()
        if role in _KNOWN_GRANTEES
    }
    return {"definitions": definitions(), "rights": held}


def guards_text(guards: dict[str, dict[str, str]]) -> str:
    """The description as the file has it, one definition a line."""
    return json.dumps(guards, indent=0, sort_keys=True, ensure_ascii=False) + "\n"


def guards_changed() -> Iterator[AuditFinding]:
    """Definitions that are missing, changed or foreign, and rights that are too wide."""
    yield from definitions_changed(definitions())
    yield from rights_too_wide()


def definitions_changed(found: dict[str, str]) -> Iterator[AuditFinding]:
    """The differences between these definitions and those of the file."""
    wanted, after_dump = _wanted()["definitions"], _wanted()["after_dump"]
    for name in sorted(wanted.keys() | found.keys()):
        expected, is_now = wanted.get(name), found.get(name)
        if is_now is None:
            yield AuditFinding(name, "is missing")
        elif expected is None:
            yield AuditFinding(name, f"is none of the migrations': {is_now}")
        elif is_now not in (expected, after_dump.get(name)):
            yield AuditFinding(name, f"is {is_now}; the migrations made {expected}")


def rights_too_wide() -> Iterator[AuditFinding]:
    """The rights of every role beyond those that the migrations grant."""
    allowed = _wanted()["rights"]
    for role, thing, given in rights():
        if role in _KNOWN_GRANTEES:
            wide = given - set(allowed.get(f"{role}: {thing}", "").split())
        else:
            wide = given - _READING
        if wide:
            yield AuditFinding(f"role {role}", f"may {', '.join(sorted(wide))} on {thing}")
    for power in role_powers(APPLICATION_ROLE):
        yield AuditFinding(f"role {APPLICATION_ROLE}", f"has a power it must not have: {power}")


@cache
def _wanted() -> dict[str, dict[str, str]]:
    wanted: dict[str, dict[str, str]] = json.loads(FILE.read_text(encoding="utf-8"))
    return wanted
