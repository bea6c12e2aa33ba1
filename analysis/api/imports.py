"""Bringing matches from elsewhere for programs: a file or a ZIP is the body of one request."""

from collections.abc import Mapping
from typing import IO, Any, Final
from uuid import UUID

from django.db import transaction
from django.http import Http404
from django.shortcuts import get_object_or_404
from drf_spectacular.types import OpenApiTypes
from rest_framework import serializers
from rest_framework.parsers import BaseParser
from rest_framework.response import Response

from analysis.imports.correcting import LINE_MOST, lines_correct
from analysis.imports.removing import import_undo
from analysis.imports.sending import (
    ARCHIVE_MOST_BYTES,
    file_take,
    import_begin,
    import_close,
    import_of,
)
from analysis.imports.standing import analysis_standing, import_standing
from analysis.models import Import, ImportedFile, ImportedMatch
from analysis.pages.imported_file import file_lines
from analysis.pages.imports import faults_shown
from games.api.operations import PlayerApi
from kit.api import READABLE, StrictSerializer, checked, described
from kit.requests import SignedInApiRequest

#: matches of an import that its state names; the list of matches has all of them.
MATCHES_NAMED: Final = 100


class FileBody(BaseParser):
    """The bytes of a file as they are, as many as a ZIP may have and one."""

    media_type = "application/octet-stream"

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """The body of the request."""
        return stream.read(ARCHIVE_MOST_BYTES + 1)


class ImportQuerySerializer(StrictSerializer):
    """How the file is named, and whether more files of its import follow."""

    path = serializers.RegexField(READABLE, required=False, default="file", max_length=300)
    name = serializers.RegexField(
        READABLE, required=False, max_length=200, help_text="Of the import; without it, as `path`."
    )
    more = serializers.BooleanField(
        required=False,
        default=False,
        help_text="Leave the import open: the next file with its `name` belongs to it, too.",
    )


class ImportFaultSerializer(serializers.Serializer):
    """A fault of a file in words: its place, and the part of its game that was kept."""

    file = serializers.CharField(source="file.path")
    file_id = serializers.IntegerField(source="file.pk")
    code = serializers.CharField()
    message = serializers.CharField()
    kept = serializers.CharField(allow_blank=True)
    path = serializers.CharField(allow_null=True, help_text="In a ZIP, or in a JSON file.")
    line = serializers.IntegerField(allow_null=True)
    column = serializers.IntegerField(allow_null=True)
    match = serializers.IntegerField(allow_null=True)
    game = serializers.IntegerField(allow_null=True)


class FileLineSerializer(serializers.Serializer):
    """A line near a fault, or one that you have changed."""

    line = serializers.IntegerField(source="number")
    text = serializers.CharField()
    original = serializers.CharField(
        allow_null=True, help_text="The line as it came, if you have changed it."
    )
    at_fault = serializers.BooleanField()


class ImportFileSerializer(serializers.Serializer):
    """A file of an import, and its lines near a fault or a change."""

    id = serializers.IntegerField(source="pk")
    path = serializers.CharField()
    is_read = serializers.BooleanField()
    lines = FileLineSerializer(many=True)


class ChangedLineSerializer(StrictSerializer):
    """A line as it should be."""

    line = serializers.IntegerField(min_value=1)
    text = serializers.CharField(
        allow_blank=True, trim_whitespace=False, max_length=LINE_MOST, help_text="One line."
    )


class FileCorrectSerializer(StrictSerializer):
    """All lines that differ from the file as it came; without one it is read as it came."""

    lines = ChangedLineSerializer(many=True)


class AnalysisStandingSerializer(serializers.Serializer):
    """The full analyses of all matches that you have brought, and your hours of engine."""

    matches = serializers.IntegerField()
    done = serializers.IntegerField()
    minutes = serializers.IntegerField(help_text="An estimate for the rest.")
    hours_used = serializers.FloatField(help_text="Of this week.")
    hours_most = serializers.FloatField()


