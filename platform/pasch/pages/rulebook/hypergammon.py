"""Hypergammon in words."""

from django.utils.translation import gettext_noop

from pasch.pages.rulebook.chapter import Chapter, WorkedTurn

CHAPTER = Chapter(
    lead=gettext_noop(
        "Backgammon with three checkers a side: a game takes a few rolls, and every one of "
        "them matters."
    ),
    turn=WorkedTurn(
        dice=(6, 5),
        play="24/18 23/18",
        words=(
            gettext_noop("With 6 and 5 two checkers meet on 18 and are safe there."),
            gettext_noop("The third one on 22 may still be hit."),
        ),
    ),
    own_rules=(
        gettext_noop("It is a gammon if the loser has borne off none of the three checkers."),
        gettext_noop(
            "Where games are settled one by one, the Jacoby rule holds unless the table says "
            "otherwise: gammons count only after a double was taken."
        ),
    ),
)
