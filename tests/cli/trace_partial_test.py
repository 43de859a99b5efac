"""`mmt trace` where a part of the recording cannot be had: the rest is whole, and it says so."""

import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import unittest.mock

from support import MMT, NOBODY, Lab, clean_environment, is_root, library, main, mmt
from trace_programs import TOGETHER

import machine  # of tests/support

# Allocates as often as it is told to, of sizes that no compression makes small.
RANDOM = """
#include <stdlib.h>
int main(int argc, char** argv) {
  unsigned long long seed = 1;
  for (long i = atol(argv[argc - 1]); i > 0; --i) {
    seed = seed * 6364136223846793005 + 1442695040888963407;
    void* volatile block = malloc(1 + (seed >> 50));
    free(block);
  }
  return 0;
}
"""

# Its child stops before anything else is done in it: handlers run in the order of their registration,
# and this is the first of all.
STOPPED = """
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static void stop(void) { raise(SIGSTOP); }
static void begin(void) { pthread_atfork(0, 0, stop); }
__attribute__((section(".preinit_array"), used)) static void (*first)(void) = begin;
int main(int argc, char** argv) {
  static void* kept[100];
  for (int i = 0; i < 100; ++i) kept[i] = malloc(60001);
  pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < 100; ++i) free(kept[i]);
    _exit(0);
  }
  sleep(atoi(argv[1]));
  kill(child, SIGCONT);
  waitpid(child, 0, 0);
  return 0;
}
"""


