"""Matches from elsewhere: files that a person uploaded, and the matches in them.

Rolls and plays are a `Transcript`: it has no names and is kept once, whoever brings it. Whose match
it is, with its names, date and source, is an `ImportedMatch` of one person; it is private, and
goes when its person takes it out.
"""

from typing import Final
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.fields.json import KeyTransform
from django.utils import timezone

#: in lists and filters, the source of played matches, and of files that do not say who wrote them.
HERE: Final = "here"
UNKNOWN: Final = "unknown"

#: of decisions in matches against bots, which are left out where they are not asked for.
PRACTICE: Final = "practice"


class Transcript(models.Model):
    """A match from a file, without names: how it was played, each game whole or up to its fault.

    `digest` (64 hex digits) is the same for the same dice and plays, from whichever side and in
    whichever format; with the Jacoby rule and without it they are two transcripts. `record` is the
    match in the library's JSON form. `winner_seat` is who has more points at the end of a match
    that was finished. Rows never change.
    """

    digest = models.CharField(max_length=64)
    variant = models.CharField(max_length=20)
    length = models.PositiveSmallIntegerField()
    score_0 = models.PositiveIntegerField()
    score_1 = models.PositiveIntegerField()
    winner_seat = models.PositiveSmallIntegerField(null=True)
    record = models.JSONField()
    stored_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                "digest",
                KeyTransform("jacoby", KeyTransform("rules", "record")),
                name="transcript_once_a_rule",
            )
        ]

    def __str__(self) -> str:
        return f"transcript {self.digest[:12]}"

    @property
    def jacoby(self) -> bool:
        """Whether the Jacoby rule holds."""
        return bool(self.record["rules"]["jacoby"])


class Import(models.Model):
    """One upload of a person: a file, a folder, an archive, a text.

    `files_announced` is how many files the browser will send; `sent_at` is set when all are here.
    An import that was undone has lost its matches.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=200)
    files_announced = models.PositiveIntegerField()
    begun_at = models.DateTimeField(default=timezone.now)
    sent_at = models.DateTimeField(null=True)
    undone_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["person", "-begun_at"], name="import_of_person")]

    def __str__(self) -> str:
        return f"import {self.name}"


class ImportedFile(models.Model):
    """A file of an import, or a file in its archive.

    `content` goes once it was read whole, or 30 days after it was read with faults or with lines
    that its person has changed. `changes` are those lines by their numbers; they go with it.

    `digest` is the SHA-256 of its bytes: a file that was sent already is not sent again. `found`
    has its faults with their lines, and how many matches were new, known, or kept in part.
    """

    upload = models.ForeignKey(Import, on_delete=models.CASCADE, related_name="files")
    path = models.CharField(max_length=300)
    digest = models.CharField(max_length=64)
    size_bytes = models.PositiveIntegerField()
    content = models.BinaryField(null=True)
    changes = models.JSONField(default=dict)
    tries = models.PositiveSmallIntegerField(default=0)
    taken_at = models.DateTimeField(null=True)
    read_at = models.DateTimeField(null=True)
    found = models.JSONField(null=True)

    class Meta:
        indexes = [
            models.Index(
                fields=["id"], name="imported_file_unread", condition=Q(read_at__isnull=True)
            )
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["upload", "path", "digest"], name="imported_file_once_an_import"
            )
        ]

    def __str__(self) -> str:
        return self.path


class MatchesKept(models.Manager["ImportedMatch"]):
    """The matches that their person has not taken out."""

    def get_queryset(self) -> models.QuerySet["ImportedMatch"]:
        """Leave out what was removed."""
        return super().get_queryset().filter(removed_at=None)


class ImportedMatch(models.Model):
    """A match from elsewhere as one person has it; players are plain names, never accounts.

    Seats are those of the transcript. `seat` is where this person sat, None if the names do not
    say. `source` is the site or program that wrote the file. `ended_at` gives the match its place
    among played ones: noon of the day it was played, or when it was added if that is unknown.
    Whoever knows `share_key` may read the match and its report. A match with `removed_at` is gone
    unless its person takes that back; only `everything` has it. One that a longer file replaced is
    kept like that with `replaced_by`, and is back if the import of that file is undone.
    `jacoby_assumed`: the file does not say whether the Jacoby rule held, so the person chooses.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    transcript = models.ForeignKey(Transcript, on_delete=models.PROTECT, related_name="+")
    file = models.ForeignKey(
        ImportedFile, on_delete=models.SET_NULL, null=True, related_name="matches"
    )
    name_0 = models.CharField(max_length=80)
    name_1 = models.CharField(max_length=80)
    seat = models.PositiveSmallIntegerField(null=True)
    source = models.CharField(max_length=12, blank=True)
    event = models.CharField(max_length=120, blank=True)
    played_on = models.DateField(null=True)
    ended_at = models.DateTimeField(default=timezone.now)
    in_part = models.BooleanField(default=False)
    jacoby_assumed = models.BooleanField(default=False)
    share_key = models.UUIDField(null=True, unique=True)
    added_at = models.DateTimeField(default=timezone.now)
    removed_at = models.DateTimeField(null=True)
    replaced_by = models.ForeignKey(
        "self", on_delete=models.CASCADE, null=True, related_name="replaced"
    )

    everything: models.Manager["ImportedMatch"] = models.Manager()
    objects = MatchesKept()

    class Meta:
        indexes = [
            models.Index(fields=["person", "-ended_at", "-id"], name="imported_match_of_person")
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["person", "transcript"], name="imported_match_once_a_person"
            ),
            models.CheckConstraint(
                condition=Q(seat__isnull=True) | Q(seat__in=(0, 1)), name="imported_match_seat"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name_0} : {self.name_1}"

    @property
    def names(self) -> tuple[str, str]:
        """The names of both seats, as in the file."""
        return self.name_0, self.name_1


class NameInFiles(models.Model):
    """A name in files of a source, and whether it is this person's."""

    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=80)
    source = models.CharField(max_length=12, blank=True)
    is_mine = models.BooleanField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["person", "source", "name"], name="name_in_files_once_a_source"
            )
        ]

    def __str__(self) -> str:
        return self.name
