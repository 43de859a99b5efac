// A list still leads to an entry that has been freed, which is written.
// sizes: small
// expect: write-after-free
#include "harden/case.h"

struct Entry {
  struct Entry* next;
  long value;
};
int main() {
  struct Entry* volatile first = malloc(sizeof *first);
  struct Entry* volatile second = malloc(sizeof *second);
  first->next = second;
  if (!GOOD) free(second);
  first->next->value = 7;
  if (GOOD) free(second);
  free(first);
  return end();
}
