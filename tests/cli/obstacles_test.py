"""`mmt run` of programs into which no library can be loaded: said in one line, run all the same."""

import glob
import os
import shutil
import struct

from obstacle_support import HELLO, OWN_MALLOC, ObstacleLab
from support import MMT, NOBODY, clean_environment, is_root, library, main, mmt


class Obstacles(ObstacleLab):
    def test_ordinary_program(self):
        program = self.compile("plain", HELLO)
        self.assertEqual(mmt("run", "--strict", "--", program).status, 5)
        self.assertEqual(mmt("run", "--", program).err, "")

    def test_static_program(self):
        self.assert_warned(self.compile("static", HELLO, "-static"), "statically linked")

    def test_other_heaps_and_protocols(self):
        static = self.compile("static", HELLO, "-static")
        for flags, whose in ((("--backend", "glibc"), "memory thread"), (("--heap", "lea"), "heap")):
            done = mmt("run", *flags, "--", static)
            self.assertEqual(done.status, 5, flags)
            self.assertIn(f"the {whose} cannot serve '{static}': it is statically linked", done.err)
            self.assertEqual(mmt("run", "-q", *flags, "--", static).err, "", flags)
            self.assert_fails(mmt("run", "--strict", *flags, "--", static), 125, "statically linked")

    def test_quiet_in_any_way(self):
        static = self.compile("static", HELLO, "-static")
        for flags, env in ((("-o", "quiet=on"), {}), ((), {"MMT_QUIET": "yes"}), ((), {"MMT_OPTIONS": "quiet=1"})):
            done = mmt("run", *flags, "--", static, env=clean_environment(**env))
            self.assertEqual((done.status, done.err), (5, ""), (flags, env))
        done = mmt("run", "-o", "quiet=off", "--", static, env=clean_environment(MMT_QUIET="on"))
        self.assertIn("statically linked", done.err)

    def test_static_position_independent_program(self):
        self.assert_warned(self.compile("static-pie", HELLO, "-static-pie"), "statically linked")

    def test_children_of_a_static_program_inherit(self):
        source = '#include <unistd.h>\nint main(void) { return execl("/bin/sh", "sh", "-c", "echo $LD_PRELOAD", (char*)0); }\n'
        done = mmt("run", "-q", "--", self.compile("starter", source, "-static"))
        self.assertEqual(done.out, library() + "\n")

    def test_program_with_an_allocator_of_its_own(self):
        self.assert_warned(self.compile("own", OWN_MALLOC, "-fno-builtin", "-Wl,--export-dynamic"), "allocator of its own")

    def test_program_of_another_c_library(self):
        program = self.compile("musl", HELLO, "-Wl,--dynamic-linker=/no/such/ld-musl-x86_64.so.1")
        done = mmt("run", "--", program)
        self.assertEqual(done.status, 126, done)
        self.assertIn("ld-musl-x86_64.so.1", done.err)
        self.assert_fails(mmt("run", "--strict", "--", program), 125, "ld-musl-x86_64.so.1")

    def test_such_a_program_inherits_nothing_from_an_outer_run(self):
        linker = (glob.glob("/lib64/ld-linux-*") or glob.glob("/lib/ld-linux-*"))[0]
        (self.folder / "ld-other.so").symlink_to(linker)
        source = '#include <stdlib.h>\nint main(void) { return getenv("LD_PRELOAD") ? 1 : 5; }\n'
        program = self.compile("other", source, f"-Wl,--dynamic-linker={self.folder}/ld-other.so")
        for outer in ((), ("--backend", "lea")):
            done = mmt("run", *outer, "--", MMT, "run", "--", program)
            self.assertEqual(done.status, 5, done)
            self.assertIn("needs that of glibc", done.err)

    def test_program_of_another_machine(self):
        path = self.folder / "foreign"
        path.write_bytes(b"\x7fELF\x01\x01\x01" + bytes(9) + struct.pack("<HH", 2, 3) + bytes(64))
        path.chmod(0o755)
        done = mmt("run", "--", path)
        self.assertEqual(done.status, 126, done)
        self.assertIn("built for i386", done.err)
        self.assert_fails(mmt("run", "--strict", "--", path), 125, "built for i386")

    def test_script_for_a_static_interpreter(self):
        shell = '#include <stdio.h>\nint main(int n, char** v) { puts("hello"); return n == 2 && v[1] ? 5 : 1; }\n'
        interpreter = self.compile("interpreter", shell, "-static")
        script = self.script("script", f"#!{interpreter}\n")
        self.assert_warned(script, str(interpreter), "statically linked")

    def test_script_for_an_ordinary_interpreter(self):
        script = self.script("script", "#!/bin/sh\necho hello; exit 5\n")
        done = mmt("run", "--strict", "--", script)
        self.assertEqual((done.status, done.out, done.err), (5, "hello\n", ""))

    def test_setuid_program(self):
        if is_root():
            path = self.compile("setuid", HELLO)
            os.chown(path, NOBODY, NOBODY)
            path.chmod(0o4755)
            self.assert_warned(path, "setuid", "LD_PRELOAD")
        else:
            done = mmt("run", "--strict", "--", shutil.which("su"))
            self.assert_fails(done, 125, "setuid", "LD_PRELOAD")

    def test_setuid_to_oneself_is_nothing_special(self):
        path = self.compile("setuid", HELLO)
        path.chmod(0o4755)
        done = mmt("run", "--strict", "--", path)
        self.assertEqual((done.status, done.err), (5, ""), done)

    def test_program_that_may_be_executed_but_not_read(self):
        tool = self.public_tree()
        path = tool.parent / "closed"
        shutil.copy(self.compile("closed", HELLO), path)
        path.chmod(0o711)
        user = {"user": NOBODY} if is_root() else {}
        done = mmt("run", "--", path, binary=tool, cwd="/", **user)
        self.assertEqual((done.status, done.out), (5, "hello\n"), done)


if __name__ == "__main__":
    main()
