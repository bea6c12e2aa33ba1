"""The intruder's tries: every form, every address, every operation, and a few longer stories.

A try is a name and its answer. Nothing here decides which tries should be refused: the oracle
checks their effects.
"""

import re
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from harness.visitor import HOSTILE, PageForm, Visitor

#: addresses that end the intruder's own session, or that are no doors of ours.
LEFT_OUT: Final = (
    "logout",
    "account/delete/",
    "csp-report",
    "sessions/",
    "theme/",
    "language/",
    "health/",
    "metrics/",
)

#: changes of the intruder's own account come last: they may lock themself out.
LAST: Final = ("account", "admin")

_PART: Final = re.compile(r"<([\w:]+)>")
_USUAL: Final = {
    "measure:measure": "loss",
    "period:period": "day",
    "int:year": "2026",
    "year:year": "2026",
    "slug:code": "ABCDEFGH",
    "slug:file_format": "mat",
    "slug:kind": "json",
    "id": "1",
    "path:url": "nowhere",
    "path:content_type_id": "1",
}


@dataclass(slots=True)
class World:
    """The world that `furnish` made for this role, and the visitors who act in it."""

    told: dict[str, Any]
    villain: Visitor
    accomplice: Visitor
    made: list[tuple[str, int]] = field(default_factory=list)

    @property
    def accomplice_name(self) -> str:
        """The second account of the intruder, which is to receive everything."""
        return str(self.told["people"]["accomplice"]["name"])

    def paths(self, route: str) -> list[str]:
        """Paths of a route, each with other rows to aim at."""
        parts = _PART.findall(route)
        rows = [
            self.told["targets"].get(part) or [_USUAL.get(part, str(uuid.uuid4()))]
            for part in parts
        ]
        found = []
        for turn in range(max(map(len, rows), default=1)):
            chosen = iter(row[turn % len(row)] for row in rows)
            found.append("/" + _PART.sub(lambda _: next(chosen), route))  # noqa: B023 (used at once)
        return found

    def note(self, name: str, status: int) -> None:
        """Keep what was answered."""
        self.made.append((name, status))


def everything(world: World) -> None:
    """Try all there is, as the villain of this world."""
    for story in STORIES:
        story(world)
    pages = [r for r in world.told["routes"] if not r.startswith("api/") and "(?P" not in r]
    for route in sorted(pages, key=lambda route: (route.startswith(LAST), route)):
        if not any(word in route for word in LEFT_OUT):
            _pages(world, route)
    for route in world.told["routes"]:
        if route.startswith("api/v1/"):
            _operations(world, route)


def _pages(world: World, route: str) -> None:
    for path in world.paths(route):
        forms = list(world.villain.forms(path, world.accomplice_name))
        for form in forms:
            _submit(world, world.villain, path, form)
        world.note(f"POST {path}", world.villain.post(path, _body(world)).status_code)


def _submit(world: World, visitor: Visitor, page: str, form: PageForm) -> int:
    """Send a form, and the confirmation form that may follow."""
    path = form.action if form.action.startswith("/") else page
    if any(word in path for word in LEFT_OUT):
        return 0
    answer = visitor.post(path, form.fields)
    world.note(f"form {path}", answer.status_code)
    for again in visitor.forms_in(answer, path, world.accomplice_name):
        if set(form.fields) <= set(again.fields):
            confirmed = visitor.post(path, {**again.fields, **form.fields})
            world.note(f"confirm {path}", confirmed.status_code)
    return answer.status_code


def _operations(world: World, route: str) -> None:
    for path in world.paths(route):
        for method in ("GET", "POST", "PUT", "PATCH", "DELETE"):
            answer = world.villain.rest(method, path, _json(world))
            world.note(f"{method} {path}", answer.status_code)


def _body(world: World) -> dict[str, str]:
    return {
        **HOSTILE,
        "player": world.accomplice_name,
        "username": world.accomplice_name,
        "name": world.accomplice_name,
        "key": str(uuid.uuid4()),
        "confirm": "yes",
    }


def _json(world: World) -> dict[str, Any]:
    return {
        "amount_cents": 2_000,
        "destination": HOSTILE["destination"],
        "client_key": str(uuid.uuid4()),
        "key": str(uuid.uuid4()),
        "code": "AAAA-BBBB-CCCC-DDDD",
        "mode": "single",
        "rate_cents": 200,
        "limit_cents": 2_000,
        "variant": "backgammon",
        "player": world.accomplice_name,
        "days": 200,
    }


# --- stories --------------------------------------------------------------------------------------


def _with(world: World, visitor: Visitor, page: str, part: str, **values: str) -> int:
    """Fill in and send the form of a page whose address has this part; 0 where there is none."""
    for form in visitor.forms(page, world.accomplice_name):
        action = form.action if form.action.startswith("/") else page
        if part in action:
            form.fields |= {name: text for name, text in values.items() if name in form.fields}
            return _submit(world, visitor, page, form)
    return 0


