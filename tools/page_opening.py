"""A page of `mmt simulate --html` opened in a browser without a screen. It tells how long that
takes by the page's own clock, what its console says, and takes a picture of it.

The browser is told what to do through pipes, in the words of its DevTools protocol. It has a folder
of its own for all that it keeps, and finds no host by its name.
"""

import base64
import fcntl
import json
import os
import select
import signal
import tempfile
import time

CHROMIUM = "/usr/bin/chromium"
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-extensions",
    "--disable-sync", "--host-resolver-rules=MAP * ~NOTFOUND", "--window-size=1200,900",
    "--remote-debugging-pipe",
)  # fmt: skip
PATIENCE = 120.0  # seconds for any answer

# Until nothing that the window shows waits to be drawn. Milliseconds since the navigation began.
SHOWN = """new Promise(done => {
  const isSeen = element => { const box = element.getBoundingClientRect(); return box.top < innerHeight && box.bottom > 0; };
  const look = () => [...waiting.keys()].some(isSeen) ? setTimeout(look, 5) : done(performance.now());
  look();
})"""
# Until nothing does.
DRAWN = """new Promise(done => {
  const look = () => waiting.size ? setTimeout(look, 5) : done(performance.now());
  look();
})"""
TIMES = """new Promise(done => {
  const look = () => {
    const load = performance.getEntriesByType("navigation")[0].loadEventEnd;
    const [paint] = performance.getEntriesByName("first-contentful-paint");
    if (load && paint) done({load, paint: paint.startTime}); else setTimeout(look, 5);
  };
  look();
})"""
# Looks at each model in its turn, as a reader does when choosing it. Milliseconds, the longest.
EXPLORE = """(async () => {
  let longest = 0;
  for (const one of place("allocator").options) {
    const begun = performance.now();
    place("allocator").value = one.value;
    await explore();
    longest = Math.max(longest, await DRAWN - begun);
  }
  return longest;
})()""".replace("DRAWN", DRAWN)
COUNTS = """({elements: document.querySelectorAll("*").length,
  drawn: document.querySelectorAll(".js-plotly-plot").length})"""


class Trouble(Exception):
    """Why the page could not be looked at, in one line."""


class Opened:
    """`load`, `paint`: seconds until the page was loaded and its first text was painted. `shown`:
    until all that the window shows was drawn. `drawn`: until all charts were, which the page draws
    while there is nothing else to do. `model`: for the slowest model to be shown when it is chosen.
    `errors`: of the console; `elements`, `charts`: on the page."""

    def __init__(self, page, picture):
        with tempfile.TemporaryDirectory(prefix="page-", ignore_cleanup_errors=True) as folder:
            browser = _Browser(folder)
            try:
                self._look(browser, page, picture)
                browser.end()
            finally:
                browser.kill()

    def _look(self, browser, page, picture):
        browser.open(page.resolve().as_uri())
        self.shown = browser.evaluate(SHOWN) / 1000
        times = browser.evaluate(TIMES)
        self.load, self.paint = times["load"] / 1000, times["paint"] / 1000
        self.drawn = browser.evaluate(DRAWN) / 1000
        self.model = browser.evaluate(EXPLORE) / 1000
        counts = browser.evaluate(COUNTS)
        self.elements, self.charts = counts["elements"], counts["drawn"]
        picture.write_bytes(browser.picture())
        self.errors = browser.errors


class _Browser:
    def __init__(self, folder):
        hears, self._to = os.pipe()
        self._from, says = os.pipe()
        # High ones, so that the browser's own numbers, 3 and 4, are none of them.
        ends = [fcntl.fcntl(one, fcntl.F_DUPFD_CLOEXEC, 10) for one in (hears, says)]
        self.errors = []
        self._session = None
        self._number = 0
        self._loaded = False
        self._read = b""
        words = [CHROMIUM, f"--user-data-dir={folder}/profile", *FLAGS, "about:blank"]
        try:
            self._process = os.posix_spawn(
                CHROMIUM, words,
                {"HOME": folder, "TMPDIR": folder, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
                file_actions=[
                    (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                    (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
                    (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
                    (os.POSIX_SPAWN_DUP2, ends[0], 3),
                    (os.POSIX_SPAWN_DUP2, ends[1], 4),
                ],
                setpgroup=0,
            )  # fmt: skip
        except OSError as error:
            raise Trouble(f"cannot start {CHROMIUM}: {error.strerror}") from None
        finally:
            for one in (hears, says, *ends):
                os.close(one)

    def open(self, address):
        target = self._ask("Target.createTarget", url="about:blank")["targetId"]
        told = self._ask("Target.attachToTarget", targetId=target, flatten=True)
        self._session = told["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self._ask(f"{domain}.enable")
        told = self._ask("Page.navigate", url=address)
        if "errorText" in told:
            raise Trouble(f"cannot open {address}: {told['errorText']}")
        until = time.monotonic() + PATIENCE
        while not self._loaded:
            self._take(until)

    def evaluate(self, expression):
        told = self._ask(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True
        )
        if "exceptionDetails" in told:
            raise Trouble(f"the page's script fails: {_words_of(told['exceptionDetails'])}")
        return told["result"].get("value")

    def picture(self):
        """All of the page, from top to bottom, as PNG."""
        size = self._ask("Page.getLayoutMetrics")["cssContentSize"]
        told = self._ask(
            "Page.captureScreenshot", captureBeyondViewport=True, clip=size | {"scale": 1}
        )
        return base64.b64decode(told["data"])

    def end(self):
        self._session = None
        self._ask("Browser.close")

    def kill(self):
        """It and all that it started."""
        for one in (self._to, self._from):
            os.close(one)
        try:
            os.killpg(self._process, signal.SIGKILL)
        except ProcessLookupError:
            pass
        os.waitpid(self._process, 0)

    def _ask(self, method, **parameters):
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        left = json.dumps(message).encode() + b"\0"
        try:
            while left:
                left = left[os.write(self._to, left) :]
        except BrokenPipeError:
            raise Trouble(f"{CHROMIUM} ended") from None
        until = time.monotonic() + PATIENCE
        while True:
            told = self._take(until)
            if told.get("id") == self._number:
                if "error" in told:
                    raise Trouble(f"{method}: {told['error']['message']}")
                return told["result"]

    def _take(self, until):
        """The next message; what is said of the console is kept."""
        while b"\0" not in self._read:
            if not select.select([self._from], [], [], max(until - time.monotonic(), 0))[0]:
                raise Trouble(f"{CHROMIUM} does not answer within {PATIENCE:g} s")
            got = os.read(self._from, 1 << 20)
            if not got:
                raise Trouble(f"{CHROMIUM} ended")
            self._read += got
        line, _, self._read = self._read.partition(b"\0")
        told = json.loads(line)
        self._note(told.get("method"), told.get("params", {}))
        return told

    def _note(self, method, parameters):
        if method == "Page.loadEventFired":
            self._loaded = True
        elif method == "Runtime.exceptionThrown":
            self.errors.append(_words_of(parameters["exceptionDetails"]))
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "assert"):
            self.errors.append(" ".join(str(one.get("value", one.get("description"))) for one in parameters["args"]))
        elif method == "Log.entryAdded" and parameters["entry"]["level"] == "error":
            self.errors.append(parameters["entry"]["text"])


def _words_of(details):
    return details.get("exception", {}).get("description") or details["text"]
