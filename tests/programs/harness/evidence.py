"""Proof that the library was loaded in the programs that ran.

Two witnesses: the memory maps of running processes, and the statistics file that each process
under libmmt.so writes when it exits. The maps are read as fast as possible right after the start,
often until the library is seen. Then the pace is gentle, so that the program keeps its CPU. A third
one, the loader's own list (LD_TRACE_LOADED_OBJECTS), serves libraries that write no statistics.
"""

import json
import os
import subprocess
import threading
import time

from harness import processes

_EAGER_SECONDS = 0.03
_UNSEEN_PERIOD = 0.005
_SEEN_PERIOD = 0.1


def names_of(command):
    """The names under which a command may show up as a process."""
    return {os.path.basename(command)[:15], os.path.basename(os.path.realpath(command))[:15]}


def maps_library(pid, library):
    try:
        with open(f"/proc/{pid}/maps", "rb") as file:
            return f"/{library}".encode() in file.read()
    except OSError:
        return False


def running_name(pid):
    try:
        return os.path.basename(os.readlink(f"/proc/{pid}/exe"))[:15]
    except OSError:
        return None


class Watcher:
    """Collects names of programs seen with the library mapped, at and below one process."""

    def __init__(self, pid, library):
        self.seen = set()
        self._pid = pid
        self._library = library
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        if library:
            self._thread.start()

    def _look(self, pid):
        if maps_library(pid, self._library):
            name = running_name(pid)
            if name:
                self.seen.add(name)

    def _watch(self):
        end = time.monotonic() + _EAGER_SECONDS
        while time.monotonic() < end and not self.seen and not self._stop.is_set():
            self._look(self._pid)
        next_round = time.monotonic()
        while not self._stop.wait(_SEEN_PERIOD if self.seen else _UNSEEN_PERIOD):
            self._look(self._pid)
            if time.monotonic() >= next_round:
                for pid in processes.descendants(self._pid):
                    self._look(pid)
                next_round = time.monotonic() + _SEEN_PERIOD

    def finish(self):
        self._stop.set()
        if self._library:
            self._thread.join()
        return self.seen


class Statistics:
    """The folder into which processes under libmmt.so write `NAME.PID.json` when they exit."""

    def __init__(self, folder):
        self._folder = folder
        os.makedirs(folder, exist_ok=True)
        os.chmod(folder, 0o1777)
        self.take()

    def option(self):
        return f"stats={self._folder}/%e.%p.json"

    def take(self):
        """Names of the programs that reported, and allocated, since the last call."""
        names = set()
        for entry in os.listdir(self._folder):
            path = os.path.join(self._folder, entry)
            if _served(path):
                names.add(entry.rsplit(".", 2)[0][:15])
            os.unlink(path)
        return names


def _served(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        try:
            stats = json.load(file)["stats"]
        except (ValueError, KeyError):
            return False  # cut off: the process was killed while it wrote
    return stats["refills"] + stats["large_taken"] > 0


def loader_lists(allocator, command, env, **popen):
    """Whether the loader, started the same way, would load the library into `command`."""
    traced = ["/usr/bin/env", "LD_TRACE_LOADED_OBJECTS=1", command]
    argv, env = allocator.wrap(traced, env)
    listing = subprocess.run(argv, env=env, capture_output=True, timeout=20, check=False, **popen)
    return allocator.library.encode() in listing.stdout
