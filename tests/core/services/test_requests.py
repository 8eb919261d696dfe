"""The key of a request: what no page of ours made is refused in words on both databases, and nothing is done."""

import pytest

from tournament.core.errors import BadInput
from tournament.core.models.request_key import RequestKey
from tournament.core.services import requests


@pytest.mark.django_db
@pytest.mark.parametrize("key", ["k" * 65, "a\x00b", "a\nb"])
def test_a_key_that_no_page_made_is_refused(key: str) -> None:
    done: list[int] = []
    with pytest.raises(BadInput) as refused:
        requests.run_once("user:1", key, "act", [], lambda: {"row": done.append(1)})
    assert (refused.value.code, done, RequestKey.objects.count()) == ("key_not_readable", [], 0)
