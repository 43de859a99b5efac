"""After `make demo`: each verb works, or says in a line what makes the part that it lacks."""

import os
import pathlib
import re
import shutil

from support import MMT, Lab, clean_environment, library, main, mmt

ROOT = pathlib.Path(__file__).resolve().parents[2]
MAKES = "'make' makes it"


class AfterDemo(Lab):
    def setUp(self):
        super().setUp()
        # What `make demo` builds, but for its programs; the rest of a source tree.
        build = self.folder / "sources" / "build" / "release"
        for name in ("bin", "lib", "workloads"):
            (build / name).mkdir(parents=True)
        (build / "CMakeCache.txt").touch()
        for name in ("lab", "workloads"):
            os.symlink(ROOT / name, self.folder / "sources" / name)
        shutil.copy(MMT, build / "bin" / "mmt")
        shutil.copy(library(), build / "lib" / "libmmt.so")
        self.binary = build / "bin" / "mmt"
        self.rep = self.folder / "one.rep"
        self.rep.write_text("a 0 64\na 1 128\nf 0\nf 1\n")

    def ask(self, *words):
        return mmt(*words, binary=self.binary, cwd=self.folder, env=clean_environment(MMT_LIBRARY=None))

    def test_what_works(self):
        for words in (
            ("run", "--", "true"), ("list", "heaps"), ("list", "models"), ("list", "studies"), ("--help",),
            ("trace", "--import", "rep", str(self.rep), "-o", str(self.folder / "one.mtr"), "-q"),
            ("trace", "--show", str(self.folder / "one.mtr")), ("bench", "--list"), ("study", "--list"),
        ):  # fmt: skip
            done = self.ask(*words)
            self.assertEqual(done.status, 0, (words, done))

    def test_what_is_not_built_names_its_remedy(self):
        for words in (
            ("simulate", str(self.rep)), ("simulate", "--real", "glibc", str(self.rep)),
            ("trace", "-o", str(self.folder / "true.mtr"), "--", "true"),
            ("run", "--heap", "lea", "--", "true"), ("run", "--heap", "sbt-ff", "--", "true"),
            ("run", "--backend", "lea", "--", "true"), ("run", "--backend", "glibc", "--", "true"),
            ("run", "--protocol", "sync", "--", "true"), ("run", "--harden", "--", "true"),
            ("run", "--guard", "--", "true"), ("trace", "--java", "--", "java", "-version"),
            ("trace", "--allocator", "lea", "-o", str(self.folder / "true.mtr"), "--", "true"),
            ("bench", "--allocators", "lea,glibc", "--runs", "1", "--", "true"),
            ("bench", "--latency", "--allocators", "mmt,glibc", "--runs", "1", "--", "true"),
        ):  # fmt: skip
            done = self.ask(*words)
            self.assertNotEqual(done.status, 0, (words, done))
            self.assertIn(MAKES, done.err + done.out, words)

    def test_java_has_one_remedy(self):
        """A JDK's headers, where there are none; else no package."""
        done = self.ask("trace", "--java", "--", "java", "-version")
        have = any(pathlib.Path("/usr/lib/jvm").glob("*/include/jvmti.h"))
        remedy = f" ({MAKES})" if have else ": 'make' makes it where a JDK's headers are (apt-get install openjdk-17-jdk-headless)"
        self.assertRegex(done.err, f"^mmt: there is no '.*/libmmt-java.so'{re.escape(remedy)}\n$")

    def test_a_check_names_what_times_calls(self):
        done = self.ask("check", "--runs", "1", "--json", "-", "--", "true")
        self.assertEqual(done.status, 0, done)
        self.assertIn(f"libmmt-latency.so is not there ({MAKES})", done.out)

    def test_studies_name_theirs(self):
        for name in ("heap-layers", "mmt", "abt-sbt", "stm"):
            done = self.ask("study", name, "--rounds", "1", "--output", str(self.folder / name))
            self.assertEqual((done.status, done.out), (1, ""))
            self.assertEqual(done.err.count("\n"), 1, done.err)
            self.assertIn("'make workloads' makes them", done.err)


if __name__ == "__main__":
    main()
