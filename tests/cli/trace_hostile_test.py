"""`mmt trace` beside who wants it harm: other users, and programs that write what they like where they record."""

import json
import os
import pathlib
import re
import shutil
import subprocess

from support import NOBODY, is_root, library, main
from trace_support import Trace

# Writes over all that it records in: SEED 0 zeroes, 1 ones, else anything. Then it goes on, or shrinks its file.
HOSTILE = """
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char** argv) {
  void* volatile block = malloc(50);
  uint64_t seed = strtoull(argv[1], 0, 10);
  size_t bytes = strtoull(argv[2], 0, 10);
  FILE* maps = fopen("/proc/self/maps", "r");
  char line[512];
  uintptr_t start = 0;
  while (start == 0 && fgets(line, sizeof line, maps)) {
    if (strstr(line, "mmt-trace") && strstr(line, "rw-s")) start = strtoul(line, 0, 16);
  }
  if (start == 0) return 3;
  uint64_t mixed = seed;
  for (int round = 0; round < 3; ++round) {
    for (volatile uint64_t* word = (uint64_t*)start; word < (uint64_t*)(start + bytes); ++word) {
      mixed = mixed * 6364136223846793005 + 1442695040888963407;
      *word = seed == 0 ? 0 : seed == 1 ? ~(uint64_t)0 : mixed;
    }
    usleep(30000);
  }
  for (int i = 0; i < 20000; ++i) free(malloc(33));
  free(block);
  return 0;
}
"""
COUNTED = """
#include <stdlib.h>
int main(void) { for (int i = 0; i < 50000; ++i) { void* volatile block = malloc(70001); free(block); } return 0; }
"""
TOLD = r"(?m)^mmt: process \d+ \('[^']*hostile.*its trace ends there$"
# A child that has another user than its parent, and one that closes all and executes.
CHANGED = """
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char** argv) {
  if (argc > 1) { void* volatile own = malloc(60003); free(own); return 0; }
  if (fork() == 0) {
    for (int i = 3; i < 1024; ++i) close(i);
    execl("/proc/self/exe", argv[0], "again", (char*)0);
    _exit(1);
  }
  wait(0);
  if (setgid(65534) != 0 || setuid(65534) != 0) return 1;
  void* volatile block = malloc(60001);
  free(block);
  if (fork() == 0) { void* volatile own = malloc(60002); free(own); _exit(0); }
  int status;
  wait(&status);
  return WEXITSTATUS(status);
}
"""


