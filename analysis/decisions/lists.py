"""Lists of decisions and sets of exercises that a person makes, and notes on positions."""

from collections import Counter
from collections.abc import Iterable
from datetime import timedelta
from random import Random
from typing import Final
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from accounts.models import User
from analysis.decisions.filters import MADE_STEP
from analysis.models import DecisionList, ListedDecision, MyDecision, PositionNote
from kit.errors import Refusal

#: as many decisions are chosen at once, the costliest ones.
CHOSEN_MOST: Final = 200
LISTS_MOST: Final = 100

#: a list that was removed can be taken back for so long.
KEPT: Final = timedelta(days=30)

#: a decision that lost less is sound.
SOUND: Final = 0.005

NAME_LENGTH_MAX: Final = 60
NOTE_LENGTH_MAX: Final = 500


class ListRefused(Refusal):
    """A list that cannot be made or changed."""


class NothingChosen(ListRefused):
    """No decision was chosen, or none that makes an exercise."""

    code = "nothing_chosen"
    sentence = _("Choose at least one decision; an exercise needs a position that can be asked.")


class NameMissing(ListRefused):
    """The list has no name."""

    code = "name_missing"
    sentence = _("Give the list a name.")


class NameTaken(ListRefused):
    """Another list has this name."""

    code = "name_taken"
    sentence = _("You have a list with this name already.")


class ListsTooMany(ListRefused):
    """This person has as many lists as one may have."""

    code = "lists_too_many"
    sentence = _("You have a hundred lists. Delete one first.")


def lists_of(person: User) -> QuerySet[DecisionList]:
    """The lists and sets of a person, the oldest first."""
    return DecisionList.objects.filter(person=person, removed_at=None).order_by("made_at", "pk")


def decisions_chosen(person: User, numbers: Iterable[int]) -> list[MyDecision]:
    """Those of a person's decisions, the costliest first, as many as are chosen at once."""
    found = MyDecision.objects.filter(person=person, pk__in=list(numbers)).order_by("-loss", "pk")
    return list(found[:CHOSEN_MOST])


@transaction.atomic
def list_add(person: User, name: str, chosen: Iterable[MyDecision]) -> DecisionList:
    """Put decisions into the list of that name, which is made if there is none.

    :raises ListRefused: `NothingChosen`, `NameMissing` or `ListsTooMany`.
    """
    rows = list(chosen)
    found = _named(person, name, rows, for_exercises=False)
    ListedDecision.objects.bulk_create(
        (ListedDecision(list=found, decision_id=row.decision_id, theme=row.theme) for row in rows),
        ignore_conflicts=True,
    )
    return found


@transaction.atomic
def exercises_make(
    person: User, name: str, chosen: Iterable[MyDecision], random: Random
) -> DecisionList:
    """Make exercises of decisions, mixed with as many sound ones of the same themes.

    Without those, "there is an error" would be the answer to each. Errors on which the engines
    disagree are left out. Some are mirrored, so that nobody learns them by their looks.

    :raises ListRefused: `NothingChosen`, `NameMissing` or `ListsTooMany`.
    """
    rows = [row for row in chosen if row.askable and row.agrees]
    found = _named(person, name, rows, for_exercises=True)
    sound = _sound_ones(person, rows)
    ListedDecision.objects.bulk_create(
        (
            ListedDecision(
                list=found,
                decision_id=row.decision_id,
                theme=row.theme,
                sound=row in sound,
                mirrored=random.random() < 0.5,
            )
            for row in random.sample(rows + sound, len(rows) + len(sound))
        ),
        ignore_conflicts=True,
    )
    new = MyDecision.objects.filter(pk__in=[row.pk for row in rows + sound], in_set=False)
    new.update(in_set=True, cell=F("cell") + MADE_STEP)
    return found


def _sound_ones(person: User, rows: list[MyDecision]) -> list[MyDecision]:
    """For each decision another one of its theme that lost nothing, as far as there are."""
    found: list[MyDecision] = []
    for theme, wanted in Counter(row.theme for row in rows).items():
        sound = MyDecision.objects.filter(
            person=person, theme=theme, loss__lt=SOUND, counted=True, askable=True, in_set=False
        )
        found += sound.exclude(pk__in=[row.pk for row in rows]).order_by("?")[:wanted]
    return found


