"""The dump radar: every staked match is screened when it ends, and again once it is analysed.

A clear result lets the winnings be paid out. What looks given away is held for 72 hours, the pair
is kept apart for as long, and a case opens; people decide it. Nothing is taken here.
"""

import logging
from datetime import timedelta
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from accounts.models import User
from analysis.models import Report
from fairplay import settlement
from fairplay.cases import Alarm, case_open
from fairplay.facts import PairFound, moved_cents, pair_after
from fairplay.models import Kind, Level, Screening, Stage
from fairplay.signals.pairs import MARK_BITS, Judgement, Sign, judged_pair
from games.models import Match

logger = logging.getLogger(__name__)

LOOKS_BACK: Final = timedelta(days=8)
"""Matches that ended before are not screened any more; their winnings can be paid out by then."""

AT_ONCE: Final = 100


def matches_screen() -> int:
    """Screen what has ended or was analysed since; return how many matches."""
    screened = 0
    for stage, found in ((Stage.KNOWN, _ended()), (Stage.ANALYSED, _analysed())):
        for match in found[:AT_ONCE]:
            screened += _tried(match, stage)
    return screened


def _tried(match: Match, stage: Stage) -> bool:
    """Screen a match; one that cannot be read is logged and keeps no other waiting."""
    try:
        match_screen(match, stage)
    except (ArithmeticError, AssertionError, LookupError, TypeError, ValueError):
        logger.exception("match %s cannot be screened", match.pk)
        return False
    return True


@transaction.atomic
def match_screen(match: Match, stage: Stage) -> Screening:
    """Screen a match at this stage, once: store what was found, hold or clear the winnings."""
    list(User.objects.select_for_update(no_key=True).filter(pk__in=match.players).order_by("pk"))
    known = Screening.objects.filter(match=match, stage=stage).first()
    if known is not None:
        return known
    found = None if match.ending == "voided" else pair_after(match)
    judged = Judgement("clear", 0.0, ()) if found is None else judged_pair(found.facts)
    row = Screening.objects.create(
        match=match,
        stage=stage,
        level=Level(judged.level),
        score=judged.score,
        reasons=[sign.key for sign in judged.signs],
        facts={sign.key: sign.bits for sign in judged.signs},
    )
    if found is not None and row.level == Level.HOLD and settings.FAIRPLAY_ACTS:
        _alarm(found, judged)
    settlement.clear_matches([match])
    return row


def _ended() -> QuerySet[Match]:
    """Staked matches without a first screening, the oldest first."""
    seen = Screening.objects.filter(match=OuterRef("pk"), stage=Stage.KNOWN)
    return (
        Match.objects.filter(
            ~Exists(seen), stake_cents__gt=0, ended_at__gte=timezone.now() - LOOKS_BACK
        )
        .exclude(paid_cents=None)
        .order_by("ended_at", "pk")
    )


def _analysed() -> QuerySet[Match]:
    """Screened matches with a full report and without a second screening, the oldest first."""
    known = Screening.objects.filter(match=OuterRef("pk"), stage=Stage.KNOWN)
    again = Screening.objects.filter(match=OuterRef("pk"), stage=Stage.ANALYSED)
    report = Report.objects.filter(match=OuterRef("pk"), depth="full")
    return Match.objects.filter(
        Exists(known),
        ~Exists(again),
        Exists(report),
        ended_at__gte=timezone.now() - LOOKS_BACK,
    ).order_by("ended_at", "pk")


def _alarm(found: PairFound, judged: Judgement) -> None:
    """Hold what went one way, keep the two apart, and open or extend their case."""
    case_open(
        Alarm(
            kind=Kind.DUMP,
            accused=frozenset({found.winner_id, found.loser_id}),
            evidence=evidence_of(found, judged),
            matches=[each for each in found.matches if each.stake_cents],
            priority=2 if found.facts.net_cents >= HIGH_CENTS else 1,
            winnings_cents=winnings_of(found),
            pair=(found.winner_id, found.loser_id),
        )
    )


def winnings_of(found: PairFound) -> dict[tuple[Match, int], int]:
    """The winner's gains by match, the newest first, as far as more went to them than came back."""
    left_cents, winnings = found.facts.net_cents, {}
    for match in reversed(found.matches):
        cents = min(moved_cents(match, found.winner_id), left_cents)
        if cents > 0:
            winnings[match, found.winner_id] = cents
            left_cents -= cents
    return winnings


HIGH_CENTS: Final = 10_000
"""From so much on a case is urgent."""


def evidence_of(found: PairFound, judged: Judgement) -> list[dict[str, Any]]:
    """The facts for people: what moved, and each sign with its figures."""
    facts = found.facts
    evidence: list[dict[str, Any]] = [
        {"key": "net", "here": facts.net_cents, "of": found.winner_id, "odds": judged.odds},
        {"key": "matches", "here": len(facts.results)},
    ]
    return evidence + [
        {**_figures(sign, found), "odds": 2**sign.bits}
        for sign in judged.signs
        if sign.key != "net"
    ]


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
