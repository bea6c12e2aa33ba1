"""The running games of the reader, in the header of every page."""

from typing import Any

from django import template
from django.template.context import Context

from accounts.guests import person_of
from games.services.running import running_of

register = template.Library()


@register.simple_tag(takes_context=True)
def running_games(context: Context) -> list[dict[str, Any]]:
    """The reader's running games: one query for a person or guest, none for a stranger.

    The page of a table leaves out its own, and a page that has read them gives them as `running`.
    """
    request = context.get("request")
    if request is None:
        return []
    if "running_games" in context:
        return list(context["running_games"])
    person_id = person_of(request)
    here = context.get("table_id")
    return [] if person_id is None else running_of(person_id, [here] if here else ())
