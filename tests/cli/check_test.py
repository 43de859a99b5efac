"""`mmt check`: what it finds out about programs and how it tells it. No timing is asserted."""

import contextlib
import glob
import json
import os
import signal
import subprocess
import time
import unittest.mock

from obstacle_support import HELLO, OWN_MALLOC
from support import MMT, Lab, clean_environment, main, mmt

ANSWERS = {"waits", "gain", "too_little", "slower", "no_gain", "undecided"}
# Allocates 1,000 blocks in each of two threads.
THREADS = """
#include <pthread.h>
#include <stdlib.h>
static void* work(void* unused) {
  for (int i = 0; i < 1000; ++i) {
    void* volatile block = malloc(100);
    free(block);
  }
  return unused;
}
int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, work, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  return 0;
}
"""
# Runs the laboratory as a Python without packages of packages/demo.txt would.
PYTHON_OF_A_BARE_MAKE = """#!/bin/sh
exec /usr/bin/python3 -c '
import runpy, sys
sys.modules["plotly"] = None
sys.argv = sys.argv[sys.argv.index("-B") + 1 :]
runpy.run_path(sys.argv[0], run_name="__main__")' "$@"
"""


class Check(Lab):
    def answer(self, *arguments, **options):
        """The JSON of a check that answers."""
        done = mmt("check", "--json", "-", *arguments, **options)
        self.assertEqual((done.status, done.err), (0, ""), done)
        told = json.loads(done.out)
        self.assertEqual((told["schema"], told["kind"]), (1, "check"))
        return told

    def assert_obstacle(self, path, kind, fragment):
        told = self.answer("--", path)
        self.assertEqual((told["answer"], told["mode"], told["take"]), ("cannot", None, None))
        self.assertEqual(told["program"]["obstacle"]["kind"], kind)
        self.assertIn(fragment, told["sentence"])
        self.assertNotIn("samples", told, "what cannot be served is not run")


class Obstacles(Check):
    def test_static(self):
        self.assert_obstacle(self.compile("static", HELLO, "-static"), "static", "statically")

    def test_sanitizers(self):
        shared = self.compile("asan", HELLO, "-fsanitize=address")
        self.assert_obstacle(shared, "sanitizer", "AddressSanitizer")
        linked = self.compile("asan-static", HELLO, "-fsanitize=address", "-static-libasan")
        self.assert_obstacle(linked, "sanitizer", "sanitizer")
        threads = self.compile("tsan", HELLO, "-fsanitize=thread")
        self.assert_obstacle(threads, "sanitizer", "ThreadSanitizer")

    def test_an_allocator_of_its_own(self):
        own = self.compile("own", OWN_MALLOC, "-fno-builtin", "-Wl,--export-dynamic")
        self.assert_obstacle(own, "own_allocator", "allocator of its own")

    def test_another_c_library(self):
        linker = "-Wl,--dynamic-linker=/no/such/ld-musl-x86_64.so.1"
        self.assert_obstacle(self.compile("musl", HELLO, linker), "linker", "glibc")

    def test_another_machine(self):
        path = self.folder / "foreign"
        path.write_bytes(b"\x7fELF\x01\x01\x01" + bytes(9) + b"\2\0\3\0" + bytes(64))
        path.chmod(0o755)
        self.assert_obstacle(path, "machine", "i386")

    def test_a_script_is_its_interpreter(self):
        interpreter = self.compile("interpreter", HELLO, "-static")
        self.assert_obstacle(self.script("script", f"#!{interpreter}\n"), "static", interpreter.name)
        for argument in (interpreter.name, f"-S {interpreter.name} -x"):
            script = self.script("by-env", f"#!/usr/bin/env {argument}\n")
            with unittest.mock.patch.dict(os.environ, PATH=f"{self.folder}:{os.environ['PATH']}"):
                self.assert_obstacle(script, "static", interpreter.name)
        with unittest.mock.patch.dict(os.environ, PATH="/usr/bin:/bin"):
            python = self.answer("--runs", 1, "--", self.script("python", "#!/usr/bin/env -S python3 -S\n"))
        self.assertEqual(python["program"]["interpreter"], "/usr/bin/python3")
        for line in ("#!/bin/sh\n", ""):
            plain = self.answer("--runs", 1, "--", self.script("plain", f"{line}true\n"))
            self.assertEqual(plain["program"]["interpreter"], "/bin/sh", "the shell runs what names none")

    def test_it_tells_in_words_of_80_columns(self):
        done = mmt("check", "--", self.compile("static", HELLO, "-static"))
        self.assertEqual(done.status, 0, done)
        self.assertIn("MMT cannot be loaded into this program", done.out)
        self.assertLessEqual(max(map(len, done.out.splitlines())), 80)


