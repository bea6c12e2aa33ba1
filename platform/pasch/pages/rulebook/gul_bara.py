"""Gul Bara in words."""

from django.utils.translation import gettext_noop

from pasch.pages.rulebook.chapter import Chapter, Name, WorkedTurn

CHAPTER = Chapter(
    lead=gettext_noop(
        "The crazy game: no checker is hit, and from the fourth turn on one double sets off all "
        "higher ones."
    ),
    turn=WorkedTurn(
        position=("0 0 0 0 0 0 0 0 0 0 0 -10 0 -1 -2 -2 0 0 0 3 2 0 0 10 | bar 0 0 | off 0 0"),
        dice=(5, 5),
        play="24/19(4)",
        own_turns_before=3,
        words=(gettext_noop("You have had three turns, so a double runs on."),),
    ),
    own_rules=(
        gettext_noop("In your first three turns a double is four steps, as everywhere."),
        gettext_noop(
            "From your fourth turn on it is followed by the next higher doubles up to 6-6, "
            "four steps each. What cannot be played in full ends the turn."
        ),
    ),
    names=(
        Name(
            "Tabla",
            "",
            gettext_noop(
                "In the Bulgarian series it is the second game, between backgammon and Tapa."
            ),
        ),
    ),
)
