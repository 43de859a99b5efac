"""What the front door does before it builds: whose the build is, what pip and npm are told, which
folders it refuses. pip and npm are doubles."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))
import unittest_main

OWNER = 12345  # nobody's name


class Setup(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.root.chmod(0o755)
        (self.root / "tools").mkdir()
        (self.root / "packages").mkdir()

    def tool(self, name, *words, **environment):
        copy = self.root / "tools" / name
        shutil.copy(ROOT / "tools" / name, copy)
        return subprocess.run(
            [copy, *words], env={**os.environ, **environment}, cwd="/",
            capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip

    def script(self, path, text):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{text}\n")
        path.chmod(0o755)

    def test_who_builds_builds_in_a_folder_of_ones_own(self):
        told = self.tool("as_owner.sh", "sh", "-c", "id -u; pwd")
        self.assertEqual(told.stdout, f"{os.geteuid()}\n{self.root}\n", told.stderr)

    @unittest.skipIf(os.geteuid() != 0, "only root can")
    def test_root_builds_as_the_owner(self):
        os.chown(self.root, OWNER, OWNER)
        told = self.tool("as_owner.sh", "sh", "-c", "id -u; id -g; id -G; echo $HOME")
        self.assertEqual(told.stdout, f"{OWNER}\n{OWNER}\n{OWNER}\n/\n", told.stderr)
        (self.root / "build").mkdir()  # by root
        self.assertEqual(self.tool("as_owner.sh", "id", "-u").stdout, "0\n")
        self.assertEqual(self.tool("as_owner.sh", "sh", "-c", "exit 7").returncode, 7)

    def pip(self, text):
        """`system` python3 with the double of pip, by a copy of the script that runs it."""
        script = ROOT / "tools/install_pypi.sh"
        python = self.root / "bin/python3"
        self.script(python, f'[ "$2" = pip ] || exec /usr/bin/python3 "$@"\n{text}')
        (self.root / "packages/pypi.txt").write_text("pyarrow==19.0.1 --hash=sha256:0\n")
        copy = self.root / "tools/install_pypi.sh"
        copy.write_text(script.read_text().replace("system=/usr/bin/python3", f"system={python}"))
        copy.chmod(0o755)
        return copy

    def test_settings_of_pip_do_not_count(self):
        seen = self.root / "seen"
        copy = self.pip(f'env >{seen}; echo "$@" >>{seen}')
        strange = {"PIP_USER": "1", "PIP_TARGET": "/x", "PYTHONHOME": "/x", "PIP_CERT": "/cert", "TMPDIR": "/nonexistent"}
        done = subprocess.run([copy], env={**os.environ, **strange}, capture_output=True, text=True, check=False)
        told = seen.read_text()
        for name in ("PIP_USER", "PIP_TARGET", "PYTHONHOME", "TMPDIR"):
            self.assertNotRegex(told, rf"(?m)^{name}=", done.stderr)
        self.assertIn("PIP_CERT=/cert\n", told)
        self.assertRegex(told, r"(?m)^-m pip .*--no-user .*--require-hashes")

    def test_what_pip_puts_elsewhere_is_an_error(self):
        done = subprocess.run([self.pip("exit 0")], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"\Ainstall_pypi: pip has put these elsewhere.*: pyarrow==19\.0\.1\n\Z")

    def test_what_npm_puts_elsewhere_is_told(self):
        self.script(self.root / "bin/npm", "exit 0")
        (self.root / "packages/npm.txt").write_text("x@1\n")
        done = self.tool("install_npm.sh", PATH=f"{self.root}/bin:/usr/bin:/bin", HOME=str(self.root))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("npm has put x@1 elsewhere: reports will carry", done.stdout)

    def test_folders_that_nothing_is_preloaded_from_are_refused_first(self):
        for name in ("a b", "a:b", "a$b"):
            folder = self.root / name
            folder.mkdir()
            shutil.copy(ROOT / "Makefile", folder)
            done = subprocess.run(["make", "-C", folder], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 2)
            self.assertRegex(done.stderr, r"\*\*\* the path of this folder, .*: the dynamic linker preloads nothing")

    def test_what_the_user_compiles_with_does_not_count(self):
        shutil.copy(ROOT / "Makefile", self.root)
        makefile = (self.root / "Makefile").read_text()
        (self.root / "Makefile").write_text(makefile + "\nshow:\n\t@env\n")
        names = ("CFLAGS", "CXXFLAGS", "LDFLAGS", "CPATH", "LIBRARY_PATH")
        done = subprocess.run(["make", "-s", "-C", self.root, "show"], env={**os.environ, **dict.fromkeys(names, "-x")},
                              capture_output=True, text=True, check=False)  # fmt: skip
        self.assertEqual(done.returncode, 0, done.stderr)
        for name in names:
            self.assertNotRegex(done.stdout, rf"(?m)^{name}=")

    def test_presets_say_what_compiles(self):
        strange = {"CC": "/nonexistent", "CXX": "/nonexistent", "CFLAGS": "-x", "CXXFLAGS": "-x", "LDFLAGS": "-x"}
        done = subprocess.run(["cmake", "--preset", "release", "-B", self.root / "build"], cwd=ROOT,
                              env={**os.environ, **strange}, capture_output=True, text=True, check=False)  # fmt: skip
        self.assertEqual(done.returncode, 0, done.stderr)
        cache = (self.root / "build/CMakeCache.txt").read_text()
        self.assertRegex(cache, r"(?m)^CMAKE_CXX_COMPILER:\w+=\S*/g\+\+$")
        for name in ("C_FLAGS", "CXX_FLAGS", "SHARED_LINKER_FLAGS"):
            self.assertRegex(cache, rf"(?m)^CMAKE_{name}:\w+=$")


if __name__ == "__main__":
    unittest_main.main()
