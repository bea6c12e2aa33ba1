"""Matches of a tournament as cards, by stages and rounds."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from django.utils.translation import gettext as _

from fairplay.leavers import FAULTS
from games.services.people import Person
from games.services.running import minutes_text
from kit.database import database_now_ms
from tournaments.engine.formats import format_of
from tournaments.engine.graph import BracketMeeting as NodeMeeting
from tournaments.engine.graph import BracketNode, LoserOf, Source, WinnerOf, resolved
from tournaments.engine.state import Pairing, TournamentState
from tournaments.models import Meeting
from tournaments.pages.words import STAGES, round_title
from tournaments.selectors import score_of

People = dict[int, Person]
SCORED: Final = ("played", "adjudicated")
"""How a pairing was decided at a table."""


@dataclass(slots=True)
class CardSide:
    """One player of a card; without a name `text` says who comes."""

    name: str = ""
    text: str = ""
    score: str = ""
    won: bool = False
    lost: bool = False
    me: bool = False


@dataclass(slots=True)
class MatchCard:
    """One match. `state`: waiting, called, live, played, given or bye; `left_ms` of a call."""

    state: str
    sides: tuple[CardSide, CardSide]
    mine: bool = False
    left_ms: int | None = None
    table_id: str = ""
    match_id: str = ""

    @property
    def left(self) -> str:
        """The time that is left as minutes and seconds."""
        return minutes_text(self.left_ms or 0)


@dataclass(slots=True)
class Round:
    """The cards of a round; with `halves` the winners of each two meet in the next one."""

    title: str
    cards: list[MatchCard] = field(default_factory=list)
    halves: bool = False

    @property
    def done(self) -> int:
        """How many have a result."""
        return sum(card.state in ("played", "given", "bye") for card in self.cards)

    @property
    def live(self) -> int:
        """How many are played now."""
        return sum(card.state == "live" for card in self.cards)


@dataclass(slots=True)
class Stage:
    """The rounds of a stage; `is_tree`: drawn as a bracket."""

    key: str
    title: str
    rounds: list[Round]
    is_tree: bool


@dataclass(slots=True)
class BracketDrawing:
    """Everything that cards are made from."""

    state: TournamentState
    meetings: dict[int, Meeting]
    people: People
    me: int | None
    now_ms: int = field(default_factory=database_now_ms)

    def stages(self) -> list[Stage]:
        """Brackets first in the order of play, then the rounds without a bracket, newest first."""
        if not self.state.order:
            return []  # not drawn
        nodes = format_of(self.state.terms).nodes(self.state)
        found = [*self._trees(nodes), *self._lists({node.place for node in nodes})]
        return [stage for stage in found if stage.rounds]

    def _trees(self, nodes: list[BracketNode]) -> Iterable[Stage]:
        known = resolved(nodes, self.state)
        stages: dict[str, dict[int, list[BracketNode]]] = {}
        for node in nodes:
            if node.only_after and not _is_needed(known[node.place]):
                continue
            stage, number, _last = node.place.split("/")
            stages.setdefault(stage, {}).setdefault(int(number), []).append(node)
        for stage, rounds in stages.items():
            yield Stage(stage, str(STAGES[stage]), self._rounds(stage, rounds, known), is_tree=True)

    def _rounds(
        self, stage: str, rounds: dict[int, list[BracketNode]], known: dict[str, NodeMeeting]
    ) -> list[Round]:
        sizes = {number: len(found) for number, found in rounds.items()}
        return [
            Round(
                round_title(stage, number, len(rounds), len(found)),
                [self._card_of_node(node, known) for node in found],
                halves=len(found) == 2 * sizes.get(number + 1, 0),
            )
            for number, found in rounds.items()
        ]

    def _lists(self, drawn: set[str]) -> Iterable[Stage]:
        rounds: dict[tuple[str, int], list[MatchCard]] = {}
        for place, player in self.state.byes.items():
            stage, number, _last = place.split("/")
            bye = MatchCard(
                "bye", (self._side(player), CardSide(text=_("bye"))), mine=player == self.me
            )
            rounds.setdefault((stage, int(number)), []).append(bye)
        for pairing in self.state.pairings.values():
            if pairing.place in drawn:
                continue
            stage, number, _last = pairing.place.split("/")
            rounds.setdefault((stage, int(number)), []).insert(0, self._card(pairing))
        by_rounds = all(len(cards) > 1 for cards in list(rounds.values())[:-1]) if rounds else False
        if not by_rounds:  # paired one by one: a list of matches
            cards = [card for key in sorted(rounds, reverse=True) for card in rounds[key]]
            yield Stage(
                "list", _("Matches"), [Round(_("Newest first"), cards)] if cards else [], False
            )
            return
        found = [
            Round(round_title(stage, number, len(rounds), len(cards)), cards)
            for (stage, number), cards in sorted(rounds.items(), reverse=True)
        ]
        yield Stage("rounds", _("Rounds"), found, is_tree=False)

    # --- cards ----------------------------------------------------------------------------------

    def _card_of_node(self, node: BracketNode, known: dict[str, NodeMeeting]) -> MatchCard:
        number = self.state.places.get(node.place)
        if number is not None:
            return self._card(self.state.pairings[number])
        meeting = known[node.place]
        sides = tuple(
            self._side(player) if isinstance(player, int) else self._expected(source, player, known)
            for source, player in zip(node.sources, meeting.players, strict=True)
        )
        one, two = sides
        is_bye = isinstance(meeting.winner, int) or meeting.winner is None
        return MatchCard("bye" if is_bye else "waiting", (one, two), mine=one.me or two.me)

    def _expected(self, source: Source, player: object, known: dict[str, NodeMeeting]) -> CardSide:
        if player is None:
            return CardSide(text=_("bye"))
        if not isinstance(source, WinnerOf | LoserOf):
            return CardSide()
        names = [
            str(self.people[each]["name"])
            for each in known[source.place].players
            if isinstance(each, int) and each in self.people
        ]
        if len(names) < 2:
            return CardSide()
        words = _("winner of %(one)s – %(two)s")
        if isinstance(source, LoserOf):
            words = _("loser of %(one)s – %(two)s")
        return CardSide(text=words % {"one": names[0], "two": names[1]})

    def _side(self, player: int) -> CardSide:
        return CardSide(name=str(self.people[player]["name"]), me=player == self.me)

    def _card(self, pairing: Pairing) -> MatchCard:
        sides = tuple(self._side(player) for player in pairing.players)
        one, two = sides
        meeting = self.meetings.get(pairing.number)
        card = MatchCard("called", (one, two), mine=one.me or two.me)
        if meeting is not None:
            self._played(card, pairing, meeting)
        if pairing.winner is not None:
            card.state = "played" if pairing.how in SCORED else "given"
            instead = _instead_of_score(pairing, meeting)
            for player, side in zip(pairing.players, sides, strict=True):
                side.won, side.lost = player == pairing.winner, player != pairing.winner
                if instead:
                    side.score = "" if side.won else instead
        return card

    def _played(self, card: MatchCard, pairing: Pairing, meeting: Meeting) -> None:
        """Add what the table of a meeting says."""
        if meeting.match is None:
            if pairing.winner is None:
                due_ms = int(meeting.due_at.timestamp() * 1000)
                card.left_ms = max(0, due_ms - self.now_ms)
            return
        card.table_id, card.match_id = str(meeting.table_id), str(meeting.match_id)
        if pairing.winner is None:
            card.state = "live"
        score = score_of(meeting)
        if score is not None:
            by_player = dict(zip(meeting.players, score, strict=True))
            for player, side in zip(pairing.players, card.sides, strict=True):
                side.score = str(by_player.get(player, ""))


def _instead_of_score(pairing: Pairing, meeting: Meeting | None) -> str:
    """The loser's fault where it decided the match; empty where the score says enough."""
    if pairing.how not in SCORED:
        return _("not there")
    match = meeting.match if meeting else None
    given_up = pairing.how == "played" and match is not None and match.ending in FAULTS
    return _("forfeit") if given_up else ""


def _is_needed(meeting: NodeMeeting) -> bool:
    """Whether the second match of a final is played, or was."""
    return all(isinstance(player, int) for player in meeting.players)