class Hostile(Trace):
    def in_shell(self, script, output="t.mtr"):
        return self.trace("--", "sh", "-c", script, output=output)

    def test_words_of_a_hostile_program(self):
        hostile = self.compile("hostile", HOSTILE)
        good = self.compile("good", COUNTED)
        for seed in (1, 7, 12345):
            for count in (2 << 10, 8 << 20):
                done = self.in_shell(f"{good} & {hostile} {seed} {count} & wait; {good}; true")
                self.assertEqual(done.status, 125, done)
                self.assertEqual(len(re.findall(TOLD, done.err)), 1, done)
                self.assertNotRegex(done.err, r"waited [\d,]{16}")
                traces = json.loads((self.folder / "t.mtr").read_text())["processes"]
                whole = [one["file"] for one in traces if one["program"] == str(good)]
                self.assertEqual([self.sizes(one)[70001] for one in whole], [50000, 50000])

    def test_zeroes(self):
        """As if nothing was recorded: neither side waits for ever."""
        hostile = self.compile("hostile", HOSTILE)
        for count in (4, 2 << 10, 1 << 20):
            done = self.in_shell(f"{hostile} 0 {count}; {self.compile('good', COUNTED)}; true")
            self.assertEqual(done.status, 125, done)
            self.assertEqual(len(re.findall(TOLD, done.err)), 1, done)
            self.assertIn("good", (self.folder / "t.mtr").read_text())

    def test_modes(self):
        script = 'ls -dn "$MMT_LAB_TRACE" "$(dirname "$MMT_LAB_TRACE")" -l; grep -m1 mmt-trace /proc/self/maps'
        before = os.umask(0)
        self.addCleanup(os.umask, before)
        done = self.in_shell(script)
        self.assertRegex(done.out, r"(?m)^srw------- ")
        self.assertRegex(done.out, r"(?m)^drwx------ ")
        self.assertIn("/memfd:mmt-trace", done.out)

    def test_changes_of_the_user(self):
        if not is_root():
            self.skipTest("only root changes its user")
        files = self.recorded("--", self.compile("program", CHANGED))
        sizes = [size for name in files for size in self.sizes(name).elements() if 60000 < size < 60004]
        self.assertEqual(sorted(sizes), [60001, 60002, 60003])

    def test_a_user_that_may_not(self):
        if not is_root():
            self.skipTest("only root changes its user")
        tool = self.public_tree()
        shutil.copy(pathlib.Path(library()).with_name("libmmt-trace.so"), tool.parent.parent / "lib")
        script = f"setpriv --reuid={NOBODY} --clear-groups ls /dev/null"
        done = self.trace("--", "sh", "-c", script, binary=tool)
        self.assertEqual((done.status, done.out), (0, "/dev/null\n"))
        self.assertEqual(done.err.count("is not recorded"), 1, done)

    def test_links_where_files_will_be(self):
        if not is_root():
            self.skipTest("only root makes others' links")
        precious = self.folder / "precious"
        precious.write_text("precious")
        good = self.compile("good", COUNTED)

        def plant(name):
            (self.folder / name).symlink_to(precious)
            os.chown(self.folder / name, NOBODY, NOBODY, follow_symlinks=False)

        plant("t.mtr")
        self.assert_fails(self.trace("--", "true"), 125, "t.mtr", "link of another user's")
        # The links have the names that traces of children are to have.
        newest = subprocess.run(["sh", "-c", "echo $$"], capture_output=True, text=True, check=True)
        for process in range(int(newest.stdout), int(newest.stdout) + 2000):
            plant(f"u.{process}.mtr")
        done = self.in_shell(f"ls >/dev/null; {good}; true", output="u.mtr")
        self.assertEqual(done.status, 125, done)
        self.assertIn("cannot ", done.err)
        self.assertEqual(precious.read_text(), "precious")

    def test_what_was_left_goes_and_what_is_in_use_stays(self):
        tool = self.start("sh", "-c", 'echo "$MMT_LAB_TRACE"; exec sleep 60')
        live = pathlib.Path(tool.stdout.readline().decode().strip())
        killed = self.start("sh", "-c", 'echo "$MMT_LAB_TRACE"; exec sleep 60')
        left = pathlib.Path(killed.stdout.readline().decode().strip())
        killed.kill()
        killed.wait()
        self.assertTrue(left.exists())
        others = pathlib.Path("/dev/shm", f"mmt-trace-{os.getpid()}")
        others.mkdir()
        self.addCleanup(others.rmdir)
        if is_root():
            os.chown(others, NOBODY, NOBODY)
        self.assertEqual(self.trace("-q", "--", "true", output="other.mtr").status, 0)
        self.assertFalse(left.parent.exists())
        self.assertTrue(live.exists())
        self.assertEqual(others.exists(), is_root())
        others.mkdir(exist_ok=True)
        tool.terminate()
        tool.communicate(timeout=20)
        self.assertFalse(live.parent.exists())

    def test_others_reach_nothing(self):
        if not is_root():
            self.skipTest("only root has others")
        tool = self.start("sh", "-c", 'echo "$MMT_LAB_TRACE"; exec sleep 60')
        socket = tool.stdout.readline().decode().strip()
        program = "import os, socket, sys\nfor one in (lambda: os.stat(sys.argv[1]), lambda: os.listdir(os.path.dirname(sys.argv[1])),"
        program += "\n            lambda: socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b'x', sys.argv[1])):\n"
        program += "    try:\n        one()\n        print('reached')\n    except PermissionError:\n        print('refused')\n"
        done = subprocess.run(["/usr/bin/python3", "-c", program, socket], user=NOBODY, extra_groups=[], capture_output=True, text=True, check=True)
        tool.terminate()
        tool.communicate(timeout=20)
        self.assertEqual(done.stdout, "refused\n" * 3)


if __name__ == "__main__":
    main()
