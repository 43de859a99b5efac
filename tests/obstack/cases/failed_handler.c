// When no chunk can be had, the handler is called and may leave by longjmp: the obstack is then as
// it was before the call.
#include <setjmp.h>

#include "obstack/obstack_case.h"

static jmp_buf failed;
static volatile long left = 3;

static void* scarce_alloc(CHUNK_LENGTH bytes) {
  if (left == 0) return NULL;
  left = left - 1;
  return counted_alloc(bytes);
}

static void leave(void) { longjmp(failed, 1); }

int main(void) {
  static struct obstack h;
  static char* first;
  static volatile int failures = 0;
  obstack_alloc_failed_handler = leave;
  obstack_specify_allocation(&h, 0, 0, scarce_alloc, counted_free);
  first = (char*)obstack_copy0(&h, "first", 5);
  if (setjmp(failed) == 0) {
    for (;;) obstack_grow(&h, "0123456789", 10);
  }
  printf("failed with %ld bytes in %ld chunks\n", (long)obstack_object_size(&h), live_chunks);
  EXPECT(strcmp(first, "first") == 0);
  const size_t size = obstack_object_size(&h);
  for (size_t i = 0; i < size; ++i) EXPECT(((char*)obstack_base(&h))[i] == "0123456789"[i % 10]);

  // Smaller things still succeed, and with more memory all does.
  if (setjmp(failed) != 0) failures = failures + 1;
  if (failures == 0) obstack_blank(&h, 100000);
  EXPECT(failures == 1 && obstack_object_size(&h) == size);
  left = 1;
  obstack_blank(&h, 100000);
  EXPECT(obstack_object_size(&h) == size + 100000);
  obstack_free(&h, first);
  obstack_free(&h, NULL);
  EXPECT(live_chunks == 0);

  left = 0;
  if (setjmp(failed) == 0) {
    obstack_specify_allocation(&h, 0, 0, scarce_alloc, counted_free);
    EXPECT(0, "begun without a chunk");
  }
  return 0;
}
