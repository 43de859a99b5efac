"""Tasks in processes of this machine, several at a time."""

import concurrent.futures
import threading
import time

from . import task as tasks

PAUSE = 0.2  # seconds between two looks
LEAST = 1 << 20  # bytes of memory that a process is given


class Local:
    def __init__(self, program, jobs, memory):
        """`memory`: bytes of all processes together; 0: no bound is known."""
        self._program = program
        self._jobs = jobs
        self._memory = memory
        self._processes = set()
        self._lock = threading.Lock()
        self._is_over = False
        self._done = {}  # events, by task

    def run(self, todo, show):
        """[(task, Outcome)] in the order of `todo`. `show(share, left)` is called now and then. What its
        part of the memory does not do for goes again at the end, alone."""
        begun = time.monotonic()
        whole = sum(one.weight for one in todo) or 1
        at_a_time = min(self._jobs, len(todo)) or 1
        part = max(self._memory // at_a_time, LEAST) if self._memory else 0
        with concurrent.futures.ThreadPoolExecutor(self._jobs) as pool:
            futures = [pool.submit(self._run, at, one, part) for at, one in enumerate(todo)]
            try:
                while not all(future.done() for future in futures):
                    share = sum(list(self._done.values())) / whole
                    left = (time.monotonic() - begun) * (1 / share - 1) if share > 0.01 else None
                    show(share, left)
                    concurrent.futures.wait(futures, PAUSE)
            except BaseException:
                self._end()
                raise
            outcomes = [future.result() for future in futures]
            for at, one in enumerate(todo):
                if outcomes[at].lacks_memory and part < self._memory:
                    outcomes[at] = pool.submit(self._run, at, one, self._memory).result()
            return list(zip(todo, outcomes, strict=True))

    def _run(self, at, one, memory):
        share = one.weight / (len(one.allocators) or 1)
        events = one.weight / max(share, 1)

        def progress(done):
            self._done[at] = min(done * events, one.weight)

        try:
            return tasks.run(one, self._program, progress, self._add, memory)
        finally:
            self._done[at] = one.weight

    def _add(self, process):
        with self._lock:
            self._processes.add(process)
            if self._is_over:
                process.terminate()

    def _end(self):
        with self._lock:
            self._is_over = True
            for process in self._processes:
                if process.poll() is None:
                    process.terminate()
