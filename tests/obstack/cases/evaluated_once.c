// Every argument is evaluated once, the obstack too.
#include "obstack/obstack_case.h"

static struct obstack h;
static int turns;

static struct obstack* the_obstack(void) {
  ++turns;
  return &h;
}

// The block, a statement, has evaluated so many arguments that count, each once.
#define EXPECT_TURNS(expected, block)               \
  do {                                              \
    turns = 0;                                      \
    block;                                          \
    EXPECT(turns == (expected), "%d turns", turns); \
  } while (0)

int main(void) {
  obstack_init(&h);
  int n = 0;
  const char* text = "abcdefghijklmnopqrstuvwxyz";
  EXPECT_TURNS(1, obstack_blank(the_obstack(), (LENGTH)++n));
  EXPECT_TURNS(1, obstack_grow(the_obstack(), text++, (LENGTH)++n));
  EXPECT_TURNS(1, obstack_grow0(the_obstack(), text++, (LENGTH)++n));
  EXPECT_TURNS(1, obstack_1grow(the_obstack(), (char)++n));
  EXPECT_TURNS(1, obstack_int_grow(the_obstack(), ++n));
  EXPECT_TURNS(1, obstack_ptr_grow(the_obstack(), text++));
  EXPECT_TURNS(1, obstack_make_room(the_obstack(), (LENGTH)++n));
  EXPECT_TURNS(1, EXPECT(obstack_object_size(the_obstack()) == 1 + 2 + 4 + 1 + 4 + 8));
  EXPECT_TURNS(1, EXPECT(obstack_room(the_obstack()) > 1000));
  EXPECT_TURNS(1, EXPECT(!obstack_empty_p(the_obstack())));
  EXPECT_TURNS(1, obstack_finish(the_obstack()));
  EXPECT_TURNS(1, obstack_alloc(the_obstack(), (LENGTH)++n));
  EXPECT_TURNS(1, EXPECT(*(char*)obstack_copy(the_obstack(), text++, (LENGTH)++n) == 'd'));
  char* last = NULL;
  EXPECT_TURNS(1, last = (char*)obstack_copy0(the_obstack(), text++, 3));
  EXPECT(strcmp(last, "efg") == 0);
  void* objects[2] = {last, NULL};
  void** next = objects;
  EXPECT_TURNS(1, obstack_free(the_obstack(), *next++));
  EXPECT_TURNS(1, obstack_free(the_obstack(), *next++));
  EXPECT(n == 8 && next == objects + 2 && live_chunks == 0);
  return 0;
}
