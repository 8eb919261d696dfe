"""The hall of a whole event in tests: its accounts, a window in a browser for each, and their hands on the API."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Browser, Page

from tournament.api.services import make_token
from tournament.core.enums import StageKind
from tournament.core.models.event import Event
from tournament.core.models.stage import Stage
from tournament.demo.accounts import DEMO_ACCOUNTS
from tournament.demo.desk import DemoPeople

PASSWORDS = {account.username: account.password for account in DEMO_ACCOUNTS}
PATIENCE = 60_000
"""Milliseconds for any one step."""
DESK = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}


class Api:
    """One account's program: every request with its token, every change with a key of its own."""

    def __init__(self, event: Event, username: str) -> None:
        self.root = f"/api/v1/events/{event.slug}/"
        self.token = make_token(User.objects.get(username=username), name="whole event")[1]
        self.client = Client()
        self.keys = count()

    def get(self, path: str) -> Any:
        """What stands at an address."""
        answer = self.client.get(self.root + path, headers={"Authorization": f"Bearer {self.token}"})
        assert answer.status_code == 200, (path, answer.content)
        return answer.json()

    def post(self, path: str, body: Mapping[str, Any] | None = None, *, seen: int | None = None) -> Any:
        """A change, over the version `seen`; what stands then."""
        headers = {"Authorization": f"Bearer {self.token}", "Idempotency-Key": f"{self.token[-8:]}-{next(self.keys)}"}
        if seen is not None:
            headers["If-Match"] = f'"v{seen}"'
        answer = self.client.post(
            self.root + path, json.dumps(body or {}), content_type="application/json", headers=headers
        )
        assert answer.status_code in (200, 201), (path, answer.content)
        return answer.json()


@dataclass
class Hall:
    """The event, its address, its accounts, and a browser in which each has a window of their own."""

    event: Event
    people: DemoPeople
    url: str
    browser: Browser
    faults: list[str] = field(default_factory=list)

    def window(self, **options: Any) -> Page:
        """An empty window; what its scripts complain of is kept."""
        page = self.browser.new_context(**options).new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda fault: self.faults.append(str(fault)))
        page.on("response", lambda answer: self.faults.append(answer.url) if answer.status >= 500 else None)
        return page

    def signed_in(self, username: str) -> Page:
        """Somebody's window after signing in by the page."""
        page = self.window(viewport=DESK, locale="zh-HK")
        page.goto(f"{self.url}/sign-in/")
        page.get_by_label("帳戶").or_(page.locator("input[name=username]")).first.fill(username)
        page.locator("input[name=password]").fill(PASSWORDS[username])
        page.keyboard.press("Enter")
        page.wait_for_url("**/desk/**")
        return page

    def desk(self, path: str) -> str:
        """An address of this event's desk."""
        return f"{self.url}/desk/{self.event.slug}/{path}"

    @property
    def stage(self) -> Stage:
        return Stage.objects.select_related("event").get(event=self.event, kind=StageKind.PRELIMINARY)

    @property
    def final(self) -> Stage:
        return Stage.objects.select_related("event").get(event=self.event, kind=StageKind.FINAL)

    def client(self, username: str) -> Client:
        client = Client()
        client.force_login(User.objects.get(username=username))
        return client

    def api(self, username: str) -> Api:
        return Api(self.event, username)
