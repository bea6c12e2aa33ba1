"""A file with faults: its lines around each of them, where they can be corrected."""

import re
from dataclasses import dataclass
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from analysis.imports.correcting import LINE_MOST, lines_correct, lines_of
from analysis.imports.sending import ImportRefused, faults_of
from analysis.models import ImportedFile
from analysis.pages.problems import fault_shown
from kit.requests import SignedInRequest
from kit.sentences import sentence

Row = dict[str, Any]

#: lines shown before and after one at fault, and one that was changed.
_LINES_AROUND: Final = 4

#: lines shown at most; Django takes 1,000 fields of a form.
_LINES_SHOWN: Final = 900

#: seconds until the page is loaded again while a worker reads the file.
_LOOK_SECONDS: Final = 3

#: the narrowest field of a line, in characters.
_WIDTH_LEAST: Final = 60

_FIELD: Final = re.compile(r"line-(\d{1,7})")


@dataclass(frozen=True, slots=True)
class FileLine:
    """A line of a file near a fault; `original` is the line as it came if it was changed.

    `gap`: lines before this one are left out. `at_fault`: there is a fault, at `column` if its
    place is known.
    """

    number: int
    text: str
    gap: bool
    at_fault: bool
    column: int | None
    original: str | None

    @property
    def can_be_changed(self) -> bool:
        """Whether the line is short enough for a field."""
        return len(self.text) <= LINE_MOST

    @property
    def pointer(self) -> str:
        """A mark below the place at fault."""
        return " " * (min(self.column, len(self.text) + 1) - 1) + "▲" if self.column else ""


def file_lines(file: ImportedFile) -> list[FileLine]:
    """Return the first lines near a fault or a change; none if the text is not kept."""
    came = lines_of(file)
    faults: list[Row] = faults_of(file)
    places = {fault["line"]: fault.get("column") for fault in faults if fault.get("line")}
    known = {*places, *map(int, file.changes)}
    near = {line + step for line in known for step in range(-_LINES_AROUND, _LINES_AROUND + 1)}
    numbers = sorted(near & set(range(1, len(came) + 1)))[:_LINES_SHOWN]
    shown: list[FileLine] = []
    for before, number in zip([0, *numbers], numbers, strict=False):
        original = came[number - 1]
        changed = file.changes.get(str(number))
        shown.append(
            FileLine(
                number=number,
                text=original if changed is None else changed,
                gap=bool(shown) and before != number - 1,
                at_fault=number in places,
                column=places.get(number),
                original=None if changed is None else original,
            )
        )
    return shown


@login_required
@require_safe
@never_cache
def file(request: SignedInRequest, file_id: int) -> HttpResponse:
    """The file with its faults, and with the lines that its person has changed."""
    sent = _mine(request, file_id)
    lines = file_lines(sent)
    context = {
        "file": sent,
        "waits": sent.read_at is None,
        "faults": [fault_shown(fault) for fault in faults_of(sent)],
        "lines": lines,
        "is_binary": sent.content is not None and not lines_of(sent),
        "width": max([_WIDTH_LEAST, *(len(line.text) for line in lines if line.can_be_changed)]),
        "length_most": LINE_MOST,
        "matches": sent.matches.filter(removed_at=None).order_by("added_at", "pk"),
    }
    response = render(request, "analysis/imported_file.html", context)
    if sent.read_at is None:
        response["Refresh"] = str(_LOOK_SECONDS)
    return response


@require_POST
@login_required
def correct(request: SignedInRequest, file_id: int) -> HttpResponse:
    """Read a file again with the lines of the form; `undo` reads it as it came.

    Changed lines that the form does not have stay changed.
    """
    sent = _mine(request, file_id)
    wanted = {int(number): text for number, text in sent.changes.items()} | {
        int(named[1]): text
        for name, text in request.POST.items()
        if (named := _FIELD.fullmatch(name)) and isinstance(text, str)
    }
    try:
        lines_correct(sent, {} if "undo" in request.POST else wanted)
    except ImportRefused as error:
        messages.error(request, sentence(error))
    else:
        messages.success(request, _("The file is read again."))
    return redirect("imported_file", file_id)


def _mine(request: SignedInRequest, file_id: int) -> ImportedFile:
    mine = ImportedFile.objects.filter(upload__person=request.user)
    return get_object_or_404(mine.exclude(read_at=None, found=None), pk=file_id)
