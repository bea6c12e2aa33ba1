"""S25: the smaller doors, with S16, S18, S21 and S22: deletions, names, prices and mails."""

import http.cookiejar
import re
import stat
import subprocess
import sys
import urllib.parse
import urllib.request
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.contrib.auth import get_user_model
from django.db import DatabaseError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.deletions import AccountDeletion, keep_token
from accounts.models import OutgoingMail, User
from accounts.names import is_title_reserved
from accounts.roles import Role
from accounts.tasks import send_mails
from games.modes.prices import Prices, figures_of
from harness.home import ROOT
from harness.processes import Processes
from house.models import HouseChange
from ledger.models import Payout
from ledger.selectors import wallet_balance
from ledger.services.payouts import payout_request
from tests.accounts.conftest import PASSWORD
from tests.desk.conftest import anna, at_desk, staff
from tests.ledger.conftest import hilde, magriel, person
from tests.mail_server import mail_server
from tests.platform.test_settings import DEPLOYED, deployed

pytestmark = pytest.mark.slow


@pytest.mark.django_db
def test_s25_undoing_a_deletion_asks_for_the_second_factor() -> None:
    owner = User.objects.create_user("hilde", "hilde@example.org")
    TOTP.activate(owner, generate_totp_secret())
    codes = RecoveryCodes.activate(owner).get_unused_codes()
    asked = AccountDeletion.objects.create(
        user=owner,
        due_at=timezone.now() + timedelta(days=14),
        given_up_cents=wallet_balance(owner.pk),
    )
    User.objects.filter(pk=owner.pk).update(is_active=False)
    address = reverse("account_keep", args=[keep_token(asked)])
    for code in ("", "000000"):
        assert Client().post(address, {"code": code}).status_code == 200
        assert not User.objects.get(pk=owner.pk).is_active
    Client().post(address, {"code": codes[0]})
    assert User.objects.get(pk=owner.pk).is_active


@pytest.mark.django_db
@pytest.mark.parametrize("title", ["Paѕсh Support", "𝕻𝖆𝖘𝖈𝖍", "P a s c h", "Suppοrt"])
def test_s25_titles_do_not_pretend_to_be_the_house(title: str) -> None:
    assert is_title_reserved(title)


@pytest.mark.django_db
@pytest.mark.parametrize("title", ["Team Cup", "Кубок Москвы", "Supporters Cup", "Hausmann Open"])
def test_s25_other_titles_are_free(title: str) -> None:
    assert not is_title_reserved(title)


# --- S18: names that pass for the house -----------------------------------------------------------
#: each of these was once accepted, or is a small change of a name that was.
PRETENDING = (
    "pasch-support", "Pasch.Team", "house_bot", "admin1n", "paschsupport", "realadmin", "supp0rt",
    "PaschSupport", "teampasch", "pasch24", "P4sch", "pa5ch.de", "the_pasch", "Pasch-Bank",
    "adm1n_mia", "mia.admin", "ADMINISTRATOR", "sysadmin7", "4dm1n", "a-d-m-i-n", "Moderator2",
    "chat.moderator", "rnoderator", "xxsupportxx", "5upport", "Supp-ort", "staff_mia", "thestaff",
    "official.mia", "0fficial", "Treasurer", "schatzmeister1", "housebot", "HouseBot", "haus_bot",
    "bot", "Bot7", "b0t1", "mia-bot", "Team.Mia", "t3am", "he1p", "help.mia", "HelpDesk", "dieBank",
    "haus-bank", "Gast", "gast_1234", "theteam", "webmaster", "Nobody", "mod.mia", "paschabot",
    "Paschke-Support", "hausbank", "pascha-dmin", "realad-min", "paschapasch", "staffstaffan",
    "aDmIn", "xaDmInx",
)  # fmt: skip

#: real names and words that contain one of the house's words.
INNOCENT = (
    "Paschke", "paschke_92", "mariapaschke", "Jan.Paschke", "Pascha", "Paschalis", "Paschen",
    "Paschinger", "botond", "Botond7", "Talbot", "Abbott", "Cabot", "Botha", "Robotnik", "bottom",
    "Sabotage", "Hausmann", "Neuhaus", "Hausner", "Haushofer", "Teamo", "Steam", "teamwork",
    "Banks", "Bankole", "Burbank", "Helper", "Helpmann", "Whelp", "Gasthaus", "Gaston", "Gasteiger",
    "Badminton", "badmintonfan", "Staffan", "Stafford", "Falstaff", "supporter", "BVB_Supporter",
    "Modeste", "Modigliani", "Greenhouse", "Waterhouse", "Adnan", "Adam1n", "Nobodyelse",
    "Beetroot", "Brad-Minton", "Conrad_Mindy", "Ownerby", "Systemova", "Guesthouse", "magriel",
    "Jürgen", "x_1.y",
)  # fmt: skip


