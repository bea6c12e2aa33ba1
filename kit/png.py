"""A small PNG picture, without anything but the picture.

Pillow reads an upload and writes it anew, so texts, times, places, profiles, further pictures and
whatever stands behind the end are gone.
"""

import base64
import binascii
import hashlib
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from typing import Final

from PIL import Image, UnidentifiedImageError

BYTES_MOST: Final = 64 * 1024
SIDE_LEAST: Final = 16
SIDE_MOST: Final = 1024


class BadPng(ValueError):
    """A file that is no such picture: `code` is the rule, the text says what is wrong."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


@dataclass(frozen=True, slots=True)
class Png:
    """A picture: the file, its size in pixels, and a digest that names it."""

    data: bytes
    width: int
    height: int

    @property
    def digest(self) -> str:
        """The name of the file: the first half of its SHA-256."""
        return hashlib.sha256(self.data).hexdigest()[:32]


def png_read(data: bytes) -> Png:
    """The picture of an upload, written anew. Raises `BadPng`."""
    if len(data) > BYTES_MOST:
        raise BadPng("bytes", f"is larger than {BYTES_MOST // 1024} KiB")
    written = BytesIO()
    try:
        _opened(data).verify()  # the checksums
        picture = _opened(data)
        transparency = picture.info.get("transparency")
        picture.load()
        picture.info = {} if transparency is None else {"transparency": transparency}
        picture.save(written, "PNG", optimize=True)
    except BadPng:
        raise
    except UnidentifiedImageError as error:
        raise BadPng("type", "is no PNG picture") from error
    except Image.DecompressionBombError as error:
        raise BadPng("sides", str(error)) from error
    except Exception as error:  # a damaged file makes Pillow raise almost anything
        raise BadPng("broken", f"is damaged: {error}") from error
    return Png(written.getvalue(), *picture.size)


@lru_cache(maxsize=8)
def png_of(text: str) -> Png:
    """The picture of a file that is stored in base64, as it is. Raises `BadPng`."""
    data = png_bytes(text)
    return Png(data, *_opened(data).size)


def png_bytes(text: str) -> bytes:
    """The file that is written in base64. Raises `BadPng`."""
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadPng("type", "is no PNG picture") from error


def png_text(picture: Png) -> str:
    """The picture in base64, as `png_of` reads it."""
    return base64.b64encode(picture.data).decode()


def _opened(data: bytes) -> Image.Image:
    """The picture of a file of which only the size has been read."""
    picture = Image.open(BytesIO(data), formats=["PNG"])
    if not all(SIDE_LEAST <= side <= SIDE_MOST for side in picture.size):
        size = " × ".join(map(str, picture.size))
        raise BadPng("sides", f"has {size} pixels; each side has {SIDE_LEAST} to {SIDE_MOST}")
    return picture
