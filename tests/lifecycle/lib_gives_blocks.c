// A library with an allocation and a free of its own, for deepbind.c.

#include <stdlib.h>
#include <string.h>

void* give_block(size_t size) {
  void* p = malloc(size);
  memset(p, 1, size);
  return p;
}
void take_block(void* p) { free(p); }
