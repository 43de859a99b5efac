// A random mix of all operations against a model that holds each object's size and content.
#include "obstack/obstack_case.h"

enum { kMost = 2000, kSteps = 30000 };

static struct obstack h;
static char* objects[kMost];
static size_t sizes[kMost];
static unsigned count, growing;  // objects; bytes of the growing one

static void check(void) {
  for (unsigned i = 0; i < count; ++i)
    EXPECT(still_filled(objects[i], sizes[i], i), "object %u", i);
  EXPECT(obstack_object_size(&h) == growing);
  EXPECT(still_filled(obstack_base(&h), growing, count), "growing object");
}

static void grow(unsigned bytes, int way) {
  static char data[10000];
  fill(data, bytes + 1, 0);
  // fill() by position and seed: what lies at `growing` of object `count`.
  for (unsigned i = 0; i <= bytes; ++i) data[i] = (char)(data[i] + (char)(count * 37 + growing));
  if (way == 0) obstack_grow(&h, data, (LENGTH)bytes);
  if (way == 1) obstack_grow0(&h, data, (LENGTH)bytes), obstack_blank_fast(&h, (LENGTH)-1);
  if (way == 2)
    obstack_blank(&h, (LENGTH)bytes), memcpy(obstack_next_free(&h) - bytes, data, bytes);
  if (way == 3) obstack_make_room(&h, (LENGTH)bytes), obstack_grow(&h, data, (LENGTH)bytes);
  if (way == 4) {
    for (unsigned i = 0; i < bytes; ++i) obstack_1grow(&h, data[i]);
  }
  growing += bytes;
}

static void finish(void) {
  EXPECT(count < kMost);
  sizes[count] = growing;
  objects[count] = (char*)obstack_finish(&h);
  EXPECT(growing == 0 || ((uintptr_t)objects[count] & 15) == 0);
  ++count;
  growing = 0;
}

static void free_from(unsigned first) {
  obstack_free(&h, objects[first]);
  count = first;
  growing = 0;
}

int main(void) {
  uint64_t random = 20010620;
  obstack_init(&h);
  for (int step = 0; step < kSteps; ++step) {
    const unsigned dice = (unsigned)(next_random(&random) % 100);
    const unsigned bytes = (unsigned)(next_random(&random) % (dice % 10 == 0 ? 9000 : 90));
    if (dice < 55) {
      grow(bytes, (int)(dice % 5));
    } else if (dice < 97) {
      finish();
    } else if (count > 0) {
      free_from((unsigned)(next_random(&random) % count));
    }
    if (count == kMost) free_from(kMost / 2);
    if (step % 1500 == 0) {
      check();
      printf("%d: %u objects, %ld bytes, room %ld\n", step, count, (long)obstack_memory_used(&h),
             (long)obstack_room(&h));
    }
  }
  check();
  obstack_free(&h, NULL);
  EXPECT(live_chunks == 0);
  return 0;
}
