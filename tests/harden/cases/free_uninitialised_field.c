// A pointer in a new block is freed that was never set: the heap has made it a null pointer.
// sizes: small
// expect: neutral
#include "harden/case.h"

struct Entry {
  char* name;
};
int main() {
  struct Entry* volatile entry = malloc(sizeof *entry);
  if (GOOD) entry->name = NULL;
  free(entry->name);
  free(entry);
  return end();
}
