"""The players at a table, as every client sees them, and how often the same two may play."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from django.contrib.auth import get_user_model
from django.db.models import Q
from django.utils.translation import gettext_noop as _

from accounts.faces import face_of
from accounts.selectors import same_mailbox
from games import settlement
from games.models import Match, Table
from games.modes.registry import PRACTICE_KEYS, mode_of
from games.modes.terms import Terms
from games.services.bars import bar_check, meeting_check, opener_check
from games.services.guests import GuestsPlayFree, is_guest
from games.services.house_bots import HouseBotOnlyPractises, bot_strengths
from games.table.errors import TableError

Person = dict[str, object]


class SamePerson(TableError):
    """Two accounts of one person never sit at one table."""

    code = "same_person"
    sentence = _("Two accounts of one person cannot play each other.")


class StrengthOutside(TableError):
    """The opener set a limit of strength, and this player is outside it."""

    code = "strength_outside"
    sentence = _("This table is for players close to the host’s strength.")


class BotsPlayNormal(TableError):
    """A bot never plays where there is a stake."""

    code = "bots_play_normal"
    sentence = _("Bots play only without a stake.")


class AccountClosed(TableError):
    """The account was closed, by its owner or by the house."""

    code = "account_closed"
    sentence = _("The account is closed.")


class Paused(TableError):
    """A player on a break or excluded by themselves plays without stakes only."""

    code = "play_paused"
    sentence = _("One of the players is on a break from playing for credits.")


def people_at(seats: tuple[int | None, int | None], terms: Terms) -> list[Person | None]:
    """The people by seat as `people_of` describes them."""
    known = people_of([user_id for user_id in seats if user_id is not None], terms)
    return [None if user_id is None else known[user_id] for user_id in seats]


def people_of(user_ids: Collection[int], terms: Terms) -> dict[int, Person]:
    """Name, rating and strength as of this moment, in the pool of tables on these terms.

    Guests have neither rating nor strength. `plays_as` is the strength of a house bot at practice.
    """
    pool = settlement.rating_pool(variant=terms.game_key, stake_cents=terms.stake_cents)
    standings = settlement.standings(user_ids, pool)
    strengths = bot_strengths(user_ids) if mode_of(terms).is_practice else {}
    return {
        user_id: {
            "id": user_id,
            "name": user.get_username(),
            "elo": None if user.is_guest else standings[user_id].whole,
            "strength": None if user.is_guest else standings[user_id].strength,
            "bot": user.is_bot,
            "plays_as": strengths.get(user_id),
            "face": face_of(user_id, user.get_username()),
        }
        for user_id, user in get_user_model().objects.in_bulk(user_ids).items()
    }


def account_check(user_id: int, terms: Terms) -> None:
    """Do nothing for an account that may sit at a table on these terms, in every service.

    Raises `AccountClosed`, `HouseBotOnlyPractises`, what `bar_check` does, `GuestsPlayFree`,
    `BotsPlayNormal`, `Paused`. The books check all but the second and third again when a stake
    enters escrow (ledger/migrations/sql/limits.sql).
    """
    _open_check(user_id)
    if not mode_of(terms).is_practice and bot_strengths([user_id]):
        raise HouseBotOnlyPractises("the house bot sits at practice tables alone")
    bar_check(user_id, terms)
    if not terms.stake_cents:
        return
    if is_guest(user_id):
        raise GuestsPlayFree("guests play without a stake; other games need an account")
    if get_user_model().objects.filter(pk=user_id, is_bot=True).exists():
        raise BotsPlayNormal("bots play only without a stake")
    if settlement.is_paused(user_id):
        raise Paused("a break or a self-exclusion is in force")


def rematch_check(user_id: int, seats: Sequence[int | None], terms: Terms) -> None:
    """Check that a person may play once more at a table, if they have one of these seats.

    Raises `SamePerson`: since they sat down, an account may have named the other one's mailbox, or
    a guest may have registered with it. And what `account_check` does.
    """
    if user_id not in seats:
        return  # the machine refuses it: only players play again
    account_check(user_id, terms)
    for other_id in seats:
        apart_check(user_id, other_id or user_id, terms)


def strength_at(user_id: int, terms: Terms) -> int:
    """A player's strength group (1 to 6) in the pool that a table on these terms counts in."""
    pool = settlement.rating_pool(variant=terms.game_key, stake_cents=terms.stake_cents)
    return settlement.strength_of(settlement.standings([user_id], pool)[user_id])


def apart_check(one_id: int, other_id: int, terms: Terms) -> None:
    """Check that two accounts may meet on these terms.

    Raises `SamePerson` for two that are known to belong to one person, and what `meeting_check`
    does.
    """
    users = get_user_model().objects.in_bulk([one_id, other_id])
    if one_id != other_id and same_mailbox(users[one_id], users[other_id]):
        raise SamePerson("two accounts of one person cannot play each other")
    meeting_check(one_id, other_id, terms)


def guest_check(table: Table, user_id: int, terms: Terms) -> None:
    """Check that a person may take this table's second seat.

    Raises `StrengthOutside`, and what `account_check` and `apart_check` do; of the opener too,
    where the account has been closed or barred meanwhile (`opener_check`).
    """
    account_check(user_id, terms)
    _open_check(table.opener_id)
    opener_check(table.opener_id, terms)
    apart_check(user_id, table.opener_id, terms)
    span = table.strength_span
    if span is None:
        return
    if abs(strength_at(user_id, terms) - strength_at(table.opener_id, terms)) > span:
        raise StrengthOutside("this table is open to players of about the opener's strength")


def _open_check(user_id: int) -> None:
    if not get_user_model().objects.filter(pk=user_id, is_active=True).exists():
        raise AccountClosed("the account is closed")


@dataclass(frozen=True, slots=True)
class PairStanding:
    """How many matches of two players count within 24 hours, and how many of them may."""

    matches: int
    limit: int | None

    @property
    def rated(self) -> bool:
        """Whether one more of them is rated."""
        return self.limit is None or self.matches < self.limit

    @property
    def left(self) -> int | None:
        """How many more of them are rated; None: any number."""
        return None if self.limit is None else max(0, self.limit - self.matches)


def pair_standings(
    user_id: int, opponent_ids: Iterable[int], limit: int | None
) -> dict[int, PairStanding]:
    """Where a player stands with each of these: rated matches within 24 hours and running ones.

    Every game of a session counts; a running one has as many as are rated at most. Without a
    limit nothing is counted.
    """
    asked = set(opponent_ids)
    if limit is None:
        return {opponent_id: PairStanding(0, None) for opponent_id in asked}
    counts = Counter(settlement.pair_matches(user_id, asked))
    running = Match.objects.filter(ended_at=None, rated=True).exclude(mode__in=PRACTICE_KEYS)
    mine = Q(player_0=user_id, player_1__in=asked) | Q(player_1=user_id, player_0__in=asked)
    for one, two, games in running.filter(mine).values_list("player_0", "player_1", "rated_games"):
        counts[two if one == user_id else one] += games or 1
    return {opponent_id: PairStanding(counts[opponent_id], limit) for opponent_id in asked}


def pair_claim(one_id: int, other_id: int, limit: int | None) -> int | None:
    """How many more matches of these two are rated, the one that begins now included; None: all.

    Its row must follow. Holds the pair until the transaction ends: what begins at the same time is
    counted after it.
    """
    if limit is None:
        return None
    settlement.pair_hold(one_id, other_id)
    return pair_standings(one_id, [other_id], limit)[other_id].left