def _both_halves_of_an_adjustment(world: World) -> None:
    """Propose a large adjustment; confirm what waits, as oneself and as the second account."""
    _with(
        world, world.villain, "/desk/adjustments/", "/desk/adjustments/",
        amount="40000.00", direction="give", player=world.accomplice_name, reason="a prize",
    )  # fmt: skip
    for visitor in (world.villain, world.accomplice):
        for form in list(visitor.forms("/desk/adjustments/", world.accomplice_name)):
            if "confirm" in form.action:
                _submit(world, visitor, "/desk/adjustments/", form)


def _a_puppet(world: World) -> None:
    """Give the second account a role and let it be the second person for everything."""
    for role in ("treasurer", "administrator", "moderator"):
        _with(
            world, world.villain, "/desk/roles/", "/desk/roles/",
            player=world.accomplice_name, role=role, reason="we need help",
        )  # fmt: skip
    for page in ("/desk/roles/", "/desk/proposals/", "/desk/adjustments/"):
        for form in list(world.accomplice.forms(page, world.accomplice_name)):
            _submit(world, world.accomplice, page, form)
    _both_halves_of_an_adjustment(world)
    _paid_alone(world)


def _paid_alone(world: World) -> None:
    """Take a payout through every step, with both accounts in turn."""
    for payout in world.told["targets"]["int:payout_id"]:
        page = f"/desk/payouts/{payout}/"
        for visitor in (world.villain, world.accomplice, world.villain):
            for step in ("approve", "claim", "settle"):
                _with(world, visitor, page, f"/{step}/", receipt="TX-1", reason="fine")
                answer = visitor.post(f"{page}{step}/", _body(world))
                world.note(f"POST {page}{step}/", answer.status_code)


def _many_small_decisions(world: World) -> None:
    """Decide match after match for the second account, each below every limit."""
    for seat, match in enumerate(world.told["targets"]["uuid:match_id"]):
        page = f"/desk/matches/{match}/"
        _with(world, world.villain, page, "/adjudicate/", winner_seat=str(seat), reason="fair")
        for form in list(world.villain.forms(page, world.accomplice_name)):
            _submit(world, world.villain, page, form)
        for form in list(world.villain.forms("/desk/proposals/", world.accomplice_name)):
            _submit(world, world.villain, "/desk/proposals/", form)


def _somebody_elses_mailbox(world: World) -> None:
    """Request a new password of an honest administrator, after the earlier tries."""
    for person in ("adele", "adele@example.org", "thief@example.net"):
        answer = world.villain.post("/accounts/password/reset/", {"email": person})
        world.note("password reset", answer.status_code)


def _asked_and_taken_back(world: World) -> None:
    """Request payouts and cancel them, also those that are approved already."""
    for payout in world.told["targets"]["int:payout_id"]:
        path = f"/wallet/payouts/{payout}/cancel/"
        world.note(f"POST {path}", world.accomplice.post(path, {}).status_code)
    for amount in ("20.00", "400.00", "490.00"):
        _with(world, world.accomplice, "/wallet/payouts/", "/wallet/payouts/", amount=amount)


def _at_the_chouette_of_others(world: World) -> None:
    """Decide for the people of a running game, give their parts in the dice, sit down there."""
    people = [person["id"] for person in world.told["people"].values()]
    for circle in world.told["targets"]["uuid:circle_id"]:
        for command in _chouette_commands(world.villain, circle, people):
            path = f"/api/v1/chouettes/{circle}/do/"
            answer = world.villain.rest("POST", path, command)
            world.note(f"{command['do']} at {path}", answer.status_code)


def _chouette_commands(visitor: Visitor, circle: str, people: list[int]) -> list[dict[str, Any]]:
    """Every command of a chouette, for the decision that its view shows as due."""
    answer = visitor.rest("GET", f"/api/v1/chouettes/{circle}/", {})
    view = answer.json() if answer.status_code == 200 else {}
    turn, game = view.get("turn", 1), (view.get("fair") or {}).get("game", "")
    decided: list[dict[str, Any]] = [
        {"do": "decide", "doubles": True},
        {"do": "box_answers", "answers": {str(each): "drop" for each in people}},
        {"do": "beaver_answer", "accepts": False},
        {"do": "box_doubles", "players": people},
        {"do": "answer", "answer": "drop"},
        {"do": "box_beaver_answers", "accepts": {str(each): False for each in people}},
        {"do": "play", "moves": []},
        {"do": "advise", "moves": []},
        {"do": "agree", "player": people[-1]},
    ]
    return [
        *({**each, "turn": turn} for each in decided),
        {"do": "tip", "game": game, "tip": "ab" * 32},
        {"do": "element", "game": game, "n": 0, "element": "ab" * 32},
        {"do": "leave_after", "on": True},
        {"do": "start"},
        {"do": "invite_bot"},
        {"do": "stand_up"},
        {"do": "sit"},
    ]


STORIES: Final[tuple[Callable[[World], None], ...]] = (
    _both_halves_of_an_adjustment,
    _a_puppet,
    _paid_alone,
    _many_small_decisions,
    _somebody_elses_mailbox,
    _asked_and_taken_back,
    _at_the_chouette_of_others,
)


def counted(made: list[tuple[str, int]]) -> Iterator[tuple[str, int]]:
    """How many tries were answered how, by the first digit of the status."""
    for kind, name in ((2, "answered"), (3, "redirected"), (4, "refused"), (5, "broken")):
        yield name, sum(status // 100 == kind for _, status in made)