def _named(person: User, name: str, rows: list[MyDecision], *, for_exercises: bool) -> DecisionList:
    name = _cleaned(name)
    if not rows:
        raise NothingChosen
    known = lists_of(person).filter(name=name, for_exercises=for_exercises).first()
    if known is not None:
        return known
    if lists_of(person).count() >= LISTS_MOST:
        raise ListsTooMany
    return DecisionList.objects.create(person=person, name=name, for_exercises=for_exercises)


def _cleaned(name: str) -> str:
    name = " ".join(name.split())[:NAME_LENGTH_MAX]
    if not name or not name.isprintable():
        raise NameMissing
    return name


def list_rename(found: DecisionList, name: str) -> None:
    """Give a list another name.

    :raises ListRefused: `NameMissing` or `NameTaken`.
    """
    found.name = _cleaned(name)
    _free_check(found)
    found.save(update_fields=["name"])


@transaction.atomic
def list_remove(found: DecisionList) -> None:
    """Remove a list, which can be taken back; what was removed long ago goes."""
    now = timezone.now()
    DecisionList.objects.filter(person=found.person_id, removed_at__lt=now - KEPT).delete()
    found.removed_at, found.share_key = now, None
    found.save(update_fields=["removed_at", "share_key"])
    _sets_count(found)


@transaction.atomic
def list_restore(found: DecisionList) -> None:
    """Take the removal of a list back.

    :raises NameTaken: if another list has its name by now.
    """
    _free_check(found)
    found.removed_at = None
    found.save(update_fields=["removed_at"])
    _sets_count(found)


def _free_check(found: DecisionList) -> None:
    same = DecisionList.objects.filter(
        person=found.person_id,
        name=found.name,
        for_exercises=found.for_exercises,
        removed_at=None,
    )
    if same.exclude(pk=found.pk).exists():
        raise NameTaken


def _sets_count(found: DecisionList, decisions: Iterable[int] = ()) -> None:
    """Say anew of each decision of a set, and of those that were in it, whether it is in one."""
    if not found.for_exercises:
        return
    sets = ListedDecision.objects.filter(
        list__person=found.person_id, list__for_exercises=True, list__removed_at=None
    )
    of_list = {*decisions, *found.entries.values_list("decision", flat=True)}
    mine = MyDecision.objects.filter(person=found.person_id, decision__in=of_list)
    in_sets = list(sets.filter(decision__in=of_list).values_list("decision", flat=True))
    mine.filter(in_set=True).exclude(decision__in=in_sets).update(
        in_set=False, cell=F("cell") - MADE_STEP
    )
    mine.filter(in_set=False, decision__in=in_sets).update(in_set=True, cell=F("cell") + MADE_STEP)


def list_share(found: DecisionList, *, shared: bool) -> None:
    """Make a link to a list, for one person to read; or take it back, so that it leads nowhere."""
    if shared == (found.share_key is not None):
        return
    found.share_key = uuid4() if shared else None
    found.save(update_fields=["share_key"])


def entries_drop(found: DecisionList, chosen: Iterable[MyDecision]) -> None:
    """Take decisions out of a list."""
    rows = {row.decision_id for row in chosen}
    found.entries.filter(decision__in=rows).delete()
    _sets_count(found, rows)


def list_shared(key: UUID) -> DecisionList | None:
    """The list that a link leads to."""
    return DecisionList.objects.filter(share_key=key, removed_at=None).first()


def note_write(row: MyDecision, text: str) -> None:
    """Keep a note on the position of a decision; an empty one goes."""
    text = text.strip()[:NOTE_LENGTH_MAX].replace("\x00", "")
    xgid = row.decision.line.get("xgid") or ""
    found = PositionNote.objects.filter(person=row.person_id, position=row.position)
    if not text or not xgid:
        found.delete()
        return
    PositionNote.objects.update_or_create(
        person_id=row.person_id,
        position=row.position,
        defaults={"text": text, "xgid": xgid, "changed_at": timezone.now()},
    )


def notes_on(person: User, rows: Iterable[MyDecision]) -> dict[int, str]:
    """The notes of a person on the positions of these decisions."""
    found = PositionNote.objects.filter(person=person, position__in=[row.position for row in rows])
    return dict(found.values_list("position", "text"))
