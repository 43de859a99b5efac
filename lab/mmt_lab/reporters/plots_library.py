"""The plotting library that pages carry. It is plotly.js of the trace types that are used, where
tools/install_npm.sh or `npm install --global` put it. Else it is Debian's, which has all of them
and is six times as large.
"""

import functools
import hashlib
import pathlib

_FILE = "plotly.js-cartesian-dist-min/plotly-cartesian.min.js"
# This is the hash of the version in packages/npm.txt. Another file is not what pages were tested with.
_SHA256 = "1836dca6fbe9477c789e8a4affd2b2be59fabe8daf8df49c391809d65490c955"
_BUILT = pathlib.Path(__file__).resolve().parents[3] / "build/npm/node_modules"
FOLDERS = (_BUILT, *map(pathlib.Path, ("/usr/local/lib/node_modules", "/usr/lib/node_modules")))


def small(folders=FOLDERS):
    """The small one's text; None where it is not installed as it was pinned."""
    for folder in folders:
        try:
            data = (folder / _FILE).read_bytes()
        except OSError:
            continue
        if hashlib.sha256(data).hexdigest() == _SHA256:
            return data.decode("utf-8")
    return None


@functools.cache
def source():
    """JavaScript, to be put between script tags."""
    text = small()
    if text is None:
        from plotly.offline import get_plotlyjs  # not above: it takes a second

        text = get_plotlyjs()
    return text
