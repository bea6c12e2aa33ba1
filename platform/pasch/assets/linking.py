"""One file out of many: a style sheet or a script together with everything it imports.

In the sources every file stays small and imports what it needs, which a browser follows step by
step; a phone far away waits for each step. So the collected files have their imports inside. Only
what our own files use is understood; anything else is refused, by file and line.
"""

import re
from collections.abc import Callable, Iterable
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
    """A file imports or exports in a way that is not understood."""

    code = "cannot_link"


def styles_linked(name: str, read: Read) -> str:
    """The style sheet `name` with its imports inside; all lie in one folder, so addresses hold."""
    folder = PurePosixPath(name).parent
    return CSS_IMPORT.sub(lambda told: styles_linked(str(folder / told[1]), read), read(name))


def script_linked(name: str, read: Read) -> str:
    """The module `name` after everything it imports, each module once, in a scope of its own.

    What a module exports is fixed when it has run, and no two import each other: so the value of
    its scope is all that others need.
    """
    order = imported_first([name], lambda each: _imports(each, read))
    numbers = {module: f"$module{number}" for number, module in enumerate(order)}
    parts = [_scope(module, read, numbers) for module in order[:-1]]
    return "\n".join([*parts, _body(name, read, numbers)[0]])


def imported_first(names: Iterable[str], imports: Callable[[str], Iterable[str]]) -> list[str]:
    """These files and all they import, each once and after what it imports, never in a circle."""
    order: dict[str, None] = {}

    def visit(name: str) -> None:
        if name not in order:
            for each in imports(name):
                visit(each)
            order[name] = None

    for name in names:
        visit(name)
    return list(order)


def _imports(name: str, read: Read) -> list[str]:
    return [resolved(name, told[3]) for told in JS_IMPORT.finditer(read(name))]


def _scope(name: str, read: Read, numbers: dict[str, str]) -> str:
    body, exported = _body(name, read, numbers)
    return f"const {numbers[name]} = (() => {{\n{body}\nreturn {{ {', '.join(exported)} }};\n}})();"


def _body(name: str, read: Read, numbers: dict[str, str]) -> tuple[str, list[str]]:
    """The module's text without imports and exports, and the names it exported."""

    def brought(told: re.Match[str]) -> str:
        names, whole, path = told.groups()
        source = numbers[resolved(name, path)]
        return f"const {whole or '{' + names.replace(' as ', ': ') + '}'} = {source};"

    text = read(name)
    exported = [told[1] for told in JS_EXPORT.finditer(text)]
    body = JS_EXPORT.sub("", JS_IMPORT.sub(brought, text))
    if odd := JS_OTHER.search(body):
        raise LinkError(f"{name}: {odd[0]}")
    return body, exported


def resolved(name: str, path: str) -> str:
    """The file that `path` names in the file `name`."""
    found = list(PurePosixPath(name).parent.parts)
    for part in PurePosixPath(path).parts:
        if part == "..":
            found.pop()
        else:
            found.append(part)
    return "/".join(found)
