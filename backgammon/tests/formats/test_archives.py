"""What a person hands over, taken apart: files, ZIPs with folders, and hostile ones."""

import struct
import zipfile
from io import BytesIO

import pytest

from backgammon.formats import archives
from backgammon.formats.archives import FILE_MOST_BYTES, FILES_MOST, read_archive


def zipped(files: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A ZIP with these files."""
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        for path, data in files.items():
            archive.writestr(path, data)
    return packed.getvalue()


def told(data: bytes) -> list[tuple[str, bytes | str]]:
    """Each file with its content, or the reason why it has none."""
    found = read_archive(data, "mine.zip")
    return [(file.path, str(file.fault) if file.fault else file.data) for file in found]


def test_a_single_file_is_itself() -> None:
    assert told(b" 3 point match") == [("mine.zip", b" 3 point match")]
    assert [file.data for file in read_archive(BytesIO(b"text"), "a.mat")] == [b"text"]


def test_a_zip_has_the_files_of_all_its_folders() -> None:
    files = {"2021/a.mat": b"one", "2021/deep/er/b.sgf": b"(;", "c.txt": b""}
    beside = {"__MACOSX/._a.mat": b"x", "2021/.DS_Store": b"x", "Thumbs.db": b"x", "empty/": b""}
    assert told(zipped(files | beside)) == list(files.items())


def test_an_encrypted_file_is_told_and_the_others_are_read() -> None:
    data = bytearray(zipped({"a.mat": b"one", "b.mat": b"two"}))
    entry = data.index(b"PK\x01\x02")
    data[entry + 8] |= 1
    assert told(bytes(data)) == [("a.mat", "the file is encrypted"), ("b.mat", b"two")]


def test_a_file_that_was_damaged_is_told_and_the_others_are_read() -> None:
    data = zipped({"a.mat": b"once", "b.mat": b"two"}, zipfile.ZIP_STORED)
    (path, reason), other = told(data.replace(b"once", b"0nce"))
    assert (path, other) == ("a.mat", ("b.mat", b"two"))
    assert "cannot be unpacked" in str(reason)


def test_a_large_file_is_refused_while_it_is_unpacked_whatever_it_says_of_itself() -> None:
    data = bytearray(zipped({"a.mat": bytes(FILE_MOST_BYTES + 1), "b.mat": b"two"}))
    entry = data.index(b"PK\x01\x02")
    struct.pack_into("<I", data, entry + 24, FILE_MOST_BYTES + 1)
    assert told(bytes(data)) == [("a.mat", "the file is too large"), ("b.mat", b"two")]


def test_a_bomb_is_refused_by_its_ratio_and_by_its_sum(monkeypatch: pytest.MonkeyPatch) -> None:
    assert told(zipped({"a": bytes(2_000_000)})) == [("a", "the file is too large")]
    monkeypatch.setattr(archives, "UNPACKED_MOST_BYTES", 250_000)
    files = told(zipped({name: bytes(100_000) for name in "abcd"}))
    assert [path for path, _ in files] == ["a", "b", "c", "mine.zip"]
    assert files[-1] == ("mine.zip", "the ZIP has too much in it")


def test_more_files_than_the_most_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    assert FILES_MOST >= 400
    monkeypatch.setattr(archives, "FILES_MOST", 2)
    assert told(zipped(dict.fromkeys("abc", b"x"))) == [
        ("a", b"x"),
        ("b", b"x"),
        ("mine.zip", "the ZIP has more than 2 files"),
    ]


def test_what_is_no_zip_says_so() -> None:
    assert told(b"PK\x03\x04 and nothing else")[0][0] == "mine.zip"
    assert "cannot be read" in str(told(b"PK\x03\x04 and nothing else")[0][1])
    assert told(b"Rar!\x1a\x07\x01") == [("mine.zip", "a RAR archive cannot be read; a ZIP can")]
    within = zipped({"inner.zip": zipped({"a": b"x"}), "b": b"x"})
    assert told(within) == [("inner.zip", "a ZIP inside a ZIP is not read"), ("b", b"x")]
    packed = zipped({"a": b"x" * 9}, zipfile.ZIP_LZMA)
    assert told(packed) == [("a", "the file is packed in a way that cannot be read")]


def test_a_path_can_be_shown() -> None:
    [(path, _)] = told(zipped({"a\x1b[31m\u202eb" + "c" * 300: b"x"}))
    assert path.isprintable()
    assert len(path) <= 200
