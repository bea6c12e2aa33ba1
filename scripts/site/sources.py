"""Lay out what Sphinx makes the site of: the documents, and references written from the code.

`python scripts/site/sources.py FOLDER` copies the documents to the folder, where their links lead
to each other as in the project, and adds reference pages of the library and the REST interface.
"""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
COPIED = (
    *(
        "CONTRIBUTING.md",
        ".github/SECURITY.md",
        ".github/CODE_OF_CONDUCT.md",
        "CHANGELOG.md",
        "LICENSE",
    ),
    *(
        "docs/*.md",
        "docs/*.json",
        "docs/screenshots/*",
        "bench/results/*.md",
        "deploy/**/*.md",
        "backgammon/*.md",
    ),
)
#: no server is contacted.
NO_HOUSE = {
    "DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none",
    "REDIS_URL": "redis://127.0.0.1:1",
    "SECRET_KEY": "only-for-this-page-0123456789-abcdefghijklmnopqrstuvwxyz",
}
#: the pages below the reference, by the reader of the index who looks for them
REFERENCES = {"Programs": ["reference/frames", "reference/rest", "reference/library"]}


def main(folder: Path) -> None:
    """Write all sources of the site into an empty folder."""
    for pattern in COPIED:
        for path in ROOT.glob(pattern):
            target = folder / path.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, target)
    reference = folder / "reference"
    reference.mkdir()
    (reference / "rest.md").write_text(rest(openapi()))
    (reference / "frames.md").write_text(frames())
    for name, text in library().items():
        (reference / f"{name}.md").write_text(text)
    (folder / "index.md").write_text((ROOT / "README.md").read_text() + contents(folder))


def contents(folder: Path) -> str:
    """Hidden tables of contents, which make the menu: a reader of the index each, then the rest."""
    sections = re.split(r"(?m)^## ", (ROOT / "docs/README.md").read_text())[1:]
    seen, written = set[str](), []
    for section in sections:
        reader = section.splitlines()[0]
        pages = []
        for link in re.findall(r"\]\(([\w./-]+\.md)", section):
            page = os.path.relpath(ROOT / "docs" / link, ROOT).removesuffix(".md")
            if page not in seen:
                seen.add(page)
                pages.append(page)
        written.append(tree(reader, pages + REFERENCES.get(reader, [])))
    rest_of_them = sorted(
        str(path.relative_to(folder).with_suffix(""))
        for path in folder.rglob("*.md")
        if not path.is_relative_to(folder / "reference")
    )
    written.append(tree("More", [page for page in rest_of_them if page not in seen]))
    return "\n\n" + "\n\n".join(written)


def tree(caption: str, pages: list[str]) -> str:
    """A table of contents for the menu."""
    lines = "\n".join(f"/{page}" for page in pages)
    return f"```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{lines}\n```\n"


def frames() -> str:
    """Every frame of the protocol by its fields, as the declarations for scripts have them."""
    declared = (ROOT / "static/js/types/frames.d.ts").read_text()
    return f"# Frames of the protocol\n\n```ts\n{declared}```\n"


def library() -> dict[str, str]:
    """A page for each package of the library, from its docstrings, and one of its public names."""
    folder = ROOT / "backgammon"
    packages = sorted(path.parent for path in folder.glob("*/__init__.py"))
    pages = {
        f"library-{package.name}": package_page(package)
        for package in packages
        if package.name not in {"command", "tests"}
    }
    said = (folder / "__init__.py").read_text().split('"""')[1].strip()
    pages["library"] = "\n\n".join(
        (
            f"# The library\n\n{said}",
            f"## Public names\n\n{public_names((folder / 'public.py').read_text())}",
            "## backgammon.board\n\n" + members("backgammon.board"),
            "\n".join(("```{toctree}", ":hidden:", "", *pages, "```\n")),
        )
    )
    return pages


def public_names(source: str) -> str:
    """A table of the names that `import backgammon` gives, with the modules that own them."""
    rows = [
        f"| `{alias.asname or alias.name}` | `{node.module}.{alias.name}` |"
        for node in ast.parse(source).body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    ]
    return "\n".join(["| name | described at |", "|---|---|", *rows])


def members(module: str) -> str:
    """The documented members of a module."""
    return f"```{{eval-rst}}\n.. automodule:: {module}\n   :members:\n```\n"


def package_page(package: Path) -> str:
    """The modules of a package with their documented members."""
    parts = [f"# backgammon.{package.name}\n"]
    for path in sorted(package.rglob("*.py")):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        if path.read_text().strip() and path.stem != "__main__":
            parts.append(f"## {module}\n\n{members(module)}")
    return "\n".join(parts)


def openapi() -> dict[str, Any]:
    """The schema of the REST interface."""
    printed = subprocess.run(
        [sys.executable, "manage.py", "spectacular", "--format", "openapi-json"],
        cwd=ROOT,
        env={**os.environ, **NO_HOUSE},
        stdout=subprocess.PIPE,
        check=True,
    )
    schema: dict[str, Any] = json.loads(printed.stdout)
    return schema


def rest(schema: dict[str, Any]) -> str:
    """Every operation of the interface: address, scope, and the fields of request and answer."""
    parts = [
        "# REST operations",
        "[What the schema does not say](/docs/api.md) stands on its page.",
    ]
    for address, operations in schema["paths"].items():
        for method, operation in operations.items():
            parts.append(f"## {operation['operationId']}")
            parts.append(f"`{method.upper()} {address}`")
            parts.append(operation.get("description", ""))
            if scope := operation.get("x-token-scope"):
                parts.append(f"Scope of a token: `{scope}`.")
            parts.append(fields(operation, schema))
    return "\n\n".join(part for part in parts if part) + "\n"


def fields(operation: dict[str, Any], schema: dict[str, Any]) -> str:
    """A table of what an operation takes and gives."""
    rows = [
        (each["in"], each["name"], each["schema"], each.get("description", ""))
        for each in operation.get("parameters", [])
    ]
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
    rows += [("request", *row) for row in properties(body.get("schema", {}), schema)]
    for status, answer in operation["responses"].items():
        content = answer.get("content", {}).get("application/json", {})
        if status.startswith("2"):
            rows += [("answer", *row) for row in properties(content.get("schema", {}), schema)]
    table = [
        f"| {where} | `{name}` | {kind(of)} | {' '.join(said.split())} |"
        for where, name, of, said in rows
    ]
    return "\n".join(["| | field | type | |", "|---|---|---|---|", *table]) if table else ""


def properties(of: dict[str, Any], schema: dict[str, Any]) -> list[tuple[str, dict[str, Any], str]]:
    """The fields of an object, by name, with their types and descriptions."""
    if "$ref" in of:
        of = schema["components"]["schemas"][of["$ref"].rsplit("/", 1)[1]]
    return [
        (name, each, each.get("description", "")) for name, each in of.get("properties", {}).items()
    ]


def kind(of: dict[str, Any]) -> str:
    """The type of a field in a few words."""
    if "$ref" in of:
        return of["$ref"].rsplit("/", 1)[1]
    for group in ("allOf", "oneOf", "anyOf"):
        if group in of:
            return " or ".join(kind(each) for each in of[group])
    if of.get("type") == "array":
        return f"list of {kind(of['items'])}"
    named = of.get("format") or of.get("type") or "any"
    return f"{named} or null" if of.get("nullable") else str(named)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
