"""Programs whose libraries bring a sanitizer's malloc run as they do without us, wherever they are started."""

import glob
import os
import pathlib
import re
import shlex
import subprocess
import unittest

from obstacle_support import ObstacleLab
from support import MMT, clean_environment, library, main, mmt

import machine  # of tests/support

# What each sanitizer is there to find, each time; without arguments nothing is wrong.
BUGS = r"""
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile int shared;
static char* volatile block;
static void* write_to_it(void* unused) {
  (void)unused;
  for (int i = 0; i < 1000; i++, sched_yield()) shared = 1;
  return NULL;
}

// One block may still be named by a register or an old word of the stack; so many are not.
__attribute__((noinline)) static void lose_blocks(void) {
  for (int i = 0; i < 1000; i++) memset(block = malloc(10), 0, 10);
}

int main(int count, char** words) {
  const char* preloaded = getenv("LD_PRELOAD");
  printf("%s %s %s\n", words[0], count > 1 ? words[1] : "nothing",
         preloaded != NULL && strstr(preloaded, "mmt") != NULL ? "preloaded" : "alone");
  fflush(stdout);
  block = malloc(10);
  if (count > 1 && strcmp(words[1], "free") == 0) { free(block); block[3] = 1; return 0; }
  if (count > 1 && strcmp(words[1], "leak") == 0) { lose_blocks(); block = NULL; return 0; }
  if (count > 1 && strcmp(words[1], "race") == 0) {
    pthread_t thread;
    pthread_create(&thread, NULL, write_to_it, NULL);
    for (int i = 0; i < 1000; i++, sched_yield()) shared = 2;
    pthread_join(thread, NULL);
  }
  free(block);
  return count > 2 ? 7 : 0;
}
"""

SANITIZERS = {"address": ("libasan.so", "free"), "thread": ("libtsan.so", "race"), "leak": ("liblsan.so", "leak")}
LACKS_PTRACE = machine.lacks("ptrace")  # by which leaks are looked for
CHOICES = ((), ("--heap", "lea"), ("--backend", "lea"))


def report(text):
    """What a sanitizer says, without process ids, addresses and what depends on them."""
    return re.findall(r"(?:ERROR|WARNING|SUMMARY): \w+Sanitizer: [a-z-]*", text)


