"""The dump radar: every result by which credits change hands is screened within seconds.

It is screened when it has ended, and again once its matches are analysed. What looks given away is
held for 72 hours, the pair is kept apart for as long, and a case opens; people decide it. Nothing
is taken here. `fairplay/clearing.py` lets the rest be paid out.
"""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from fairplay.cases import Alarm, case_open, people_lock
from fairplay.clearing import gains_settle, waits_end, waits_over
from fairplay.facts import PairFound, between, pair_after
from fairplay.gains import BookedResult, GainKind, kinds
from fairplay.models import CaseKind, Screening, ScreeningLevel, ScreeningStage
from fairplay.signals.pairs import MARK_BITS, PairJudgement, Sign, judged_pair
from kit.sweeps import go_round, stuck_items

LOOKS_BACK: Final = timedelta(days=8)
"""What ended before is not screened any more; it can be paid out by then."""

AT_ONCE: Final = 100

Judged = list[tuple[PairFound, PairJudgement]]


def results_screen() -> int:
    """Screen what has ended or was analysed since; return how many results."""
    screened = 0
    for kind in kinds():
        for stage in (ScreeningStage.KNOWN, ScreeningStage.ANALYSED):
            screened += _pass(kind, stage)
    waits_end()
    return screened


def results_wait() -> bool:
    """Whether a result waits for `results_screen`, or a gain has waited for long enough."""
    since, stages = timezone.now() - LOOKS_BACK, (ScreeningStage.KNOWN, ScreeningStage.ANALYSED)
    found = (kind.unscreened(stage, since) for kind in kinds() for stage in stages)
    return waits_over().exists() or any(rows.exists() for rows in found)


def _pass(kind: GainKind, stage: ScreeningStage) -> int:
    """One pass over a kind; what cannot be read is gone round and keeps no other waiting."""
    sweep = f"screening {kind.prefix} {stage}"
    found = kind.unscreened(stage, timezone.now() - LOOKS_BACK)
    waiting = found.exclude(pk__in=stuck_items(sweep)).values_list("pk", flat=True)
    return go_round(sweep, waiting[:AT_ONCE], lambda key: bool(result_screen(kind, key, stage)))


@transaction.atomic
def result_screen(kind: GainKind, key: object, stage: ScreeningStage) -> Screening:
    """Screen a result at this stage, once: store what was found, hold or clear what was gained."""
    result = kind.read(key)
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
