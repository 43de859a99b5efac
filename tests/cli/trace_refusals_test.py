"""`mmt trace`: what it refuses or cannot write, and what it leaves behind."""

import json
import os

from support import main, mmt
from trace_programs import EXCHANGE
from trace_support import Trace


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
            # The recording may put a file there while rm reads the folder.
            removes = "until rm -r sub 2>/dev/null; do :; done"
            done = self.trace("--", "sh", "-c", f"{removes}; ls >/dev/null; exit {status}", output="sub/t.mtr")
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

    def test_the_program_itself_is_not_overwritten(self):
        program = self.script("program", "#!/bin/sh\ntouch began\n")
        os.link(program, self.folder / "other")
        for options in ((), ("--java",)):
            for output in ("program", "other"):
                done = self.trace(*options, "--", program, output=output)
                self.assert_fails(done, 125, f"'{output}': it is what is read")
        self.assertFalse((self.folder / "began").exists())
        self.assertTrue(program.read_text().startswith("#!/bin/sh"))

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


if __name__ == "__main__":
    main()
