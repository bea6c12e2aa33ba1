"""The nets of this version, each loaded on first use, once in a process."""

from functools import cache
from pathlib import Path
from typing import Final

from games.bots.nets.boards import kind_of
from games.bots.nets.inputs import Inputs
from games.bots.nets.net import Net, loaded
from games.rules.variants import by_key

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


@cache
def net_of(key: str) -> Net | None:
    """The net of a variant; None if this version has none.

    :raises NetError: if its file is not what this version can use.
    """
    path = FOLDER / f"{key}.npz"
    if key not in KEYS or not path.exists():
        return None
    return loaded(path, Inputs(kind_of(by_key(key))))
