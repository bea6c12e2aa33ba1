"""A player's part in the dice of their games (protocol BGD1), written from docs/dice.md.

In mode L it has a chain of 1,024 hashes for each game, and sends its tip before the first roll and
one more element for each roll; in mode K it is bound to one seed for the whole game.
"""

import secrets
from hashlib import sha256
from uuid import UUID

LENGTH = 1024


def tagged(tag, *parts):
    """SHA-256 of a tag, a zero byte and the parts."""
    return sha256(tag.encode() + b"\0" + b"".join(parts)).digest()


class Part:
    """One seat's parts in the dice of one game after the other."""

    def __init__(self, seat):
        self.seat, self.role = seat, b"B" if seat else b"W"
        self.game, self.chain, self.told, self.revealed = None, [], False, False

    def frames(self, view):
        """The frames to send now that the table looks like this."""
        fair = view["fair"]
        if not fair or self.seat is None or view["phase"] in ("over", "closed"):
            return
        if fair["game"] != self.game:
            self.game, self.told, self.revealed = fair["game"], False, False
            self.chain = self._begin(UUID(fair["game"]).bytes)
        value = self._value(fair)
        given = fair["given"][self.seat]
        if given not in (None, value) or (given is None and fair["open"]):
            return  # another program of ours was here first, or the dice are open already
        if not self.told:
            self.told = True
            yield {"type": "dice_tip", "game": self.game, "value": value}
        if fair["mode"] == "K" and fair["open"] and not self.revealed:
            self.revealed = True
            yield {"type": "dice_seed", "game": self.game, "seed": self.chain[-1].hex()}
        n, wanted = fair["next"], fair["wanted"][self.seat]
        if view["phase"] == "rolling" and fair["mode"] == "L" and wanted:
            element = self.chain[n + 1].hex()
            yield {"type": "dice_element", "game": self.game, "n": n, "element": element}

    def _begin(self, game):
        chain = [secrets.token_bytes(32)]
        for _ in range(LENGTH):
            chain.append(tagged("BGD1.chain", game, self.role, chain[-1]))
        return chain[::-1]

    def _value(self, fair):
        if fair["mode"] == "L":
            return self.chain[0].hex()
        ctx, house = tagged("BGD1.terms", fair["terms"].encode()), bytes.fromhex(fair["house"])
        game, seed = UUID(self.game).bytes, self.chain[-1]
        return tagged("BGD1.commit", game, ctx, self.role, house, seed).hex()
