"""Russian backgammon in words."""

from django.utils.translation import gettext_noop

from pasch.pages.rulebook.chapter import Chapter, WorkedTurn

CHAPTER = Chapter(
    lead=gettext_noop(
        "Both sides enter on an empty board and run the same way; a double is followed by that of "
        "the opposite side of the die."
    ),
    turn=WorkedTurn(
        dice=(2, 2),
        play="hand/23(4)",
        words=(gettext_noop("Four checkers enter on 23."),),
    ),
    own_rules=(
        gettext_noop(
            "Checkers enter from the hand on 24 to 19. Those that were hit must enter before "
            "anything else; the others when you like."
        ),
        gettext_noop(
            "A double played in full is followed by the double on the other side of the die, "
            "seven minus its number, and then by another roll."
        ),
    ),
)
