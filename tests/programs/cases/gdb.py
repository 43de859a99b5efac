"""gdb in batch mode: debug information, an inferior that inherits the preload, calls into it.

On CPUs with AMX gdb 13 cannot call into any inferior ("Couldn't write extended state status"): there
both runs must say so.

The inferior is killed, not left to exit. gdb often fails with "Couldn't get registers" at the exit
of a program with a second thread, such as the memory thread. It does so without any library, too.
"""

import re

PACKAGES = ["gcc", "gdb", "libc6-dev"]
NEEDS = ["ptrace"]

SOURCE = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct item { struct item* next; char* name; int value; };
static struct item* push(struct item* list, int value) {
  struct item* n = malloc(sizeof *n);
  n->next = list; n->value = value; n->name = malloc(20);
  snprintf(n->name, 20, "item %d", value);
  return n;
}
int main(void) {
  struct item* list = NULL;
  for (int i = 0; i < 1000; i++) list = push(list, i);
  printf("%s\\n", list->name);
  return list->value % 256;
}
"""

COMMANDS = """
set pagination off
set confirm off
set print address off
set debuginfod enabled off
python
def attempt(command):
    try:
        gdb.execute(command)
    except gdb.error as error:
        print(error)
end
break push if value == 990
run
backtrace
print *list->next->next
finish
tbreak 17
continue
print list->name
python attempt('print push(list, 4242)->name')
python attempt('print (int)strlen((char*)strdup("allocated in the program"))')
info types item
ptype struct item
kill
"""


def case(lab):
    lab.write("list.c", SOURCE)
    lab.write("commands", COMMANDS)
    lab.run(["gcc", "-g", "-O0", "-fno-pie", "-no-pie", "-o", "list", "list.c"], label="gcc")
    words = ["gdb", "-nx", "-batch", "-x", "commands", "./list"]
    lab.run(words, stderr=False, clean=without_noise, label="gdb")


def without_noise(text):
    """Values returned as addresses, process ids and notices about threads, which may differ."""
    noise = (
        b"Value returned",
        b"[Inferior",
        b"[Thread",
        b"[New Thread",
        b"[Switching",
        b"Run till",
    )
    text = re.sub(rb'Thread 1 "\w+" hit ', b"", text)  # a program with threads has stopped
    return b"\n".join(
        line for line in text.split(b"\n") if not line.startswith(noise) and b"0x" not in line
    )
