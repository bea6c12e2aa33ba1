"""A finished match between people, as the archive's tests have it."""

from tests.archive.conftest import dice, hilde, magriel, played, sitting, tilo

__all__ = ["dice", "hilde", "magriel", "played", "sitting", "tilo"]
