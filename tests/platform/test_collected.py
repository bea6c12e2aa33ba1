"""Whether static files are collected depends on their sources and on how they are stored."""

from pathlib import Path
from typing import Any

from pasch.assets.prepared import is_collected, sources_digest, stamp_path


def test_files_that_were_collected_without_names_of_their_own_are_collected_again(
    settings: Any, tmp_path: Path
) -> None:
    settings.STATIC_ROOT = str(tmp_path)
    assert not is_collected()
    stamp_path().write_text(sources_digest())
    assert is_collected()
    kept = settings.STORAGES
    settings.STORAGES = {**kept, "staticfiles": {"BACKEND": "another.Storage"}}
    assert not is_collected()
    settings.STORAGES = kept
    assert is_collected()
