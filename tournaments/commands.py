"""The commands that a person can send to a tournament, as types."""

import msgspec


class Enter(msgspec.Struct, frozen=True, tag="enter", forbid_unknown_fields=True):
    """Enter; `part` is one's part in the draw."""

    part: str = ""


class Withdraw(msgspec.Struct, frozen=True, tag="withdraw", forbid_unknown_fields=True):
    """Withdraw before the draw, or give up after it."""


class Come(msgspec.Struct, frozen=True, tag="come", forbid_unknown_fields=True):
    """Be there for one's match."""


TournamentCommand = Enter | Withdraw | Come
