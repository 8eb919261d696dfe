"""The page and the server of "what the bar said": a tablet in a time of its own, and the program in this process."""

import json
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client, override_settings
from django.utils import timezone
from playwright.sync_api import Browser, Page, Route

from tests.conftest import event_data
from tests.sheets.tables import settle
from tests.snapshots import Content, copied, put_back
from tournament.accounts.services import accounts
from tournament.audit.models import AuditHead
from tournament.core.enums import Role, SessionState
from tournament.core.models.request_key import RequestKey
from tournament.core.models.stage import Session
from tournament.devices.models.device import Device, QuarantinedSubmission
from tournament.devices.models.pin import RefereePin
from tournament.devices.services import devices, epochs
from tournament.operations.services import backup_reach
from tournament.setup.services import setup
from tournament.tables.models import Table

HARNESS = Path(__file__).with_name("bar_said.js")
STATIC = Path(__file__).resolve().parents[2] / "tournament" / "static"
ADDRESS = "http://tablet.test"
PIN, TABLES = "7305", (1, 2)
PLAIN = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
# In the place of these modules: a disk in memory, a panel and a PIN pad without a screen, one window, no worker.
STUBS = {
    "database.js": "export const openDatabase = () => window.openDisk();",
    "panel.js": """export function mountPanel(element, number, api) {
        window.panels.set(number, { element, api });
        return { update() {} };
    }""",
    "pinpad.js": """export function pinPad(element, options) {
        window.pad = options;
        element.innerHTML = '<p class="pad"></p>';
        element.append(options.why);
        return () => null;
    }""",
    "window.js": "export const makeWindow = () => ({ ask: async () => true, take() {}, isMine: () => true });",
    "kept.js": """export const keepPages = async () => {};
    export const watchKept = () => {};
    export const opensOffline = async () => true;""",
}
# What a tablet did before it compared: recorded is recorded, and another session's goes when it goes on.
CARELESS = """
  const carelessly = (state) => ({
    changed: [],
    gone: all()
      .filter((item) => item.session !== state.session.number && item.state === "recorded")
      .map(({ key }) => key),
  });
  return {"""


@dataclass
class Backup:
    """The database as it was, and what a tablet may forget once it is there."""

    content: Content
    safe: set[str]


class Server:
    """The program in this process, and its database that is put back."""

    def __init__(self) -> None:
        self.event = setup.create_event(event_data())
        self.organiser = self.account("organiser", Role.ORGANISER)
        self.referee = self.account("referee", Role.REFEREE)
        RefereePin.objects.create(event=self.event, user=self.referee, hash=make_password(PIN), set_at=timezone.now())
        for number in (1, 2):
            session = self.session(number)
            settle(session, self.organiser, [4, 4], first=100 * number + 1)
            Session.objects.filter(pk=session.pk).update(state=SessionState.PLAYING)
            Table.objects.filter(session=session, number__in=TABLES).update(referee=self.referee)
        self.restores, self.keys = 0, 0
        self.client = Client(SERVER_NAME="localhost")
        self.first = copied()

    def account(self, name: str, role: Role) -> User:
        return accounts.create_account(self.event, name, "unused-password", name, [role])

    def session(self, number: int) -> Session:
        return Session.objects.get(stage__event=self.event, number=number)

    def key(self) -> str:
        """Of one press at the desk."""
        self.keys += 1
        return f"desk-{self.keys}"

    def code(self, session: int) -> str:
        """For both tables of a session."""
        return devices.make_pairing(self.session(session), self.referee, TABLES, by=self.organiser)[1]

    # --- The database -----------------------------------------------------------------------------------
    def back_up(self) -> Backup:
        """A finished backup: what it has of closed sessions is safe from now on."""
        closed = Session.objects.filter(state=SessionState.CLOSED).values("pk")
        taken = Device.objects.filter(session__in=closed)
        scopes = [f"device:{device.pk}" for device in taken]
        safe = set(RequestKey.objects.filter(scope__in=scopes).values_list("key", flat=True))
        safe |= set(QuarantinedSubmission.objects.filter(table__session__in=closed).values_list("key", flat=True))
        made = Backup(copied(), safe)
        heads = {head.event.slug: {"seq": head.seq} for head in AuditHead.objects.select_related("event")}
        backup_reach.note_backup({"heads": heads})
        return made

    def restore(self, backup: Backup) -> None:
        """An older state comes back, as `manage.py restore` does it."""
        put_back(backup.content)
        epochs.renew_epoch()
        self.restores += 1

    # --- What a tablet asks -----------------------------------------------------------------------------
    def answer(self, said: str) -> str:
        """One request of the page."""
        asked = json.loads(said)
        self.client.cookies.clear()
        if asked["cookie"]:
            self.client.cookies["tablet"] = asked["cookie"]
        headers = {"Accept-Language": "en", **asked["headers"]}
        body = (asked["body"] or "").encode()
        life = self.restores
        kind = headers.pop("Content-Type", "application/json")
        got = self.client.generic(asked["method"], asked["path"], body, content_type=kind, headers=headers)
        connection.close()  # each call of the page is a context of its own, and has a connection of its own
        token = got.cookies["tablet"].value if "tablet" in got.cookies else ""
        told = {name: got.headers[name] for name in ("Content-Type", "ETag", "X-Tournament") if name in got.headers}
        content = got.content.decode()
        return json.dumps({"status": got.status_code, "headers": told, "body": content, "cookie": token, "life": life})

    def has(self) -> tuple[set[str], set[str]]:
        """The keys that are carried out, and those that a person has or had before them."""
        done = set(RequestKey.objects.filter(scope__startswith="device:", status__gt=0).values_list("key", flat=True))
        return done, set(QuarantinedSubmission.objects.values_list("key", flat=True))


# --- The page -------------------------------------------------------------------------------------------
def make_page(browser: Browser, server: Server, careless: bool) -> Page:
    """The tablet's page with its real modules, and what stands in the place of screen, disk and network."""
    page = browser.new_page()
    with override_settings(STORAGES={**settings.STORAGES, "staticfiles": PLAIN}):
        got = server.client.get(f"/tablet/{server.event.slug}/", headers={"Accept-Language": "en"})
    whole = got.content.decode()
    body = whole[whole.index("<header") : whole.index("</body>")]
    world = json.dumps({"page": body, "pin": PIN}).replace("</", "<\\/")

    def give(route: Route) -> None:
        path = route.request.url.removeprefix(ADDRESS).partition("?")[0]
        if path == "/":
            text = f'<!doctype html><html lang="en"><body></body><script>window.WORLD = {world};</script>'
            route.fulfill(body=text, content_type="text/html; charset=utf-8")
        else:
            route.fulfill(body=module_of(path, careless), content_type="text/javascript")

    page.route(f"{ADDRESS}/**", give)
    page.expose_function("serve", server.answer)
    page.goto(f"{ADDRESS}/")
    page.add_script_tag(content=HARNESS.read_text(encoding="utf-8"))
    return page


def module_of(path: str, careless: bool) -> str:
    """A module as the tablet has it, or what stands in its place."""
    name = path.rpartition("/")[2]
    if name in STUBS:
        return STUBS[name]
    text = (STATIC / path.removeprefix("/")).read_text(encoding="utf-8")
    if careless and name == "outbox.js":
        head, _return, rest = text.rpartition("  return {")
        text = head + CARELESS.lstrip("\n") + rest.replace("compared,", "compared: carelessly,")
    return text
