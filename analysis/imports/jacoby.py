"""Unlimited play whose file does not say whether the Jacoby rule held: its person chooses.

With the rule the same plays are another transcript, so both have reports of their own.
"""

from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.forms.models import model_to_dict
from django.utils.translation import gettext_noop as _

from analysis.imports.queued import jobs_end, jobs_make_judged
from analysis.models import ImportedMatch, Transcript
from kit.errors import Refusal


class JacobyIsSaid(Refusal):
    """There is nothing to choose: the file says it, or the match has a length."""

    code = "jacoby_said"
    sentence = _("Nothing is open about the Jacoby rule in this match.")


def transcript_keep(values: dict[str, Any], *, jacoby: bool) -> Transcript:
    """Return the transcript of these plays with the Jacoby rule, or without it."""
    record = values["record"]
    record = record | {"rules": record["rules"] | {"jacoby": jacoby}}
    return Transcript.objects.get_or_create(
        digest=values["digest"],
        record__rules__jacoby=jacoby,
        defaults=values | {"record": record},
    )[0]


@transaction.atomic
def jacoby_choose(matches: QuerySet[ImportedMatch], *, holds: bool) -> int:
    """Judge matches with the rule, or without it, where their files do not say; how many changed.

    What was found before stays with the other transcript, and is there at once if the choice is
    taken back.
    """
    open_ones = matches.filter(jacoby_assumed=True).select_related("transcript", "person")
    found = list(open_ones.select_for_update(no_key=True, of=("self",)).order_by("pk"))
    changed = [match for match in found if match.transcript.jacoby != holds]
    for match in changed:
        _exchange(match, holds=holds)
    return len(changed)


def jacoby_told(matches: QuerySet[ImportedMatch], *, holds: bool) -> None:
    """Another file of these matches says whether the rule held, so nothing is to be chosen."""
    jacoby_choose(matches, holds=holds)
    matches.update(jacoby_assumed=False)


def _exchange(match: ImportedMatch, *, holds: bool) -> None:
    before = match.transcript
    values = model_to_dict(before, exclude=("id", "stored_at"))
    match.transcript = transcript_keep(values, jacoby=holds)
    others = ImportedMatch.everything.filter(person=match.person, transcript=match.transcript)
    others.delete()  # it was removed before, with this choice
    match.save(update_fields=["transcript"])
    jobs_end([before.pk])
    jobs_make_judged([match.transcript], match.person)
