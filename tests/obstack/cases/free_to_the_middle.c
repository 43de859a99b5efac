// Freeing an object frees all after it, also in later chunks, and its place is given out again.
#include "obstack/obstack_case.h"

enum { kObjects = 400 };

int main(void) {
  struct obstack h;
  char* objects[kObjects];
  obstack_init(&h);
  for (unsigned i = 0; i < kObjects; ++i) {
    objects[i] = (char*)obstack_alloc(&h, (LENGTH)(i + 1));
    fill(objects[i], i + 1, i);
  }
  long chunks = live_chunks;
  EXPECT(chunks > 10);
  obstack_free(&h, objects[399]);
  EXPECT(live_chunks == chunks);
  obstack_free(&h, objects[200]);
  printf("chunks %ld, then %ld; bytes %ld\n", chunks, live_chunks, (long)obstack_memory_used(&h));
  EXPECT(live_chunks < chunks);
  EXPECT(obstack_object_size(&h) == 0);
  for (unsigned i = 0; i < 200; ++i) EXPECT(still_filled(objects[i], i + 1, i), "object %u", i);
  EXPECT((char*)obstack_alloc(&h, 50) == objects[200], "the same place");

  // In the middle of an object: what is before the address stays.
  char* text = (char*)obstack_copy0(&h, "keep this, drop that", 20);
  obstack_free(&h, text + 10);
  EXPECT(memcmp(text, "keep this,", 10) == 0);
  EXPECT((char*)obstack_base(&h) == text + 10);

  // A growing object is lost with whatever is freed.
  obstack_grow(&h, "growing", 7);
  obstack_free(&h, objects[0]);
  EXPECT(obstack_object_size(&h) == 0 && obstack_empty_p(&h));
  EXPECT(live_chunks == 1);
  obstack_free(&h, NULL);
  EXPECT(live_chunks == 0);
  return 0;
}
