#!/usr/bin/env -S python3 -SB
"""Runs one test program under a preloaded allocator and judges it.

The preload reaches the test program only, never this process. The program runs in a session of its
own, and whatever it leaves behind is killed at the end. It is killed at once when it takes the
machine's memory. What a test expects stands in the head of its source, one directive a line:

    // @exit 0 | SIGABRT          status or signal (default 0)
    // @stderr REGEX              must be found; @stderr-not REGEX must not; the same for stdout
    // @stdout-xml                standard output must be well-formed XML
    // @env NAME=VALUE            {lib} and {dir} (a fresh empty folder) are filled in
    // @args ...  @soak ...       arguments, in the short run and in the soak run
    // @timeout N  @soak-timeout N  seconds (default 60, 3600)
    // @launch CMD ...            prefix, runs without the preload (taskset, setpriv)
    // @only KIND ...             means nothing under another kind of allocator
    // @memory-thread             means nothing with server=off, or but mmt
    // @without NAME ...          means nothing under these layered heaps, nor over these, glibc or
    //                            library files of that name behind a protocol; layered: all heaps,
    //                            offloaded: those with a memory thread
    // @freed-at-once             means nothing where another thread frees, some time later
    // @root                      only root can do it: skipped for others
    // @needs NAME ...            what support/machine.py can look for: skipped where it is lacking

A program that ends with 77 has found so itself, and says why in its last line.

A directive with a tag, as in `@exit[glibc] SIGABRT`, replaces the plain one when the allocator is
that. It is `mmt`, `layered` (libmmt-NAME.so), `glibc` (no preload), `peer`, or `protocol`:
libmmt-protocol-NAME.so, with the library of --depot behind it. MMT_TEST_LIB=none|PATH overrides
--lib, and MMT_TEST_OPTIONS=a=b:c=d is put before the options of the test. preload_tests.cmake
registers no test where it means nothing (directives.py); started there all the same it counts as skipped.
"""

import argparse
import ctypes
import os
import re
import resource
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from directives import Expectation, allocator_kind, means_nothing

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
SKIPPED = 77  # as preload_tests.cmake tells ctest


def children_of(pid):
    found = []
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            with open(f"/proc/{entry}/stat", encoding="latin-1") as f:
                fields = f.read().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            found.append((int(entry), fields[0]))
    return found


def reap_strays(patience=1.0):
    """Kills what the program left behind (as subreaper we are its parent). Returns how many lived:
    what is just ending, its descriptors closed already, has `patience` seconds for it."""
    living = 0
    until = time.monotonic() + patience
    while any(state != "Z" for _, state in children_of(os.getpid())) and time.monotonic() < until:
        time.sleep(0.01)
    for _ in range(50):
        strays = children_of(os.getpid())
        if not strays:
            break
        for pid, state in strays:
            if state != "Z":
                living += 1
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            try:
                os.waitpid(pid, 0)
            except ChildProcessError:
                pass
    return living


def status_text(code):
    if code is None:
        return "killed"
    if code < 0:
        return signal.Signals(-code).name
    return str(code)


def stacks(pid):
    """State and kernel wait of each thread of a hung program, for the report."""
    lines = []
    for tid in sorted(os.listdir(f"/proc/{pid}/task")):
        try:
            with open(f"/proc/{pid}/task/{tid}/stat", encoding="latin-1") as f:
                state = f.read().rpartition(")")[2].split()[0]
            with open(f"/proc/{pid}/task/{tid}/wchan", encoding="latin-1") as f:
                wchan = f.read()
            with open(f"/proc/{pid}/task/{tid}/comm", encoding="latin-1") as f:
                comm = f.read().strip()
            lines.append(f"  thread {tid} {comm}: {state} {wchan}")
        except OSError:
            pass
    return "\n".join(lines)


