"""Every refusal has one sentence for those whom it is about, and one for the staff."""

from string import Formatter

import pytest
from django.utils import translation

from games.chouette.engine.errors import NotNow
from games.services.bars import BarredForLeaving
from games.settlement import StakeNotPossible
from games.table.errors import WrongPhase
from kit.errors import Refusal
from kit.sentences import plain_sentence, sentence
from ledger.errors import InsufficientCredits, PayoutWaits, VoucherRefused, WrongState
from tournaments.engine.errors import WrongTournamentPhase
from tournaments.services.club_talk import NotMember


def all_refusals(kind: type[Refusal] = Refusal) -> list[type[Refusal]]:
    return [kind, *(each for sub in kind.__subclasses__() for each in all_refusals(sub))]


@pytest.fixture(autouse=True)
def english():
    with translation.override("en"):
        yield


def test_the_desk_says_that_a_match_is_decided_of_matches_alone() -> None:
    decided = "This match is already decided."
    assert sentence(WrongPhase("no match"), staff=True) == decided
    assert sentence(NotNow("no game"), staff=True) == "That is not possible now."
    assert sentence(WrongTournamentPhase("it runs"), staff=True) == (
        "The tournament has gone on: this is not possible any more."
    )


@pytest.mark.parametrize(
    ("error", "own", "of_staff"),
    [
        (
            InsufficientCredits(1, needed_cents=500, available_cents=250),
            "Your wallet holds 2.50 ℂ, which is less than 5.00 ℂ.",
            "The wallet does not hold enough credits for this. It holds 2.50 ℂ, needed are 5.00 ℂ.",
        ),
        (
            WrongState("payout:7", "paid"),
            "This payout has gone on in the meantime; nothing was changed.",
            "Someone else has already decided this. (payout:7)",
        ),
        (
            PayoutWaits("payout:7", "2026-01-02T03:04:05Z"),
            "That is not possible now; nothing was changed.",
            "A large payout waits a day between the request and the payment."
            " (2026-01-02 03:04 UTC)",
        ),
        (VoucherRefused("used"), *["This voucher has already been redeemed."] * 2),
        (
            StakeNotPossible("short", who="opponent", reason="insufficient_credits"),
            *["The other player can no longer pay the stake."] * 2,
        ),
        (NotMember("no member"), *["Members of the club write here."] * 2),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Refusal) else "",
)
@pytest.mark.django_db
def test_values_stand_in_the_sentence(error: Refusal, own: str, of_staff: str) -> None:
    assert sentence(error).replace("\u00a0", " ") == own
    assert sentence(error, staff=True).replace("\u00a0", " ") == of_staff


def test_a_page_gets_a_link_and_a_moment_and_a_program_their_text() -> None:
    error = BarredForLeaving("kept", until_ms=1_790_000_000_000)
    assert '<a href="/fairplay/mine/">Fair play</a>' in sentence(error)
    assert '<time datetime="2026-09-21T14:13:20+00:00" data-local>' in sentence(error)
    assert "<" not in plain_sentence(error)
    assert "Fair play" in plain_sentence(error)


def test_sentences_name_values_only_by_a_plain_name() -> None:
    for kind in all_refusals():
        for text in (kind.sentence, kind.staff_sentence):
            for _, name, spec, how in Formatter().parse(text):
                assert name is None or (name.isidentifier() and not spec and how is None), kind
