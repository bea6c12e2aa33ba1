"""S22: a password reset without a mail server printed its mail, link and all, into the log."""

import http.cookiejar
import re
import stat
import subprocess
import sys
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model

from harness.home import ROOT
from harness.processes import Processes
from tests.platform.test_settings import DEPLOYED, deployed

KEY = "only-a-test-signs-with-this-key-0123456789-abcdefghijklm"
RESET = "/accounts/password/reset/"

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


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


def test_s22_no_process_of_such_a_house_writes_a_mail_anywhere_else() -> None:
    assert DEPLOYED["EMAIL_HOST"], "the house of these tests has one; here it is taken away"
    tried = deployed("-c", SEND, EMAIL_HOST="", DJANGO_SETTINGS_MODULE="pasch.settings")
    assert tried.returncode == 1
    assert "EMAIL_HOST is not set" in tried.stderr
    for text in ("the subject", "the text with its link"):
        assert text not in tried.stdout
        assert text not in tried.stderr.replace(SEND.strip().splitlines()[-1], "")
