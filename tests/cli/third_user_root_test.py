"""What a third user finds while verbs work, as root and as another: nothing to write to, nothing to read.

The shared folders are fresh file systems in a mount name space of this test alone. So all that lies
there comes from the verb.
"""

import ctypes
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from support import MMT, Lab, clean_environment, is_root, main

import machine  # of tests/support

OWNER = 54321
THIRD = 54322
SHARED = ("/dev/shm", "/tmp", "/run", "/var/tmp")
CLONE_NEWNS = 0x20000
MS_REC = 0x4000
MS_PRIVATE = 0x40000
# Allocates for a while, with children and threads, and says when it has begun.
PROGRAM = r"""
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static void* work(void* arg) {
  for (int i = 0; i < 20000; ++i) free(memset(malloc(100 + i % 9000), 1, 10));
  return arg;
}
int main(int argc, char** argv) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  pthread_join(thread, NULL);
  fork();
  work(NULL);
  if (argc > 1) fclose(fopen(argv[1], "a"));
  if (argc > 1) sleep(1);
  return 0;
}
"""


def mount_fresh_folders():
    """In a name space of this process."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(CLONE_NEWNS) != 0:
        raise unittest.SkipTest(f"no mount name space: {os.strerror(ctypes.get_errno())}")
    # By the calls themselves: the command leaves a folder in /run.
    if libc.mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None) != 0:
        raise unittest.SkipTest(f"mounts cannot be made private: {os.strerror(ctypes.get_errno())}")
    done = 0
    for folder in SHARED:
        mode = b"mode=0755" if folder == "/run" else b"mode=1777"
        done |= libc.mount(b"fresh", folder.encode(), b"tmpfs", 0, mode)
    if done != 0:
        raise OSError(ctypes.get_errno(), "cannot mount a fresh folder")


def setUpModule():
    if not is_root():
        raise unittest.SkipTest("only root can be two users")
    here = os.path.realpath(os.getcwd())
    tree = os.path.realpath(MMT)
    if any(f"{path}/".startswith(f"{folder}/") for path in (here, tree) for folder in SHARED):
        raise unittest.SkipTest("the tree lies in a shared folder")
    mount_fresh_folders()


def rights_of_caller(path):
    """What the caller may do with an entry; a folder that nobody may search cannot be read either."""
    rights = "".join(word for word, mode in (("r", os.R_OK), ("w", os.W_OK)) if os.access(path, mode))
    return rights if not os.path.isdir(path) or os.access(path, os.X_OK) else rights.replace("r", "")


def walk():
    """Lines of what the caller may read or write below the shared folders."""
    lines = []
    found = list(SHARED)
    while found:
        folder = found.pop()
        for entry in os.scandir(folder) if os.access(folder, os.R_OK | os.X_OK) else ():
            try:
                rights = "" if entry.is_symlink() else rights_of_caller(entry.path)
                if rights:
                    mode = entry.stat(follow_symlinks=False).st_mode
                    lines.append(f"{rights} {entry.path} {oct(mode)}")
                if entry.is_dir(follow_symlinks=False):
                    found.append(entry.path)
            except FileNotFoundError:
                pass  # gone meanwhile
    return lines


def seen_by_third_user():
    """walk() of that user: by a fork, as the interpreter may lie where others cannot run it."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.setgroups([])
            os.setresgid(THIRD, THIRD, THIRD)
            os.setresuid(THIRD, THIRD, THIRD)
            with os.fdopen(writer, "w") as stream:
                stream.write("\n".join(walk()))
            status = 0
        finally:
            os._exit(status)
    os.close(writer)
    with os.fdopen(reader) as stream:
        text = stream.read()
    _, status = os.waitpid(child, 0)
    if status != 0:
        raise RuntimeError("the third user's look failed")
    return text.splitlines()


