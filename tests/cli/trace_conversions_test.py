"""`mmt trace`: import, export, and what is shown of a trace."""

import os
import subprocess

from memory_support import LAUNCHER, lives, most_memory
from support import MMT, PYTHON, clean_environment, main, mmt
from trace_support import Trace


class Conversions(Trace):
    REP = "20000\n3\n6\n1\na 0 512\na 1 128\nr 0 640\nf 1\na 2 7\nf 0\n"

    def test_rep_there_and_back(self):
        (self.folder / "in.rep").write_text(self.REP)
        self.assertEqual(self.trace("--import", "rep", "in.rep").status, 0)
        self.assertEqual(mmt("trace", "--export", "rep", "t.mtr", "-o", "out.rep", cwd=self.folder).status, 0)
        back = (self.folder / "out.rep").read_text().splitlines()
        self.assertEqual(back[1:], self.REP.splitlines()[1:])

    def test_nothing_is_written_onto_what_is_read(self):
        (self.folder / "in.rep").write_text(self.REP)
        self.trace("--import", "rep", "in.rep")
        (self.folder / "all.mtr").write_text('{"mmt_trace_processes": 1, "processes": [{"file": "t.mtr"}]}')
        (self.folder / "link").symlink_to("t.mtr")
        os.link(self.folder / "t.mtr", self.folder / "other")
        modes = [("import", "rep", "in.rep", "in.rep")]
        for form in ("text", "rep", "parquet"):
            modes += [("export", form, "t.mtr", one) for one in ("t.mtr", "link", "other")]
            modes += [("export", form, "all.mtr", one) for one in ("all.mtr", "t.mtr")]
        files = ("in.rep", "t.mtr", "all.mtr")
        before = [(self.folder / one).read_bytes() for one in files]
        for mode, form, source, output in modes:
            self.assert_fails(self.trace(f"--{mode}", form, source, output=output), 2, f"'{output}': it is what is read")
            self.assertEqual([(self.folder / one).read_bytes() for one in files], before)

    def test_parquet(self):
        (self.folder / "in.rep").write_text(self.REP)
        self.trace("--import", "rep", "in.rep")
        done = mmt("trace", "--export", "parquet", "t.mtr", "-o", "t.parquet", cwd=self.folder)
        if subprocess.run([PYTHON, "-c", "import pyarrow"], stderr=subprocess.DEVNULL, check=False).returncode:
            self.assert_fails(done, 1, "pyarrow", "pip install")
            return
        self.assertEqual(done.status, 0, done)
        failed = mmt("trace", "--export", "parquet", "in.rep", "-o", "bad.parquet", cwd=self.folder)
        self.assert_fails(failed, 1, "in.rep", "no trace")
        self.assertFalse((self.folder / "bad.parquet").exists())
        code = "import pyarrow.parquet as p; t = p.read_table('t.parquet'); print(t['kind'].to_pylist(), t['bytes'].to_pylist())"
        read = subprocess.run([PYTHON, "-c", code], cwd=self.folder, capture_output=True, text=True, check=True)
        kinds = ["allocate", "allocate", "resize", "free", "allocate", "free"]
        self.assertEqual(read.stdout, f"{kinds} {[512, 128, 640, 0, 7, 0]}\n")

    def test_sizes_that_no_machine_has(self):
        """Both verbs tell the same bytes in the same words. What no allocator gives is not live."""
        for bytes, told in ((2**60, "1.00 EiB"), (2**63 - 1, "100 B"), (3 << 41, "6.00 TiB")):
            (self.folder / "in.rep").write_text(f"0\n2\n4\n1\na 0 {bytes}\na 1 100\nr 0 {bytes}\nf 0\n")
            self.trace("--import", "rep", "in.rep")
            shown = mmt("trace", "--show", "t.mtr", cwd=self.folder).out
            self.assertIn(f"{told} in ", shown)
            self.assertIn("; 100 B in 1 block at the end", shown)
            self.assertEqual("without 2 requests of more than any allocator has" in shown, bytes > 2**62)
            self.assertIn(f"at most {told} live", mmt("simulate", "t.mtr", "--allocator", "tlsf", cwd=self.folder).out)

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

    def test_show_takes_the_memory_of_what_lives(self):
        launcher = self.compile("launcher", LAUNCHER)
        taken = []
        for objects in (20_000, 1_000_000):
            (self.folder / "in.rep").write_text("\n".join(["0", "0", "0", "1", *lives(1000, objects)]) + "\n")
            self.assertEqual(self.trace("-q", "--import", "rep", "in.rep").status, 0)
            taken.append(most_memory(launcher, os.path.abspath(MMT), "trace", "--show", self.folder / "t.mtr"))
        # A frame's events are read at a time; a word for each object were 8 MB.
        self.assertLess(taken[1] - taken[0], 4000)


if __name__ == "__main__":
    main()
