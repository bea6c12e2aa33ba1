"""The talk of a chouette as stored: who may write to whom, who reads it, reports, export, end."""

import random
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from accounts.models import User
from accounts.roles import Role, role_give
from games.chouette import commands as cmd
from games.chouette.errors import CrewSilent
from games.chouette.kind import EXPORTED as CHOUETTE_PARTS
from games.chouette.models import Place
from games.chouette.services.store import state_of
from games.chouette.services.talk import CircleRoom
from games.models import ChatMessage, WordsReport
from games.personal_data import PERSONAL_DATA
from games.selectors import chat_frame, ears_of
from games.services.chat import (
    MESSAGES_MAX,
    Address,
    MayNotTalk,
    PhrasesOnly,
    TalksTooFast,
    messages_in,
    mute_set,
    room_say,
)
from games.services.chat_reports import KEPT_FOR, NoSuchMessage, messages_forget, room_report
from games.table.errors import NotSeated
from harness.chouettes import Hands, at_random
from harness.wallets import credits_spent
from kit.personal_data import rows_erase
from ledger.selectors import wallet_balance


class Talkers:
    """A chouette at which the captain's play is due, and what its people say."""

    def __init__(self, players: list[User], **wishes: Any) -> None:
        self.hands = Hands(players, consulting="always", **wishes)
        self.room = CircleRoom(self.hands.circle.pk)
        self.written = 0
        self.next_game()

    def next_game(self) -> None:
        self.hands.begin()
        self.to_the_captain()

    @property
    def state(self) -> Any:
        return state_of(self.hands.row())

    @property
    def box(self) -> int:
        return self.state.game.box

    @property
    def captain(self) -> int:
        return self.state.game.captain

    @property
    def crew(self) -> int:
        """A member who is not the captain."""
        return self.state.game.active[1]

    def to_the_captain(self) -> None:
        """Play until the play of the team is due."""
        while not (self.state.phase == "play" and self.state.game.on_roll == "team"):
            self.hands.step(plays)

    def captain_wins(self) -> None:
        """The team doubles, and the box drops every cube."""
        while self.state.game is not None:
            self.hands.step(doubles_and_drops)

    def say(self, person: int | None, text: str, to: str = "crew", **words: str) -> ChatMessage:
        """Say something; a line to the crew names the last game that has begun."""
        self.written += 1
        address = Address(to, self.state.games if to == "crew" else None)
        words = words or {"text": text}
        name = f"line-{self.written}"
        return room_say(self.room, user_id=person, client_id=name, to=address, **words)

    def reads(self, person: int | None) -> list[str]:
        frame = chat_frame(messages_in(self.room), (None, None), ears_of(person))
        return [each.text or each.phrase for each in frame.messages]


def plays(view: dict[str, Any], player: int) -> Any:
    return at_random(random.Random(view["seq"]), doubles=0)(view, player)


def doubles_and_drops(view: dict[str, Any], player: int) -> Any:
    actions, turn = view["actions"], view["turn"]
    if "decide" in actions:
        return cmd.Decide(turn=turn, doubles=True)
    if "box_answers" in actions:
        dropped = {each["player"]: "drop" for each in actions["box_answers"]}
        return cmd.BoxAnswers(turn=turn, answers=dropped)
    return plays(view, player)


@pytest.fixture
def talkers(people) -> Talkers:
    return Talkers(people(4))


def test_the_crew_and_the_captain_read_the_crew(talkers):
    talkers.say(talkers.crew, "run")
    talkers.say(talkers.captain, "really?")
    talkers.say(talkers.box, "well", to="everybody")
    for member in talkers.state.game.team:
        assert talkers.reads(member) == ["run", "really?", "well"]
    assert talkers.reads(talkers.box) == ["well"]
    assert talkers.reads(None) == ["well"]


def test_the_box_writes_to_the_table_alone_and_watchers_to_nobody(talkers):
    watcher = User.objects.create_user("watcher").pk
    for person, to, refusal in (
        (talkers.box, "crew", CrewSilent),
        (watcher, "everybody", NotSeated),
        (watcher, "crew", NotSeated),
        (None, "everybody", MayNotTalk),
    ):
        with pytest.raises(refusal):
            talkers.say(person, "hi", to=to)
    assert not ChatMessage.objects.exists()


@pytest.mark.parametrize("audience", ["", "watchers", "Crew"])
def test_nothing_goes_to_the_table_for_want_of_an_audience(talkers, audience):
    with pytest.raises(ValueError, match="audience"):
        talkers.say(talkers.captain, "run", to=audience)
    assert not ChatMessage.objects.exists()


def test_a_line_to_the_crew_waits_for_a_play_and_never_falls_to_the_table(talkers):
    captain, crew = talkers.captain, talkers.crew
    talkers.hands.step(plays)  # the captain plays, and the box is on roll
    for member in (captain, crew):
        with pytest.raises(CrewSilent):
            talkers.say(member, "now", to="crew")
    talkers.captain_wins()
    with pytest.raises(CrewSilent):
        talkers.say(crew, "after", to="crew")
    assert talkers.reads(talkers.hands.circle.founder_id) == []


def test_where_members_never_advise_there_is_no_crew_to_write_to(people):
    hands = Hands(people(3), consulting="never")
    hands.begin()
    room = CircleRoom(hands.circle.pk)
    while not (state_of(hands.row()).phase == "play" and hands.view()["on_roll"] == "team"):
        hands.step(plays)
    captain = state_of(hands.row()).game.captain
    with pytest.raises(CrewSilent):
        room_say(room, user_id=captain, client_id="1", text="what now", to=Address("crew", 1))
    assert room_say(room, user_id=captain, client_id="2", text="hi", to=Address("everybody")).pk


