"""The dump radar: every result by which credits change hands is screened within seconds.

It is screened when it has ended, and again once its matches are analysed. What looks given away is
held for 72 hours, the pair is kept apart for as long, and a case opens; people decide it. Nothing
is taken here. `fairplay/clearing.py` lets the rest be paid out.
"""

from collections.abc import Iterable, Iterator
from datetime import timedelta
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import CharField, Exists, OuterRef, QuerySet, Value
from django.db.models.functions import Cast, Concat
from django.utils import timezone

from analysis.models import Report
from fairplay.cases import Alarm, case_open, people_lock
from fairplay.clearing import gains_settle, waits_end, waits_over
from fairplay.facts import PairFound, between, pair_after
from fairplay.models import CaseKind, Screening, ScreeningLevel, ScreeningStage
from fairplay.signals.pairs import MARK_BITS, PairJudgement, Sign, judged_pair
from games.kinds import gains_of, kinds
from games.services.gains import BookedResult
from kit.sweeps import go_round, stuck_items

LOOKS_BACK: Final = timedelta(days=8)
"""What ended before is not screened any more; it can be paid out by then."""

AT_ONCE: Final = 100

Judged = list[tuple[PairFound, PairJudgement]]


def results_screen() -> int:
    """Screen what has ended or was analysed since; return how many results."""
    screened = sum(_pass(key, stage) for key, stage in _stages())
    waits_end()
    return screened


def results_wait() -> bool:
    """Whether a result waits for `results_screen`, or a gain has waited for long enough."""
    return waits_over().exists() or any(unscreened(*each).exists() for each in _stages())


def _stages() -> Iterator[tuple[str, ScreeningStage]]:
    """Every kind of table at which credits move, by its key, with every stage."""
    for kind in kinds():
        if kind.credits:
            yield kind.key, ScreeningStage.KNOWN
            yield kind.key, ScreeningStage.ANALYSED


def unscreened(key: str, stage: ScreeningStage) -> QuerySet[Any]:
    """The results of a kind of table to be screened at this stage, the oldest first.

    Those that are screened as analysed were screened before, and all their matches have a full
    report.
    """
    gains = gains_of(key)
    found = gains.ended(timezone.now() - LOOKS_BACK).filter(~Exists(_screened(key, stage)))
    if stage == ScreeningStage.ANALYSED:
        reports = Report.objects.filter(match=OuterRef("pk"), depth="full")
        found = found.filter(
            Exists(_screened(key, ScreeningStage.KNOWN)),
            Exists(gains.matches()),
            ~Exists(gains.matches().filter(~Exists(reports))),
        )
    return found.order_by("ended_at", "pk")


def _screened(key: str, stage: ScreeningStage) -> QuerySet[Screening]:
    row_key = Cast(OuterRef("pk"), CharField())
    reference = Concat(Value(f"{key}:"), row_key, output_field=CharField())
    return Screening.objects.filter(stage=stage, reference=reference)


def _pass(key: str, stage: ScreeningStage) -> int:
    """One pass over a kind; what cannot be read is gone round and keeps no other waiting."""
    sweep = f"screening {key} {stage}"
    found = unscreened(key, stage).exclude(pk__in=stuck_items(sweep))
    waiting = found.values_list("pk", flat=True)[:AT_ONCE]
    return go_round(sweep, waiting, lambda row_key: bool(result_screen(key, row_key, stage)))


