"""Short Nardi in words."""

from django.utils.translation import gettext_noop

from pasch.pages.rulebook.chapter import Chapter, Name, WorkedTurn

CHAPTER = Chapter(
    lead=gettext_noop(
        "The Russian name of standard backgammon: the same rules, with ratings of its own."
    ),
    turn=WorkedTurn(
        dice=(6, 1),
        play="13/7 8/7",
        words=(
            gettext_noop("The 6 and the 1 close your point 7, directly in front of your home."),
        ),
    ),
    names=(Name("Backgammon", "en", gettext_noop("The same game under its international name.")),),
)
