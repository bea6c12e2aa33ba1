"""Portes in words."""

from django.utils.translation import gettext_noop

from pasch.pages.rulebook.chapter import Chapter, Name, WorkedTurn

CHAPTER = Chapter(
    lead=gettext_noop("Greek backgammon without the cube; the first game of Tavli."),
    turn=WorkedTurn(
        dice=(4, 2),
        play="8/4 6/4",
        words=(gettext_noop("The 4 and the 2 close your point 4, inside your home."),),
    ),
    own_rules=(
        gettext_noop("A backgammon counts as a gammon: two points."),
        gettext_noop(
            "A table may rule out hit-and-run: a checker that hits in its own home then stays"
            " there for the turn."
        ),
    ),
    names=(Name("Tavli", "", gettext_noop("Portes, Plakoto and Fevga in turn.")),),
)
