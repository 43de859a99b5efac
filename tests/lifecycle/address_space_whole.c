// The heap does not divide the address space: a hole of 80 TiB is left, as without it.
// @only mmt

#include <stdio.h>

#include "support/expect.h"

int main(void) {
  EXPECT(malloc(100) != NULL);
  if (sizeof(void*) != 8) return 77;
  FILE* const maps = fopen("/proc/self/maps", "r");
  EXPECT(maps != NULL);
  unsigned long start, end, last = 0, hole = 0;
  while (fscanf(maps, "%lx-%lx%*[^\n]", &start, &end) == 2) {
    if (start >> 47 != 0) break;  // the kernel's page
    if (start - last > hole) hole = start - last;
    last = end;
  }
  fclose(maps);
  // Where the system places executables low there is none to keep.
  if (last >> 46 == 0) {
    fputs("another address space\n", stderr);
    return 77;
  }
  EXPECT(hole >> 40 >= 80, "%lu TiB", hole >> 40);
  return 0;
}
