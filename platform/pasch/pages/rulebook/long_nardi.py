"""Long Nardi in words."""

from django.utils.translation import gettext_noop

from pasch.pages.rulebook.chapter import Chapter, Name, WorkedTurn

CHAPTER = Chapter(
    lead=gettext_noop(
        "The nardi of the Russian-speaking world and the Caucasus: no checker is hit, one checker "
        "holds a point, and the head empties slowly."
    ),
    turn=WorkedTurn(
        dice=(4, 4),
        play="24/16(2)",
        first_turn=True,
        words=(
            gettext_noop("In the very first turn 4-4 may take two checkers from the head."),
            gettext_noop(
                "Both run to 16; the third step of each would end on the opponent's head."
            ),
        ),
    ),
    own_rules=(
        gettext_noop(
            "The starting point 24 is the head. One checker a turn may leave it; in your own "
            "first turn two may with 3-3, 4-4 or 6-6."
        ),
        gettext_noop(
            "You may not hold six points in a row on the opponent's way unless an opposing "
            "checker is beyond them, or one has been borne off."
        ),
    ),
    names=(
        Name("Langbackgammon", "de", gettext_noop("The German name.")),
        Name("Narde", "ru-Latn", gettext_noop("Another name for Long Nardi.")),
        Name(
            "Oin, mars",
            "",
            gettext_noop("What a win of one point and a win of two points are called."),
        ),
    ),
)
