"""Modules put together in one script, since on a slow network each file of its own costs a way there and back.

A module becomes a function that answers what it exports, run when it is first imported; an import becomes a constant
that is taken from such an answer; all else, `await` included, stays as it is written. What is not understood is
refused: `export let`, a ring of imports, anything dynamic.
"""

import os
import re
from pathlib import Path

BEGIN = """"use strict";
const modules = {};
const begun = {};
const module = (name) => (begun[name] ??= modules[name]());
"""
END = "module(document.body.dataset.module);\n"
IMPORT = re.compile(r'^import (?:\* as (\w+)|\{([^}]*)\}) from "(\.[^"]+)";\n', re.M)
PASSED_ON = re.compile(r'^export \{([^}]*)\} from "(\.[^"]+)";\n', re.M)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|const|class) (\w+))", re.M)
DEFAULT = re.compile(r"^export default \w+;\n", re.M)
NOT_UNDERSTOOD = re.compile(r"^(?:import|export)\b.*|\bimport\(.*|\bimport\.meta\b.*", re.M)
IMPORTED = re.compile(r'^(?:import|export) [^;]*from "(\.[^"]+)";', re.M)


def beside(name: str, other: str) -> str:
    """`js/engine/tiles.js` for `../engine/tiles.js` in `js/tablet/pad.js`."""
    return os.path.normpath(f"{os.path.dirname(name)}/{other}")


def modules_in_order(folder: Path, *firsts: str) -> tuple[str, ...]:
    """These modules and all that they import, each after what it imports itself."""
    order = list[str]()

    def visit(name: str, above: tuple[str, ...]) -> None:
        if name in order:
            return
        if name in above:
            raise ValueError(f"{name} imports itself by way of {above[-1]}")
        for other in IMPORTED.findall((folder / name).read_text(encoding="utf-8")):
            visit(beside(name, other), (*above, name))
        order.append(name)

    for first in firsts:
        visit(first, ())
    return tuple(order)


def joined(folder: Path, names: tuple[str, ...]) -> bytes:
    """One script of these modules; it begins with the one that the page names in [data-module] of its body."""
    parts = [as_function(name, (folder / name).read_text(encoding="utf-8")) for name in names]
    return "".join([BEGIN, *parts, END]).encode()


def as_function(name: str, text: str) -> str:
    """The module as a function that is kept by its name; ValueError where it has what is not understood."""
    given = EXPORT.findall(text)
    given += [one.strip() for names, _other in PASSED_ON.findall(text) for one in names.split(",")]

    def constant(names: str, other: str) -> str:
        return f'const {names} = await module("{beside(name, other)}");\n'

    text = IMPORT.sub(lambda it: constant(it[1] or "{" + it[2].replace(" as ", ": ") + "}", it[3]), text)
    text = PASSED_ON.sub(lambda it: constant("{" + it[1] + "}", it[2]), text)
    text = DEFAULT.sub("", EXPORT.sub("", text))
    if left := NOT_UNDERSTOOD.search(text):
        raise ValueError(f"{name}: {left[0]}")
    return f'modules["{name}"] = async () => {{\n{text}return {{ {", ".join(given)} }};\n}};\n'
