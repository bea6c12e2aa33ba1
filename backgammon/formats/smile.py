"""Smile, JSON as bytes, which BGBlitz keeps its matches in: reading.

Source: https://github.com/FasterXML/smile-format-specification, version 1.0.6. Numbers too large
for a machine and raw bytes do not occur in matches and are refused.
"""

from __future__ import annotations

import struct
from typing import Final

from backgammon.formats.errors import FormatError

IS_SMILE: Final = b":)\n"
_DEPTH_MOST: Final = 32
_SHARED_MOST: Final = 1024
_SHARED_BYTES_MOST: Final = 64
_END_OF_ARRAY, _END_OF_OBJECT, _END_OF_TEXT = 0xF9, 0xFB, 0xFC
_CONSTANTS: Final[dict[int, object]] = {0x20: "", 0x21: None, 0x22: False, 0x23: True}


def smile_values(data: bytes) -> object:
    """The value that these bytes say.

    :raises FormatError: if they say none.
    """
    if not data.startswith(IS_SMILE) or len(data) < 5:
        raise FormatError("the content is no match")
    try:
        return _Decoder(data).value()
    except (IndexError, ValueError, struct.error) as error:
        if isinstance(error, FormatError):
            raise
        raise FormatError("the content is damaged") from error


class _Decoder:
    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 4
        self.shares_names, self.shares_texts = bool(data[3] & 1), bool(data[3] & 2)
        self.names: list[str] = []
        self.texts: list[str] = []
        self.depth = 0

    def value(self) -> object:
        """The value that begins here."""
        token = self._byte()
        if token in _CONSTANTS:
            return _CONSTANTS[token]
        if 0xC0 <= token <= 0xDF:
            return _signed(token & 0x1F)
        if token in (0x24, 0x25):
            return _signed(self._long())
        if token == 0x28:
            return struct.unpack(">f", self._sevens(5, 4))[0]
        if token == 0x29:
            return struct.unpack(">d", self._sevens(10, 8))[0]
        if token in (0xF8, 0xFA):
            return self._nested(token)
        return self._text(token)

    def _nested(self, token: int) -> object:
        self.depth += 1
        if self.depth > _DEPTH_MOST:
            raise FormatError("the content is nested too deeply")
        found = self._array() if token == 0xF8 else self._object()
        self.depth -= 1
        return found

    def _array(self) -> list[object]:
        found = []
        while self.data[self.at] != _END_OF_ARRAY:
            found.append(self.value())
        self.at += 1
        return found

    def _object(self) -> dict[str, object]:
        found = {}
        while (token := self._byte()) != _END_OF_OBJECT:
            name = self._name(token)
            found[name] = self.value()
        return found

    def _name(self, token: int) -> str:
        if token == 0x20:
            return ""
        if 0x30 <= token <= 0x33:
            return self.names[(token & 3) << 8 | self._byte()]
        if 0x40 <= token <= 0x7F:
            return self.names[token & 0x3F]
        if token == 0x34:
            return self._until_end()
        if 0x80 <= token <= 0xBF:
            name = self._letters((token & 0x3F) + 1)
        elif 0xC0 <= token <= 0xF7:
            name = self._letters((token & 0x3F) + 2)
        else:
            raise FormatError("the content is damaged")
        if self.shares_names:
            _share(self.names, name)
        return name

    def _text(self, token: int) -> str:
        if 0x01 <= token <= 0x1F:
            return self.texts[token - 1]
        if 0xEC <= token <= 0xEF:
            return self.texts[(token & 3) << 8 | self._byte()]
        if token in (0xE0, 0xE4):
            return self._until_end()
        if not 0x40 <= token <= 0xBF:
            raise FormatError("the content is damaged")
        shortest = {2: 1, 3: 33, 4: 2, 5: 34}[token >> 5]
        size = (token & 0x1F) + shortest
        text = self._letters(size)
        if self.shares_texts and size <= _SHARED_BYTES_MOST:
            _share(self.texts, text)
        return text

    def _byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def _letters(self, size: int) -> str:
        if self.at + size > len(self.data):
            raise FormatError("the content is cut off")
        self.at += size
        return self.data[self.at - size : self.at].decode("utf-8", errors="replace")

    def _until_end(self) -> str:
        size = self.data.index(_END_OF_TEXT, self.at) - self.at
        text = self._letters(size)
        self.at += 1
        return text

    def _long(self) -> int:
        """Seven bits a byte, and six in the last one, which has its first bit set."""
        number = 0
        for _ in range(10):
            byte = self._byte()
            if byte & 0x80:
                return number << 6 | byte & 0x3F
            number = number << 7 | byte
        raise FormatError("the content has too large a number")

    def _sevens(self, many: int, size: int) -> bytes:
        number = 0
        for _ in range(many):
            number = number << 7 | self._byte() & 0x7F
        return (number & (1 << 8 * size) - 1).to_bytes(size, "big")


def _signed(number: int) -> int:
    return number >> 1 ^ -(number & 1)


def _share(table: list[str], text: str) -> None:
    if len(table) >= _SHARED_MOST:
        table.clear()
    table.append(text)
