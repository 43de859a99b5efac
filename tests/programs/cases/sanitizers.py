"""gcc's AddressSanitizer, ThreadSanitizer and LeakSanitizer find what they find, below a shell and below
make, which have the library while the programs have not."""

import re

PACKAGES = ["gcc", "libc6-dev", "make"]
NEEDS = ["ptrace"]

PROGRAM = r"""
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static volatile int shared;
static volatile int is_written;
static void* volatile block;
static void* work(void* unused) {
  (void)unused;
  for (int i = 1; i < 20000; i++) { char* p = malloc(i % 900 + 1); memset(p, i, i % 900 + 1); free(p); }
  shared = 1;
  is_written = 1;
  return NULL;
}
// What a sanitizer does not see orders nothing for it: the race is always found, and in one order.
__attribute__((no_sanitize("thread"))) static void wait_for_write(void) {
  while (!is_written) sched_yield();
}
static int maps_ours(void) {
  char line[5000];
  FILE* maps = fopen("/proc/self/maps", "r");
  int found = 0;
  while (maps != NULL && fgets(line, sizeof line, maps)) found |= strstr(line, "/libmmt") != NULL;
  return maps != NULL && fclose(maps) == 0 ? found : 2;
}
int main(int count, char** words) {
  pthread_t thread;
  if (count > 2) return 2;
  pthread_create(&thread, NULL, work, NULL);
  if (!strcmp(words[1], "race")) {
    wait_for_write();
    shared = 2;
  }
  pthread_join(thread, NULL);
  printf("%s, maps ours: %d\\n", words[1], maps_ours());
  fflush(stdout);
  block = malloc(100);
  if (!strcmp(words[1], "leak")) block = NULL;
  if (!strcmp(words[1], "overflow")) ((volatile char*)block)[100] = 1;
  if (!strcmp(words[1], "late")) { free(block); return ((volatile char*)block)[7]; }
  if (!strcmp(words[1], "twice")) free(block);
  free(block);
  return 0;
}
"""

# What each finds, with its exit status.
BUGS = {
    "address": {"overflow": 1, "late": 1, "twice": 1, "leak": 1, "none": 0},
    "thread": {"race": 66, "none": 0},
    "leak": {"leak": 23, "none": 0},
}

MAKEFILE = """
all: $(BUGS)
$(BUGS):
\t-@./$(subst .., ,$@)
"""


def report(text):
    """Without what differs from run to run, and without what we say ourselves."""
    lines = [line for line in text.splitlines() if not line.startswith(b"mmt: cannot serve")]
    text = b"\n".join(lines)
    text = re.sub(rb"0x[0-9a-f]+|\(BuildId[^)]*\)", b"_", text)
    return re.sub(rb"==\d+==|pid=\d+|tid=\d+|running|finished", b"_", text)


def case(lab):
    lab.write("program.c", PROGRAM)
    for name, bugs in BUGS.items():
        flags = ["-g", "-O1", "-pthread", f"-fsanitize={name}", "-w"]
        lab.run(["gcc", *flags, "program.c", "-o", name], label=f"build {name}")
        for bug, status in bugs.items():
            # The shell leaves no statistics behind: it is to be seen while it runs.
            words = ["sh", "-c", f"./{name} {bug}; status=$?; sleep 0.1; exit $status"]
            done = lab.run(words, status=status, clean=report, label=f"{name} {bug}")
            lab.require((b"Sanitizer" in done.stderr) == (status != 0), f"{name} {bug}: {done.stderr}")
    lab.write("Makefile", MAKEFILE)
    below = [f"{name}..{bug}" for name, bugs in BUGS.items() for bug in bugs]
    lab.run(["make", "-s", f"BUGS={' '.join(below)}"], clean=report, label="below make")
