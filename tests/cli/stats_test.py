"""`mmt stats`: of a real program, of doubles of the library, and of processes it cannot look into."""

import fcntl
import json
import os
import pty
import signal
import struct
import subprocess
import termios
import time

from c_sources import BESIDE_MALLOC_AND_FREE
from support import MMT, NOBODY, Lab, clean_environment, is_root, main, mmt

# A double of libmmt.so: the page alone, as src/interprocess/stats_page.h lays it out.
FAKE = """
#include <stdint.h>
struct Page { char magic[8]; uint32_t version, count; uint64_t sequence, values[64]; };
struct Page mmt_stats_page = { MAGIC, VERSION, 64, SEQUENCE, { 4711, 4712 } };
"""
HEADLESS = """
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static void* work(void* unused) {
  puts("ready");
  fflush(stdout);
  pause();
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_exit(0);
}
"""
OWN_MALLOC = """
#include <stdio.h>
#include <string.h>
#include <unistd.h>
static char pool[1 << 20] __attribute__((aligned(16)));
static size_t used;
void* malloc(size_t size) {
  char* block = pool + used + 16;
  if (size > sizeof pool - used - 32) return NULL;
  ((size_t*)block)[-2] = size;
  used += (size + 31) & ~15ul;
  return block;
}
void free(void* block) { (void)block; }
""" + BESIDE_MALLOC_AND_FREE + """
int main(void) {
  puts("ready");
  fflush(stdout);
  return pause();
}
"""
SLEEPER = ["sh", "-c", "echo ready; exec sleep 60"]


