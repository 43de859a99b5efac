"""What the tests of `mmt report` share: real results of tiny programs, and the page of some."""

import json
import subprocess

import lab_support
import page_support

REPORTING = """
echo build 0.25 s >>$MMT_BENCH_REPORT
echo rate 5000 1/s >>$MMT_BENCH_REPORT
echo malloc_p99 252 ns >>$MMT_BENCH_REPORT
"""


class Reports(lab_support.Bench):
    """A test case with the programs and an allocator that its results are of."""

    def setUp(self):
        super().setUp()
        for name in ("parser_monolithic", "parser_system"):
            self.program(name, "exit 0")
        self.reporting = self.program("reporting", REPORTING)
        self.allocator = self.library("libanother.so")

    def mmt(self, *arguments, **options):
        """(status, stdout, stderr) of `mmt ...`."""
        done = subprocess.run(
            [self.binary, *map(str, arguments)],
            cwd=self.folder, env=lab_support.clean_environment(), text=True, check=False,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60,
            **options,
        )  # fmt: skip
        return done.returncode, done.stdout, done.stderr

    def make_study(self, folder):
        """A folder with the result of a study; its report.json."""
        result = self.study(
            "heap-layers", "--only", "figure-1", "--rounds", 2, "--output", folder, "--quiet"
        )
        self.assertEqual((result[0], result[2]), (0, ""), result)
        return self.folder / folder / "report.json"

    def make_bench(self, file, *programs):
        """The result of a bench of two allocators; what it printed."""
        suite = self.folder / "suite.json"
        listed = [{"name": one.name, "command": [str(one)]} for one in programs]
        suite.write_text(json.dumps({"schema": 1, "name": "tiny", "programs": listed}))
        result = self.mmt(
            "bench", "--quiet", "--runs", 3, "--allocators", f"glibc,another={self.allocator}",
            "--json", file, "--suite", suite,
        )  # fmt: skip
        suite.unlink()
        self.assertEqual((result[0], result[2]), (0, ""), result)
        return result[1]

    def change(self, file, **changes):
        """Writes a result anew: with other fields, and with another machine where that is given."""
        data = json.loads((self.folder / file).read_text())
        data["machine"] |= changes.pop("machine", {})
        (self.folder / file).write_text(json.dumps(data | changes))

    def page(self, *arguments):
        """The page that `mmt report ARGUMENTS` writes."""
        result = self.mmt("report", *arguments)
        self.assertEqual((result[0], result[2]), (0, ""), result)
        return page_support.Page((self.folder / "report.html").read_text(encoding="utf-8"))