@unittest.skipIf(LACKS_PTRACE, LACKS_PTRACE)
class Sanitizers(ObstacleLab):
    def program(self, name):
        path = self.folder / name
        return path if path.exists() else self.compile(name, BUGS, f"-fsanitize={name}", "-pthread")

    def plainly(self, *words, env=None):
        return subprocess.run(
            [str(word) for word in words], env=env or clean_environment(), capture_output=True, text=True,
            timeout=60, check=False,
        )  # fmt: skip

    def assert_same(self, done, *words, env=None):
        """What sanitizer and program say, and the status, are those of the words run plainly."""
        plain = self.plainly(*words, env=env)
        self.assertEqual((done.out, done.status), (plain.stdout, plain.returncode), done)
        self.assertEqual(report(done.err), report(plain.stderr), done)
        return plain

    def test_bug_is_found(self):
        for name, (_, bug) in SANITIZERS.items():
            for choice in CHOICES:
                program = self.program(name)
                plain = self.assert_same(mmt("run", *choice, "--", program, bug), program, bug)
                self.assertIn("Sanitizer", plain.stderr)
                self.assertNotEqual(plain.returncode, 0)

    def test_clean_program_is_clean(self):
        for name, (needed, _) in SANITIZERS.items():
            for choice in CHOICES:
                program = self.program(name)
                done = mmt("run", *choice, "--", program, "nothing", "seven")
                self.assert_same(done, program, "nothing", "seven")
                lines = done.err.splitlines()
                self.assertEqual(len(lines), 1, done)
                for fragment in (f"mmt: cannot serve '{program}'", needed, "running it without"):
                    self.assertIn(fragment, lines[0])

    def test_line_can_be_had_without(self):
        program = self.program("address")
        for flags, env in ((("-q",), {}), (("-q", "--backend", "lea"), {}), (("-q", "--heap", "lea"), {}),
                           (("-o", "quiet=on"), {}), ((), {"MMT_QUIET": "yes"}), ((), {"MMT_OPTIONS": "nice=1:quiet=1"})):  # fmt: skip
            done = mmt("run", *flags, "--", program, env=clean_environment(**env))
            self.assertEqual((done.status, done.err), (0, ""), (flags, env))
        done = mmt("run", "-o", "quiet=off", "--", program, env=clean_environment(MMT_QUIET="on"))
        self.assertIn("cannot serve", done.err)

    def test_strict_run_refuses(self):
        for name, (needed, _) in SANITIZERS.items():
            done = mmt("run", "--strict", "--", self.program(name))
            self.assert_fails(done, 125, self.program(name), needed)
            self.assertEqual(done.out, "")

    def test_below_other_programs(self):
        makefile = self.script("Makefile", "all:\n\t@./thread race; ./address free; ./leak leak; ./address x y\n")
        python = "import subprocess; print([subprocess.call(['./' + n, b]) for n, b in [%s]])" % ", ".join(
            f"('{name}', '{bug}')" for name, (_, bug) in SANITIZERS.items()
        )
        for name in SANITIZERS:
            self.program(name)
        trees = [
            ["sh", "-c", "./address free; ./thread race; ./leak leak"],
            ["sh", "-c", "exec ./thread race"],
            ["bash", "-c", "(exec -a ./renamed ./address free); nice ./leak leak"],
            ["make", "-s", "-f", makefile],
            ["python3", "-uc", python],
            ["env", "A=b", "timeout", "30", "./leak", "leak"],
        ]
        tool = os.path.abspath(MMT)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        for words in trees:
            for choice in ((), ("--backend", "lea")):
                done = mmt("run", *choice, "--", *words, binary=tool)
                plain = self.assert_same(done, *words)
                self.assertIn("Sanitizer", plain.stderr)

    def test_only_the_program_itself_is_left_alone(self):
        script = f"{shlex.quote(str(self.program('leak')))}; echo $LD_PRELOAD"
        for choice in CHOICES:
            done = mmt("run", "-q", *choice, "--", "sh", "-c", script)
            first, second = done.out.splitlines()
            self.assertIn("alone", first)
            self.assertIn("/libmmt", second)

    def test_other_preloads_stay(self):
        other = self.compile("other.so", "int nothing;", "-shared", "-fPIC")
        shell = self.compile("shell", '#include <stdlib.h>\nint main(void) { return system("echo $LD_PRELOAD $MMT_PRELOADED."); }\n', "-fsanitize=thread")
        for choice in CHOICES:
            done = mmt("run", *choice, "--", shell, env=clean_environment(LD_PRELOAD=other))
            self.assertEqual((done.status, done.out), (0, f"{other} .\n"), done)

    def test_name_and_process_stay(self):
        source = r"""
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>
int main(int count, char** words) {
  char name[16];
  prctl(PR_GET_NAME, name);
  printf("%s %d %s %d\n", words[0], count, name, getppid());
}
"""
        program = self.compile("named", source, "-fsanitize=address")
        (self.folder / "alias").symlink_to(program)
        for path in (program, self.folder / "alias"):
            words = ["bash", "-c", 'exec -a other "$0" a "" b', str(path)]
            done = mmt("run", "-q", "--", *words)
            self.assertEqual(done.out, f"other 4 {path.name} {os.getpid()}\n")

    def test_loader_as_a_command(self):
        loader = (glob.glob("/lib64/ld-linux-*") or glob.glob("/lib/ld-linux-*"))[0]
        for name, (_, bug) in SANITIZERS.items():
            words = [loader, "--library-path", self.folder, "--argv0", "renamed", self.program(name), bug, "x" * 9000]
            self.assert_same(mmt("run", "--", *words), *words)

    def test_script_for_such_an_interpreter(self):
        source = '#include <stdio.h>\nint main(int n, char** v) { printf("%d %s\\n", n, v[n - 1]); }\n'
        interpreter = self.compile("interpreter", source, "-fsanitize=address")
        script = self.script("script", f"#!{interpreter} -x\n")
        self.assert_same(mmt("run", "--", script, "last"), script, "last")
        self.assert_fails(mmt("run", "--strict", "--", script), 125, script, interpreter, "libasan.so")

    def test_sanitizer_that_a_library_needs(self):
        self.compile("libneeding.so", "int seven(void) { return 7; }", "-shared", "-fPIC", "-fsanitize=leak")
        source = "int seven(void);\nint main(void) { return seven(); }\n"
        program = self.compile("needing", source, "-L", str(self.folder), "-lneeding", f"-Wl,-rpath,{self.folder}")
        done = mmt("run", "--", program)
        self.assert_same(done, program)
        self.assertIn("liblsan.so", done.err)
        self.assert_fails(mmt("run", "--strict", "--", program), 125, "liblsan.so")

    def test_sanitizer_that_the_user_preloads(self):
        runtime = self.plainly("cc", "-print-file-name=libasan.so").stdout.strip()
        env = clean_environment(LD_PRELOAD=pathlib.Path(runtime).resolve(), ASAN_OPTIONS="detect_leaks=0")
        words = ["ls", "/proc/self/fd/0"]
        self.assert_same(mmt("run", "-q", "--", *words, env=env), *words, env=env)

    def test_undefined_behaviour_alone_is_no_obstacle(self):
        program = self.compile("undefined", BUGS, "-fsanitize=undefined")
        done = mmt("run", "--strict", "--", program)
        self.assertEqual((done.status, done.err), (0, ""), done)
        self.assertIn("preloaded", done.out)

    def test_sanitizer_that_is_linked_in(self):
        for name, (_, bug) in SANITIZERS.items():
            program = self.compile(f"static-{name}", BUGS, f"-fsanitize={name}", f"-static-lib{name[0]}san", "-pthread")
            self.assert_not_served(program, bug)

    def test_what_clang_links_in(self):
        for name in ("address", "thread", "leak", "memory"):
            program = self.compile(f"clang-{name}", BUGS, f"-fsanitize={name}", "-pthread", compiler="clang")
            self.assert_not_served(program, "free" if name == "memory" else SANITIZERS[name][1])

    def assert_not_served(self, program, bug):
        """Directly and below a shell, one line says that a sanitizer is linked into the program."""
        for words in ([program, bug], ["sh", "-c", f"{program} {bug}; exit $?"]):
            for choice in ((), ("--heap", "lea")):
                done = mmt("run", *choice, "--", *words)
                self.assert_same(done, *words)
                said = [line for line in done.err.splitlines() if line.startswith("mmt:")]
                self.assertEqual(len(said), 1, done)
                self.assertIn("has a sanitizer linked in", said[0])
        self.assert_fails(mmt("run", "--strict", "--", program), 125, program, "has a sanitizer linked in")

    def test_library_that_comes_too_late_fails_as_always(self):
        late = self.compile("liblate.so", "int seven(void) { return 7; }", "-shared", "-fPIC", "-fsanitize=address")
        source = f'#include <dlfcn.h>\nint main(void) {{ return dlopen("{late}", RTLD_NOW) ? 0 : 3; }}\n'
        program = self.compile("opener", source, "-ldl")
        done = mmt("run", "--", program)
        plain = self.plainly(program)
        self.assertEqual((done.status, done.out), (plain.returncode, plain.stdout), done)
        self.assertNotIn("cannot serve", done.err)

    def test_library_that_is_opened_restarts_nothing(self):
        source = f'''
#include <dlfcn.h>
#include <unistd.h>
int main(void) {{
  if (write(1, "started\\n", 8) != 8) return 1;
  dlopen("{library()}", RTLD_NOW);
  return 5;
}}
'''
        program = self.compile("opener", source, "-fsanitize=leak", "-ldl")
        # Not found by that name, so that nothing is preloaded; it is what would be taken out.
        done = self.plainly(program, env=clean_environment(LD_PRELOAD="libmmt.so"))
        self.assertEqual((done.stdout, done.returncode), ("started\n", 5), done)


if __name__ == "__main__":
    main()