class ImportSerializer(serializers.Serializer):
    """An import: the files read of those that came, and the matches found in them."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    begun_at = serializers.DateTimeField()
    sent_at = serializers.DateTimeField(allow_null=True, help_text="Null: more files may come.")
    undone_at = serializers.DateTimeField(allow_null=True)
    is_read = serializers.BooleanField(source="standing.is_read")
    files = serializers.IntegerField(source="standing.files")
    read = serializers.IntegerField(source="standing.read")
    new = serializers.IntegerField(source="standing.new")
    known = serializers.IntegerField(source="standing.known")
    in_part = serializers.IntegerField(source="standing.in_part")
    unread = serializers.IntegerField(source="standing.unread")
    faults = ImportFaultSerializer(many=True)
    matches = serializers.ListField(
        child=serializers.UUIDField(),
        help_text=f"The first {MATCHES_NAMED}; `matches_mine` lists all.",
    )
    analysis = AnalysisStandingSerializer()


class MatchImportApi(PlayerApi):
    """Bring matches."""

    parser_classes = (FileBody,)

    @described(
        "matches_import",
        answer=ImportSerializer,
        status=202,
        request={FileBody.media_type: OpenApiTypes.BINARY},
        refusals=(400, 409),
        parameters=[ImportQuerySerializer],
    )
    def post(self, request: SignedInApiRequest) -> Response:
        """Bring the matches of a file, or of all files in a ZIP. A worker reads them soon."""
        asked = checked(ImportQuerySerializer, request.query_params.dict())
        body = request.data if isinstance(request.data, bytes) else b""
        with transaction.atomic():  # a file that is refused leaves no import
            upload = import_begin(request.user, asked.get("name") or asked["path"], ())
            file_take(upload, asked["path"], body)
            if not asked["more"]:
                import_close(upload)
        upload.refresh_from_db()
        return Response(_shown(upload), status=202)


class ImportApi(PlayerApi):
    """One import."""

    @described("matches_import_get", answer=ImportSerializer, refusals=(404,))
    def get(self, request: SignedInApiRequest, import_id: UUID) -> Response:
        """How far an import is, and what came of it."""
        return Response(_shown(_mine(request, import_id)))

    @described("matches_import_undo", answer=ImportSerializer, refusals=(404, 409))
    def delete(self, request: SignedInApiRequest, import_id: UUID) -> Response:
        """Take out all matches that came with an import, within 30 days."""
        upload = _mine(request, import_id)
        import_undo(upload)
        upload.refresh_from_db()
        return Response(_shown(upload))


class ImportFileApi(PlayerApi):
    """One file of an import."""

    @described("matches_import_file", answer=ImportFileSerializer, refusals=(404,))
    def get(self, request: SignedInApiRequest, import_id: UUID, file_id: int) -> Response:
        """The lines of a file that are at fault or changed, with those around them."""
        return Response(_file_shown(_file(request, import_id, file_id)))

    @described(
        "matches_import_correct",
        answer=ImportFileSerializer,
        status=202,
        request=FileCorrectSerializer,
        refusals=(400, 404, 409),
    )
    def post(self, request: SignedInApiRequest, import_id: UUID, file_id: int) -> Response:
        """Have a file read again with changed lines. Its matches take the place of those before."""
        sent = _file(request, import_id, file_id)
        asked = checked(FileCorrectSerializer, request.data)
        lines_correct(sent, {row["line"]: row["text"] for row in asked["lines"]})
        sent.refresh_from_db()
        return Response(_file_shown(sent), status=202)


def _file(request: SignedInApiRequest, import_id: UUID, file_id: int) -> ImportedFile:
    return get_object_or_404(_mine(request, import_id).files, pk=file_id)


def _file_shown(file: ImportedFile) -> dict[str, Any]:
    told = {
        "pk": file.pk,
        "path": file.path,
        "is_read": file.read_at is not None,
        "lines": file_lines(file),
    }
    return dict(ImportFileSerializer(told).data)


def _mine(request: SignedInApiRequest, import_id: UUID) -> Import:
    upload = import_of(request.user, import_id)
    if upload is None:
        raise Http404
    return upload


def _shown(upload: Import) -> dict[str, Any]:
    made = ImportedMatch.objects.filter(file__upload=upload).order_by("added_at", "pk")
    told = {
        **{name: getattr(upload, name) for name in ("id", "name", "begun_at", "sent_at")},
        "undone_at": upload.undone_at,
        "standing": import_standing(upload),
        "faults": faults_shown(upload),
        "matches": list(made.values_list("pk", flat=True)[:MATCHES_NAMED]),
        "analysis": analysis_standing(upload.person),
    }
    return dict(ImportSerializer(told).data)
