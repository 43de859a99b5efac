// The functions behind the interface, called by name; and a <obstack.h> that is included later.
#include "obstack/obstack_case.h"

static struct obstack h;

// After the header under test, where it adds nothing.
#include <obstack.h>

int main(void) {
  EXPECT(_obstack_begin(&h, 1000, 8, counted_alloc, counted_free) == 1);
  EXPECT(_obstack_memory_used(&h) == 1000);
  char* first = (char*)obstack_copy0(&h, "first", 5);
  obstack_grow(&h, "growing", 7);
  _obstack_newchunk(&h, 2000);
  EXPECT(obstack_object_size(&h) == 7 && obstack_room(&h) >= 2000);
  EXPECT(memcmp(obstack_base(&h), "growing", 7) == 0);
  printf("%ld bytes\n", (long)_obstack_memory_used(&h));
  // The name in brackets is the function even where there is a macro.
  (obstack_free)(&h, first);
  EXPECT(live_chunks == 1 && obstack_empty_p(&h));
  (obstack_free)(&h, NULL);
  EXPECT(live_chunks == 0);
  return 0;
}
