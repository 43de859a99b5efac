"""`mmt trace`: every event of every thread and process, in an order in which they may have happened."""

import collections
import json
import os
import pathlib
import resource
import signal
import subprocess
import time

from support import MMT, Lab, clean_environment, main, mmt
from trace_programs import CLOSER, COUNTED, ENTRIES, EXCHANGE, FAMILY, FLOOD, HANDLERS, HEIR, OPERATORS, ORPHANS, QUEUE, SLEEPER


class Trace(Lab):
    def trace(self, *arguments, output="t.mtr", **more):
        return mmt("trace", "-o", output, *arguments, cwd=self.folder, **more)

    def recorded(self, *arguments, status=0, **more):
        """Of the program, the files that there are: those of a list, or the one."""
        done = self.trace(*arguments, **more)
        self.assertEqual(done.status, status, done)
        # Nothing but what was recorded is told.
        self.assertRegex(done.err, r"^(mmt: t\.mtr: .*\nmmt: [\d.]+ bytes an event.*\n)?$")
        text = (self.folder / "t.mtr").read_bytes()
        if not text.startswith(b"{"):
            return ["t.mtr"]
        return [one["file"] for one in json.loads(text)["processes"]]

    def start(self, *command):
        """The recorder of a program that reads and writes pipes."""
        tool = [os.path.abspath(MMT), "trace", "-o", "t.mtr", "--", *command]
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        return subprocess.Popen(tool, cwd=self.folder, env=clean_environment(), **pipes)

    def events(self, name="t.mtr"):
        """Words of each event. The reader has checked that frees and resizes are of live objects."""
        done = mmt("trace", "--export", "text", self.folder / name, "-o", "-")
        self.assertEqual((done.status, done.err), (0, ""))
        return [line.split() for line in done.out.splitlines()]

    def sizes(self, name="t.mtr"):
        return collections.Counter(int(one[3]) for one in self.events(name) if one[1] in ("allocate", "resize"))


