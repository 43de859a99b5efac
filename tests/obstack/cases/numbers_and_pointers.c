// Arrays of ints and of pointers, over the ends of chunks.
#include "obstack/obstack_case.h"

int main(void) {
  static int targets[3000];
  struct obstack h;
  obstack_init(&h);
  for (int i = 0; i < 3000; ++i) obstack_int_grow(&h, i - 1500);
  int* numbers = (int*)obstack_finish(&h);
  for (int i = 0; i < 3000; ++i) obstack_ptr_grow(&h, &targets[i]);
  obstack_ptr_grow(&h, NULL);
  int** pointers = (int**)obstack_finish(&h);
  for (int i = 0; i < 3000; ++i) EXPECT(numbers[i] == i - 1500 && pointers[i] == &targets[i]);
  EXPECT(pointers[3000] == NULL);

  // Behind an odd number of bytes: with room for all but the last one.
  while (obstack_room(&h) >= sizeof(int)) obstack_1grow(&h, 'o');
  const size_t before = obstack_object_size(&h);
  obstack_int_grow(&h, 123456789);
  obstack_ptr_grow(&h, targets);
  EXPECT(obstack_object_size(&h) == before + sizeof(int) + sizeof(void*));
  int number;
  void* pointer;
  memcpy(&number, (char*)obstack_base(&h) + before, sizeof number);
  memcpy(&pointer, (char*)obstack_base(&h) + before + sizeof number, sizeof pointer);
  EXPECT(number == 123456789 && pointer == (void*)targets);
  printf("%ld bytes in %ld chunks\n", (long)obstack_memory_used(&h), live_chunks);
  obstack_free(&h, NULL);
  return 0;
}
