"""A real browser, Debian's Chromium, and what a page that it opens does."""

import json
import subprocess
import tempfile
import time
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path

import websocket  # a dependency of jupyter_server

PROGRAM = "chromium"
OPTIONS = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--disable-quic"),
    *("--remote-debugging-port=0", "--remote-allow-origins=*"),
]
QUIET = 2.0  # seconds without an event, after which a page has done what it does


@dataclass
class Page:
    """What became of one page: its text, and the addresses that it asked for, by number.

    What its own policy forbids is not asked for.
    """

    text: str = ""
    asked: dict[str, str] = field(default_factory=dict)

    @property
    def requests(self) -> list[str]:
        return [url for url in self.asked.values() if not url.startswith("data:")]


class Browser:
    """Use it as a context manager; `open` pages one after the other."""

    def __enter__(self) -> "Browser":
        self._folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self._process = subprocess.Popen(
            [PROGRAM, *OPTIONS, f"--user-data-dir={self._folder.name}", "about:blank"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        told = Path(self._folder.name, "DevToolsActivePort")
        deadline = time.monotonic() + 30
        while not (told.exists() and told.read_text().count("\n")):
            assert time.monotonic() < deadline and self._process.poll() is None
            time.sleep(0.1)
        self._port = told.read_text().split("\n")[0]
        return self

    def __exit__(self, *_) -> None:
        self._process.terminate()
        self._process.wait()
        self._folder.cleanup()

    def open(self, url: str) -> Page:
        with urllib.request.urlopen(f"http://127.0.0.1:{self._port}/json") as answer:
            target = next(one for one in json.load(answer) if one["type"] == "page")
        page = Page()
        connection = websocket.create_connection(target["webSocketDebuggerUrl"], timeout=30)
        try:
            for number, method in enumerate(["Network.enable", "Page.enable"]):
                connection.send(json.dumps({"id": number, "method": method}))
            navigate = {"id": 2, "method": "Page.navigate", "params": {"url": url}}
            connection.send(json.dumps(navigate))
            self._listen(connection, page)
            ask = {"expression": "document.title + '\\n' + document.body.innerText"}
            connection.send(json.dumps({"id": 3, "method": "Runtime.evaluate", "params": ask}))
            page.text = self._listen(connection, page, until=3)["result"]["result"]["value"]
        finally:
            connection.close()
        return page

    def _listen(self, connection, page: Page, until: int | None = None) -> dict:
        """Take events until the page is quiet, or the answer to the question `until` is there."""
        connection.settimeout(30 if until is not None else QUIET)
        loaded = False
        while True:
            try:
                event = json.loads(connection.recv())
            except websocket.WebSocketTimeoutException:
                assert loaded, "the page was not loaded"
                return {}
            method, told = event.get("method"), event.get("params", {})
            if method == "Network.requestWillBeSent":
                page.asked[told["requestId"]] = told["request"]["url"]
            if method == "Network.loadingFailed" and told.get("blockedReason") == "csp":
                page.asked.pop(told["requestId"], None)
            loaded = loaded or method == "Page.loadEventFired"
            if until is not None and event.get("id") == until:
                return event