class ThirdUser(Lab):
    @classmethod
    def setUpClass(cls):
        # An installation, programs and outputs, where every user gets to; a folder of the owner's for each.
        cls.public = pathlib.Path(tempfile.mkdtemp(prefix="mmt-third-user-", dir="/opt"))
        cls.addClassCleanup(shutil.rmtree, cls.public, ignore_errors=True)
        cls.public.chmod(0o755)
        build = pathlib.Path(os.path.realpath(MMT)).parent.parent
        subprocess.run(
            ["cmake", "--install", build, "--prefix", cls.public], check=True, capture_output=True, timeout=120
        )

    def setUp(self):
        super().setUp()
        self.mmt = self.public / "bin" / "mmt"
        self.program = self.public / "program"
        shutil.copy(self.compile("program", PROGRAM, "-pthread", "-fno-builtin"), self.program)
        self.assertEqual(seen_by_third_user(), [], "before anything was run")

    def start(self, user, *words, **variables):
        """A verb or another program at work, in a folder of that user's that nobody else may enter."""
        home = self.public / f"home-{user}"
        if not home.exists():
            home.mkdir(mode=0o700)
            os.chown(home, user, user)
        who = {"user": user, "group": user, "extra_groups": []} if user != 0 else {}
        process = subprocess.Popen(
            [str(word) for word in words], cwd=home,
            env=clean_environment(HOME=home, MMT_LIBRARY=None, TMPDIR=None, XDG_RUNTIME_DIR=None, **variables),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            start_new_session=True, umask=0, **who,
        )  # fmt: skip

        def end():
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()

        self.addCleanup(process.stdout.close)
        self.addCleanup(end)
        return home, process

    def assert_alone(self, *words, users=(0, OWNER), status=0, **variables):
        """Walks again and again until the verb has ended; the program marks that it has begun by a file."""
        for user in users:
            with self.subTest(user=user, words=words):
                home, process = self.start(user, *words, **variables)
                walks = 0
                end = time.monotonic() + 50
                while process.poll() is None and time.monotonic() < end:
                    self.assertEqual(seen_by_third_user(), [])
                    walks += (home / "begun").exists()
                    time.sleep(0.02)
                output = process.stdout.read()
                self.assertEqual(process.wait(timeout=10), status, output)
                self.assertEqual(seen_by_third_user(), [], "what was left")
                if "begun" in words:
                    self.assertGreater(walks, 0, "no walk while the program ran")
                    (home / "begun").unlink()

    def test_run(self):
        self.assert_alone(self.mmt, "run", "--", self.program, "begun")
        self.assert_alone(self.mmt, "run", "--stats", "--", self.program, "begun")
        self.assert_alone(self.mmt, "run", "--backend", "glibc", "--protocol", "async-free", "--", self.program, "begun")

    def test_statistics_in_shared_folders(self):
        for place in ("/tmp/", "/dev/shm/"):
            library = self.public / "lib" / "libmmt.so"
            self.assert_alone(self.program, "begun", LD_PRELOAD=library, MMT_STATS=place)

    def test_trace(self):
        self.assert_alone(self.mmt, "trace", "-o", "a.mmt", "--", self.program, "begun")
        self.assert_alone(self.mmt, "trace", "--sites", "-o", "a.mmt", "--", self.program, "begun")
        self.assert_alone(self.mmt, "trace", "--show", "a.mmt")
        self.assert_alone(self.mmt, "simulate", "a.mmt", users=[OWNER])

    def test_measures(self):
        self.assert_alone(self.mmt, "bench", "-q", "--runs", "1", "--allocators", "mmt", "--", self.program, users=[OWNER])
        self.assert_alone(self.mmt, "check", "--", self.program, users=[OWNER])
        self.assert_alone(self.mmt, "stats")
        self.assert_alone(self.mmt, "doctor", status=1 if machine.lacks("two-cpus") else 0)

    def test_studies_and_reports(self):
        study = (self.mmt, "study", "heap-layers", "--only", "figure-1", "--small", "--rounds", "1", "-q", "--output", "study")
        self.assert_alone(*study)
        self.assert_alone(self.mmt, "report", "study")


if __name__ == "__main__":
    main()
