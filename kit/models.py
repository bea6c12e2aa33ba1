"""The models of this app, where Django looks for them."""

from kit.sweeps import Stuck

__all__ = ["Stuck"]
