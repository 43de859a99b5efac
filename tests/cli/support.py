"""What the tests of the command line tool share: running it, making odd programs, other users.

The tool under test is named by the environment: MMT_TEST_BINARY. Each Lab is a folder that every
user may read, below the folder the tests run in: /tmp may be mounted nosuid or noexec.
"""

import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
import unittest_main

MMT = os.environ.get("MMT_TEST_BINARY", "build/release/bin/mmt")
NOBODY = 65534
# The laboratory's Python in this build tree.
PYTHON = next(filter(os.path.exists, [f"{os.path.dirname(os.path.abspath(MMT))}/../../python/bin/python3", "/usr/bin/python3"]))


class Result:
    """How a run ended: status as a shell sees it (128 + signal), text of both streams."""

    def __init__(self, done):
        self.status = done.returncode if done.returncode >= 0 else 128 - done.returncode
        self.out = done.stdout
        self.err = done.stderr

    def __repr__(self):
        return f"status {self.status}, stdout {self.out!r}, stderr {self.err!r}"


def clean_environment(**changes):
    """The environment without anything of MMT's but the choice of a library, then the changes.

    None takes a variable away.
    """
    env = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith("MMT_") and key != "LD_PRELOAD"
    }
    if "MMT_LIBRARY" in os.environ:
        env["MMT_LIBRARY"] = os.environ["MMT_LIBRARY"]
    for key, value in changes.items():
        env.pop(key, None)
        if value is not None:
            env[key] = str(value)
    return env


def mmt(*arguments, env=None, cwd=None, user=None, stdin="", stdout=None, binary=None, limits=None):
    """Runs the tool to its end. `stdin`: text by a pipe, or a file. Limits are soft ones, by their numbers in `resource`."""

    def set_limits():
        for which, soft in limits.items():
            resource.setrlimit(which, (soft, resource.getrlimit(which)[1]))

    return Result(
        subprocess.run(
            [str(binary or os.path.abspath(MMT)), *map(str, arguments)],
            env=env if env is not None else clean_environment(),
            cwd=cwd,
            user=user,
            extra_groups=[] if user is not None else None,
            **({"input": stdin} if isinstance(stdin, str) else {"stdin": stdin}),
            stdout=stdout if stdout is not None else subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
            preexec_fn=set_limits if limits else None,
        )
    )


def verbs():
    """All that the help names, in its order."""
    return re.findall(r"(?m)^  ([a-z]+) ", mmt("--help").out.split("Options:")[0])


def protocols():
    """All that `mmt list` names."""
    return [one["name"] for one in json.loads(mmt("list", "protocols", "--json").out)["protocols"]]


def library():
    """The library that `mmt run` uses in these tests."""
    if "MMT_LIBRARY" in os.environ:
        return os.path.abspath(os.environ["MMT_LIBRARY"])
    return str(pathlib.Path(os.path.realpath(MMT)).parent.parent / "lib" / "libmmt.so")


class Lab(unittest.TestCase):
    """A test case with a folder of its own."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="cli-test-", dir=os.getcwd()))
        self.folder.chmod(0o755)
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def compile(self, name, source, *flags, language="c", compiler="cc"):
        """Builds a program."""
        path = self.folder / name
        subprocess.run(
            [compiler, "-O1", "-x", language, "-", "-o", str(path), *flags],
            input=source,
            text=True,
            check=True,
            timeout=60,
        )
        return path

    def script(self, name, text, mode=0o755):
        path = self.folder / name
        path.write_text(text)
        path.chmod(mode)
        return path

    def public_tree(self):
        """Copies of the tool and its library that another user may run; the path of the tool."""
        for part, source in (("bin", os.path.realpath(MMT)), ("lib", library())):
            target = self.folder / part
            target.mkdir()
            shutil.copy(source, target / ("mmt" if part == "bin" else "libmmt.so"))
        public = self.public_folder()
        for part in ("bin", "lib"):
            shutil.move(self.folder / part, public / part)
        return public / "bin" / "mmt"

    def public_folder(self):
        """A folder that every user may enter; the build tree's own may lie in one that is closed."""
        public = pathlib.Path(tempfile.mkdtemp(prefix="mmt-cli-test-", dir="/var/tmp"))
        self.addCleanup(shutil.rmtree, public, ignore_errors=True)
        public.chmod(0o755)
        return public

    def assert_fails(self, result, status, *fragments):
        """The status is as given, and the one line on stderr begins with "mmt: " and names all."""
        self.assertEqual(result.status, status, result)
        lines = result.err.splitlines()
        self.assertEqual(len(lines), 1, result)
        self.assertTrue(lines[0].startswith("mmt: "), result)
        for fragment in fragments:
            self.assertIn(str(fragment), lines[0])


def is_root():
    return os.geteuid() == 0


def main():
    if not os.access(MMT, os.X_OK):
        sys.exit(f"there is no program '{MMT}': set MMT_TEST_BINARY")
    unittest_main.main()
