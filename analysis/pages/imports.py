"""Bringing matches from elsewhere: how files are sent, and what is wrong with them.

The page's script sends one file after the other as the body of a request; without a script a form
sends a few small ones.
"""

import json
from typing import Any, Final
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from analysis.imports.jacoby import jacoby_choose
from analysis.imports.removing import import_undo
from analysis.imports.sending import (
    ARCHIVE_MOST_BYTES,
    FILE_MOST_BYTES,
    FILES_MOST,
    IMPORT_MOST_BYTES,
    Announced,
    ImportRefused,
    digests_of,
    faults_of,
    file_take,
    import_begin,
    import_close,
    import_of,
)
from analysis.imports.standing import faulty_files
from analysis.models import Import, ImportedMatch
from analysis.pages.problems import fault_shown
from kit.requests import SignedInRequest
from kit.sentences import plain_sentence, sentence

Row = dict[str, Any]

#: faults of one import that are listed.
_FAULTS_SHOWN: Final = 200

#: the longest list of files that a script announces.
_LIST_MOST_BYTES: Final = 128 * 1024


def limits_shown() -> Row:
    """The limits of one import, for the page and its script."""
    return {
        "files": FILES_MOST,
        "bytes": IMPORT_MOST_BYTES,
        "file_bytes": FILE_MOST_BYTES,
        "archive_bytes": ARCHIVE_MOST_BYTES,
    }


def faults_shown(upload: Import) -> list[Row]:
    """The faults of the files of an import: file, reason with its place, and what was kept."""
    rows = [
        {"file": file, **fault_shown(fault)}
        for file in faulty_files(upload)
        for fault in faults_of(file)
    ]
    return rows[:_FAULTS_SHOWN]


def _refused(error: ImportRefused) -> HttpResponse:
    answer = {"error": {"code": error.code, "message": plain_sentence(error)}}
    return JsonResponse(answer, status=409)


@require_POST
@login_required
@never_cache
def begin(request: SignedInRequest) -> HttpResponse:
    """Begin or go on with an import of the announced files; which of them are here already."""
    try:
        asked = json.loads(request.read(_LIST_MOST_BYTES))
        announced = [
            Announced(str(each["path"]), str(each["digest"]), int(each["size"]))
            for each in asked["files"]
        ]
        upload = import_begin(request.user, str(asked["name"]), announced)
    except ImportRefused as error:
        return _refused(error)
    except (ValueError, KeyError, TypeError):
        return JsonResponse(
            {"error": {"message": _("The list of files is unreadable.")}}, status=400
        )
    return JsonResponse({"id": upload.pk, "here": sorted(digests_of(upload))})


@require_POST
@login_required
@never_cache
def send(request: SignedInRequest, import_id: UUID) -> HttpResponse:
    """Take one file: its bytes are the body of the request, `path` is in the address."""
    upload = _mine(request, import_id)
    try:
        file = file_take(upload, request.GET.get("path", ""), request.read(ARCHIVE_MOST_BYTES + 1))
    except ImportRefused as error:
        return _refused(error)
    return JsonResponse({"digest": file.digest})


@require_POST
@login_required
@never_cache
def close(request: SignedInRequest, import_id: UUID) -> HttpResponse:
    """All files of an import were sent."""
    import_close(_mine(request, import_id))
    return JsonResponse({})


@require_POST
@login_required
def undo(request: SignedInRequest, import_id: UUID) -> HttpResponse:
    """Take out all matches that came with an import."""
    try:
        import_undo(_mine(request, import_id))
    except ImportRefused as error:
        messages.error(request, sentence(error))
    else:
        messages.success(request, _("The matches of this import are gone."))
    return redirect("archive")


@require_POST
@login_required
def jacoby(request: SignedInRequest, match_id: UUID) -> HttpResponse:
    """Judge a match with the Jacoby rule, or without it, where its file does not say."""
    mine = ImportedMatch.objects.filter(person=request.user, pk=match_id)
    if not mine.exists():
        raise Http404
    _jacoby_choose(request, mine)
    return redirect("imported_report", match_id)


@require_POST
@login_required
def jacoby_of_all(request: SignedInRequest, import_id: UUID) -> HttpResponse:
    """The same for all matches that came with an import."""
    upload = _mine(request, import_id)
    _jacoby_choose(request, ImportedMatch.objects.filter(person=request.user, file__upload=upload))
    return redirect("archive")


def _jacoby_choose(request: SignedInRequest, matches: QuerySet[ImportedMatch]) -> None:
    choice = request.POST.get("holds")
    if choice not in ("yes", "no"):
        raise Http404
    if count := jacoby_choose(matches, holds=choice == "yes"):
        words = ngettext(
            "%(count)d match is analysed again.", "%(count)d matches are analysed again.", count
        )
        messages.success(request, words % {"count": count})


@require_POST
@login_required
def add(request: SignedInRequest) -> HttpResponse:
    """Take the files and the text of the form, for browsers without scripts."""
    sent = [(file.name or "", file.read()) for file in request.FILES.getlist("file")]
    text = request.POST.get("text", "")
    if text.strip():
        sent.append((_("pasted text"), text.encode()))
    if not sent:
        messages.error(request, _("Choose a file or paste a text first."))
        return redirect("archive")
    now = timezone.localtime()
    name = sent[0][0] if len(sent) == 1 else _("%(count)d files") % {"count": len(sent)}
    try:
        announced = [Announced(path, "", len(data)) for path, data in sent]
        upload = import_begin(request.user, f"{name}, {now:%H:%M:%S}", announced)
    except ImportRefused as error:
        messages.error(request, sentence(error))
        return redirect("archive")
    for path, data in sent:
        try:
            file_take(upload, path, data)
        except ImportRefused as error:
            messages.error(request, f"{path}: {sentence(error)}")
    import_close(upload)
    return redirect("archive")


def _mine(request: SignedInRequest, import_id: UUID) -> Import:
    upload = import_of(request.user, import_id)
    if upload is None:
        raise Http404
    return upload
