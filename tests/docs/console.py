"""The `console` blocks of a page, run as a reader would: each block by one shell, in order, with the built
`mmt` in PATH. What is shown has to be the output's kind. Numbers and their units aside, most words
of a command's shown output are in its real one."""

import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
MMT = pathlib.Path(os.path.abspath(os.environ.get("MMT_TEST_BINARY", ROOT / "build/release/bin/mmt")))
TIME_LIMIT = 240  # seconds a block
BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
MARK = "--- end of a command ---"
WORD = re.compile(r"[A-Za-z]{3,}")
UNITS = {"kib", "mib", "gib", "min"}
ALIKE = 0.7  # of the shown words


def blocks(text):
    """Each block as a list of (command, shown output). A command that ends in a backslash goes on."""
    found = []
    for block in BLOCK.findall(text):
        steps = []
        for line in block.replace("\\\n", "").splitlines():
            if line.startswith("$ "):
                steps.append([line[2:], ""])
            else:
                steps[-1][1] += line + "\n"
        found.append([tuple(step) for step in steps])
    return found


def commands(text):
    return [command for block in blocks(text) for command, _ in block]


def clean_environment():
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("MMT_", "LD_PRELOAD"))}
    environment["PATH"] = f"{MMT.parent}:{environment['PATH']}"
    return environment


def run(block, folder):
    """Runs a block's commands in one shell; for each its output, both streams together, or None where one
    before it has failed."""
    script = "set -e\n" + "".join(f"{command}\necho '{MARK}'\n" for command, _ in block)
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env=clean_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=TIME_LIMIT,
        check=False,
    )
    *outputs, rest = done.stdout.split(MARK + "\n")
    if done.returncode != 0:
        outputs.append(None)
    return outputs, rest


def words(text):
    return {word.lower() for word in WORD.findall(text)} - UNITS


def is_alike(shown, real):
    wanted = words(shown)
    return len(wanted & words(real)) >= ALIKE * len(wanted)


class Pages:
    """For a unittest.TestCase: runs the blocks of a page."""

    def check_page(self, path, folder):
        for block in blocks((ROOT / path).read_text(encoding="utf-8")):
            outputs, rest = run(block, folder)
            for (command, shown), real in zip(block, outputs):
                with self.subTest(page=path, command=command):
                    self.assertIsNotNone(real, f"failed: {rest}")
                    self.assertTrue(is_alike(shown, real), f"shown:\n{shown}\nreal:\n{real}")
