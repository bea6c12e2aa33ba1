"""Plakoto in words."""

from django.utils.translation import gettext_noop

from pasch.pages.rulebook.chapter import Chapter, EndingScore, Name, WorkedTurn

CHAPTER = Chapter(
    lead=gettext_noop(
        "The Greek game of pinning: no checker is hit; land on a lone one, and it is stuck until "
        "you let it go."
    ),
    turn=WorkedTurn(
        position=("-13 0 0 0 0 0 0 1p 0 0 0 0 0 0 0 0 0 0 2 -1 0 0 3 9 | bar 0 0 | off 0 0"),
        dice=(5, 3),
        play="24/19 23/20",
        words=(
            gettext_noop("The 3 pins the lone dark checker on 20."),
            gettext_noop("The 5 adds a third checker to the point on 19."),
            gettext_noop("Two dark checkers are stuck now, on 20 and on 8."),
        ),
    ),
    own_rules=(
        gettext_noop("The last checker on its own starting point is called the mother."),
        gettext_noop(
            "Pin the opponent's mother when no checker of yours is left on your own starting "
            "point, and you win two points at once. While one is left, play goes on."
        ),
    ),
    scores=(
        EndingScore(2, gettext_noop("the mother is pinned")),
        EndingScore(0, gettext_noop("both mothers are pinned: a tie")),
    ),
    names=(
        Name(
            "Tavli",
            "",
            gettext_noop("In Tavli it is the second game, after Portes and before Fevga."),
        ),
        Name(
            "Tapa", "", gettext_noop("A relative without the winning mother; it has its own page.")
        ),
    ),
)
