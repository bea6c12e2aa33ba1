"""A toss: its events, and the state that follows from them."""

from typing import Final

import msgspec

from kit.events import Fold, TimedEvent


class Called(TimedEvent, frozen=True, tag="called"):
    """A player called a side."""

    player: int
    heads: bool


class Landed(TimedEvent, frozen=True, tag="landed"):
    """The coin landed."""

    heads: bool


class TossVoided(TimedEvent, frozen=True, tag="voided"):
    """Administrators ended the toss: nobody won."""


AnyToss = Called | Landed | TossVoided


class TossState(msgspec.Struct, frozen=True, kw_only=True):
    """A toss. `won` is None as long as the coin is in the air, and for a voided one."""

    player: int | None = None
    called: bool = False
    won: bool | None = None
    over: bool = False


evolve: Final = Fold[TossState]()


@evolve.on(Called)
def _called(state: TossState, event: Called) -> TossState:
    return msgspec.structs.replace(state, player=event.player, called=event.heads)


@evolve.on(Landed)
def _landed(state: TossState, event: Landed) -> TossState:
    return msgspec.structs.replace(state, won=event.heads == state.called, over=True)


@evolve.on(TossVoided)
def _voided(state: TossState, _event: TossVoided) -> TossState:
    return msgspec.structs.replace(state, over=True)
