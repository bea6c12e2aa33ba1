"""Refusals of the services, beside those of the engine (`tournaments/engine/errors.py`)."""

from games.table.errors import Later, TableError


class NoSuchTournament(TableError):
    """There is no tournament with this id."""

    code = "no_such_tournament"


class FeeNotPossible(TableError):
    """The entry fee cannot go into escrow; `fields["reason"]` says why."""

    code = "insufficient_credits"


class PlaysNow(TableError):
    """The player has a running match of this tournament; leaving its table forfeits it."""

    code = "plays_now"


class PaidByTheHouse(TableError):
    """Only the house holds tournaments with an entry fee."""

    code = "paid_by_the_house"


class OwnTournaments(TableError):
    """One person holds so many open tournaments at most."""

    code = "tournaments_too_many"


class AnnouncedTooMany(Later):
    """One person announces so many tournaments in a day, those that were called off too."""

    code = "announced_too_many"


class NothingToAdd(TableError):
    """Credits are added to fees, once, and before the draw."""

    code = "nothing_to_add"


class AddedByYou(TableError):
    """Nobody plays for credits that they added themselves."""

    code = "added_by_you"


class NoSuchClub(TableError):
    """There is no club with this id."""

    code = "no_such_club"


class ClubNameTaken(TableError):
    """Another club has this name."""

    code = "club_name_taken"


class ClubWordsWithdrawn(TableError):
    """Moderators took this name or description away; no club says it again."""

    code = "club_words_withdrawn"


class TitleWithdrawn(TableError):
    """Moderators took this name away from a tournament; no other one gets it."""

    code = "title_withdrawn"


class NameReserved(TableError):
    """The name of a club or a tournament looks like the house's own."""

    code = "name_reserved"


class NamedByTheHouse(TableError):
    """The house named this tournament; nobody reports that or takes it away."""

    code = "named_by_the_house"


class ClubChanged(TableError):
    """The club has another name or description than the one that was judged."""

    code = "club_changed"


class ClubsTooMany(TableError):
    """One person founds so many clubs at most."""

    code = "clubs_too_many"


class NotDirector(TableError):
    """Only a director of the club may do this."""

    code = "not_director"


class FounderStays(TableError):
    """Nobody takes the founder of a club out of it, or the office of a director from them."""

    code = "founder_stays"


class InvitationRefused(TableError):
    """The player has refused an invitation to this club."""

    code = "invitation_refused"


class InvitationsTooMany(TableError):
    """One person sends so many invitations in a day."""

    code = "invitations_too_many"


class InvitedTooOften(TableError):
    """One person receives so many invitations in a day, and has so many without an answer."""

    code = "invited_too_often"


class LastDirector(TableError):
    """A club keeps a director as long as it has members."""

    code = "last_director"


class MembersOnly(TableError):
    """The tournament is for members of its club."""

    code = "members_only"


class TournamentRefused(TableError):
    """A refusal of the engine, with its code."""

    def __init__(self, message: str, *, code: str) -> None:
        super().__init__(message)
        self.code = code
