"""The logo of the house: a picture that is checked, looked at, and then on every page."""

import base64
import hashlib
import os
import re
import struct
import zlib

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.roles import Role
from house.models import HouseChange
from house.parts import HousePart
from house.reader import house_now, house_refresh, house_use
from kit.png import BYTES_MOST, BadPng, png_of, png_read, png_text
from ledger.models import JournalEntry
from pasch.pages import house_files as page_of_logo
from pasch.staff.house import check_house
from tests.architecture.sources import ROOT
from tests.desk.conftest import at_desk
from tests.house_settings import house_has
from tests.pages.test_pages import text_of
from tests.png import SIGNATURE, chunk, head, picture

pytestmark = pytest.mark.django_db

PAGE = "/desk/house/logo/"
RED = png_read(picture(40, 20)).data
DIGEST = hashlib.sha256(RED).hexdigest()
ADDRESS = f"/house/logo/{DIGEST[:32]}.png"


def upload(client: Client, data: bytes | None, how: str = "save", **values: str) -> str:
    """Send a file, or none, and press a button; the next page."""
    said = {"number": "0", "reason": "a new sign", "shown": "", **values, how: "1"}
    if data is not None:
        said["file"] = SimpleUploadedFile("logo.png", data, "image/png")  # type: ignore[assignment]
    page = client.post(PAGE, said, follow=True).content.decode()
    house_refresh()
    return str(page)


def written(data: bytes) -> str:
    return base64.b64encode(data).decode()


# --- changing -------------------------------------------------------------------------------------
def test_an_administrator_looks_at_a_logo_and_then_it_is_on_every_page(anna: User) -> None:
    desk = at_desk(anna)
    secret = chunk(b"tEXt", b"Author\x00anna, at home")
    page = upload(desk, picture(40, 20, before=secret), "preview")
    assert not HouseChange.objects.exists()
    assert page.count(f'src="data:image/png;base64,{written(RED)}" width="40" height="20"') == 2
    assert "default: no logo" in page
    (kept,) = re.findall(r'name="png" value="([^"]*)"', page)
    upload(desk, None, png=kept)
    assert HouseChange.objects.get().content == {"png": written(RED)}
    home = Client().get(reverse("home")).content.decode()
    sign = f'<img class="brand-logo" src="{ADDRESS}" width="40" height="20" alt="">'
    assert f'{sign}<span class="brand-name">Pasch</span>' in home
    for address in ("/nothing-here/", reverse("offline")):
        assert ADDRESS in Client().get(address).content.decode()
    assert ADDRESS in Client().get(reverse("worker")).content.decode()


def test_the_journal_has_the_digest_and_the_audit_agrees(anna: User) -> None:
    upload(at_desk(anna), RED)
    entry = JournalEntry.objects.get(verb="house.change")
    assert entry.subject == "house:logo"
    assert entry.after == {"number": 1, "png": f"sha256:{DIGEST}"}
    assert "Logo" in text_of(at_desk(anna).get(reverse("desk:journal")))
    assert list(check_house()) == []
    HouseChange.objects.create(
        number=2,
        part="logo",
        content={"png": written(picture(30, 30))},
        reason="r",
        changed_by=anna,
    )
    assert "the journal says otherwise" in "".join(found.message for found in check_house())


def test_a_logo_alone_has_the_name_as_its_text(anna: User) -> None:
    upload(at_desk(anna), RED, shown="alone")
    home = Client().get(reverse("home")).content.decode()
    assert 'width="40" height="20" alt="Pasch"></a>' in home.replace("\n", "")


def test_a_logo_is_removed(anna: User) -> None:
    desk = at_desk(anna)
    assert "Remove the logo" not in upload(desk, None, "preview")
    upload(desk, RED)
    page = desk.get(PAGE).content.decode()
    assert "Remove the logo" in page
    hidden = dict(re.findall(r'name="(number|png)" value="([^"]*)"', page))
    assert hidden == {"number": "1", "png": written(RED)}
    upload(desk, None, **hidden, remove="on")
    assert HouseChange.objects.get(number=2).content == {}
    assert "brand-logo" not in Client().get(reverse("home")).content.decode()
    assert "40 × 20 pixels" in text_of(desk.get(PAGE))  # the history keeps what was


