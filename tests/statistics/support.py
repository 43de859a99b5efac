"""Running the program with a known heap under the library."""

import json
import os
import pathlib
import resource
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

    def run_holder(self, *arguments, status=0, closed=False, limits=None, **options):
        """Runs it to its end; `options` are the library's. `closed`: without standard error."""

        def prepare():
            if closed:
                os.close(2)
            for which, most in (limits or {}).items():
                resource.setrlimit(which, (most, most))

        env = {k: v for k, v in os.environ.items() if not k.startswith("MMT_")}
        env["LD_PRELOAD"] = LIBRARY
        for name, value in options.items():
            env[f"MMT_{name.upper()}"] = str(value)
        done = subprocess.run(
            [HOLDER, *map(str, arguments)], env=env, cwd=self.folder, capture_output=True, text=True,
            timeout=60, check=False, preexec_fn=prepare if closed or limits else None,
        )
        self.assertEqual(done.returncode, status, done)
        return done

    def figures(self, *arguments, **options):
        """The figures at exit."""
        done = self.run_holder(*arguments, stats="figures.json", **options)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return json.loads((self.folder / "figures.json").read_text(encoding="utf-8"))["stats"]