def register(name: str) -> set[str]:
    """Register the name in a new browser and return the error codes of the name."""
    form = {"username": name, "password1": PASSWORD, "email": ""}
    client = Client(REMOTE_ADDR=f"10.0.{len(name)}.{sum(map(ord, name)) % 250}")
    answer = client.post(reverse("account_signup"), form)
    if answer.status_code == 302:
        return set()
    return {error.code for error in answer.context["form"].errors.as_data()["username"]}


@pytest.mark.django_db
@pytest.mark.parametrize("name", PRETENDING)
def test_s18_no_name_pretends_to_be_the_house(name: str) -> None:
    assert "name_reserved" in register(name)
    assert not User.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("name", INNOCENT)
def test_s18_innocent_names_are_welcome(name: str) -> None:
    assert register(name) == set()
    assert User.objects.filter(username=name).exists()


@pytest.mark.django_db
def test_s18_a_name_from_before_stays_and_logs_in() -> None:
    User.objects.create_user("pasch-support", password=PASSWORD)
    client = Client()
    form = {"login": "pasch-support", "password": PASSWORD}
    assert client.post(reverse("account_login"), form).status_code == 302
    assert "_auth_user_id" in client.session


# --- S21: prices ----------------------------------------------------------------------------------
PAGES = ("/", "/rules/", "/play/")

#: figures that were or could have been stored: in each, one that no house can offer
BAD_FIGURES = [
    ("rake_bps", 10_000),
    ("rake_bps", 4_901),
    ("rake_bps", -1),
    ("rake_bps", 9.5),
    ("rake_bps", None),
    ("prize_stakes_cents", []),
    ("prize_stakes_cents", [250, 0]),
    ("prize_stakes_cents", 250),
    ("single_limits_cents", [99]),
    ("factor_with_cube", 1_001),
    ("base_stake_cents_max", 5),
    ("pair_limit", 0),
]


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "value"), BAD_FIGURES)
def test_the_database_stores_no_figures_that_break_a_page(client, name: str, value: Any) -> None:
    said = figures_of(Prices())

    def stored(content: dict[str, Any]) -> None:
        with transaction.atomic():
            HouseChange.objects.create(number=1, part="prices", content=content, reason="x")

    with pytest.raises(DatabaseError, match="prices_"):
        stored({**said, name: value})
    stored(said)
    for page in PAGES:
        assert client.get(page).status_code == 200, page


# --- S16: mails that cannot be delivered ----------------------------------------------------------
__all__ = ["anna", "hilde", "magriel", "person", "staff"]


REFUSED, TAKEN = "magriel@refused.example", "hilde@example.org"


@pytest.fixture
def payouts(magriel: User, hilde: User) -> list[Payout]:
    """magriel's request came first, and the mail server refuses magriel's address."""
    asked = []
    for player, address in ((magriel, REFUSED), (hilde, TAKEN)):
        player.email = address
        player.save()
        asked.append(
            payout_request(
                user=player,
                amount_cents=4_000,
                destination="DE02",
                client_key="first",
                verified_at=timezone.now(),
            )
        )
    return asked


def test_a_refused_address_delays_no_other(payouts: list[Payout], settings: Any) -> None:
    with mail_server(settings, refused={REFUSED}) as server:
        assert send_mails() == 1
        assert [to for to, _text in server.accepted] == [TAKEN]
        assert send_mails() == 0
        assert server.tried.count(REFUSED) == 1, "it waits before it is tried again"
    waiting = OutgoingMail.objects.get(sent_at=None)
    assert (waiting.to, waiting.attempts) == (REFUSED, 1)
    assert "no such mailbox" in waiting.last_error


def test_the_desk_shows_what_waits_and_tries_again(
    payouts: list[Payout], anna: User, settings: Any
) -> None:
    client: Client = at_desk(anna)
    with mail_server(settings, refused={REFUSED}) as server:
        send_mails()
        page = client.get(reverse("desk:mails")).content.decode()
        assert REFUSED in page
        assert "no such mailbox" in page
        assert TAKEN not in page
        payout_page = client.get(reverse("desk:payout", args=[payouts[0].pk])).content.decode()
        assert "the mail was not delivered" in payout_page
        server.refused.clear()
        waiting = OutgoingMail.objects.get(sent_at=None)
        client.post(reverse("desk:mail_retry", args=[waiting.pk]))
        assert send_mails() == 1
    assert "No mails are waiting." in client.get(reverse("desk:mails")).content.decode()


