// A list is walked while its entries are freed: each leads nowhere once it is.
// sizes: small
// expect: neutral
#include "harden/case.h"

struct Entry {
  struct Entry* next;
  long value;
};
int main() {
  struct Entry* first = NULL;
  for (int i = 0; i < 10; ++i) {
    struct Entry* entry = malloc(sizeof *entry);
    entry->next = first;
    first = entry;
  }
  struct Entry* next = NULL;
  for (struct Entry* volatile at = first; at != NULL; at = GOOD ? next : at->next) {
    next = at->next;
    free(at);
  }
  return end();
}
