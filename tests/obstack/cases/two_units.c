// Two sources of one program, C and C++, share the handler, the exit status, and obstacks.
#include "obstack/obstack_case.h"

#ifdef __cplusplus
extern "C" {
#endif
void (**handler_of_second(void))(void);
int* status_of_second(void);
char* grow_in_second(struct obstack* h, int times);
#ifdef __cplusplus
}
#endif

static void nothing(void) {}

int main(void) {
  EXPECT(handler_of_second() == &obstack_alloc_failed_handler);
  EXPECT(status_of_second() == &obstack_exit_failure);
  EXPECT(*handler_of_second() != NULL);
  obstack_alloc_failed_handler = nothing;
  EXPECT(*handler_of_second() == nothing);

  struct obstack h;
  obstack_init(&h);
  obstack_grow(&h, "here ", 5);
  char* text = grow_in_second(&h, 3000);
  EXPECT(strlen(text) == 5 + 3000 * 6 && strncmp(text, "here there there", 16) == 0);
  printf("%ld bytes\n", (long)obstack_memory_used(&h));
  obstack_free(&h, text);
  obstack_free(&h, NULL);
  EXPECT(live_chunks == 0);
  return 0;
}
