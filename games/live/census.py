"""How many table sockets this process holds: for the operator's figures, and to close in peace."""

_open = 0


def socket_opened() -> None:
    """One more."""
    global _open
    _open += 1


def socket_done() -> None:
    """One less; everything that follows from its end has been done."""
    global _open
    _open -= 1


def sockets_open() -> int:
    """The sockets whose end has not been dealt with."""
    return _open
