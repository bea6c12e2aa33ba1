"""Where the decisions of people come from: the newest deepest report of each of their matches.

They are listed when a report is stored. What was stored before, and matches from elsewhere whose
seat became known later, a worker lists in small portions.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q

from analysis.decisions.filters import (
    DIFFERS_STEP,
    MADE_STEP,
    SIZE_VALUES,
    cell_of,
    pace_of,
)
from analysis.decisions.times import play_seconds, play_times
from analysis.exercises.themes import phase_of
from analysis.models import (
    DecidedMatch,
    ImportedMatch,
    ListedDecision,
    MyDecision,
    Report,
    Transcript,
)
from analysis.models.imports import HERE, PRACTICE, UNKNOWN
from analysis.second_judge import opinions_of
from analysis.subjects import record_of, subject_of
from analysis.sums import can_be_asked, decision_theme
from backgammon.counting.decisions import Decision, decisions
from backgammon.counting.judging import SHOWN
from backgammon.counting.situation import Away
from games.models import Match

#: how deep a report is; the deepest one counts, of equal ones the newest.
RANKS: Final = {"quick": 0, "full": 1, "deep": 2, "checked": 3}

#: reports, or matches from elsewhere, in one portion of what was not listed yet.
PORTION: Final = 20

#: `MyDecision.size` by the mark beside an error.
SIZES: Final = {"": 0, "?!": 1, "?": 2, "??": 3}

_SECONDS_MOST: Final = 32_000
_READ: Final = (
    *("pk", "game", "number", "seat", "kind", "counted", "loss"),
    *("line__xgid", "line__mark", "line__dice"),
)

Key = tuple[int, int]
"""The game of a decision and its number there."""


@dataclass(frozen=True, slots=True)
class _Owner:
    """A person with a match: their seat, and what its row says besides the report."""

    person_id: int
    seat: int
    match: Match | None
    imported: ImportedMatch | None

    def row(self, report: Report) -> dict[str, Any]:
        """The values of the row of the match."""
        subject = subject_of(report)
        found = {"report": report, "seat": self.seat, "variant": subject.variant}
        if self.imported is None:
            assert self.match is not None
            assert self.match.ended_at is not None, "only finished matches are analysed"
            is_practice = self.match.player_0.is_bot or self.match.player_1.is_bot
            source = PRACTICE if is_practice else HERE
            return {**found, "source": source, "played_at": self.match.ended_at}
        return {
            **found,
            "opponent": self.imported.names[1 - self.seat],
            "source": self.imported.source or UNKNOWN,
            "played_at": self.imported.ended_at,
        }


def position_number(xgid: str | None) -> int:
    """The number that stands for the board of an XGID, as its player on roll sees it; 0 for none.

    An XGID of a decision has the player on roll as X, so its first field says it all.
    """
    if not xgid:
        return 0
    board = xgid.removeprefix("XGID=").split(":")[0]
    return int.from_bytes(blake2b(board.encode(), digest_size=8).digest(), "big", signed=True)


def score_class(away: Away | None, *, crawford: bool) -> str:
    """The kind of score for a player who needs `away[0]` points."""
    if away is None:
        return "money"
    if crawford:
        return "crawford"
    if away in ((1, 1), (2, 2)):
        return "dmp" if away == (1, 1) else "two"
    if 1 in away:
        return "post"
    return "level" if away[0] == away[1] else "ahead" if away[0] < away[1] else "behind"


def decisions_list(report: Report, made: Iterable[Decision] | None = None) -> None:
    """List the decisions of a report for all whose match it is, in the caller's transaction.

    `made` are the decisions of the match, which are read again without them. A person whose row
    has a deeper report already keeps it.
    """
    subject = subject_of(report)
    owners = list(_owners(subject))
    if not owners:
        return
    known = list(decisions(record_of(subject)) if made is None else made)
    rows = list(_rows(report, known, subject))
    for owner in owners:
        _list_for(owner, report, [row for row in rows if row[0] == owner.seat])


def _owners(subject: Match | Transcript) -> Iterator[_Owner]:
    """The people whose match it is; accounts that are closed have none."""
    if isinstance(subject, Match):
        for seat, person in enumerate((subject.player_0, subject.player_1)):
            if person.is_active and not person.is_bot:
                yield _Owner(person.pk, seat, subject, None)
        return
    found = ImportedMatch.objects.filter(transcript=subject, seat__isnull=False)
    for row in found.filter(person__is_active=True).order_by("pk"):
        assert row.seat is not None
        yield _Owner(row.person_id, row.seat, None, row)


def _rows(
    report: Report, made: list[Decision], subject: Match | Transcript
) -> Iterator[tuple[int, Key, MyDecision]]:
    """Every judged decision: its seat, its place, and its row without person and match."""
    times = play_times(subject) if isinstance(subject, Match) else {}
    disputed = disputed_decisions(report)
    by_key = {(each.place.game, each.place.number): each for each in made}
    plays: Counter[int] = Counter()
    for row in report.rows.order_by("game", "number").values(*_READ):
        key = (row["game"], row["number"])
        seconds = play_seconds(row, plays[row["game"]], times)
        plays[row["game"]] += row["kind"] == "play"
        if row["loss"] is not None:
            yield (
                row["seat"],
                key,
                _row(row, by_key[key], seconds, agrees=row["pk"] not in disputed),
            )


def _row(
    row: dict[str, Any], decision: Decision, seconds: float | None, *, agrees: bool
) -> MyDecision:
    situation = decision.situation
    away = situation.away
    if away is not None and decision.kind == "take":  # the position is the doubler's
        away = (away[1], away[0])
    dice = sorted(row["line__dice"] or (), reverse=True)
    seconds = None if seconds is None else min(round(seconds), _SECONDS_MOST)
    size = SIZES[row["line__mark"] or ""]
    theme, phase = decision_theme(decision), phase_of(situation)
    score = score_class(away, crawford=situation.crawford)
    engines = "agree" if agrees else "differ"
    values = (row["kind"], SIZE_VALUES[size], theme, phase, score, pace_of(seconds), engines, "not")
    return MyDecision(
        decision_id=row["pk"],
        theme=theme,
        kind=row["kind"],
        phase=phase,
        score=score,
        size=size,
        loss=row["loss"],
        counted=row["counted"],
        own_away=away[0] if away else 0,
        opponent_away=away[1] if away else 0,
        crawford=situation.crawford,
        roll=10 * dice[0] + dice[1] if dice else None,
        seconds=seconds,
        agrees=agrees,
        askable=bool(row["line__xgid"]) and can_be_asked(decision),
        cell=cell_of(values),
        position=position_number(row["line__xgid"]),
    )


@transaction.atomic
def _list_for(owner: _Owner, report: Report, rows: list[tuple[int, Key, MyDecision]]) -> None:
    values = owner.row(report)
    match, is_new = DecidedMatch.objects.get_or_create(
        person_id=owner.person_id, match=owner.match, imported=owner.imported, defaults=values
    )
    match = DecidedMatch.objects.select_for_update(no_key=True).get(pk=match.pk)
    before = match.report
    is_same = match.seat == owner.seat and before.transcript_id == report.transcript_id
    if not is_new and is_same and _depth(before) >= _depth(report):
        return
    in_set = {
        (game, number)
        for game, number in match.decisions.filter(in_set=True).values_list(
            "decision__game", "decision__number"
        )
        if match.seat == owner.seat
    }
    match.decisions.all().delete()
    MyDecision.objects.bulk_create(
        [_owned(row, match, is_in_set=key in in_set) for _seat, key, row in rows], batch_size=1000
    )
    values["counted"] = sum(row.counted for _seat, _key, row in rows)
    values["lost"] = sum(row.loss for _seat, _key, row in rows)
    DecidedMatch.objects.filter(pk=match.pk).update(**values)
    if before.pk != report.pk:
        _lists_follow(owner.person_id, before, {key: row for _seat, key, row in rows})


def _owned(row: MyDecision, match: DecidedMatch, *, is_in_set: bool) -> MyDecision:
    row.person_id, row.match, row.in_set = match.person_id, match, is_in_set
    row.cell += MADE_STEP * is_in_set
    return row


def _depth(report: Report) -> tuple[int, int]:
    return RANKS.get(report.depth, -1), report.pk


def _lists_follow(person_id: int, before: Report, rows: dict[Key, MyDecision]) -> None:
    """Lists have the decision of the newer report; exercises stay, because they were tried."""
    listed = ListedDecision.objects.filter(
        list__person=person_id, list__for_exercises=False, decision__report=before
    ).select_related("decision")
    for entry in listed:
        row = rows.get((entry.decision.game, entry.decision.number))
        if row is not None:
            entry.decision_id, entry.theme = row.decision_id, row.theme
            entry.save(update_fields=["decision", "theme"])


def disputed_decisions(report: Report) -> set[int]:
    """The errors of a report in which a second engine sees none, and no rollout decided."""
    opinions = opinions_of(subject_of(report), report.engine, report.version)
    sees_none = {key for key, opinion in opinions.items() if opinion.loss < SHOWN}
    if not sees_none:
        return set()
    rows = report.rows.values_list("pk", "game", "number", "line__rollout")
    return {pk for pk, game, number, rolled in rows if (game, number) in sees_none and not rolled}


def opinions_list(report: Report) -> None:
    """Take over which of the listed decisions a second engine does not call errors."""
    disputed = disputed_decisions(report)
    found = MyDecision.objects.filter(decision__in=disputed, size__gt=0, agrees=True)
    found.update(agrees=False, cell=F("cell") + DIFFERS_STEP)


# --- what was not listed yet ----------------------------------------------------------------------


def reports_list(below: int | None) -> int | None:
    """List a portion of the matches of the house that have no decisions yet, the newest first.

    `below` is what the last portion returned, None for the first; None is returned at the end.
    """
    deeper = Report.objects.filter(match=OuterRef("match"), depth="deep").exclude(pk=OuterRef("pk"))
    listed = DecidedMatch.objects.filter(match=OuterRef("match"))
    found = Report.objects.filter(
        ~Q(Exists(listed)), ~Q(Exists(deeper)) | Q(depth="deep"), match__isnull=False
    ).order_by("-pk")
    if below is not None:
        found = found.filter(pk__lt=below)
    portion = list(found.select_related("match__player_0", "match__player_1")[:PORTION])
    for report in portion:
        with transaction.atomic():
            decisions_list(report)
    return portion[-1].pk if portion else None


def imports_list() -> int:
    """List a portion of the matches from elsewhere whose seat is known by now; how many it had.

    What was listed for another seat, or for one that is not known any more, goes.
    """
    moved = DecidedMatch.objects.filter(imported__isnull=False)
    moved.filter(Q(imported__seat__isnull=True) | ~Q(imported__seat=F("seat"))).delete()
    listed = DecidedMatch.objects.filter(
        imported=OuterRef("pk"), report__transcript=OuterRef("transcript")
    )
    reports = Report.objects.filter(transcript=OuterRef("transcript"))
    missing = ImportedMatch.objects.filter(
        ~Q(Exists(listed)), Exists(reports), seat__isnull=False, person__is_active=True
    )
    portion = list(missing.select_related("transcript").order_by("-added_at")[:PORTION])
    for row in portion:
        found = Report.objects.filter(transcript=row.transcript)
        with transaction.atomic():
            decisions_list(max(found, key=_depth))
    return len(portion)
