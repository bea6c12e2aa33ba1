"""Acey-deucey in words."""

from django.utils.translation import gettext_noop

from pasch.pages.rulebook.chapter import Chapter, WorkedTurn

CHAPTER = Chapter(
    lead=gettext_noop(
        "The game of the American navy: both players begin with an empty board, and 1-2 is the "
        "luckiest roll."
    ),
    turn=WorkedTurn(
        dice=(2, 1),
        play="hand/24 hand/23",
        words=(gettext_noop("The 1 enters a checker on 24, the 2 one on 23."),),
    ),
    own_rules=(
        gettext_noop(
            "Checkers enter from the hand on 24 to 19, as the dice say. Those that have entered "
            "may move before the others enter."
        ),
        gettext_noop("A checker that was hit enters before anything else."),
        gettext_noop(
            "After 1-2, played in full, you name any double and play it; if that is played in"
            " full too, you roll again."
        ),
        gettext_noop(
            "Other doubles played in full give another roll, unless the table switches that off."
        ),
    ),
)
