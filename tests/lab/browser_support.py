"""Pages opened in a browser without a screen: what is drawn, and what its console says.

The browser has a folder of its own for all that it keeps, and finds no host by its name.
"""

import html.parser
import re
import subprocess
import tempfile

CHROMIUM = "/usr/bin/chromium"
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-extensions",
    "--disable-sync", "--host-resolver-rules=MAP * ~NOTFOUND", "--window-size=1200,900",
    "--enable-logging=stderr", "--v=0",
    # The page's own clock: it runs ahead while there is nothing to do.
    "--virtual-time-budget=20000", "--dump-dom",
)  # fmt: skip
TIME_LIMIT = 100  # seconds
CONSOLE = re.compile(r"^\[[^\]]*:CONSOLE[^\]]*\] (.*)$", re.M)
# The outline where a value is missing or zero: no line, or one that goes up by nothing.
NO_BAR = re.compile(r"M0,0Z|M[-\d.]+,([-\d.]+)V\1H")


class Opened(html.parser.HTMLParser):
    """A page after its scripts have run. `plots`: for each element that is to have a plot, the
    number of bars or points in each trace drawn there. `ids_with_plots`: those of the other
    elements that have one; `console`: the lines that the console got."""

    def __init__(self, path):
        super().__init__()
        self.plots = []
        self.ids_with_plots = set()
        self._depth = 0  # of elements inside the plot; 0: outside of any
        self._in_point = False  # whose first path is the bar
        dom, messages = _open(path)
        self.console = CONSOLE.findall(messages)
        self.feed(dom)
        self.close()

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        is_plot = "js-plotly-plot" in (attributes.get("class") or "").split()
        if is_plot and "data-chart" not in attributes:
            self.ids_with_plots.add(attributes.get("id"))
        if "data-chart" in attributes:
            self.plots.append([])
            self._depth = 1
            return
        classes = (attributes.get("class") or "").split()
        if self._depth and tag in ("div", "g", "svg"):
            self._depth += 1
            if "trace" in classes:
                self.plots[-1].append(0)
        elif self._in_point and tag == "path" and not NO_BAR.match(attributes.get("d", "")):
            self.plots[-1][-1] += 1
        elif self._depth and tag == "path" and "point" in classes:
            self.plots[-1][-1] += 1  # a point of samples or of a curve
        self._in_point = self._depth > 0 and tag == "g" and "point" in classes

    def handle_endtag(self, tag):
        if self._depth and tag in ("div", "g", "svg"):
            self._depth -= 1


def _open(path):
    with tempfile.TemporaryDirectory(prefix="browser-", ignore_cleanup_errors=True) as folder:
        done = subprocess.run(
            [CHROMIUM, f"--user-data-dir={folder}/profile", *FLAGS, path.as_uri()],
            env={"HOME": folder, "TMPDIR": folder, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, encoding="utf-8", errors="replace", timeout=TIME_LIMIT, check=False,
        )  # fmt: skip
    if done.returncode != 0 or not done.stdout.rstrip().endswith("</html>"):
        raise AssertionError(f"{CHROMIUM} ended with {done.returncode}: {done.stderr[-2000:]}")
    return done.stdout, done.stderr
