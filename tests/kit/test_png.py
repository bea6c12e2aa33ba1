"""The logo of a house: whole PNG pictures only, and nothing else in them."""

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


def test_a_whole_picture_stays_as_it_is() -> None:
    data = picture(40, 20, before=chunk(b"sRGB", b"\x00") + chunk(b"gAMA", b"\x00\x00\xb1\x8f"))
    logo = png_read(data)
    assert (logo.data, logo.width, logo.height) == (data, 40, 20)
    assert png_of(png_text(logo)) == logo
    assert len(logo.digest) == 32


def test_the_pictures_of_the_site_are_whole() -> None:
    """Files of another program, too."""
    for name in ("pasch-192.png", "pasch-512.png", "pasch-touch-180.png"):
        data = (ROOT / "static/icons" / name).read_bytes()
        if len(data) <= BYTES_MOST:
            assert png_read(png_read(data).data).width in (180, 192, 512)


@pytest.mark.parametrize(
    "kind", [b"tEXt", b"zTXt", b"iTXt", b"eXIf", b"tIME", b"iCCP", b"acTL", b"fcTL", b"prVt"]
)
def test_what_is_not_the_picture_is_dropped(kind: bytes) -> None:
    secret = chunk(kind, b"Author\x00anna, at home")
    assert png_read(picture(before=secret)).data == picture()
    behind = picture()[: -len(END)] + secret + END
    assert png_read(behind).data == picture()


@pytest.mark.parametrize(
    ("depth", "colours"),
    [(1, 0), (2, 0), (4, 0), (8, 0), (16, 0), (8, 2), (16, 2), (1, 3), (8, 3), (8, 4), (16, 6)],
)
@pytest.mark.parametrize("interlaced", [False, True])
def test_every_kind_of_picture_can_be_a_logo(depth: int, colours: int, interlaced: bool) -> None:
    bits = depth * {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[colours]
    sizes = [(19, 17)]
    if interlaced:  # written by hand: the parts of a picture of 19 × 17
        sizes = [(3, 3), (2, 3), (5, 2), (5, 5), (10, 4), (9, 9), (19, 8)]
    rows = b"".join(bytes(1 + (wide * bits + 7) // 8) * high for wide, high in sizes)
    palette = chunk(b"PLTE", b"\x10\x20\x30") if colours == 3 else b""
    first = head(19, 17, depth, colours, int(interlaced)) + palette
    data = SIGNATURE + first + chunk(b"IDAT", zlib.compress(rows)) + END
    assert png_read(data).data == data
    more = SIGNATURE + first + chunk(b"IDAT", zlib.compress(rows + b"\x00")) + END
    assert refused(more) == "broken"


@pytest.mark.parametrize(
    ("code", "data"),
    [
        ("type", b""),
        ("type", b"GIF89a" + bytes(40)),
        ("type", b"<svg xmlns='http://www.w3.org/2000/svg'/>"),
        ("type", b"\xff\xd8\xff\xe0" + picture()),
        ("type", b"<script>alert(1)</script>" + picture()),
        ("behind", picture(behind=b"<script>alert(1)</script>")),
        ("behind", picture(behind=b"PK\x03\x04")),
        ("behind", picture(behind=picture())),
        ("bytes", picture() + bytes(BYTES_MOST)),
        ("sides", SIGNATURE + head(15, 20) + ROWS + END),
        ("sides", SIGNATURE + head(20, 1025) + ROWS + END),
        ("sides", SIGNATURE + head(2**31 - 1, 2**31 - 1) + ROWS + END),
        ("sides", SIGNATURE + head(0, 20) + ROWS + END),
        ("kind", SIGNATURE + head(20, 20, 3, 6) + ROWS + END),
        ("kind", SIGNATURE + head(20, 20, 8, 5) + ROWS + END),
        ("kind", SIGNATURE + head(20, 20, 8, 6, 2) + ROWS + END),
        ("kind", SMALL + chunk(b"SPAM") + ROWS + END),
        ("broken", SIGNATURE),
        ("broken", SMALL),
        ("broken", SMALL + ROWS),
        ("broken", SMALL + END),
        ("behind", SMALL + END + ROWS),
        ("broken", SIGNATURE + ROWS + head(20, 20) + END),
        ("broken", SMALL + head(20, 20) + ROWS + END),
        ("broken", SMALL + ROWS + chunk(b"IEND", b"more")),
        ("broken", SMALL + ROWS + chunk(b"PLTE", bytes(3)) + ROWS + END),
        ("broken", SMALL + chunk(b"PLTE", bytes(4)) + ROWS + END),
        ("broken", SMALL + chunk(b"PLTE") + ROWS + END),
        ("broken", SMALL + chunk(b"tRNS", b"\x00") + ROWS + END),
        ("broken", SMALL + chunk(b"gAMA", b"\x00") + ROWS + END),
        ("broken", SMALL + chunk(b"sRGB", b"\x00") * 2 + ROWS + END),
        ("broken", SIGNATURE + head(20, 20, 8, 3) + ROWS + END),
        ("broken", SIGNATURE + head(20, 20, 1, 3) + chunk(b"PLTE", bytes(9)) + ROWS + END),
        ("broken", SMALL + chunk(b"IDAT", b"no stream") + END),
        ("broken", SMALL + chunk(b"IDAT", zlib.compress(bytes(81 * 20)) + b"<script>") + END),
        ("broken", SMALL + chunk(b"IDAT", zlib.compress(bytes(81 * 20))[:-4]) + END),
        ("broken", SMALL + chunk(b"IDAT", zlib.compress(bytes(40_000_000))) + END),
        ("broken", SMALL + chunk(b"IDAT", zlib.compress(b"\x05" + bytes(81 * 20 - 1))) + END),
        ("broken", SMALL + struct.pack(">I", 2**32 - 1) + b"IDAT" + bytes(20)),
        ("broken", SMALL + chunk(b"\x00\x01\x02\x03") + ROWS + END),
    ],
)  # fmt: skip
def test_no_other_file_can_be_a_logo(code: str, data: bytes) -> None:
    assert refused(data) == code


def test_a_file_that_is_cut_off_anywhere_is_refused() -> None:
    whole = picture(16, 16)
    for length in range(len(whole)):
        assert refused(whole[:length]) in ("broken", "type")


def test_a_file_with_any_byte_changed_is_refused() -> None:
    whole = picture(16, 16)
    for at in range(len(whole)):
        assert refused(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
