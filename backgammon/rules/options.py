"""Optional rules that change which plays are legal, or what follows a roll."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """The optional rules of movement a table has chosen; the defaults are the plain game.

    Each variant names the ones it offers (`Variant.options_offered`) and refuses the others.
    """

    max_stack: int | None = None
    """5 = a point with five own checkers is closed for further own ones ("max five")."""

    no_hit_and_run: bool = False
    """A checker that hits in its own home board stays there for the rest of the turn."""

    extra_roll_on_doubles: bool = True
    """Acey-deucey: a double played in full earns another roll (off = the US Navy form)."""


PLAIN = Options()
