"""A house over 90 days: honest people, engine users, rings, second accounts and leavers.

Every day those who have time meet somebody of about their strength, or their friend, for credits.
Each match is judged when it ends and again with its analysis, everybody after each evening at which
they played, as the house does every hour. Linked accounts do not meet.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from bench.fairplay.cast import DAYS, RING_TRANSFERS, Cast, Player, Ring, cast_of
from bench.fairplay.curves import MATCH, match_of
from bench.fairplay.house import Played, StoredMatches
from fairplay.signals.play import Sample, judged_player

STAKES_CENTS: Final = (100, 250, 500, 1_000)
EARLY_SHARE: Final = 0.015
"""So many honest losers give a match up within the first minutes."""

GIFT_PR: Final = 25.0
"""So much worse than they can do those play who lose on purpose."""

PAST_MATCHES: Final = 57
"""Old accounts have so many analysed matches from before: 4,000 decisions."""

EVENING_MATCHES: Final = 3
LOOKS: Final = (500, 1_000, 2_000)
"""Shares are those of users with so many decisions with an engine, at the end of that evening."""


@dataclass(slots=True)
class Seen:
    """The course of it: meetings, matches, alarms by player, held pairs, rings by transfer."""

    matches: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    meetings: int = 0
    pairs: set[tuple[int, int]] = field(default_factory=set)
    held: set[tuple[int, int]] = field(default_factory=set)
    alarms: dict[int, int] = field(default_factory=dict)
    rings: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    waits: set[int] = field(default_factory=set)


class World:
    """The simulation. `run` returns what was seen."""

    def __init__(self, count: int, seed: int) -> None:
        self.chance = random.Random(seed)
        self.draw = np.random.default_rng(seed)
        self.cast: Cast = cast_of(count, self.chance)
        self.house = StoredMatches(self.cast.players)
        self.samples: dict[int, list[Sample]] = {}
        self.used: Counter[int] = Counter()
        self.seen = Seen()
        for player in self.cast.players:
            past = 0 if player.is_newcomer else PAST_MATCHES
            self.samples[player.number] = [match_of(player.pr, 0.0, self.draw) for _ in range(past)]
            for each in self.samples[player.number]:
                self.house.errors[player.number] += each

    def run(self) -> Seen:
        """Play 90 days."""
        handed = {ring.day: [] for ring in self.cast.rings}
        for ring in self.cast.rings:
            handed[ring.day].append(ring)
        for day in range(DAYS):
            for one, two in self._meetings(day):
                self._evening(day, one, two)
            for ring in handed.get(day, ()):
                self._hand_over(ring)
        return self.seen

    # --- who meets whom -------------------------------------------------------------------------

    def _meetings(self, day: int) -> Iterator[tuple[Player, Player]]:
        """Those who play today, with their friend or somebody of about their strength."""
        free = {
            player.number: player
            for player in self.cast.players
            if player.joined <= day and self.chance.random() < player.rate / 2
        }
        for number, player in list(free.items()):
            friend = player.friend
            if number in free and friend in free and self.chance.random() < 0.5:
                del free[number]
                yield player, free.pop(friend)
        strength = sorted(free.values(), key=lambda each: each.pr_now + self.chance.gauss(0, 3))
        yield from zip(strength[::2], strength[1::2], strict=False)

    def _evening(self, day: int, one: Player, two: Player) -> None:
        """One to three matches of two players, if they may meet for credits."""
        self.seen.meetings += 1
        if kind := self.house.linked(one.number, two.number):
            living = kind if one.friend == two.number else f"{kind}, strangers"
            self.seen.refused[living] += 1
            return
        for _ in range(self.chance.randint(1, EVENING_MATCHES)):
            self._match(day, one, two)
        for player in (one, two):
            self._judge(player.number)

    def _match(self, day: int, one: Player, two: Player) -> None:
        lost = {each.number: self._errors(day, each) for each in (one, two)}
        edge = (lost[two.number].pr - lost[one.number].pr) / 60
        winner, loser = (one, two) if self.chance.random() < 0.5 + edge / 2 else (two, one)
        new = loser.is_newcomer
        played = Played(
            day=day,
            winner=winner.number,
            loser=loser.number,
            stake_cents=self.chance.choice(STAKES_CENTS),
            early=self.chance.random() < EARLY_SHARE,
            stake_share=self.chance.uniform(0.02, 0.6 if new else 0.3),
            lost=lost,
        )
        self._end(played)
        self._conduct(one, two)

    def _errors(self, day: int, player: Player) -> Sample:
        """A player's decisions in one match, with an engine where they use one by now."""
        use = player.use if day >= player.uses_from else 0.0
        sample = match_of(player.pr_now, use, self.draw)
        if use:
            self.used[player.number] += MATCH
        player.played += 1
        self.samples[player.number].append(sample)
        self.house.errors[player.number] += sample
        return sample

    # --- what follows ---------------------------------------------------------------------------

    def _end(self, played: Played) -> bool:
        """Store and judge a match; whether it is held."""
        self.house.store(played)
        self.seen.matches += 1
        pair = (min(played.winner, played.loser), max(played.winner, played.loser))
        held = self.house.is_held(played)
        kinds = {self.cast.players[number].kind for number in pair}
        if "ring" not in kinds:
            self.seen.pairs.add(pair)
            if held:
                self.seen.held.add(pair)
        return held

    def _judge(self, number: int) -> None:
        """Judge a player's play, until there is an alarm."""
        if number in self.seen.alarms:
            return
        if judged_player(self.samples[number][::-1]).judged.rule:
            self.seen.alarms[number] = self.used[number]

    def _conduct(self, one: Player, two: Player) -> None:
        guilty = next((each for each in (one, two) if self.chance.random() < each.leaves), None)
        for each in (one, two):
            if self.house.waits(each.number, each is guilty):
                self.seen.waits.add(each.number)

    # --- rings ----------------------------------------------------------------------------------

    def _hand_over(self, ring: Ring) -> None:
        """The ring's transfers within three days; noted is the one that was held, 0 for none."""
        taker = self.cast.players[ring.taker]
        for number in range(1, RING_TRANSFERS + 1):
            giver = self.cast.players[ring.givers[(number - 1) % len(ring.givers)]]
            if self.house.linked(giver.number, taker.number):
                self.seen.rings[ring.kind].append(-1)
                return
            if self._end(self._transfer(ring, giver, taker, ring.day + number // 3)):
                self.seen.rings[ring.kind].append(number)
                return
        self.seen.rings[ring.kind].append(0)

    def _transfer(self, ring: Ring, giver: Player, taker: Player, day: int) -> Played:
        gives_up = ring.kind.endswith("give up")
        worse = 0.0 if gives_up else GIFT_PR
        lost = {
            giver.number: match_of(giver.pr + worse, 0.0, self.draw),
            taker.number: match_of(taker.pr, 0.0, self.draw),
        }
        new = ring.kind.startswith("new")
        return Played(
            day=day,
            winner=taker.number,
            loser=giver.number,
            stake_cents=1_000,
            early=gives_up,
            stake_share=self.chance.uniform(0.3, 1.0) if new else 0.1,
            lost=lost,
        )


def figures_of(world: World) -> dict[str, Any]:
    """The figures of a world that has run."""
    seen, players = world.seen, world.cast.players
    kinds: dict[str, dict[str, float]] = {}
    for kind in sorted(
        {player.kind for player in players if player.use or player.kind == "honest"}
    ):
        group = [each for each in players if each.kind == kind and len(world.samples[each.number])]
        kinds[kind] = _found(world, [each.number for each in group])
    rings = {kind: _ring(found) for kind, found in sorted(seen.rings.items())}
    evaders = world.cast.evaders
    leavers = [each.number for each in players if each.kind == "leaver" and each.played > 10]
    honest = [each.number for each in players if each.kind == "honest" and each.played > 10]
    return {
        "people": len(players),
        "matches": seen.matches,
        "players": kinds,
        "rings": rings,
        "honest pairs": len(seen.pairs),
        "honest pairs held": len(seen.held) / len(seen.pairs),
        "meetings refused": {kind: many / seen.meetings for kind, many in seen.refused.items()},
        "second accounts linked": sum(bool(world.house.linked(*each)) for each in evaders)
        / len(evaders),
        "leavers who waited": sum(each in seen.waits for each in leavers) / max(len(leavers), 1),
        "honest who waited": sum(each in seen.waits for each in honest) / len(honest),
    }


def _found(world: World, group: list[int]) -> dict[str, float]:
    """How many of a group had an alarm, and by how many decisions with an engine."""
    alarms = {number: world.seen.alarms[number] for number in group if number in world.seen.alarms}
    found: dict[str, float] = {"players": len(group), "alarms": len(alarms) / len(group)}
    for look in LOOKS:
        evening = look + EVENING_MATCHES * MATCH
        reached = [number for number in group if world.used[number] >= evening]
        if reached:
            by = sum(alarms.get(number, evening) < evening for number in reached)
            found[f"by {look}"] = by / len(reached)
    return found


def _ring(found: list[int]) -> dict[str, float]:
    """Rings of a kind: kept from meeting (-1), or held before the fifth transfer."""
    early = sum(number != 0 and number < 5 for number in found)
    return {
        "rings": len(found),
        "kept apart": found.count(-1) / len(found),
        "before the fifth": early / len(found),
        **{f"after {number}": found.count(number) / len(found) for number in range(1, 5)},
    }