class Recording(Trace):
    def test_every_call_of_every_thread(self):
        program = self.compile("program", COUNTED, "-pthread")
        for threads, together in ((1, 1), (8, 4), (300, 100)):
            self.recorded("--", program, threads, together)
            events = self.events()
            sizes = self.sizes()
            for size in (70001, 70002, 70003, 70004):
                self.assertEqual(sizes[size], 1000 * threads, size)
            self.assertEqual(sum(one[3:] == ["70003", "zeroed"] for one in events), 1000 * threads)
            self.assertEqual(sum(one[3:] == ["70004", "align", "256"] for one in events), 1000 * threads)
            kinds = collections.Counter(one[1] for one in events)
            self.assertEqual((kinds["thread_start"], kinds["thread_end"]), (threads + 1, threads))

    def test_blocks_that_go_from_thread_to_thread(self):
        program = self.compile("program", EXCHANGE, "-pthread")
        for allocator in ([], ["--allocator", "mmt"], ["--allocator", "lea"], ["--allocator", "glibc+mmt"]):
            self.recorded(*allocator, "--", program, "20000")
            kinds = collections.Counter(one[1] for one in self.events())
            self.assertGreaterEqual(kinds["allocate"], 80000)
            self.assertLess(kinds["allocate"], 80100)
            # All are free at the end, but for what libraries keep.
            self.assertLess(kinds["allocate"] - kinds["free"], 100)

    def test_children(self):
        files = self.recorded("--", self.compile("program", FAMILY), status=3)
        self.assertEqual(len(files), 3)
        parent, child, executed = (self.sizes(name) for name in files[:1] + sorted(files[1:], key=len))
        self.assertEqual((parent[60001], parent[60002], parent[60003], parent[60004]), (1, 1, 0, 0))
        by_size = {}
        for name in files[1:]:
            by_size.update({size: name for size in self.sizes(name) if size in (60003, 60004)})
        self.assertEqual(len(set(by_size.values())), 2)
        child = [one[1:] for one in self.events(by_size[60004])]
        phase = child.index(["phase", "0"])
        numbers = {one[2]: one[1] for one in child[:phase]}
        self.assertIn(["free", numbers["60001"]], child[phase:])
        self.assertIn(["resize", numbers["60002"], "60005"], child[phase:])
        self.assertNotIn("60001", str(self.events(by_size[60003])))

    def test_many_short_lives(self):
        files = self.recorded("--", "sh", "-c", "i=0; while [ $i -lt 300 ]; do (:) & i=$((i+1)); done; wait")
        self.assertGreater(len(files), 1)
        done = mmt("trace", "--show", self.folder / "t.mtr")
        self.assertEqual((done.status, done.err), (0, ""))
        shown = [line.split()[-1] for line in done.out.splitlines() if line.startswith("trace ")]
        self.assertEqual(shown, [str(self.folder / one) for one in files])

    def test_the_tree_of_processes(self):
        script = "(sh -c 'ls /nowhere/1 2>/dev/null; :'; :); ls /nowhere/2 2>/dev/null; exec ls /dev/null >/dev/null"
        self.recorded("--", "sh", "-c", script)
        processes = json.loads((self.folder / "t.mtr").read_text())["processes"]
        by_program = {one["program"]: one for one in processes}
        root = next(one for one in processes if one["program"].startswith("sh -c (sh"))
        self.assertNotIn("parent", root)
        # What it executed at last is the same process.
        last = by_program["ls /dev/null"]
        self.assertEqual((last["process"], last.get("parent")), (root["process"], None))
        self.assertEqual(by_program["ls /nowhere/2"]["parent"], root["process"])
        inner = by_program["sh -c ls /nowhere/1 2>/dev/null; :"]
        self.assertEqual(by_program["ls /nowhere/1"]["parent"], inner["process"])
        ids = {one["process"]: one for one in processes}
        # Between them lies a child of the root, for the round brackets.
        above = ids[inner["parent"]]
        self.assertEqual(above["parent"], root["process"])

    def test_long_command_lines(self):
        for length in (23, 24, 25, 384, 1000, 9000):
            self.recorded("--", "sh", "-c", ":", "x" * length)
            shown = mmt("trace", "--show", "t.mtr", cwd=self.folder).out
            self.assertRegex(shown, f"(?m)^program     sh -c : x{{{min(length, 4000)},{length}}}$")

    def test_children_are_left_out(self):
        files = self.recorded("--no-follow", "--", self.compile("program", FAMILY), status=3)
        self.assertNotIn(60003, sum((self.sizes(name) for name in files), collections.Counter()))

    def test_a_program_that_is_killed(self):
        tool = self.start(self.compile("program", SLEEPER))
        self.assertEqual(tool.stdout.readline(), b"done\n")
        children = subprocess.run(["pgrep", "-P", str(tool.pid)], capture_output=True, text=True, check=True)
        os.kill(int(children.stdout.split()[0]), signal.SIGKILL)
        tool.communicate(timeout=20)
        self.assertEqual(tool.returncode, -signal.SIGKILL)
        self.assertEqual(self.sizes()[44], 5000)

    def test_handlers(self):
        self.recorded("--", self.compile("program", HANDLERS))
        events = self.events()
        self.assertGreaterEqual(sum(one[3:] == ["8192", "align", "4096"] for one in events), 300)
        kinds = collections.Counter(one[1] for one in events)
        self.assertLess(kinds["allocate"] - kinds["free"], 60)

    def test_no_descriptor_is_left(self):
        files = self.recorded("--", self.compile("program", CLOSER))
        sizes = sum((self.sizes(name) for name in files), collections.Counter())
        self.assertEqual((sizes[50001], sizes[50002], sizes[50003]), (2000, 1, 1))

    def test_fewer_descriptors_than_processes(self):
        script = "for i in $(seq 60); do sleep 0.5 & done; wait"
        files = self.recorded("--", "sh", "-c", script, limits={resource.RLIMIT_NOFILE: 40})
        self.assertGreater(len(files), 60)
        for name in files:
            self.assertEqual(mmt("trace", "--show", self.folder / name).err, "")

    def test_a_file_that_cannot_be_made(self):
        # A name to which no process id can be added.
        output = "t" * 250 + ".mtr"
        done = self.trace("--", self.compile("program", FAMILY), output=output)
        self.assertIn("File name too long", done.err)
        self.assertEqual(self.sizes(output)[60001], 1)

    def test_operators(self):
        program = self.compile("program", OPERATORS, language="c++", compiler="c++")
        for allocator in ([], ["--allocator", "mmt"], ["--allocator", "mmt:server=off"]):
            self.recorded(*allocator, "--", program)
            sizes = self.sizes()
            self.assertEqual((sizes[40001], sizes[40064], sizes[40002]), (500, 500, 500), allocator)

    def test_entries_that_call_others(self):
        self.recorded("--", self.compile("program", ENTRIES, "-fno-builtin"))
        made = collections.Counter((one[1], int(one[3])) for one in self.events() if one[1] in ("allocate", "resize"))
        for size in (*range(20001, 20009), 20011):
            self.assertEqual((size, made["allocate", size], made["resize", size]), (size, 100, 0))
        for size in (20009, 40024):
            self.assertEqual((size, made["allocate", size], made["resize", size]), (size, 0, 100))

    def test_a_full_pool_is_waited_for(self):
        self.flood([], self.folder / "t.mtr")

    def test_a_child_waits_for_its_parent(self):
        program = self.compile("program", HEIR)
        # As much as the pool holds, before any of it is read.
        tool = self.start(program, "1500000")
        self.assertEqual(tool.stdout.readline(), b"ready\n")
        os.kill(tool.pid, signal.SIGSTOP)
        tool.stdin.write(b"go\n")
        tool.stdin.flush()
        self.assertEqual(tool.stdout.read(4), b"done")
        os.kill(tool.pid, signal.SIGCONT)
        error = tool.communicate(timeout=60)[1].decode()
        self.assertEqual(tool.returncode, 0, error)
        self.assertNotIn("not seen", error)
        parent, child = (one["file"] for one in json.loads((self.folder / "t.mtr").read_text())["processes"])
        self.assertEqual(sum(one[1] == "free" for one in self.events(child)), 1000, parent)

    def flood(self, around, file):
        program = self.compile("program", FLOOD)
        count = 3_000_000  # two records each: 96 MB
        tool = self.start(*around, program, str(count))
        self.assertEqual(tool.stdout.readline(), b"ready\n")
        os.kill(tool.pid, signal.SIGSTOP)
        tool.stdin.write(b"go\n")
        tool.stdin.flush()
        time.sleep(1)
        os.kill(tool.pid, signal.SIGCONT)
        error = tool.communicate(timeout=60)[1].decode()
        self.assertEqual(tool.returncode, 0, error)
        self.assertNotIn("waited 0 times", error)
        done = mmt("trace", "--show", file)
        self.assertEqual(done.status, 0, done)
        allocated = done.out.split("allocated")[0].split()[-1].replace(",", "")
        self.assertGreaterEqual(int(allocated), count)
        self.assertLess(int(allocated), count + 1000)

    def new_pid_namespace(self):
        for around in (["unshare", "-pf", "--mount-proc"], ["unshare", "-Urpf", "--mount-proc"]):
            if subprocess.run([*around, "true"], stderr=subprocess.DEVNULL, check=False).returncode == 0:
                return around
        self.skipTest("no pid namespaces")

    def test_other_pid_namespaces(self):
        around = self.new_pid_namespace()
        # More threads than there are chunks.
        self.recorded("--", *around, self.compile("queue", QUEUE, "-pthread"), 5000)
        kinds = collections.Counter(one[1] for one in self.events("t.1.mtr"))
        self.assertEqual(self.sizes("t.1.mtr")[70009], 5000)
        self.assertEqual((kinds["thread_start"], kinds["thread_end"]), (5001, 5000))
        # The reader stands still, while it can be seen by no id.
        self.flood(around, self.folder / "t.1.mtr")

    def test_limits(self):
        program = self.compile("program", EXCHANGE, "-pthread")
        done = self.trace("--events", 1000, "--", program, "5000")
        self.assertEqual(done.status, 0, done)
        self.assertLess(abs(len(self.events()) - 1000), 3)
        done = self.trace("--seconds", 0.3, "--", "sleep", "1")
        self.assertEqual(done.status, 0, done)

    def test_sites(self):
        program = self.compile("program", COUNTED, "-pthread", "-g")
        self.recorded("--sites", "--", program, "1", "1")
        sites = {" ".join(one[one.index("at") + 1:]) for one in self.events() if "70001" in one}
        self.assertEqual(len(sites), 1)
        shown = mmt("trace", "--show", "t.mtr", cwd=self.folder).out
        without = "no functions: " in shown
        name = r"program\+0x[0-9a-f]+" if without else r"work \(<stdin>:6\) program\+0x[0-9a-f]+"
        self.assertRegex(sites.pop(), f"^{name}$")
        self.assertRegex(shown, rf"(?m)^ +66.8 MiB in 1,000 calls  {name}$")
        # What stands at the offset now may be something else.
        later = time.time() + 100
        os.utime(program, (later, later))
        shown = mmt("trace", "--show", "t.mtr", cwd=self.folder).out
        self.assertIn(f"; no functions: '{program}' has changed since\n", shown)
        self.assertRegex(shown, r"calls  program\+0x")

    def test_what_it_says(self):
        done = self.trace("--", "ls")
        self.assertRegex(done.err, r"mmt: t\.mtr: [\d,]+ events of [\d,]+ objects in 1 thread of 1 process\n"
                                   r"mmt: [\d.]+ bytes an event; the program waited 0 times")  # fmt: skip
        self.assertEqual(self.trace("-q", "--", "true").err, "")
        done = mmt("trace", "true", cwd=self.folder)
        self.assertTrue((self.folder / "true.mtr").exists(), done)

    def test_children_that_outlive_the_program(self):
        tool = self.start(self.compile("program", ORPHANS))
        self.assertEqual(tool.wait(timeout=60), 0)
        error = tool.communicate()[1]
        self.assertIn(b"ended with the program, while 3 other processes of it still ran\n", error)

    def test_the_program_is_as_without(self):
        script = self.script("script", "#!/bin/sh\ncat\necho error >&2\nls \"$MMT_LAB_TRACE\" > pool\nexit 7\n")
        done = self.trace("-q", "--", script, stdin="through")
        self.assertEqual((done.status, done.out, done.err), (7, "through", "error\n"))
        # It was there, and is no more.
        pool = pathlib.Path((self.folder / "pool").read_text().strip())
        self.assertTrue(pool.name.startswith("mmt-trace-"), pool)
        self.assertFalse(pool.exists())

    def test_a_pipe_where_pools_are(self):
        path = pathlib.Path("/dev/shm", f"mmt-trace-{os.getpid()}-pipe")
        os.mkfifo(path)
        self.addCleanup(path.unlink)
        os.utime(path, (1e9, 1e9))
        self.assertEqual(self.trace("-q", "--", "true").status, 0)


