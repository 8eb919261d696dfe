"""Modules as one script: what is exported and imported, and what is refused."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tournament.core.adapters.bundles import ASK_MODULE, BUNDLES, FIRST_MODULES, SOURCES_FOLDER
from tournament.core.adapters.script_modules import as_function, joined, modules_in_order

MODULES = {
    "a/first.js": """/* Begins. */
import * as rules from "../b/all.js";
import { twice as double, upTo, wait } from "./twice.js";
import {
  START,
} from "../b/start.js";

wait().then((late) => { window.said = [double(START), rules.START, rules.Box.name, late, ...upTo(2)]; });
""",
    "a/other.js": "window.other = true;\n",
    "a/twice.js": """import { START } from "../b/start.js";
const own = await Promise.resolve(2);
export const twice = (number) => number * own;
export async function wait() { return START; }
export function* upTo(last) { for (let n = 1; n <= last; n += 1) yield n; }
export default twice;
""",
    "b/all.js": 'export { Box, START } from "./start.js";\n',
    "b/start.js": "export const START = 3;\nexport class Box {}\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in MODULES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_a_module_comes_after_what_it_imports_and_once(folder: Path) -> None:
    assert modules_in_order(folder, "a/first.js", "a/other.js") == (
        *("b/start.js", "b/all.js", "a/twice.js"),
        *("a/first.js", "a/other.js"),
    )


@pytest.mark.browser
def test_the_script_does_what_the_modules_do_on_the_page_that_names_the_first(folder: Path, chromium: Browser) -> None:
    firsts = ("a/first.js", "a/other.js")
    page = chromium.new_page()
    page.set_content('<body data-module="a/first.js"></body>')
    page.add_script_tag(content=joined(folder, modules_in_order(folder, *firsts)).decode())
    assert page.wait_for_function("window.said").json_value() == [6, 3, "Box", 3, 1, 2]
    assert page.evaluate("window.other") is None
    page.close()


@pytest.mark.parametrize(
    "text",
    [
        "export let count = 0;\n",
        "export const { one } = two;\n",
        "export default function () {}\n",
        'import one from "./one.js";\n',
        'import "./one.js";\n',
        'import("./one.js");\n',
        "import.meta.url;\n",
    ],
)
def test_what_is_not_understood_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"odd\.js"):
        as_function("odd.js", text)


def test_modules_that_import_each_other_in_a_ring_are_refused(folder: Path) -> None:
    (folder / "b" / "start.js").write_text('import { twice } from "../a/twice.js";\nexport const START = 3;\n')
    with pytest.raises(ValueError, match="imports itself"):
        modules_in_order(folder, "a/first.js")


def test_every_module_is_in_the_script_of_the_tablet_the_timer_or_the_hall_or_begins_that_of_the_public_page() -> None:
    found = {str(path.relative_to(SOURCES_FOLDER)) for path in (SOURCES_FOLDER / "js").rglob("*/*.js")}
    vendored = {"vendor/qrcode-generator/qrcode.js"}
    timer = {name for name in found if name.startswith("js/timer/")}
    hall = {name for name in found if name.startswith("js/hall/")}
    assert {*BUNDLES["tablet.js"]} == (found | vendored) - {"js/tablet/worker.js", ASK_MODULE} - timer - hall
    assert timer < {*BUNDLES["timer.js"]} < timer | {*BUNDLES["tablet.js"]}
    assert hall < {*BUNDLES["hall.js"]} < hall | {*BUNDLES["tablet.js"]}
    assert {*FIRST_MODULES} < {*BUNDLES["tablet.js"]}
    assert {*BUNDLES["ask.js"]} - {*BUNDLES["tablet.js"]} == {ASK_MODULE}
