"""What a case sees: a folder of its own, programs to run, and a record of what they did.

A case runs once in a Lab with the plain allocator and once in another Lab with the one under
test. Both use the same folder name and environment, so every path and message can be compared.
Whatever is recorded here must be the same in both.
"""

import os
import pwd
import shutil
import signal
import subprocess
import time
from collections import namedtuple

from harness import evidence, processes
from harness.server import Server

Outcome = namedtuple("Outcome", "status stdout stderr")
_UNPRIVILEGED = "nobody"
_GRACE_SECONDS = 2.0  # for processes that are on their way out when a case ends


class CaseFailure(Exception):
    """The case itself found something wrong."""


class Lab:
    def __init__(self, allocator, folder, staging):
        self.allocator = allocator
        self.folder = folder
        self.records = []
        self.problems = []
        self._staging = staging
        self._statistics = evidence.Statistics(os.path.join(staging, "stats"))
        self._listed = {}
        self._servers = []
        os.makedirs(folder)
        os.chmod(folder, 0o755)

    # Files.

    def path(self, *parts):
        return os.path.join(self.folder, *parts)

    def write(self, name, text, mode=0o644):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        data = text.encode() if isinstance(text, str) else text
        with open(path, "wb") as file:
            file.write(data)
        os.chmod(path, mode)
        return path

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    # The record.

    def observe(self, label, value):
        self.records.append((label, value))

    def require(self, condition, message):
        if not condition:
            raise CaseFailure(message)

    # Programs.

    def environment(self, extra=None):
        env = {
            "HOME": self.folder,
            "LANG": "C.UTF-8",
            "LC_ALL": "C.UTF-8",
            "PATH": "/usr/local/sbin:/usr/sbin:/sbin:/usr/bin:/bin",
            "TMPDIR": self.folder,
            "TZ": "UTC",
            **(extra or {}),
        }
        if self.allocator.reports:
            options = [self.allocator.options, self._statistics.option()]
            env["MMT_OPTIONS"] = ":".join(filter(None, options))
        return env

    def unprivileged(self):
        """Popen arguments for an ordinary user: `nobody` when we are root, else ourselves."""
        if os.geteuid() != 0:
            return {}
        entry = pwd.getpwnam(_UNPRIVILEGED)
        return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}

    def give_to_unprivileged(self, *parts):
        path = self.path(*parts)
        os.makedirs(path, exist_ok=True)
        if os.geteuid() == 0:
            entry = pwd.getpwnam(_UNPRIVILEGED)
            os.chown(path, entry.pw_uid, entry.pw_gid)
        return path

    def run(
        self,
        argv,
        *,
        stdin=b"",
        env=None,
        cwd=None,
        status=0,
        stderr=True,
        clean=None,
        record=True,
        label=None,
        loads=None,
        timeout=60,
        ordinary=False,
    ):
        """Runs one program to its end and records status, stdout and (unless stderr=False) stderr.

        `status` is what it must exit with (negative: killed by that signal). `clean` maps the
        output bytes to the part that must not change. `loads` names further programs of the process
        tree in which the library must have been; an empty list: in none, not even argv[0].
        `ordinary` asks for an ordinary user.
        """
        command = self._find(argv[0])
        popen, argv, env = self._prepare([command, *argv[1:]], env, cwd, ordinary)
        data = stdin.encode() if isinstance(stdin, str) else stdin
        process = subprocess.Popen(
            argv,
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            preexec_fn=processes.dying_with_driver(),
            **popen,
        )
        watcher = evidence.Watcher(process.pid, self.allocator.library)
        label = label or " ".join([os.path.basename(command), *argv[-1:]])[:60]
        try:
            out, err = process.communicate(data, timeout=timeout)
        except subprocess.TimeoutExpired as late:
            os.killpg(process.pid, signal.SIGKILL)
            for stream in (process.stdin, process.stdout, process.stderr):
                stream.close()
            process.wait()
            raise CaseFailure(f"{label}: still running after {timeout} s") from late
        finally:
            seen = watcher.finish()
        self._prove(label, command, loads, seen, env, popen)
        if clean:
            out, err = clean(out), clean(err)
        outcome = Outcome(process.returncode, out, err)
        if record:
            kept = outcome if stderr else outcome._replace(stderr=b"")
            for part, value in kept._asdict().items():
                self.observe(f"{label}: {part}", value)
        if status is not None and outcome.status != status:
            tail = (err or out)[-2000:].decode(errors="replace")
            raise CaseFailure(f"{label}: exit status {outcome.status}, not {status}\n{tail}")
        return outcome

    def probe(self, argv):
        """The output of a program run plainly, or None when it fails: is a server there yet?"""
        command = [self._find(argv[0]), *argv[1:]]
        done = subprocess.run(
            command,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=10,
            check=False,
        )
        return done.stdout if done.returncode == 0 else None

    def server(self, argv, *, ready, env=None, cwd=None, ordinary=False, **options):
        """Starts a server (see Server) and waits until `ready()`; use it in a `with` statement."""
        command = self._find(argv[0])
        popen, argv, env = self._prepare([command, *argv[1:]], env, cwd, ordinary)
        log = self.path(f"{os.path.basename(command)}.log")
        server = Server(self, argv, env, popen, log, **options)
        self._servers.append(server)
        server.wait_ready(ready)
        return server

    def close(self):
        """Ends what still runs. A process that nobody waited for is a problem of the run."""
        for server in self._servers:
            server.kill()
        stray = processes.wait_until_gone(_GRACE_SECONDS)
        if stray:
            names = ", ".join(processes.describe(pid) for pid in stray)
            self.problems.append(f"left processes behind: {names}")
            processes.kill_all()

    # Internals.

    def _find(self, name):
        found = shutil.which(name, path=self.environment()["PATH"])
        if not found:
            raise CaseFailure(f"{name}: not installed (see packages/test.txt)")
        return found

    def _prepare(self, argv, env, cwd, ordinary):
        allocator, popen = self.allocator, {"cwd": cwd or self.folder}
        if ordinary:
            popen.update(self.unprivileged())
            allocator = allocator.staged_for_others(os.path.join(self._staging, "public"))
        argv, env = allocator.wrap(argv, self.environment(env))
        return popen, argv, env

    def _prove(self, label, command, loads, seen, env, popen):
        if not self.allocator.library:
            return
        reported = self._statistics.take() if self.allocator.reports else set()
        present = seen | reported
        if loads == []:
            if present:
                self.problems.append(f"{label}: library loaded in {sorted(present)}")
            return
        for name in [command, *map(self._find, loads or [])]:
            if not self.allocator.reports and not names_in(name, present):
                present |= self._listed_names(name, env, popen)
            if not names_in(name, present):
                where = ", ".join(sorted(present)) or "nothing"
                self.problems.append(f"{label}: library not loaded in {name}, only in {where}")

    def _listed_names(self, command, env, popen):
        if command not in self._listed:
            plain = {k: v for k, v in env.items() if k != "LD_PRELOAD"}
            self._listed[command] = evidence.loader_lists(self.allocator, command, plain, **popen)
        return evidence.names_of(command) if self._listed[command] else set()


def names_in(command, present):
    return bool(evidence.names_of(command) & present)


def wait_for(condition, seconds, what):
    """Polls until `condition()` is true."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise CaseFailure(f"{what}: not within {seconds} s")
        time.sleep(0.02)
