"""One model of an allocator on one trace, by the simulator; its figures by their places in the JSON
object (docs/simulator.md): nodes_searched.allocation.mean.
"""

import concurrent.futures
import json
import os
import subprocess

from ..text import json_input
from .launcher import RunFailed, clean_environment


def command(words, model):
    """The command line of a run. `words`: the simulator, the trace, where it is a part of it that is
    replayed the file that says which (traces/slices.py), and options."""
    program, trace, *more = words
    part = [one for one in more if not one.startswith("--")]
    missing = next((one for one in (trace, *part) if not os.path.isfile(one)), None)
    if missing:
        raise RunFailed(f"there is no '{missing}' ('mmt study abt-sbt --traces' makes it)")
    chosen = [one for one in more if one.startswith("--")]
    for path in part:
        told = _slice_in(path)
        chosen += [f"--first={told['first']}", f"--events={told['events']}"]
    return [program, trace, *chosen, "--allocator", *model]


def _slice_in(path):
    try:
        with open(path, "rb") as file:
            told = json_input.parse(file.read())
    except OSError as error:
        raise RunFailed(f"cannot read '{path}': {error.strerror}") from None
    except json_input.NotJson as wrong:
        raise RunFailed(f"'{path}' {wrong}") from None
    is_slice = isinstance(told, dict) and all(type(told.get(one)) is int for one in ("first", "events"))
    if not is_slice:
        raise RunFailed(f"'{path}' says of no slice where it begins and how long it is")
    return told


class _Processes:
    """The simulators that run now."""

    def __init__(self):
        self._running = set()

    def run(self, words, time_limit):
        """(exit status, standard output, standard error)."""
        process = subprocess.Popen(
            words,
            env=clean_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._running.add(process)
        try:
            out, err = process.communicate(timeout=time_limit)
        except subprocess.TimeoutExpired:
            raise RunFailed(f"took longer than {time_limit:g} s") from None
        finally:
            self._running.discard(process)
            if process.poll() is None:
                process.kill()
                process.communicate()
        return process.returncode, out, err

    def end(self):
        for one in list(self._running):
            one.kill()


_PROCESSES = _Processes()


def measure(words, model, time_limit):
    """{place: number}; RunFailed says why there is none. `model`: its name, and further options."""
    status, out, err = _PROCESSES.run(command(words, model), time_limit)
    if status:
        lines = err.strip().splitlines()
        raise RunFailed(lines[-1].removeprefix("mmt: ") if lines else f"exit status {status}")
    try:
        return flat(json.loads(out))
    except ValueError:
        raise RunFailed("the simulator printed something else than JSON") from None


def flat(told, place=""):
    """The numbers of nested objects, by the names that lead to them."""
    numbers = {}
    for name, value in told.items():
        if isinstance(value, dict):
            numbers |= flat(value, f"{place}{name}.")
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            numbers[place + name] = float(value)
    return numbers


def side_by_side(jobs, measure_one, stop=lambda: False):
    """Yields (job, {metric: value} or RunFailed) as they end, as many at once as there are CPUs. What
    has not begun when `stop` says so is left."""
    waiting = iter(jobs)
    cpus = len(os.sched_getaffinity(0))
    with concurrent.futures.ThreadPoolExecutor(cpus) as pool:
        going = {}

        def begin():
            while len(going) < cpus and not stop():
                job = next(waiting, None)
                if job is None:
                    return
                going[pool.submit(measure_one, job)] = job

        try:
            begin()
            while going:
                ended, _ = concurrent.futures.wait(
                    going, return_when=concurrent.futures.FIRST_COMPLETED
                )
                for one in ended:
                    job = going.pop(one)
                    problem = one.exception()
                    if problem is not None and not isinstance(problem, RunFailed):
                        raise problem
                    yield job, problem or one.result()
                begin()
        except BaseException:  # a signal's, too: nothing is waited for any more
            _PROCESSES.end()
            raise
