"""S20: everybody could read the records of a match at a private table, at every address."""

import re

import pytest
import requests
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.conf import settings as site
from django.test import Client

from accounts.models import User
from accounts.roles import Role, role_give
from analysis.models import Job
from games.models import Match
from games.services.figures import figures_make
from games.services.tables import table_join, table_open
from games.table import commands as cmd
from harness.logins import logged_in
from harness.rig import opener_begins
from harness.sitting import Sitting
from harness.waiting import WAIT_SECONDS
from pasch.desk import urls as desk_urls
from ratings.models import RatingChange
from ratings.services import rating_void
from tests.conftest import magriel
from tests.security.addresses import path_of, walk

__all__ = ["magriel"]

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

FORMATS = ("mat", "sgf", "json")

#: addresses of one match that anybody may request; the desk has rights of its own, and a match from
#: elsewhere is its owner's alone (tests/analysis/test_imported_reports.py)
ROUTES = sorted(
    {
        route
        for route, name in walk()
        if "uuid:match_id" in route
        and not route.startswith(("desk/", "match/elsewhere/", "api/v1/matches/brought/"))
    }
)

#: an analysis exists only after the match, and its players choose who reads it
ANALYSES = [route for route in ROUTES if "/analysis" in route]
RECORDS = [route for route in ROUTES if route not in ANALYSES]


def sitting_of(opener: User, guest: User, **wishes: object) -> Sitting:
    table = table_open(user=opener, **opener_begins({"mode": "normal", **wishes}))
    table_join(user=guest, table_id=table.pk)
    sitting = Sitting(table, (opener, guest))
    sitting.turn()
    return sitting


@pytest.fixture
def private(magriel: User, hilde: User) -> Sitting:
    """A match that runs at a private table, which takes no watchers."""
    return sitting_of(magriel, hilde, private=True)


def addresses(sitting: Sitting, routes: list[str] = RECORDS) -> list[str]:
    """Every address of this match that needs only its id."""
    match_id = str(Match.objects.get(table=sitting.pk).pk)
    found = []
    for route in routes:
        for file_format in FORMATS if "file_format" in route else ("",):
            known = {"uuid:match_id": match_id, "slug:file_format": file_format}
            found.append(path_of(route, known))
    return found


def staff(name: str, *, second_factor: bool) -> User:
    user = User.objects.create_user(name, f"{name}@example.org", "a-long-password-nobody-uses")
    role_give(user, Role.MODERATOR)
    if second_factor:
        TOTP.activate(user, generate_totp_secret())
    return user


def statuses(client: Client, paths: list[str]) -> set[int]:
    return {client.get(path).status_code for path in paths}


def end(sitting: Sitting) -> None:
    sitting.give(0, cmd.Leave())


def test_all_addresses_of_a_match_are_known():
    assert ROUTES == [
        "api/v1/matches/<uuid:match_id>/",
        "match/<uuid:match_id>/",
        "match/<uuid:match_id>/<slug:file_format>/",
        "match/<uuid:match_id>/analysis.<slug:key>",
        "match/<uuid:match_id>/analysis/",
        "match/<uuid:match_id>/analysis/ask/",
        "match/<uuid:match_id>/dice.json",
    ]
    assert any("match_id" in str(each.pattern) for each in desk_urls.urlpatterns)


@pytest.mark.parametrize("ended", [False, True])
def test_strangers_get_no_record_of_a_match_without_watchers(private, tilo, settings, ended):
    settings.STAFF_SECOND_FACTOR = True
    if ended:
        end(private)
    paths = addresses(private)
    readers = {
        "nobody": Client(),
        "a third player": logged_in(Client(), tilo),
        "staff without a second factor": logged_in(Client(), staff("mona", second_factor=False)),
    }
    analyses = addresses(private, ANALYSES)
    for who, client in readers.items():
        assert statuses(client, paths) <= {401, 403, 404}, who
        assert {client.post(path).status_code for path in analyses} <= {302, 403, 404, 405}, who
        assert statuses(client, analyses) <= {403, 404, 405}, who
    assert not Job.objects.exists()  # a redirect is one to the log-in, and asks for nothing


@pytest.mark.parametrize("ended", [False, True])
def test_players_and_staff_get_every_record(private, settings, ended):
    settings.STAFF_SECOND_FACTOR = True
    if ended:
        end(private)
    paths = addresses(private)
    for user in (*private.players, staff("mona", second_factor=True)):
        assert statuses(logged_in(Client(), user), paths) == {200}, user


def test_records_of_a_watched_table_stay_open_to_everybody(magriel, hilde, tilo):
    sitting = sitting_of(magriel, hilde, watchers=True)
    paths = addresses(sitting)
    assert statuses(logged_in(Client(), tilo), paths) == {200}
    pages = [path for path in paths if not path.startswith("/api/")]
    assert statuses(Client(), pages) == {200}


