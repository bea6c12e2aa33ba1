"""M5: the events, the row, the result and the ratings of a match agree, field by field.

M1 replays a table's events and M2 pays a match anew; this check compares the rows that people and
books read with those events: players, variant, stakes, start and end, ending, score, and both
ratings before and after.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

import msgspec
from django.db import connection

from games.models import Match
from games.modes.terms import Terms
from games.settlement import rating_pool, rating_references
from ledger.audit import AuditFinding, AuditMark, AuditTurn
from ledger.audit_rows import OVERLAP, PART, or_in_turn
from pasch.audits.matches import MATCH, recent

CAUSES: Final = {
    "borne_off": "play_made",
    "double_dropped": "double_dropped",
    "resigned": "resignation_accepted",
    "left": "player_left",
    "time_over": "time_ran_out",
    "absent": "win_claimed",
    "stopped": "player_stopped",
}
"""The event at the table right before a match ended like this."""

_EVENTS: Final = """
    SELECT e.table_id, e.seq, e.type, e.payload,
           CASE WHEN e.type = 'match_ended' THEN ARRAY(
               SELECT b.type FROM games_storedevent b
               WHERE b.table_id = e.table_id AND b.seq BETWEEN e.seq - 3 AND e.seq - 1) END
    FROM games_storedevent e
    WHERE e.type IN ('table_opened', 'player_sat', 'match_started', 'match_ended',
                     'match_settled', 'match_voided', 'game_ended')
      AND e.table_id = ANY (%(tables)s::uuid[])
    ORDER BY e.table_id, e.seq
"""

_TYPES: Final = f"""
    SELECT 'event ' || e.seq || ' of table ' || e.table_id,
           'is of type ' || e.type || ', and says ' || (e.payload ->> 'type')
    FROM games_storedevent e
    WHERE (%(since)s::timestamptz IS NULL OR e.stored_at >= %(since)s
           OR {PART.format("e.table_id")})
      AND e.type IS DISTINCT FROM e.payload ->> 'type'
"""

_CHANGES: Final = """
    SELECT split_part(c.reference, ':', 2), c.user_id, c.opponent_id, c.pool,
           c.before::text, c.after::text
    FROM ratings_ratingchange c WHERE c.kind = 'result' AND c.reference = ANY (%(references)s)
    ORDER BY c.id
