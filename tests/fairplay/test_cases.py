"""A case from the alarm to the refund: who decides, what follows, and what the database refuses."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.db import Error, connection, transaction
from django.urls import reverse
from django.utils import timezone

from accounts.models import OutgoingMail, User
from accounts.roles import Role
from fairplay.cases import Alarm, case_open, cases_move_on
from fairplay.complaints import case_open_by_hand
from fairplay.desk.queue import lost_back_cents, shortages
from fairplay.errors import CaseOver, NoReviewer, NotAParty, NothingToRefund, TextMissing
from fairplay.models import Case, CaseKind, Party
from fairplay.pages.case import cases_of
from fairplay.procedure import CaseState, CaseVerdict, Sanction
from fairplay.public import months
from fairplay.refunds import case_refund
from fairplay.reviews import (
    appeal_hear,
    appeal_make,
    may_review,
    opinion_give,
    opinions_shown,
    statement_make,
)
from games.models import Bar, Match
from games.services.bars import BarredForGood
from games.services.tables import table_open
from harness.wallets import credits_bought, credits_spent, handed_over, judged, mailbox_proved
from ledger import audit
from ledger.errors import InsufficientCredits, SecondFactorStale
from ledger.models import JournalEntry
from ledger.selectors import held_cents, house_totals, wallet_balance
from ratings.selectors import rating_of
from tests.aging import row_made, rows_age
from tests.desk.conftest import anna, at_desk, staff

pytestmark = pytest.mark.django_db(transaction=True)


def accused(case):
    return [party.user for party in case.parties.filter(role="accused").order_by("user_id")]


def fresh(case):
    return Case.objects.get(pk=case.pk)


def heard(case, reviewer, sanction):
    appeal_hear(
        case_id=case.pk,
        actor=reviewer,
        verdict=CaseVerdict(sanction, True),
        for_them="They have explained it.",
        reasons="The explanation fits.",
        verified_at=timezone.now(),
    )


def run_out(case):
    before = timezone.now() - timedelta(seconds=1)
    rows_age(Case.objects.filter(pk=case.pk), waits_until=before)


def test_an_opinion_that_counts_no_more_is_replaced(alarm, reviewer):
    """By the next one; the case waits for a second that counts, and the audit agrees."""
    gone, bert, carl = reviewer("gone"), reviewer("bert"), reviewer("carl")
    judged(alarm, gone, Sanction.NONE)
    gone.groups.clear()
    judged(alarm, bert)
    assert fresh(alarm).state == CaseState.OPEN
    assert {each.reviewer_id: each.number for each in alarm.opinions.all()} == {
        gone.pk: 0,
        bert.pk: 1,
    }
    judged(alarm, carl)
    assert (fresh(alarm).state, fresh(alarm).sanction) == (CaseState.DECIDED, Sanction.CLOSED)
    entry = JournalEntry.objects.get(verb="case.set_aside")
    assert (entry.actor_id, entry.after["reviewer"]) == (bert.pk, gone.pk)
    assert not audit.run(("A19", "A24", "A25")).finding_count
    rows_age(alarm.opinions.filter(number=0), number=3)
    (result,) = audit.run(("A25",)).results
    assert any("still counts" in found.message for found in result.findings)


def test_nobody_sets_an_opinion_aside_that_counts(alarm, reviewer):
    judged(alarm, reviewer("anna"))
    with pytest.raises(Error, match="nobody who replaced it"), transaction.atomic():
        alarm.opinions.update(number=0)


def test_two_opinions_decide_and_the_refund_restores_everybody(alarm, reviewer):
    one, two = reviewer("one"), reviewer("two")
    judged(alarm, one)
    assert fresh(alarm).state == CaseState.OPEN
    judged(alarm, two, Sanction.NO_STAKES)
    decided = fresh(alarm)
    assert (decided.state, decided.sanction, decided.refund) == ("decided", "no_stakes", True)
    giver, taker = accused(alarm)
    assert held_cents(taker.pk) > 0
    run_out(alarm)
    assert cases_move_on() == 1
    administrator = reviewer("admin", Role.ADMINISTRATOR)
    assert case_refund(case_id=alarm.pk, actor=administrator, verified_at=timezone.now()) == 1
    assert case_refund(case_id=alarm.pk, actor=administrator, verified_at=timezone.now()) == 0
    assert (wallet_balance(giver.pk), wallet_balance(taker.pk)) == (500, 500)
    assert house_totals().rake_cents == 0
    for user in (giver, taker):
        assert rating_of(user.pk, "prize").elo == Decimal("1500.0000")
        assert held_cents(user.pk) == 0
    assert not [result for result in audit.run().results if result.findings]


def test_what_the_winner_has_spent_is_named_before_it_can_be_given_back(alarm, reviewer):
    """A payment that failed took it. The house gives as much; then the victim gets everything."""
    for name in ("one", "two"):
        judged(alarm, reviewer(name))
    run_out(alarm)
    cases_move_on()
    giver, taker = accused(alarm)
    assert shortages(alarm) == []
    credits_spent(taker, wallet_balance(taker.pk) - 100)
    gained = 1_000 * 9 // 10 - 500  # the pot without its rake, less the own stake
    assert shortages(alarm) == [(taker, gained - 100)]
    wish = {"case_id": alarm.pk, "actor": reviewer("admin", Role.ADMINISTRATOR)}
    with pytest.raises(InsufficientCredits):
        case_refund(**wish, verified_at=timezone.now())
    credits_bought(taker, gained - 100)
    assert shortages(alarm) == []
    assert case_refund(**wish, verified_at=timezone.now()) == 1
    assert (wallet_balance(giver.pk), wallet_balance(taker.pk)) == (500, 0)


def test_the_sanction_keeps_both_from_new_tables(alarm, reviewer):
    judged(alarm, reviewer("one"))
    judged(alarm, reviewer("two"))
    for user in accused(alarm):
        with pytest.raises(BarredForGood):
            table_open(user=user, mode="normal")


def test_an_appeal_heard_in_favour_ends_everything(alarm, reviewer):
    judged(alarm, reviewer("one"))
    judged(alarm, reviewer("two"))
    giver, taker = accused(alarm)
    appeal_make(case_id=alarm.pk, user=taker, text="We are brothers and played for fun.")
    with pytest.raises(CaseOver):
        appeal_make(case_id=alarm.pk, user=giver, text="Once more.")
    heard(alarm, reviewer("three"), Sanction.NONE)
    assert (fresh(alarm).state, fresh(alarm).sanction) == (CaseState.CLEARED, "none")
    assert held_cents(taker.pk) == 0
    assert not Bar.objects.filter(lifted_at=None).exists()
    table_open(user=taker, mode="normal")


def test_the_third_person_is_none_of_the_first_two(alarm, reviewer):
    one = reviewer("one")
    judged(alarm, one)
    judged(alarm, reviewer("two"))
    appeal_make(case_id=alarm.pk, user=accused(alarm)[0], text="No.")
    with pytest.raises(NoReviewer):
        heard(alarm, one, Sanction.NONE)


def test_nobody_judges_twice_or_without_the_right_or_without_the_factor(alarm, reviewer):
    one, player = reviewer("one"), User.objects.create_user("player")
    judged(alarm, one)
    for person in (one, player, accused(alarm)[0]):
        with pytest.raises(NoReviewer):
            judged(alarm, person)
    with pytest.raises(SecondFactorStale):
        opinion_give(
            case_id=alarm.pk,
            actor=reviewer("two"),
            verdict=CaseVerdict(Sanction.WARNING),
            for_them="x",
            reasons="x",
            verified_at=timezone.now() - timedelta(days=1),
        )


def test_an_opinion_says_what_speaks_for_the_player(alarm, reviewer):
    with pytest.raises(TextMissing):
        opinion_give(
            case_id=alarm.pk,
            actor=reviewer("one"),
            verdict=CaseVerdict(Sanction.WARNING),
            for_them="  ",
            reasons="x",
            verified_at=timezone.now(),
        )
    assert not alarm.opinions.exists()


def test_the_second_reviewer_does_not_see_the_first_opinion(alarm, reviewer):
    one, two = reviewer("one"), reviewer("two")
    judged(alarm, one)
    assert not list(opinions_shown(fresh(alarm), two))
    judged(alarm, two)
    assert len(list(opinions_shown(fresh(alarm), two))) == 2


def test_a_case_that_nobody_decides_lapses_and_holds_end(alarm):
    taker = accused(alarm)[1]
    run_out(alarm)
    assert cases_move_on() == 1
    assert fresh(alarm).state == CaseState.LAPSED
    assert held_cents(taker.pk) == 0
    assert not Bar.objects.filter(lifted_at=None).exists()


def test_only_people_in_the_case_write_statements(alarm):
    statement_make(case_id=alarm.pk, user=accused(alarm)[0], text="I had to go.")
    with pytest.raises(NotAParty):
        statement_make(case_id=alarm.pk, user=User.objects.create_user("other"), text="I saw it.")


def test_nothing_is_refunded_before_it_is_final(alarm, reviewer):
    administrator = reviewer("admin", Role.ADMINISTRATOR)
    with pytest.raises(NothingToRefund):
        case_refund(case_id=alarm.pk, actor=administrator, verified_at=timezone.now())
    assert Match.objects.get().ending == "left"


def test_those_under_suspicion_get_a_mail_about_every_step(alarm, reviewer):
    for user in accused(alarm):
        user.email = f"{user.username}@example.org"
        user.save()
    judged(alarm, reviewer("one"), Sanction.WARNING)
    judged(alarm, reviewer("two"), Sanction.WARNING)
    mails = OutgoingMail.objects.filter(about=alarm.reference)
    assert {mail.to for mail in mails} == {user.email for user in accused(alarm)}


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE fairplay_case SET state = 'confirmed', sanction = 'closed', closed_at = now()",
        "UPDATE fairplay_case SET state = 'decided', sanction = 'closed'",
        "UPDATE fairplay_case SET evidence = '[]'",
        "UPDATE fairplay_casematch SET refunded_at = now(), refunded_by_id = (SELECT min(id)"
        " FROM accounts_user)",
        "DELETE FROM fairplay_case",
        "DELETE FROM fairplay_party",
        "INSERT INTO fairplay_opinion (case_id, number, reviewer_id, sanction, refund, for_them,"
        " reasons, made_at) SELECT case_id, 1, user_id, 'none', false, 'x', 'x', now()"
        " FROM fairplay_party LIMIT 1",
    ],
)
def test_the_database_refuses_a_decision_by_fewer_people(alarm, change):
    with connection.cursor() as cursor, pytest.raises(Error), transaction.atomic():
        cursor.execute(change)
    assert fresh(alarm).state == CaseState.OPEN


def test_a_moderator_opens_a_case_and_does_not_judge_it(person, reviewer, dice):
    dice((3, 1), (4, 2))
    giver, taker = person("giver", 5_000), person("taker", 5_000)
    match = handed_over(giver, taker)
    moderator = reviewer("one")
    case = case_open_by_hand(
        people=[giver, taker], kind=CaseKind.DUMP, words="They told me so.", actor=moderator
    )
    assert [row.match for row in case.matches.all()] == [match]
    assert case.evidence == [{"key": "opened", "words": "They told me so."}]
    assert not may_review(case, moderator)
    with pytest.raises(NoReviewer):
        judged(case, moderator)
    judged(case, reviewer("two"))
    with pytest.raises(TextMissing):
        case_open_by_hand(people=[giver], kind=CaseKind.ENGINE, words=" ", actor=moderator)
    with pytest.raises(NoReviewer):
        case_open_by_hand(people=[giver], kind=CaseKind.ENGINE, words="x", actor=taker)
    assert held_cents(taker.pk) == 0


def test_the_journal_keeps_an_opinion_back_from_the_second_reviewer(alarm, reviewer):
    judged(alarm, reviewer("one"), Sanction.CLOSED)
    entry = JournalEntry.objects.get(verb="case.opinion")
    assert "given up" not in entry.reason
    assert Sanction.CLOSED not in str(entry.after)


def test_those_affected_see_a_case_only_once_it_is_confirmed(person, reviewer, dice):
    dice((3, 1), (4, 2))
    match = handed_over(person("giver", 5_000), person("taker", 5_000))
    suspect, opponent = match.player_0, match.player_1
    case = case_open(
        Alarm(CaseKind.ENGINE, frozenset({suspect.pk}), [{"key": "play_pr", "here": 0.7}],
              matches=[match], affected=frozenset({opponent.pk}))
    )  # fmt: skip
    assert list(cases_of(suspect)) == [case]
    assert list(cases_of(opponent)) == []
    judged(case, reviewer("one"), Sanction.WARNING)
    judged(case, reviewer("two"), Sanction.WARNING)
    assert list(cases_of(opponent)) == []
    run_out(case)
    cases_move_on()
    assert list(cases_of(opponent)) == [case]


def test_a_refund_counts_what_was_lost_and_not_both_stakes(alarm, reviewer):
    lost_cents = 500 - min(Match.objects.get().paid_cents)
    assert lost_back_cents(alarm) == lost_cents
    judged(alarm, reviewer("one"))
    judged(alarm, reviewer("two"))
    run_out(alarm)
    cases_move_on()
    case_refund(
        case_id=alarm.pk, actor=reviewer("admin", Role.ADMINISTRATOR), verified_at=timezone.now()
    )
    assert months()[0].returned_cents == lost_cents


# --- the pages of the desk ------------------------------------------------------------------------
__all__ = ["anna", "staff"]


def test_a_case_is_opened_from_the_list(anna, person):
    one, two = person("one"), person("two")
    desk = at_desk(anna)
    form = {"player": "ONE", "other": "two", "kind": "engine", "reason": "Two people told me."}
    desk.post(reverse("desk:case_open"), form)
    case = Case.objects.get()
    assert (case.kind, case.opened_by) == ("engine", anna)
    assert {party.user for party in case.parties.all()} == {one, two}
    page = desk.get(reverse("desk:case", args=[case.pk])).content.decode()
    assert "Two people told me." in page
    assert 'data-testid="opinion"' not in page


@pytest.mark.parametrize(
    "wrong", [{"player": "nobody"}, {"other": "nobody"}, {"reason": ""}, {"kind": "rude"}]
)
def test_a_form_with_a_mistake_opens_nothing(anna, person, wrong):
    person("one")
    wish = {"player": "one", "kind": "engine", "reason": "Two people told me.", **wrong}
    at_desk(anna).post(reverse("desk:case_open"), wish)
    assert not Case.objects.exists()


def test_a_player_in_the_case_reads_it_and_a_stranger_does_not(alarm, person):
    giver, stranger = alarm.parties.first().user, person("stranger")
    address = reverse("fairplay_case", args=[alarm.pk])
    assert at_desk(giver).get(address).status_code == 200
    assert at_desk(stranger).get(address).status_code == 404
    mailbox_proved(stranger)
    assert at_desk(stranger).post(f"{address}statement/", {"text": "I saw it."}).status_code == 404
    assert not alarm.statements.exists()


def test_what_a_player_reads_has_no_private_facts(alarm):
    page = at_desk(alarm.parties.first().user).get(reverse("fairplay_case", args=[alarm.pk]))
    assert {line.key for line in page.context["lines"]} >= {"net", "given_up"}
    assert "age" not in {line.key for line in page.context["lines"]}


@pytest.mark.parametrize("role", [Role.MODERATOR, Role.ADMINISTRATOR])
def test_staff_who_are_in_a_case_read_it_as_players_do(alarm, staff, role):
    member, address = staff("member", role), reverse("desk:case", args=[alarm.pk])
    lists = [f"{reverse('desk:cases')}?state={state}" for state in ("waiting", "all")]
    desk = at_desk(member)
    assert desk.get(address).status_code == 200
    assert all(address in desk.get(each).content.decode() for each in lists)
    row_made(Party(case=alarm, user=member, role="accused"))
    form = {"sanction": "nothing", "for_them": "Nothing.", "reasons": "It was fair."}
    assert desk.get(address).status_code == 404
    assert desk.post(reverse("desk:case_opinion", args=[alarm.pk]), form).status_code == 404
    assert not any(address in desk.get(each).content.decode() for each in lists)
    assert desk.get(reverse("fairplay_case", args=[alarm.pk])).status_code == 200
    assert not alarm.opinions.exists()
