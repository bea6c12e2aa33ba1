"""The settings of the house: what is in force, what was before, and a change of each part."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils.functional import Promise
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from house.history import change_newest, takes_two
from house.models import HouseChange
from house.parts import PARTS, Content, HousePart
from kit.requests import SignedInRequest
from ledger.desk.access import desk_page, second_factor_at, second_factor_is_fresh
from ledger.desk.decisions import decide
from ledger.desk.proposals import proposal_rows
from ledger.selectors_desk import proposals_waiting
from pasch.desk.house_forms import (
    ColoursForm,
    HouseForm,
    LogoForm,
    board_preview,
    logo_preview,
)
from pasch.desk.house_words import PART_HELP, PART_NAMES, changes, field_rows
from pasch.desk.money_words import FieldRow
from pasch.staff.house import (
    RIGHT,
    content_now,
    house_change,
    house_propose,
    subject_of,
    usual_content,
)
from pasch.web.house_look import COOKIE, THEMES, look_begin, look_of
from pasch.web.house_look import PARTS as LOOKED_AT

ROWS = 10
FORMS: Mapping[HousePart, type[HouseForm]] = {
    HousePart.LOGO: LogoForm,
    HousePart.COLOURS: ColoursForm,
}


@dataclass(frozen=True, slots=True)
class PartRow:
    """A part on the page of all: its name, its fields, and its newest change."""

    key: str
    name: str | Promise
    about: str | Promise
    rows: list[FieldRow]
    newest: HouseChange | None


@desk_page(RIGHT)
@require_safe
def house(request: SignedInRequest) -> HttpResponse:
    """Show every part of the settings as it is."""
    parts = [
        PartRow(
            part.value,
            PART_NAMES[part],
            PART_HELP[part],
            field_rows(part, content_now(part)),
            change_newest(part),
        )
        for part in PARTS
    ]
    return render(request, "desk/house.html", {"parts": parts})


@desk_page(RIGHT)
@require_http_methods(["GET", "HEAD", "POST"])
def part(request: SignedInRequest, key: str) -> HttpResponse:
    """Show a part and its history; preview a change, and make or propose it."""
    chosen = _part(key)
    newest = change_newest(chosen)
    now: Content = dict(newest.content) if newest else {}
    number = newest.number if newest else 0
    data = request.POST if request.method == "POST" else None
    made = FORMS.get(chosen, HouseForm)
    files = request.FILES if request.method == "POST" else None
    form = made(data, part=chosen, now=now, number=number, files=files)
    asked = request.method == "POST" and form.is_valid()
    if asked and form.content is not None and "save" in request.POST:
        return _save(request, chosen, form.content, form.cleaned_data)
    may_look = chosen in LOOKED_AT and request.POST.get("look") in THEMES
    if asked and form.content is not None and may_look:
        theme, shown = request.POST["look"], form.content
        return look_begin(redirect("home"), request.user, chosen, shown, theme)
    two = takes_two(chosen)
    waiting = proposals_waiting(request.user.get_all_permissions(), subject=subject_of(chosen))
    context = {
        "key": chosen.value,
        "name": PART_NAMES[chosen],
        "about": PART_HELP[chosen],
        "rows": field_rows(chosen, now),
        "form": form,
        "changes": changes(chosen, now, form.content) if asked and form.content is not None else [],
        **_pictures(chosen, now, form.content if asked else None),
        "two": two,
        "can_look": chosen in LOOKED_AT,
        "waiting": proposal_rows(waiting, request.user) if two else [],
        "confirmed": second_factor_is_fresh(request),
        "page": Paginator(house_history(chosen), ROWS).get_page(request.GET.get("page")),
        "single_administrator": two and settings.LEDGER_SINGLE_ADMINISTRATOR,
    }
    return render(request, "desk/house_part.html", context)


def _pictures(chosen: HousePart, now: Content, then: Content | None) -> dict[str, Any]:
    """The pictures of a part: of now and, in a preview, of then.

    A page draws one board, because it has one style sheet of `house`.
    """
    match chosen:
        case HousePart.LOGO:
            return {"logo": logo_preview(now), "logo_then": logo_preview(then)}
        case HousePart.COLOURS:
            if then is None:
                return {"board": board_preview(now)}
            return {"board_then": board_preview(then)}
    return {}


def _save(
    request: SignedInRequest, chosen: HousePart, content: Content, said: dict[str, object]
) -> HttpResponse:
    change = house_propose if takes_two(chosen) else house_change
    done = _("Proposed. Another administrator confirms or refuses it.")
    return decide(
        request,
        lambda: change(
            actor=request.user,
            part=chosen,
            content=content,
            number=int(str(said["number"])),
            reason=str(said["reason"]),
            verified_at=second_factor_at(request),
        ),
        done=done if takes_two(chosen) else _("Changed. Every page shows it within seconds."),
        back=resolve_url("desk:house_part", chosen.value),
    )


@desk_page(RIGHT)
@require_POST
def look(request: SignedInRequest) -> HttpResponse:
    """End the preview in this browser, or go on in another theme."""
    back = request.POST.get("next", "")
    if not url_has_allowed_host_and_scheme(back, allowed_hosts={request.get_host()}):
        back = resolve_url("home")
    look, theme = look_of(request), request.POST.get("theme", "")
    if look is not None and theme in THEMES:
        return look_begin(
            redirect(back), request.user, HousePart(look["part"]), look["content"], theme
        )
    response = redirect("desk:house_part", look["part"]) if look else redirect("desk:house")
    response.delete_cookie(COOKIE)
    return response


def _part(key: str) -> HousePart:
    if key not in PARTS:
        raise Http404
    return HousePart(key)


def house_history(chosen: HousePart) -> list[tuple[HouseChange, list[FieldRow]]]:
    """Each content that the part had, the newest first, with what it changed."""
    before = usual_content(chosen)
    rows = []
    found = HouseChange.objects.filter(part=chosen).select_related("changed_by", "confirmed_by")
    for row in found.order_by("number"):
        rows.append((row, changes(chosen, before, row.content)))
        before = row.content
    return rows[::-1]
