"""The decisions that wait for a second person, in words: what each would do.

A new kind is one more entry of `WORDS`, and a function that `ledger.services.proposal_kind`
registers.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from fairplay.cases import holds_of_case
from fairplay.holding import KIND as PROLONG
from fairplay.holding import case_of
from fairplay.models import Case
from games.chouette.models import Game as ChouetteGame
from games.chouette.services.voiding import VOID as CHOUETTE_VOID
from games.chouette.services.voiding import stakes_by_player
from games.models import Match
from games.services.administration import ADJUDICATE, VOID
from games.table.verdict import Verdict
from house.models import HouseChange
from house.parts import BadContent, content_of
from ledger.models import Proposal
from ledger.services.adjustments import KIND as ADJUSTMENT
from ledger.services.vouchers import KIND as VOUCHERS
from ledger.templatetags.credits import credits_change, credits_text
from pasch.desk import house_words
from pasch.desk.verdicts import verdict_words
from pasch.staff import house
from tournaments.decisions import KIND as ADDITION
from tournaments.models import Tournament
from tournaments.services.adding import tournament_of
from tournaments.services.naming import name_of

Lines = list[tuple[str, str]]
"""Content in words: names and values."""


@dataclass(frozen=True, slots=True)
class ProposalWords:
    """One kind of decision in words."""

    title: str | Promise
    lines: Callable[[Proposal], Lines]


def _match_lines(proposal: Proposal) -> Lines:
    matches, content = Match.objects.select_related("player_0", "player_1"), proposal.content
    found = matches.get(pk=proposal.subject.removeprefix("match:"))
    players = (found.player_0, found.player_1)
    lines = []
    if proposal.kind == ADJUDICATE:
        one, two = content["score"]
        verdict = Verdict(
            winner=content["winner_seat"],
            score=(one, two),
            level=content["level"],
            cube=content["cube"],
        )
        lines.append((_("Result"), verdict_words(verdict, players)))
    lines.append((_("Stake per player"), credits_text(found.stake_cents)))
    for player, cents in zip(players, content["paid_cents"], strict=True):
        lines.append((_("%(name)s gets") % {"name": player.get_username()}, credits_text(cents)))
    return [*lines, (_("Rake"), credits_text(content["rake_cents"]))]


def _house_lines(proposal: Proposal) -> Lines:
    """The fields of a setting that would change, or why they can no longer be so."""
    part = house.part_of(proposal)
    row = HouseChange.objects.filter(number=proposal.before["number"]).first()
    now, then = (row.content if row else house.usual_content(part)), proposal.content["content"]
    try:
        content_of(part, then)
    except BadContent as error:
        return [(_("No longer possible"), str(error))]
    rows = house_words.changes(part, now, then)
    return [(str(row.label), f"{row.now} → {row.then}") for row in rows]


def _voucher_lines(proposal: Proposal) -> Lines:
    content = proposal.content
    each_cents, count = content["amount_cents"], content["count"]
    expiry = parse_datetime(content["expires_at"]) if content["expires_at"] else None
    valid = date_format(timezone.localtime(expiry), "SHORT_DATETIME_FORMAT") if expiry else ""
    return [
        (_("How many"), str(count)),
        (_("Value per voucher"), credits_text(each_cents)),
        (_("Sum"), credits_text(each_cents * count)),
        (_("Valid until"), valid or _("for ever")),
    ]


def _addition_lines(proposal: Proposal) -> Lines:
    found = Tournament.objects.get(pk=tournament_of(proposal))
    return [
        (_("Tournament"), name_of(found)),
        (_("Entry fee"), credits_text(found.fee_cents)),
        (_("Added by the house"), credits_text(proposal.content["added_cents"])),
    ]


def _chouette_lines(proposal: Proposal) -> Lines:
    game = ChouetteGame.objects.get(pk=proposal.subject.removeprefix("chouette:"))
    stakes = stakes_by_player(game)
    people = User.objects.in_bulk(stakes)
    return [
        (_("%(name)s gets") % {"name": people[player].get_username()}, credits_text(cents))
        for player, cents in stakes.items()
    ]


def _hold_lines(proposal: Proposal) -> Lines:
    case = Case.objects.get(pk=case_of(proposal))
    held_cents = sum(hold.amount_cents for hold in holds_of_case(case))
    until = timezone.localtime(datetime.fromisoformat(proposal.before["until"]))
    return [
        (_("Case"), f"{case.pk}: {case.get_kind_display()}"),
        (_("Held credits"), credits_text(held_cents)),
        (_("Held until"), date_format(until, "SHORT_DATETIME_FORMAT")),
        (_("Additional hours"), str(proposal.content["hours"])),
    ]


def _adjustment_lines(proposal: Proposal) -> Lines:
    person = User.objects.get(pk=proposal.content["user"])
    return [
        (_("Player"), person.get_username()),
        (_("Amount"), credits_change(proposal.content["amount_cents"])),
    ]


WORDS: Final[Mapping[str, ProposalWords]] = {
    VOID: ProposalWords(gettext_lazy("Void a match"), _match_lines),
    ADJUDICATE: ProposalWords(gettext_lazy("Adjudicate a match"), _match_lines),
    CHOUETTE_VOID: ProposalWords(gettext_lazy("Void a game of a chouette"), _chouette_lines),
    house.KIND: ProposalWords(gettext_lazy("Change a setting of the house"), _house_lines),
    ADDITION: ProposalWords(gettext_lazy("Add credits to a tournament"), _addition_lines),
    PROLONG: ProposalWords(gettext_lazy("Hold the winnings of a case longer"), _hold_lines),
    VOUCHERS: ProposalWords(gettext_lazy("Let vouchers be redeemed"), _voucher_lines),
    ADJUSTMENT: ProposalWords(gettext_lazy("Give or take credits"), _adjustment_lines),
}
