"""The decisions of a person that a filter lets through: how many, of which kinds, and which ones.

Two statements count everything, so that each facet has its counts within all the other filters:
one groups the decisions by all that is in their rows, the other by match. What remains is summed
here, over some thousands of groups.
"""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Final, NamedTuple

from django.db.models import Count, Q, QuerySet, Sum

from accounts.models import User
from analysis.decisions.filters import (
    MEDIUM_SECONDS,
    OF_DECISION,
    OF_MATCH,
    QUICK_SECONDS,
    SIZE_VALUES,
    DecisionFilter,
    aways_of,
    cell_values,
    periods_of,
)
from analysis.exercises.themes import THEMES
from analysis.models import DecidedMatch, ListedDecision, MyDecision, PositionNote
from analysis.models.imports import PRACTICE
from backgammon.counting.figures import PR_SCALE

_CELL_FACETS: Final = tuple(OF_DECISION)


class MatchFacts(NamedTuple):
    """A match of the person, as its decisions are filtered by it."""

    opponent: str
    source: str
    variant: str
    played_at: datetime
    counted: int
    lost: float
    periods: tuple[str, ...]

    def values(self, facet: str) -> frozenset[str]:
        """Its values of a facet."""
        if facet == "when":
            return frozenset(self.periods)
        return frozenset(
            {
                self.opponent
                if facet == "opponent"
                else self.source
                if facet == "source"
                else self.variant
            }
        )


class _Cell(NamedTuple):
    """Decisions that are alike in all that is in their rows.

    `fails` names the facets that they do not pass: two of them stand for more.
    """

    values: tuple[str, ...]
    decisions: int
    lost: float
    fails: tuple[str, ...]


