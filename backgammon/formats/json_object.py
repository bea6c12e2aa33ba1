"""Reading the values of a JSON document, each of which an error can name by its path."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from backgammon.formats.errors import FormatError
from backgammon.rules.errors import RulesError

T = TypeVar("T")


class JsonObject:
    """A JSON object with its path, so that every error can name it."""

    def __init__(self, value: object, path: str) -> None:
        if not isinstance(value, dict):
            raise FormatError("an object should stand here", path=path or "the document")
        self.value: Mapping[str, object] = value
        self.path = path

    def error(self, message: str, name: str = "") -> FormatError:
        """An error here, or at a field of this object."""
        path = f"{self.path}.{name}".strip(".") if name else self.path
        return FormatError(message, path=path or "the document")

    def guard(self, read: Callable[[JsonObject], T]) -> T:
        """Whatever ``read`` makes of this object; errors from below get this path."""
        try:
            return read(self)
        except FormatError as error:
            if error.path is not None:
                raise
            raise self.error(error.reason) from error
        except RulesError as error:
            raise self.error(str(error)) from error

    def get(self, name: str, kind: type[T], default: T | None = None) -> T:
        """A field of the given type; a missing or null one is the default, if there is one."""
        value = self.value.get(name)
        if value is None and default is not None:
            return default
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise self.error(f"{value!r:.40} is no {kind.__name__}", name)
        if kind is int and not -(2**31) < int(str(value)) < 2**31:
            raise self.error("too large a number", name)
        return value

    def pair(self, name: str, kind: type[T], default: tuple[T, T] | None = None) -> tuple[T, T]:
        """A field with one value a seat."""
        if default is not None and self.value.get(name) is None:
            return default
        values = self.get(name, list)
        if len(values) != 2 or not all(type(value) is kind for value in values):
            raise self.error(f"two values of type {kind.__name__} should stand here", name)
        return values[0], values[1]

    def place(self, name: str) -> JsonObject:
        """A field that is an object; a missing or null one is empty."""
        value = self.value.get(name)
        return JsonObject({} if value is None else value, f"{self.path}.{name}".strip("."))

    def items(self, name: str) -> Iterator[JsonObject]:
        """A field that is a list of objects."""
        path = f"{self.path}.{name}".strip(".")
        for index, value in enumerate(self.get(name, list, [])):
            yield JsonObject(value, f"{path}[{index}]")

    def choice(self, name: str, kind: Callable[[str], T], default: str = "") -> T:
        """A field that names a member of an enum."""
        text = self.get(name, str, default)
        try:
            return kind(text)
        except ValueError:
            raise self.error(f"{text!r:.40} is not known here", name) from None
