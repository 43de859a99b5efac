// Chunk functions that are passed an argument of the user's, and functions that change under way.
#include "obstack/obstack_case.h"

struct Account {
  long live;
  long calls;
  size_t bytes;
};

static void* charge(void* account, CHUNK_LENGTH bytes) {
  struct Account* to = (struct Account*)account;
  ++to->live;
  ++to->calls;
  to->bytes += (size_t)bytes;
  return malloc((size_t)bytes);
}
static void* charge_twice(void* account, CHUNK_LENGTH bytes) {
  ++((struct Account*)account)->calls;
  return charge(account, bytes);
}
static void discharge(void* account, void* chunk) {
  --((struct Account*)account)->live;
  free(chunk);
}
static void discharge_and_say(void* account, void* chunk) {
  puts("a chunk goes");
  discharge(account, chunk);
}

int main(void) {
  struct Account account = {0, 0, 0};
  struct obstack h;
  obstack_specify_allocation_with_arg(&h, 500, 8, charge, discharge, &account);
  EXPECT(account.live == 1 && account.bytes == 500);
  void* first = obstack_alloc(&h, 8);
  for (int i = 0; i < 100; ++i) obstack_alloc(&h, 200);
  EXPECT((size_t)obstack_memory_used(&h) == account.bytes);
  printf("%ld live, %ld calls, %zu bytes\n", account.live, account.calls, account.bytes);
  obstack_free(&h, first);
  EXPECT(account.live == 1);

  long calls = account.calls;
  obstack_chunkfun(&h, charge_twice);
  obstack_freefun(&h, discharge_and_say);
  obstack_alloc(&h, 450);
  obstack_alloc(&h, 450);
  EXPECT(account.calls == calls + 2);
  obstack_free(&h, NULL);
  EXPECT(account.live == 0);

  // The same for functions without.
  obstack_init(&h);
  EXPECT(live_chunks == 1);
  obstack_chunkfun(&h, malloc);
  obstack_freefun(&h, free);
  obstack_alloc(&h, 4000);
  obstack_alloc(&h, 4000);
  EXPECT(live_chunks == 1);
  obstack_chunkfun(&h, counted_alloc);
  obstack_alloc(&h, 4000);
  EXPECT(live_chunks == 2);
  obstack_free(&h, NULL);
  EXPECT(live_chunks == 2, "free() took them all");
  return 0;
}
