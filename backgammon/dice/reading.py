"""Reading the fields of a record's JSON, with errors that say which one and why."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from backgammon.dice.errors import BadRecord

_REQUIRED: Final = object()


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of one JSON object; `where` names it in errors. All methods raise `BadRecord`."""

    source: object
    where: str

    def value(self, name: str, default: object = _REQUIRED) -> object:
        """A field of any type."""
        if not isinstance(self.source, Mapping):
            raise BadRecord(f"{self.where} is not a JSON object")
        found: object = self.source.get(name, default)
        if found is _REQUIRED:
            raise BadRecord(f"{self.where} has no field {name}")
        return found

    def text(self, name: str) -> str:
        """A field of text."""
        found = self.value(name)
        if not isinstance(found, str):
            raise BadRecord(f"{name} of {self.where} is not text")
        return found

    def octets(self, name: str, size: int) -> bytes:
        """A field of `size` bytes in lower-case hexadecimal."""
        found = self.text(name)
        if len(found) != 2 * size or set(found) - set("0123456789abcdef"):
            raise BadRecord(f"{name} of {self.where} is not {2 * size} hexadecimal digits")
        return bytes.fromhex(found)

    def optional_octets(self, name: str, size: int) -> bytes | None:
        """Such a field, or None if it is not there."""
        return None if self.value(name, None) is None else self.octets(name, size)

    def number(self, name: str) -> int:
        """A field with an integer that is not negative."""
        return self._number(self.value(name), name)

    def numbers(self, name: str) -> tuple[int, ...]:
        """A field with a list of such integers."""
        return self._numbers(self.value(name), name)

    def number_lists(self, name: str) -> tuple[tuple[int, ...], ...]:
        """A field with a list of lists of such integers."""
        return tuple(self._numbers(item, name) for item in self._list(name))

    def entries(self, name: str, entry: str) -> "Iterator[Fields]":
        """The objects in a field with a list; `entry` is what one of them is called."""
        for number, item in enumerate(self._list(name)):
            yield Fields(item, f"{entry} {number} (counted from 0)")

    def _list(self, name: str) -> "Iterator[object]":
        found = self.value(name)
        if not isinstance(found, list | tuple):
            raise BadRecord(f"{name} of {self.where} is not a list")
        yield from found

    def _numbers(self, found: object, name: str) -> tuple[int, ...]:
        if not isinstance(found, list | tuple):
            raise BadRecord(f"{name} of {self.where} is not a list of numbers")
        return tuple(self._number(item, name) for item in found)

    def _number(self, found: object, name: str) -> int:
        if isinstance(found, bool) or not isinstance(found, int) or found < 0:
            raise BadRecord(f"{name} of {self.where} is not a whole number from 0 on")
        return found