class Insides(Check):
    def test_an_allocator_under_names_of_its_own(self):
        """As Rust's programs have jemalloc: no symbol tells, its messages do."""
        source = HELLO.replace("hello", "hello <jemalloc>: ").replace("return 5", "return 0")
        told = self.answer("--runs", 1, "--", self.compile("rust", source))
        self.assertEqual(told["program"]["bundled"], ["jemalloc"])
        self.assertEqual(self.answer("--runs", 1, "--", "/bin/true")["program"]["bundled"], [])

    def test_operator_new_of_its_own(self):
        source = """
            #include <cstdlib>
            #include <new>
            #include <string>
            void* operator new(std::size_t size) { return std::malloc(size); }
            void operator delete(void* block) noexcept { std::free(block); }
            void operator delete(void* block, std::size_t) noexcept { std::free(block); }
            int main(int count, char**) { return std::string(count + 99, 'x').size() < 9; }
            """
        path = self.compile("new", source, "-rdynamic", language="c++", compiler="c++")
        self.assertTrue(self.answer("--runs", 1, "--", path)["program"]["own_new"])


class Measurements(Check):
    def test_what_it_counts(self):
        path = self.compile("threads", THREADS, "-pthread")
        told = self.answer("--runs", 5, "--", path)
        self.assertIn(told["answer"], ANSWERS)
        self.assertGreaterEqual(told["calls"]["allocations"], 2000)
        self.assertIn(told["calls"]["threads"], (2, 3), "that of main may allocate, too")
        self.assertEqual(told["calls"]["processes"], 1)
        for mode in ("plain", *told["modes"]):
            self.assertEqual(len(told["samples"][mode]["wall"]), 5, mode)
        self.assertIn("native", told["modes"])
        low, high = told["modes"]["native"]["interval"]
        self.assertLessEqual(low, told["modes"]["native"]["speed"])
        self.assertLessEqual(told["modes"]["native"]["speed"], high)
        self.assertGreater(told["machine"]["fault_ns"], 0)
        self.assertEqual(told["machine"]["cpus"], len(os.sched_getaffinity(0)))

    def test_packages_of_a_bare_make_suffice(self):
        python = self.folder / "python"
        python.write_text(PYTHON_OF_A_BARE_MAKE)
        python.chmod(0o755)
        env = clean_environment(MMT_LAB_PYTHON=python)
        self.assertIn("Can be loaded", mmt("check", "--runs", 1, "--", "true", env=env).out)
        self.assertEqual(mmt("bench", "-q", "--runs", 1, "--", "true", env=env).status, 0)

    def test_few_runs_give_no_interval_and_no_verdict(self):
        told = self.answer("--runs", 2, "--", self.compile("threads", THREADS, "-pthread"))
        self.assertIsNone(told["modes"]["native"]["interval"])
        self.assertNotEqual(told["answer"], "gain")

    def test_both_modes_of_a_program_that_allocates(self):
        source = THREADS.replace("1000", "300000")
        told = self.answer("--runs", 5, "--", self.compile("threads", source, "-pthread"))
        self.assertEqual(set(told["modes"]), {"native", "direct", "glibc"})
        self.assertGreater(told["malloc_share"], 0.02)

    def test_one_that_waits(self):
        told = self.answer("--runs", 5, "--", "sleep", "0.3")
        self.assertEqual((told["answer"], told["mode"]), ("waits", None))

    def test_one_that_computes(self):
        source = """
            int main(void) {
              volatile unsigned long sum = 0;
              for (unsigned long i = 0; i < 50000000; ++i) sum += i;
              return 0;
            }"""
        told = self.answer("--runs", 5, "--", self.compile("computes", source))
        self.assertLess(told["malloc_share"], 0.1)
        self.assertIn(told["answer"], ANSWERS)

    def test_both_spellings(self):
        program = ("sh", "-c", "exit 3")
        for one in ("--ignore-failure", "--ignore_failure"):
            self.assertEqual(mmt("check", "--runs", 1, one, "--", *program).status, 0, one)

    def test_its_input(self):
        (self.folder / "words").write_text("b\na\n")
        program = ("sh", "-c", "read a && read b && test $a$b = ba")
        self.answer("--runs", 1, "--input", "words", "--", *program, cwd=self.folder)
        done = mmt("check", "--", *program)
        self.assertEqual(done.status, 1, "its input is empty: it must fail")
        empty, given = (mmt("check", "--runs", 1, *input, "--", "cat").out for input in ((), ("--input", __file__)))
        self.assertIn("--input", empty)
        self.assertNotIn("--input", given)

    def test_its_input_redirected(self):
        words = self.folder / "words"
        words.write_text("b\na\n")
        program = ("sh", "-c", "read a && read b && test $a$b = ba")
        with words.open() as source:
            self.answer("--runs", 2, "--", *program, stdin=source)
            done = mmt("check", "--json", words, "--", *program, stdin=source)
            self.assert_fails(done, 2, words, "it is what is read")
            words.unlink()
            self.answer("--runs", 2, "--", *program, stdin=source)
        done = mmt("check", "--runs", 1, "--", "true", stdin="b\na\n")
        self.assert_fails(done, 0, "no run reads standard input", "--input")

    def test_text_and_json(self):
        done = mmt("check", "--runs", 1, "--json", "answer.json", "--", "/bin/true", cwd=self.folder)
        self.assertEqual(done.status, 0, done)
        told = json.loads((self.folder / "answer.json").read_text())
        self.assertIn(told["sentence"], " ".join(done.out.split()))
        lines = done.out.splitlines()
        self.assertLessEqual(max(map(len, lines)), 80)
        for label in ("Can be loaded", "Plainly", "malloc and free", "Page faults", "CPUs", "mmt run"):
            self.assertTrue(any(line.startswith(label) for line in lines), label)

    def test_any_bytes(self):
        """Neither arguments nor the environment nor names of files have to be text."""
        odd = "\udcff"
        (self.folder / odd).write_text("b")
        program = ("sh", "-c", 'read a; test "$a$ODD$0" = "b$1$1"', odd, odd)
        env = clean_environment(ODD=odd)
        for locale in ("C", "C.UTF-8"):
            flags = ("--runs", 1, "--input", odd)
            told = self.answer(*flags, "--", *program, env=env | {"LC_ALL": locale}, cwd=self.folder)
            self.assertIn(told["answer"], ANSWERS)
            done = mmt("check", *flags, "--", f"./{odd}", env=env | {"LC_ALL": locale}, cwd=self.folder)
            self.assertEqual(done.status, 126, done)

    def test_output_of_the_program_is_not_shown(self):
        done = mmt("check", "--runs", 1, "--", "echo", "unwanted")
        self.assertEqual(done.status, 0, done)
        self.assertNotIn("unwanted\n", done.out)