def test_until_their_own_cube_was_turned_a_member_does_not_write_to_the_crew(people):
    hands = Hands(people(3))  # the usual terms
    talkers = Talkers.__new__(Talkers)
    talkers.hands, talkers.room, talkers.written = hands, CircleRoom(hands.circle.pk), 0
    talkers.next_game()
    with pytest.raises(CrewSilent):
        talkers.say(talkers.crew, "run")
    talkers.say(talkers.captain, "sorry")
    assert talkers.reads(talkers.crew) == ["sorry"]


def test_readers_follow_the_rotation_and_stay_for_good(talkers):
    box, captain, crew = talkers.box, talkers.captain, talkers.crew
    talkers.say(crew, "first")
    talkers.captain_wins()
    talkers.next_game()
    assert talkers.box == captain
    assert box in talkers.state.game.team
    talkers.say(talkers.captain, "second")
    assert talkers.reads(captain) == ["first"]
    assert talkers.reads(box) == ["second"]
    assert talkers.reads(crew) == ["first", "second"]


def test_who_leaves_the_team_reads_no_further_line(talkers):
    leaver = talkers.state.game.active[2]
    talkers.say(talkers.crew, "before")
    talkers.hands.do(leaver, cmd.StandUpNow())
    talkers.to_the_captain()
    talkers.say(talkers.captain, "after")
    assert talkers.reads(leaver) == ["before"]


def test_the_rules_of_every_chat_hold(talkers):
    crew, captain = talkers.crew, talkers.captain
    bot = User.objects.get(pk=crew)
    credits_spent(bot, wallet_balance(crew))  # with credits nobody becomes a bot
    User.objects.filter(pk=crew).update(is_bot=True)
    with pytest.raises(PhrasesOnly):
        talkers.say(crew, "run")
    talkers.say(crew, "", phrase="nice_roll")
    for number in range(MESSAGES_MAX):
        talkers.say(captain, f"{number}", to=("crew", "everybody")[number % 2])
    with pytest.raises(TalksTooFast):
        talkers.say(captain, "more")
    mute_set(user_id=crew, person_id=captain, on=True)
    assert talkers.reads(crew) == ["nice_roll"]
    ChatMessage.objects.update(said_at=timezone.now() - KEPT_FOR - timedelta(hours=1))
    assert messages_forget() == 1 + MESSAGES_MAX


def test_a_report_keeps_what_its_reporter_received(talkers):
    box, captain, crew = talkers.box, talkers.captain, talkers.crew
    secret = talkers.say(captain, "a secret")
    rude = talkers.say(captain, "rude", to="everybody")
    with pytest.raises(NoSuchMessage):
        room_report(talkers.room, user_id=box, message_id=secret.pk, reason="advice")
    room_report(talkers.room, user_id=box, message_id=rude.pk, reason="insult")
    room_report(talkers.room, user_id=crew, message_id=rude.pk, reason="insult")
    by_box, by_crew = WordsReport.objects.order_by("pk")
    assert by_box.subject == f"chouette:{talkers.hands.circle.pk}"
    assert by_box.context == []
    assert [each["said"] for each in by_crew.context] == ["a secret"]


def test_the_desk_keeps_reports_from_a_moderator_who_sits_there(talkers, client, settings):
    settings.STAFF_SECOND_FACTOR = False
    box, outsider = talkers.box, User.objects.create_user("moderator").pk
    secret = talkers.say(talkers.captain, "a secret")
    report = room_report(
        talkers.room, user_id=talkers.crew, message_id=secret.pk, reason="cheating"
    )
    for person, reads in ((box, False), (outsider, True)):
        user = User.objects.get(pk=person)
        role_give(user, Role.MODERATOR)
        client.force_login(user)
        listed = client.get("/desk/reports/")
        assert listed.status_code == 200
        assert ("a secret" in listed.content.decode()) is reads
        shown = client.get(f"/desk/reports/{report.pk}/")
        assert shown.status_code == (200 if reads else 404)
    assert f"/chouette/{talkers.hands.circle.pk}/" in shown.content.decode()
    Place.objects.filter(user=box).update(stood_up_at=timezone.now())
    client.force_login(User.objects.get(pk=box))
    assert client.get(f"/desk/reports/{report.pk}/").status_code == 404
    assert "a secret" not in client.get("/desk/reports/").content.decode()


def test_an_export_has_what_its_person_wrote(talkers):
    box, captain = talkers.box, talkers.captain
    talkers.say(captain, "a secret")

    def exported(person: int) -> str:
        parts = (*PERSONAL_DATA.parts, *CHOUETTE_PARTS)
        return str([list(part.rows(User.objects.get(pk=person))) for part in parts])

    assert "a secret" in exported(captain)
    assert "a secret" not in exported(box)
    with transaction.atomic():
        rows_erase(PERSONAL_DATA.erased, captain)
    assert not ChatMessage.objects.exists()


def test_the_database_stores_no_line_to_the_crew_without_readers(talkers):
    said = talkers.say(talkers.captain, "a secret")
    for wrong in ({"readers": None}, {"audience": "everybody"}, {"room": ""}):
        with pytest.raises(IntegrityError), transaction.atomic():
            ChatMessage.objects.filter(pk=said.pk).update(**wrong)
