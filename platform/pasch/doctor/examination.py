"""The run of all checks: each in a thread of its own, with a time limit."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

from django.core.exceptions import ImproperlyConfigured

from pasch.doctor.registry import INSIDE, OUTSIDE, Check, Diagnosis, load, unseen, wrong
from pasch.doctor.site import Site
from pasch.observability.asking import asked
from pasch.observability.away import missing

LIMIT_SECONDS: Final = 10.0


@dataclass(frozen=True, slots=True)
class ReportLine:
    """One line of the report."""

    name: str
    result: Diagnosis


def names() -> list[str]:
    """The names of all checks, in their order."""
    load()
    return [*INSIDE, *OUTSIDE]


def examine(
    *, site: Site | None, only: frozenset[str] = frozenset(), seconds: float = LIMIT_SECONDS
) -> Iterator[ReportLine]:
    """Run the checks one after the other: those inside, and with a site those outside.

    `only` has names of checks; without any, all run. A check that needs a server which does not
    answer is not looked at; `seconds` is the limit of each.
    """
    load()
    known: dict[str, Diagnosis] = {}

    def result_of(check: Check) -> Diagnosis:
        if check.name not in known:
            if check.needs and result_of(INSIDE[check.needs]).grade == "wrong":
                return _left_out(check.needs)
            known[check.name] = _result(check.name, check.look, seconds)
        return known[check.name]

    for check in INSIDE.values():
        if not only or check.name in only:
            yield ReportLine(check.name, result_of(check))
    for check in OUTSIDE.values() if site else ():
        if not only or check.name in only:
            yield ReportLine(check.name, _result(check.name, partial(check.look, site), seconds))


def _left_out(server: str) -> Diagnosis:
    return unseen(f"not checked, because {server} is wrong", f"look at the check {server} first")


def _result(name: str, look: Callable[[], Diagnosis], seconds: float) -> Diagnosis:
    """The result of a check, also of one that fails or hangs."""
    (answer,) = asked({f"doctor {name}": look}, seconds=seconds).values()
    if isinstance(answer, Diagnosis):
        return answer
    if answer.error is None:
        return wrong(
            f"no answer within {seconds:.0f} s", "it hangs: look at the server, host or network"
        )
    if isinstance(answer.error, ImproperlyConfigured):
        todo = "docs/operations-reference.md lists the variables"
        return wrong(f"the settings are not complete: {answer.error}", todo)
    if away := missing(answer.error):
        return wrong(f"{away[0]} does not answer: {away[1]}", "start it, or mend its address")
    if isinstance(answer.error, OSError):  # those of TLS and of names among them
        return wrong(f"no connection: {answer.error}", "look at the address, the ports and DNS")
    reason = str(answer.error).strip().splitlines() or [""]
    return wrong(f"the check failed: {type(answer.error).__name__}: {reason[0]}", "see its cause")
