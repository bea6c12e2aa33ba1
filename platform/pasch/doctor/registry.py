"""The register of checks, each a function whose module is found by itself, and their run.

Each runs in a thread of its own, with a time limit.
"""

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal, get_args

from django.core.exceptions import ImproperlyConfigured

from pasch.doctor.site import Site
from pasch.observability.asking import asked
from pasch.observability.away import missing

Grade = Literal["ok", "not looked at", "warning", "wrong"]
GRADES: Final[tuple[Grade, ...]] = get_args(Grade)
Server = Literal["postgresql", "valkey"]


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The outcome of a check: a sentence about the state, and after a dash what to do."""

    grade: Grade
    text: str


def ok(text: str) -> Diagnosis:
    """All is well."""
    return Diagnosis("ok", text)


def unseen(text: str, todo: str) -> Diagnosis:
    """It cannot be seen from here, so nobody knows; somebody has to look elsewhere."""
    return Diagnosis("not looked at", _sentence(text, todo))


def warning(text: str, todo: str) -> Diagnosis:
    """The house runs, and something should be done."""
    return Diagnosis("warning", _sentence(text, todo))


def wrong(text: str, todo: str) -> Diagnosis:
    """Something must be done."""
    return Diagnosis("wrong", _sentence(text, todo))


def worst(results: Iterable[Diagnosis]) -> Diagnosis:
    """The worst of these results, and the first of those that are equally bad."""
    return max(results, key=lambda result: GRADES.index(result.grade))


def _sentence(text: str, todo: str) -> str:
    return f"{text.rstrip('.')} – {todo}"


@dataclass(frozen=True, slots=True)
class Check:
    """One check; `needs` is the server without which it is left out."""

    name: str
    look: Callable[..., Diagnosis]
    needs: Server | None = None


INSIDE: Final[dict[str, Check]] = {}
OUTSIDE: Final[dict[str, Check]] = {}


def inside(
    needs: Server | None = None,
) -> Callable[[Callable[[], Diagnosis]], Callable[[], Diagnosis]]:
    """Register a check that runs with the settings of the house."""

    def register(look: Callable[[], Diagnosis]) -> Callable[[], Diagnosis]:
        INSIDE[_name(look)] = Check(_name(look), look, needs)
        return look

    return register


def outside(look: Callable[[Site], Diagnosis]) -> Callable[[Site], Diagnosis]:
    """Register a check that runs against the public address."""
    OUTSIDE[_name(look)] = Check(_name(look), look)
    return look


def _name(look: Callable[..., Diagnosis]) -> str:
    return look.__name__.replace("_", "-")


def load() -> None:
    """Import every module with checks."""
    package = importlib.import_module("pasch.doctor.inside")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
    importlib.import_module("pasch.doctor.outside")


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
