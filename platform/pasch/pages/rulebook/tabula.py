"""Tabula in words."""

from django.utils.translation import gettext_noop

from pasch.pages.rulebook.chapter import Chapter, WorkedTurn

CHAPTER = Chapter(
    lead=gettext_noop(
        "The Roman game of Emperor Zeno's unlucky throw: three dice, one common path, an "
        "empty board."
    ),
    turn=WorkedTurn(
        position=("0 1 0 -2 2 2 -2 0 0 -2 -2 -1 -2 -2 2 1 -2 0 7 0 0 0 0 0 | bar 0 0 | off 0 0"),
        dice=(2, 5, 6),
        play="15/9 6/1 5/3",
        words=(
            gettext_noop(
                "Emperor Zeno threw 2, 5 and 6 about the year 480; a poem has kept the position."
            ),
            gettext_noop("It is the one legal play, and it leaves eight lone checkers."),
        ),
    ),
    own_rules=(
        gettext_noop(
            "Three dice are rolled and each is played once. Equal dice earn nothing more."
        ),
        gettext_noop(
            "While you have checkers in hand, none of yours may go beyond the first half, to "
            "12 or lower."
        ),
    ),
)
