"""Backgammon in words."""

from django.utils.translation import gettext_noop

from pasch.pages.rulebook.chapter import Chapter, WorkedTurn

CHAPTER = Chapter(
    lead=gettext_noop(
        "The game against which all others here are described: hit, block, race home, and double."
    ),
    turn=WorkedTurn(
        dice=(3, 1),
        play="8/5 6/5",
        words=(
            gettext_noop("A 3 and a 1 bring two checkers together on your point 5."),
            gettext_noop("The point is closed now: no opposing checker may land there."),
        ),
    ),
    own_rules=(
        gettext_noop(
            "Both dice must be played if that is possible. If only one of them can be played,"
            " it must be the larger one where either could be."
        ),
        gettext_noop("Equal dice count four times."),
    ),
)
