"""The files of a release, for `scripts/release`: packages, the image, notes and their digests.

Everything is made from the files of the commit, in a folder of its own, with the commit's time on
every file; so two runs make the same bytes. Without Docker the image cannot be built; what Docker
builds it from is made in any case (pasch-…-image-context.tar.gz).
"""

import gzip
import hashlib
import io
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path

from pasch.assets.prepared import translations_compile

ROOT = Path(__file__).resolve().parents[1]
DOCKERFILE = "deploy/Dockerfile"
DIGESTS = "SHA256SUMS"
#: what the whole tree may contain besides: a library with packages of its own
LIBRARIES = ("backgammon",)
MEGABYTE = 1_000_000


def main(folder: Path) -> None:
    """Make all files of a release in `folder` and print their digests.

    What an earlier release left there goes; a folder with other files is refused.
    """
    if git("status", "--porcelain"):
        sys.exit("The tree has changes that are not committed; a release is made of a commit.")
    seconds = int(git("log", "-1", "--format=%ct"))
    version = project(ROOT)["version"]
    if folder.exists() and any(folder.iterdir()):
        if not (folder / DIGESTS).exists():
            sys.exit(f"{folder} has other files; name a new folder.")
        shutil.rmtree(folder)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="pasch-release-") as place:
        tree = Path(place) / f"pasch-{version}"
        take_out(tree)
        for each in (tree, *(tree / name for name in LIBRARIES)):
            if (each / "pyproject.toml").exists():
                build(each, folder, seconds)
        context = sorted(context_files(tree))
        archive = folder / f"pasch-{version}-image-context.tar.gz"
        archive.write_bytes(packed(tree, context, seconds))
        notes = notes_of(version, (tree / "CHANGELOG.md").read_text("utf-8"))
        (folder / f"pasch-{version}-notes.md").write_text(notes, "utf-8")
        code = sum(path.stat().st_size for path in context)
    build_image(archive, folder / f"pasch-{version}-image.tar", seconds)
    print_digests(folder)
    print(f"In the image: {len(context)} files of the house, {code / MEGABYTE:.1f} MB, and")
    print(
        f"{packages_bytes() / MEGABYTE:.0f} MB of packages (deploy/requirements/production.lock)."
    )


def git(*command: str) -> str:
    """The output of a command of git in this tree."""
    done = subprocess.run(["git", *command], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def project(tree: Path) -> dict[str, str]:
    """The name and the version of the project in a folder."""
    found: dict[str, str] = tomllib.loads((tree / "pyproject.toml").read_text("utf-8"))["project"]
    return found


def take_out(tree: Path) -> None:
    """Write the files of the commit to a folder, with the modes that git knows."""
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, capture_output=True, check=True)
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
        files.extractall(tree, filter="tar")


def build(tree: Path, folder: Path, seconds: int) -> None:
    """Build sdist and wheel of the project in `tree`; a house takes compiled translations along."""
    told = {**os.environ, "SOURCE_DATE_EPOCH": str(seconds)}
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder), "-t"]
    subprocess.run([*command, "sdist"], cwd=tree, env=told, stdout=subprocess.DEVNULL, check=True)
    if (tree / "locale").is_dir():
        translations_compile(tree / "locale")
    subprocess.run([*command, "wheel"], cwd=tree, env=told, stdout=subprocess.DEVNULL, check=True)


def context_files(tree: Path) -> Iterator[Path]:
    """The files that Docker gets: those that Dockerfile.dockerignore lets through."""
    lines = (tree / f"{DOCKERFILE}.dockerignore").read_text("utf-8").splitlines()
    left_out = {tree / line for line in lines if line and line[0] not in "!#*"}
    yield tree / DOCKERFILE
    for each in (tree / line[1:] for line in lines if line.startswith("!")):
        for path in each.rglob("*") if each.is_dir() else (each,):
            kept = path.is_file() and path.suffix != ".mo"
            if kept and not left_out & {path, *path.parents}:
                yield path


def packed(tree: Path, files: list[Path], seconds: int) -> bytes:
    """A compressed archive of files, with one time, one owner and plain modes."""
    buffer = io.BytesIO()
    with (
        gzip.GzipFile(filename="", mode="wb", fileobj=buffer, mtime=seconds) as stream,
        tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as archive,
    ):
        for path in files:
            content = path.read_bytes()
            member = tarfile.TarInfo(str(path.relative_to(tree)))
            member.size, member.mtime = len(content), seconds
            member.mode = 0o755 if path.stat().st_mode & 0o100 else 0o644
            archive.addfile(member, io.BytesIO(content))
    return buffer.getvalue()


def notes_of(version: str, changelog: str) -> str:
    """The section of a version; that of what is not released yet, if the version has none."""
    sections = dict(re.findall(r"^## (\S+)[^\n]*\n(.*?)(?=^## |\Z)", changelog, re.M | re.S))
    text = sections.get(version) or sections.get("Unreleased")
    if text is None:
        sys.exit(f"CHANGELOG.md has no section for {version}.")
    return f"# Pasch {version}\n\n{text.strip()}\n"


def build_image(context: Path, image: Path, seconds: int) -> None:
    """Build the image where Docker runs; else say that there is none."""
    docker = shutil.which("docker")
    if not docker or subprocess.run([docker, "info"], capture_output=True).returncode:
        print("Docker does not run here: no image file, only what it is built from.")
        return
    command = [docker, "buildx", "build", "-f", DOCKERFILE, "--provenance=false"]
    command += ["--build-arg", f"SOURCE_DATE_EPOCH={seconds}"]
    command += ["--output", f"type=oci,dest={image},rewrite-timestamp=true", "-"]
    with context.open("rb") as stream:
        subprocess.run(command, stdin=stream, check=True)


def print_digests(folder: Path) -> None:
    """Print digest, size and name of every file, and leave the digests beside them."""
    lines = []
    for path in sorted(folder.iterdir()):
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        lines.append(f"{digest}  {path.name}\n")
        print(f"{digest}  {path.stat().st_size / MEGABYTE:6.2f} MB  {path.name}")
    (folder / DIGESTS).write_text("".join(lines), "utf-8")


def packages_bytes() -> int:
    """How many bytes the packages of a house on its own servers have, as installed here."""
    lock = (ROOT / "deploy/requirements/production.lock").read_text("utf-8")
    names = re.findall(r"^([a-z0-9._-]+)(?:\[.*\])?==", lock, re.M)
    files = [Path(str(each.locate())) for name in names for each in distribution(name).files or ()]
    return sum(path.stat().st_size for path in files if path.is_file())


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
