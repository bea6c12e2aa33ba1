"""My decisions as pages: filters, lists, notes and exercises, by the forms as they are drawn."""

import re
from html import unescape

import pytest
from django.test import Client

from accounts.models import User
from analysis.decisions.filling import imports_list
from analysis.models import DecisionList, ListedDecision, MyDecision, PositionNote
from analysis.reports import report_make
from games.models import Match
from harness.logins import logged_in
from tests.analysis.test_decisions import brought
from tests.analysis.test_queue import ENGINE, Bare

pytestmark = pytest.mark.django_db


@pytest.fixture
def magriels(played: Match, magriel: User) -> Client:
    report_make(played, Bare(), "full")
    return logged_in(Client(headers={"accept-language": "en"}), magriel)


def page(client: Client, ask: str = "") -> str:
    answer = client.get(f"/decisions/{ask}")
    assert answer.status_code == 200
    return unescape(answer.content.decode())


def cards(shown: str) -> list[int]:
    return [int(each) for each in re.findall(r'id="decision-(\d+)"', shown)]


def choose(client: Client, numbers: list[int], **fields: str) -> str:
    answer = client.post("/decisions/choose/", {"decision": numbers, **fields}, follow=True)
    assert answer.status_code == 200
    return unescape(answer.content.decode())


def test_the_page_counts_draws_and_filters_own_decisions_alone(
    magriels: Client, magriel: User
) -> None:
    mine = MyDecision.objects.filter(person=magriel)
    shown = page(magriels)
    assert f"{mine.count()} decisions, " in shown
    assert sorted(cards(shown)) == sorted(mine.values_list("pk", flat=True))[: len(cards(shown))]
    assert "of my PR of" in shown
    assert shown.count("bg-drawing") == len(cards(shown))
    plays = page(magriels, "?kind=play&phase=opening")
    assert set(cards(plays)) == set(
        mine.filter(kind="play", phase="opening").values_list("pk", flat=True)
    )
    assert "No such decision" in page(magriels, "?opponent=nobody")
    assert Client().get("/decisions/").status_code == 302


def test_a_list_is_made_renamed_shared_for_a_while_deleted_and_taken_back(
    magriels: Client, magriel: User
) -> None:
    first = cards(page(magriels))[0]
    assert "Give the list a name." in choose(magriels, [first], act="list", name=" ")
    assert "Choose at least one" in choose(magriels, [], act="list", name="Thursday")
    shown = choose(magriels, [first], act="list", name="Thursday")
    assert cards(shown) == [first]
    found = DecisionList.objects.get()
    where = f"/decisions/lists/{found.pk}/"
    magriels.post(where, {"act": "rename", "name": "Friday"})
    magriels.post(where, {"act": "share"})
    found.refresh_from_db()
    assert found.name == "Friday"
    link = f"/decisions/shared/{found.share_key}/"
    told = Client(headers={"accept-language": "en"}).get(link).content.decode()
    assert "Friday" in told
    assert "decision-tray" not in told
    assert "hilde" not in told.replace("magriel", "")
    magriels.post(where, {"act": "unshare"})
    assert Client().get(link).status_code == 404
    gone = magriels.post(where, {"act": "remove"}).content.decode()
    assert 'value="restore"' in gone
    assert magriels.get(f"/decisions/?list={found.pk}").status_code == 404
    magriels.post(where, {"act": "restore"})
    assert "Friday" in page(magriels, f"?list={found.pk}")
    choose(magriels, [first], act="drop", list=str(found.pk))
    assert not found.entries.exists()


def test_lists_and_decisions_of_others_are_out_of_reach(
    magriels: Client, played: Match, magriel: User
) -> None:
    other = played.player_1 if played.player_0 == magriel else played.player_0
    theirs = MyDecision.objects.filter(person=other)
    assert "Choose at least one" in choose(
        magriels, list(theirs.values_list("pk", flat=True)), act="list", name="Mine"
    )
    secret = DecisionList.objects.create(person=other, name="Secret")
    assert magriels.get(f"/decisions/?list={secret.pk}").status_code == 404
    assert magriels.post(f"/decisions/lists/{secret.pk}/", {"act": "share"}).status_code == 404
    note = magriels.post("/decisions/note/", {"note": theirs.earliest("pk").pk, "text": "x"})
    assert note.status_code == 404


def test_a_note_stands_on_the_position_wherever_it_was_reached(
    magriels: Client, magriel: User
) -> None:
    row = MyDecision.objects.filter(person=magriel).earliest("pk")
    back = {"back": "kind=play"}
    answer = magriels.post("/decisions/note/", {"note": row.pk, "text": "Count <it>", **back})
    assert answer["location"] == f"/decisions/?kind=play#decision-{row.pk}"
    same = MyDecision.objects.filter(person=magriel, position=row.position)
    noted = magriels.get("/decisions/?noted=1").content.decode()
    assert set(cards(noted)) == set(same.values_list("pk", flat=True))
    assert noted.count("Count &lt;it&gt;</p>") == same.count()
    magriels.post("/decisions/note/", {"note": row.pk, "text": "  "})
    assert not PositionNote.objects.exists()


def test_exercises_are_mixed_with_sound_decisions_and_solved_by_the_boxes(
    magriels: Client, magriel: User
) -> None:
    rows = MyDecision.objects.filter(person=magriel, kind="play", askable=True)
    chosen = rows.earliest("-loss")
    other = rows.exclude(pk=chosen.pk).earliest("pk")
    rows.filter(pk=other.pk).update(theme=chosen.theme, loss=0.0, counted=True)
    shown = choose(magriels, [chosen.pk], act="exercises", name="Hits")
    assert "What would you play?" in shown
    entries = ListedDecision.objects.order_by("pk")
    assert {each.decision_id: each.sound for each in entries} == {
        chosen.decision_id: False,
        other.decision_id: True,
    }
    assert set(MyDecision.objects.filter(in_set=True)) == {chosen, other}
    keys = set()
    for _ in range(2):
        here = magriels.get(f"/exercises/next/?theme=set-{entries[0].list_id}")["location"]
        entry = entries.get(pk=int(re.findall(r"/exercises/set-(\d+)/", here)[0]))
        best = entry.decision.line["options"][0]["text"]
        answer = magriels.post(here, {"play": best}, follow=True).content.decode()
        assert "Found" in answer
        keys.add(entry.pk)
    assert len(keys) == 2
    made = entries[0].list
    magriels.post(f"/decisions/lists/{made.pk}/", {"act": "remove"})
    assert not MyDecision.objects.filter(in_set=True).exists()
    assert magriels.get(f"/exercises/set-{entries[0].pk}/").status_code == 404


def test_errors_of_a_match_from_elsewhere_are_own_exercises(played: Match, tilo: User) -> None:
    row = brought(tilo, played, seat=0)
    report = report_make(row.transcript, ENGINE, "full")
    imports_list()
    errors = report.rows.filter(counted=True, loss__gte=0.04)
    client = logged_in(Client(headers={"accept-language": "en"}), tilo)
    asked = {
        each.pk: client.get(f"/exercises/own-{each.pk}/").status_code
        for each in errors.select_related("report")
    }
    assert asked == {each.pk: 200 if each.seat == 0 else 404 for each in errors}
    mine = next(each for each in errors if each.seat == 0)
    sent = {"play" if mine.kind == "play" else "choice": mine.line["options"][0]["text"]}
    told = client.post(f"/exercises/own-{mine.pk}/", sent, follow=True).content.decode()
    assert "Falafel" in told
    row.delete()
    assert client.get(f"/exercises/own-{mine.pk}/").status_code == 404
