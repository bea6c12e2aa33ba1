"""All frames of simulated tables follow the published schema."""

import json
from collections import Counter
from typing import ClassVar

import pytest

from backgammon.rules.variants import KEYS
from games.table import events as ev
from games.table.state import TableState
from games.table.view import table_view
from games.wire import encode, event_frame, event_payload
from harness.schema import EVENT, mistakes
from harness.simulator.driver import Evening
from harness.simulator.house import SimulatedHouse
from harness.simulator.wishes import MODES

TABLES = 400
#: views are large: after the first of a kind, only some are checked.
VIEWS_OF_A_KIND = 1
VIEWS_APART = 30
PERSON = {"id": 1, "name": "hilde", "elo": 1500, "strength": 3, "bot": False, "plays_as": None}


def sent(frame: dict) -> dict:
    """A frame as it arrives."""
    return json.loads(encode(frame))


class Told(SimulatedHouse):
    """A house that checks every event, and many views, against the schema."""

    told: ClassVar[Counter[str]] = Counter()

    def _store(self, event: ev.Event) -> None:
        super()._store(event)
        frame = sent(event_frame(1, event_payload(event)))
        assert mistakes(frame, EVENT) == []
        self.told[frame["type"]] += 1

    def _commit(self, before: TableState, steps: list[tuple[TableState, ev.Event]]) -> None:
        super()._commit(before, steps)
        terms = self.state.terms
        kind = f"{terms.mode} {terms.variant} {self.state.phase}"
        self.told[kind] += 1
        if self.told[kind] > VIEWS_OF_A_KIND and self.told[kind] % VIEWS_APART:
            return
        view = table_view(self.state, table="6f0c", players=(PERSON, None))
        frame = {"type": "snapshot", "seq": 1, "now_ms": 1, "view": view, "log": []}
        assert mistakes(sent(frame)) == []


@pytest.mark.slow
def test_every_event_and_view_is_of_the_schema():
    """Tables of every mode and every variant; terms that have been played already are skipped."""
    played: set[str] = set()
    for number in range(TABLES):
        evening = Evening(f"schema:{number}", Told)
        kinds = {evening.state.terms.mode, evening.state.terms.variant}
        if kinds - played:
            evening.play()
            played |= kinds
    assert {*MODES, *KEYS} <= played
    assert Told.told["match_settled"] > 5
