"""Every error of a form stands on the page that was made with the form; else the request fails.

All tests pass this middleware, with or without a browser: a mistake that a view knows and that its
reader cannot see is a fault of the page, whatever the test looks at.
"""

from collections.abc import Awaitable, Callable, Iterator
from contextvars import ContextVar
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.forms.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.test.signals import template_rendered
from django.utils.decorators import sync_and_async_middleware
from django.utils.html import escape

_forms: ContextVar[dict[int, BaseForm] | None] = ContextVar("forms", default=None)


def _note(context: Any, **_kwargs: Any) -> None:
    """Remember the forms of a template that is rendered for the current request."""
    if (forms := _forms.get()) is not None:
        forms |= {id(form): form for layer in context.dicts for form in _forms_in(layer)}


template_rendered.connect(_note, dispatch_uid="errors_shown")


def _forms_in(layer: Any) -> Iterator[BaseForm]:
    for value in list(layer.values()) if isinstance(layer, dict) else ():
        if isinstance(value, BaseForm):
            yield value
        elif isinstance(value, dict):
            yield from (each for each in value.values() if isinstance(each, BaseForm))


def hidden_errors(forms: Iterator[BaseForm], page: str) -> list[str]:
    """Each error of these forms that the page does not have."""
    return [
        f"{type(form).__name__}.{field}: {text}"
        for form in forms
        if form.is_bound and getattr(form, "_errors", None)
        for field, texts in form.errors.items()
        for text in texts
        if str(escape(text)) not in page and text not in page  # one with a link is no plain text
    ]


def _check(response: HttpResponse) -> None:
    forms = iter((_forms.get() or {}).values())
    if not response.streaming and "html" in response.headers.get("Content-Type", ""):
        hidden = hidden_errors(forms, response.content.decode())
        assert not hidden, f"errors that stand nowhere: {hidden}"


@sync_and_async_middleware
def errors_shown(get_response: Callable[[HttpRequest], Any]) -> Callable[[HttpRequest], Any]:
    """Fail a request whose page keeps an error to itself."""

    async def asynchronous(request: HttpRequest) -> HttpResponse:
        _forms.set({})
        waited: Awaitable[HttpResponse] = get_response(request)
        response = await waited
        _check(response)
        return response

    def synchronous(request: HttpRequest) -> HttpResponse:
        _forms.set({})
        response: HttpResponse = get_response(request)
        _check(response)
        return response

    return asynchronous if iscoroutinefunction(get_response) else synchronous
