"""All that is stored about a person in an app: what they can take along, what goes and stays.

Every app has such a module (a kind of table its `kind.py`), and the site puts them together
(`pasch/personal_data.py`). A foreign key to a person is in a part of the export or in `left_out`,
and its rows are `erased` or `kept`, with the reason; tests compare both with the models.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from django.db.models import ForeignKey, Model, Q, QuerySet

Row = dict[str, Any]

CHUNK_ROWS: Final = 500
"""So many rows of a list are in memory at once."""


@dataclass(frozen=True, slots=True)
class ExportPart:
    """One list of the export. `covers` names the foreign keys it follows: ``app.Model.field``."""

    name: str
    rows: Callable[[Any], Iterable[Row]]
    covers: frozenset[str]


Erased = tuple[type[Model], str]
"""Rows that go: a model, and its foreign key to the person."""

_OF_OFFICE: Final = "names the member of staff who decided; the row is about another person"
DECISIONS: Final = "decisions of administrators stay, so that they can be checked"


@dataclass(frozen=True, slots=True)
class PersonalData:
    """The data that an app stores about people, by foreign keys: ``app.Model.field``.

    `parts` are its lists in the export; `left_out` and `kept` give the reasons. `of_staff` name
    only the member of staff who decided: they are left out, and kept. Rows that are kept name an
    account without a person.
    """

    parts: tuple[ExportPart, ...] = ()
    left_out: Mapping[str, str] = field(default_factory=dict)
    erased: tuple[Erased, ...] = ()
    kept: Mapping[str, str] = field(default_factory=dict)
    of_staff: tuple[str, ...] = ()

    @property
    def all_left_out(self) -> dict[str, str]:
        """The foreign keys that no part follows, with the reasons."""
        return {**dict.fromkeys(self.of_staff, _OF_OFFICE), **self.left_out}

    @property
    def all_kept(self) -> dict[str, str]:
        """The foreign keys whose rows stay, with the reasons."""
        return {**dict.fromkeys(self.of_staff, DECISIONS), **self.kept}


def part_of(
    name: str, model: type[Model], *, by: tuple[str, ...], columns: str, order: str = "pk"
) -> ExportPart:
    """The rows of a model with this person in one of the foreign keys `by`, in this order.

    `columns` are field paths, separated by spaces. A path that ends with ``__username`` gives a
    name in place of a person.
    """

    def rows(person: Model) -> Iterator[Row]:
        theirs = Q()
        for path in by:
            theirs |= Q(**{path: person})
        return rows_of(model._default_manager.filter(theirs).order_by(order), columns)

    return ExportPart(name, rows, frozenset(_label(model, path) for path in by))


def rows_of(found: QuerySet[Any], columns: str) -> Iterator[Row]:
    """These columns, as for `part_of`, of the rows found, with few of them in memory at once."""
    paths = columns.split()
    keys = [path.removesuffix("__username").replace("__", "_") for path in paths]
    for values in found.values_list(*paths).iterator(chunk_size=CHUNK_ROWS):
        yield dict(zip(keys, values, strict=True))


def _label(model: type[Model], path: str) -> str:
    """The foreign key at the end of a path (``account__owner``) as ``app.Model.field``."""
    *way, last = path.split("__")
    for step in way:
        field = model._meta.get_field(step)
        assert isinstance(field, ForeignKey), f"{path}: {step} is not a foreign key"
        model = field.related_model
    return f"{model._meta.label}.{last}"


def rows_erase(erased: tuple[Erased, ...], user_id: int) -> None:
    """Delete the rows that go."""
    for model, column in erased:
        model._default_manager.filter(**{column: user_id}).delete()
