"""Twenty faults for the soak to find: their names, and the database guards to drop for them.

`bench.soak.plants` changes the processes; this module does not import Django, because the soak's
own process must stay whole. Where the database alone would stop a fault, its guard is dropped
first, in the database of that run.
"""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Final

import psycopg

from bench.soak.options import Options

Weights = dict[str, int]

_KILLS: Final[Weights] = {"web": 60, "worker": 10, "postgres": 30}


@dataclass(frozen=True, slots=True)
class Planted:
    """A fault: what is wrong, which invariants can find it, and what the run must have for that.

    `audits` are checks of the audit that show it while the house runs: the run ends with the first
    finding. `work` is what the administrators do, if not everything.
    """

    wrong: str
    expected: tuple[str, ...]
    weights: Weights | None = None
    sql: tuple[str, ...] = ()
    audits: tuple[str, ...] = ()
    work: Weights | None = None
    trusting: bool = False
    patient: bool = False
    both_leave: bool = False
    faults: int = 30
    gap_s: float = 4.0
    games: int = 300
    minutes: float = 5.0

    def found_by(self, codes: Iterable[str]) -> list[str]:
        """Those of these violations that show this fault; others are no finding of it."""
        return sorted(set(codes) & set(self.expected))

    def verdict(self, codes: Iterable[str], refused: Collection[str]) -> str:
        """Words for what found this fault, or else refused what it does; empty: nothing did.

        A guard of the database refuses nothing in a run without a planted fault.
        """
        if found := self.found_by(codes):
            return f"found by {', '.join(found)}"
        return f"refused by {', '.join(sorted(refused))}" if refused else ""

    def options(self, asked: Options, name: str) -> Options:
        """A run that gives this fault its chance."""
        return replace(
            asked,
            planted=name,
            games=self.games,
            faults=self.faults,
            gap_s=self.gap_s,
            minutes=self.minutes,
            patient=self.patient,
            leaves_both=self.both_leave,
        )


_EVENTS_MAY_REPEAT: Final = (
    "DROP TRIGGER games_event_without_gap ON games_tableevent",
    "ALTER TABLE games_tableevent DROP CONSTRAINT event_seq_a_table",
)
_RATINGS_MAY_REPEAT: Final = (
    "ALTER TABLE ratings_ratingchange DROP CONSTRAINT rating_change_once",
    "ALTER TABLE ratings_ratingchange DROP CONSTRAINT rating_change_one_winner_one_loser",
)
_ROLLS_MAY_REPEAT: Final = (
    "ALTER TABLE games_diceroll DROP CONSTRAINT roll_number_once",
    "DROP TRIGGER games_dice_fixed ON games_gamedice",
)
_BALANCES_MAY_SINK: Final = (
    "ALTER TABLE ledger_account DROP CONSTRAINT account_never_below_zero",
    "ALTER TABLE ledger_entry DROP CONSTRAINT entry_balance_with_version",
    "ALTER TABLE ledger_transfer DROP CONSTRAINT transfer_key_once",
    "DROP TRIGGER match_transfer_justified ON ledger_transfer",
)

#: more games than there is time for: the run ends when the audit finds the fault, or with its time.
AUDITED: Final = 2_000

