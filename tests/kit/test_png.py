"""The logo of a house: PNG pictures only, and nothing else in them."""

import struct
import zlib

import pytest

from kit.png import BYTES_MOST, BadPng, png_of, png_read, png_text
from tests.architecture.sources import ROOT
from tests.png import SIGNATURE, chunk, head, picture

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
