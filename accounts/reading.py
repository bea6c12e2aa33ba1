"""Cursors for queries in SQL that only read."""

from django.db import connections, router
from django.db.backends.utils import CursorWrapper
from django.db.models import Model


def read_cursor(model: type[Model]) -> CursorWrapper:
    """A cursor at the database that the router names for reading this model.

    Queries of the ORM go there by themselves. Only for what changes and locks nothing.
    """
    return connections[router.db_for_read(model)].cursor()
