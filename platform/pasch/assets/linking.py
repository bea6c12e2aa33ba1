"""One file out of many: a style sheet or a script together with everything it imports.

In the sources every file is small and imports what it needs. A browser follows a chain of imports
step by step, and on a slow network each step is a round trip. So the collected files contain their
imports. Only the forms of import and export that our own files use are supported; any other one is
an error that names the file and the line.
"""

import re
from collections.abc import Callable
from pathlib import PurePosixPath
from typing import Final

Read = Callable[[str], str]

CSS_IMPORT: Final = re.compile(r'^@import url\("([^"]+)"\);$', re.MULTILINE)
JS_IMPORT: Final = re.compile(
    r'^import (?:\{([^}]*)\}|\* as (\w+)) from "(\.[^"]+)";$', re.MULTILINE
)
JS_EXPORT: Final = re.compile(
    r"^export (?=(?:async function|function\*?|class|const) (\w+))", re.MULTILINE
)
JS_OTHER: Final = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


class LinkError(Exception):
    """A file imports or exports in a form that is not supported."""

    code = "cannot_link"


def styles_linked(name: str, read: Read) -> str:
    """The style sheet `name` with its imports; all are in one folder, so relative URLs hold."""
    folder = PurePosixPath(name).parent
    return CSS_IMPORT.sub(lambda line: styles_linked(str(folder / line[1]), read), read(name))


def modules_of(name: str, read: Read) -> list[str]:
    """This module and all that it imports, each once and after its own imports."""
    order: dict[str, None] = {}

    def visit(module: str) -> None:
        if module not in order:
            for line in JS_IMPORT.finditer(read(module)):
                visit(_resolved(module, line[3]))
            order[module] = None

    visit(name)
    return list(order)


def script_linked(name: str, read: Read) -> str:
    """The module `name` after everything it imports, each module once, in a scope of its own.

    No two modules import each other and no export changes after its module has run, so each scope
    returns its exports once.
    """
    order = modules_of(name, read)
    numbers = {module: f"$module{number}" for number, module in enumerate(order)}
    parts = [_scope(module, read, numbers) for module in order[:-1]]
    return "\n".join([*parts, _body(name, read, numbers)[0]])


def _scope(name: str, read: Read, numbers: dict[str, str]) -> str:
    body, exported = _body(name, read, numbers)
    return f"const {numbers[name]} = (() => {{\n{body}\nreturn {{ {', '.join(exported)} }};\n}})();"


def _body(name: str, read: Read, numbers: dict[str, str]) -> tuple[str, list[str]]:
    """The module's text without imports and exports, and the names that it exported."""

    def imported(line: re.Match[str]) -> str:
        names, whole, path = line.groups()
        source = numbers[_resolved(name, path)]
        return f"const {whole or '{' + names.replace(' as ', ': ') + '}'} = {source};"

    text = read(name)
    exported = [line[1] for line in JS_EXPORT.finditer(text)]
    body = JS_EXPORT.sub("", JS_IMPORT.sub(imported, text))
    if odd := JS_OTHER.search(body):
        raise LinkError(f"{name}: {odd[0]}")
    return body, exported


def _resolved(name: str, path: str) -> str:
    """The file to which `path` refers in the file `name`."""
    found = list(PurePosixPath(name).parent.parts)
    for part in PurePosixPath(path).parts:
        if part == "..":
            found.pop()
        else:
            found.append(part)
    return "/".join(found)
