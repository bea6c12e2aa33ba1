"""What holds for the words of clubs and of tournaments alike, from the report to the decision."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.urls import reverse

from accounts.models import User
from accounts.roles import Role, role_give
from games.services.administration import MayNotDecide, ReasonMissing
from games.services.moderation import (
    NothingToDecide,
    TooManyReports,
    WordsKind,
    words_decide,
    words_shown,
)
from ledger.models import JournalEntry
from tests.desk.conftest import at_desk
from tests.racing import racers
from tests.tournaments.test_titles import held
from tournaments.models import Club, WordsRemoval
from tournaments.services.clubs import club_found, club_join
from tournaments.services.words import CLUB, REPORTS_A_DAY_MAX, TOURNAMENT, words_report

BAD = "Vile Name"


def person(name: str) -> User:
    return User.objects.create_user(name)


def founded(founder: User, name: str) -> Club:
    return club_found(user=founder, name=name, about="vile words")


@dataclass(frozen=True)
class Named:
    """A kind, and how one of it gets its name; `club_of` is the club that may not judge it."""

    kind: WordsKind
    named: Callable[[User, str], Any]
    page: str


@pytest.fixture(
    params=[Named(CLUB, founded, "club"), Named(TOURNAMENT, held, "title")],
    ids=["club", "tournament"],
)
def each(request) -> Named:
    return request.param


@pytest.fixture
def moderator(transactional_db) -> User:
    user = person("moderator")
    role_give(user, Role.MODERATOR)
    return user


def decided(
    each: Named, subject: Any, by: User, outcome: str = "name", reason: str = "rude"
) -> Any:
    subject.refresh_from_db()
    return words_decide(
        each.kind,
        actor=by,
        subject_id=subject.pk,
        outcome=outcome,
        shown=words_shown(each.kind, subject),
        reason=reason,
    )


@pytest.mark.django_db(transaction=True)
def test_a_report_keeps_the_words_and_is_made_once(each):
    reader, subject = person("reader"), each.named(person("founder"), BAD)
    said = {"user": reader, "subject_id": subject.pk}
    first = words_report(each.kind, **said, reason="insult", words="see")
    assert words_report(each.kind, **said, reason="spam") == first
    assert (first.said, first.reason, first.words) == (BAD, "insult", "see")
    assert first.about == ("vile words" if each.kind is CLUB else "")
    for number in range(1, REPORTS_A_DAY_MAX):
        other = each.named(person(f"founder{number}"), f"Number {number}")
        words_report(each.kind, user=reader, subject_id=other.pk, reason="spam")
    last = each.named(person("last"), "The last one")
    with pytest.raises(TooManyReports):
        words_report(each.kind, user=reader, subject_id=last.pk, reason="spam")


def test_nobody_decides_without_the_right_a_reason_or_in_their_own_case(each, moderator):
    subject = each.named(person("founder"), BAD)
    for role in (None, Role.TREASURER):
        somebody = person(f"person{role}")
        if role:
            role_give(somebody, role)
        with pytest.raises(MayNotDecide):
            decided(each, subject, somebody)
    with pytest.raises(ReasonMissing):
        decided(each, subject, moderator, reason=" ")
    with pytest.raises(NothingToDecide):
        decided(each, subject, moderator, "nothing")  # no report is open
    with pytest.raises(MayNotDecide):
        decided(each, each.named(moderator, "My own"), moderator)
    words_report(each.kind, user=moderator, subject_id=subject.pk, reason="insult")
    with pytest.raises(MayNotDecide):
        decided(each, subject, moderator)
    subject.refresh_from_db()
    assert (subject.name, WordsRemoval.objects.count()) == (BAD, 0)


def test_a_member_of_the_club_does_not_decide_and_does_not_see_who_reported_it(
    each, moderator, settings
):
    settings.STAFF_SECOND_FACTOR = False
    founder = person("founder")
    club = founded(founder, BAD)
    subject = club if each.kind is CLUB else held(founder, BAD, club=club)
    words_report(
        each.kind, user=person("kuno"), subject_id=subject.pk, reason="insult", words="I was there"
    )
    addresses = reverse("desk:reports"), reverse(f"desk:{each.page}", args=[subject.pk])

    def pages() -> list[str]:
        return [at_desk(moderator).get(address).content.decode() for address in addresses]

    assert all("kuno" in page for page in pages())
    assert "I was there" in pages()[1]
    club_join(user=moderator, club_id=club.pk)
    assert all(BAD in page and "kuno" not in page for page in pages())
    assert "I was there" not in pages()[1]
    with pytest.raises(MayNotDecide):
        decided(each, subject, moderator)


def test_of_two_moderators_at_once_one_takes_the_name(each, moderator):
    subject, second = each.named(person("founder"), BAD), person("second")
    role_give(second, Role.MODERATOR)
    shown = words_shown(each.kind, subject)

    def take(by: User) -> Exception | None:
        said = {"subject_id": subject.pk, "outcome": "name", "shown": shown, "reason": "rude"}
        try:
            words_decide(each.kind, actor=by, **said)
        except each.kind.changed as error:
            return error
        return None

    with racers(2) as race:
        outcomes = race([lambda: take(moderator), lambda: take(second)])
    assert [outcome for outcome in outcomes if outcome is None] == [None]
    assert (WordsRemoval.objects.count(), JournalEntry.objects.count()) == (1, 1)
