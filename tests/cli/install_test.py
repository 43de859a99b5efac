"""What `make install` puts below a prefix works from there: program, library, suites and what they
run, headers, manual page."""

import json
import os
import pathlib
import subprocess

from support import MMT, Lab, main, mmt

BUILD = pathlib.Path(os.path.abspath(MMT)).parents[1]


class Install(Lab):
    def setUp(self):
        super().setUp()
        self.prefix = self.folder / "prefix"
        done = subprocess.run(
            ["cmake", "--install", BUILD, "--prefix", self.prefix],
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        self.binary = self.prefix / "bin" / "mmt"

    def test_runs_and_measures_from_there(self):
        self.assertEqual(mmt("run", "--strict", "--", "true", binary=self.binary).status, 0)
        report = self.folder / "report.json"
        done = mmt(
            "bench", "-q", "--runs", "1", "--only", "vectors", "--allocators", "mmt,glibc",
            "--json", report, "growth",
            binary=self.binary, cwd="/",
        )  # fmt: skip
        self.assertEqual(done.status, 0, done)
        (program,) = json.loads(report.read_text())["programs"]
        self.assertTrue(program["command"][0].startswith(str(self.prefix)), program["command"])
        for cell in program["cells"]:
            self.assertIsNone(cell["problem"], cell)

    def test_every_workload_of_a_suite_is_there(self):
        folder = self.prefix / "libexec" / "mmt" / "workloads"
        suites = list((self.prefix / "share" / "mmt" / "suites").glob("*.json"))
        self.assertTrue(suites)
        for suite in suites:
            for program in json.loads(suite.read_text())["programs"]:
                word = program["command"][0]
                if word.startswith("{workloads}"):
                    path = folder / word.removeprefix("{workloads}/")
                    self.assertTrue(os.access(path, os.X_OK), f"{suite.name}: {path}")

    def test_headers_and_manual_are_there(self):
        self.assertTrue((self.prefix / "include" / "mmt" / "sync" / "spsc_ring.h").exists())
        self.assertTrue((self.prefix / "share" / "man" / "man1" / "mmt.1").exists())


if __name__ == "__main__":
    main()
