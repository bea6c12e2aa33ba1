"""Moderation: words are reported, and a moderator whom they do not concern decides what follows.

A kind of words is a `WordsKind`: talk (`games.services.chat_reports`), names and descriptions of
clubs and tournaments (`tournaments.services.words`). Locks: the subject first, then the reporter.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from accounts.models import User
from games.decisions import journal_record
from games.models import WordsReport
from games.services.administration import MayNotDecide, ReasonMissing
from games.table.errors import BadTerms, TableError
from games.table.talk import REPORT_WORDS_LENGTH_MAX, text_cleaned
from kit.errors import Refusal

PERMISSION: Final = "games.decide_wordsreport"

Subject = Any
"""What is decided about: a report of talk, a club or a tournament, as its kind has it."""


class TooManyReports(TableError):
    """Too many reports by one person."""

    code = "too_many_reports"
    sentence = _("You have reached the limit of reports for today.")


class NothingToDecide(TableError):
    """Nothing is left to decide: no report is open, or this was taken or given back already."""

    code = "wrong_state"
    sentence = _("The moderators have decided about it already.")
    staff_sentence = _("Someone else has already decided this.")


@dataclass(frozen=True, slots=True)
class WordsKind:
    """One kind of words, and what is decided about them.

    `verb` and `reference` name a decision and its subject in the journal, and `facts` what is
    journalled of a subject before and after it. `lock` finds a subject by its id, and raises where
    nothing can be decided. `own` says whom it concerns. `carry_out` does what an outcome other
    than "nothing" says. `changed` is raised where a subject is not as it was shown.
    """

    key: str
    verb: str
    reference: Callable[[Subject], str]
    reasons: tuple[str, ...]
    outcomes: tuple[str, ...]
    a_day_max: int
    lock: Callable[[Any], Subject]
    reports: Callable[[Subject], QuerySet[WordsReport]]
    own: Callable[[User, Subject], bool]
    facts: Callable[[Subject], Mapping[str, Any]]
    carry_out: Callable[[Subject, User, str], None]
    changed: type[Refusal] | None = None


def report_store(
    kind: WordsKind, *, user_id: int, reason: str, words: str, known: Q, kept: Mapping[str, Any]
) -> WordsReport:
    """Store a report with the fields `kept`; the person's report that is `known` is returned.

    In the transaction that has locked the subject. Raises `BadTerms`, `BadText`, `TooManyReports`.
    """
    if reason not in kind.reasons:
        raise BadTerms("there is no such reason", field="reason")
    note = text_cleaned(words, REPORT_WORDS_LENGTH_MAX) if words.strip() else ""
    User.objects.select_for_update(no_key=True).get(pk=user_id)
    mine = WordsReport.objects.filter(kind=kind.key, reporter=user_id)
    if (earlier := mine.filter(known).first()) is not None:
        return earlier
    if mine.filter(made_at__gt=timezone.now() - timedelta(days=1)).count() >= kind.a_day_max:
        raise TooManyReports(f"{kind.a_day_max} complaints of one kind a day are read")
    return WordsReport.objects.create(
        kind=kind.key, reporter_id=user_id, reason=reason, words=note, **kept
    )


def words_shown(kind: WordsKind, subject: Subject) -> str:
    """A token that changes with every change of these words."""
    return hashlib.sha256(json.dumps([*kind.facts(subject).values()]).encode()).hexdigest()


def may_judge(kind: WordsKind, user: User, subject: Subject) -> bool:
    """Whether this moderator may decide: it is not their own, and no open report is theirs."""
    if kind.own(user, subject) or not user.has_perm(PERMISSION):
        return False
    return not kind.reports(subject).filter(reporter=user, outcome="").exists()


def words_decide(
    kind: WordsKind, *, actor: User, subject_id: Any, outcome: str, reason: str, shown: str = ""
) -> Subject:
    """Close all open reports of a subject, and carry the outcome out.

    `shown` is the token of what was judged (`words_shown`). Raises `MayNotDecide`,
    `ReasonMissing`, `NothingToDecide`, `BadTerms`, and what the kind does.
    """
    if outcome not in kind.outcomes:
        raise BadTerms("there is no such outcome", field="outcome")
    with transaction.atomic(durable=True):
        subject = judged(kind, subject_id, actor, reason)
        if kind.changed is not None and words_shown(kind, subject) != shown:
            raise kind.changed("these words were changed meanwhile")
        before = kind.facts(subject)
        closed = (
            kind.reports(subject)
            .filter(outcome="")
            .update(outcome=outcome, closed_at=timezone.now(), closed_by=actor)
        )
        if outcome != "nothing":
            kind.carry_out(subject, actor, outcome)
        elif not closed:
            raise NothingToDecide("no report is open")
        journal_record(
            actor=actor,
            verb=kind.verb,
            subject=kind.reference(subject),
            before=before,
            after={**kind.facts(subject), "outcome": outcome},
            reason=reason.strip(),
        )
        return subject


def judged(kind: WordsKind, subject_id: Any, actor: User, reason: str) -> Subject:
    """A subject, locked, for a moderator who may decide about it, with a reason."""
    subject = kind.lock(subject_id)
    if not reason.strip():
        raise ReasonMissing("a decision needs a reason")
    if not may_judge(kind, actor, subject):
        raise MayNotDecide("you may not decide about this")
    return subject
