"""`mmt trace --java`: that no allocation is lost, that deaths are known in time, and how it ends."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time

from support import MMT, Lab, clean_environment, main, mmt

OBJECTS = 50_000
BYTES = 1016  # of a byte[1000], with its head
SOURCE = """
public class Program {
    static byte[][] kept;
    public static void main(String[] words) throws Exception {
        int count = Integer.parseInt(words[0]);
        kept = new byte[words[1].equals("keep") ? count : 1][];
        for (int i = 0; i < count; i++) kept[i % kept.length] = new byte[1000];
        System.out.println("done");
        System.out.flush();
        if (words[1].equals("sleep")) Thread.sleep(60000);
        if (words[1].equals("fail")) System.exit(3);
    }
}
"""
TOLD = re.compile(r"(\d+) allocations, (\d+) frees; .* at most (\d+) bytes .* by (\d+) forced collections")


class TraceJava(Lab):
    def setUp(self):
        super().setUp()
        (self.folder / "Program.java").write_text(SOURCE)
        subprocess.run(["javac", "Program.java"], cwd=self.folder, check=True, timeout=60)

    def command(self, *words, options=()):
        java = ("java", "-cp", self.folder, "Program", OBJECTS, *words)
        return ("trace", "--java", *options, "-o", self.folder / "F.mtr", "--", *java)

    def traced(self, *words, options=()):
        """(result, (allocations, frees, precision, collections))."""
        result = mmt(*self.command(*words, options=options), cwd=self.folder)
        found = TOLD.search(result.err)
        self.assertIsNotNone(found, result)
        return result, tuple(map(int, found.groups()))

    def test_no_allocation_is_lost_whatever_collects(self):
        for collector in ("Serial", "G1"):
            java = f"-XX:+Use{collector}GC"
            os.environ["JDK_JAVA_OPTIONS"] = java
            self.addCleanup(os.environ.pop, "JDK_JAVA_OPTIONS", None)
            result, (allocations, frees, *_) = self.traced("drop")
            self.assertEqual((result.status, result.out), (0, "done\n"), result)
            self.assertGreaterEqual(allocations, OBJECTS, collector)
            self.assertLess(allocations, OBJECTS + 5000, "the machine's own are few")
            self.assertGreaterEqual(frees, OBJECTS - 2 * (1 << 20) // BYTES, collector)

    def test_the_stated_precision(self):
        _, (_, frees, precision, collections) = self.traced("drop", options=("--precision", "256K"))
        self.assertEqual(precision, 256 << 10)
        self.assertGreaterEqual(collections, OBJECTS * BYTES // precision * 9 // 10)
        self.assertGreaterEqual(frees, OBJECTS - 2 * precision // BYTES)

    def test_what_lives_on_is_not_freed(self):
        _, (allocations, frees, *_) = self.traced("keep")
        self.assertGreaterEqual(allocations - frees, OBJECTS)

    def test_the_programs_status(self):
        self.assertEqual(self.traced("fail")[0].status, 3)

    def test_a_machine_that_is_killed_leaves_a_trace(self):
        process = subprocess.Popen(
            [os.path.abspath(MMT), *map(str, self.command("sleep"))], env=clean_environment(),
            cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        self.addCleanup(process.kill)
        self.assertEqual(process.stdout.readline(), "done\n")
        (child,) = self.children(process.pid)
        os.kill(child, signal.SIGKILL)
        _, err = process.communicate(timeout=30)
        self.assertEqual(process.returncode, -signal.SIGKILL)
        self.assertIn("did not end by itself", err)
        self.assertGreaterEqual(int(TOLD.search(err)[1]), OBJECTS * 9 // 10)

    def children(self, pid):
        until = time.monotonic() + 10
        while time.monotonic() < until:
            with open(f"/proc/{pid}/task/{pid}/children") as file:
                if words := file.read().split():
                    return list(map(int, words))
            time.sleep(0.05)
        return []

    def test_what_is_no_java(self):
        result = mmt("trace", "--java", "-o", self.folder / "F.mtr", "--", "true")
        self.assertEqual(result.status, 125, result)
        self.assertIn("mmt: 'true' started no Java machine that loads an agent\n", result.err)

    def test_what_is_no_java_leaves_an_earlier_file(self):
        (self.folder / "F.mtr").write_text("earlier")
        for program, status in (("true", 125), (self.script("script", "#!/nonexistent/x\n"), 126)):
            result = mmt("trace", "--java", "-o", self.folder / "F.mtr", "--", program)
            self.assertEqual(result.status, status, result)
            self.assertEqual(len(result.err.splitlines()), 1, result)
            self.assertEqual((self.folder / "F.mtr").read_text(), "earlier")

    def test_no_regular_file(self):
        os.mkfifo(self.folder / "F.mtr")
        self.assert_fails(mmt(*self.command("drop")), 125, "F.mtr", "no regular file")

    def test_a_file_that_cannot_be_written_on_stops_no_program(self):
        for ends, status in (("drop", 125), ("fail", 3)):
            java = f"java -cp . Program {OBJECTS} {ends}"
            # The recorder's limit; its file is longer.
            script = f"prlimit --pid $PPID --fsize=4096; exec {java}"
            words = ("trace", "--java", "-o", "F.mtr", "--", "sh", "-c", script)
            result = mmt(*words, cwd=self.folder)
            self.assertEqual((result.status, result.out), (status, "done\n"), result)
            self.assertIn("mmt: cannot write 'F.mtr': File too large\n", result.err)

    def test_other_starters_of_machines(self):
        result = mmt("trace", "--java", "-o", "F.mtr", "--", "javac", "Program.java", cwd=self.folder)
        self.assertEqual(result.status, 0, result)
        self.assertGreater(int(TOLD.search(result.err)[1]), 10_000)


if __name__ == "__main__":
    agent = os.path.join(os.path.dirname(os.path.realpath(MMT)), "..", "lib", "libmmt-java.so")
    if not (shutil.which("javac") and os.path.exists(agent)):
        print("not tried here: no javac, or the agent was not built")
        sys.exit(77)
    main()
