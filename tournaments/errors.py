"""Refusals of the services, beside those of the engine (`tournaments/engine/errors.py`)."""

from django.utils.translation import gettext_noop as _

from games.settlement import StakeNotPossible
from games.table.errors import BadTerms, Later, NotSeated
from tournaments.engine.errors import TournamentError


class NoSuchTournament(TournamentError):
    """There is no tournament with this id."""

    code = "no_such_tournament"
    sentence = _("There is no such tournament.")


class FeeNotPossible(StakeNotPossible):
    """The entry fee cannot go into escrow; `fields["reason"]` says why."""

    sentence = _("You do not have enough credits for this entry fee.")


class PlaysNow(TournamentError):
    """The player has a running match of this tournament; leaving its table forfeits it."""

    code = "plays_now"
    sentence = _("Finish your match first, or leave its table and forfeit it.")


class PaidByTheHouse(TournamentError):
    """Only the house holds tournaments with an entry fee."""

    code = "paid_by_the_house"
    sentence = _("Only the house holds tournaments with an entry fee.")


class OwnTournaments(TournamentError):
    """One person holds so many open tournaments at most."""

    code = "tournaments_too_many"
    sentence = _("You hold as many open tournaments as possible.")


class AnnouncedTooMany(Later):
    """One person announces so many tournaments in a day, those that were called off too."""

    code = "announced_too_many"
    sentence = _(
        "You have announced several tournaments today. The next one is possible at {until}."
    )


class NothingToAdd(TournamentError):
    """Credits are added to fees, once, and before the draw."""

    code = "nothing_to_add"
    staff_sentence = _(
        "Credits are added to entry fees, once, and before the draw. Nothing was added."
    )


class AddedByYou(TournamentError):
    """Nobody plays for credits that they added themselves."""

    code = "added_by_you"
    sentence = _("You have added credits of the house to this tournament.")


class NoSuchClub(TournamentError):
    """There is no club with this id."""

    code = "no_such_club"
    sentence = _("There is no such club.")


class ClubNameTaken(TournamentError):
    """Another club has this name."""

    code = "club_name_taken"
    sentence = _("Another club has this name.")


class ClubWordsWithdrawn(TournamentError):
    """Moderators took this name or description away; no club says it again."""

    code = "club_words_withdrawn"
    sentence = _("The moderators took this away from a club. Choose something else.")


class TitleWithdrawn(TournamentError):
    """Moderators took this name away from a tournament; no other one gets it."""

    code = "title_withdrawn"
    sentence = _("The moderators took this name away from a tournament. Choose another one.")


class NameReserved(TournamentError):
    """The name of a club or a tournament looks like the house's own."""

    code = "name_reserved"
    sentence = _("This name is reserved for the house.")


class NamedByTheHouse(TournamentError):
    """The house named this tournament; nobody reports that or takes it away."""

    code = "named_by_the_house"
    sentence = _("The house gave this name.")


class ClubChanged(TournamentError):
    """The club has another name or description than the one that was judged."""

    code = "club_changed"
    staff_sentence = _("The club has another name or description by now. Look at it again.")


class ClubsTooMany(TournamentError):
    """One person founds so many clubs at most."""

    code = "clubs_too_many"
    sentence = _("You have founded as many clubs as possible.")


class NotDirector(TournamentError):
    """Only a director of the club may do this."""

    code = "not_director"
    sentence = _("Only a director can do this, and nobody in a match of their own.")


class FounderStays(TournamentError):
    """Nobody takes the founder of a club out of it, or the office of a director from them."""

    code = "founder_stays"
    sentence = _("The founder of a club decides alone whether to direct it and when to leave.")


class InvitationRefused(TournamentError):
    """The player has refused an invitation to this club."""

    code = "invitation_refused"
    sentence = _("This player has refused an invitation to this club. They can ask to join.")


class InvitationsTooMany(TournamentError):
    """One person sends so many invitations in a day."""

    code = "invitations_too_many"
    sentence = _("You have invited enough players for today.")


class InvitedTooOften(TournamentError):
    """One person receives so many invitations in a day, and has so many without an answer."""

    code = "invited_too_often"
    sentence = _("This player has enough invitations at the moment.")


class LastDirector(TournamentError):
    """A club keeps a director as long as it has members."""

    code = "last_director"
    sentence = _("Make another member a director first.")


class MembersOnly(TournamentError):
    """The tournament is for members of its club."""

    code = "members_only"
    sentence = _("This tournament is for members of its club.")


class NoMatchCalled(NotSeated):
    """The person has no match of the tournament now."""

    sentence = _("No match of yours is called at the moment.")


class CorrectionReasonMissing(BadTerms):
    """A director gives the reason of a correction."""

    sentence = _("A correction needs a reason of three characters or more.")


class NobodyToInvite(BadTerms):
    """There is no player with this name."""

    sentence = _("There is no such player.")
