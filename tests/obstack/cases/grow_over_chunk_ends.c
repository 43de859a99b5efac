// A growing object moves to larger chunks with all that it holds; those before stay where they are.
#include "obstack/obstack_case.h"

int main(void) {
  struct obstack h;
  obstack_init(&h);
  char* first = (char*)obstack_copy0(&h, "first", 5);
  for (unsigned i = 0; i < 50000; ++i) {
    obstack_1grow(&h, (char)(i % 251));
    if (i % 9973 == 0)
      printf("%u: size %ld chunks %ld\n", i, (long)obstack_object_size(&h), live_chunks);
  }
  EXPECT(obstack_object_size(&h) == 50000);
  EXPECT(obstack_next_free(&h) == (char*)obstack_base(&h) + 50000);
  unsigned char* grown = (unsigned char*)obstack_finish(&h);
  for (unsigned i = 0; i < 50000; ++i) EXPECT(grown[i] == i % 251, "at %u", i);
  EXPECT(strcmp(first, "first") == 0);

  char piece[777];
  fill(piece, sizeof piece, 3);
  for (int i = 0; i < 100; ++i) obstack_grow(&h, piece, sizeof piece);
  char* pieces = (char*)obstack_finish(&h);
  for (int i = 0; i < 100; ++i) EXPECT(still_filled(pieces + i * 777, 777, 3), "piece %d", i);
  // The first chunk holds `first`, the others one object each: those left behind are freed.
  printf("chunks: %ld live of %ld, %ld bytes\n", live_chunks, all_chunks,
         (long)obstack_memory_used(&h));
  EXPECT(live_chunks == 3);
  obstack_free(&h, NULL);
  EXPECT(live_chunks == 0);
  return 0;
}
