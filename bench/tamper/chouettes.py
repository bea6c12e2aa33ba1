"""Attempts at chouettes: at the journal, the rolls, and what follows from both."""

# ruff: noqa: E501 (a change stands in one line where it can)

import random
from typing import Any, Final

_GAME: Final = "(SELECT id FROM chouette_game WHERE ended_at IS NOT NULL)"
_LIVE: Final = "(SELECT id FROM chouette_game WHERE ended_at IS NULL)"
_SETTLED: Final = "(SELECT max(id) FROM chouette_circleevent WHERE payload ->> 'type' = 'settled')"
_CIRCLE: Final = "(SELECT id FROM chouette_circle LIMIT 1)"

UNGUARDED: Final[dict[str, str | tuple[str, ...]]] = {
    "time of an event of a chouette": "UPDATE chouette_circleevent SET stored_at = stored_at - interval '1 day' WHERE seq = 3",
    "points in an event of a chouette": (
        f"UPDATE chouette_circleevent SET payload = jsonb_set(payload, '{{{{box_points}}}}', '9') WHERE id = {_SETTLED}"
    ),
    "an event of a chouette deleted": "DELETE FROM chouette_circleevent WHERE id = (SELECT max(id) FROM chouette_circleevent)",
    "time of a roll of a chouette": "UPDATE chouette_roll SET rolled_at = rolled_at - interval '1 day' WHERE n = 0",
    "dice of a chouette": "UPDATE chouette_roll SET dice = CASE dice WHEN '[6, 6]' THEN '[5, 5]' ELSE '[6, 6]'::jsonb END WHERE n = 0",
    "event of a roll of a chouette": "UPDATE chouette_roll SET seq = seq + 1 WHERE n = 0",
    "a roll of a chouette deleted": "DELETE FROM chouette_roll WHERE n = 0",
    "stake of a share": f"UPDATE chouette_share SET stake_cents = stake_cents + 10 WHERE game_id = {_GAME}",
    "payment of a share": f"UPDATE chouette_share SET paid_cents = paid_cents + 10 WHERE game_id = {_GAME}",
    "points of a share": f"UPDATE chouette_share SET box_points = 5 WHERE game_id = {_GAME}",
    "a share that is gone": f"DELETE FROM chouette_share WHERE game_id = {_GAME} AND id IN (SELECT min(id) FROM chouette_share)",
    "box of a game": f"UPDATE chouette_game SET box_id = {{thief}} WHERE id = {_GAME}",
    "captain of a game": f"UPDATE chouette_game SET captain_id = {{thief}} WHERE id = {_GAME}",
    "rake of a game": f"UPDATE chouette_game SET rake_cents = rake_cents + 1 WHERE id = {_GAME}",
    "beginning of a game": f"UPDATE chouette_game SET started_at = started_at - interval '1 day' WHERE id = {_GAME}",
    "end of a game": f"UPDATE chouette_game SET ended_at = ended_at + interval '1 hour' WHERE id = {_GAME}",
    "a game voided by nobody": f"UPDATE chouette_game SET voided = true WHERE id = {_GAME}",
    "rate of a chouette": "UPDATE chouette_circle SET rate_cents = 5, limit_cents = 40",
    "rake of a chouette": "UPDATE chouette_circle SET rake_bps = 0",
    "founder of a chouette": "UPDATE chouette_circle SET founder_id = {thief}",
    "terms of a chouette": "UPDATE chouette_circle SET terms = jsonb_set(terms, '{{jacoby}}', 'false')",
    "somebody who never sat there": f"INSERT INTO chouette_place (circle_id, user_id, is_bot, sat_at, stood_up_at) VALUES ({_CIRCLE}, {{thief}}, false, now(), now())",
    "when somebody sat down": "UPDATE chouette_place SET sat_at = sat_at - interval '1 day'",
}  # fmt: skip

APPLICATION: Final[dict[str, str | tuple[str, ...]]] = {
    "an event of a chouette": (
        "UPDATE chouette_circleevent SET payload = jsonb_set(payload, '{{box_points}}', '9')"
    ),
    "points of a share": "UPDATE chouette_share SET box_points = 5 WHERE paid_cents IS NOT NULL",
    "a game that ends for nothing": (
        f"UPDATE chouette_game SET ended_at = now(), rake_cents = 0 WHERE id = {_LIVE}"
    ),
    "a game that is voided alone": (
        f"UPDATE chouette_game SET ended_at = now(), rake_cents = 0, voided = true WHERE id = {_LIVE}"
    ),
    "a person at a chouette": f"UPDATE chouette_place SET user_id = {{thief}} WHERE circle_id = {_CIRCLE}",
    "a chouette closed": "UPDATE chouette_circle SET closed_at = now()",
    "points at a chouette": (
        "UPDATE chouette_circle SET state = jsonb_set(state, '{{points}}', '[]')"
    ),
}  # fmt: skip


def chouettes_played() -> None:
    """A chouette for credits: one game that is over, and one that runs."""
    from accounts.models import User
    from games.chouette import commands as cmd
    from games.chouette.models import Game
    from harness.chouettes import Hands, at_random
    from harness.wallets import credits_bought, mailbox_proved

    players = [User.objects.create_user(f"chouette{number}") for number in range(3)]
    for player in players:
        mailbox_proved(player)
        credits_bought(player, 5_000)
    hands = Hands(players, rate_cents=10, limit_points=8)
    hands.begin()

    def choose(view: dict[str, Any], player: int) -> Any:
        """Double as soon as possible, and drop."""
        actions, turn = view["actions"], view["turn"]
        if "decide" in actions:
            return cmd.Decide(turn=turn, doubles=True)
        if "box_doubles" in actions:
            everybody = tuple(each["player"] for each in actions["box_doubles"])
            return cmd.BoxDoubles(turn=turn, players=everybody)
        if "answer" in actions:
            return cmd.AnswerDouble(turn=turn, answer="drop")
        if "box_answers" in actions:
            offers = [each["player"] for each in actions["box_answers"]]
            return cmd.BoxAnswers(turn=turn, answers=dict.fromkeys(offers, "drop"))
        return at_random(chance)(view, player)

    chance = random.Random(1)
    hands.play_out(choose)
    hands.begin()
    assert Game.objects.filter(ended_at=None).count() == 1
    assert Game.objects.count() == 2
