#!/usr/bin/env python3
"""libmmt.so needs libc and its loader, nothing else, and takes no slow way to its own TLS."""

import re
import subprocess
import sys

ALLOWED = re.compile(r"(libc\.so\.6|ld-linux[-a-z0-9_]*\.so\.\d)")


def readelf(*arguments):
    return subprocess.run(["readelf", "-W", *arguments], check=True, capture_output=True, text=True).stdout


library = sys.argv[1]
needed = re.findall(r"\(NEEDED\).*\[(.*)\]", readelf("-d", library))
wrong = [name for name in needed if not ALLOWED.fullmatch(name)]
if not needed or wrong:
    sys.exit(f"{library} needs {needed}; only libc.so.6 and the loader are allowed")
# __tls_get_addr allocates through malloc: the thread-local words must be in static TLS.
if "__tls_get_addr" in readelf("--dyn-syms", library):
    sys.exit(f"{library} calls __tls_get_addr")
if "NODELETE" not in readelf("-d", library):
    sys.exit(f"{library} can be unloaded, which would leave threads without code")
