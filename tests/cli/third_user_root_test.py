"""What a third user finds while verbs work, as root and as another: nothing to write to, nothing to read.

The shared folders are fresh file systems in a mount name space of this test alone, so that all that lies there
comes from the verb.
"""

import ctypes
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from support import MMT, Lab, clean_environment, is_root, library, main

OWNER = 54321
THIRD = 54322
SHARED = ("/dev/shm", "/tmp", "/run", "/var/tmp")
CLONE_NEWNS = 0x20000
# Prints what the third user may write, read or search below the shared folders; run as that user.
WALK = """
import os, stat, sys
for top in sys.argv[1:]:
    found = [top]
    while found:
        folder = found.pop()
        for entry in os.scandir(folder) if os.access(folder, os.R_OK | os.X_OK) else ():
            rights = "".join(
                word for word, mode in (("r", os.R_OK), ("w", os.W_OK)) if os.access(entry.path, mode, follow_symlinks=False)
            )
            if entry.is_dir(follow_symlinks=False):
                found.append(entry.path)
                rights = rights.replace("r", "") if not os.access(entry.path, os.X_OK) else rights
            if rights and not entry.is_symlink():
                print(rights, entry.path, oct(entry.stat(follow_symlinks=False).st_mode))
"""
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
    subprocess.run(["mount", "--make-rprivate", "/"], check=True)
    for folder in SHARED:
        mode = "0755" if folder == "/run" else "1777"
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"mode={mode}", "fresh", folder], check=True)


def setUpModule():
    if not is_root():
        raise unittest.SkipTest("only root can be two users")
    here = os.path.realpath(os.getcwd())
    tree = os.path.realpath(MMT)
    if any(f"{path}/".startswith(f"{folder}/") for path in (here, tree) for folder in SHARED):
        raise unittest.SkipTest("the tree lies in a shared folder")
    mount_fresh_folders()


def seen_by_third_user():
    done = subprocess.run(
        [sys.executable, "-I", "-c", WALK, *SHARED], user=THIRD, group=THIRD, extra_groups=[], capture_output=True,
        text=True, timeout=60, check=True, cwd="/",
    )  # fmt: skip
    return done.stdout.splitlines()


class ThirdUser(Lab):
    def setUp(self):
        super().setUp()
        # Programs and outputs, where every user gets to; a folder of the owner's for each.
        self.public = pathlib.Path(tempfile.mkdtemp(prefix="mmt-third-user-", dir="/opt"))
        self.addCleanup(shutil.rmtree, self.public, ignore_errors=True)
        self.public.chmod(0o755)
        (self.public / "bin").mkdir()
        (self.public / "lib").mkdir()
        shutil.copy(os.path.realpath(MMT), self.public / "bin" / "mmt")
        for one in pathlib.Path(library()).parent.glob("libmmt*.so"):
            shutil.copy(one, self.public / "lib")
        self.program = self.public / "program"
        shutil.copy(self.compile("program", PROGRAM, "-pthread", "-fno-builtin"), self.program)
        self.assertEqual(seen_by_third_user(), [], "before anything was run")

    def mmt(self, user, *words, **variables):
        """A verb at work, in a folder of that user's that nobody else may enter."""
        home = self.public / f"home-{user}"
        if not home.exists():
            home.mkdir(mode=0o700)
            os.chown(home, user, user)
        who = {"user": user, "group": user, "extra_groups": []} if user != 0 else {}
        process = subprocess.Popen(
            [self.public / "bin" / "mmt", *map(str, words)], cwd=home,
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
                home, process = self.mmt(user, *words, **variables)
                walks = 0
                end = time.monotonic() + 50
                while process.poll() is None and time.monotonic() < end:
                    self.assertEqual(seen_by_third_user(), [])
                    walks += (home / "begun").exists()
                output = process.stdout.read()
                self.assertEqual(process.wait(timeout=10), status, output)
                self.assertEqual(seen_by_third_user(), [], "what was left")
                if "begun" in words:
                    self.assertGreater(walks, 0, "no walk while the program ran")
                    (home / "begun").unlink()

    def test_run(self):
        self.assert_alone("run", "--", self.program, "begun")
        self.assert_alone("run", "--stats", "--", self.program, "begun")
        self.assert_alone("run", "--backend", "glibc", "--protocol", "async-free", "--", self.program, "begun")

    def test_statistics_in_shared_folders(self):
        for place in ("/tmp/", "/dev/shm/"):
            self.assert_alone("run", "--", self.program, "begun", MMT_STATS=place)

    def test_trace(self):
        self.assert_alone("trace", "-o", "a.mmt", "--", self.program, "begun")
        self.assert_alone("trace", "--sites", "-o", "a.mmt", "--", self.program, "begun")
        self.assert_alone("trace", "--show", "a.mmt")
        self.assert_alone("trace", "--export", "parquet", "-o", "a.parquet", "a.mmt")
        self.assert_alone("simulate", "a.mmt")

    def test_measures(self):
        self.assert_alone("bench", "-q", "--runs", "2", "--allocators", "mmt,glibc", "--", self.program, "begun")
        self.assert_alone("check", "--", self.program, "begun")
        self.assert_alone("stats")
        self.assert_alone("doctor")


if __name__ == "__main__":
    main()
