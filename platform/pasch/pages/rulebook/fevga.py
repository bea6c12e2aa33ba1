"""Fevga in words."""

from django.utils.translation import gettext_noop

from pasch.pages.rulebook.chapter import Chapter, Name, WorkedTurn

CHAPTER = Chapter(
    lead=gettext_noop(
        "The Greek running game, the third of Tavli: one runner must pass the opponent's start "
        "before another checker leaves."
    ),
    turn=WorkedTurn(
        dice=(5, 4),
        play="24/15",
        words=(
            gettext_noop(
                "One checker plays both numbers: no other one may leave before it has passed 12, "
                "the opponent's start."
            ),
        ),
    ),
    own_rules=(
        gettext_noop(
            "Until your first runner stands on 11 or lower, only your front-most checker may move."
        ),
        gettext_noop("You may not occupy all six points of your own starting quarter, 24 to 19."),
        gettext_noop(
            "If all opposing checkers stand on one point, you may not hold six points in a row "
            "directly in front of them while you have another play."
        ),
    ),
    names=(
        Name("Tavli", "", gettext_noop("In Tavli it is the third game, after Plakoto.")),
        Name(
            "Moultezim",
            "",
            gettext_noop(
                "A relative in which you may hold at most four points of your own starting quarter."
            ),
        ),
    ),
)
