"""The rules of each game in words: one file for each variant, by its key.

What the engine has as data (set-up, direction, cube, scores, start) is no text of these files: the
page takes it from the variant.
"""

from importlib import import_module
from importlib.util import find_spec

from pasch.pages.rulebook.chapter import Chapter


def chapter_of(key: str) -> Chapter | None:
    """The chapter of a variant; None if it has none yet."""
    name = f"{__name__}.{key}"
    if find_spec(name) is None:
        return None
    chapter = import_module(name).CHAPTER
    if not isinstance(chapter, Chapter):
        raise TypeError(f"{name.replace('.', '/')}.py: CHAPTER is no Chapter")
    return chapter
