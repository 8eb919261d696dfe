"""Other code for functions that run already, wherever they were imported to; then their own again."""

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FunctionType, ModuleType

Changed = list[tuple[FunctionType, CodeType]]


@contextmanager
def rewritten(module: ModuleType, old: str, new: str) -> Iterator[None]:
    """One place of a file as if it had been written otherwise."""
    path = source_of(module)
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{path.name}: {old}"
    changed = give_code(module, compile(text.replace(old, new), str(path), "exec"))
    try:
        yield
    finally:
        give_back(changed)


def source_of(module: ModuleType) -> Path:
    return Path(inspect.getsourcefile(module) or "")


def give_code(module: ModuleType, code: CodeType) -> Changed:
    """Every function of the module as this code of its file has it; what each had before."""
    codes, changed = dict(codes_in(code)), []
    for function in functions_of(module):
        if (own := codes.get(function.__qualname__)) is not None:
            changed.append((function, function.__code__))
            function.__code__ = own
    return changed


def give_back(changed: Changed) -> None:
    for function, code in changed:
        function.__code__ = code


def codes_in(code: CodeType, within: str = "") -> Iterator[tuple[str, CodeType]]:
    """Every function's code by its qualified name."""
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield f"{within}{one.co_name}", one
            yield from codes_in(one, f"{within}{one.co_name}.")


def functions_of(module: ModuleType) -> Iterator[FunctionType]:
    """Those that the file defines, and those of its classes."""
    own = [one for one in vars(module).values() if getattr(one, "__module__", "") == module.__name__]
    inner = [each for one in own if inspect.isclass(one) for each in vars(one).values()]
    for one in (*own, *inner):
        if isinstance(one, FunctionType) and not one.__closure__:
            yield one