"""

CHUNK: Final = 500

NO_TURN: Final = AuditTurn((), 1)
"""No part of the old rows."""


@dataclass(slots=True)
class Derived:
    """One match as the events of its table describe it."""

    terms: dict[str, Any]
    seats: tuple[int | None, int | None]
    started: dict[str, Any]
    before_end: tuple[str, ...] = ()
    ended: dict[str, Any] = field(default_factory=dict)
    settled: dict[str, Any] = field(default_factory=dict)
    voided: dict[str, Any] = field(default_factory=dict)
    games: list[list[int | None]] = field(default_factory=list)


def check_agreement() -> Iterator[AuditFinding]:
    """Every match matches its events, and every event has the type that it names."""
    yield from _types_faults(None)
    yield from _faults(list(Match.objects.values_list("pk", flat=True)))


def check_recent_agreement(mark: AuditMark) -> Iterator[AuditFinding]:
    """The same, of what came since."""
    yield from _types_faults(mark.moment - OVERLAP)
    yield from _faults(list(Match.objects.filter(recent(mark)).values_list("pk", flat=True)))


def check_agreement_in_turns(mark: AuditMark, turn: AuditTurn) -> Iterator[AuditFinding]:
    """The same, of what came since and of some parts of the rest."""
    yield from _types_faults(mark.moment - OVERLAP, turn)
    matches = or_in_turn(Match.objects.all(), recent(mark), "id", turn, prefix=MATCH)
    yield from _faults(list(matches.values_list("pk", flat=True)))


def _types_faults(since: datetime | None, turn: AuditTurn = NO_TURN) -> Iterator[AuditFinding]:
    with connection.cursor() as cursor:
        values = {"since": since, "parts": list(turn.parts), "of": turn.of}
        cursor.execute(_TYPES, values)
        for row, message in cursor.fetchall():
            yield AuditFinding(row, message)


def _faults(keys: list[Any]) -> Iterator[AuditFinding]:
    for start in range(0, len(keys), CHUNK):
        matches = list(Match.objects.filter(pk__in=keys[start : start + CHUNK]))
        derived = _derived([match.table_id for match in matches])
        rated = _rated([key for match in matches for key in rating_references(match)])
        for match in matches:
            known = derived.get(str(match.pk))
            if known is None:
                yield AuditFinding(match.reference, "no event says that it began")
                continue
            for message in _differences(match, known):
                yield AuditFinding(match.reference, message)
            for message in _rating_differences(match, known, rated.get(str(match.pk), {})):
                yield AuditFinding(match.reference, message)


def _derived(tables: list[Any]) -> dict[str, Derived]:
    """The matches of these tables as their events describe them."""
    found: dict[str, Derived] = {}
    terms: dict[str, Any] = {}
    seats: list[int | None] = [None, None]
    current: Derived | None = None
    with connection.cursor() as cursor:
        cursor.execute(_EVENTS, {"tables": tables})
        for _table, _seq, kind, text, before in cursor.fetchall():
            payload = msgspec.json.decode(text) if isinstance(text, str) else text
            if kind == "table_opened":
                terms, seats, current = payload["terms"], [payload["player"], None], None
            elif kind == "player_sat":
                seats[payload["seat"]] = payload["player"]
            elif kind == "match_started":
                current = Derived(terms, (seats[0], seats[1]), payload)
                found[payload["match"]] = current
            elif current is not None and kind == "game_ended":
                current.games.append([payload["winner"], payload["points"]])
            elif current is not None:
                setattr(current, kind.removeprefix("match_"), payload)
                if kind == "match_ended":
                    current.before_end = tuple(before)
    return found


def _rated(references: list[str]) -> dict[str, dict[int, list[tuple[Any, ...]]]]:
    """The changes of these matches by match and player, in their order."""
    found: dict[str, dict[int, list[tuple[Any, ...]]]] = {}
    with connection.cursor() as cursor:
        cursor.execute(_CHANGES, {"references": references})
        for match, user, *facts in cursor.fetchall():
            found.setdefault(match, {}).setdefault(user, []).append(tuple(facts))
    return found


def _differences(match: Match, derived: Derived) -> Iterator[str]:
    terms = msgspec.convert(derived.terms, Terms)
    wanted: dict[str, Any] = {
        "players": derived.seats,
        "number": derived.started["number"],
        "rated": derived.started.get("rated", True),
        "rated_games": derived.started.get("rated_games"),
        "mode": terms.mode,
        "variant": terms.game_key,
        "stake_cents": terms.stake_cents,
        "started_at": derived.started["at_ms"],
    } | _end(match, derived)
    shown = {name: _shown(match, name) for name in wanted}
    for name, value in wanted.items():
        if shown[name] != value:
            yield f"{name} is {shown[name]}, its events say {value}"
    if msgspec.convert(match.terms, Terms) != terms:
        yield "its terms are not those of its table's first event"
    if derived.ended:
        cause = CAUSES.get(derived.ended["ending"])
        if cause is not None and cause not in derived.before_end:
            yield f"ended {derived.ended['ending']}, and before it came {derived.before_end}"


def _end(match: Match, derived: Derived) -> dict[str, Any]:
    """The end of a match as its events have it; one voided after a rematch has no event of it."""
    if derived.voided:
        return {
            "ending": derived.voided["reason"], "winner_seat": None, "points": 0,
            "ended_at": derived.voided["at_ms"],
        }  # fmt: skip
    if not derived.ended:
        return {"ending": "", "winner_seat": None, "points": 0, "ended_at": None}
    facts = {
        "score": list(derived.ended["score"]),
        "games": derived.games if derived.terms["contest"] == "session" else [],
        "ended_at": derived.ended["at_ms"],
    }
    if match.ending == "voided":
        return facts | {"winner_seat": None, "points": 0}
    return facts | {
        "ending": derived.ended["ending"],
        "winner_seat": derived.ended["winner"],
        "points": derived.ended.get("points", 0),
        "paid_cents": list(derived.settled.get("paid_cents", ())),
        "rake_cents": derived.settled.get("rake_cents"),
    }


def _shown(match: Match, name: str) -> Any:
    value = getattr(match, name)
    if isinstance(value, datetime):
        return round(value.timestamp() * 1000)
    return value


def _rating_differences(
    match: Match, derived: Derived, rated: dict[int, list[tuple[Any, ...]]]
) -> Iterator[str]:
    before = derived.settled.get("elo_before", ("", ""))
    after = derived.settled.get("elo_after", ("", ""))
    pool = rating_pool(variant=match.variant, stake_cents=match.stake_cents)
    for seat, player in enumerate(match.players):
        if player not in rated:
            if rated or before[seat] != after[seat]:
                yield f"its events rate user {player}, and the rating log does not"
            continue
        for opponent, logged_pool, _was, _became in rated[player]:
            if opponent != match.players[1 - seat] or logged_pool != pool:
                yield f"user {player} was rated against {opponent} in {logged_pool}, not so"
        was, became = rated[player][0][2], rated[player][-1][3]
        if (was, became) != (before[seat], after[seat]):
            yield (
                f"user {player} was rated from {was} to {became}, its events say from"
                f" {before[seat]} to {after[seat]}"
            )
