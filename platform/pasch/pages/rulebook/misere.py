"""Misère in words."""

from django.utils.translation import gettext_noop

from pasch.pages.rulebook.chapter import Chapter, WorkedTurn

CHAPTER = Chapter(
    lead=gettext_noop("Backgammon to lose: the player who bears off everything first loses."),
    turn=WorkedTurn(
        dice=(6, 3),
        play="24/18 13/10",
        words=(
            gettext_noop("Both numbers must be played, as always."),
            gettext_noop(
                "Three lone checkers invite hits: a checker that is hit has a longer way, and here "
                "that is good."
            ),
        ),
    ),
    own_rules=(
        gettext_noop("All rules of moving hold, including the duty to play both dice."),
        gettext_noop("The player who has borne off all checkers loses. There are no gammons."),
    ),
)
