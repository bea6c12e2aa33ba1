"""Reports about talk: shown in their context, decided once, never by a person concerned."""

import json
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from accounts.roles import Role
from games.models import ChatMeasure, ChatMessage, Table, WordsReport
from games.selectors import chat_frame, ears_of
from games.services.administration import MayNotDecide
from games.services.chat import MayNotTalk, PhrasesOnly, Silenced, message_say
from games.services.chat_reports import (
    CONTEXT_MESSAGES,
    KEPT_FOR,
    REPORTS_A_DAY_MAX,
    TALK,
    message_report,
    messages_forget,
)
from games.services.moderation import TooManyReports, words_decide
from games.services.tables import table_join, table_open
from ledger.models import JournalEntry
from ledger.services.limits import exclusion_start, player_freeze
from tests.aging import rows_age
from tests.desk.conftest import at_desk

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def table(transactional_db, magriel, hilde) -> Table:
    table = table_open(user=magriel, mode="normal")
    return table_join(user=hilde, table_id=table.pk)


def said(table: Table, author: User, text: str) -> ChatMessage:
    """A message from a minute ago, so that it is not refused as too fast."""
    return ChatMessage.objects.create(
        table=table,
        author=author,
        client_id=f"{text}-{ChatMessage.objects.count()}",
        seat=0,
        audience="everybody",
        text=text,
        said_at=timezone.now() - timedelta(minutes=1),
    )


@pytest.fixture
def report(table, magriel, hilde) -> WordsReport:
    for number in range(CONTEXT_MESSAGES + 2):
        said(table, magriel, f"line {number}")
    bad = said(table, magriel, "<b>bad words</b>")
    return message_report(
        table_id=table.pk, user_id=hilde.pk, message_id=bad.pk, reason="insult", words="see this"
    )


def close(client, report: WordsReport, **data: str):
    fields = {"outcome": "warn", "reason": "seen", **data}
    return client.post(reverse("desk:report_close", args=[report.pk]), fields)


def test_a_moderator_sees_the_message_in_its_context(staff, report):
    client = at_desk(staff("mia", Role.MODERATOR))
    page = client.get(reverse("desk:reports")).content.decode()
    assert "&lt;b&gt;bad words&lt;/b&gt;" in page
    page = client.get(reverse("desk:report", args=[report.pk])).content.decode()
    assert "line 11" in page
    assert "line 2<" in page
    assert "line 1<" not in page  # ten messages before it
    assert "see this" in page
    assert "<b>bad" not in page


def test_silence_is_told_until_when_and_stands_in_the_journal(staff, report, table, magriel):
    mia = staff("mia", Role.MODERATOR)
    close(at_desk(mia), report, outcome="silence_7", reason="third time")
    report.refresh_from_db()
    assert (report.outcome, report.closed_by) == ("silence_7", mia)
    with pytest.raises(Silenced) as refused:
        message_say(table_id=table.pk, user_id=magriel.pk, client_id="a", phrase="hello")
    week_ms = 7 * 24 * 60 * 60 * 1000
    now_ms = timezone.now().timestamp() * 1000
    assert abs(refused.value.fields["until_ms"] - now_ms - week_ms) < 60_000
    frame = chat_frame(table.chat, (None, None), ears_of(magriel.pk))
    assert frame.silenced_until_ms == refused.value.fields["until_ms"]
    entry = JournalEntry.objects.get(verb="report.close")
    assert (entry.subject, entry.reason) == (f"report:{report.pk}", "third time")
    assert (entry.after["outcome"], entry.after["user"]) == ("silence_7", magriel.pk)
    page = at_desk(mia).get(reverse("desk:journal")).content.decode()
    assert reverse("desk:report", args=[report.pk]) in page
    assert "silence_7" not in page


def test_silence_ends(staff, report, table, magriel):
    close(at_desk(staff("mia", Role.MODERATOR)), report, outcome="silence_1")
    rows_age(ChatMeasure.objects.all(), until=timezone.now() - timedelta(seconds=1))
    assert message_say(table_id=table.pk, user_id=magriel.pk, client_id="a", phrase="hello").pk
    assert chat_frame(table.chat, (None, None), ears_of(magriel.pk)).silenced_until_ms is None


