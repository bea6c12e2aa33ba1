"""The base of the operations of players."""

from typing import Any

from rest_framework.request import Request
from rest_framework.views import APIView

from games.live.presence import person_seen


class PlayerApi(APIView):
    """An operation of a player. Each request counts as a sign of life, as on the pages.

    So a table that a program opens stays open for as long as its owner requests anything here, or
    has a socket open, and for a minute after that (`games.live.presence.GONE_SECONDS`).
    """

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Check the sender of a request, and record their presence, before anything is done."""
        super().initial(request, *args, **kwargs)
        if request.user.pk is not None:
            person_seen(request.user.pk)
