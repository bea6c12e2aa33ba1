"""The commands that the documents name, each with a short form that CI runs.

A short form is a line of shell that runs in the folder of the project. `python` is the interpreter
of the tests, `$OUT` an empty folder, and `$PASCH_VAR` an open house (`IN_A_HOUSE`). Commands that
run whole elsewhere are in `ELSEWHERE`, with the file that runs them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
PAGES: Final = (
    "README.md",
    "CONTRIBUTING.md",
    "deploy/*.md",
    "docs/*.md",
    "bench/results/*.md",
)

#: lines that need nothing but the project, by the name of their command.
ALONE: Final = {
    "manage.py check": ("python manage.py check --fail-level WARNING",),
    "manage.py elo": (
        "python manage.py elo 1500 1600 --n 5",
        "echo '{}' | python manage.py elo --json",
    ),
    "manage.py frames_types": (
        "python manage.py frames_types | diff - static/js/types/frames.d.ts",
    ),
    "manage.py protocol_schema": (
        "python manage.py protocol_schema | diff - docs/protocol.schema.json",
    ),
    "python -m backgammon": (
        "python -m backgammon --help",
        "python -m backgammon start nackgammon",
        'python -m backgammon plays backgammon "$(python -m backgammon start backgammon)" 3-1'
        " --first-turn",
        'python -m backgammon id "$(python -m backgammon start backgammon)"',
        "python -m backgammon analyse backgammon/tests/golden/stakes_and_cube.mat --depth quick",
        "python -m backgammon analyse --position 4HPwATDgc/ABMA --dice 3-1 --depth quick --json",
        "python -m backgammon analyse --position 4HPwATDgc/ABMA --dice 3-1 --rollout 36",
    ),
    "manage.py exercises_make": (
        "python manage.py exercises_make --count 1 --seed 7 --file $OUT/exercises.jsonl",
    ),
    "python -m backgammon.train.imitation": (
        'python -m backgammon.train.imitation --boards 30000 --passes 1 --to "$OUT"',
    ),
    "python -m backgammon.train.nets": (
        'python -m backgammon.train.nets fevga --games 200 --contests 0 --to "$OUT/fevga.npz"',
    ),
    "python -m backgammon.train.hypergammon": ("python -m backgammon.train.hypergammon --short",),
    "python -m bench.analysis": (
        "python -m bench.analysis --short",
        "python -m bench.analysis --rollout --short",
        "python -m bench.analysis --bearoff --short",
    ),
    "python -m bench.blunders": ("python -m bench.blunders --short",),
    "python -m bench.decisions": ("python -m bench.decisions --short",),
    "python -m bench.bots": (
        "python -m bench.bots --games 1 --contests 2 --levels expert --json",
        "python -m bench.bots --games 0 --contests 2 --levels child --variants fevga",
    ),
    "python -m bench.fairplay": (
        "python -m bench.fairplay --people 100 --pairs 500 --rings 20 --players 2 --json",
    ),
    "python -m bench.tournaments": ("python -m bench.tournaments --runs 1 --json",),
    "manage.py tournament": (
        "python manage.py tournament simulate --format lives --bracket 4 --players 8 --json",
    ),
    "python -m bench.everything": ("python -m bench.everything --short",),
    "python -m bench.growth": ("python -m bench.growth --matches 2 --json",),
    "python -m bench.flood": ("python -m bench.flood --short",),
    "python -m bench.library": (
        "python -m bench.library --files 8 --tables 4 --seconds 3 --minutes 0.5"
        ' --json "$OUT/library.json"',
    ),
    "python -m bench.lighthouse": ("python -m bench.lighthouse --short",),
    "python -m bench.live": (
        "python -m bench.live --tables 2 --processes 1 --seconds 3 --idle 400"
        ' --json "$OUT/live.json"',
    ),
    "python -m bench.millions": ('python -m bench.millions --short --plans "$OUT/plans.txt"',),
    "python -m bench.nets": (
        "python -m bench.nets fevga --games 20 --plies",
        "python -m bench.nets long_nardi --games 20 --minute-games 200",
        "python -m bench.nets tabula --games 2"
        " --against backgammon/evaluation/nets/weights/tabula.npz",
        "python -m bench.nets gul_bara --times --decisions 4",
        "python -m bench.nets backgammon --games 20",
    ),
    "python -m bench.rules": ("python -m bench.rules --rolls 20",),
    "python -m bench.second_reader": (
        "python -m bench.second_reader backgammon/tests/golden --gnubg",
    ),
    "python -m bench.size": ("python -m bench.size --before HEAD",),
    "scripts/docs": ('scripts/docs "$OUT/site" && grep -q Pasch "$OUT/site/index.html"',),
    "scripts/nightly": ("scripts/nightly --list | grep -qx planted",),
    "scripts/sbom": ('scripts/sbom > "$OUT/pasch.cdx.json" && grep -q CycloneDX "$OUT"/*.json',),
}

#: lines that need an open house; they run one after the other, in this order.
IN_A_HOUSE: Final = {
    "manage.py prepare": ("python manage.py prepare",),
    "manage.py database_roles": ("python manage.py database_roles",),
    "manage.py pack_matches": ("python manage.py pack_matches --older-than 1 --limit 10",),
    "manage.py createsuperuser": (
        "DJANGO_SUPERUSER_PASSWORD=not-for-the-internet python manage.py createsuperuser"
        " --noinput --username superhilde",
    ),
    "manage.py analyse": (
        "python manage.py analyse backgammon/tests/golden/stakes_and_cube.mat --player superhilde",
    ),
    "manage.py analysis_worker": ("python manage.py analysis_worker --once",),
    "manage.py bot_token": (
        "python manage.py bot_token deepgammon",
        "python manage.py bot_token deepgammon --scopes read",
        "python manage.py bot_token deepgammon --list",
    ),
    "manage.py doctor": (
        "python manage.py doctor --list",
        "python manage.py doctor --json --only postgresql --only valkey --only application-role",
    ),
    "manage.py house": (
        "python manage.py house --json",
        "python manage.py house name name=Short --reason short",
    ),
    "manage.py prices": (
        "python manage.py prices --json",
        "python manage.py prices rake_bps=500 prize_stakes_cents=300,900 --reason short",
    ),
    "manage.py backup": ('python manage.py backup "$BACKUP_FOLDER" --keep 7',),
    "scripts/backup": ('scripts/backup "$BACKUP_FOLDER"',),
    "scripts/restore": ('scripts/restore "$BACKUP_FOLDER" --list',),
    "manage.py ledger_seal": ("python manage.py ledger_seal",),
    "manage.py audit": ("python manage.py audit --json", "python manage.py audit --recent"),
    "manage.py ratings_replay": ("python manage.py ratings_replay --check",),
}

#: what runs whole in the tests or in CI, and a word of the file that runs it.
ELSEWHERE: Final = {
    "docker compose": ("tests/platform/test_operations.py", "compose.yaml"),
    "manage.py demo_house": ("tests/desk/test_house.py", "demo_house"),
    "manage.py migrate": ("tests/platform/test_backup.py", "migrate"),
    "manage.py unit_failed": ("tests/platform/test_systemd.py", "unit_failed"),
    "manage.py restore": ("tests/platform/test_backup.py", "restore"),
    "python -m bench.audit": ("scripts/soak", "bench.audit --matches"),
    "python -m bench.intruder": ("scripts/soak", "bench.intruder"),
    "python -m bench.machines": ("scripts/soak", "bench.machines --only"),
    "python -m bench.simulator": ("scripts/soak", "bench.simulator --matches"),
    "python -m bench.soak": ("scripts/soak", "bench.soak --games"),
    "python -m bench.tamper": ("scripts/soak", "bench.tamper"),
    "python -m pasch.serve": ("harness/processes.py", "pasch.serve"),
    "python -m pytest": ("scripts/test", "-m pytest"),
    "python -m venv": ("scripts/environment.sh", "-m venv"),
    "python -m tests.rules.golden": ("tests/architecture/test_adding_a_variant.py", "golden"),
    "examples/bot.py": ("tests/api_games/test_bots.py", "bot.py"),
    "examples/tournament_bot.py": ("tests/api_games/test_bots.py", "tournament_bot.py"),
    "examples/first_bot.py": ("tests/api_games/test_bots.py", "first_bot.py"),
    "examples/bring_matches.py": ("tests/api_games/test_imports.py", "bring_matches.py"),
    "examples/fair_dice.py": ("examples/bot.py", "fair_dice"),
    "verify.py": ("tests/fairness/test_verify_file.py", "verify.py"),
    "scripts/bulky": ("scripts/check", "scripts/bulky"),
    "scripts/check": (".ci/run", "scripts/check"),
    "scripts/long": (".ci/run", "scripts/long"),
    "scripts/pictures": ("tests/face/test_pictures.py", "screenshots"),
    "scripts/play": ("tests/platform/test_house.py", "scripts/play"),
    "scripts/release": ("tests/platform/test_release.py", "scripts/release"),
    "scripts/soak": (".ci/run", "scripts/soak"),
    "scripts/test": (".ci/run", "scripts/test"),
}

#: the commands whose options stand in the help of their subcommands
SUBCOMMANDS: Final = {
    "python -m backgammon": ("plays", "leave", "convert", "match-ids", "draw", "analyse")
}

#: a command in a text, by the part that names it
_NAMES: Final = (
    (re.compile(r"\bmanage\.py ([a-z]\w*)"), "manage.py {}"),
    (re.compile(r"\bpython3? -m ([a-z][\w.]*\w)"), "python -m {}"),
    (re.compile(r"^(bench\.\w+)$"), "python -m {}"),
    (re.compile(r"(?:^|\s)(scripts/\w+)(?!\w*\.)\b"), "{}"),
    (re.compile(r"\bpython3? ((?!manage\b)[\w/]+\.py)"), "{}"),
    (re.compile(r"\b(docker compose)\b"), "{}"),
)


@dataclass(frozen=True, slots=True)
class Named:
    """A command as a document names it: its name here, the whole text, and the place."""

    name: str
    text: str
    where: str


def named() -> Iterator[Named]:
    """Every command in a code span or block of the documents."""
    for pattern in PAGES:
        for page in sorted(ROOT.glob(pattern)):
            place = str(page.relative_to(ROOT))
            for line, text in _code(page.read_text("utf-8")):
                for expression, name in _NAMES:
                    for found in expression.findall(text):
                        yield Named(name.format(found), text, f"{place}:{line}")


def existing() -> set[str]:
    """Every command of the project by its name, whether a document names it or not."""
    whole = [path for path in ROOT.glob("bench/*.py") if "_" not in path.stem]
    benches = [path for path in whole if "__main__" in path.read_text("utf-8")]
    benches += [path.parent for path in ROOT.glob("bench/*/__main__.py")]
    manage = [
        path
        for pattern in ("*/management/commands/*.py", "platform/*/management/commands/*.py")
        for path in ROOT.glob(pattern)
    ]
    return {
        *(f"python -m bench.{path.stem}" for path in benches),
        *(f"manage.py {path.stem}" for path in manage if path.stem != "__init__"),
        *(f"examples/{path.name}" for path in ROOT.glob("examples/*.py")),
        *(
            f"scripts/{path.name}"
            for path in ROOT.glob("scripts/*")
            if not path.suffix and path.is_file()
        ),
    }


def _code(page: str) -> Iterator[tuple[int, str]]:
    """The code spans and the lines of blocks of a page, with the number of their line."""
    fenced = False
    for number, line in enumerate(page.splitlines(), start=1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif fenced or line.startswith("    "):
            yield number, line.strip()
        else:
            for span in re.findall(r"`([^`]+)`", line):
                yield number, span