# --- what is refused ------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", "This is no PNG picture."),
        (b"GIF89a" + bytes(40), "This is no PNG picture."),
        (b"", "The submitted file is empty."),
        (RED[:-20], "This file is damaged or incomplete."),
        (picture(2000, 16), "The picture must have 16 to 1024 pixels on each side."),
        (RED + bytes(BYTES_MOST), "This file is larger than 64 KiB."),
        (None, "Nothing changes: the house has these settings."),
    ],
)
def test_a_bad_file_changes_nothing_and_the_page_says_why(anna, data, sentence) -> None:
    page = upload(at_desk(anna), data)
    assert sentence in page
    assert not HouseChange.objects.exists()


def test_what_was_not_uploaded_is_checked_too(anna: User) -> None:
    """The picture comes back from the browser in the second step."""
    for text in ("no base64!", written(b"<svg/>"), written(RED[:-20])):
        assert "errorlist" in upload(at_desk(anna), None, png=text)
    assert not HouseChange.objects.exists()


def test_a_form_that_is_too_large_is_refused_before_it_is_read(anna: User) -> None:
    data = {"number": "0", "reason": "r", "save": "1"}
    file = SimpleUploadedFile("logo.png", RED + os.urandom(300_000), "image/png")
    answer = at_desk(anna).post(PAGE, {**data, "file": file})
    assert answer.status_code == 413
    assert not HouseChange.objects.exists()


def test_only_administrators_upload_and_only_with_a_token_of_the_form(anna, staff, magriel) -> None:
    statuses = []
    for user in (None, magriel, staff("carl", Role.TREASURER)):
        file = SimpleUploadedFile("logo.png", RED, "image/png")
        data = {"number": "0", "reason": "r", "save": "1", "file": file}
        statuses.append(at_desk(user).post(PAGE, data).status_code)
    assert statuses == [302, 403, 403]  # a visitor is sent to the login
    strict = at_desk(anna)
    strict.handler.enforce_csrf_checks = True
    file = SimpleUploadedFile("logo.png", RED, "image/png")
    assert strict.post(PAGE, {"number": "0", "reason": "r", "file": file}).status_code == 403
    assert not HouseChange.objects.exists()


# --- its address ----------------------------------------------------------------------------------
def test_the_address_has_the_picture_for_ever_and_nothing_else(settings) -> None:
    assert Client().get(ADDRESS).status_code == 404
    house_has(HousePart.LOGO, png=written(RED))
    answer = Client().get(ADDRESS)
    assert answer.content == RED
    assert answer["Content-Type"] == "image/png"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Cache-Control"] == "public, max-age=31536000, immutable"
    assert "Set-Cookie" not in answer
    for name in (DIGEST, DIGEST[:31], "x" * 32, "0" * 32):
        assert Client().get(f"/house/logo/{name}.png").status_code == 404
    assert Client().post(ADDRESS).status_code == 405


def test_a_process_serves_a_logo_that_it_does_not_have_yet_and_for_a_while_the_one_before(
    monkeypatch,
) -> None:
    before = house_now()
    house_has(HousePart.LOGO, png=written(RED))
    house_use(before)
    assert Client().get(ADDRESS).content == RED  # another process has named it on a page
    house_refresh()
    house_has(HousePart.LOGO)
    assert Client().get(ADDRESS).content == RED
    monkeypatch.setattr(page_of_logo, "KEPT", page_of_logo.KEPT * -1)  # ten minutes have passed
    assert Client().get(ADDRESS).status_code == 404


