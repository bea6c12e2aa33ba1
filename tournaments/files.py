"""Results of a tournament as files: JSON with everything to check the draw, CSV, TRF.

TRF is the report format of FIDE's rating office, as far as it fits: one line a player with their
opponents and results by round. A program that reads it finds numbers, names, ratings and results.
"""

import csv
import io
from typing import Any

from accounts.models import User
from tournaments.engine.state import TournamentState
from tournaments.models import Entry, Tournament
from tournaments.services.words import title_of

Json = dict[str, Any]


def draw_json(tournament: Tournament, entries: list[Entry], state: TournamentState) -> Json:
    """Everything that the draw rests on: the secret only once it is drawn."""
    return {
        "tournament": str(tournament.pk),
        "name": title_of(tournament),
        "commitment": tournament.commitment,
        "secret": tournament.secret or None,
        "entrants": [
            {
                "number": entry.number,
                "part": entry.part,
                "player": entry.user_id,
                "name": entry.user.get_username(),
            }
            for entry in entries
        ],
        "seed": state.seed or None,
        "order": list(state.order),
    }


def results_json(tournament: Tournament, entries: list[Entry], state: TournamentState) -> Json:
    """The tournament with its standing and every pairing."""
    names = {entry.user_id: entry.user.get_username() for entry in entries}
    return {
        **draw_json(tournament, entries, state),
        "terms": tournament.terms,
        "table_terms": tournament.table_terms,
        "phase": tournament.phase,
        "fee_cents": tournament.fee_cents,
        "sides_bps": tournament.sides_bps,
        "added_cents": tournament.added_cents,
        "satellite_of": str(tournament.satellite_of_id) if tournament.satellite_of_id else None,
        "rake_cents": tournament.rake_cents,
        "standing": [
            {
                "name": names[entry.user_id],
                "first_place": entry.first_place,
                "last_place": entry.last_place,
                "wins": state.wins[entry.user_id],
                "losses": state.losses[entry.user_id],
                "prize_cents": entry.prize_cents,
            }
            for entry in sorted(entries, key=lambda each: each.first_place or 0)
        ],
        "pairings": [
            {
                "number": pairing.number,
                "place": pairing.place,
                "players": [names[player] for player in pairing.players],
                "winner": None if pairing.winner is None else names[pairing.winner],
                "how": pairing.how,
            }
            for pairing in state.pairings.values()
        ],
    }


def results_csv(entries: list[Entry], state: TournamentState) -> str:
    """The standing as CSV: place, name, wins, losses, prize in cents."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(("first_place", "last_place", "name", "wins", "losses", "prize_cents"))
    for entry in sorted(entries, key=lambda each: each.first_place or 0):
        name = _as_text(entry.user.get_username())
        wins, losses = state.wins[entry.user_id], state.losses[entry.user_id]
        row = (entry.first_place, entry.last_place, name, wins, losses, entry.prize_cents)
        writer.writerow(row)
    return out.getvalue()


def _as_text(name: str) -> str:
    """A name that no spreadsheet takes for a formula."""
    return f"'{name}" if name[:1] in "=+-@" else name


def results_trf(tournament: Tournament, entries: list[Entry], state: TournamentState) -> str:
    """The results in the columns of TRF16: 012 is the name, 001 a player with their games."""
    numbers = {entry.user_id: place for place, entry in enumerate(entries, start=1)}
    games = _games_of(state, numbers)
    lines = [f"012 {title_of(tournament)}"]
    if tournament.drawn_at is not None:
        lines.append(f"042 {tournament.drawn_at:%Y/%m/%d}")
    if tournament.ended_at is not None:
        lines.append(f"052 {tournament.ended_at:%Y/%m/%d}")
    lines.append(f"062 {len(entries)}")
    for entry in entries:
        lines.append(_trf_player(entry.user, numbers[entry.user_id], entry, state, games))
    return "\n".join(lines) + "\n"


def _games_of(state: TournamentState, numbers: dict[int, int]) -> dict[int, list[str]]:
    """For each player their games in order: opponent's number, colour, result."""
    games: dict[int, list[str]] = {player: [] for player in numbers}
    for pairing in state.pairings.values():
        if pairing.winner is None:
            continue
        played = pairing.how in ("played", "adjudicated")
        one, two = pairing.players
        for player, other in ((one, two), (two, one)):
            won = pairing.winner == player
            result = ("1" if won else "0") if played else ("+" if won else "-")
            games[player].append(f"{numbers[other]:4d} - {result}")
    for player in state.byes.values():
        games[player].append("0000 - U")
    return games


def _trf_player(
    user: User, number: int, entry: Entry, state: TournamentState, games: dict[int, list[str]]
) -> str:
    name, points = user.get_username()[:33], f"{state.wins[user.pk]:.1f}"
    head = f"001 {number:4d}      {name:<33}                                {points:>4}"
    return f"{head} {entry.first_place or 0:4d}  " + "  ".join(games[user.pk])
