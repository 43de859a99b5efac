// A table of the heap is written, which the debug preset seals.
// sizes: small
// presets: debug
// expect: metadata-write
#include <stdio.h>

#include "harden/case.h"

int main(int argc, char** argv) {
  void* volatile p = malloc(bytes_of(argc, argv));
  // The tables are the only memory of no file that can be read alone.
  FILE* const maps = fopen("/proc/self/maps", "r");
  char line[512];
  unsigned long start = 0;
  unsigned long table = 0;
  char rights[8] = "";
  while (fgets(line, sizeof line, maps) != NULL && table == 0) {
    unsigned long inode = 1;
    sscanf(line, "%lx-%*x %7s %*s %*s %lu", &start, rights, &inode);
    if (strcmp(rights, "r--p") == 0 && inode == 0 && strchr(line, '[') == NULL) table = start;
  }
  fclose(maps);
  if (!GOOD && table != 0) change((char*)table);
  free(p);
  return end();
}
