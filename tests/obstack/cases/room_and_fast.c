// The fast forms, as far as there is room: no chunk is asked for, and not a byte is lost.
#include "obstack/obstack_case.h"

int main(void) {
  struct obstack h;
  obstack_init(&h);
  const long room = (long)obstack_room(&h);
  printf("room %ld\n", room);
  for (long i = 0; i < room; ++i) obstack_1grow_fast(&h, (char)('a' + i % 26));
  EXPECT(obstack_room(&h) == 0 && live_chunks == 1);
  obstack_make_room(&h, 0);
  EXPECT(live_chunks == 1);
  obstack_make_room(&h, 1);
  EXPECT(obstack_room(&h) > 0 && (long)obstack_object_size(&h) == room);
  printf("then room %ld, chunks %ld\n", (long)obstack_room(&h), live_chunks);

  obstack_make_room(&h, 1000);
  EXPECT(obstack_room(&h) >= 1000);
  int numbers[] = {1, -2, 3};
  static int pointed[3];
  // Aligned, as the fast forms of numbers and pointers want it.
  obstack_finish(&h);
  obstack_make_room(&h, 200);
  for (int i = 0; i < 3; ++i) obstack_ptr_grow_fast(&h, &pointed[i]);
  for (int i = 0; i < 3; ++i) obstack_int_grow_fast(&h, numbers[i]);
  obstack_blank_fast(&h, 20);
  EXPECT(obstack_object_size(&h) == 3 * sizeof(void*) + 3 * sizeof(int) + 20);
  void** pointers = (void**)obstack_finish(&h);
  EXPECT(pointers[0] == &pointed[0] && pointers[2] == &pointed[2]);
  EXPECT(memcmp(pointers + 3, numbers, sizeof numbers) == 0);
  obstack_free(&h, NULL);
  EXPECT(live_chunks == 0);
  return 0;
}