def test_the_text_of_a_mail_is_not_at_the_desk(
    payouts: list[Payout], staff: Any, settings: Any
) -> None:
    settings.STAFF_SECOND_FACTOR = True
    answer = at_desk(staff("tina", Role.TREASURER)).get(reverse("desk:mails"))
    assert answer.status_code == 403
    page = at_desk(staff("anton", Role.ADMINISTRATOR)).get(reverse("desk:mails")).content.decode()
    assert "Hello" not in page


def test_no_page_breaks_while_the_mail_server_is_away(hilde: User, settings: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    hilde.email = TAKEN
    hilde.save()
    answer = Client().post(reverse("account_reset_password"), {"email": TAKEN})
    assert (answer.status_code, answer.url) == (302, reverse("account_reset_password_done"))
    waiting = OutgoingMail.objects.get(to=TAKEN)
    assert "/accounts/password/reset/key/" in waiting.body
    assert waiting.sent_at is None


# --- S22: mails in the log ------------------------------------------------------------------------
KEY = "only-a-test-signs-with-this-key-0123456789-abcdefghijklm"
RESET = "/accounts/password/reset/"


@pytest.fixture
def house(transactional_db: None, tmp_path: Path) -> Iterator[Processes]:
    """A web server of an embedded house with the default settings."""
    with Processes(tmp_path, []) as house:
        house.environment |= {
            "DJANGO_SETTINGS_MODULE": "pasch.settings",
            "PASCH_VAR": str(tmp_path / "var"),
            "EMBEDDED": "1",
            "SECRET_KEY": KEY,
            "DICE_KEY": KEY[::-1],
            "WEB_WORKERS": "1",
        }
        house.environment.pop("EMAIL_HOST", None)
        command = [sys.executable, "manage.py", "prepare", "--files"]
        subprocess.run(command, cwd=ROOT, env=house.environment, check=True)
        house.start("web")
        yield house


def ask_for_a_reset(house: Processes, address: str) -> None:
    browser = urllib.request.build_opener(
        urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
    )
    page = browser.open(f"{house.address}{RESET}").read().decode()
    (token,) = set(re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', page))
    form = urllib.parse.urlencode({"csrfmiddlewaretoken": token, "email": address}).encode()
    answer = browser.open(urllib.request.Request(f"{house.address}{RESET}", data=form))
    assert answer.status == 200


def test_s22_a_reset_at_home_is_a_file_for_its_owner_and_no_line_of_the_log(
    house: Processes,
) -> None:
    get_user_model().objects.create_user("magriel", "magriel@example.org", "a long password")
    ask_for_a_reset(house, "magriel@example.org")
    said = house.log.read_text()
    assert "magriel@example.org" not in said
    assert "/password/reset/" not in said.replace(f"{RESET} ", "")
    folder = Path(house.environment["PASCH_VAR"]) / "mail"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    (mail,) = folder.iterdir()
    assert stat.S_IMODE(mail.stat().st_mode) == 0o600
    assert re.search(r"/accounts/password/reset/key/\S+", mail.read_text())
    assert f"a mail was written to {mail}" in said


@pytest.mark.django_db(transaction=True)
def test_s22_a_house_on_the_internet_does_not_open_without_a_mail_server() -> None:
    refused = deployed("-m", "pasch.serve", EMAIL_HOST="")
    assert refused.returncode == 1
    assert "EMAIL_HOST" in refused.stderr
    assert "pasch.E011" in refused.stderr


SEND = """
import django
django.setup()
from django.core.mail import send_mail
send_mail("the subject", "the text with its link", None, ["magriel@example.org"])
"""


@pytest.mark.django_db(transaction=True)
def test_s22_no_process_of_such_a_house_writes_a_mail_anywhere_else() -> None:
    assert DEPLOYED["EMAIL_HOST"], "the house of these tests has one; here it is taken away"
    tried = deployed("-c", SEND, EMAIL_HOST="", DJANGO_SETTINGS_MODULE="pasch.settings")
    assert tried.returncode == 1
    assert "EMAIL_HOST is not set" in tried.stderr
    for text in ("the subject", "the text with its link"):
        assert text not in tried.stdout
        assert text not in tried.stderr.replace(SEND.strip().splitlines()[-1], "")