@transaction.atomic
def result_screen(key: str, row_key: object, stage: ScreeningStage) -> Screening:
    """Screen a result at this stage, once: store what was found, hold or clear what was gained."""
    result = gains_of(key).read(row_key)
    people_lock(result.stakes_cents)
    known = Screening.objects.filter(reference=result.reference, stage=stage).first()
    if known is not None:
        return known
    judged = _judged(result)
    worst = max((each for _, each in judged), key=lambda each: each.score, default=NOTHING)
    row = Screening.objects.create(
        reference=result.reference,
        stage=stage,
        level=ScreeningLevel(worst.level),
        score=worst.score,
        reasons=[sign.key for sign in worst.signs],
        facts={sign.key: sign.bits for sign in worst.signs},
    )
    if settings.FAIRPLAY_ACTS:
        for found, each in judged:
            if each.level == ScreeningLevel.HOLD:
                _alarm(found, each)
    watched = [
        passage
        for passage, (_, each) in zip(result.passages, judged, strict=True)
        if each.level == ScreeningLevel.WATCH
    ]
    gains_settle(result, watched, analysed=stage == ScreeningStage.ANALYSED)
    return row


NOTHING: Final = PairJudgement("clear", 0.0, ())


def _judged(result: BookedResult) -> Judged:
    """Every pair of a result, judged."""
    found = [pair_after(result, passage) for passage in result.passages]
    return [(each, judged_pair(each.facts)) for each in found]


def _alarm(found: PairFound, judged: PairJudgement) -> None:
    """Hold what went one way, keep the two apart, and open or extend their case."""
    case_open(
        Alarm(
            kind=CaseKind.DUMP,
            accused=frozenset({found.winner_id, found.loser_id}),
            evidence=evidence_of(found, judged),
            matches=found.matches,
            priority=2 if found.facts.net_cents >= HIGH_CENTS else 1,
            winnings_cents=winnings_of(found),
            pair=(found.winner_id, found.loser_id),
        )
    )


def winnings_of(found: PairFound) -> dict[tuple[str, int], int]:
    """The winner's gains of the loser by result, as far as more went to them than came back."""
    left_cents, winnings = found.facts.net_cents, {}
    for result in reversed(found.results):
        went = between(result, found.winner_id, found.loser_id)
        cents = min(went, left_cents, max(result.nets_cents[found.winner_id], 0))
        if cents > 0:
            winnings[result.reference, found.winner_id] = cents
            left_cents -= cents
    return winnings


HIGH_CENTS: Final = 10_000
"""From so much on a case is urgent."""


def evidence_of(found: PairFound, judged: PairJudgement) -> list[dict[str, Any]]:
    """The facts for people: what moved, and each sign with its figures."""
    facts = found.facts
    evidence: list[dict[str, Any]] = [
        {"key": "net", "here": facts.net_cents, "of": found.winner_id, "odds": judged.odds},
        {"key": "matches", "here": len(facts.results)},
    ]
    return (
        evidence
        + list(_events(found))
        + [
            {**_figures(sign, found), "odds": 2**sign.bits}
            for sign in judged.signs
            if sign.key != "net"
        ]
    )


def _events(found: PairFound) -> Iterable[dict[str, Any]]:
    """The credits that went over in chouettes and tournaments, in one sum each."""
    for prefix in ("chouette", "tournament"):
        cents = sum(
            between(each, found.winner_id, found.loser_id)
            for each in found.results
            if each.reference.startswith(f"{prefix}:")
        )
        if cents:
            yield {"key": prefix, "here": cents, "of": found.winner_id}


def _figures(sign: Sign, found: PairFound) -> dict[str, Any]:
    """The figures of a sign, and whom they are about."""
    facts, played = found.facts, max(len(found.facts.results), 1)
    if sign.key in MARK_BITS:
        return {"key": sign.key, "here": 1}
    here = {
        "won": sum(facts.results) / played,
        "given_up": facts.given_up / played,
        "share": facts.loser_share,
        "age": facts.loser_age_days,
        "quick": facts.in_day,
        "ring": max(facts.feeders, facts.givers) + 1,
        "pr": facts.pr_here,
    }[sign.key]
    of = found.winner_id if sign.key in ("won", "ring") else found.loser_id
    figures: dict[str, Any] = {"key": sign.key, "here": here, "of": of}
    if sign.key == "pr":
        figures["elsewhere"] = facts.pr_elsewhere
    return figures
