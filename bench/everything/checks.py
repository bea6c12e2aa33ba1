"""The promises that hold after a match: credits, ratings, stored events, and the players' views.

Each function returns the differences it found, as sentences. What a match pays is calculated by
`games.prizes`; ratings are calculated a second time here, in floats.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from math import sqrt
from typing import Any, Final

import msgspec

from backgammon.formats.errors import FormatError
from backgammon.formats.record import MatchRecord
from backgammon.formats.registry import ALL, FileFormat
from backgammon.tests.formats.outline import outline
from bench.everything.rows import Change, MatchRows
from bench.soak.oracle import replayed
from bench.soak.rows import TableRow
from games.modes.registry import mode_of
from games.modes.terms import Terms
from games.prizes import MatchPayout, PrizeEnding, PrizeResult, Purse, payout, rated_winners
from games.records import record_of
from games.table.takeback import lasting
from games.wire import event_from_payload
from harness.visitor import Visitor

Json = dict[str, Any]

#: ratings are kept to four places; the second calculation is in floats.
ELO_TOLERANCE: Final = 0.0002


def terms_of(match: MatchRows) -> Terms:
    """The stored terms of a match."""
    return msgspec.convert(match.terms, Terms)


def ended(match: MatchRows) -> Json:
    """The event that ended a match."""
    return next(
        payload
        for _, payload in events_of(match)
        if payload["type"] in ("match_ended", "match_voided")
    )


def events_of(match: MatchRows) -> list[tuple[int, Json]]:
    """The stored events of one match, up to the next one at its table."""
    found: list[tuple[int, Json]] = []
    for seq, payload in match.events:
        if payload["type"] == "match_started":
            if found:
                break
            if payload["match"] == match.id:
                found.append((seq, payload))
        elif found:
            found.append((seq, payload))
    return found


# --- credits --------------------------------------------------------------------------------------


def paid(match: MatchRows) -> MatchPayout:
    """The payouts that this match must have, by the event that ended it."""
    return payout(_purse(match), result_of(match))


def result_of(match: MatchRows) -> PrizeResult:
    """The result as `payout` takes it, by the events."""
    event = ended(match)
    if event["type"] == "match_voided":
        return PrizeResult(None, PrizeEnding.VOIDED)
    games = [event for _, event in events_of(match) if event["type"] == "game_ended"]
    is_session = terms_of(match).contest == "session"
    played = tuple((game["winner"], game["points"]) for game in games) if is_session else ()
    return PrizeResult(event["winner"], PrizeEnding(event["ending"]), event["points"], played)


def _purse(match: MatchRows) -> Purse:
    terms = terms_of(match)
    purse = mode_of(terms).purse(terms)
    return purse if match.rated else replace(purse, rated_points=0)


def credits_differ(match: MatchRows, moved_cents: Sequence[int]) -> Iterable[str]:
    """Row, books and wallets against `payout`; `moved_cents` is how much each wallet changed."""
    pays, stake = paid(match), match.stake_cents
    if match.paid_cents is not None and tuple(match.paid_cents) != pays.paid_cents:
        yield f"the row says {match.paid_cents} paid, payout gives {pays.paid_cents}"
    if (match.rake_cents or 0) != pays.rake_cents:
        yield f"the row has a rake of {match.rake_cents}, payout gives {pays.rake_cents}"
    if sum(pays.paid_cents) + pays.rake_cents != 2 * stake:
        yield f"payouts and rake {pays} are not both stakes of {stake}"
    change = [cents - stake for cents in pays.paid_cents]
    if list(moved_cents) != change:
        yield f"the wallets changed by {list(moved_cents)}, payout gives {change}"
    due = {f"wallet:{user}": cents for user, cents in zip(match.players, change, strict=True)}
    due["house_rake"] = pays.rake_cents
    booked = {key: cents for key, cents in match.booked_cents.items() if cents}
    if booked != {key: cents for key, cents in due.items() if cents}:
        yield f"the books have {booked}, payout gives {due}"


# --- ratings --------------------------------------------------------------------------------------


def ratings_differ(match: MatchRows) -> Iterable[str]:
    """The rating log against the formula of docs/ratings.md, and its pool and worth.

    A session is rated game by game, anything else once.
    """
    purse = _purse(match)
    due = rated_winners(purse, result_of(match))
    rated_as: dict[str, list[Change]] = {}
    for change in match.ratings:
        rated_as.setdefault(change.reference, []).append(change)
    if len(rated_as) != len(due):
        yield f"the ratings moved {len(rated_as)} times instead of {len(due)}"
        return
    for winner, changes in zip(due, rated_as.values(), strict=True):
        yield from _rating_differs(match, purse.rated_points, winner, changes)


def _rating_differs(
    match: MatchRows, n: int, winner_seat: int, changes: list[Change]
) -> Iterable[str]:
    by_user = {change.user: change for change in changes}
    if sorted(by_user) != sorted(match.players) or len(changes) != 2:
        yield f"{len(changes)} ratings moved instead of both players'"
        return
    winner, loser = (by_user[match.players[seat]] for seat in (winner_seat, 1 - winner_seat))
    pool = pool_of(terms_of(match))
    for change, won in ((winner, True), (loser, False)):
        if (change.pool, change.won, change.n) != (pool, won, n):
            yield f"rated as {change}, not in {pool} for {n} points"
    for change, after in zip((winner, loser), rated(winner, loser), strict=True):
        if abs(float(change.after) - after) > ELO_TOLERANCE:
            yield f"player {change.user} is rated {change.after}, the formula gives {after:.4f}"


def pool_of(terms: Terms) -> str:
    """Prize with a stake, else normal; every game but backgammon has both for itself."""
    kind = "prize" if terms.stake_cents else "normal"
    game = terms.game_key
    return kind if game == "backgammon" else f"{game}:{kind}"


def rated(winner: Change, loser: Change) -> tuple[float, float]:
    """Both ratings after a match, winner first."""
    root = sqrt(winner.n)
    difference = float(winner.before - loser.before)
    upset = 1 / (10 ** (abs(difference) * root / 2000) + 1)
    chance = 1 - upset if difference < 0 else upset
    gain, loss = (
        4 * max(1.0, 5 - change.experience_before / 100) * root * chance
        for change in (winner, loser)
    )
    return float(winner.before) + gain, float(loser.before) - loss


# --- what is stored, and what was seen ------------------------------------------------------------


def stored_differs(match: MatchRows) -> Iterable[str]:
    """The events, replayed by the rules, lead to the stored state; the row repeats the end."""
    table = TableRow(match.id, match.mode, match.phase, match.seq, match.state)
    yield from (violation.text for violation in replayed(table, match.events, []))
    event = ended(match)
    if event["type"] == "match_ended":
        said = (match.winner_seat, match.ending)
        if said != (event["winner"], event["ending"]):
            yield f"the row says {said}, the event {event['winner']} by {event['ending']}"
        if list(match.score) != list(event["score"]):
            yield f"the row has the score {match.score}, the event {event['score']}"
    if not match.is_over:
        yield "the row has no end"


def seen_differs(match: MatchRows, heard: dict[int, Json], view: Json) -> Iterable[str]:
    """The events that a player received are those stored, and the last view tells the result."""
    stored = dict(match.events)
    wrong = [
        seq
        for seq, event in heard.items()
        if stored.get(seq) != {name: value for name, value in event.items() if name != "seq"}
    ]
    if wrong:
        yield f"events {wrong[:5]} were received otherwise than they are stored"
    event = ended(match)
    result = (view["result"] or {}).get("match") or {}
    if event["type"] != "match_ended" or not result:
        return
    pays = paid(match)
    shown = (result["winner"], result["ending"])
    if shown != (event["winner"], event["ending"]):
        yield f"the view says {shown}, the event {event['winner']} by {event['ending']}"
    if result["paid_cents"] is not None and tuple(result["paid_cents"]) != pays.paid_cents:
        yield f"the view says {result['paid_cents']} paid, payout gives {pays.paid_cents}"
    if list(view["score"]) != list(match.score):
        yield f"the view has the score {view['score']}, the row {match.score}"
    if match.ratings and result["elo_after"] is not None:
        by_user = {change.user: str(change.after) for change in match.ratings}
        elos = [by_user[user] for user in match.players]
        if list(result["elo_after"]) != elos:
            yield f"the view says ratings {result['elo_after']}, the log {elos}"


def shown_differs(match: MatchRows, at_stake: Json | None) -> Iterable[str]:
    """The amounts booked are one of the endings that the last view before the end had shown."""
    if at_stake is None or terms_of(match).contest == "session":
        return
    pays = paid(match)
    change = [cents - match.stake_cents for cents in pays.paid_cents]
    if not any(worth[3:5] == [change, pays.rake_cents] for worth in endings_of(at_stake)):
        yield f"{change} with a rake of {pays.rake_cents} was booked, which no view had shown"


def endings_of(at_stake: Json) -> Iterator[list[Any]]:
    """Every ending of a view's `stakes`: level, points, over, change_cents, rake_cents, capped."""
    yield at_stake["drawn"]
    for losses in at_stake["losses"]:
        yield from losses["levels"]
        yield from losses["taken"]
        yield from (losses[name] for name in ("drop", "leave") if losses[name])


