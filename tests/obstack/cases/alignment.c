// Objects lie at multiples of the alignment asked for; by default, fit for any type.
#include "obstack/obstack_case.h"

static void check(LENGTH alignment, LENGTH chunk_size) {
  struct obstack h;
  obstack_specify_allocation(&h, chunk_size, alignment, counted_alloc, counted_free);
  const size_t mask = alignment == 0 ? 15 : (size_t)alignment - 1;
  EXPECT((size_t)obstack_alignment_mask(&h) == mask);
  for (unsigned i = 0; i < 300; ++i) {
    char* object = (char*)obstack_alloc(&h, (LENGTH)(i % 70));
    // Nothing lies in an object of no bytes: it may end a chunk.
    EXPECT(i % 70 == 0 || ((uintptr_t)object & mask) == 0, "object %u of alignment %d", i,
           (int)alignment);
    memset(object, 1, i % 70);
  }
  // A grown object keeps its alignment when it moves.
  for (int i = 0; i < 10000; ++i) obstack_1grow(&h, 'x');
  EXPECT(((uintptr_t)obstack_finish(&h) & mask) == 0);
  obstack_free(&h, NULL);
  EXPECT(live_chunks == 0);
}

int main(void) {
  for (LENGTH alignment = 1; alignment <= 512; alignment = (LENGTH)(alignment * 2)) {
    check(alignment, 0);
    check(alignment, 2000);
  }
  check(0, 0);

  // The mask can be assigned to; it holds from the next object on.
  struct obstack h;
  obstack_init(&h);
  obstack_alignment_mask(&h) = 0;
  char* first = (char*)obstack_copy(&h, "abc", 3);
  char* second = (char*)obstack_copy(&h, "de", 2);
  EXPECT(second == first + 3);
  obstack_alignment_mask(&h) = 7;
  obstack_finish(&h);
  EXPECT(((uintptr_t)obstack_alloc(&h, 1) & 7) == 0);
  printf("room %ld\n", (long)obstack_room(&h));
  obstack_free(&h, NULL);
  return 0;
}
