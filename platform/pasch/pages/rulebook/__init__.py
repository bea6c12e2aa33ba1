"""The rules of each game in words, by the key of its variant.

What the engine has as data (set-up, direction, cube, scores, start) is no text of these files: the
page takes it from the variant.
"""

from pasch.pages.rulebook import hitting, pinning_and_blocking
from pasch.pages.rulebook.chapter import Chapter


def chapter_of(key: str) -> Chapter | None:
    """The chapter of a variant; None if it has none yet."""
    return hitting.CHAPTERS.get(key) or pinning_and_blocking.CHAPTERS.get(key)
