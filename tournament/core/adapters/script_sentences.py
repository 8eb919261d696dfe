"""The sentences of a bundle's scripts in Chinese, for a page that has them in itself and asks for no catalogue."""

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from gettext import GNUTranslations

from tournament.core.adapters.bundles import BUNDLES, SOURCES_FOLDER

SCRIPTS_CATALOGUE = SOURCES_FOLDER.with_name("locale") / "zh_Hant" / "LC_MESSAGES" / "djangojs.mo"
_TEXT = r'("(?:[^"\\]|\\.)*")'
CALL = re.compile(rf"\bgettext\({_TEXT}|\bpgettext\({_TEXT}, {_TEXT}")
# Between a context and its message, as catalogues have it.
CONTEXT_END = "\x04"


@lru_cache
def chinese_sentences(bundle: str) -> dict[str, str]:
    """By the key of Django's JSON catalogue, with the context where there is one."""
    with SCRIPTS_CATALOGUE.open("rb") as file:
        chinese = GNUTranslations(file)
    return {key: chinese.gettext(key) for key in sorted(set(sentence_keys(bundle)))}


def sentence_keys(bundle: str) -> Iterator[str]:
    """The keys of all sentences of the bundle's sources."""
    for source in BUNDLES[bundle]:
        for plain, context, message in CALL.findall((SOURCES_FOLDER / source).read_text(encoding="utf-8")):
            yield json.loads(plain) if plain else CONTEXT_END.join(map(json.loads, (context, message)))
