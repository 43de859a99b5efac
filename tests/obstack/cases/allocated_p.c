// Whether an address is an obstack's own, asked by the function that has always been there.
#include "obstack/obstack_case.h"

#ifndef MMT_OBSTACK_INTERFACE
// The C library has it without a declaration.
extern int _obstack_allocated_p(struct obstack*, void*);
#endif
static int (*const declared)(struct obstack*, void*) = &_obstack_allocated_p;

int main(void) {
  struct obstack h, other;
  static char outside[100];
  obstack_init(&h);
  obstack_init(&other);
  char* objects[300];
  for (int i = 0; i < 300; ++i) objects[i] = (char*)obstack_alloc(&h, 100);
  char* strange = (char*)obstack_alloc(&other, 10);
  for (int i = 0; i < 300; ++i) EXPECT(declared(&h, objects[i]) && !declared(&other, objects[i]));
  EXPECT(declared(&other, strange) && !declared(&h, strange));
  EXPECT(!declared(&h, outside) && !declared(&h, &h));
  printf("%ld chunks\n", live_chunks);
  obstack_free(&h, NULL);
  obstack_free(&other, NULL);
  return 0;
}