def memory_is_short():
    """Whether hardly any of the machine's memory is still to be had: 15%, or 1 GiB of a large one."""
    numbers = {}
    with open("/proc/meminfo", encoding="ascii") as f:
        for line in f:
            key, value = line.split(":")
            numbers[key] = int(value.split()[0])
    return numbers["MemAvailable"] < min(numbers["MemTotal"] * 15 // 100, 1 << 20)


def wait_guarded(process, limit):
    """Waits for the program. Returns its status, or None and why it was killed."""
    end = time.monotonic() + limit
    ended = select.poll()
    ended.register(os.pidfd_open(process.pid), select.POLLIN)
    while True:
        if ended.poll(50):
            return process.wait(), ""
        reason = None
        if time.monotonic() > end:
            reason = f"timeout after {limit:.0f} s; threads then:\n{stacks(process.pid)}"
        elif memory_is_short():
            sys.path.insert(0, f"{os.path.dirname(os.path.abspath(__file__))}/../tools")
            from test_run import memory  # here: hardly any test needs it

            reason = f"killed: the machine was running out of memory: {memory.warning(needed=1 << 60)}"
        if reason:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return None, reason


def judge(expect, code, out, err, lib):
    problems = []
    wanted = expect.one("exit", "0")
    if status_text(code) != wanted:
        problems.append(f"ended with {status_text(code)}, expected {wanted}")
    for name, text in (("stderr", err), ("stdout", out)):
        for pattern in expect.all(name):
            if not re.search(pattern, text, re.MULTILINE):
                problems.append(f"{name} lacks /{pattern}/")
        for pattern in expect.all(name + "-not"):
            if re.search(pattern, text, re.MULTILINE):
                problems.append(f"{name} has /{pattern}/")
    if "stdout-xml" in expect.values:
        import xml.etree.ElementTree  # here: few need it, and all would wait for it

        try:
            xml.etree.ElementTree.fromstring(out)
        except xml.etree.ElementTree.ParseError as e:
            problems.append(f"stdout is no XML: {e}")
    if lib and re.search(r"object .* cannot be preloaded", err):
        problems.append("the dynamic linker refused the library")
    return problems


def parse_args(argv):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--lib", required=True, help="library to preload, or none")
    parser.add_argument("--depot", help="library behind it, for a protocol's; default: none, glibc")
    parser.add_argument("--source", help="source file with the directives")
    parser.add_argument("--soak", action="store_true", help="the long run (@soak arguments)")
    parser.add_argument("--verbose", action="store_true", help="show the output of a pass too")
    parser.add_argument("program", nargs="+")
    return parser.parse_args(argv)


def main(argv):
    args = parse_args(argv)
    lib = os.environ.get("MMT_TEST_LIB") or args.lib
    lib = None if lib == "none" else os.path.realpath(lib)
    if lib and not os.path.exists(lib):
        print(f"no such library: {lib}")
        return 1
    kind = allocator_kind(lib)
    expect = Expectation(args.source, kind)
    if means_nothing(expect, kind, lib, args.depot if kind == "protocol" else lib):
        print(f"skipped: means nothing under {kind}")
        return SKIPPED
    if "root" in expect.values and os.geteuid() != 0:
        print("skipped: only root can do it")
        return SKIPPED
    if "needs" in expect.values:
        sys.path.insert(0, f"{os.path.dirname(os.path.abspath(__file__))}/support")
        import machine  # here: few need it, and all would wait for it

        why = machine.lacks(*expect.one("needs").split())
        if why:
            print(f"not tried here: {why}")
            return SKIPPED

    folder = tempfile.mkdtemp(prefix="mmt-test-")
    os.chmod(folder, 0o777)
    extra = {}
    if lib:
        extra["LD_PRELOAD"] = f"{lib}:{os.path.realpath(args.depot)}" if args.depot else lib
        extra["PRELOAD_PROOF_LIB"] = lib
    for item in expect.all("env"):
        name, _, value = item.partition("=")
        extra[name] = value.replace("{lib}", lib or "").replace("{dir}", folder)
    more = os.environ.get("MMT_TEST_OPTIONS")
    if more and kind == "mmt":
        extra["MMT_OPTIONS"] = ":".join(filter(None, [more, extra.get("MMT_OPTIONS")]))
    words = expect.one("soak" if args.soak else "args", "").split()
    command = list(args.program) + words
    launch = expect.one("launch", "").split()
    settings = [f"{k}={v}" for k, v in extra.items()]
    env = {k: v for k, v in os.environ.items() if not k.startswith(("MMT_", "LD_PRELOAD"))}
    if launch:
        command = launch + ["env"] + settings + command
        shown = " ".join(command)
    else:
        env.update(extra)
        shown = " ".join(settings + command)
    limit = float(expect.one("soak-timeout", "3600") if args.soak else expect.one("timeout", "60"))

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with open("/proc/self/oom_score_adj", "w", encoding="ascii") as f:
        f.write("1000")
    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    out_path, err_path = os.path.join(folder, ".stdout"), os.path.join(folder, ".stderr")
    started = time.monotonic()
    with open(out_path, "wb") as out_file, open(err_path, "wb") as err_file:
        process = subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, stdout=out_file,
                                   stderr=err_file, start_new_session=True, cwd=folder,
                                   # One of real-time threads would go on for ever without us.
                                   preexec_fn=lambda: libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0))
        code, killed = wait_guarded(process, limit)
    took = time.monotonic() - started
    strays = reap_strays(0 if "leaves-children" in expect.values else 1.0)
    with open(out_path, encoding="utf-8", errors="replace") as f:
        out = f.read()
    with open(err_path, encoding="utf-8", errors="replace") as f:
        err = f.read()
    shutil.rmtree(folder, ignore_errors=True)

    if code == SKIPPED and expect.one("exit", "0") == "0":
        print(f"not tried here: {(err + out).strip().splitlines()[-1] if (err + out).strip() else 'it does not say why'}")
        return SKIPPED
    problems = judge(expect, code, out, err, lib)
    if killed:
        problems[0] = killed
    if strays and code is not None and "leaves-children" not in expect.values:
        problems.append(f"{strays} processes left behind")
    if not problems and not args.verbose:
        print(f"ok in {took:.2f} s ({kind})")
        return 0
    for problem in problems:
        print("FAILED:", problem)
    print(f"took {took:.2f} s; reproduce: {shown}")
    print("--- stdout\n" + out[-4000:] + "--- stderr\n" + err[-8000:])
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
