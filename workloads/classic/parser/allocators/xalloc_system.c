#include "classic/parser/allocators/xalloc_system.h"

#include <stdlib.h>

// Before each block; its size keeps the block aligned.
struct Entry {
  struct Entry* next;
  struct Entry* before;
};

static struct Entry all = {&all, &all};

void xalloc_open(void) {}

void* xalloc(size_t bytes) {
  struct Entry* entry = NULL;
  if (bytes <= (size_t)-1 - sizeof *entry) entry = (struct Entry*)malloc(bytes + sizeof *entry);
  if (entry == NULL) parser_fail(kStatusWrong, "no memory for %zu bytes", bytes);
  entry->next = all.next;
  entry->before = &all;
  all.next->before = entry;
  all.next = entry;
  return entry + 1;
}

void xfree(void* block) {
  struct Entry* entry = (struct Entry*)block - 1;
  entry->before->next = entry->next;
  entry->next->before = entry->before;
  free(entry);
}

void xfree_all(void) {
  while (all.next != &all) xfree(all.next + 1);
}
