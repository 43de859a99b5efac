"""A long-running program under test: started, proved loaded, stopped by signal, reaped."""

import os
import signal
import socket
import subprocess
import time

from harness import evidence, processes


def free_port():
    """A port on 127.0.0.1 that nothing listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def listens(port):
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


class Server:
    """States: starting -> ready (wait_ready) -> ended (stop or kill)."""

    def __init__(self, lab, argv, env, popen, log, *, stop_signal=signal.SIGTERM, status=0):
        self._lab = lab
        self._log = log
        self._stop_signal = stop_signal
        self._status = status
        self.name = os.path.basename(log).removesuffix(".log")
        with open(log, "wb") as file:
            self.process = subprocess.Popen(
                argv,
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=file,
                start_new_session=True,
                preexec_fn=processes.dying_with_driver(),
                **popen,
            )

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if kind is None:
            self.stop()
        else:
            self._lab.problems.append(f"{self.name}: last lines of its log:\n{self.log_tail()}")
            self.kill()

    def log_tail(self):
        with open(self._log, "rb") as file:
            return file.read()[-2000:].decode(errors="replace")

    def wait_ready(self, ready, seconds=120):
        deadline = time.monotonic() + seconds
        while not ready():
            ended = self.process.poll() is not None
            if ended or time.monotonic() > deadline:
                self._lab.require(
                    False,
                    f"{self.name}: {'ended' if ended else 'not ready'} at start, "
                    f"status {self.process.returncode}\n{self.log_tail()}",
                )
            time.sleep(0.02)

    def pids(self):
        return [self.process.pid, *processes.descendants(self.process.pid)]

    def prove_loaded(self):
        """Every process of the server that is alive now must have the library mapped."""
        library = self._lab.allocator.library
        if not library:
            return
        for pid in self.pids():
            if os.path.basename(self._lab.allocator.path) == evidence.running_name(pid):
                continue  # `mmt run` itself, where it waits for its child
            if not evidence.maps_library(pid, library) and os.path.exists(f"/proc/{pid}/exe"):
                self._lab.problems.append(f"library not loaded in {processes.describe(pid)}")

    def stop(self, seconds=120):
        self.prove_loaded()
        self.process.send_signal(self._stop_signal)
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self._lab.problems.append(f"{self.name}: does not stop\n{self.log_tail()}")
            self.kill()
            return
        self._lab.observe(f"{self.name}: exit status", self.process.returncode)
        if self.process.returncode != self._status:
            self._lab.problems.append(
                f"{self.name}: exit status {self.process.returncode}\n{self.log_tail()}"
            )

    def kill(self):
        if self.process.poll() is None:
            for pid in self.pids():
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            self.process.wait()
