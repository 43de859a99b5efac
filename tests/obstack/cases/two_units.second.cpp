// The second source of two_units.c.
#include "obstack/obstack_case.h"

extern "C" {

void (**handler_of_second(void))(void) { return &obstack_alloc_failed_handler; }

int* status_of_second(void) { return &obstack_exit_failure; }

char* grow_in_second(struct obstack* h, int times) {
  for (int i = 0; i < times; ++i) obstack_grow(h, "there ", 6);
  obstack_1grow(h, 0);
  return static_cast<char*>(obstack_finish(h));
}

}  // extern "C"
