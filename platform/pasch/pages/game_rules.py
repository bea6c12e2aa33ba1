"""The rules of one game, drawn: set-up, differences, scores, a turn played out."""

from dataclasses import dataclass
from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from backgammon.pictures.board import Arrow, moves_as_arrows
from backgammon.rules.match import SERIES, TABLA_LENGTHS, TAVLI_LENGTHS
from backgammon.rules.moves import Move
from backgammon.rules.notation import format_play, parse_play
from backgammon.rules.position import Position
from backgammon.rules.variant import TurnFlow, Variant
from backgammon.rules.variants import ALL, by_key
from games.forms.names import GAME_NAMES
from games.modes.registry import ALL as MODES
from games.selectors_lobby import tables_open_count
from pasch.pages import game_words
from pasch.pages.rulebook import chapter_of
from pasch.pages.rulebook.chapter import WorkedTurn

#: the shortest match of each series
SHORTEST: Final = {"tavli": TAVLI_LENGTHS[0], "tabla": TABLA_LENGTHS[0]}


@dataclass(frozen=True, slots=True)
class WorkedExample:
    """A worked turn as the engine plays it."""

    before: Position
    after: Position
    dice: tuple[int, ...]
    moves: tuple[Move, ...]
    text: str
    flow: TurnFlow

    @property
    def arrows(self) -> tuple[Arrow, ...]:
        """One arrow for each move, with its die."""
        return moves_as_arrows(self.moves)


@dataclass(frozen=True, slots=True)
class Shot:
    """A small picture of a rule, with its words."""

    title: str
    words: str
    position: str
    arrows: tuple[Arrow, ...] = ()


def played(variant: Variant, turn: WorkedTurn) -> WorkedExample:
    """Play a worked turn out.

    :raises IllegalPlay: if the engine does not accept it.
    """
    before = Position.parse(turn.position) if turn.position else variant.start
    moves = parse_play(variant, before, turn.dice, turn.play, first_turn=turn.first_turn)
    plays = variant.legal_plays(before, turn.dice, first_turn=turn.first_turn)
    flow = variant.flow(
        turn.dice, all_played=plays.all_played, own_turns_before=turn.own_turns_before
    )
    after = plays.graph.follow(moves)
    text = format_play(variant, before, moves)
    return WorkedExample(before, after, turn.dice, moves, text, flow)


@require_safe
def game_rules(request: HttpRequest, game: str) -> HttpResponse:
    """Show the rules of a variant or a series; needs no login."""
    if game in SERIES:
        return render(request, "pasch/rules_series.html", series_context(game))
    if game not in {variant.key for variant in ALL}:
        raise Http404
    context = {**variant_context(by_key(game)), "open_count": tables_open_count(game)}
    return render(request, "pasch/rules_game.html", context)


def variant_context(variant: Variant) -> dict[str, Any]:
    """Everything that the page of a variant shows, but the open tables."""
    chapter = chapter_of(variant.key)
    movement = variant.movement
    return {
        "key": variant.key,
        "name": str(GAME_NAMES[variant.key]),
        "lead": _(chapter.lead) if chapter else "",
        "badges": game_words.badges(variant),
        "start": variant.start,
        "setup": game_words.setup(variant),
        "direction": game_words.direction(variant),
        "begins": game_words.start(variant),
        "is_standard": variant.key == game_words.STANDARD,
        "differences": game_words.differences(variant),
        "meeting": game_words.meeting(movement),
        "kind": "hits" if movement.hits else "pins" if movement.pins else "blocks",
        "shots": shots(variant),
        "own_rules": [_(words) for words in chapter.own_rules] if chapter else [],
        "bearing_off": list(game_words.bearing_off(movement)),
        "has_cube": variant.has_cube,
        "scores": [
            *game_words.scores(variant),
            *(
                game_words.ScoreRow(str(score.points), _(score.words))
                for score in (chapter.scores if chapter else ())
            ),
        ],
        "options": [(_(o.name), _(o.sentence)) for o in game_words.optional_rules(variant)],
        **_turn_context(variant, chapter.turn if chapter else None),
        "names": [(n.name, n.language, _(n.words)) for n in chapter.names] if chapter else [],
    }


