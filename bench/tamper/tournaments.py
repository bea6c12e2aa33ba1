"""Attempts at tournaments: at the journal, what follows from it, and the secret of a draw."""

# ruff: noqa: E501 (a change stands in one line where it can)

from typing import Final

_RUNNING: Final = (
    "FROM tournaments_tournament t JOIN tournaments_meeting m ON m.tournament_id = t.id AND m.decided_at IS NULL"
    " WHERE t.phase = 'running' AND t.fee_cents > 0 LIMIT 1"
)
_OVER: Final = "(SELECT id FROM tournaments_tournament WHERE phase = 'over' LIMIT 1)"
_LAST: Final = (
    f"(SELECT max(seq) FROM tournaments_tournamentevent WHERE tournament_id = {_OVER}"
    " AND payload ->> 'type' = 'decided')"
)
_MOVED_ON: Final = (
    "UPDATE tournaments_tournament t SET seq = (SELECT max(e.seq) FROM tournaments_tournamentevent e"
    " WHERE e.tournament_id = t.id) WHERE t.phase = 'running' AND t.fee_cents > 0"
)


def _event(*fields: str) -> tuple[str, str]:
    """Append an event with these fields to the journal of the running tournament."""
    payload = f"jsonb_build_object('at_ms', 0, {', '.join(fields)})"
    return (
        "INSERT INTO tournaments_tournamentevent (tournament_id, seq, payload, stored_at)"
        f" SELECT t.id, t.seq + 1, {payload}, now() {_RUNNING}",
        _MOVED_ON,
    )


_RESULT: Final = ("'type', 'decided'", "'number', m.number", "'winner', m.player_0_id")
_DECIDED: Final = (
    f"UPDATE tournaments_meeting SET decided_at = now() WHERE id = (SELECT m.id {_RUNNING})"
)

APPLICATION: Final[dict[str, str | tuple[str, ...]]] = {
    "a result": _event(*_RESULT, "'how', 'played'"),
    "a result with its row": (*_event(*_RESULT, "'how', 'played'"), _DECIDED),
    "a result that is awarded": _event(*_RESULT, "'how', 'no_show'", "'director', {anna}"),
    "a result by withdrawal": _event(*_RESULT, "'how', 'withdrawn'"),
    "a result of administrators": _event(*_RESULT, "'how', 'adjudicated'"),
    "a withdrawal of somebody": _event("'type', 'withdrew'", "'player', m.player_0_id"),
    "a correction": _event(
        "'type', 'corrected'", "'number', 1", "'winner', m.player_0_id", "'reason', 'x'",
        "'director', {anna}", "'undone', '[]'::jsonb",
    ),
    "an end of a tournament": _event(
        "'type', 'ended'", "'version', 2", "'ranks', jsonb_build_array(jsonb_build_array(m.player_0_id))"
    ),
    "a calling off": _event("'type', 'called_off'", "'reason', 'director'", "'director', {anna}"),
    "a calling off for too few": _event("'type', 'called_off'", "'reason', 'too_few'"),
    "another draw": _event("'type', 'drawn'", "'seed', '00'", "'order', '[]'::jsonb"),
    "a meeting decided": _DECIDED,
    "a meeting undone": f"UPDATE tournaments_meeting SET undone = true WHERE id = (SELECT m.id {_RUNNING})",
    "a meeting that nobody paired": (
        "INSERT INTO tournaments_meeting (tournament_id, number, place, player_0_id, player_1_id, called_at,"
        " due_at, ready_0, ready_1, undone) SELECT t.id, 99, 'main/9/9', m.player_0_id, m.player_1_id, now(),"
        f" now(), true, true, false {_RUNNING}"
    ),
    "a match of before as that of a pairing": (
        "UPDATE tournaments_meeting g SET (match_id, table_id, player_0_id, player_1_id) ="
        " (SELECT x.id, x.table_id, x.player_0_id, x.player_1_id FROM games_match x"
        "  WHERE x.ended_at IS NOT NULL AND x.winner_seat IS NOT NULL AND NOT EXISTS"
        "  (SELECT FROM tournaments_meeting y WHERE y.match_id = x.id) LIMIT 1)"
        f" WHERE g.id = (SELECT m.id {_RUNNING})"
    ),
    "the match of a pairing taken away": (
        "UPDATE tournaments_meeting SET match_id = NULL WHERE id = (SELECT max(id) FROM tournaments_meeting"
        " WHERE decided_at IS NOT NULL)"
    ),
    "a place before the end": (
        "UPDATE tournaments_entry SET first_place = 1, last_place = 1 WHERE number = 1 AND first_place IS NULL"
    ),
    "a prize before the end": "UPDATE tournaments_entry SET prize_cents = 900 WHERE number = 1 AND first_place IS NULL",
    "the secret of a draw": "UPDATE tournaments_tournament SET secret = repeat('0', 64) WHERE secret = ''",
    "the hidden secret of a draw": "UPDATE tournaments_tournament SET hidden_secret = 'x' WHERE secret = ''",
    "a time of a draw": "UPDATE tournaments_tournament SET drawn_at = now() WHERE phase = 'over'",
}  # fmt: skip

