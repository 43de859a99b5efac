"""install_packages.sh, with doubles of dpkg-query, apt-get, id and sudo in front of the PATH."""

import ast
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Lists(unittest.TestCase):
    def test_make_brings_what_the_laboratory_imports_at_its_start(self):
        """Bare `make` leaves `mmt check` and `mmt bench` ready; what one function imports may be missing."""
        lines = (ROOT / "packages/build.txt").read_text(encoding="utf-8").splitlines()
        modules = set()
        for file in (ROOT / "lab/mmt_lab").rglob("*.py"):
            for node in ast.parse(file.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.Import):
                    modules |= {one.name.split(".")[0] for one in node.names}
                elif isinstance(node, ast.ImportFrom) and node.level == 0:
                    modules.add(node.module.split(".")[0])
        foreign = modules - sys.stdlib_module_names
        self.assertIn("numpy", foreign)
        self.assertLessEqual({"python3", *(f"python3-{one}" for one in foreign)}, set(lines))


class InstallPackagesTest(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.root = pathlib.Path(self._folder.name)
        (self.root / "tools").mkdir()
        (self.root / "packages").mkdir()
        (self.root / "bin").mkdir()
        for script in ("install_packages.sh", "install_apart.sh"):
            shutil.copy(ROOT / "tools" / script, self.root / "tools")
        (self.root / "packages/build.txt").write_text("# list\nalpha\nbeta # why\n\n")
        (self.root / "packages/test.txt").write_text("gamma\n")
        for tool in ("sh", "sed", "sort", "grep", "cat", "mktemp", "tail", "rm", "env", "dirname",
                     "sleep", "tee", "chmod", "setsid", "touch", "flock"):  # fmt: skip
            # The double is a script that calls the real tool, never a link to the tool. A double
            # written over a link would be written over the machine's own tool.
            self.double(tool, f'exec {shutil.which(tool)} "$@"')
        self.double("dpkg-query", "echo installed alpha; echo config-files beta; exit 1")
        self.double("apt-get", f'echo "$@" >>{self.root}/apt.log')
        self.double("dpkg", f'echo "$@" >>{self.root}/dpkg.log')
        self.double("id", "echo 0")

    def double(self, name, script):
        path = self.root / "bin" / name
        path.unlink(missing_ok=True)
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    def environment(self):
        bins, policy = str(self.root / "bin"), str(self.root / "policy-rc.d")
        return {"PATH": bins, "TMPDIR": str(self.root), "MMT_POLICY_RC": policy}

    def wait_for(self, condition):
        end = time.monotonic() + 60
        while not condition():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.02)

    def install(self, *lists, **environment):
        return subprocess.run(
            [self.root / "tools/install_packages.sh", *lists],
            env=self.environment() | environment,
            capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip

    def apt_log(self):
        log = self.root / "apt.log"
        return log.read_text() if log.exists() else ""

    def test_nothing_missing_is_silent(self):
        self.double("dpkg-query", "echo installed alpha; echo installed beta")
        result = self.install("build")
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))
        self.assertEqual(self.apt_log(), "")

    def test_missing_packages_are_named_and_installed(self):
        result = self.install("build", "test")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout, "installing Debian packages, which may take minutes: beta gamma\n")
        self.assertRegex(self.apt_log(), r"(?m) update$")
        self.assertRegex(self.apt_log(), r"(?m) install --no-install-recommends beta gamma$")

    def test_daemons_are_refused_while_installing_only(self):
        policy = self.root / "policy-rc.d"
        self.double("apt-get", f"cat {policy} >>{self.root}/seen")
        self.assertEqual(self.install("build").returncode, 0)
        self.assertIn("exit 101", (self.root / "seen").read_text())
        self.assertFalse(policy.exists())

    def test_a_killed_make_leaves_nothing_half_installed(self):
        """Each in its own way: the whole group at once, as the kernel's OOM killer or a terminal does."""
        policy, done = self.root / "policy-rc.d", self.root / "done"
        self.double("apt-get", f"touch {self.root}/begun; while [ ! -e {self.root}/go ]; do sleep 0.05; done; touch {done}")
        for number in (signal.SIGKILL, signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
            for name in ("begun", "go", "done"):
                (self.root / name).unlink(missing_ok=True)
            running = subprocess.Popen(
                [self.root / "tools/install_packages.sh", "build"], env=self.environment(),
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
            )  # fmt: skip
            self.wait_for((self.root / "begun").exists)
            os.killpg(running.pid, number)
            running.wait()
            (self.root / "go").touch()
            self.wait_for(lambda: done.exists() and not policy.exists())

    def test_what_a_dead_machine_has_left_is_put_right(self):
        policy = self.root / "policy-rc.d"
        self.double("apt-get", f"cp {policy} {self.root}/seen")
        self.double("cp", f'exec {shutil.which("cp")} "$@"')
        self.assertEqual(self.install("build").returncode, 0)
        shutil.copy(self.root / "seen", policy)
        self.double("dpkg", f'echo "$@" >>{self.root}/dpkg.log; [ "$1" != --audit ] || echo "beta is half installed"')
        self.assertEqual(self.install("build").returncode, 0)
        self.assertFalse(policy.exists())
        self.assertEqual((self.root / "dpkg.log").read_text().splitlines(), ["--audit", "--audit", "--configure -a"])

    def test_what_a_dead_machine_has_left_goes_where_nothing_is_missing(self):
        policy = self.root / "policy-rc.d"
        self.double("apt-get", f"cat {policy} >{self.root}/seen")
        self.assertEqual(self.install("build").returncode, 0)
        shutil.copy(self.root / "seen", policy)
        self.double("dpkg-query", "echo installed alpha; echo installed beta")
        result = self.install("build")
        self.assertEqual((result.returncode, result.stdout), (0, ""), result.stderr)
        self.assertFalse(policy.exists())
        policy.write_text("mine")
        self.assertEqual(self.install("build").returncode, 0)
        self.assertEqual(policy.read_text(), "mine")

    def test_of_two_at_once_none_goes_without_the_policy(self):
        policy, log = self.root / "policy-rc.d", self.root / "seen"
        self.double("apt-get", f"[ -e {policy} ] || echo none >>{log}; sleep 0.2; [ -e {policy} ] || echo none >>{log}")
        running = [
            subprocess.Popen([self.root / "tools/install_packages.sh", "build"], env=self.environment(),
                             stdout=subprocess.DEVNULL)  # fmt: skip
            for _ in range(3)
        ]
        self.assertEqual([one.wait() for one in running], [0, 0, 0])
        self.assertFalse(log.exists())
        self.assertFalse(policy.exists())

    def test_a_policy_that_is_there_stays(self):
        policy = self.root / "policy-rc.d"
        policy.write_text("mine")
        self.assertEqual(self.install("build").returncode, 0)
        self.assertEqual(policy.read_text(), "mine")

    def test_not_root_and_no_sudo(self):
        self.double("id", "echo 1000")
        result = self.install("build")
        self.assertEqual(result.returncode, 1)
        self.assertIn("no sudo; as root, run: apt-get install beta", result.stderr)

    def test_who_lacks_nothing_needs_no_root(self):
        """Also where a run that was killed has left something."""
        policy = self.root / "policy-rc.d"
        self.double("apt-get", f"cat {policy} >{self.root}/seen")
        self.assertEqual(self.install("build").returncode, 0)
        shutil.copy(self.root / "seen", policy)
        self.double("dpkg-query", "echo installed alpha; echo installed beta")
        self.double("id", "echo 1000")
        for sudo in (None, "exit 1"):
            if sudo:
                self.double("sudo", sudo)
            result = self.install("build")
            self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))

    def test_sudo_that_refuses(self):
        self.double("id", "echo 1000")
        self.double("sudo", "exit 1")
        result = self.install("build")
        self.assertEqual(result.returncode, 1)
        self.assertIn("sudo refuses", result.stderr)

    def test_sudo(self):
        self.double("id", "echo 1000")
        self.double("sudo", '[ "$1" = -n ] && shift; [ "$1" = true ] && exit; "$@"')
        self.double("true", ":")
        result = self.install("build")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("install --no-install-recommends beta", self.apt_log())

    def test_turned_off(self):
        result = self.install("build", MMT_INSTALL="0")
        self.assertEqual((result.returncode, self.apt_log()), (0, ""))

    def test_unknown_list(self):
        result = self.install("nothing")
        self.assertEqual(result.returncode, 1)
        self.assertIn("no list packages/nothing.txt", result.stderr)

    def test_failing_apt_is_an_error_with_its_words(self):
        self.double("apt-get", "echo no such mirror; exit 100")
        self.double("sleep", ":")
        result = self.install("build")
        self.assertEqual(result.returncode, 1)
        self.assertIn("no such mirror", result.stderr)
        self.assertIn("apt-get failed for: beta", result.stderr)

    def test_not_debian(self):
        (self.root / "bin/dpkg-query").unlink()
        result = self.install("build")
        self.assertEqual(result.returncode, 1)
        self.assertIn("not a Debian machine", result.stderr)


if __name__ == "__main__":
    unittest.main()
