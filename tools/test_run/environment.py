"""The environment of the stages: the same on every machine, whatever its user has set."""

import os
import pathlib
import pwd
import re
import shutil
import signal
import sys

SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
# What says how to build, and is given on purpose. Nothing here reaches a test's result.
KEPT = re.compile(r"CCACHE_\w+|CMAKE_(C|CXX)_COMPILER_LAUNCHER|CMAKE_BUILD_PARALLEL_LEVEL")


def adopt(home, path):
    """Makes it this process's own: `home` is an empty folder then, programs are looked for in `path`."""
    given = {name: value for name, value in os.environ.items() if KEPT.fullmatch(name)}
    if "CMAKE_CXX_COMPILER_LAUNCHER" in given and "HOME" in os.environ:
        # What the user's builds have cached serves these.
        given.setdefault("CCACHE_DIR", str(pathlib.Path(os.environ["HOME"]) / ".cache/ccache"))
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir(parents=True)
    os.environ.clear()
    os.environ.update(
        given, PATH=path, HOME=str(home), USER=user_name(), LANG="C.UTF-8", TERM="dumb", CLICOLOR="0",
        TEST_TMPDIR=str(home),  # where GoogleTest's tests write, which remove nothing
    )
    os.umask(0o022)
    # Not those that `nohup` and a shell's `&` leave ignored: a user who ran it so wants it to go
    # on.
    for number in signal.valid_signals() - {signal.SIGHUP, signal.SIGINT, signal.SIGQUIT}:
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())


def without_leaks():
    """Why leaks cannot be looked for here, after turning the look off; empty: they can."""
    sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "tests/support"))
    import machine

    why = machine.lacks("ptrace")
    if why:
        os.environ["ASAN_OPTIONS"] = "detect_leaks=0"
    return why


def user_name():
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:  # containers run under numbers that nobody has named
        return str(os.geteuid())
