// @ours-only
// Chunks are made as large as it takes for an alignment as large as the usual chunk. The same holds
// for a chunk size that has no room for a chunk's head.
#include "obstack/obstack_case.h"

int main(void) {
  struct obstack h;
  obstack_specify_allocation(&h, 0, 8192, counted_alloc, counted_free);
  EXPECT(obstack_room(&h) < 1u << 20, "no room is not a lot of room");
  for (int i = 0; i < 20; ++i) {
    char* object = (char*)obstack_alloc(&h, 100);
    EXPECT(((uintptr_t)object & 8191) == 0);
    memset(object, i, 100);
  }
  obstack_free(&h, NULL);

  for (LENGTH size = 1; size < 100; ++size) {
    obstack_begin(&h, size);
    char* text = (char*)obstack_copy0(&h, "some text", 9);
    EXPECT(strcmp(text, "some text") == 0);
    obstack_free(&h, text);
    EXPECT(obstack_object_size(&h) == 0);
    obstack_free(&h, NULL);
  }
  EXPECT(live_chunks == 0);
  return 0;
}
