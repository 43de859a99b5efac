// Sizes up to the largest int reach the chunk function unchanged; what it refuses is a failure.
#include <limits.h>
#include <setjmp.h>

#include "obstack/obstack_case.h"

static jmp_buf failed;
static size_t asked;

static void* refusing_alloc(CHUNK_LENGTH bytes) {
  asked = (size_t)bytes;
  return bytes > 1000000 ? NULL : counted_alloc(bytes);
}
static void leave(void) { longjmp(failed, 1); }

static void try_room(struct obstack* h, LENGTH length, size_t expected) {
  if (setjmp(failed) == 0) {
    obstack_make_room(h, length);
    EXPECT(0, "there was room");
  }
  printf("asked for %zu\n", asked);
  EXPECT(asked == expected, "%zu", asked);
  EXPECT(obstack_object_size(h) == 800);
}

int main(void) {
  static struct obstack h;
  obstack_alloc_failed_handler = leave;
  obstack_specify_allocation(&h, 0, 16, refusing_alloc, counted_free);
  obstack_blank(&h, 800);
  // The object, an eighth of it, the mask and 100 come on top.
  try_room(&h, 1000000, 1000000 + 800 + 100 + 15 + 100);
  try_room(&h, INT_MAX / 2, INT_MAX / 2 + (size_t)1015);
  try_room(&h, INT_MAX - 1, INT_MAX - 1 + (size_t)1015);
  try_room(&h, INT_MAX, INT_MAX + (size_t)1015);
  obstack_free(&h, NULL);
  EXPECT(live_chunks == 0);
  return 0;
}
