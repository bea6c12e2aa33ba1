"""The decisions that wait for a second person at the desk: how each is shown and carried out.

A new kind is one more entry of `KINDS`: its title, its content in words, and the service that
confirms it, called with `proposal_id`, `actor`, `verified_at` and `reason`. Where refusing or
withdrawing does something, too, the kind names services for that.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial
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
from fairplay.holding import case_of, hold_prolong_confirm
from fairplay.models import Case
from games.chouette.models import Game as ChouetteGame
from games.chouette.services.voiding import VOID as CHOUETTE_VOID
from games.chouette.services.voiding import game_void_confirm, has_sat, stakes_by_player
from games.models import HousePrices, Match
from games.modes.prices import BadPrices, Prices
from games.modes.pricing import prices_of
from games.services.administration import ADJUDICATE, VOID, match_confirm
from games.table.verdict import Verdict
from house.models import HouseChange
from ledger import services
from ledger.models import Proposal
from ledger.services.vouchers import KIND as VOUCHERS
from ledger.templatetags.credits import credits_text
from pasch.desk import house_words
from pasch.desk.money_words import changes
from pasch.desk.verdicts import verdict_words
from pasch.staff import house, prices
from tournaments.decisions import KIND as ADDITION
from tournaments.models import Entry, Tournament
from tournaments.services.adding import prizes_confirm, tournament_of
from tournaments.services.naming import name_of

Lines = list[tuple[str, str]]
"""Content in words: names and values."""


def _nobody(_proposal: Proposal, _user: User) -> bool:
    return False


@dataclass(frozen=True, slots=True)
class ProposalKind:
    """One kind of decision. The people it `concerns` may not decide it."""

    title: str | Promise
    lines: Callable[[Proposal], Lines]
    confirm: Callable[..., object]
    concerns: Callable[[Proposal, User], bool] = _nobody
    refuse: Callable[..., object] = services.proposal_refuse
    withdraw: Callable[..., object] = services.proposal_withdraw


def _match_of(proposal: Proposal) -> Match:
    matches = Match.objects.select_related("player_0", "player_1")
    return matches.get(pk=proposal.subject.removeprefix("match:"))


def _match_lines(proposal: Proposal) -> Lines:
    found, content = _match_of(proposal), proposal.content
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


def _plays_in_it(proposal: Proposal, user: User) -> bool:
    return user.pk in _match_of(proposal).players


def _price_lines(proposal: Proposal) -> Lines:
    """The changes to the figures, or the reason why they are no longer possible."""
    try:
        then = prices_of(proposal.content["figures"])
    except BadPrices as error:
        return [(_("No longer possible"), str(error))]
    rows = changes(_prices_before(proposal), then)
    return [(str(row.label), f"{row.now} → {row.then}") for row in rows]


def _prices_before(proposal: Proposal) -> Prices:
    """The figures that the proposal was made on."""
    row = HousePrices.objects.filter(number=proposal.before["number"]).first()
    return row.prices if row else Prices()


def _house_lines(proposal: Proposal) -> Lines:
    """The fields of a setting that would change, as they are and as they would be."""
    part = house.part_of(proposal)
    row = HouseChange.objects.filter(number=proposal.before["number"]).first()
    now, then = (row.content if row else {}), proposal.content["content"]
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


def _entered_it(proposal: Proposal, user: User) -> bool:
    entries = Entry.objects.filter(tournament=tournament_of(proposal), user=user)
    return entries.filter(withdrawn_at__isnull=True).exists()


def _chouette_game(proposal: Proposal) -> ChouetteGame:
    return ChouetteGame.objects.get(pk=proposal.subject.removeprefix("chouette:"))


def _chouette_lines(proposal: Proposal) -> Lines:
    stakes = stakes_by_player(_chouette_game(proposal))
    people = User.objects.in_bulk(stakes)
    return [
        (_("%(name)s gets") % {"name": people[player].get_username()}, credits_text(cents))
        for player, cents in stakes.items()
    ]


def _case_of(proposal: Proposal) -> Case:
    return Case.objects.get(pk=case_of(proposal))


def _hold_lines(proposal: Proposal) -> Lines:
    case = _case_of(proposal)
    held_cents = sum(hold.amount_cents for hold in holds_of_case(case))
    until = timezone.localtime(datetime.fromisoformat(proposal.before["until"]))
    return [
        (_("Case"), f"{case.pk}: {case.get_kind_display()}"),
        (_("Held credits"), credits_text(held_cents)),
        (_("Held until"), date_format(until, "SHORT_DATETIME_FORMAT")),
        (_("Additional hours"), str(proposal.content["hours"])),
    ]


KINDS: Final[Mapping[str, ProposalKind]] = {
    VOID: ProposalKind(
        title=gettext_lazy("Void a match"),
        lines=_match_lines,
        confirm=partial(match_confirm, kind=VOID),
        concerns=_plays_in_it,
    ),
    ADJUDICATE: ProposalKind(
        title=gettext_lazy("Adjudicate a match"),
        lines=_match_lines,
        confirm=partial(match_confirm, kind=ADJUDICATE),
        concerns=_plays_in_it,
    ),
    CHOUETTE_VOID: ProposalKind(
        title=gettext_lazy("Void a game of a chouette"),
        lines=_chouette_lines,
        confirm=game_void_confirm,
        concerns=lambda proposal, user: has_sat(user, _chouette_game(proposal)),
    ),
    prices.KIND: ProposalKind(
        title=gettext_lazy("Change the figures of the house"),
        lines=_price_lines,
        confirm=prices.prices_confirm,
    ),
    house.KIND: ProposalKind(
        title=gettext_lazy("Change a setting of the house"),
        lines=_house_lines,
        confirm=house.house_confirm,
    ),
    ADDITION: ProposalKind(
        title=gettext_lazy("Add credits to a tournament"),
        lines=_addition_lines,
        confirm=prizes_confirm,
        concerns=_entered_it,
    ),
    PROLONG: ProposalKind(
        title=gettext_lazy("Hold the winnings of a case longer"),
        lines=_hold_lines,
        confirm=hold_prolong_confirm,
        concerns=lambda proposal, user: _case_of(proposal).parties.filter(user=user).exists(),
    ),
    VOUCHERS: ProposalKind(
        title=gettext_lazy("Let vouchers be redeemed"),
        lines=_voucher_lines,
        confirm=services.voucher_confirm,
        refuse=services.voucher_refuse,
        withdraw=services.voucher_withdraw,
    ),
}
