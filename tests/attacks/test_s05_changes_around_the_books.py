"""S5: a superuser of the database changed rows around the books, and no audit found it. Each
change is repeated in a house in which everything has happened, and is refused or found."""

from pathlib import Path
from typing import Any

import pytest

from bench.tamper import people
from bench.tamper.changes import APPLICATION, CHANGES
from bench.tamper.furnish import furnish
from bench.tamper.trial import trial_prepare, tried

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

#: changes that were made to a running house; `python -m bench.tamper` tries these and others.
DONE = (
    "destination of a payout",
    "receipt of a payout",
    "reason of a payout",
    "time of a request",
    "four eyes switched off",
    "steps of a payout",
    "a self-exclusion deleted",
    "a limit deleted",
    "a freeze flipped",
    "a voucher inserted",
    "audits deleted",
    "a winner swapped in events and states",
    "a normal match reversed with its ratings",
    "type of an event",
    "score in an event",
    "time of an event",
    "left relabelled resigned",
    "the public log in another order",
    "a trigger that never fires",
    "a trigger with another function",
    "a CHECK that is always true",
    "a right on one column",
    "a function with the owner's rights",
    "a change, its version and all seals anew",
    "time of an event of a tournament",
    "founder of a tournament",
    "time of a roll of a chouette",
    "captain of a game",
    "points of a share",
    "founder of a club",
    "an outage inserted",
    "a clearance inserted",
    "marks of logins deleted",
    "a closed account opened, triggers on",
)


def test_what_a_superuser_changed_is_found(
    settings: Any, tmp_path: Path, dice_script: None
) -> None:
    settings.LEDGER_SEAL_FILE = str(tmp_path / "seals.log")
    furnish()
    facts = trial_prepare()
    chosen = [change for change in CHANGES if change.name in DONE and change.who != APPLICATION]
    assert len(chosen) >= len(DONE)
    outcomes = {change.name: tried(change, facts) for change in chosen}
    assert [name for name, outcome in outcomes.items() if outcome == "undetected"] == []
    rows = [each for each in CHANGES if each.who == APPLICATION and each.name in people.APPLICATION]
    assert [each.name for each in rows if tried(each, facts) == "undetected"] == []


@pytest.fixture
def dice_script(settings: Any) -> Any:
    """Restore the script of the dice afterwards."""
    from harness.dice import ScriptedDice

    kept, welcome = ScriptedDice.script, settings.LEDGER_WELCOME_CENTS
    yield
    ScriptedDice.script = kept
    settings.LEDGER_WELCOME_CENTS = welcome
