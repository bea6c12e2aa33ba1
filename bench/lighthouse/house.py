"""A furnished house, served as on the internet; run as a module, what furnishes it."""

import contextlib
import json
from collections.abc import Iterator
from dataclasses import dataclass

from harness.house import WholeHouse


@dataclass(frozen=True, slots=True)
class Page:
    """A page and its reader: hilde, or a visitor without an account."""

    name: str
    path: str
    logged_in: bool = True


@contextlib.contextmanager
def opened() -> Iterator[tuple[str, list[Page], dict[str, str]]]:
    """The house's address, its pages, and hilde's cookie."""
    house = WholeHouse(parts=("web0",))
    house.environment |= {"LEDGER_WELCOME_CENTS": "10000", "FAIRPLAY_ACTS": "1"}
    try:
        house.open_servers()
        house.manage("collectstatic", "--noinput")  # compressed, as `prepare` of a home is not
        shown = house.made("bench.lighthouse.house")
        house.open()
        pages = [Page(*page) for page in shown["pages"]]
        yield f"http://{house.addresses()[0]}", pages, shown["cookie"]
    finally:
        house.close()


def main() -> None:
    """Furnish, log hilde in, and print her cookie and the pages to open."""
    import django

    django.setup()
    from harness.logins import session_cookie
    from harness.shown_house import furnish

    shown = furnish(lambda *rolls: None)  # the house's own dice
    name, value = session_cookie(shown.users["hilde"])
    pages = [
        ("welcome", "/", False),
        ("home", "/"),
        ("lobby", "/play/"),
        ("table", f"/table/{shown.playing.pk}/"),
        ("watched", f"/table/{shown.watched.pk}/", False),
        ("learn", "/learn/", False),
        ("lesson", "/learn/hitting/", False),
        ("rules", "/rules/", False),
        ("plakoto", "/rules/plakoto/", False),
        ("profile", "/player/hilde/", False),
        ("ranking", "/ranking/", False),
    ]
    print(json.dumps({"pages": pages, "cookie": {"name": name, "value": value}}))


if __name__ == "__main__":
    main()
