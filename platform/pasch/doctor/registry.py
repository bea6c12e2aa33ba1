"""The register of checks: a function is one check, and its module is found by itself.

A check inside runs beside the house, with its settings; one outside gets the `Site` at its public
address. Each returns a `Diagnosis`; its name is the function's.
"""

import importlib
import pkgutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, Literal, get_args

from pasch.doctor.site import Site

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
    for folder in ("inside", "outside"):
        package = importlib.import_module(f"pasch.doctor.{folder}")
        for module in pkgutil.iter_modules(package.__path__):
            importlib.import_module(f"{package.__name__}.{module.name}")
