// Scopes as a compiler has them: freeing the first object of each frees the scope.
#include "obstack/obstack_case.h"

static struct obstack h;
static long objects;

static void scope(unsigned depth) {
  char* first = (char*)obstack_alloc(&h, 0);
  char* kept[8];
  for (unsigned i = 0; i < 8; ++i) {
    kept[i] = (char*)obstack_alloc(&h, (LENGTH)(10 + depth * i));
    fill(kept[i], 10 + depth * i, depth * 8 + i);
    ++objects;
    if (depth < 6 && i % 3 == 1) scope(depth + 1);
  }
  for (unsigned i = 0; i < 8; ++i) {
    EXPECT(still_filled(kept[i], 10 + depth * i, depth * 8 + i), "depth %u, object %u", depth, i);
  }
  obstack_free(&h, first);
}

int main(void) {
  obstack_begin(&h, 600);
  for (int round = 0; round < 10; ++round) scope(0);
  printf("%ld objects in %ld chunks, %ld live\n", objects, all_chunks, live_chunks);
  EXPECT(live_chunks == 1);
  obstack_free(&h, NULL);
  EXPECT(live_chunks == 0);
  return 0;
}
