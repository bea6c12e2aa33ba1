"""The nets of this version, each loaded on first use, once in a process."""

from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from backgammon.evaluation.nets.boards import kind_of
from backgammon.evaluation.nets.inputs import Inputs
from backgammon.evaluation.nets.net import Net, loaded
from backgammon.rules.variants import by_key

FOLDER: Final = Path(__file__).with_name("weights")

#: the variants for which nets are trained.
KEYS: Final = frozenset(
    {
        "acey_deucey",
        "fevga",
        "gul_bara",
        "long_nardi",
        "misere",
        "plakoto",
        "russian",
        "tabula",
        "tapa",
    }
)


def path_of(key: str) -> Path:
    """The file with the weights of a variant."""
    return FOLDER / f"{key}.npz"


#: the variants that this version has a net for.
PRESENT: Final = frozenset(key for key in KEYS if path_of(key).exists())


@cache
def digest_of(key: str) -> str:
    """The SHA-256 of a variant's file, which names its version."""
    return sha256(path_of(key).read_bytes()).hexdigest()


@cache
def net_of(key: str) -> Net | None:
    """The net of a variant; None if this version has none.

    :raises NetError: if its file is not what this version can use.
    """
    if key not in PRESENT:
        return None
    return loaded(path_of(key), Inputs(kind_of(by_key(key))))
