// The memory used is the bytes of all chunks. The size of a new chunk is the larger of the chunk
// size and a sum. The sum is what the object has, an eighth of it, what it needs, the mask and 100.
#include "obstack/obstack_case.h"

int main(void) {
  struct obstack h;
  obstack_init(&h);
  EXPECT(obstack_chunk_size(&h) == 4064);
  EXPECT(obstack_memory_used(&h) == 4064);
  obstack_alloc(&h, 1000);
  EXPECT(obstack_memory_used(&h) == 4064);
  obstack_blank(&h, 3000);
  EXPECT(obstack_object_size(&h) == 3000);
  obstack_blank(&h, 3000);
  // The object moved to a chunk of 3000 + 3000 + 375 + 15 + 100 bytes.
  EXPECT(obstack_memory_used(&h) == 4064 + 6490);
  obstack_finish(&h);
  obstack_alloc(&h, 500);
  EXPECT(obstack_memory_used(&h) == 4064 + 6490 + 4064);

  obstack_chunk_size(&h) = 100000;
  void* here = obstack_alloc(&h, 4000);
  EXPECT(obstack_memory_used(&h) == 4064 + 6490 + 4064 + 100000);
  printf("%ld bytes, room %ld\n", (long)obstack_memory_used(&h), (long)obstack_room(&h));
  obstack_free(&h, here);
  EXPECT(obstack_memory_used(&h) == 4064 + 6490 + 4064 + 100000, "the chunk of `here` stays");
  obstack_free(&h, NULL);

  obstack_begin(&h, 333);
  EXPECT(obstack_memory_used(&h) == 333 && obstack_chunk_size(&h) == 333);
  obstack_free(&h, NULL);
  return 0;
}