class Failures(Check):
    def test_a_program_that_fails_by_itself(self):
        program = ("sh", "-c", "echo one >&2; echo two >&2; exit 3")
        done = mmt("check", "--", *program)
        self.assertEqual((done.status, done.out), (1, ""), done)
        self.assertEqual(done.err.splitlines()[:2], ["one", "two"])
        self.assertIn("mmt: 'sh' fails without MMT: exit status 3", done.err)
        done = mmt("check", "--runs", 1, "--ignore-failure", "--", *program)
        self.assertEqual(done.status, 0, done)

    def test_a_program_that_does_not_end(self):
        done = mmt("check", "--timeout", 0.5, "--", "sleep", "50")
        self.assert_fails(done, 1, "had not ended after 0.5 s", "give it a load that ends")

    def test_a_program_that_only_fails_under_mmt(self):
        source = """
            #include <stdlib.h>
            #include <string.h>
            int main(void) { const char* v = getenv("LD_PRELOAD"); return v && strstr(v, "libmmt.so") ? 4 : 0; }
            """
        told = self.answer("--runs", 1, "--", self.compile("shy", source))
        self.assertIn("exit status 4", told["problems"]["native"])
        self.assertNotIn("native", told["modes"])

    def test_interrupted(self):
        mark = "3599.25"
        process = subprocess.Popen(
            [os.path.abspath(MMT), "check", "--", "sleep", mark], env=clean_environment(),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        self.addCleanup(process.kill)
        self.wait_until(lambda: self.running(mark))
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
        self.assertEqual((process.returncode, out), (130, ""), err)
        self.assertIn("mmt: interrupted", err)
        self.wait_until(lambda: not self.running(mark))

    def wait_until(self, condition):
        for _ in range(600):
            if condition():
                return
            time.sleep(0.05)
        self.fail("it did not come to that")

    @staticmethod
    def running(mark):
        """Whether a program runs with that argument, by its own name."""
        for path in glob.glob("/proc/[0-9]*/cmdline"):
            with contextlib.suppress(OSError), open(path, "rb") as file:
                if file.read() == b"sleep\0" + mark.encode() + b"\0":
                    return True
        return False

    def test_a_program_that_cannot_be_started(self):
        text = self.script("text", "no program", mode=0o644)
        for verb in ("check", "bench"):
            for path, status in (("/tmp", 126), (text, 126), ("/no/such", 127)):
                done = mmt(verb, "--", path)
                self.assertEqual((done.status, mmt("run", "--", path).status), (status, status), done)

    def test_without_a_memory_thread(self):
        done = mmt("check", "--runs", 1, "--", "true", env=clean_environment(MMT_OPTIONS="server=off"))
        self.assertIn("has no memory thread", " ".join(done.out.split()))

    def test_wrong_environment(self):
        done = mmt("check", "--", "true", env=clean_environment(MMT_CPU="1000"))
        self.assert_fails(done, 1, "cannot be bound to CPU 1000")

    def test_wrong_command_lines(self):
        self.assert_fails(mmt("check"), 2, "no program given")
        self.assert_fails(mmt("check", "ls", "-l"), 2, "put the program behind --: mmt check -- ls -l")
        self.assert_fails(mmt("check", "--budgte", "3", "--", "ls"), 2, "did you mean '--budget'?")
        self.assert_fails(mmt("check", "--budget", "5m", "--", "ls"), 2, "'5m' is no number of seconds from 0.1")
        self.assert_fails(mmt("check", "--input", "/no/such", "--", "ls"), 2, "/no/such")
        self.assert_fails(mmt("check", "--input", self.folder, "--", "cat"), 2, "is a folder")
        words = self.script("words", "kept")
        self.assert_fails(mmt("check", "--input", words, "--json", words, "--", "ls"), 2, words, "what is read")
        self.assertEqual(words.read_text(), "kept")
        self.assert_fails(mmt("check", "--", "/no/such"), 127, "cannot run '/no/such'")

    def test_json_that_cannot_be_written(self):
        static = self.compile("static", HELLO, "-static")
        self.assert_fails(mmt("check", "--json", "/no/such/file", "--", static), 1, "/no/such/file")
        witness = self.folder / "witness"
        done = mmt("check", "--json", self.folder, "--", "touch", witness)
        self.assert_fails(done, 1, self.folder, "Is a directory")
        self.assertFalse(witness.exists(), "found out before the program runs")
        done = mmt("check", "--json", "/dev/full", "--", static)
        self.assert_fails(done, 1, "'/dev/full'", "No space left")
        self.assertIn("MMT cannot be loaded", done.out, "the answer is not lost")

    def test_help(self):
        done = mmt("check", "--help")
        self.assertEqual((done.status, done.err), (0, ""))
        self.assertTrue(done.out.startswith("Usage: mmt check [options] -- program [arguments]"))
        self.assertIn("\nExamples:\n", done.out)
        self.assertLessEqual(max(map(len, done.out.splitlines())), 80)


if __name__ == "__main__":
    main()
