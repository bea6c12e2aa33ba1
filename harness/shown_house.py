"""A house in full swing: people of every strength, matches in every state, books and a desk."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import combinations
from typing import Any
from uuid import uuid4

from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from allauth.socialaccount.models import SocialAccount
from django.utils import timezone

from accounts.decisions import IdentityKind
from accounts.login_marks import marks_note
from accounts.models import User
from accounts.roles import Role, role_give
from accounts.services import preferences_save
from analysis.models import (
    Exercise,
    ExerciseTry,
    Import,
    ImportedFile,
    ImportedMatch,
    Transcript,
)
from analysis.reports import report_make
from analysis.training.house_set import set_store
from backgammon.engines.sage import house_engine
from backgammon.formats.digest import match_digest
from backgammon.formats.record_json import record_to_json
from fairplay.cases import Alarm, case_open
from fairplay.models import Case, CaseKind, Screening, ScreeningLevel, ScreeningStage
from fairplay.reviews import statement_make
from games.chouette.commands import StartGame
from games.chouette.models import Circle, Game
from games.chouette.services.opening import circle_open
from games.chouette.services.playing import chouette_command
from games.models import Challenge, Match, Table, WordsReport
from games.services.archive import match_record
from games.services.challenges import challenge_make
from games.services.chat import message_say
from games.services.chat_reports import message_report
from games.services.figures import figures_make
from games.services.match_decisions import VOID, MatchCase
from games.services.practice import practice_open
from games.services.tables import table_join, table_open
from games.table import commands as cmd
from harness.competing import Competing, compete
from harness.history import Past, history_make
from harness.sitting import Sitting
from harness.wallets import credits_bought, mailbox_proved
from ledger.models import Payout
from ledger.services.adjustments import adjustment_make
from ledger.services.limits import limit_set, player_freeze, stakes_stop
from ledger.services.payouts import payout_cancel, payout_request
from ledger.services.proposals import proposal_make
from ledger.services.vouchers import voucher_make
from ledger.tasks import audit
from pasch.staff.identities import identity_change
from pasch.staff.roles import role_change
from ratings.services import rating_settle


@dataclass(frozen=True, slots=True)
class Circling:
    """marlene waits with a house bot; tilo plays with two."""

    waiting: Circle
    running: Game


def circle(users: dict[str, User]) -> Circling:
    """Open the tables, and begin the game."""
    waiting = circle_open(user=users["marlene"], bots=1)
    playing = circle_open(user=users["tilo"], bots=2)
    chouette_command(user=users["tilo"], circle_id=playing.pk, command=StartGame())
    return Circling(waiting, Game.objects.get(circle=playing))


PASSWORD = "a-long-password-nobody-uses"
LONG_NAME = "Jürgen_der_Würfelkönig"
#: from the strongest to the weakest; each has beaten all that follow, for this stake
PEOPLE = ("magriel", "hilde", "tilo", "marlene", LONG_NAME, "jonas", "ida")
SEASON_WORTH = 20
STAFF = ("anna", "bert")
OPEN_TABLES = (("magriel", 500, "fast"), ("marlene", 250, "normal"), ("ida", 250, "slow"))
ROLLS = [(6, 3), (3, 1), (5, 5), (6, 4), (4, 2), (6, 6), (2, 1), (4, 4), (5, 3), (3, 2)]
LATER_TURNS = 6


@dataclass(frozen=True, slots=True)
class Furnished:
    """The objects on the pages. hilde plays at `playing`, has opened `code` and practises."""

    users: dict[str, User]
    playing: Table
    watched: Table
    code: Table
    practice: Table
    ended: Match
    waiting: Match
    kept_back: Match
    imported: ImportedMatch
    running: Match
    challenge: Challenge
    payout: Payout
    report: WordsReport
    exercise: Exercise
    tried: Exercise
    case: Case
    competing: Competing
    circling: Circling


def furnish(lay: Callable[..., None]) -> Furnished:
    """Fill the empty house; `lay` puts down the dice."""
    lay(*ROLLS)
    users = _people()
    ended = [
        _finished(users[winner], users[loser], turns)
        for winner, loser, turns in (
            ("hilde", LONG_NAME, 1), ("tilo", "hilde", 3), ("hilde", "marlene", 9),
            ("magriel", "hilde", 5), ("hilde", "jonas", 14),
        )
    ]  # fmt: skip
    figures_make()
    report_make(ended[-1], house_engine(), "full")
    playing = _in_progress(users["hilde"], users["tilo"])
    watched = _in_progress(users["jonas"], users["marlene"])
    payout = _credits(users)
    report = _talk(playing, users)
    _waiting(users)
    audit()  # before the season, which has no matches yet
    _season(users)
    competing = compete(users)  # before tables wait: those of called players are closed
    for name, stake, clock in OPEN_TABLES:
        table_open(user=users[name], mode="prize5", stake_cents=stake, clock=clock)
    code = table_open(user=users["hilde"], mode="normal", variant="nackgammon", private=True)
    set_store(using="default")
    SocialAccount.objects.create(user=users["hilde"], provider="keyhouse", uid="hilde")
    _analysed(users["jonas"], users["marlene"])
    return Furnished(
        users=users,
        playing=playing.table,
        watched=watched.table,
        code=code,
        practice=practice_open(user=users["hilde"], strength="beginner"),
        ended=ended[-1],
        waiting=ended[2],
        kept_back=_kept_back(ended[1], users["tilo"]),
        imported=_imported(ended[0], users["hilde"]),
        running=_proposed(watched, users["bert"]),
        challenge=challenge_make(
            user=users["magriel"], opponent_id=users["hilde"].pk, mode="prize5", stake_cents=500
        ),
        payout=payout,
        report=report,
        exercise=Exercise.objects.filter(kind="take").order_by("pk")[0],
        tried=_tried(users["hilde"]),
        case=_case(users, ended[-1]),
        competing=competing,
        circling=circle(users),
    )


def _case(users: dict[str, User], match: Match) -> Case:
    """A case about two players, with a statement."""
    people = (users["jonas"].pk, users["hilde"].pk)
    evidence = [
        {"key": "net", "here": 4_500, "of": people[1], "odds": 4_000},
        {"key": "matches", "here": 3},
        {"key": "given_up", "here": 1.0, "of": people[0], "odds": 250},
        {"key": "pr", "here": 31.4, "elsewhere": 8.2, "of": people[0], "odds": 16},
    ]
    held = {(match.reference, users["hilde"].pk): 200}  # 450 less a stake of 250
    Screening.objects.create(
        reference=match.reference,
        stage=ScreeningStage.KNOWN,
        level=ScreeningLevel.HOLD,
        score=9.0,
        reasons=["net"],
    )
    case = case_open(
        Alarm(CaseKind.DUMP, frozenset(people), evidence, matches=[match], winnings_cents=held)
    )
    for name in ("jonas", "hilde"):
        marks_note(users[name].pk, browser="kitchen", address="")
    statement_make(case_id=case.pk, user=users["jonas"], text="I had to catch a train.")
    return case


def _tried(person: User) -> Exercise:
    """An exercise that this person has answered badly."""
    row = Exercise.objects.filter(kind="play").order_by("pk")[0]
    answer = row.line["options"][3]["text"]
    ExerciseTry.objects.create(person=person, exercise=row, answer=answer, loss=0.12)
    return row


def _people() -> dict[str, User]:
    users = {name: User.objects.create_user(name, password=PASSWORD) for name in PEOPLE}
    for name in STAFF:
        users[name] = User.objects.create_user(name, f"{name}@example.org", PASSWORD)
        role_give(users[name], Role.ADMINISTRATOR)
        TOTP.activate(users[name], generate_totp_secret())
    return users


def _waiting(users: dict[str, User]) -> None:
    """A role and two changes of an account wait for a second administrator."""
    anna, ida = users["anna"], users["ida"]
    told = {"user_id": ida.pk, "actor": anna, "verified_at": timezone.now()}
    role_change(role=Role.TREASURER, reason="Payouts, March", **told)
    identity_change(
        kind=IdentityKind.ADDRESS, value="ida@example.net", reason="New mailbox", **told
    )
    identity_change(kind=IdentityKind.NAME, value="ida-maria", reason="Wedding", **told)


def _season(users: dict[str, User]) -> None:
    """Results that spread the people over the strengths."""
    for winner, loser in combinations(PEOPLE, 2):
        for pool in ("prize", "normal"):
            rating_settle(
                reference=f"match:{uuid4()}", pool=pool, n=SEASON_WORTH,
                winner_id=users[winner].pk, loser_id=users[loser].pk,
            )  # fmt: skip


def _finished(winner: User, loser: User, turns: int) -> Match:
    table = table_open(user=winner, mode="prize5", stake_cents=250)
    table_join(user=loser, table_id=table.pk)
    sitting = Sitting(table, (winner, loser))
    for _ in range(turns):
        sitting.turn()
    sitting.give(1, cmd.Leave())
    return Match.objects.get(table=table)


def _analysed(person: User, opponent: User) -> None:
    """Nine months of analysed matches, one month with few decisions."""
    now = timezone.now()
    history_make(
        person,
        opponent,
        [
            Past(
                now - timedelta(days=10 * number),
                {
                    theme: (1 if 140 < 10 * number < 200 else 24, (1 + number % 3) * size)
                    for theme, size in (
                        *(("opening", 0.08), ("hitting", 0.2), ("holding", 0.11)),
                        *(("race", 0.05), ("double", 0.14), ("take", 0.09)),
                    )
                },
                gift=0.21 - 0.07 * (number % 6),
                variant="nackgammon" if number % 6 == 5 else "backgammon",
            )
            for number in range(27)
        ],
    )


def _imported(match: Match, player: User) -> ImportedMatch:
    """A match as from another site, from a file at fault, with its report and a link."""
    record = replace(match_record(match), players=("", ""))
    transcript = Transcript.objects.create(
        digest=match_digest(record),
        variant=match.variant,
        length=record.length,
        score_0=match.score_shown[0],
        score_1=match.score_shown[1],
        winner_seat=match.winner_seat,
        record=record_to_json(record),
    )
    report_make(transcript, house_engine(), "full")
    upload = Import.objects.create(
        person=player, name="club nights", files_announced=1, sent_at=timezone.now()
    )
    fault = {"code": "format", "message": "no checker is hit on 7", "line": 2, "column": 5}
    file = ImportedFile.objects.create(
        upload=upload,
        path="club nights/2019-05-04.mat",
        digest="0" * 64,
        size_bytes=60,
        content=b" Game 1\n 1) 31: 8/7* 6/5            52: 13/8 13/11\n",
        read_at=timezone.now(),
        found={"new": 1, "known": 0, "in_part": 0, "unread": 0, "faults": [fault]},
    )
    return ImportedMatch.objects.create(
        person=player,
        file=file,
        transcript=transcript,
        name_0="old_harbour",
        name_1="kes",
        seat=0,
        source="heroes",
        event="Club night",
        played_on=date(2019, 5, 4),
        share_key=uuid4(),
    )


def _kept_back(match: Match, player: User) -> Match:
    """A match whose analysis this player keeps to the players."""
    preferences_save(player, reports="players")
    return match


def _in_progress(opener: User, guest: User) -> Sitting:
    table = table_open(user=opener, mode="prize5", stake_cents=500)
    table_join(user=guest, table_id=table.pk)
    sitting = Sitting(table, (opener, guest))
    for _ in range(LATER_TURNS):
        sitting.turn()
    if sitting.state.phase == "roll":
        sitting.give(sitting.state.decider, cmd.Double())
        sitting.give(sitting.state.decider, cmd.Take())
    return sitting


def _proposed(sitting: Sitting, actor: User) -> Match:
    """A running match with a proposal to void it."""
    match = Match.objects.get(table=sitting.pk)
    effect = MatchCase(match.pk).effect()
    proposal_make(
        actor=actor,
        kind=VOID,
        subject=match.reference,
        content=effect.content,
        before=effect.before,
        reason="Broken board",
        verified_at=timezone.now(),
    )
    return match


def _credits(users: dict[str, User]) -> Payout:
    """Payouts in every state, limits, vouchers, adjustments, stops."""
    hilde, anna, bert = users["hilde"], users["anna"], users["bert"]
    for name in ("hilde", "magriel"):
        mailbox_proved(users[name])
        credits_bought(users[name], 5_000)
    wish: dict[str, Any] = {"user": hilde, "destination": "DE02 1203 0000 0000 2020 51, Hilde"}
    back = payout_request(
        **wish, amount_cents=2_000, client_key="the-first-one", verified_at=timezone.now()
    )
    payout_cancel(payout_id=back.pk, user=hilde)
    payout = payout_request(
        **wish,
        amount_cents=1_050,
        client_key="the-second-one",
        verified_at=timezone.now(),
        note="Thanks",
    )
    payout_request(
        user=users["magriel"],
        amount_cents=1_250,
        destination="DE02 1203",
        client_key="third",
        verified_at=timezone.now(),
    )
    limit_set(user=hilde, measure="loss", period="week", amount_cents=1_000)
    limit_set(user=hilde, measure="loss", period="week", amount_cents=5_000)
    limit_set(user=hilde, measure="stake", period="day", amount_cents=2_000)
    for name, cents in (("magriel", 8_000), ("hilde", -500)):
        adjustment_make(
            actor=bert, user=users[name], amount_cents=cents, client_key=name,
            reason="Goodwill, Sunday's outage", verified_at=timezone.now(),
        )  # fmt: skip
    voucher_make(
        verified_at=timezone.now(), actor=anna, amount_cents=500, count=3, note="Summer league"
    )
    voucher_make(
        verified_at=timezone.now(), actor=bert, amount_cents=2_500, count=2, note="Grand final"
    )
    stakes_stop(scope="mode:prize3", actor=anna, reason="New clock")
    player_freeze(user=users["ida"], actor=bert, reason="Two accounts?")
    return payout


def _talk(sitting: Sitting, users: dict[str, User]) -> WordsReport:
    """hilde and tilo have talked, and hilde has reported the last line."""
    said = [
        (users["tilo"], {"phrase": "good_luck"}),
        (users["hilde"], {"phrase": "thanks"}),
        (users["tilo"], {"text": "Lucky again"}),
        (users["tilo"], {"text": "What a game, noob!"}),
    ]
    for number, (author, words) in enumerate(said):
        message = message_say(
            table_id=sitting.pk, user_id=author.pk, client_id=f"line-{number}", **words
        )
    message_report(
        table_id=sitting.pk, user_id=users["hilde"].pk, message_id=message.pk, reason="insult",
        words="Every game again.",
    )  # fmt: skip
    return WordsReport.objects.get(kind="talk")