def _turn_context(variant: Variant, turn: WorkedTurn | None) -> dict[str, Any]:
    if turn is None:
        return {"turn": None}
    done = played(variant, turn)
    sentences = [_(words) for words in turn.words]
    if more := game_words.sequel(done.flow):
        sentences.append(more)
    return {"turn": done, "turn_dice": ", ".join(map(str, turn.dice)), "turn_words": sentences}


def shots(variant: Variant) -> list[Shot]:
    """The rule for checkers that meet, in pictures of the own home and outer board."""
    if variant.movement.hits:
        return [
            Shot(_("Hit"), _("A 2 lands on the lone dark checker."), _board({6: 2, 4: -1}),
                 (Arrow(6, 4, "2"),)),
            Shot(_("On the bar"), _("It waits in the middle and has to enter first."),
                 _board({6: 1, 4: 1}, bar=1)),
            Shot(_("Closed"), _("Two dark checkers: you may not land there."),
                 _board({6: 2, 4: -2}), (Arrow(6, 4, "", "wrong"),)),
        ]  # fmt: skip
    if variant.movement.pins:
        return [
            Shot(_("Pin"), _("A 2 lands on the lone dark checker."), _board({6: 2, 4: -1}),
                 (Arrow(6, 4, "2"),)),
            Shot(_("Held"), _("It cannot move, and the point is closed to its side."),
                 _board({6: 1, 4: 1}, pinned=(4,))),
            Shot(_("Free again"), _("When your last checker has left, it may move at once."),
                 _board({4: -1, 3: 1, 6: 1})),
        ]  # fmt: skip
    return [
        Shot(_("Closed"), _("One dark checker holds the point: you may not land there."),
             _board({6: 2, 4: -1}), (Arrow(6, 4, "", "wrong"),)),
        Shot(_("Go past it"), _("You may jump over it if you land on a free point."),
             _board({6: 2, 4: -1}), (Arrow(6, 3, "3"),)),
    ]  # fmt: skip


def _board(points: dict[int, int], bar: int = 0, pinned: tuple[int, ...] = ()) -> str:
    """A position with these checkers alone, as text; `bar` is the opponent's."""
    counts = tuple(points.get(point, 0) for point in range(1, 25))
    return Position(counts, bar=(0, bar), pinned=pinned).text()


def series_context(key: str) -> dict[str, Any]:
    """Everything that the page of a series shows."""
    mode = next(mode for mode in MODES if mode.key == key)
    games = [by_key(each) for each in SERIES[key](SHORTEST[key]).cycle]
    return {
        "key": key,
        "name": str(GAME_NAMES[key]),
        "lead": _(mode.summary),
        "sentences": [_(words) for words in mode.rules],
        "games": [
            {"key": each.key, "name": str(GAME_NAMES[each.key]), "start": each.start,
             "badges": game_words.badges(each)}
            for each in games
        ],
        "most": max(game.levels[-1] for game in games),
    }  # fmt: skip


def games_shown() -> list[dict[str, Any]]:
    """Every variant and then every series, for the list of games."""
    variants = [
        {
            "key": each.key,
            "name": str(GAME_NAMES[each.key]),
            "start": each.start,
            "drawn_as": each.key,
            "lead": _(chapter.lead) if (chapter := chapter_of(each.key)) else "",
        }
        for each in ALL
    ]
    series = [series_context(key) for key in SERIES]
    return variants + [
        {"key": each["key"], "name": each["name"], "lead": each["lead"],
         "start": each["games"][0]["start"], "drawn_as": each["games"][0]["key"]}
        for each in series
    ]  # fmt: skip


def rules_chosen() -> list[dict[str, Any]]:
    """Every rule that a table may choose, with its sentence and the games that offer it."""
    found: dict[str, dict[str, Any]] = {}
    for variant in ALL:
        for choice in game_words.optional_rules(variant):
            row = found.setdefault(
                choice.field,
                {"name": _(choice.name), "sentence": _(choice.sentence), "games": []},
            )
            row["games"].append(str(GAME_NAMES[variant.key]))
    for row in found.values():
        everywhere = len(row["games"]) == len(ALL)
        row["where"] = _("all games") if everywhere else ", ".join(row["games"])
    return list(found.values())
