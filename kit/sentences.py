"""The sentence of a refusal, in the reader's language."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Final

from django.utils.formats import date_format
from django.utils.html import format_html, strip_tags
from django.utils.translation import gettext

from kit.errors import Refusal


def _moment(until_ms: Any) -> str:
    """A moment as a part of a page: templates/shell/time.html in a line."""
    moment = datetime.fromtimestamp(int(until_ms) / 1000, tz=UTC)
    told = date_format(moment, "DATETIME_FORMAT")
    return format_html('<time datetime="{}" data-local>{} UTC</time>', moment.isoformat(), told)


_NAME: Final = re.compile(r"{(\w+)}")

#: how a value is written, by the end of its name; an app adds the kinds that it knows
WRITERS: Final[dict[str, Callable[[Any], str]]] = {"_ms": _moment}


def sentence(error: Refusal, *, staff: bool = False) -> str:
    """The sentence of a refusal as a part of a page; `staff` decide about others."""
    text = gettext(error.said(staff=staff))
    names = _NAME.findall(text)
    return format_html(text, **{name: _written(error, name) for name in names}) if names else text


def plain_sentence(error: Refusal) -> str:
    """The sentence for scripts and programs, without marks of a page."""
    return strip_tags(sentence(error))


def sentences_by_code(*modules: str) -> dict[str, str]:
    """The sentences of all refusals of these modules by their codes, for scripts.

    Of those with one code the last module's counts, and in a module the most general. The script
    fills in `{until}`.
    """
    kinds = sorted(refusals(), key=lambda kind: -len(kind.__mro__))
    texts = {}
    for module in modules:
        for kind in kinds:
            if f"{kind.__module__}.".startswith(f"{module}."):
                page = strip_tags(str(getattr(kind, "page", "")))
                texts[kind.code] = gettext(kind.sentence).replace("{page}", page)
    return texts


def refusals(kind: type[Refusal] = Refusal) -> list[type[Refusal]]:
    """Every class of refusals that is loaded."""
    return [kind, *(each for sub in kind.__subclasses__() for each in refusals(sub))]


def _written(error: Refusal, name: str) -> object:
    """A value of the error by its name in the sentence, which leaves the unit out."""
    for end, write in WRITERS.items():
        value = error.fields.get(name + end, getattr(error, name + end, None))
        if value is not None:
            return write(value)
    return error.fields.get(name, getattr(error, name, ""))
