"""What the tests of `mmt bench` share: running it, suites of odd programs, reading its report."""

import json
import time

from support import Lab, mmt

PAIR = ("--allocators", "glibc,jemalloc")
ALLOCATE = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int n, char** v) {
  size_t size = n > 1 ? strtoul(v[1], 0, 10) : 1;
  char* volatile block = malloc(size);
  memset(block, 1, size);
  const char* path = getenv("MMT_BENCH_REPORT");
  FILE* report = path ? fopen(path, "a") : 0;
  if (report) {
    fputs("build 0.25 s\\nmalloc_p99 252 ns\\nrate 5000 1/s\\n", report);
    fclose(report);
  }
  return 0;
}
"""


def is_alive(number):
    """False for a process that is gone, or that its parent has yet to reap."""
    try:
        with open(f"/proc/{number}/stat", encoding="utf-8") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


class Bench(Lab):
    def bench(self, *arguments, env=None, json_report=True):
        """The result of a run, and its JSON report."""
        path = self.folder / "report.json"
        path.unlink(missing_ok=True)
        flags = ("--json", path) if json_report else ()
        done = mmt("bench", *flags, *arguments, env=env)
        if not json_report:
            return done, None
        self.assertTrue(path.exists() and path.stat().st_size > 0, done)
        return done, json.loads(path.read_text())

    def suite(self, *programs, **others):
        path = self.folder / "suite.json"
        path.write_text(json.dumps({"schema": 1, "name": "mine", "programs": programs, **others}))
        return path

    def cell(self, report, allocator, program=0):
        return next(c for c in report["programs"][program]["cells"] if c["allocator"] == allocator)

    def assert_gone(self, pids, count):
        """No process whose number stands in the file goes on living; killed, it may take a moment to die."""
        numbers = pids.read_text().split()
        self.assertEqual(len(numbers), count)
        deadline = time.monotonic() + 30
        while living := [number for number in numbers if is_alive(number)]:
            self.assertLess(time.monotonic(), deadline, living)
            time.sleep(0.01)
