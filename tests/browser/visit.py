"""A page that Chromium opened, with the errors and requests that happened."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Dialog, Page, Response, Route

CHROMIUM_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
WINDOW_HEIGHT = 900
_MEASURE = Path(__file__).with_name("measure.js").read_text("utf-8")
# Mermaid marks a diagram as processed before drawing it, and then draws in a nested element.
_IS_DRAWN = """() => [...document.querySelectorAll('.mermaid')].filter((e) => e.checkVisibility())
  .every((e) => e.dataset.processed && e.querySelector(':scope > svg'))"""
_IS_TYPESET = """Promise.all([window.MathJax?.startup.promise, document.fonts.ready])
  .then(() => true)"""
_AXE = "within => axe.run({include: [[within]]}, {resultTypes: ['violations']})"


@dataclass(frozen=True)
class Look:
    """Browser settings of a visit."""

    scheme: Literal["light", "dark"]
    width: int

    def __str__(self) -> str:
        return f"{self.scheme}-{self.width}"


@dataclass
class Visit:
    """A page that is completely drawn.

    Attributes:
        problems: errors, failed and foreign requests, and dialogs so far.
    """

    page: Page
    look: Look
    problems: list[str] = field(default_factory=list)

    @cached_property
    def found(self) -> dict[str, Any]:
        """Contents of the page as measure.js measures them."""
        return self.measured(with_contrasts=True)

    def measured(self, *, with_contrasts: bool) -> dict[str, Any]:
        """The contents; without contrasts, which take long, these are None."""
        found: dict[str, Any] = self.page.evaluate(_MEASURE, {"withContrasts": with_contrasts})
        return found

    def at(self, look: Look) -> Visit:
        """The same page with another look; ``problems`` is the same list."""
        self.page.set_viewport_size({"width": look.width, "height": WINDOW_HEIGHT})
        self.page.emulate_media(color_scheme=look.scheme)
        return replace(self, look=look)

    def violations(self, axe: Path, within: str = ".llmsize") -> dict[str, list[str]]:
        """Accessibility problems in our output or another element, by rule of axe-core."""
        self.page.add_script_tag(path=axe)
        result = self.page.evaluate(_AXE, within)
        return {
            violation["id"]: [node["html"][:200] for node in violation["nodes"]]
            for violation in result["violations"]
        }


class _Handler(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Log nothing."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder; the value is its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, directory=folder)) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


@contextmanager
def visit(browser: Browser, address: str, look: Look) -> Iterator[Visit]:
    """Open a page and wait until it is drawn; requests to other servers are blocked."""
    context = browser.new_context(
        viewport={"width": look.width, "height": WINDOW_HEIGHT},
        color_scheme=look.scheme,
        reduced_motion="reduce",
    )
    seen = Visit(context.new_page(), look)
    page, problems = seen.page, seen.problems

    def block_other_servers(route: Route) -> None:
        if route.request.url.startswith(address):
            route.continue_()
        else:
            problems.append(f"request to {route.request.url}")
            route.abort()

    def log_error(message: ConsoleMessage) -> None:
        if message.type == "error":
            problems.append(f"console: {message.text}")

    def log_failure(response: Response) -> None:
        if not response.ok:
            problems.append(f"{response.status} for {response.url}")

    def dismiss(dialog: Dialog) -> None:
        problems.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    context.route("**/*", block_other_servers)
    page.on("console", log_error)
    page.on("response", log_failure)
    page.on("dialog", dismiss)
    page.on("pageerror", lambda error: problems.append(f"page error: {error}"))
    try:
        page.goto(f"{address}index.html")
        _wait(seen)
        yield seen
    finally:
        context.close()


def _wait(seen: Visit) -> None:
    from playwright.sync_api import Error

    try:
        seen.page.wait_for_function(_IS_DRAWN, timeout=120_000)
        seen.page.evaluate(_IS_TYPESET)
    except Error as error:
        raise AssertionError(f"the page is not drawn: {seen.problems}") from error
