"""A finished match between people, as the archive's tests have it."""

from tests.archive.conftest import hilde, magriel, played, tilo

__all__ = ["hilde", "magriel", "played", "tilo"]