def test_a_warning_is_shown_and_silences_nobody(staff, report, table, magriel, hilde):
    close(at_desk(staff("mia", Role.MODERATOR)), report, outcome="warn")
    assert chat_frame(table.chat, (None, None), ears_of(magriel.pk)).warned_ms is not None
    assert chat_frame(table.chat, (None, None), ears_of(hilde.pk)).warned_ms is None
    assert message_say(table_id=table.pk, user_id=magriel.pk, client_id="a", text="sorry").pk


def test_a_report_is_decided_once(staff, report):
    first, second = staff("mia", Role.MODERATOR), staff("bert")
    close(at_desk(first), report, outcome="nothing")
    close(at_desk(second), report, outcome="silence_30")
    report.refresh_from_db()
    assert (report.outcome, report.closed_by) == ("nothing", first)
    assert not ChatMeasure.objects.exists()
    assert JournalEntry.objects.filter(verb="report.close").count() == 1


def test_nothing_is_decided_without_outcome_or_reason(staff, report):
    client = at_desk(staff("mia", Role.MODERATOR))
    for data in ({"outcome": ""}, {"outcome": "banish"}, {"reason": ""}):
        close(client, report, **data)
    report.refresh_from_db()
    assert report.outcome == ""


def test_nobody_decides_in_his_own_case(staff, table, magriel, hilde):
    mia = staff("mia", Role.MODERATOR)
    about_mia = said(table, mia, "a moderator's bad day")
    report = message_report(
        table_id=table.pk,
        user_id=hilde.pk,
        message_id=about_mia.pk,
        reason="other",
        words="that hurt",
    )
    of_mia = message_report(
        table_id=table.pk,
        user_id=mia.pk,
        message_id=said(table, magriel, "x").pk,
        reason="other",
    )
    for own in (report, of_mia):
        with pytest.raises(MayNotDecide):
            words_decide(TALK, actor=mia, subject_id=own.pk, outcome="nothing", reason="mine")
        page = at_desk(mia).get(reverse("desk:report", args=[own.pk])).content.decode()
        assert reverse("desk:report_close", args=[own.pk]) not in page
        assert ("magriel" in page) == (own == of_mia)
        assert "hilde" not in page
        assert "that hurt" not in page
    listed = at_desk(mia).get(reverse("desk:reports")).content.decode()
    assert reverse("desk:player", args=[hilde.pk]) not in listed


def test_reports_have_an_end(table, magriel, hilde):
    for number in range(REPORTS_A_DAY_MAX):
        bad = said(table, magriel, f"bad {number}")
        message_report(table_id=table.pk, user_id=hilde.pk, message_id=bad.pk, reason="spam")
    one_more = said(table, magriel, "one more")
    with pytest.raises(TooManyReports):
        message_report(table_id=table.pk, user_id=hilde.pk, message_id=one_more.pk, reason="spam")


def test_frozen_and_excluded_people_do_not_talk(anna, table, magriel, hilde):
    player_freeze(user=magriel, actor=anna, reason="looked into")
    exclusion_start(user=hilde, days=None)
    for user, reason in ((magriel, "frozen"), (hilde, "excluded")):
        with pytest.raises(MayNotTalk) as refused:
            message_say(table_id=table.pk, user_id=user.pk, client_id="a", phrase="hello")
        assert refused.value.fields["reason"] == reason


def test_a_bot_says_set_phrases_only(table, hilde):
    User.objects.filter(pk=hilde.pk).update(is_bot=True)
    with pytest.raises(PhrasesOnly):
        message_say(table_id=table.pk, user_id=hilde.pk, client_id="a", text="buy credits")
    assert message_say(table_id=table.pk, user_id=hilde.pk, client_id="b", phrase="thanks").pk


def test_talk_is_forgotten_and_a_report_is_not(report, table, magriel):
    fresh = said(table, magriel, "fresh")
    old = timezone.now() - KEPT_FOR - timedelta(hours=1)
    ChatMessage.objects.exclude(pk=fresh.pk).update(said_at=old)
    assert messages_forget() == CONTEXT_MESSAGES + 3
    assert list(ChatMessage.objects.all()) == [fresh]
    report.refresh_from_db()
    assert report.message is None
    assert report.said == "<b>bad words</b>"
    assert len(json.loads(json.dumps(report.context))) == CONTEXT_MESSAGES
