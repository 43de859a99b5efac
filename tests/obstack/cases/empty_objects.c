// Objects of no bytes: a chunk that begins with one is kept when the next object outgrows it.
#include "obstack/obstack_case.h"

int main(void) {
  struct obstack h;
  obstack_init(&h);
  char* empty = (char*)obstack_alloc(&h, 0);
  EXPECT(obstack_empty_p(&h));
  for (int i = 0; i < 6000; ++i) obstack_1grow(&h, 'x');
  EXPECT(live_chunks == 2, "the empty object's chunk stays");
  obstack_finish(&h);
  EXPECT(!obstack_empty_p(&h));
  obstack_free(&h, empty);
  EXPECT(live_chunks == 1 && obstack_empty_p(&h));
  EXPECT((char*)obstack_base(&h) == empty);

  // Without an empty object, the outgrown chunk goes.
  obstack_free(&h, NULL);
  obstack_init(&h);
  for (int i = 0; i < 6000; ++i) obstack_1grow(&h, 'x');
  EXPECT(live_chunks == 1);
  obstack_finish(&h);

  // An empty object at the very end of a chunk.
  while (obstack_room(&h) > 0) obstack_1grow_fast(&h, 'y');
  obstack_finish(&h);
  char* at_end = (char*)obstack_finish(&h);
  char* text = (char*)obstack_copy0(&h, "in the next chunk", 17);
  EXPECT(live_chunks == 2 && strcmp(text, "in the next chunk") == 0);
  obstack_free(&h, at_end);
  EXPECT(live_chunks == 1 && obstack_room(&h) == 0);
  printf("%ld bytes\n", (long)obstack_memory_used(&h));
  obstack_free(&h, NULL);
  EXPECT(live_chunks == 0);
  return 0;
}
