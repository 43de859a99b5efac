"""The most memory that a program takes, and traces in which few objects live at a time."""

import subprocess

from support import clean_environment

# A process begins with what its parent has at most; this one has next to nothing.
LAUNCHER = """
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char** argv) {
  if (argc < 2) return 1;
  if (fork() == 0) {
    execv(argv[1], argv + 1);
    _exit(127);
  }
  int status;
  struct rusage usage;
  wait4(-1, &status, 0, &usage);
  fprintf(stderr, "%ld", usage.ru_maxrss);
  return status != 0;
}
"""


def most_memory(launcher, *words):
    """KiB; `launcher`: compiled from LAUNCHER."""
    env = clean_environment()
    done = subprocess.run([launcher, *words], capture_output=True, check=True, timeout=60, env=env)
    return int(done.stderr)


def lives(alive, objects):
    """Lines of a `.rep` file: so many objects, of which so many live at a time."""
    lines = [f"a {at} 100" for at in range(alive)]
    for at in range(alive, objects):
        lines += [f"f {at - alive}", f"a {at} 100"]
    return lines
