"""Templates are broken at 120 columns only where whitespace says nothing, and a second run changes nothing."""

from scripts.format_templates import WIDTH, formatted

LONG = "word " * 30


def lines(source: str) -> list[str]:
    """As formatted; checked on the way: a second run changes nothing."""
    made = formatted(source)
    assert formatted(made) == made
    return [line.strip() for line in made.splitlines()]


def test_a_line_that_is_short_enough_stays() -> None:
    assert lines("<p>one</p><p>two</p>\n") == ["<p>one</p><p>two</p>"]


def test_it_is_broken_between_blocks() -> None:
    cell = f'<td class="n">{"x" * 60}</td>'
    assert lines(f"<tr>{cell}{cell}</tr>\n") == [f"<tr>{cell}", f"{cell}</tr>"]


def test_words_and_tags_that_touch_are_not_parted() -> None:
    touching = "x" * 60 + "<b>{{ one }}</b>·{% trans 'two' %}<i>" + "y" * 60 + "</i>."
    assert lines(f"<p>{touching}</p>\n") == ["<p>", touching, "</p>"]


def test_a_turn_of_a_loop_is_not_parted_from_the_next() -> None:
    body = "<b>" + "x" * 110 + "</b>"
    assert lines("<p>{% for one in all %}" + body + "{% endfor %}</p>\n") == [
        "<p>",
        "{% for one in all %}" + body + "{% endfor %}",
        "</p>",
    ]


def test_a_tag_is_broken_between_its_attributes_and_a_value_is_not() -> None:
    made = lines(f'<a class="btn" title="{LONG.strip()}" href="/somewhere">x</a>\n')
    assert made == ['<a class="btn"', f'title="{LONG.strip()}"', 'href="/somewhere">x</a>']


def test_a_long_sentence_is_broken_and_keeps_its_msgid() -> None:
    made = lines(f'<p>{{% trans "{LONG.strip()}" %}}</p>\n')
    assert made[0].startswith("<p>{% blocktrans trimmed %}word word")
    assert " ".join(made) == f"<p>{{% blocktrans trimmed %}}{LONG.strip()}{{% endblocktrans %}}</p>"
    assert max(map(len, made)) <= WIDTH


def test_a_sentence_whose_msgid_would_change_is_left() -> None:
    sentence = f"{{% blocktrans %}} {LONG.strip()} {{% endblocktrans %}}"
    assert lines(f"<p>{sentence}</p>\n") == ["<p>", sentence, "</p>"]


def test_the_text_of_a_textarea_and_an_empty_element_stay_as_they_are() -> None:
    assert lines(f"<div><textarea>{LONG}</textarea></div>\n")[1:-1] == [f"<textarea>{LONG}</textarea>"]
    assert "<p></p>" in " ".join(lines(f"<div><p>{LONG}</p><p></p></div>\n"))
