"""The parts of a journal that do not follow from the others: order, places in brackets, ranks."""

from collections.abc import Iterator

from kit.events import TimedEvent
from tournaments.engine import events as ev
from tournaments.engine.draws import shuffled
from tournaments.engine.formats.registry import format_of
from tournaments.engine.state import TournamentState, evolve
from tournaments.engine.terms import TournamentTerms


def faults_of(terms: TournamentTerms, journal: list[TimedEvent]) -> Iterator[str]:
    """List what the journal says otherwise than draw, format and results do.

    Who meets at a place is derived where the bracket or the circle fixes it.
    """
    state, played_by = TournamentState(terms=terms), format_of(terms)
    for event in journal:
        match event:
            case ev.Drawn() if event.order != shuffled(state.entrants, event.seed, "order"):
                yield "its order does not follow from its seed"
            case ev.Paired() if played_by.fixes_places:
                found = {
                    each.place: each.players for each in played_by.proposals(state, event.at_ms)
                }
                if found.get(event.place) != event.players:
                    yield f"pairing {event.number} does not follow from the results before it"
            case ev.Ended() if event.ranks != played_by.ranks(state, event.at_ms):
                yield "its ranks do not follow from its results"
            case _:
                pass
        state = evolve(state, event)