UNGUARDED: Final[dict[str, str | tuple[str, ...]]] = {
    "time of an event of a tournament": (
        f"UPDATE tournaments_tournamentevent SET stored_at = stored_at - interval '1 day' WHERE tournament_id = {_OVER} AND seq = 2"
    ),
    "moment in an event of a tournament": (
        "UPDATE tournaments_tournamentevent SET payload = jsonb_set(payload, '{{at_ms}}', '5')"
        f" WHERE tournament_id = {_OVER} AND seq = 2"
    ),
    "founder of a tournament": f"UPDATE tournaments_tournament SET founder_id = {{thief}} WHERE id = {_OVER}",
    "name of a tournament": f"UPDATE tournaments_tournament SET name = 'Mine' WHERE id = {_OVER}",
    "beginning of a tournament": f"UPDATE tournaments_tournament SET starts_at = now() WHERE id = {_OVER}",
    "shares of a tournament": f"UPDATE tournaments_tournament SET shares_bps = '{{{{10000}}}}' WHERE id = {_OVER}",
    "time of an entry": f"UPDATE tournaments_entry SET entered_at = entered_at - interval '1 day' WHERE tournament_id = {_OVER} AND number = 1",
    "number of an entry": f"UPDATE tournaments_entry SET number = 40 WHERE tournament_id = {_OVER} AND number = 1",
    "prize of an entry": f"UPDATE tournaments_entry SET prize_cents = prize_cents + 1 WHERE tournament_id = {_OVER}",
    "call of a pairing": f"UPDATE tournaments_meeting SET called_at = called_at - interval '1 day' WHERE tournament_id = {_OVER}",
    "a pairing that is due early": "UPDATE tournaments_meeting SET due_at = now() WHERE decided_at IS NULL",
    "who was ready": f"UPDATE tournaments_meeting SET ready_0 = false WHERE tournament_id = {_OVER}",
    "when a prize was clear": f"UPDATE tournaments_tournament SET cleared_at = now() WHERE id = {_OVER}",
    "winner of a result": (
        "UPDATE tournaments_tournamentevent e SET payload = jsonb_set(payload, '{{winner}}', to_jsonb("
        " (SELECT m.player_0_id + m.player_1_id FROM tournaments_meeting m WHERE m.tournament_id = e.tournament_id"
        "  AND m.number = (e.payload ->> 'number')::int) - (payload ->> 'winner')::bigint))"
        f" WHERE e.tournament_id = {_OVER} AND e.seq = {_LAST}"
    ),
    "ranks of an end": (
        "UPDATE tournaments_tournamentevent SET payload = jsonb_set(payload, '{{ranks}}', jsonb_build_array("
        " payload -> 'ranks' -> 1, payload -> 'ranks' -> 0, payload -> 'ranks' -> 2))"
        f" WHERE tournament_id = {_OVER} AND payload ->> 'type' = 'ended'"
    ),
    "order of a draw": (
        "UPDATE tournaments_tournamentevent SET payload = jsonb_set(payload, '{{order}}', jsonb_build_array("
        " payload -> 'order' -> 1, payload -> 'order' -> 0, payload -> 'order' -> 2, payload -> 'order' -> 3))"
        f" WHERE tournament_id = {_OVER} AND payload ->> 'type' = 'drawn'"
    ),
    "how a pairing was decided": (
        "UPDATE tournaments_tournamentevent SET payload = jsonb_set(payload, '{{how}}', '\"adjudicated\"')"
        f" WHERE tournament_id = {_OVER} AND payload ->> 'type' = 'decided'"
    ),
    "an event that is gone": f"DELETE FROM tournaments_tournamentevent WHERE tournament_id = {_OVER} AND seq = {_LAST}",
    "match of a pairing": "UPDATE tournaments_meeting SET match_id = NULL WHERE decided_at IS NOT NULL",
    "place of an entry": (
        f"UPDATE tournaments_entry SET first_place = 3 - first_place, last_place = 3 - last_place"
        f" WHERE tournament_id = {_OVER} AND first_place < 3"
    ),
    "part of an entry": f"UPDATE tournaments_entry SET part = repeat('0', 32) WHERE tournament_id = {_OVER} AND number = 1",
    "secret of a draw": f"UPDATE tournaments_tournament SET secret = repeat('0', 64) WHERE id = {_OVER}",
    "hidden secret of a draw": "UPDATE tournaments_tournament SET hidden_secret = 'x' WHERE secret = ''",
    "dice of a match with a fee": (
        "UPDATE games_gamedice SET mode = 'K', terms = replace(terms, '\"mode\":\"L\"', '\"mode\":\"K\"')"
        " WHERE match_id IN (SELECT match_id FROM tournaments_meeting)"
    ),
}  # fmt: skip


def tournaments_held() -> None:
    """One tournament for credits that is over, one that runs, one before its draw."""
    from accounts.models import User
    from harness.tournaments import called, entered, knockout, played

    players = [User.objects.create_user(f"entrant{number}") for number in range(4)]
    over = knockout(4, 250)
    entered(over, players)
    while meetings := called(over):
        for meeting in meetings:
            played(meeting, meeting.player_0)
    running = knockout(4, 250)
    entered(running, players)
    first = called(running)[0]
    played(first, first.player_0)
    entered(knockout(4, 250), players[:1])