class Partial(Lab):
    def trace(self, *arguments, **more):
        return mmt("trace", "-o", "t.mtr", "--", *arguments, cwd=self.folder, **more)

    def listed(self):
        return json.loads((self.folder / "t.mtr").read_text())

    def test_one_file_that_cannot_be_written(self):
        program = self.compile("program", RANDOM)
        # The recorder's limit, once it has made what it records in.
        script = f"prlimit --pid $PPID --fsize=100000; {program} 300000; {program} 50; true"
        done = self.trace("sh", "-c", script)
        self.assertEqual(done.status, 125, done)
        told = self.listed()
        (failed,) = told["failed"]
        self.assertEqual(failed["program"], f"{program} 300000")
        self.assertIn("File too large", failed["error"])
        self.assertIn(failed["error"], done.err)
        self.assertIn("not whole: 1 trace of", done.err)
        whole = {one["program"]: one for one in told["processes"]}
        self.assertGreaterEqual(whole[f"{program} 50"]["events"], 100)
        self.assertIn(f"sh -c {script}", whole)
        shown = mmt("trace", "--show", "t.mtr", cwd=self.folder)
        self.assert_fails(shown, 1, failed["file"], failed["error"])
        # What its file holds, not what could not be written.
        self.assertEqual(failed["events"] % (1 << 16), 0)
        self.assertGreater(failed["events"], 0)
        self.assertIn(f"\nevents      {failed['events']:,}: ", shown.out)
        self.assertIn(f"program     {program} 50\n", shown.out)

    def in_shared_memory_of(self, size, *options):
        """`mmt trace`, where /dev/shm is as small as containers make it."""
        mount = f'mount -t tmpfs -o size={size} tmpfs /dev/shm && exec "$@"'
        words = ["unshare", "--mount", "--map-root-user", "sh", "-c", mount, "sh"]
        if subprocess.run([*words, "true"], stderr=subprocess.DEVNULL, check=False).returncode:
            self.skipTest("no mount namespaces here")
        command = [*words, os.path.abspath(MMT), "trace", "-o", "t.mtr", *options]
        more = {"capture_output": True, "text": True, "timeout": 60, "check": False}
        return subprocess.run(command, cwd=self.folder, **more)

    def test_small_shared_memory(self):
        """What is recorded lies elsewhere."""
        program = self.compile("program", RANDOM)
        for size in ("64m", "2m"):
            done = self.in_shared_memory_of(size, "--", program, "2000000")
            self.assertEqual(done.returncode, 0, done)
            events = re.search(r"t\.mtr: ([\d,]+) events", done.stderr)
            self.assertGreaterEqual(int(events[1].replace(",", "")), 4_000_000, done)

    def test_more_threads_than_chunks_at_first(self):
        """Also of a process that may open no file."""
        source = TOGETHER.replace("int count", "struct rlimit none = {0, 0}; setrlimit(RLIMIT_NOFILE, &none); int count")
        for text in (TOGETHER, "#include <sys/resource.h>" + source):
            program = self.compile("program", text, "-pthread")
            done = self.in_shared_memory_of("2m", "--", program, "2100")
            self.assertEqual(done.returncode, 0, done)
            self.assertEqual(self.exported().count(" 70001\n"), 2100)

    def test_more_threads_than_there_is_room_for(self):
        program = self.compile("program", TOGETHER, "-pthread")
        # MiB, with a chunk for 64 threads each; of those threads, some wait for one or nearly all.
        for mebibytes, threads, least in ((16, 1100, 1000), (8, 1300, 500), (2, 2100, 100)):
            script = f'ulimit -f {2048 * mebibytes}; exec "$@"'
            words = ["sh", "-c", script, "sh", os.path.abspath(MMT), "trace", "-o", "t.mtr", "--"]
            more = {"capture_output": True, "text": True, "timeout": 60, "check": False}
            done = subprocess.run([*words, program, str(threads)], cwd=self.folder, env=clean_environment(), **more)
            self.check_the_end(done, "threads hold all", f"is {mebibytes} MiB (ulimit -f)", least)

    def check_the_end(self, done, *fragments_and_least):
        *fragments, least = fragments_and_least
        self.assertEqual(done.returncode, 125, done)
        for fragment in fragments:
            self.assertIn(fragment, done.stderr)
        # What was recorded until then is kept.
        self.assertGreater(self.exported().count(" 70001\n"), least)

    def exported(self):
        text = mmt("trace", "--export", "text", "t.mtr", "-o", "-", cwd=self.folder)
        self.assertEqual((text.status, text.err), (0, ""))
        return text.out

    def test_no_place_to_record_in(self):
        self.in_shared_memory_of("2m", "--", "true")  # skips where there are no such namespaces
        mount = 'for one in /dev/shm /tmp; do mount -t tmpfs -o ro none $one; done; exec "$@"'
        words = ["unshare", "--mount", "--map-root-user", "sh", "-c", mount, "sh", os.path.abspath(MMT)]
        more = {"capture_output": True, "text": True, "timeout": 60, "check": False}
        environment = clean_environment(TMPDIR="/nowhere")
        done = subprocess.run([*words, "trace", "--", "true"], cwd=self.folder, env=environment, **more)
        self.assertEqual(done.returncode, 125, done)
        for fragment in ("'/dev/shm': Read-only file system", "'/nowhere': No such file", "'/tmp'"):
            self.assertIn(fragment, done.stderr)

    def test_a_limit_of_file_sizes(self):
        done = self.trace("true", limits={resource.RLIMIT_FSIZE: 100_000})
        self.assertEqual(done.status, 0, done)
        words = ["sh", "-c", 'ulimit -f 100; exec "$@"', "sh", os.path.abspath(MMT), "trace", "--", "true"]
        done = subprocess.run(words, cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 125, done)
        self.assertIn("ulimit -f", done.stderr)

    def test_a_child_that_is_stopped_at_its_birth(self):
        done = self.trace(self.compile("program", STOPPED), 12)
        self.assertEqual(done.status, 0, done)
        self.assertNotIn("was not seen", done.err)
        child = next(one for one in self.listed()["processes"] if "parent" in one)
        text = mmt("trace", "--export", "text", child["file"], "-o", "-", cwd=self.folder).out
        lines = [line.split() for line in text.splitlines()]
        kept = {one[2] for one in lines if one[1] == "allocate" and one[3] == "60001"}
        self.assertEqual(len(kept), 100)
        self.assertEqual({one[2] for one in lines if one[1] == "free"} & kept, kept)

    def test_programs_that_no_library_is_loaded_into(self):
        source = "#include <unistd.h>\nint main(void) { sleep(2); return 0; }"
        static = self.compile("static", source, "-static")
        dynamic = self.compile("dynamic", source)
        done = self.trace("sh", "-c", f"{static} & {dynamic} & exec {static} again & wait")
        self.assertEqual(done.status, 0, done)
        self.assertIn(f"mmt: not recorded: '{static}", done.err)
        self.assertIn("and 1 other program: linked statically", done.err)
        told = self.listed()
        unrecorded = {one["program"]: one for one in told["unrecorded"]}
        self.assertEqual(set(unrecorded), {str(static), f"{static} again"})
        shell = next(one for one in told["processes"] if "parent" not in one)
        self.assertEqual({one["parent"] for one in unrecorded.values()}, {shell["process"]})

    def test_programs_that_do_not_find_the_pool(self):
        self.in_shared_memory_of("64m", "--", "true")  # skips where there are no such namespaces
        source = "#include <stdlib.h>\n#include <unistd.h>\nvoid* block;\n"
        sleeper = self.compile("sleeper", source + "int main(void) { block = malloc(9); sleep(3); return 0; }")
        mount = f"mount -t tmpfs none /dev/shm; exec {sleeper} mounted"
        script = f"env -i {sleeper} bare & (ulimit -v 200000; exec {sleeper} limited) & "
        script += f"unshare --mount --map-root-user sh -c '{mount}' & "
        script += f"unshare -pf --map-root-user {sleeper} below & {sleeper} beside & wait"
        done = self.trace("sh", "-c", script)
        self.assertEqual(done.status, 0, done)
        unrecorded = {one["program"] for one in self.listed()["unrecorded"]}
        self.assertEqual(unrecorded, {f"{sleeper} {word}" for word in ("bare", "limited", "mounted")})
        recorded = {one["program"] for one in self.listed()["processes"]}
        self.assertLessEqual({f"{sleeper} below", f"{sleeper} beside"}, recorded)
        for fragment in ("cleared environment", "/dev/shm", "ulimit -v"):
            self.assertIn(fragment, done.err)

    def test_programs_of_other_rights(self):
        if not is_root():
            self.skipTest("only root makes such programs")
        tool = self.public_tree()
        shutil.copy(pathlib.Path(library()).with_name("libmmt-trace.so"), tool.parent.parent / "lib")
        if os.statvfs(tool).f_flag & os.ST_NOSUID:
            self.skipTest("such programs are as others here")
        other = tool.parent / "other"
        shutil.copy(self.compile("other", "#include <unistd.h>\nint main(void) { sleep(2); return 0; }"), other)
        other.chmod(0o4755)
        os.chown(self.folder, NOBODY, NOBODY)
        script = f"{other} & {other} again; wait"
        done = mmt("trace", "-o", "t.mtr", "--", "sh", "-c", script, cwd=self.folder, user=NOBODY, binary=tool)
        self.assertEqual(done.status, 0, done)
        unrecorded = {one["program"] for one in self.listed()["unrecorded"]}
        self.assertEqual(unrecorded, {str(other), f"{other} again"})

    def test_the_program_goes_first(self):
        nice = "sed 's/.*) //' /proc/$pid/stat | cut -d' ' -f17"
        script = f"sleep 0.3; for pid in $PPID $$; do {nice}; done"
        done = self.trace("sh", "-c", script)
        recorder, program = map(int, done.out.split())
        self.assertEqual(program, os.getpriority(os.PRIO_PROCESS, 0))
        self.assertGreater(recorder, program)

    def test_nobody_is_left_to_go_first(self):
        if why := machine.lacks("priority"):
            self.skipTest(why)
        command = [os.path.abspath(MMT), "trace", "-q", "-o", "t.mtr", "--", "sleep", "0.3"]
        tool = subprocess.Popen(command, cwd=self.folder, env=clean_environment())
        os.waitid(os.P_PID, tool.pid, os.WEXITED | os.WNOWAIT)
        status = pathlib.Path(f"/proc/{tool.pid}/stat").read_text().rpartition(") ")[2].split()
        self.assertEqual(tool.wait(), 0)
        self.assertEqual(int(status[16]), os.getpriority(os.PRIO_PROCESS, 0))


if __name__ == "__main__":
    main()