@dataclass
class DecisionSearch:
    """The decisions of a person that pass a filter."""

    person: User
    wanted: DecisionFilter
    now: datetime

    @cached_property
    def matches(self) -> dict[int, MatchFacts]:
        """All matches of the person whose decisions are listed."""
        rows = DecidedMatch.objects.filter(person=self.person).values_list(
            *("pk", "opponent", "source", "variant", "played_at", "counted", "lost"),
            *("seat", "match__player_0__username", "match__player_1__username"),
        )
        found = {}
        for pk, name, source, variant, played_at, counted, lost, seat, first, second in rows:
            opponent = name or (second if seat == 0 else first) or ""
            periods = periods_of(played_at, self.now)
            found[pk] = MatchFacts(opponent, source, variant, played_at, counted, lost, periods)
        return found

    @cached_property
    def decisions(self) -> int:
        """How many pass."""
        return sum(cell.decisions for cell in self._cells if not cell.fails)

    @cached_property
    def lost(self) -> float:
        """The points that they lost."""
        return sum(cell.lost for cell in self._cells if not cell.fails)

    @property
    def pr(self) -> float | None:
        """The PR of the person over all listed decisions; practice counts where it is wanted."""
        return self._rate(sum(match.lost for match in self._rated))

    @property
    def pr_part(self) -> float | None:
        """The part of this PR that the decisions that pass cost."""
        return self._rate(self.lost)

    @property
    def all_decisions(self) -> int:
        """The counted decisions of the person."""
        return sum(match.counted for match in self._rated)

    @property
    def _rated(self) -> list[MatchFacts]:
        found = self.matches.values()
        return [each for each in found if self._with_practice or each.source != PRACTICE]

    def _rate(self, lost: float) -> float | None:
        return PR_SCALE * lost / self.all_decisions if self.all_decisions else None

    def counts(self, facet: str) -> Counter[str]:
        """The decisions of each value of a facet within all the other filters."""
        return self._match_counts[facet] if facet in OF_MATCH else self._cell_counts[facet]

    def rows(self, first: int, most: int) -> list[MyDecision]:
        """Some of the decisions in the order that is asked for, from the place `first` on."""
        if self.wanted.sort == "newest":
            keys = self._newest(first, most)
        elif self.wanted.sort == "theme":
            keys = self._by_theme(first, most)
        else:
            keys = self._costliest(self.queryset(), first, most)
        rows = MyDecision.objects.select_related("decision__report", "match__imported").in_bulk(
            keys
        )
        return [rows[key] for key in keys]

    def _costliest(self, found: QuerySet[MyDecision], first: int, most: int) -> list[int]:
        return list(
            found.order_by("-loss", "pk").values_list("pk", flat=True)[first : first + most]
        )

    def _by_theme(self, first: int, most: int) -> list[int]:
        """The themes follow each other; their counts say where a page begins."""
        keys: list[int] = []
        passing: Counter[str] = Counter()
        for cell in self._cells:
            if not cell.fails:
                passing[cell.values[_CELL_FACETS.index("theme")]] += cell.decisions
        for theme in THEMES:
            if first < passing[theme] and len(keys) < most:
                found = self.queryset().filter(theme=theme)
                keys += self._costliest(found, first, most - len(keys))
            first = max(0, first - passing[theme])
        return keys

    def _newest(self, first: int, most: int) -> list[int]:
        """The matches follow each other, the last one first; within one, as it was played."""
        passing = [
            (self.matches[pk].played_at, pk, decisions)
            for pk, decisions in self._by_match.items()
            if not self._fails(self.matches[pk])
        ]
        shown, before, seen = [], 0, 0
        for _played_at, pk, decisions in sorted(passing, reverse=True):
            if seen + decisions <= first:
                before += decisions
            elif seen < first + most:
                shown.append(pk)
            seen += decisions
        found = self.queryset().filter(match__in=shown)
        order = ("-match__played_at", "-match", "decision__game", "decision__number")
        place = first - before
        return list(found.order_by(*order).values_list("pk", flat=True)[place : place + most])

    def queryset(self) -> QuerySet[MyDecision]:
        """The decisions that pass, in no order."""
        return self._base.filter(self._matches_wanted, self._facets_wanted)

    # --- the two statements -----------------------------------------------------------------------

    @cached_property
    def _base(self) -> QuerySet[MyDecision]:
        """The decisions that pass everything but the facets."""
        found = MyDecision.objects.filter(person=self.person)
        wanted = self.wanted
        if wanted.roll:
            found = found.filter(roll=int(wanted.roll))
        own, other = aways_of(wanted.away)
        if own is not None:
            found = found.filter(own_away=own)
        if other is not None:
            found = found.filter(opponent_away=other)
        if wanted.noted:
            notes = PositionNote.objects.filter(person=self.person)
            found = found.filter(position__in=list(notes.values_list("position", flat=True)))
        if wanted.listed is not None:
            entries = ListedDecision.objects.filter(
                list=wanted.listed, list__person=self.person, list__removed_at=None
            )
            found = found.filter(decision__in=list(entries.values_list("decision", flat=True)))
        return found

    @cached_property
    def _cells(self) -> list[_Cell]:
        """The decisions that pass the facets of the match, grouped."""
        grouped = self._base.filter(self._matches_wanted).values_list("cell")
        summed = grouped.annotate(decisions=Count("pk"), lost_=Sum("loss")).order_by()
        chosen = [self.wanted.chosen(facet) for facet in _CELL_FACETS]
        active = [place for place, values in enumerate(chosen) if values]
        found = []
        for number, decisions, lost in summed:
            values = cell_values(number)
            fails = [_CELL_FACETS[at] for at in active if values[at] not in chosen[at]]
            found.append(_Cell(values, decisions, lost, (*fails[:2],)))
        return found

    @cached_property
    def _cell_counts(self) -> dict[str, Counter[str]]:
        found: dict[str, Counter[str]] = {facet: Counter() for facet in _CELL_FACETS}
        for cell in self._cells:
            if len(cell.fails) > 1:
                continue
            for facet, value in zip(_CELL_FACETS, cell.values, strict=True):
                if not cell.fails or cell.fails[0] == facet:
                    found[facet][value] += cell.decisions
        return found

    @cached_property
    def _match_counts(self) -> dict[str, Counter[str]]:
        found: dict[str, Counter[str]] = {facet: Counter() for facet in OF_MATCH}
        for number, decisions in self._by_match.items():
            match = self.matches[number]
            fails = self._fails(match)
            for facet in OF_MATCH if not fails else fails if len(fails) == 1 else ():
                for value in match.values(facet):
                    found[facet][value] += decisions
        return found

    @cached_property
    def _by_match(self) -> dict[int, int]:
        """How many decisions of each match pass the facets of the decision."""
        found = self._base.filter(self._facets_wanted).values_list("match")
        return dict(found.annotate(decisions=Count("pk")).order_by())

    @property
    def _matches_wanted(self) -> Q:
        passing = [key for key, match in self.matches.items() if not self._fails(match)]
        return Q() if len(passing) == len(self.matches) else Q(match__in=passing)

    def _fails(self, match: MatchFacts) -> list[str]:
        """The facets of the match that it does not pass; practice passes where it is chosen."""
        fails = [
            facet
            for facet in OF_MATCH
            if self.wanted.chosen(facet) and not self.wanted.chosen(facet) & match.values(facet)
        ]
        return fails if self._with_practice or match.source != PRACTICE else [*fails, "source"]

    @property
    def _with_practice(self) -> bool:
        """Return True if decisions of matches against bots are among those that are wanted."""
        return bool(self.wanted.chosen("source")) or self.wanted.listed is not None

    @property
    def _facets_wanted(self) -> Q:
        """The facets of the decision as a condition."""
        found = Q()
        for facet in ("kind", "theme", "phase", "score"):
            if values := self.wanted.chosen(facet):
                found &= Q(**{f"{facet}__in": sorted(values)})
        if sizes := self.wanted.chosen("size"):
            found &= Q(size__in=sorted(SIZE_VALUES.index(each) for each in sizes))
        if paces := self.wanted.chosen("pace"):
            found &= _pace(paces)
        if len(engines := self.wanted.chosen("engines")) == 1:
            found &= Q(agrees="agree" in engines)
        if len(made := self.wanted.chosen("exercise")) == 1:
            found &= Q(in_set="made" in made)
        return found


def _pace(values: frozenset[str]) -> Q:
    found = Q(pk=None)
    if "quick" in values:
        found |= Q(seconds__lte=QUICK_SECONDS)
    if "medium" in values:
        found |= Q(seconds__gt=QUICK_SECONDS, seconds__lte=MEDIUM_SECONDS)
    if "slow" in values:
        found |= Q(seconds__gt=MEDIUM_SECONDS)
    return found
