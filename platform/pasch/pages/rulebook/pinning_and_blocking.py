"""Games in which nobody is hit: a lone checker is pinned or holds its point."""

from typing import Final

from django.utils.translation import gettext_noop as _

from pasch.pages.rulebook.chapter import Chapter, EndingScore, Name, WorkedTurn

#: the chapters by the key of their variant
CHAPTERS: Final[dict[str, Chapter]] = {}

CHAPTERS["plakoto"] = Chapter(
    lead=_(
        "The Greek game of pinning: no checker is hit; land on a lone one, and it is stuck until "
        "you let it go."
    ),
    turn=WorkedTurn(
        position=("-13 0 0 0 0 0 0 1p 0 0 0 0 0 0 0 0 0 0 2 -1 0 0 3 9 | bar 0 0 | off 0 0"),
        dice=(5, 3),
        play="24/19 23/20",
        words=(
            _("The 3 pins the lone dark checker on 20."),
            _("The 5 adds a third checker to the point on 19."),
            _("Two dark checkers are stuck now, on 20 and on 8."),
        ),
    ),
    own_rules=(
        _("The last checker on its own starting point is called the mother."),
        _(
            "Pin the opponent's mother when no checker of yours is left on your own starting "
            "point, and you win two points at once. While one is left, play goes on."
        ),
    ),
    scores=(
        EndingScore(2, _("the mother is pinned")),
        EndingScore(0, _("both mothers are pinned: a tie")),
    ),
    names=(
        Name(
            "Tavli",
            "",
            _("In Tavli it is the second game, after Portes and before Fevga."),
        ),
        Name("Tapa", "", _("A relative without the winning mother; it has its own page.")),
    ),
)

CHAPTERS["tapa"] = Chapter(
    lead=_("The Bulgarian game of pinning: Plakoto without the winning mother."),
    turn=WorkedTurn(
        position=("-13 0 0 0 0 0 0 0 0 0 0 -1 0 0 0 0 -1 1 0 0 2 0 0 12 | bar 0 0 | off 0 0"),
        dice=(4, 1),
        play="21/17 18/17",
        words=(
            _("The 4 pins the dark checker on 17, and the 1 adds a second one on top."),
            _("Your checker on 21 stays behind alone and may be pinned itself."),
        ),
    ),
    own_rules=(_("Pinning the last checker on a starting point wins nothing by itself."),),
    scores=(EndingScore(0, _("the last starters of both sides are pinned: a tie")),),
    names=(
        Name(
            "Plakoto",
            "",
            _("The Greek relative, in which the mother wins; it has its own page."),
        ),
    ),
)

CHAPTERS["fevga"] = Chapter(
    lead=_(
        "The Greek running game, the third of Tavli: one runner must pass the opponent's start "
        "before another checker leaves."
    ),
    turn=WorkedTurn(
        dice=(5, 4),
        play="24/15",
        words=(
            _(
                "One checker plays both numbers: no other one may leave before it has passed 12, "
                "the opponent's start."
            ),
        ),
    ),
    own_rules=(
        _("Until your first runner stands on 11 or lower, only your front-most checker may move."),
        _("You may not occupy all six points of your own starting quarter, 24 to 19."),
        _(
            "If all opposing checkers stand on one point, you may not hold six points in a row "
            "directly in front of them while you have another play."
        ),
    ),
    names=(
        Name("Tavli", "", _("In Tavli it is the third game, after Plakoto.")),
        Name(
            "Moultezim",
            "",
            _("A relative in which you may hold at most four points of your own starting quarter."),
        ),
    ),
)

CHAPTERS["gul_bara"] = Chapter(
    lead=_(
        "The crazy game: no checker is hit, and from the fourth turn on one double sets off all "
        "higher ones."
    ),
    turn=WorkedTurn(
        position=("0 0 0 0 0 0 0 0 0 0 0 -10 0 -1 -2 -2 0 0 0 3 2 0 0 10 | bar 0 0 | off 0 0"),
        dice=(5, 5),
        play="24/19(4)",
        own_turns_before=3,
        words=(_("You have had three turns, so a double runs on."),),
    ),
    own_rules=(
        _("In your first three turns a double is four steps, as everywhere."),
        _(
            "From your fourth turn on it is followed by the next higher doubles up to 6-6, "
            "four steps each. What cannot be played in full ends the turn."
        ),
    ),
    names=(
        Name(
            "Tabla",
            "",
            _("In the Bulgarian series it is the second game, between backgammon and Tapa."),
        ),
    ),
)

CHAPTERS["long_nardi"] = Chapter(
    lead=_(
        "The nardi of the Russian-speaking world and the Caucasus: no checker is hit, one checker "
        "holds a point, and the head empties slowly."
    ),
    turn=WorkedTurn(
        dice=(4, 4),
        play="24/16(2)",
        first_turn=True,
        words=(
            _("In the very first turn 4-4 may take two checkers from the head."),
            _("Both run to 16; the third step of each would end on the opponent's head."),
        ),
    ),
    own_rules=(
        _(
            "The starting point 24 is the head. One checker a turn may leave it; in your own "
            "first turn two may with 3-3, 4-4 or 6-6."
        ),
        _(
            "You may not hold six points in a row on the opponent's way unless an opposing "
            "checker is beyond them, or one has been borne off."
        ),
    ),
    names=(
        Name("Langbackgammon", "de", _("The German name.")),
        Name("Narde", "ru-Latn", _("Another name for Long Nardi.")),
        Name(
            "Oin, mars",
            "",
            _("What a win of one point and a win of two points are called."),
        ),
    ),
)
