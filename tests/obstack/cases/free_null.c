// After freeing null an obstack is begun anew, as often as one likes.
#include "obstack/obstack_case.h"

int main(void) {
  struct obstack h;
  for (int round = 0; round < 5; ++round) {
    EXPECT(obstack_init(&h) == 1);
    EXPECT(obstack_empty_p(&h));
    for (int i = 0; i < 1000; ++i) obstack_copy(&h, "seven x", 7);
    EXPECT(!obstack_empty_p(&h));
    printf("round %d: %ld chunks, %ld bytes\n", round, live_chunks, (long)obstack_memory_used(&h));
    obstack_free(&h, NULL);
    EXPECT(live_chunks == 0);
  }
  return 0;
}