PLANTED: Final[dict[str, Planted]] = {
    "no_row_lock": Planted(
        "tables are not locked, and nothing is unique",
        ("I3", "I5", "I7", "I8"),
        sql=(*_EVENTS_MAY_REPEAT, *_RATINGS_MAY_REPEAT, *_ROLLS_MAY_REPEAT, *_BALANCES_MAY_SINK),
        trusting=True,
        both_leave=True,
    ),
    "rake_apart": Planted(
        "payout and rake are booked in two transactions",
        ("I3", "I4"),
        sql=_BALANCES_MAY_SINK,
        trusting=True,
    ),
    "rake_rounded_up": Planted(
        "the rake is rounded up, the payout is what rounding down leaves",
        ("I1", "I3", "I4"),
        sql=_BALANCES_MAY_SINK,
        trusting=True,
    ),
    "acknowledged_early": Planted(
        "commands are acknowledged before the commit", ("I5",), weights=_KILLS, faults=12, games=100
    ),
    "asynchronous_commit": Planted(
        "synchronous_commit is off",
        ("I5",),
        weights={"postgres": 1},
        faults=6,
        gap_s=8.0,
        games=100,
    ),
    "told_early": Planted(
        "what happened is told before the commit",
        ("I5", "I7"),
        weights=_KILLS,
        faults=12,
        games=100,
    ),
    "roll_number_in_memory": Planted(
        "the number of a roll is kept in the web server's memory",
        ("I7",),
        weights=_KILLS,
        sql=_ROLLS_MAY_REPEAT,
    ),
    "rating_in_a_task": Planted(
        "ratings are moved by a Celery task without a unique key",
        ("I6",),
        weights={"worker": 40, "valkey": 30, "valkey_wiped": 30},
        audits=("M3",),
        games=AUDITED,
        sql=_RATINGS_MAY_REPEAT,
    ),
    "timers_in_valkey": Planted(
        "deadlines are kept in Valkey alone",
        ("I9",),
        weights={"valkey_wiped": 1},
        patient=True,
        faults=4,
        gap_s=10.0,
        games=40,
        minutes=2.0,
    ),
    "leave_without_lock": Planted(
        "leaving neither locks the table nor checks its version",
        ("I3", "I5", "I8"),
        sql=(*_EVENTS_MAY_REPEAT, *_RATINGS_MAY_REPEAT, *_BALANCES_MAY_SINK),
        trusting=True,
        both_leave=True,
    ),
    "outage_counts": Planted(
        "an outage is not given back",
        ("I10",),
        weights={"house": 1},
        patient=True,
        faults=2,
        gap_s=30.0,
        games=40,
        minutes=3.0,
    ),
    "approver_in_the_form": Planted(
        "only the form asks who approved a payout",
        ("I12",),
        sql=(
            "ALTER TABLE ledger_payout DROP CONSTRAINT payout_four_eyes",
            "ALTER FUNCTION ledger_payout_approval_stands(ledger_payout) RENAME TO dropped",
            """CREATE FUNCTION ledger_payout_approval_stands(ledger_payout) RETURNS void
            LANGUAGE sql AS ''""",
        ),
        audits=("A11", "A15", "U2"),
        work={"approve": 35, "take alone": 35, "settle": 30},
        faults=0,
        games=AUDITED,
    ),
    "transfer_without_a_reason": Planted(
        "each settlement gives the opener a credit more, as a voucher that never was",
        ("I13",),
        sql=("DROP TRIGGER transfer_justified ON ledger_transfer",),
        audits=("A16",),
        faults=0,
        games=AUDITED,
    ),
    "prizes_after_the_commit": Planted(
        "the prizes of a tournament are booked after its end was committed",
        ("I14", "I4"),
        weights={"worker": 80, "postgres": 20},
        audits=("T2",),
        faults=8,
        gap_s=20.0,
        games=AUDITED,
    ),
    "meetings_after_the_commit": Planted(
        "the matches of a tournament are called after its draw was committed",
        ("I16",),
        weights={"worker": 80, "postgres": 20},
        audits=("T1",),
        faults=8,
        gap_s=20.0,
        games=AUDITED,
        sql=(
            "DROP TRIGGER event_guard ON tournaments_tournamentevent",
            "DROP TRIGGER meeting_guard ON tournaments_meeting",
        ),
    ),
    "dice_of_events_in_mode_k": Planted(
        "only the stake of a table decides about its dice, not the fee of its tournament",
        ("I7",),
        audits=("D3",),
        faults=0,
        games=AUDITED,
    ),
    "chouette_paid_after_the_commit": Planted(
        "a game of a chouette is paid after its end was committed",
        ("I17", "I4"),
        weights={"web": 80, "postgres": 20},
        audits=("K2",),
        faults=6,
        gap_s=20.0,
        games=AUDITED,
    ),
    "chouette_journal_after_the_commit": Planted(
        "the events of a chouette are stored after its state was committed",
        ("I18",),
        weights={"web": 80, "postgres": 20},
        audits=("K1",),
        faults=8,
        gap_s=15.0,
        games=AUDITED,
        sql=(
            "DROP TRIGGER event_follows ON chouette_circleevent",
            "DROP TRIGGER place_follows ON chouette_place",
            "DROP TRIGGER game_follows ON chouette_game",
            "DROP TRIGGER share_follows ON chouette_share",
        ),
    ),
    "seal_left_out": Planted(
        "the books are not among what is sealed",
        ("I12",),
        audits=("A22",),
        faults=0,
        games=AUDITED,
    ),
    "second_person_is_the_first": Planted(
        "a large adjustment is booked by the administrator who proposed it",
        ("I12",),
        sql=(
            "ALTER TABLE ledger_adjustment DROP CONSTRAINT adjustment_four_eyes",
            "ALTER TABLE ledger_proposal DROP CONSTRAINT proposal_second_person",
            "DROP TRIGGER proposal_guard ON ledger_proposal",
            "ALTER TABLE ledger_transfer DROP CONSTRAINT transfer_approver_is_another",
        ),
        audits=("A15", "U2"),
        work={"adjust": 50, "book alone": 50},
        faults=0,
        games=AUDITED,
    ),
}


def weaken(name: str, address: str) -> None:
    """Take away, in this run's database, what would stop the fault by itself."""
    planted = PLANTED[name]
    with psycopg.connect(address) as db:
        for statement in planted.sql:
            db.execute(statement)
        if planted.trusting:
            row = db.execute(
                "SELECT pg_get_functiondef(oid) FROM pg_proc WHERE proname = 'ledger_post'"
            ).fetchone()
            assert row is not None
            db.execute(trusting(row[0]))


def trusting(function: str) -> str:
    """The one way into the books without its own doubts: repeated keys, emptied escrows."""
    changed, keys = re.subn(r"ON CONFLICT \(key\) DO NOTHING\s+RETURNING", "RETURNING", function)
    changed, escrows = re.subn(
        r"IF v_line\.balance_cents \+ v_line\.amount <> 0\s+AND [^;]*? < 0\) THEN",
        "IF false THEN",
        changed,
    )
    if (keys, escrows) != (1, 1):
        raise ValueError("ledger_post has changed: say here anew what makes it trusting")
    return changed
