"""The matches for credits that a simulated house stores, and how it judges them.

The facts are gathered as `fairplay.facts` reads them from rows; the judgements are the code of the
house (`fairplay.signals`, `fairplay.ladder`).
"""

from collections import Counter, defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from accounts.login_marks import CROWD
from bench.fairplay.cast import Player
from fairplay.facts import ELSEWHERE_DECISIONS, LOOKS_BACK
from fairplay.ladder import WINDOW, record_of
from fairplay.signals.pairs import SHARE_HIGH, PairFacts, judged_pair, much_worse
from fairplay.signals.play import Sample

PERIOD_DAYS: Final = LOOKS_BACK.days


@dataclass(frozen=True, slots=True)
class Played:
    """A match for credits. `early`: the loser gave it up within two minutes; `lost` by player."""

    day: int
    winner: int
    loser: int
    stake_cents: int
    early: bool
    stake_share: float
    lost: Mapping[int, Sample]


@dataclass(slots=True)
class StoredMatches:
    """The stored matches by player and pair, all errors, and how the last matches ended."""

    players: Sequence[Player]
    staked: defaultdict[int, deque[Played]] = field(default_factory=lambda: defaultdict(deque))
    pairs: defaultdict[tuple[int, int], deque[Played]] = field(
        default_factory=lambda: defaultdict(deque)
    )
    errors: defaultdict[int, Sample] = field(default_factory=lambda: defaultdict(Sample))
    faults: defaultdict[int, deque[bool]] = field(
        default_factory=lambda: defaultdict(lambda: deque(maxlen=WINDOW))
    )
    crowds: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        settled = [player for player in self.players if not player.is_newcomer]
        people = Counter(mark for player in settled for mark in player.marks)
        self.crowds = frozenset(
            mark for mark, many in people.items() if many > CROWD and mark.startswith("network")
        )

    def linked(self, one: int, other: int) -> str:
        """The kind of mark that two accounts share: a browser, a network, or nothing."""
        shared = (self.players[one].marks & self.players[other].marks) - self.crowds
        return min((mark.split()[0] for mark in shared), default="")

    def store(self, played: Played) -> None:
        """Store a match for both players."""
        for number in (played.winner, played.loser):
            _add(self.staked[number], played)
        _add(self.pairs[_pair(played.winner, played.loser)], played)

    def is_held(self, played: Played) -> bool:
        """Whether a stored match is held, at its end or once it is analysed."""
        known, analysed = self._facts(played)
        return "hold" in (judged_pair(known).level, judged_pair(analysed).level)

    def waits(self, number: int, fault: bool) -> bool:
        """Note how a match ended for a player; whether they wait for the next one."""
        self.faults[number].appendleft(fault)
        return fault and record_of(list(self.faults[number])).step > 0

    def _facts(self, played: Played) -> tuple[PairFacts, PairFacts]:
        """The facts after a match, without and with its analysis."""
        winner, loser = played.winner, played.loser
        ours = self.pairs[_pair(winner, loser)]
        theirs = self.staked[loser]
        won = [each for each in ours if each.winner == winner]
        net = sum(each.stake_cents * (1 if each.winner == winner else -1) for each in ours)
        here = sum((each.lost[loser] for each in ours), Sample())
        all_errors = self.errors[loser]
        elsewhere = Sample(all_errors.decisions - here.decisions, all_errors.lost - here.lost)
        facts = {
            "results": [each.winner == winner for each in ours],
            "net_cents": net,
            "given_up": sum(each.early for each in won),
            "in_day": sum(each.day == played.day for each in ours),
            "loser_age_days": played.day - self.players[loser].joined + 0.5,
            "stake_share": played.stake_share,
            "loser_share": _share(theirs, winner),
            "loser_matches": len(theirs),
            "feeders": self._feeders(winner, loser),
            "mark": self.linked(winner, loser),
        }
        known = PairFacts(**facts)
        known = self._with_givers(known, winner, loser)
        pr_elsewhere = elsewhere.pr if elsewhere.decisions >= ELSEWHERE_DECISIONS else None
        analysed = PairFacts(
            **facts, pr_here=here.pr, pr_elsewhere=pr_elsewhere, analysed=len(ours)
        )
        return known, self._with_givers(analysed, winner, loser)

    def _with_givers(self, facts: PairFacts, winner: int, loser: int) -> PairFacts:
        """Add who else has given something away, where this loser has."""
        if not facts.given:
            return facts
        met: defaultdict[int, list[Played]] = defaultdict(list)
        for each in self.staked[winner]:
            met[each.loser if each.winner == winner else each.winner].append(each)
        met.pop(loser, None)
        givers = sum(self._gave(other, winner, matches) for other, matches in met.items())
        return replace(facts, givers=givers, opponents=len(met))

    def _gave(self, other: int, winner: int, matches: Sequence[Played]) -> bool:
        """Whether a player gave up early, or played far worse than in all other matches."""
        if any(each.winner == winner and each.early for each in matches):
            return True
        here = sum((each.lost[other] for each in matches), Sample())
        decisions = self.errors[other].decisions - here.decisions
        elsewhere = Sample(decisions, self.errors[other].lost - here.lost)
        return much_worse(here.pr, elsewhere.pr if decisions >= ELSEWHERE_DECISIONS else None)

    def _feeders(self, winner: int, loser: int) -> int:
        """The other accounts that staked nearly all against this winner, and lost."""
        lost = {
            each.loser
            for each in self.staked[winner]
            if each.winner == winner
            and each.loser != loser
            and (each.early or self.linked(each.loser, loser))
        }
        return sum(_share(self.staked[each], winner) >= SHARE_HIGH for each in lost)


def _pair(one: int, other: int) -> tuple[int, int]:
    return min(one, other), max(one, other)


def _add(matches: deque[Played], played: Played) -> None:
    """Append a match, and drop those that are too old to count."""
    matches.append(played)
    while matches[0].day < played.day - PERIOD_DAYS:
        matches.popleft()


def _share(matches: Sequence[Played] | deque[Played], opponent: int) -> float:
    total = sum(each.stake_cents for each in matches)
    there = sum(each.stake_cents for each in matches if opponent in (each.winner, each.loser))
    return there / total if total else 0.0
