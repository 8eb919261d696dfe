"""Every sentence that the code and the templates mark for translation, found by reading them, with where it stands."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.template import Origin, Template, engines
from django.template.base import FilterExpression, Node, Variable
from django.template.smartif import TokenBase
from django.templatetags.i18n import BlockTranslateNode, TranslateNode
from django.utils.functional import Promise

ROOT = Path(__file__).resolve().parents[2]
ONE = frozenset({"_", "gettext", "gettext_lazy", "gettext_noop"})
MANY = frozenset({"ngettext", "ngettext_lazy"})
WITH_CONTEXT = frozenset({"pgettext", "pgettext_lazy"})
PLACEHOLDER = re.compile(r"%\((\w+)\)[sd]")

Said = tuple[str, str]  # the msgid, after its context as in_context() writes it, and where it stands


def in_context(context: str | None, msgid: str) -> str:
    return f"{context}|{msgid}" if context else msgid


def in_python(path: Path) -> Iterator[Said]:
    """The literal first argument of each call of gettext's family."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        if name in ONE | MANY and node.args and isinstance(node.args[0], ast.Constant):
            yield str(node.args[0].value), f"{path.relative_to(ROOT)}:{node.lineno}"
        elif name in WITH_CONTEXT:
            context, msgid = (argument.value for argument in node.args[:2] if isinstance(argument, ast.Constant))
            yield in_context(str(context), str(msgid)), f"{path.relative_to(ROOT)}:{node.lineno}"


def in_template(path: Path) -> Iterator[Said]:
    """{% trans %}, {% blocktrans %} and every _("...") that is handed to a tag or a filter."""
    where = str(path.relative_to(ROOT))
    template = Template(path.read_text(encoding="utf-8"), Origin(where), where, engines["django"].engine)
    for part in parts_of(list(template.nodelist)):
        if isinstance(part, TranslateNode):
            yield in_context(context_of(part), literal(part.filter_expression)), where
        elif isinstance(part, BlockTranslateNode):
            yield in_context(context_of(part), sentence_of(part)), where
        elif isinstance(part, FilterExpression):
            yield from ((text, where) for text in marked_texts(part))


def parts_of(value: Any) -> Iterator[Node | FilterExpression]:
    """Every node and expression below, wherever a node keeps them: Django's own walk stops at tags with a body."""
    if isinstance(value, Node | FilterExpression):
        yield value
    if isinstance(value, Node | TokenBase):
        yield from parts_of(vars(value))
    elif isinstance(value, dict):
        for part in value.values():
            yield from parts_of(part)
    elif isinstance(value, list | tuple):
        for part in value:
            yield from parts_of(part)


def literal(expression: FilterExpression) -> str:
    """The text of {% trans "..." %}; the words of a variable come from elsewhere and are not asked for here."""
    value = expression.var
    return str(value.literal if isinstance(value, Variable) and value.literal is not None else value)


def context_of(node: TranslateNode | BlockTranslateNode) -> str | None:
    """What {% trans "..." context "stage" %} says."""
    return str(node.message_context.resolve({})) if node.message_context else None


def sentence_of(node: BlockTranslateNode) -> str:
    """The msgid of a block, made as Django makes it."""
    singular, _ = node.render_token_list(node.singular)
    return " ".join(line.strip() for line in singular.strip().splitlines()) if node.trimmed else singular


def marked_texts(expression: FilterExpression) -> Iterator[str]:
    """The texts of an expression that were written as _("..."): Django has them as lazy translations already."""
    arguments = [argument for _, given in expression.filters for _, argument in given]
    for value in (expression.var, *arguments):
        if isinstance(value, Promise):
            yield str(value._args[0])


def everything_said() -> list[Said]:
    """All of tournament/ and templates/."""
    said: list[Said] = []
    for path in sorted((ROOT / "tournament").rglob("*.py")):
        said += in_python(path)
    for path in sorted((ROOT / "templates").rglob("*.html")):
        said += in_template(path)
    return said


def placeholders(text: str) -> set[str]:
    """The names that a sentence is filled with."""
    return set(PLACEHOLDER.findall(text))
