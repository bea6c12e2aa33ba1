"""What a program may do at a chouette, as the interface describes it."""

import inspect
import re
from typing import Any

import msgspec

from games.chouette import view
from games.chouette.frames import ChouetteActions
from kit.api import serializer_of


def test_every_action_of_the_view_is_described_whole() -> None:
    offer = {"player": 7, "value": 2}
    actions: dict[str, Any] = {
        **dict.fromkeys(("sit", "stand_up", "leave_after", "start", "invite_bot"), True),
        **dict.fromkeys(("play", "advise", "confer"), True),
        "decide": {"value": 1},
        "box_doubles": [offer],
        "answer": {**offer, "may_beaver": True, "may_take": False, "take_may_return": False},
        "box_answers": [{**offer, "may_beaver": False}],
        "beaver_answer": {"value": 4, "lose": 2},
        "box_beaver_answers": [{"player": 7, "value": 4, "lose": 2}],
    }
    assert msgspec.to_builtins(msgspec.convert(actions, ChouetteActions)) == actions
    assert serializer_of(ChouetteActions)(actions).data == actions
    assert set(ChouetteActions.__struct_fields__) == set(actions)


def test_the_view_has_no_other_actions() -> None:
    whole = inspect.getsource(view)
    source = whole[whole.index("def _actions") : whole.index("def _offer(")]
    named = set(re.findall(r'(?:actions\["|return \{"|= \{")(\w+)"', source))
    assert named == set(ChouetteActions.__struct_fields__)
