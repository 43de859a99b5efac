"""What the tests of the laboratory share: its package, and a prefix with tiny programs in it.

The `mmt` under test is named by the environment: MMT_TEST_BINARY.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
MMT = pathlib.Path(os.path.abspath(os.environ.get("MMT_TEST_BINARY", "build/release/bin/mmt")))
sys.path[:0] = [str(ROOT / "lab"), str(ROOT / "tests" / "support")]
import unittest_main

# An allocator by another name: the C library's own functions behind new symbols.
ALLOCATOR = """
#include <stddef.h>
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void __libc_free(void *);
void *malloc(size_t size) { return __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return __libc_calloc(count, size); }
void *realloc(void *block, size_t size) { return __libc_realloc(block, size); }
void free(void *block) { __libc_free(block); }
"""


def clean_environment(**changes):
    """The environment without anything of MMT's but the Python that runs this, then the changes."""
    env = {key: value for key, value in os.environ.items() if not key.startswith("MMT_")}
    env.pop("LD_PRELOAD", None)
    return env | {"MMT_LAB_PYTHON": sys.executable} | {key: str(value) for key, value in changes.items()}


class Bench(unittest.TestCase):
    """A test case with an installation of its own: mmt, the laboratory, and what it puts there."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="lab-test-", dir=os.getcwd()))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.prefix = self.folder / "prefix"
        self.libraries = self.prefix / "lib"
        self.workloads = self.prefix / "libexec" / "mmt" / "workloads"
        self.scripts = self.prefix / "share" / "mmt" / "scripts"
        self.binary = self.prefix / "bin" / "mmt"
        for one in ("bin", "lib", "share/mmt/suites", "share/mmt/scripts"):
            (self.prefix / one).mkdir(parents=True)
        (self.workloads / "classic").mkdir(parents=True)
        shutil.copy(MMT, self.binary)
        (self.prefix / "share" / "mmt" / "lab").symlink_to(ROOT / "lab")

    def compile(self, path, source, *flags):
        subprocess.run(
            ["cc", "-O1", "-x", "c", "-", "-x", "none", "-o", str(path), *flags],
            input=source, text=True, check=True, timeout=60,
        )  # fmt: skip
        return path

    def library(self, name, source=ALLOCATOR):
        return self.compile(self.libraries / name, source, "-shared", "-fPIC")

    def program(self, name, script):
        """A workload: a shell script."""
        path = self.workloads / "classic" / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        return path

    def start(self, *arguments, **variables):
        """`mmt study ...`, not waited for."""
        process = subprocess.Popen(
            [self.binary, "study", *map(str, arguments)],
            cwd=self.folder, env=clean_environment(**variables), text=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        self.addCleanup(process.communicate)  # runs after the line below
        self.addCleanup(process.kill)
        return process

    def study(self, *arguments, **variables):
        """(status, stdout, stderr) of `mmt study ...`."""
        process = self.start(*arguments, **variables)
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    def records(self, output):
        """The journal's samples: [(run, round)]."""
        lines = (self.folder / output / "journal.jsonl").read_text().splitlines()
        records = [json.loads(line) for line in lines[1:]]
        return [(one["run"], one["round"]) for one in records if "run" in one]

    def report(self, output):
        return json.loads((self.folder / output / "report.json").read_text())


def main():
    if not os.access(MMT, os.X_OK):
        sys.exit(f"there is no program '{MMT}': set MMT_TEST_BINARY")
    unittest_main.main()
