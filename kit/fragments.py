"""Parts of pages that are the same for everybody, rendered once in a process.

What a fragment shows follows from its arguments, the language and the edition of the site alone
(`edition_from`). It is kept under all of them, so it is never out of date and needs no time to
live. Nothing about the reader may be in it, and nothing that a statement of the database would have
to answer.
"""

from collections.abc import Callable, Hashable, Mapping
from functools import lru_cache, wraps
from typing import Any, Final, ParamSpec, TypeVar, cast

from django.core.signals import setting_changed
from django.dispatch import receiver
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

KEPT_MAX: Final = 8_192
"""As many fragments are kept in a process, those used last: some megabytes."""

Asked = ParamSpec("Asked")
Made = TypeVar("Made")
Values = Mapping[str, Any]

_editions: Final[list[Callable[[], int | None]]] = []


def edition_from(edition: Callable[[], int | None]) -> None:
    """Keep fragments under the number that this returns; while it returns None, keep none."""
    _editions[:] = [edition]


def kept(made: Callable[Asked, Made]) -> Callable[Asked, Made]:
    """Decorate a function of hashable arguments that makes a part of pages, or words for one.

    It is called the first time for each language, edition of the site and set of arguments; while
    there is no edition, every time. What it returns is never changed.
    """

    @wraps(made)
    def shown(*args: Asked.args, **kwargs: Asked.kwargs) -> Made:
        edition = _editions[0]() if _editions else 0
        if edition is None:
            return made(*args, **kwargs)
        return cast(Made, _kept(made, get_language(), edition, args, tuple(kwargs.items())))

    return shown


def fragment(
    template_name: str,
) -> Callable[[Callable[Asked, Values]], Callable[Asked, SafeString]]:
    """Decorate a function that makes the values of a template from hashable arguments.

    Its calls return the rendered template, and `kept` says when it is rendered.
    """

    def decorated(values: Callable[Asked, Values]) -> Callable[Asked, SafeString]:
        @wraps(values)
        def rendered(*args: Asked.args, **kwargs: Asked.kwargs) -> SafeString:
            return SafeString(render_to_string(template_name, dict(values(*args, **kwargs))))

        return kept(rendered)

    return decorated


@lru_cache(maxsize=KEPT_MAX)
def _kept(
    made: Callable[..., object],
    _language: str | None,
    _edition: int,
    args: tuple[Hashable, ...],
    named: tuple[tuple[str, Hashable], ...],
) -> object:
    return made(*args, **dict(named))


@receiver(setting_changed)  # by tests alone
def _forget(**_kept_by_signal: Any) -> None:
    _kept.cache_clear()
