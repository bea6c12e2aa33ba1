"""Players who enter tournaments, and matches that end quickly."""

from django.db.models import F

from tests.aging import rows_age
from tournaments.models import Meeting
from tournaments.services.running import GRACE, tournament_move_on


def late(meeting: Meeting) -> None:
    """Let the grace of a called meeting be over."""
    rows_age(
        Meeting.objects.filter(pk=meeting.pk),
        called_at=F("called_at") - GRACE,
        due_at=F("due_at") - GRACE,
    )
    tournament_move_on(meeting.tournament_id)
    meeting.refresh_from_db()
