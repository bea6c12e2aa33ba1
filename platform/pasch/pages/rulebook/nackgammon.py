"""Nackgammon in words."""

from django.utils.translation import gettext_noop

from pasch.pages.rulebook.chapter import Chapter, WorkedTurn

CHAPTER = Chapter(
    lead=gettext_noop(
        "Backgammon with four checkers far back instead of two: longer games, more contact."
    ),
    turn=WorkedTurn(
        dice=(3, 1),
        play="8/5 6/5",
        words=(
            gettext_noop("The 3 and the 1 close your point 5, as in backgammon."),
            gettext_noop("Two checkers stay on 8 and three on 6, so both points are still closed."),
        ),
    ),
)
