"""Today's peers: what is kept, what is refused, on clients of registries that do not exist."""

import os
import pathlib
import stat
import unittest
from unittest import mock

import lab_support
from mmt_lab.command.failure import Failure
from mmt_lab.peers import builds, folder, sources
from mmt_lab.peers.pins import PINS


class Peers(lab_support.Bench):
    def setUp(self):
        super().setUp()
        self.made = []
        self.kept = self.folder / "kept"

    def build(self, pin, work):
        self.made.append(pin.name)
        library = work / "result.so"
        library.write_text(pin.version)
        return library

    def provide(self):
        with (
            mock.patch.object(builds, "build", self.build),
            mock.patch.object(folder.commands, "require"),
            mock.patch.object(folder, "tell"),
        ):
            return folder.provide(self.kept)

    def test_each_is_built_once(self):
        first = self.provide()
        self.assertEqual(self.made, [one.name for one in PINS])
        self.assertEqual(self.provide(), first)
        self.assertEqual(len(self.made), len(PINS))
        for pin in PINS:
            path, version = first[pin.name]
            self.assertEqual((pathlib.Path(path).read_text(), version), (pin.version, pin.version))
        self.assertEqual(len(list(self.kept.iterdir())), len(PINS) + 1, "folders, and the lock")

    def test_one_that_fails_is_not_kept(self):
        with mock.patch.object(self, "build", mock.Mock(side_effect=Failure("no"))):
            with self.assertRaises(Failure):
                self.provide()
        self.provide()
        self.assertEqual(self.made, [one.name for one in PINS])

    def test_missing_programs_are_named(self):
        status, out, err = self.bench("--peers", "today", "--peers-folder", "kept", "--", "true", PATH="/none")
        self.assertEqual((status, out), (1, ""))
        self.assertRegex(err, r"^mmt: --peers today needs pip \(package python3-pip\), cargo [^\n]*\n$")
        self.assertFalse(self.kept.exists(), "nothing was begun")

    def test_another_file_than_the_pinned_is_refused(self):
        script = 'for last; do :; done; while [ "$1" != --dest ]; do shift; done; echo x > "$2/x.whl"'
        pip = self.folder / "pip3"
        pip.write_text(f"#!/bin/sh\n{script}\n")
        pip.chmod(pip.stat().st_mode | stat.S_IXUSR)
        work = self.folder / "work"
        work.mkdir()
        with mock.patch.dict(os.environ, {"PATH": f"{self.folder}:{os.environ['PATH']}"}):
            with self.assertRaisesRegex(Failure, "'x.whl' is not the file that was pinned"):
                sources.wheel(PINS[0], work)

    def test_a_client_that_fails_says_why(self):
        cargo = self.folder / "cargo"
        cargo.write_text("#!/bin/sh\necho no network >&2\nexit 101\n")
        cargo.chmod(0o755)
        work = self.folder / "work"
        work.mkdir()
        with mock.patch.dict(os.environ, {"PATH": f"{self.folder}:{os.environ['PATH']}"}):
            with self.assertRaisesRegex(Failure, "cannot fetch tikv-jemalloc-sys: no network"):
                sources.crate(PINS[1], work)

    def bench(self, *arguments, **variables):
        import subprocess

        done = subprocess.run(
            [self.binary, "bench", *map(str, arguments)], cwd=self.folder, text=True, check=False,
            env=lab_support.clean_environment(**variables), capture_output=True, timeout=60,
        )  # fmt: skip
        return done.returncode, done.stdout, done.stderr


if __name__ == "__main__":
    unittest.main(verbosity=2)
