"""A finished match between people, as the archive's tests have it."""

from tests.archive.conftest import dice, hilde, magriel, played, sitting

__all__ = ["dice", "hilde", "magriel", "played", "sitting"]
