"""Tapa in words."""

from django.utils.translation import gettext_noop

from pasch.pages.rulebook.chapter import Chapter, EndingScore, Name, WorkedTurn

CHAPTER = Chapter(
    lead=gettext_noop("The Bulgarian game of pinning: Plakoto without the winning mother."),
    turn=WorkedTurn(
        position=("-13 0 0 0 0 0 0 0 0 0 0 -1 0 0 0 0 -1 1 0 0 2 0 0 12 | bar 0 0 | off 0 0"),
        dice=(4, 1),
        play="21/17 18/17",
        words=(
            gettext_noop("The 4 pins the dark checker on 17, and the 1 adds a second one on top."),
            gettext_noop("Your checker on 21 stays behind alone and may be pinned itself."),
        ),
    ),
    own_rules=(
        gettext_noop("Pinning the last checker on a starting point wins nothing by itself."),
    ),
    scores=(EndingScore(0, gettext_noop("the last starters of both sides are pinned: a tie")),),
    names=(
        Name(
            "Plakoto",
            "",
            gettext_noop("The Greek relative, in which the mother wins; it has its own page."),
        ),
    ),
)
