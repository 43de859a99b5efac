"""gdb steps through calls for memory: a software watchpoint, which looks after each instruction, and stepi."""

PACKAGES = ["gcc", "gdb", "libc6-dev"]
NEEDS = ["ptrace"]

SOURCE = """
#include <stdlib.h>
#include <string.h>
static volatile int watched;
int main(void) {
  char* kept = malloc(10);
  strcpy(kept, "kept");
  for (int i = 0; i < 30; i++) {
    void* volatile p = malloc(100);
    void* volatile q = calloc(2, 1000);
    free(p);
    q = realloc(q, 3000);
    free(q);
    if (i == 20) watched = i;
  }
  return kept[0] != 'k';
}
"""

COMMANDS = """
set pagination off
set confirm off
set print address off
set debuginfod enabled off
set can-use-hw-watchpoints 0
break main
run
watch watched
continue
print i
delete
stepi 2000
print watched
kill
"""


def case(lab):
    lab.write("watch.c", SOURCE)
    lab.write("commands", COMMANDS)
    lab.run(["gcc", "-g", "-O0", "-fno-pie", "-no-pie", "-o", "watch", "watch.c"], label="gcc")
    words = ["gdb", "-nx", "-batch", "-x", "commands", "./watch"]
    lab.run(words, stderr=False, clean=without_noise, label="gdb")


def without_noise(text):
    """Where 2000 instructions lead differs, and so do process ids."""
    results = (b"$", b"Old value", b"New value")
    return b"\n".join(line for line in text.split(b"\n") if line.startswith(results))
