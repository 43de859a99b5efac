"""What `make install` puts below a prefix works from there: program, library, suites and what they
run, headers, manual page. It is small; debug symbols come apart."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile

from support import MMT, NOBODY, Lab, is_root, main, mmt

BUILD = pathlib.Path(os.path.abspath(MMT)).parents[1]
TOOLS = pathlib.Path(__file__).resolve().parents[2] / "tools"
# Limits in bytes, at most a third above what was measured: 1.59 MB, 272 kB, 1.73 MB, 14.9 MB.
MOST_OF_PROGRAM = 1_700_000
MOST_OF_LIBRARY = 310_000
MOST_OF_MODELS = 2_000_000
MOST_IN_ALL = 17_000_000


def is_elf(path):
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def readelf(*words):
    return subprocess.run(["readelf", *words], capture_output=True, text=True, check=True).stdout


def sections(path):
    return readelf("-SW", path)


def cmake_install(prefix, *component):
    done = subprocess.run(
        ["cmake", "--install", BUILD, "--prefix", prefix, *component],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise AssertionError(done.stderr)


def files_below(prefix):
    return [path for path in prefix.rglob("*") if path.is_file() and not path.is_symlink()]


class Installed(Lab):
    """What lies below a prefix; nothing here changes it."""

    @classmethod
    def setUpClass(cls):
        cls.prefix = pathlib.Path(tempfile.mkdtemp(prefix="cli-test-", dir=os.getcwd()))
        cls.addClassCleanup(shutil.rmtree, cls.prefix, ignore_errors=True)
        cmake_install(cls.prefix)
        cls.binary = cls.prefix / "bin" / "mmt"

    def test_runs_and_measures_from_there(self):
        self.assertEqual(mmt("run", "--strict", "--", "true", binary=self.binary).status, 0)
        report = self.folder / "report.json"
        done = mmt(
            "bench", "-q", "--runs", "1", "--only", "vectors", "--allocators", "mmt,glibc",
            "--json", report, "growth",
            binary=self.binary, cwd="/",
        )  # fmt: skip
        self.assertEqual(done.status, 0, done)
        (program,) = json.loads(report.read_text())["programs"]
        self.assertTrue(program["command"][0].startswith(str(self.prefix)), program["command"])
        for cell in program["cells"]:
            self.assertIsNone(cell["problem"], cell)

    def test_simulates_from_there(self):
        trace = self.prefix / "share" / "mmt" / "traces" / "gawk.mtr"
        done = mmt(
            "simulate", "-q", trace, "--allocator", "tlsf", "--real", "glibc", "--json", "-",
            binary=self.binary, cwd="/",
        )  # fmt: skip
        self.assertEqual(done.status, 0, done)
        told = json.loads(done.out)
        found = [one["allocator"] for part in ("results", "real") for one in told[part]]
        self.assertEqual(found, ["tlsf", "glibc"])

    def test_every_workload_of_a_suite_is_there(self):
        folder = self.prefix / "libexec" / "mmt" / "workloads"
        suites = list((self.prefix / "share" / "mmt" / "suites").glob("*.json"))
        self.assertTrue(suites)
        for suite in suites:
            for program in json.loads(suite.read_text())["programs"]:
                word = program["command"][0]
                if word.startswith("{workloads}"):
                    path = folder / word.removeprefix("{workloads}/")
                    self.assertTrue(os.access(path, os.X_OK), f"{suite.name}: {path}")

    def test_headers_and_manual_are_there(self):
        self.assertTrue((self.prefix / "include" / "mmt" / "sync" / "spsc_ring.h").exists())
        self.assertTrue((self.prefix / "share" / "man" / "man1" / "mmt.1").exists())

    def test_is_small(self):
        files = files_below(self.prefix)
        self.assertLess(self.binary.stat().st_size, MOST_OF_PROGRAM)
        self.assertLess((self.prefix / "lib" / "libmmt.so").stat().st_size, MOST_OF_LIBRARY)
        models = self.prefix / "libexec" / "mmt" / "mmt-replay-models"
        self.assertLess(models.stat().st_size, MOST_OF_MODELS)
        self.assertLess(sum(path.stat().st_size for path in files), MOST_IN_ALL)
        programs = [path for path in files if is_elf(path)]
        self.assertGreater(len(programs), 20)
        for path in programs:
            with self.subTest(path=path):
                self.assertNotIn(".debug_info", sections(path))
                self.assertNotIn(".symtab", sections(path))

    def test_is_hardened(self):
        """Everything loads anywhere and is bound before it runs; the command checks stack and buffers."""
        for path in (path for path in files_below(self.prefix) if is_elf(path)):
            with self.subTest(path=path):
                dynamic = readelf("-dW", path)
                self.assertRegex(dynamic, r"FLAGS_1.*NOW")
                self.assertIn("GNU_RELRO", readelf("-lW", path))
                self.assertIn("DYN", readelf("-hW", path))
                if path.parent.name != "lib":
                    self.assertRegex(dynamic, r"FLAGS_1.*PIE")
        for name in ("bin/mmt", "libexec/mmt/mmt-replay-models"):
            called = readelf("--dyn-syms", "-W", self.prefix / name)
            self.assertIn("__stack_chk_fail", called)
            self.assertRegex(called, r"__\w+_chk\b")
        self.assertNotIn("_chk", readelf("--dyn-syms", "-W", self.prefix / "lib" / "libmmt.so"))


class Install(Lab):
    """What installing and uninstalling do."""

    def function_in_debugger(self, file, function):
        words = ["gdb", "-nx", "-batch", "-iex", "set debuginfod enabled off"]
        done = subprocess.run(
            [*words, "-ex", f"info line {function}", file],
            capture_output=True,
            text=True,
            check=False,
        )
        return done.stdout + done.stderr

    def test_debug_symbols_come_apart(self):
        places = {"bin/mmt": "mmt::programs::own_path", "lib/libmmt.so": "mmt::heap::deallocate_large"}
        prefix = self.folder / "prefix"
        cmake_install(prefix)
        for file, function in places.items():
            self.assertIn("not defined", self.function_in_debugger(prefix / file, function))
        before = set(files_below(prefix))
        cmake_install(prefix, "--component", "debug")
        added = set(files_below(prefix)) - before
        self.assertEqual({path.parent.name for path in added}, {".debug"})
        for file, function in places.items():
            self.assertRegex(self.function_in_debugger(prefix / file, function), r"Line \d+ of \".*\.(?:cpp|h)\"")

    def make(self, tool, *words, status=0, user=None, **env):
        """What a goal of the Makefile does once all is built, below a DESTDIR."""
        script = TOOLS / tool
        if user is not None:  # this one may not enter the tree
            script = self.public_folder() / tool
            shutil.copy(TOOLS / tool, script)
        done = subprocess.run(
            [script, *words],
            env=os.environ | {"DESTDIR": str(self.folder / "stage")} | env,
            capture_output=True,
            text=True,
            user=user,
            check=False,
        )
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def test_is_uninstalled_whole_and_alone(self):
        stage = self.folder / "stage"
        (stage / "opt" / "x" / "bin").mkdir(parents=True)
        (stage / "opt" / "x" / "share" / "mmt").mkdir(parents=True)
        theirs = stage / "opt" / "x" / "share" / "mmt" / "notes"
        theirs.write_text("not ours")
        before = set(stage.rglob("*"))
        self.make("install.sh", BUILD, "/opt/x")
        self.make("install.sh", BUILD, "/opt/x", "debug")
        self.make("install.sh", BUILD, "/opt/x")
        for place in ("bin/mmt", "lib/libmmt.so", "lib/.debug/libmmt.so.debug"):
            self.assertTrue((stage / "opt" / "x" / place).exists(), place)
        lab = stage / "opt" / "x" / "share" / "mmt" / "lab"
        subprocess.run(["/usr/bin/python3", "-m", "compileall", "-q", lab], check=True)
        self.assertGreater(len(list(lab.rglob("*.pyc"))), 20)
        self.assertNotIn("still named", self.make("uninstall.sh", "/opt/x").stdout)
        self.assertEqual(set(stage.rglob("*")), before)

    def test_what_still_names_the_library_is_told(self):
        stage = self.folder / "stage"
        (stage / "opt" / "x" / "share" / "mmt").mkdir(parents=True)
        (stage / "opt" / "x" / "share" / "mmt" / "installed.txt").write_text("/opt/x/share/mmt/installed.txt\n")
        for place, library in (("systemd/system/a.service.d", "/opt/x"), ("cron.d", "/opt/x"), ("default", "/opt/y")):
            (stage / "etc" / place).mkdir(parents=True)
            text = f"LD_PRELOAD={library}/lib/libmmt.so\n"
            (stage / "etc" / place / "one").write_text(text, encoding="utf-8")
        told = self.make("uninstall.sh", "/opt/x").stdout
        self.assertIn("still named: /etc/systemd/system/a.service.d/one\nstill named: /etc/cron.d/one\nremoved ", told)

    def test_one_that_breaks_off_changes_nothing(self):
        """Programs start while files are written, and find each of them whole."""
        double = self.folder / "double" / "cmake"
        double.parent.mkdir()
        double.write_text(
            '#!/bin/sh\nmkdir -p "$DESTDIR/opt/x/lib"; echo half >"$DESTDIR/opt/x/lib/libmmt.so"; exit 3\n'
        )
        double.chmod(0o755)
        library = self.folder / "stage" / "opt" / "x" / "lib" / "libmmt.so"
        library.parent.mkdir(parents=True)
        library.write_text("whole")
        before = set((self.folder / "stage").rglob("*"))
        self.make("install.sh", BUILD, "/opt/x", status=3, PATH=f"{double.parent}:{os.environ['PATH']}")
        self.assertEqual(library.read_text(), "whole")
        self.assertEqual(set((self.folder / "stage").rglob("*")), before)

    def double(self, name, text):
        """A program of that name goes first; returns the PATH with it."""
        file = self.folder / "doubles" / name
        file.parent.mkdir(exist_ok=True)
        file.write_text("#!/bin/sh\n" + text, encoding="utf-8")
        file.chmod(0o755)
        return f"{file.parent}:{os.environ['PATH']}"

    def test_one_that_is_killed_is_uninstalled(self):
        """At each place where files are moved; also after another that came to its end."""
        stage = self.folder / "stage"
        stage.mkdir()
        self.double("cmake", 'for f in bin/mmt lib/one lib/two share/mmt/lab/a/b.py; do\n'
                    'mkdir -p "$DESTDIR/opt/x/${f%/*}"; echo >"$DESTDIR/opt/x/$f"; done\n')  # fmt: skip
        calls = self.folder / "calls"
        path = self.double("mv", f'echo >>{calls}; [ $(wc -l <{calls}) != "$AT" ] || kill -KILL 0; exec /bin/mv "$@"\n')
        self.make("install.sh", BUILD, "/opt/x", PATH=path, AT="0")
        moves = len(calls.read_text())
        self.make("uninstall.sh", "/opt/x")
        self.assertEqual(list(stage.rglob("*")), [])
        self.assertEqual(moves, 5)
        for again in (False, True):
            for at in range(1, moves + 1):
                calls.unlink()
                self.kill_install(path, at)
                if again:
                    self.make("install.sh", BUILD, "/opt/x", PATH=path, AT="0")
                self.make("uninstall.sh", "/opt/x")
                self.assertEqual(list(stage.rglob("*")), [], (again, at))

    def kill_install(self, path, at):
        done = subprocess.run(
            [TOOLS / "install.sh", BUILD, "/opt/x"],
            env=os.environ | {"DESTDIR": str(self.folder / "stage"), "PATH": path, "AT": str(at)},
            capture_output=True, text=True, check=False, start_new_session=True,
        )  # fmt: skip
        self.assertLess(done.returncode, 0, at)

    def test_uninstalling_that_breaks_off_goes_on(self):
        stage = self.folder / "stage"
        self.make("install.sh", BUILD, "/opt/x")
        path = self.double("rmdir", "kill -KILL 0\n")
        subprocess.run([TOOLS / "uninstall.sh", "/opt/x"], env=os.environ | {"DESTDIR": str(stage), "PATH": path},
                       capture_output=True, check=False, start_new_session=True)  # fmt: skip
        self.make("uninstall.sh", "/opt/x")
        self.assertEqual([path for path in stage.rglob("*") if path != stage / "opt"], [])

    def test_everybody_may_use_what_is_installed(self):
        before = os.umask(0o077)
        self.addCleanup(os.umask, before)
        self.make("install.sh", BUILD, "/opt/x")
        for path in (self.folder / "stage/opt/x").rglob("*"):
            self.assertEqual(path.stat().st_mode & 0o044, 0o044, path)

    def test_from_places_with_spaces_nothing_could_be_preloaded(self):
        for prefix in ("/opt/a b", "/opt/a:b", "/opt/$LIB"):
            told = self.make("install.sh", BUILD, prefix, status=1).stderr
            self.assertRegex(told, r"\Ainstall: the dynamic linker preloads nothing from .*\n\Z")
            self.assertFalse((self.folder / "stage").exists())

    def test_paths_are_taken_as_meant(self):
        for prefix in ("/", "//opt//x//"):
            with self.subTest(prefix=prefix):
                stage = self.folder / prefix.replace("/", "_")
                stage.mkdir()
                self.make("install.sh", BUILD, prefix, DESTDIR=str(stage))
                self.make("uninstall.sh", prefix, DESTDIR=str(stage))
                self.assertEqual(list(stage.rglob("*")), [])

    def test_make_hands_both_the_same_folders(self):
        for goal, words in (("install", "tools/install.sh build/release '/opt/x'"),
                            ("uninstall", "tools/uninstall.sh '/opt/x'")):  # fmt: skip
            done = subprocess.run(
                ["make", "-n", "-C", TOOLS.parent, goal, "PREFIX=/opt/x", "DESTDIR=/stage"],
                capture_output=True, text=True, check=True,
            )  # fmt: skip
            self.assertIn(f"DESTDIR='/stage' {words}\n", done.stdout)
            self.assertEqual(goal == "install", "mmt check -- PROGRAM" in done.stdout)

    def test_another_user_is_told_of_sudo(self):
        stage = self.public_folder()
        place = stage / "opt" / "x" / "share" / "mmt"
        place.mkdir(parents=True)
        (place / "installed.txt").write_text("/opt/x/share/mmt/installed.txt\n")
        place.chmod(0o555)
        self.addCleanup(place.chmod, 0o755)
        nobody = NOBODY if is_root() else None
        told = self.make("uninstall.sh", "/opt/x", status=1, user=nobody, DESTDIR=str(stage)).stderr
        self.assertRegex(told, r"\Auninstall: \S+/installed\.txt .*: sudo make uninstall\n\Z")
        self.assertTrue((place / "installed.txt").exists())

    def test_what_is_not_installed_cannot_be_uninstalled(self):
        done = self.make("uninstall.sh", "/opt/x", status=1)
        self.assertIn("/opt/x/share/mmt/installed.txt", done.stderr)
        self.assertIn("PREFIX", done.stderr)


if __name__ == "__main__":
    main()