class Refusals(Trace):
    def test_what_cannot_be_recorded(self):
        static = self.compile("static", "int main(void) { return 0; }", "-static")
        self.assert_fails(self.trace("--", static), 125, "cannot record", static, "statically linked")
        self.assert_fails(self.trace("--", "/nowhere"), 127, "/nowhere")
        self.assert_fails(self.trace("--", "true", output="/nowhere/t.mtr"), 125, "/nowhere/t.mtr")
        self.assert_fails(self.trace("--allocator", "jemalok", "--", "true"), 125, "jemalok", "jemalloc")
        self.assert_fails(self.trace(), 125, "no program given")

    def test_no_regular_file(self):
        os.mkfifo(self.folder / "pipe")
        for one in ("/dev/full", self.folder / "pipe", self.folder):
            self.assert_fails(self.trace("--", "touch", "began", output=one), 125, one, "no regular file")
        self.assertFalse((self.folder / "began").exists())

    def test_a_trace_that_cannot_be_written(self):
        for status, expected in ((0, 125), (3, 3)):
            (self.folder / "sub").mkdir()
            done = self.trace("--", "sh", "-c", f"rm -r sub; ls >/dev/null; exit {status}", output="sub/t.mtr")
            self.assertEqual(done.status, expected, done)
            self.assertIn("mmt: cannot ", done.err)
            self.assertNotIn("no event was recorded", done.err)

    def test_what_does_not_start_leaves_the_file(self):
        script = self.script("script", "#!/nonexistent/x\n")
        self.assert_fails(self.trace("--", script), 126, script)
        self.assertFalse((self.folder / "t.mtr").exists())
        (self.folder / "t.mtr").write_text("earlier")
        self.assert_fails(self.trace("--", script), 126, script)
        self.assertEqual((self.folder / "t.mtr").read_text(), "earlier")

    def test_modes(self):
        self.assert_fails(self.trace("--show", "a", "--", "true"), 2, "one of them")
        self.assert_fails(mmt("trace", "--import", "rep", "x"), 2, "-o FILE")
        self.assert_fails(self.trace("--import", "rap", "x"), 2, "rap", "rep")
        self.assert_fails(self.trace("--import", "rep", "/nowhere"), 1, "/nowhere")
        self.assert_fails(self.trace("--export", "txt", "x"), 2, "txt", "text")

    def test_lists(self):
        path = self.folder / "all.mtr"
        path.write_text(json.dumps({"mmt_trace_processes": 1, "processes": [{"file": "a.mtr"}, {"file": "b.mtr"}]}))
        self.assert_fails(self.trace("--export", "text", path), 2, "lists 2 traces", "a.mtr")
        path.write_text(json.dumps({"mmt_trace_processes": 2, "processes": []}))
        for mode in (["--show"], ["--export", "text"]):
            self.assert_fails(self.trace(*mode, path), 1, "all.mtr", "unknown version 2")

    def test_pipes(self):
        path = self.folder / "pipe"
        os.mkfifo(path)
        for one in (path, self.folder):
            for mode in (["--show"], ["--export", "text"]):
                self.assert_fails(self.trace(*mode, one), 1, one, "no regular file")

    def test_no_stub_is_left(self):
        (self.folder / "bad.rep").write_text("what\n")
        (self.folder / "good.rep").write_text("a 0 16\n")
        self.assertEqual(self.trace("--import", "rep", "good.rep", output="good.mtr").status, 0)
        whole = (self.folder / "good.mtr").read_bytes()
        (self.folder / "cut.mtr").write_bytes(whole[:-10])
        (self.folder / "header.mtr").write_bytes(whole[:70])
        for arguments in (["--import", "rep", "bad.rep"], ["--import", "rep", "/nowhere"], ["--import", "rep", "."],
                          ["--export", "text", "/nowhere"], ["--export", "rep", "bad.rep"],
                          ["--export", "text", "header.mtr"], ["--export", "rep", "header.mtr"]):  # fmt: skip
            done = self.trace(*arguments, output="out")
            self.assertEqual(done.status, 1, done)
            self.assertFalse((self.folder / "out").exists(), arguments)
        self.assertEqual(self.trace("--export", "text", "cut.mtr", output="out").status, 1)
        self.assertEqual((self.folder / "out").read_text(), "0 allocate 1 16\n")

    def test_damage(self):
        self.recorded("--", self.compile("program", EXCHANGE, "-pthread"), "5000")
        path = self.folder / "t.mtr"
        whole = path.read_bytes()
        (self.folder / "bad.mtr").write_bytes(whole[:-40])
        for arguments in (["--show", "bad.mtr"], ["--export", "text", "bad.mtr", "-o", "out"]):
            done = mmt("trace", *arguments, cwd=self.folder)
            self.assertEqual(done.status, 1, done)
            self.assertIn("bad.mtr", done.err)
            self.assertIn("ends early", done.err)
        self.assertGreater(len((self.folder / "out").read_text().splitlines()), 0)
        self.assert_fails(mmt("trace", "--show", "/bin/true"), 1, "/bin/true", "is no trace")


