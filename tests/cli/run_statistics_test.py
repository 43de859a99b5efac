"""`mmt run --stats`: it always tells, and is otherwise as if the program had been started itself."""

import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import unittest

from obstacle_support import OWN_MALLOC
from support import MMT, NOBODY, Lab, clean_environment, is_root, main, mmt

# Blocks of all sizes, on several threads, some of them freed.
BUSY = """
import threading
def work():
    kept = [bytearray(n % 3000) for n in range(60000)]
    large = [bytearray(1 << 20) for n in range(20)]
threads = [threading.Thread(target=work) for _ in range(4)]
[one.start() for one in threads]
[one.join() for one in threads]
"""
# Takes 100 MiB or more in small blocks and gives all back, within some hundredths of a second.
SHORT = """
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
static void* blocks[110000];
int main(int argc, char** argv) {
  for (int i = 0; i < 110000; ++i) blocks[i] = malloc(1000);
  for (int i = 0; i < 110000; ++i) free(blocks[i]);
  if (argc > 2) raise(SIGKILL);
  if (argc > 1) _exit(argv[1][0] - '0');
  return 0;
}
"""
# Takes few blocks, fewer than the library looks at its heap for, and ends as it is told.
FEW = """
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char** argv) {
  (void)argc;
  for (int i = 0; i < 1000; ++i) *(void* volatile*)malloc(100) = NULL;
  dprintf(1, "ready\\n");
  if (argv[1][0] == 'e') _exit(0);
  if (argv[1][0] == 'k') raise(SIGKILL);
  return pause();
}
"""
# Asks for 40 MiB once, and forks eight that ask for nothing.
FORKING = """
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void) {
  memset(malloc(40 << 20), 1, 40 << 20);
  for (int i = 0; i < 8; ++i)
    if (fork() == 0) { sleep(1); _exit(0); }
  while (wait(NULL) > 0) {}
  return 0;
}
"""
# 1 GiB that nobody writes to, and the trim that gives it back.
UNTOUCHED = """
#include <malloc.h>
#include <stdlib.h>
int main(void) {
  void* volatile blocks[64];
  for (int i = 0; i < 64; ++i) blocks[i] = malloc(16 << 20);
  for (int i = 0; i < 64; ++i) free(blocks[i]);
  malloc_trim(0);
  return 0;
}
"""


def lines_of(text):
    """The report's lines by their names, joined where they are wrapped."""
    lines = {}
    name = None
    for line in text.splitlines():
        if match := re.fullmatch(r"  (\S.{13} |\s{15})(.*)", line):
            name = match[1].strip() or name
            lines[name] = (lines.get(name, "") + " " + match[2]).strip()
    return lines