# --- files ----------------------------------------------------------------------------------------
SITE: Final = "Pasch"


def record_stored(match: MatchRows, names: tuple[str, str]) -> MatchRecord:
    """The record of a match, from its stored events."""
    lasted = lasting({"seq": seq, **payload} for seq, payload in events_of(match))
    events = [event_from_payload(payload) for payload in lasted]
    return record_of(events, terms=terms_of(match), players=names, site=SITE)


def files_differ(match: MatchRows, names: tuple[str, str], visitor: Visitor) -> Iterable[str]:
    """Every format, downloaded and read again, against the events."""
    record = record_stored(match, names)
    for each in ALL:
        answer = visitor.get(f"/match/{match.id}/{each.key}/")
        if answer.status_code != 200:
            yield f"the .{each.key} file is refused with {answer.status_code}"
            continue
        yield from _file_differs(record, each, answer.content.decode("utf-8"))


def _file_differs(record: MatchRecord, each: FileFormat, text: str) -> Iterable[str]:
    try:
        read = each.parse(text)
        again = each.format(read)
    except FormatError as error:
        yield f"the .{each.key} file cannot be read: {error}"
        return
    # a play may join the same moves in two ways in a .mat; JSON comes with the house's signature
    if again != text and each.key not in ("mat", "json"):
        yield f"the .{each.key} file is written otherwise after it has been read"
    if _kept(read, each) != _kept(record, each):
        yield f"the .{each.key} file is not the match that was played"


def _kept(record: MatchRecord, each: FileFormat) -> Any:
    """The part of a record that a format keeps (docs/formats.md)."""
    if each.key == "json":
        return record
    return outline(record, resignations=each.key != "mat")


def pages_differ(match: MatchRows, visitor: Visitor) -> Iterable[str]:
    """The page of the match with its replay, and its entry in the REST interface."""
    page = visitor.get(f"/match/{match.id}/")
    if page.status_code != 200:
        yield f"the match's page answers {page.status_code}"
    answer = visitor.get(f"/api/v1/matches/{match.id}/")
    if answer.status_code != 200:
        yield f"the REST interface answers {answer.status_code} for the match"
        return
    entry = answer.json()
    for name, stored in (("ending", match.ending), ("paid_cents", match.paid_cents)):
        if name in entry and entry[name] != stored:
            yield f"the REST interface says {name} {entry[name]}, the row {stored}"