# --- PNG pictures ---------------------------------------------------------------------------------
END = chunk(b"IEND")
ROWS = chunk(b"IDAT", zlib.compress((b"\x00" + b"\xff\x00\x00\xff" * 20) * 20))
SMALL = SIGNATURE + head(20, 20)


def refused(data: bytes) -> str:
    with pytest.raises(BadPng) as found:
        png_read(data)
    return found.value.code


def test_a_picture_is_written_anew_and_then_stays_as_it_is() -> None:
    logo = png_read(picture(40, 20))
    assert (logo.width, logo.height) == (40, 20)
    assert png_read(logo.data) == logo == png_of(png_text(logo))
    assert len(logo.digest) == 32


def test_the_pictures_of_the_site_are_whole() -> None:
    for name in ("pasch-192.png", "pasch-512.png", "pasch-touch-180.png"):
        data = (ROOT / "static/icons" / name).read_bytes()
        if len(data) <= BYTES_MOST:
            assert png_read(png_read(data).data).width in (180, 192, 512)


@pytest.mark.parametrize("kind", [b"tEXt", b"zTXt", b"iTXt", b"eXIf", b"tIME", b"iCCP", b"prVt"])
def test_what_is_not_the_picture_is_dropped(kind: bytes) -> None:
    packed = {b"zTXt": b"Author\x00\x00", b"iCCP": b"Author\x00\x00"}
    body = packed[kind] + zlib.compress(b"anna") if kind in packed else b"Author\x00anna, at home"
    data = picture(before=chunk(kind, body))
    assert png_read(data) == png_read(picture())


@pytest.mark.parametrize("behind", [b"<script>alert(1)</script>", b"PK\x03\x04", picture()])
def test_what_stands_behind_the_picture_is_dropped(behind: bytes) -> None:
    assert png_read(picture(behind=behind)) == png_read(picture())


@pytest.mark.parametrize(
    ("depth", "colours"),
    [(1, 0), (2, 0), (4, 0), (8, 0), (16, 0), (8, 2), (16, 2), (1, 3), (8, 3), (8, 4), (16, 6)],
)
def test_every_kind_of_picture_can_be_a_logo(depth: int, colours: int) -> None:
    bits = depth * {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colours]
    rows = bytes(1 + (19 * bits + 7) // 8) * 17
    palette = chunk(b"PLTE", b"\x10\x20\x30") if colours == 3 else b""
    first = head(19, 17, depth, colours) + palette
    logo = png_read(SIGNATURE + first + chunk(b"IDAT", zlib.compress(rows)) + END)
    assert png_read(logo.data) == logo


@pytest.mark.parametrize(
    ("code", "data"),
    [
        ("type", b""),
        ("type", b"GIF89a" + bytes(40)),
        ("type", b"<svg xmlns='http://www.w3.org/2000/svg'/>"),
        ("type", b"\xff\xd8\xff\xe0" + picture()),
        ("type", b"<script>alert(1)</script>" + picture()),
        ("bytes", picture() + bytes(BYTES_MOST)),
        ("sides", SIGNATURE + head(15, 20) + ROWS + END),
        ("sides", SIGNATURE + head(20, 1025) + ROWS + END),
        ("sides", SIGNATURE + head(2**31 - 1, 2**31 - 1) + ROWS + END),
        ("broken", SMALL + ROWS),
        ("broken", SMALL + chunk(b"IDAT", b"no stream") + END),
        ("broken", SMALL + struct.pack(">I", 2**32 - 1) + b"IDAT" + bytes(20)),
    ],
)
def test_no_other_file_can_be_a_logo(code: str, data: bytes) -> None:
    assert refused(data) == code


def test_a_file_that_is_cut_off_anywhere_is_refused() -> None:
    whole = picture(16, 16)
    for length in range(len(whole) - len(END) + 1):
        assert refused(whole[:length]) in ("broken", "type")


def test_a_file_with_any_byte_of_the_picture_changed_is_refused() -> None:
    whole = picture(16, 16)
    for at in range(len(whole) - len(END)):
        assert refused(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