class Always(Lab):
    def report(self, *command, status=0, **options):
        done = mmt("run", "--stats", "--", *command, **options)
        self.assertEqual(done.status, status, done)
        self.assertRegex(done.err, rf"(?m)^mmt: {os.path.basename(command[0])} ran [\d.]+ m?s and ")
        self.assertLessEqual(max(map(len, done.err.splitlines())), 80, done)
        return lines_of(done.err)

    def test_inside_another(self):
        for outer in ("--stats", "--stats=full"):
            for inner in ((), ("--stats",), ("--server", "off")):
                done = mmt("run", outer, "--", MMT, "run", *inner, "--", "sh", "-c", "echo done; exit 3")
                self.assertEqual((done.status, done.out), (3, "done\n"), done.err)
                self.assertIn("ended with status 3", done.err)

    def test_program_that_closes_standard_error(self):
        report = self.report("sort", __file__)
        self.assertRegex(report["asked for"], r"^at most (what MMT held|[\d.]+ [KM]iB at once), ")

    def test_ten_plain_lines(self):
        """A small program has them, one with everything in it, and trees; nothing that is zero."""
        tree = "sort /dev/null; ls /; env true; wc /dev/null; cat /dev/null; (:); grep x /dev/null; :"
        for command in (["ls", "/"], ["/usr/bin/python3", "-c", BUSY], ["sh", "-c", tree]):
            done = mmt("run", "--stats", "--", *command, env=clean_environment(PYTHONMALLOC="malloc"))
            self.assertLessEqual(len(done.err.splitlines()), 10, done)
            for word in ("span", "depot", "surplus", "spare", "carve", "refill", "reuse", "being started"):
                self.assertNotIn(word, done.err)
            self.assertNotRegex(done.err, r"(?<![\d.])0%|\b0 B\b|\b0 allocated", done)
        self.assertRegex(lines_of(done.err)["largest"], r"^sort [\d.]+ MiB, .*, and \d+ more$")

    def test_what_was_never_touched_is_not_given_back_for_certain(self):
        """Only the kernel knows which pages were there."""
        untouched = self.compile("untouched", UNTOUCHED, "-fno-builtin")
        report = self.report(untouched)
        self.assertRegex(report["pages"], r"up to 1\.\d\d GiB given back$")
        self.assertLess(float(re.match(r"([\d.]+) MiB", report["resident"])[1]), 50)
        self.assertTrue(report["asked for"].endswith(" at once, nothing at the end"), report)

    def test_program_that_is_killed(self):
        code = "x = [bytearray(1000) for _ in range(50000)]; import os; os.kill(os.getpid(), 9)"
        # Without a memory thread, which may be late, the page is at most 8 MiB behind.
        done = mmt("run", "--stats", "--server=off", "--", "/usr/bin/python3", "-c", code)
        self.assertEqual(done.status, 128 + signal.SIGKILL, done)
        self.assertIn("was ended by SIGKILL", done.err)
        peak = re.search(r"at most ([\d.]+) MiB at once", lines_of(done.err)["asked for"])
        self.assertGreater(float(peak[1]), 20)

    def test_peak_of_a_short_program(self):
        """However short its memory was taken, whoever looked meanwhile, and however it ends."""
        short = self.compile("short", SHORT, "-fno-builtin")
        for flags in ((), ("--server=off",)):
            for words, end in ((), "at the end"), (("0",), "last seen"), (("0", "kill"), "last seen"):
                report = lines_of(mmt("run", "--stats", *flags, "--", short, *words).err)
                for name in ("asked for", "held by MMT"):
                    peak = re.match(r"(?:at most )?([\d.]+) MiB at (?:once|the peak), ", report[name])
                    self.assertTrue(peak and 104 < float(peak[1]) < 125, report)
                    self.assertTrue(report[name].endswith(end), report)

    def test_small_program_that_does_not_exit(self):
        few = self.compile("few", FEW, "-fno-builtin")
        for word in ("exit", "kill"):
            report = lines_of(mmt("run", "--stats", "--", few, word).err)
            self.assertRegex(report["asked for"], r"^at most [1-9]\d\d KiB at once$")
            self.assertEqual(report["blocks"], "not told: it ended before they were counted")
            self.assertNotIn("heap", report)
        self.assertNotIn("nothing asked it", mmt("run", "--stats", "--", "sh", "-c", ":").err)

    def test_small_program_that_runs(self):
        few = self.compile("few", FEW, "-fno-builtin")
        with subprocess.Popen([MMT, "run", "--", few, "wait"], env=clean_environment(), stdout=subprocess.PIPE) as process:
            process.stdout.readline()
            report = lines_of(mmt("stats", process.pid).out)
            listed = re.search(rf"(?m)^ *{process.pid}  .*", mmt("stats").out)[0]
            process.kill()
        self.assertRegex(report["asked for"], r"^at most [1-9]\d\d KiB at once$")
        self.assertEqual(report["blocks"], "not counted yet")
        self.assertRegex(listed, r"  <= [1-9]\d\d KiB  ")

    def test_what_forks_inherit(self):
        report = self.report(self.compile("forking", FORKING, "-fno-builtin"))
        for name in ("asked for", "held by MMT"):
            most, inherited = re.match(
                r"at most (\d+) MiB at (?:once|the peak), (\d+) MiB of it inherited by forks$", report[name]
            ).groups()
            self.assertTrue(38 <= int(most) - int(inherited) <= 46, report)

    def test_exec_and_a_tree(self):
        done = mmt("run", "--stats", "--", "sh", "-c", "sort /dev/null; (sleep 0); exec sort /dev/null")
        self.assertEqual(done.err.count("mmt: "), 1, done)
        report = lines_of(done.err)
        # What sh starts at once it starts by vfork.
        self.assertRegex(report["processes"], r"^3, [12] of them by fork; [23] execs$")
        self.assertRegex(report["largest"], r"sort [\d.]+ [KM]iB \(2 times\)")

    def test_thousand_processes_are_one_report(self):
        script = self.script("many", "#!/bin/sh\nfor i in $(seq 600); do (:); done\n")
        report = self.report(script)
        self.assertRegex(report["processes"], r"^60[12], 60[01] of them by fork")

    def test_program_without_mmt(self):
        static = self.compile("static", "int main(void) { return 7; }", "-static")
        done = mmt("run", "--stats", "-q", "--", static)
        self.assertEqual(done.status, 7, done)
        heap = lines_of(done.err)["heap"]
        self.assertTrue(heap.startswith("no figures: MMT serves nothing there: it is statically linked"), heap)

    def test_program_with_an_allocator_of_its_own(self):
        """Zeros would look as if it had asked for nothing."""
        own = self.compile("own", OWN_MALLOC, "-fno-builtin", "-Wl,--export-dynamic")
        done = mmt("run", "--stats", "-q", "--", own)
        report = lines_of(done.err)
        self.assertIn("MMT serves nothing there", report["heap"])
        self.assertIn("allocator of its own", report["heap"])
        self.assertIn("at the peak; ", report["resident"])
        self.assertNotIn("asked for", report)

    def test_program_that_asks_for_no_block(self):
        none = self.compile("none", "int main(void) { return 0; }")
        report = lines_of(mmt("run", "--stats", "--", none).err)
        self.assertEqual(report["heap"], "no figures: MMT serves nothing there: nothing asked it for a block")

    def test_program_on_another_heap(self):
        for flags, name in (
            (["--heap", "lea"], "heap lea"),
            (["--backend", "glibc"], "protocol mmt over glibc"),
        ):
            done = mmt("run", "--stats", *flags, "--", "sh", "-c", "exit 6")
            self.assertEqual(done.status, 6, done)
            report = lines_of(done.err)
            self.assertEqual(report["heap"], f"no figures: {name} has no statistics page")
            self.assertRegex(report["resident"], r"^[\d.]+ MiB at the peak; [\d,]+ page faults$")

    def test_what_a_shell_ran_before_is_not_the_programs(self):
        """It becomes `mmt` by exec, which keeps what it knows of children, and children that still run."""
        big = self.compile("big", "#include <string.h>\n#include <stdlib.h>\n"
                                  "int main(void) { return memset(malloc(99 << 20), 1, 99 << 20) == NULL; }", "-fno-builtin")
        small = self.compile("small", "int main(void) { return 0; }")
        for before in (f"{big}", f"{big} &"):
            done = subprocess.run(
                ["bash", "-c", f"{before}\nexec {MMT} run --stats -- {small}"],
                capture_output=True, text=True, env=clean_environment(), check=True,
            )  # fmt: skip
            peak = re.match(r"([\d.]+) MiB at the peak", lines_of(done.stderr)["resident"])
            self.assertLess(float(peak[1]), 50, done.stderr)

    def test_all_figures(self):
        done = mmt("run", "--stats=full", "--", "sh", "-c", "(sort /dev/null; :); :")
        self.assertEqual(len(re.findall(r"(?m)^mmt: statistics of process \d+ \(sh\)", done.err)), 2)
        self.assertEqual(len(re.findall(r"(?m)^  in_use_bytes +\d+ bytes ", done.err)), 3)
        self.assertIn("\nmmt: sh ran ", done.err)

    def test_json(self):
        done = mmt("run", "--stats=%e.%p.json", "--", "sh", "-c", "sort /dev/null; exit 3", cwd=self.folder)
        self.assertEqual((done.status, done.err), (3, ""))
        (path,) = self.folder.iterdir()
        data = json.loads(path.read_text(encoding="utf-8"))
        self.assertEqual(path.name, f"sh.{data['pid']}.json")
        self.assertEqual((data["schema"], data["program"], data["status"]), (1, "sh", 3))
        self.assertEqual(set(data["stats"]), set(data["units"]))
        self.assertEqual(data["totals"]["processes"], 2)
        self.assertEqual({one["program"] for one in data["processes"]}, {"sh", "sort"})
        refills = sum(one["stats"]["refills"] for one in data["processes"] if not one["forked"])
        self.assertGreaterEqual(data["totals"]["stats"]["refills"], refills)

    def test_file_that_cannot_be_written(self):
        done = mmt("run", "--stats=/dev/full", "--", "sh", "-c", "exit 4")
        self.assert_fails(done, 4, "/dev/full", "No space left")

    def test_file_named_without_an_equals_sign(self):
        done = mmt("run", "--stats", "x.json", "--", "true")
        self.assert_fails(done, 127, "cannot run 'x.json'", "--stats=x.json")

    def test_program_that_cannot_be_executed(self):
        script = self.script("broken", "#!/no/such/interpreter\n")
        self.assert_fails(mmt("run", "--stats", "--", script), 126, "/no/such/interpreter")

    @unittest.skipUnless(is_root(), "only root changes its user")
    def test_children_of_a_program_that_has_changed_its_user(self):
        code = f"import os; os.setuid({NOBODY}); os.fork() or os._exit(0); os.wait()"
        report = self.report("/usr/bin/python3", "-c", code)
        self.assertEqual(report["processes"], "2, 1 of them by fork")

    def test_what_a_killed_run_left_is_removed(self):
        left = pathlib.Path(tempfile.mkdtemp(prefix="mmt-stats-", dir="/dev/shm"))
        (left / "1.1").touch()
        new = pathlib.Path(tempfile.mkdtemp(prefix="mmt-new-stats-", dir="/dev/shm"))
        self.addCleanup(new.rmdir)
        mmt("run", "--stats", "--", "true")
        self.assertFalse(left.exists(), "nobody holds its lock, however young it is")
        self.assertTrue(new.exists(), "its owner may be about to lock it")

    def test_what_another_uses_stays(self):
        process = subprocess.Popen(
            [MMT, "run", "--stats", "--", "sh", "-c", "echo $MMT_STATS; read line"],
            env=clean_environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        self.addCleanup(process.kill)
        folder = process.stdout.readline().strip()
        mmt("run", "--stats", "--", "true")
        self.assertTrue(os.path.isdir(folder))
        _, text = process.communicate("\n", timeout=20)
        self.assertIn("sh ran ", text)

    def test_killed_with_the_program_and_swept_at_once(self):
        process = subprocess.Popen(
            [MMT, "run", "--stats", "--", "sh", "-c", "echo $MMT_STATS; exec sleep 60"],
            env=clean_environment(), stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        folder = process.stdout.readline().strip()
        process.kill()
        process.communicate(timeout=20)
        self.assertTrue(os.path.isdir(folder))
        mmt("run", "--stats", "--", "true")
        self.assertFalse(os.path.exists(folder))

    def test_nothing_is_left(self):
        done = mmt("run", "--stats", "--", "sh", "-c", "ls -d $MMT_STATS; (:); kill -9 $$")
        folder = done.out.strip()
        self.assertTrue(folder.endswith("/"), done)
        self.assertFalse(os.path.exists(folder))


if __name__ == "__main__":
    main()