def test_no_page_names_a_private_match_to_others(private, tilo):
    """No page that strangers can read contains the id of the match or of the table."""
    end(private)
    table_id, match_id = str(private.pk), str(Match.objects.get(table=private.pk).pk)
    known = {"uuid:match_id": match_id, "uuid:table_id": table_id}
    strangers = [Client(), logged_in(Client(), tilo)]
    told = []
    for route, _ in walk():
        if "uuid:" in route or route.startswith(("admin/", "desk/")):
            continue
        path = path_of(route, known)
        for client in strangers:
            text = client.get(path).getvalue().decode(errors="replace")
            if table_id in text or match_id in text:
                told.append(path)
    assert told == []
    boards = f"/watch/boards.json?table={table_id}"
    assert all(client.get(boards).json()["tables"] == {} for client in strangers)


def rating_rows(client: Client, name: str, pool: str = "normal", **headers: str) -> list[str]:
    """The rows of a player's rating changes, without the head."""
    page = client.get(f"/player/{name}/ratings/?pool={pool}", headers=headers).content.decode()
    return re.findall(r"<tr data-change>(.*?)</tr>", page, re.DOTALL)


@pytest.mark.parametrize("name", ["magriel", "hilde"])
def test_strangers_read_nothing_of_a_private_match(private, tilo, name):
    """A row between two with dates would tell on which days it was played, so there is none."""
    players = {user.get_username(): user for user in private.players}
    end(private)
    end(sitting_of(players[name], tilo, watchers=True))
    figures_make()
    other = "hilde" if name == "magriel" else "magriel"
    for client in (Client(), logged_in(Client(), tilo)):
        (row,) = rating_rows(client, name)
        assert 'href="/player/tilo/"' in row
        page = client.get(f"/player/{name}/ratings/?pool=normal").content.decode()
        assert other not in page
        assert "Private matches are not listed here." in page
    assert len(rating_rows(logged_in(Client(), players[other]), name)) == 2


def test_players_and_staff_read_the_changes_of_a_private_match(private, settings):
    settings.STAFF_SECOND_FACTOR = True
    end(private)
    figures_make()
    for user in (*private.players, staff("mona", second_factor=True)):
        (row,) = rating_rows(logged_in(Client(), user), "magriel")
        assert 'href="/player/hilde/"' in row
        assert "<time" in row
    assert rating_rows(logged_in(Client(), staff("nora", second_factor=False)), "magriel") == []


def test_a_voided_private_match_is_not_listed_either(private, tilo):
    end(private)
    figures_make()
    rating_void(reference=Match.objects.get().reference)
    assert rating_rows(logged_in(Client(), tilo), "magriel") == []
    assert len(rating_rows(logged_in(Client(), private.players[0]), "magriel")) == 2


def test_a_watched_match_stays_on_the_page_of_its_players(magriel, hilde, tilo):
    end(sitting_of(magriel, hilde, watchers=True))
    figures_make()
    (row,) = rating_rows(logged_in(Client(), tilo), "magriel")
    assert 'href="/player/hilde/"' in row


@pytest.mark.parametrize("watchers", [True, False])
def test_every_game_of_a_session_is_as_private_as_its_match(magriel, hilde, tilo, watchers):
    """Sessions are rated game by game, each under a reference of its own."""
    wishes = {"mode": "session", "stake_cents": 50, "start_rule": "opener_alternates"}
    end(sitting_of(magriel, hilde, watchers=watchers, **wishes))
    figures_make()
    pool = RatingChange.objects.filter(user=magriel).get().pool
    (row,) = rating_rows(logged_in(Client(), magriel), "magriel", pool)
    assert 'href="/player/hilde/"' in row
    for client in (Client(), logged_in(Client(), tilo)):
        assert len(rating_rows(client, "magriel", pool)) == watchers


def test_a_record_of_a_running_match_has_no_dice_that_have_not_fallen(magriel, hilde):
    """The record of a watched match has the rolls that its watchers saw, and no secrets."""
    sitting = sitting_of(magriel, hilde, watchers=True)
    match = Match.objects.get()
    fallen = sitting.table.events.filter(type__in=("dice_rolled", "rolled_off")).count()
    record = Client().get(f"/match/{match.pk}/dice.json").json()
    assert sum(len(game["rolls"]) for game in record["games"]) == fallen
    assert all("envelope_password" not in game for game in record["games"])
    secret = match.dice.get().house_secret
    assert bytes(secret).hex() not in str(record)


def test_the_live_house_answers_strangers_alike(live, private, tilo):
    """Neither a visitor nor another player can read it over HTTP, during the match or after."""
    cookies = {site.SESSION_COOKIE_NAME: logged_in(Client(), tilo).session.session_key}
    for _ in range(2):
        for path in addresses(private, RECORDS + ANALYSES[:2]):
            nobody = requests.get(live + path, timeout=WAIT_SECONDS)
            somebody = requests.get(live + path, cookies=cookies, timeout=WAIT_SECONDS)
            assert nobody.status_code in (401, 403, 404), path
            assert somebody.status_code in (403, 404), path
        if Match.objects.get().ended_at is None:
            end(private)


def test_the_documents_say_what_the_house_does():
    """Neither the schema of the interface nor its page promises the match to everybody."""
    schema = Client().get("/api/schema/").json()
    told = schema["paths"]["/api/v1/matches/{match_id}/"]["get"]["description"]
    assert "without watchers" in told
    api = (site.ROOT / "docs/api.md").read_text()
    line = next(each for each in api.splitlines() if "`matches_get`" in each)
    assert re.search("without watchers", line)
