"""Who sits at a table, as every client sees it."""

from django.contrib.auth import get_user_model

from games import settlement
from games.table.terms import Terms

Person = dict[str, object]


def people_at(seats: tuple[int | None, int | None], terms: Terms) -> list[Person | None]:
    """Name, rating and strength by seat; the rating is that of this moment."""
    pool = settlement.rating_pool(variant=terms.variant, stake_cents=terms.stake_cents)
    seated = [user_id for user_id in seats if user_id is not None]
    standings = settlement.standings(seated, pool)
    users = get_user_model().objects.in_bulk(seated)
    return [
        {
            "id": user_id,
            "name": users[user_id].get_username(),
            "elo": standings[user_id].whole,
            "strength": standings[user_id].strength,
            "bot": users[user_id].is_bot,
        }
        if user_id is not None
        else None
        for user_id in seats
    ]
