"""Texts that people typed, set beside sentences of ours: the closing stop and the language tag."""

from django.utils import translation
from django.utils.html import escape, format_html

SENTENCE_STOPS = ".。!！?？…"
CLOSING_QUOTES = "」』”’\"'）)"
# Stand for what a person typed while the sentences around it are escaped.
REASON_PLACEHOLDER, SEED_PLACEHOLDER = "\ue000", "\ue001"
CHINESE_TAG, ENGLISH_TAG = "zh-Hant-HK", "en"


def end_with_stop(sentence: str) -> str:
    """A sentence that a person typed, with its stop where it has none."""
    sentence = sentence.strip()
    if not sentence or sentence.rstrip(CLOSING_QUOTES)[-1:] in SENTENCE_STOPS:
        return sentence
    return sentence + ("。" if language_tag_of_text(sentence[-1]) == CHINESE_TAG else ".")


def language_tag_of_text(text: str) -> str:
    """The `lang` of a text by its letters, as far as that can be known: Chinese where an ideograph stands in it."""
    if any("\u3400" <= sign <= "\u9fff" or "\U00020000" <= sign <= "\U000323af" or sign in "」』）" for sign in text):
        return CHINESE_TAG
    return ENGLISH_TAG if any(sign.isalpha() for sign in text) else ""


def mark_text_language(text: str) -> str:
    """The text escaped, in an element with its `lang` where that is not the page's."""
    own = language_tag_of_text(text)
    if not own or (own == ENGLISH_TAG) == is_english_active():
        return str(escape(text))
    return str(format_html('<span lang="{}">{}</span>', own, text))


def is_english_active() -> bool:
    """Whether the language of the moment is English."""
    return (translation.get_language() or "").startswith("en")
