"""Running the program with a known heap under the library."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

HOLDER = os.environ["STATISTICS_HOLDER"]
LIBRARY = os.environ["STATISTICS_LIBRARY"]


class Lab(unittest.TestCase):
    """A test case with a folder of its own that every user may use."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="statistics-", dir=os.getcwd()))
        self.folder.chmod(0o777)
        self.addCleanup(shutil.rmtree, self.folder)

    def run_holder(self, *arguments, **options):
        """Runs it to its end; `options` are the library's."""
        env = {k: v for k, v in os.environ.items() if not k.startswith("MMT_")}
        env["LD_PRELOAD"] = LIBRARY
        for name, value in options.items():
            env[f"MMT_{name.upper()}"] = str(value)
        return subprocess.run(
            [HOLDER, *map(str, arguments)], env=env, cwd=self.folder, capture_output=True, text=True,
            timeout=60, check=False,
        )

    def figures(self, *arguments, **options):
        """The figures at exit."""
        done = self.run_holder(*arguments, stats="figures.json", **options)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads((self.folder / "figures.json").read_text(encoding="utf-8"))["stats"]