class Conversions(Trace):
    REP = "20000\n3\n6\n1\na 0 512\na 1 128\nr 0 640\nf 1\na 2 7\nf 0\n"

    def test_rep_there_and_back(self):
        (self.folder / "in.rep").write_text(self.REP)
        self.assertEqual(self.trace("--import", "rep", "in.rep").status, 0)
        self.assertEqual(mmt("trace", "--export", "rep", "t.mtr", "-o", "out.rep", cwd=self.folder).status, 0)
        back = (self.folder / "out.rep").read_text().splitlines()
        self.assertEqual(back[1:], self.REP.splitlines()[1:])

    def test_parquet(self):
        (self.folder / "in.rep").write_text(self.REP)
        self.trace("--import", "rep", "in.rep")
        done = mmt("trace", "--export", "parquet", "t.mtr", "-o", "t.parquet", cwd=self.folder)
        if subprocess.run(["/usr/bin/python3", "-c", "import pyarrow"], stderr=subprocess.DEVNULL, check=False).returncode:
            self.assert_fails(done, 1, "pyarrow", "pip install")
            return
        self.assertEqual(done.status, 0, done)
        failed = mmt("trace", "--export", "parquet", "in.rep", "-o", "bad.parquet", cwd=self.folder)
        self.assert_fails(failed, 1, "in.rep", "no trace")
        self.assertFalse((self.folder / "bad.parquet").exists())
        code = "import pyarrow.parquet as p; t = p.read_table('t.parquet'); print(t['kind'].to_pylist(), t['bytes'].to_pylist())"
        read = subprocess.run(["/usr/bin/python3", "-c", code], cwd=self.folder, capture_output=True, text=True, check=True)
        kinds = ["allocate", "allocate", "resize", "free", "allocate", "free"]
        self.assertEqual(read.stdout, f"{kinds} {[512, 128, 640, 0, 7, 0]}\n")

    def test_mtrace_of_this_libc(self):
        program = self.compile("program", """
            #include <mcheck.h>
            #include <stdlib.h>
            int main(void) {
              mtrace();
              void* volatile block = malloc(30001);
              block = realloc(block, 30002);
              free(block);
              return 0;
            }""")
        library = "/lib/x86_64-linux-gnu/libc_malloc_debug.so.0"
        if not os.path.exists(library):
            self.skipTest(f"no {library}")
        env = clean_environment(MALLOC_TRACE=str(self.folder / "m.txt"), LD_PRELOAD=library)
        subprocess.run([program], env=env, check=True)
        self.assertEqual(self.trace("--import", "mtrace", "m.txt").status, 0)
        sizes = self.sizes()
        self.assertEqual((sizes[30001], sizes[30002]), (1, 1))

    def test_heaptrack_with_its_sites(self):
        lines = ["v 10400 3", "s 6 /tmp/m", "s 4 main", "s 3 m.c", "i 5500 1 2 3 7", "t 1 0", "a 64 1", "+ 0", "- 0"]
        (self.folder / "in.txt").write_text("\n".join(lines) + "\n")
        self.assertEqual(self.trace("--import", "heaptrack", "in.txt").status, 0)
        self.assertEqual(self.events(), [["0", "allocate", "1", "100", "at", "main", "(m.c:7)", "m"], ["0", "free", "1"]])
        shown = mmt("trace", "--show", "t.mtr", cwd=self.folder).out
        self.assertRegex(shown, r"call sites  1\n +100 B in +1 call  main \(m\.c:7\) m\n")

    def test_blocks_that_are_given_out_anew(self):
        (self.folder / "in.txt").write_text("1: malloc 0xa0 64\n1: malloc 0xa0 32\n1: free 0xa0\n")
        done = self.trace("--import", "memory_replay", "in.txt")
        self.assertEqual(done.status, 0, done)
        self.assertIn("mmt: 1 block was given out anew without a free; the trace has one there\n", done.err)

    def test_errors_name_the_line(self):
        (self.folder / "in.rep").write_text(self.REP + "f 9\n")
        self.assert_fails(self.trace("--import", "rep", "in.rep"), 1, "in.rep", "line 11", "id 9")
        self.assertEqual(len(self.events()), 6)

    def test_show(self):
        (self.folder / "in.rep").write_text(self.REP)
        self.trace("--import", "rep", "in.rep")
        done = mmt("trace", "--show", "t.mtr", cwd=self.folder)
        for fragment in ("6: 3 allocated, 2 freed, 1 resized", "768 B in 2 blocks at the peak",
                         "7 B in 1 block at the end", "import rep"):  # fmt: skip
            self.assertIn(fragment, done.out)


if __name__ == "__main__":
    main()
