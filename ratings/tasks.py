"""Celery's face: what is done for the ranking list by the clock."""

from kit.periodic import every
from ratings.ranks import marks_make

mark_ranks = every(300.0, "ratings.tasks.mark_ranks")(marks_make)
