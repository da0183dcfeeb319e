"""The site, built once for all processes; one browser; a server that listens on this machine alone."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import threading
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

ARGUMENTS = [
    "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--no-first-run",
]  # fmt: skip
REQUIRED = os.environ.get("ROOFLINE_SYM_REQUIRE_BROWSER") == "1"


def missing(what):
    """Skip for want of something, or fail where it must be there."""
    if REQUIRED:
        pytest.fail(f"{what}, and ROOFLINE_SYM_REQUIRE_BROWSER=1 says it must be there")
    pytest.skip(f"{what} (ROOFLINE_SYM_REQUIRE_BROWSER=1 makes this an error)")


@pytest.fixture(scope="session")
def running():
    """A running Node."""
    from roofline_sym.site.node import Node, NodeError

    try:
        started = Node()
    except NodeError as error:
        missing(str(error))
    yield started
    started.close()


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The built site; the process that asks first builds it, and another waits until it is there."""
    pytest.importorskip("mkdocs", reason="the site needs the extra docs")
    from roofline_sym.site.build import build
    from roofline_sym.site.node import NodeError

    os.environ["SOURCE_DATE_EPOCH"] = "1764460800"
    own = tmp_path_factory.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    built = shared / "built"
    with (shared / "building").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not built.exists():
            try:
                build(shared / "site")
            except NodeError as error:
                missing(str(error))
            built.touch()
    return shared / "site"


@pytest.fixture(scope="session")
def press():
    """What pages are made from."""
    pytest.importorskip("markdown", reason="the site needs the extra docs")
    from roofline_sym.site.mdx import our_press
    from roofline_sym.site.node import NodeError

    try:
        return our_press()
    except NodeError as error:
        missing(str(error))


@pytest.fixture(scope="session")
def pages(site):
    """Every page by its path."""
    return sorted(str(path.relative_to(site)) for path in site.rglob("*.html") if path.name != "404.html")


@pytest.fixture(scope="session")
def kinds(pages):
    """One page of every kind: all that people wrote, but of the chapters and the equations a short and a long one."""
    some = {f"equations/{name}.html" for name in ("index", "ridge_point", "parameters")}
    some |= {"chapters/roofline.html", "chapters/serving.html"}
    return [page for page in pages if not page.startswith(("chapters/", "equations/")) or page in some]


@pytest.fixture(scope="session")
def sample(site, pages, kinds):
    """One page of every kind, all chapters, the longest pages, and every 80th: all have the same scripts.

    What can be seen in the text of a page, building looks for on every one.
    """
    longest = sorted(pages, key=lambda page: -(site / page).stat().st_size)[:4]
    chapters = [page for page in pages if page.startswith("chapters/")]
    return sorted({*kinds, *chapters, *longest, *pages[::80]})


@pytest.fixture(scope="session")
def browser():
    """Debian's Chromium, started once; the one without windows, if it is there, opens a page in a third of the time."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="the browser tests need the extra test")
    if not (path := shutil.which("chromium-headless-shell") or shutil.which("chromium")):
        missing("there is no chromium on PATH: apt-get install chromium-headless-shell")
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield started
        started.close()


class Quiet(SimpleHTTPRequestHandler):
    """Serves files and says nothing."""

    def log_message(self, *_):
        """Leave the terminal alone."""


@pytest.fixture(scope="session")
def served(site):
    """The address the site is served at."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=site)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@dataclass
class Watch:
    """What went wrong while pages were open."""

    home: str
    outside: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def on(self, page):
        """Listen to a page, and return it."""
        page.on("request", self._request)
        page.on("requestfailed", lambda request: self._failed(page, request))
        page.on("pageerror", lambda error: self.wrong.append(f"{page.url}: {error}"))
        page.on("console", lambda message: self._console(page, message))
        page.on("response", lambda r: self.wrong.append(f"{r.url} gave {r.status}") if r.status >= 400 else None)
        return page

    def _request(self, request):
        if not request.url.startswith((self.home, "data:", "blob:", "about:")):
            self.outside.append(request.url)

    def _failed(self, page, request):
        if request.failure != "net::ERR_ABORTED":  # the page was left before all had come
            self.wrong.append(f"{page.url}: {request.url} failed: {request.failure}")

    def _console(self, page, message):
        if message.type in ("error", "warning"):
            self.wrong.append(f"{page.url}: {message.text}")


@pytest.fixture(scope="session")
def watch():
    """Watches pages for what they must not do."""
    return Watch


# -- texts from strangers: to paste as a config, or to type as a value ------------------------------------------------


@dataclass(frozen=True)
class Stranger:
    """A text of ``tests/data/hostile.json``, and what must become of it wherever it is put in.

    Attributes:
        pieces: The text, in parts that stand there so many times.
        outcome: ``accept``, ``refuse``, ``either``, or ``escape`` where markup in it must stay text.
        quantity: What it is to be a value of; None for a config.
        values: What it means, if it is accepted; of a config, by the keys of the config.
        wrong: What it must never be taken for.
        forbid: What no error may hold.
        hint: What a refusal must mention.
    """

    id: str
    pieces: tuple[tuple[str, int], ...]
    outcome: str
    quantity: str | None = None
    values: dict = field(default_factory=dict)
    wrong: dict = field(default_factory=dict)
    forbid: tuple[str, ...] = ()
    hint: str = ""

    @property
    def text(self):
        """All of it."""
        return "".join(part * times for part, times in self.pieces)

    def read(self, place):
        """What the package makes of a config that it calls so: a model and no error, or none and the error's text."""
        from roofline_sym.config import ConfigError, read_config_text

        try:
            return read_config_text(self.text, place=place), ""
        except ConfigError as error:
            return None, str(error)


#: For `page.add_init_script`, before anything is put in: `window.marked` stays empty if nothing of a text runs.
MARKER = "window.marked = []; window.__marker = (id) => window.marked.push(id);"


@pytest.fixture(scope="session")
def strangers():
    """Texts by what they are to be: ``pasted`` and ``config`` are configs, ``value`` are numbers with units."""
    data = json.loads((Path(__file__).parents[1] / "data" / "hostile.json").read_text(encoding="utf-8"))
    return {
        kind: [
            Stranger(
                row["id"],
                tuple(map(tuple, row.get("pieces") or [[row["text"], 1]])),
                row["outcome"],
                row.get("quantity"),
                row.get("values", {}),
                row.get("wrong", {}),
                tuple(row.get("forbid", ())),
                row.get("hint", ""),
            )
            for row in rows
        ]
        for kind, rows in data.items()
    }


@pytest.fixture
def unharmed(browser):
    """Opens a page in which a text that runs would leave a mark, and holds what the page tells to what it must.

    After ``page = unharmed.open(url)``, for each config that is put in: ``unharmed.check(stranger, told, place)``, with
    what the page shows of it, and what the page calls a pasted text.
    """

    class Unharmed:
        page = None

        def open(self, url):
            self.page = browser.new_page()
            self.page.add_init_script(MARKER)
            self.page.goto(url)
            return self.page

        def check(self, stranger, told, place):
            _, error = stranger.read(place)
            assert error in told, stranger.id
            assert not [text for text in stranger.forbid if text in told], stranger.id
            assert self.page.evaluate("window.marked") == [], stranger.id

    made = Unharmed()
    yield made
    if made.page:
        made.page.close()
