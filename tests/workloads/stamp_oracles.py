#!/usr/bin/env python3
"""`stamp --oracles` of an application: the counts named differ, as is known, and so its status is 1;
all others hold. Without any the status is 0.
"""

import re
import subprocess
import sys

PROGRAM, APPLICATION, *KNOWN = sys.argv[1:]


def main():
    command = [PROGRAM, "--oracles", "--application", APPLICATION]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    print(done.stdout, done.stderr)
    lines = re.findall(rf"^{APPLICATION} +(.*?)  +[^a-z]*((?:holds|differs|fails).*)$", done.stdout,
                       re.MULTILINE | re.IGNORECASE)
    missed = {what: verdict for what, verdict in lines if not verdict.startswith("holds")}
    expected = dict.fromkeys(KNOWN, "DIFFERS (known)")
    if ("its own check", "holds") not in lines or missed != expected:
        sys.exit(f"{APPLICATION}: what does not hold: {missed}, expected: {expected}")
    if APPLICATION == "vacation" and ("tx frees", "holds: without 16 refused and freed") not in lines:
        sys.exit("vacation: frees do not say what they leave out")
    if nothing := re.findall(r"^.* 0 +0 holds.*$", done.stdout, re.MULTILINE):
        sys.exit(f"{APPLICATION}: what cannot differ holds: {nothing}")
    if done.returncode != (1 if KNOWN else 0):
        sys.exit(f"{APPLICATION}: status {done.returncode}")


main()
