"""The talk of a club: members write; those who may see it read it; directors take lines away."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext_noop as _

from games.services.chat import Address, Heard, messages_in
from games.services.chat_reports import NoSuchMessage
from games.table.errors import NotSeated
from tournaments.errors import NoSuchClub
from tournaments.models import Club
from tournaments.services.clubs import director_check, is_member
from tournaments.visibility import clubs_seen


class NotMember(NotSeated):
    """Only members of the club may do this."""

    code = "not_member"
    sentence = _("Members of the club write here.")


@dataclass(frozen=True, slots=True)
class ClubRoom:
    """The talk of a club."""

    club_id: UUID

    @property
    def key(self) -> str:
        """The club's name among all rooms."""
        return f"club:{self.club_id}"

    @property
    def place(self) -> Mapping[str, Any]:
        """Messages name their room."""
        return {"room": self.key}

    def seats(self) -> tuple[int | None, int | None]:
        """Nobody plays in a club's room."""
        return None, None

    def is_open_to(self, user_id: int | None, /) -> bool:
        """Return True for readers who see the club."""
        return clubs_seen(user_id).filter(pk=self.club_id).exists()

    def admit(self, user_id: int, to: Address) -> Heard:
        """Lock the club; members write to all who may read. Raises `NoSuchClub`, `NotMember`."""
        if not Club.objects.select_for_update(no_key=True).filter(pk=self.club_id).exists():
            raise NoSuchClub("there is no such club")
        if not is_member(self.club_id, user_id):
            raise NotMember("members of the club write here")
        return Heard(audience="everybody")


def line_remove(*, director_id: int, club_id: UUID, message_id: int) -> None:
    """Take a line out of the talk of a club; a report keeps its copy.

    Raises `NoSuchClub`, `NotDirector`, `NoSuchMessage`.
    """
    with transaction.atomic():
        club = Club.objects.select_for_update(no_key=True).filter(pk=club_id).first()
        if club is None:
            raise NoSuchClub("there is no such club")
        director_check(club, director_id)
        said = messages_in(ClubRoom(club_id)).select_for_update(no_key=True)
        message = said.filter(pk=message_id).first()
        if message is None:
            raise NoSuchMessage("there is no such message here")
        message.delete()