class Stats(Lab):
    def start(self, command, **env):
        process = subprocess.Popen(
            command, env=clean_environment(**env), stdout=subprocess.PIPE, text=True
        )
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.assertEqual(process.stdout.readline(), "ready\n")
        return process

    def start_allocating(self):
        """Under MMT, with some 8 MiB live."""
        code = "x = [bytearray(1000) for i in range(8000)]; print('ready', flush=True); import time; time.sleep(60)"
        return self.start([MMT, "run", "--", "python3", "-c", code], PYTHONMALLOC="malloc")

    def start_fake(self, magic='"MMTSTAT"', version=1, sequence=0):
        fake = self.compile(
            "libmmt.so", FAKE, "-shared", "-fPIC",
            f"-DMAGIC={magic}", f"-DVERSION={version}", f"-DSEQUENCE={sequence}",
        )
        source = '#include <stdio.h>\n#include <unistd.h>\nint main(void) { puts("ready"); fflush(stdout); return pause(); }\n'
        return self.start([self.compile("pauser", source)], LD_PRELOAD=fake)

    def test_json(self):
        process = self.start_allocating()
        deadline = time.monotonic() + 20
        while True:  # the page may be older than what has been allocated
            done = mmt("stats", process.pid, "--json")
            self.assertEqual((done.status, done.err), (0, ""))
            data = json.loads(done.out)
            if data["stats"]["in_use_bytes"] >= 8000000 or time.monotonic() > deadline:
                break
            time.sleep(0.05)
        self.assertGreaterEqual(data["stats"]["in_use_bytes"], 8000000, data)
        self.assertEqual((data["schema"], data["pid"]), (1, process.pid))
        self.assertTrue(data["program"].startswith("python"), data)
        self.assertEqual(set(data["stats"]), set(data["units"]))
        self.assertEqual(data["units"]["in_use_bytes"], "bytes")

    def test_text(self):
        done = mmt("stats", self.start_allocating().pid)
        self.assertEqual((done.status, done.err), (0, ""))
        self.assertIn("(python", done.out)
        self.assertIn("MiB", done.out)

    def test_ten_lines(self):
        done = mmt("stats", self.start_allocating().pid)
        lines = done.out.splitlines()
        self.assertLessEqual(len(lines), 13, done)
        self.assertLessEqual(max(map(len, lines)), 80, done)
        self.assertRegex(done.out, r"(?m)^  asked for +at most [\d.]+ [KM]iB at once, [\d.]+ [KM]iB in [\d,]+ blocks now$")

    def test_every_figure(self):
        process = self.start_allocating()
        done = mmt("stats", process.pid, "--full")
        names = json.loads(mmt("stats", process.pid, "--json").out)["stats"]
        for name in names:
            self.assertRegex(done.out, rf"(?m)^{name} ")
        self.assert_fails(mmt("stats", "--full"), 2, "--full")

    def listed(self, *processes):
        """What `mmt stats` says of them: their lines, by process id."""
        lines = mmt("stats").out.splitlines()
        found = {int(line.split()[0]): line for line in lines if line.split()[0].isdigit()}
        return [found.get(process.pid) for process in processes]

    def test_all_processes(self):
        native = self.start_allocating()
        other = self.start(SLEEPER)
        (line, nothing) = self.listed(native, other)
        self.assertRegex(line, r"^ *\d+  python3\S* +[\d.]+ [KM]iB  [\d.]+ MiB +\d  native heap$")
        self.assertIsNone(nothing)
        data = json.loads(mmt("stats", "--json").out)
        (one,) = [one for one in data["processes"] if one["pid"] == native.pid]
        self.assertEqual((data["schema"], one["heap"]), (1, "native heap"))
        self.assertGreater(one["resident_bytes"], one["asked_bytes"])

    def test_process_on_another_heap(self):
        for flags, what, library in (
            (["--heap", "lea"], "heap lea", "libmmt-lea.so"),
            (["--backend", "lea"], "protocol mmt over lea", "libmmt-protocol-mmt.so"),
            (["--protocol", "sync"], "protocol sync over glibc", "libmmt-protocol-sync.so"),
        ):
            process = self.start([MMT, "run", *flags, "--", "sh", "-c", "echo ready; kill -STOP $$"])
            done = mmt("stats", process.pid)
            self.assert_fails(done, 1, f"runs on {what} ({library}), which has no statistics page")
            self.assertTrue(self.listed(process)[0].endswith(f"  {what}"))

    def watch_at_terminal(self, rows, *arguments):
        """What is drawn within some frames at a terminal of so many rows."""
        leader, follower = pty.openpty()
        self.addCleanup(os.close, leader)
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", rows, 80, 0, 0))
        with subprocess.Popen(
            [MMT, "stats", *map(str, arguments), "--watch", "0.02"], env=clean_environment(), stdout=follower
        ) as watcher:
            os.close(follower)
            drawn = ""
            while drawn.count("\033[J") < 4:
                drawn += os.read(leader, 4096).decode()
            watcher.kill()
        return drawn.split("\033[H")[1:-1]

    def test_watching_redraws_in_place(self):
        process = self.start_allocating()
        for rows, arguments in ((24, ()), (6, ()), (24, ("--full",)), (3, ("--full",))):
            frames = self.watch_at_terminal(rows, process.pid, *arguments)
            self.assertTrue(frames[0].startswith("\033[2J"))
            for frame in frames:
                self.assertLess(frame.count("\n"), rows, frame)
                self.assertIn(f"process {process.pid} (python", frame)
            self.assertNotIn("\033[2J", "".join(frames[1:]))
        self.assertIn("more lines in a taller window", frames[0])
        self.assertIn("native heap", self.watch_at_terminal(24)[0])

    def test_watching_elsewhere_is_plain(self):
        process = self.start_allocating()
        with subprocess.Popen(
            [MMT, "stats", str(process.pid), "--watch", "0.02"],
            env=clean_environment(), stdout=subprocess.PIPE, text=True,
        ) as watcher:
            lines = [watcher.stdout.readline() for _ in range(30)]
            watcher.kill()
        self.assertNotIn("\033", "".join(lines))
        self.assertIn("\n", lines)
        self.assertGreaterEqual(sum(line.startswith("process ") for line in lines), 2)

    def test_watching_ends_with_the_program(self):
        process = self.start_allocating()
        with subprocess.Popen(
            [MMT, "stats", str(process.pid), "--json", "--watch", "0.05"],
            env=clean_environment(), stdout=subprocess.PIPE, text=True,
        ) as watcher:
            lines = [watcher.stdout.readline() for _ in range(3)]
            process.send_signal(signal.SIGKILL)
            process.wait()
            self.assertEqual(watcher.wait(10), 0)
        for line in lines:
            self.assertEqual(json.loads(line)["schema"], 1)

    def test_watching_goes_on_through_exec(self):
        process = self.start([MMT, "run", "--", "sh", "-c", "echo ready; sleep 0.5; exec sleep 60"])
        with subprocess.Popen(
            [MMT, "stats", str(process.pid), "--json", "--watch", "0.05"],
            env=clean_environment(), stdout=subprocess.PIPE, text=True,
        ) as watcher:
            programs = [json.loads(watcher.stdout.readline())["program"]]
            while programs[-1] != "sleep":
                programs.append(json.loads(watcher.stdout.readline())["program"])
            process.send_signal(signal.SIGKILL)
            process.wait()
            self.assertEqual(watcher.wait(10), 0)
        self.assertEqual(programs[0], "sh")

    def test_process_whose_main_thread_has_ended(self):
        process = self.start([MMT, "run", "--", self.compile("headless", HEADLESS, "-pthread")])
        while True:
            with open(f"/proc/{process.pid}/stat", encoding="utf-8") as stat:
                if stat.read().rsplit(")", 1)[1].split()[0] == "Z":
                    break
        done = mmt("stats", process.pid, "--json")
        self.assertEqual((done.status, done.err), (0, ""), done)
        self.assertGreater(json.loads(done.out)["stats"]["collected_ns"], 0)

    def test_figures_have_an_age(self):
        process = self.start_allocating()
        self.assertRegex(mmt("stats", process.pid).out, r"figures [0-9.]+ (us|ms|s) old")
        self.assertGreaterEqual(json.loads(mmt("stats", process.pid, "--json").out)["age"], 0)

    def test_library_replaced_on_disk(self):
        process = self.start_fake()
        self.assertTrue(self.listed(process)[0].endswith("  native heap"))
        (self.folder / "libmmt.so").unlink()
        done = mmt("stats", process.pid, "--json")
        self.assertEqual(done.status, 0, done)
        self.assertEqual(list(json.loads(done.out)["stats"].values())[:2], [4711, 4712])
        self.assertTrue(self.listed(process)[0].endswith("  native heap, old library"))
        self.assertIn("\nold library: replaced or removed since", mmt("stats").out)

    def test_program_with_an_allocator_inside(self):
        own = self.compile("own", OWN_MALLOC, "-fno-builtin", "-Wl,--export-dynamic")
        process = self.start([MMT, "run", "--quiet", "--", own])
        self.assertTrue(self.listed(process)[0].endswith("  native heap, unused"))
        self.assertIn("\nunused: nothing has asked MMT for a block", mmt("stats").out)
        done = mmt("stats", process.pid)
        self.assertRegex(done.out, r"(?m)^  heap +not used: nothing has asked MMT for a block")
        self.assertNotIn("memory thread", done.out)
        self.assertNotIn("unused", self.listed(self.start_allocating())[0])

    def test_page_that_is_not_filled_yet(self):
        process = self.start_fake(magic='""')
        self.assert_fails(mmt("stats", process.pid), 1, process.pid, "no statistics yet")

    def test_library_without_a_page(self):
        fake = self.compile("libmmt.so", "int nothing;", "-shared", "-fPIC")
        process = self.start(SLEEPER, LD_PRELOAD=fake)
        time.sleep(0.1)
        self.assert_fails(mmt("stats", process.pid), 1, process.pid, fake, "no statistics")

    def test_page_of_another_version(self):
        process = self.start_fake(version=999)
        self.assert_fails(mmt("stats", process.pid), 1, process.pid, "999")

    def test_page_that_is_never_at_rest(self):
        process = self.start_fake(sequence=1)
        self.assert_fails(mmt("stats", process.pid), 1, process.pid, "never come to rest")

    def test_no_such_process(self):
        process = subprocess.Popen(["true"])
        process.wait()
        self.assert_fails(mmt("stats", process.pid), 1, f"no process {process.pid}")

    def test_process_without_mmt(self):
        process = self.start(SLEEPER)
        time.sleep(0.1)
        self.assert_fails(mmt("stats", process.pid), 1, process.pid, "does not run under MMT")

    def test_process_that_has_ended(self):
        with subprocess.Popen(["true"]) as process:
            os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
            self.assert_fails(mmt("stats", process.pid), 1, process.pid, "has ended")

    def test_no_permission(self):
        tool = self.public_tree()
        user = {"user": NOBODY} if is_root() else {}
        self.assert_fails(mmt("stats", 1, binary=tool, cwd="/", **user), 1, "no permission", "process 1")
        listed = mmt("stats", binary=tool, cwd="/", **user).out
        self.assertRegex(listed, r"(?m)^not looked into, for want of permission: .* process(es)?; use sudo$")

    def test_wrong_use(self):
        for wrong in ("0", "-5", "x", "1.5", "99999999999"):
            self.assertEqual(mmt("stats", wrong).status, 2, wrong)
        self.assert_fails(mmt("stats", "1", "--watch", "0"), 2, "--watch")


if __name__ == "__main__":
    main()
