#include "heap/thread/surplus.h"

#include <cstring>

#include <mmt/core/compiler.h>

#include "heap/gates/leave.h"
#include "heap/object/depot_guard.h"
#include "heap/object/heap.h"
#include "heap/object/volume.h"
#include "heap/thread/cache_width.h"
#include "heap/thread/entry.h"
#include "heap/thread/hand_over.h"
#include "heap/thread/holders.h"
#include "heap/thread/thrift.h"

namespace mmt::heap {
namespace {

void flush_oldest(Client& client, SizeClass c, size_t count) {
  Heap& heap = *client.heap;
  void** floor = client.sources[c].floor;
  const size_t held = client.cached(c);
  ++client.flushes_in_a_row;
  give_back(client, c, floor + 1, count);
  memmove(floor + 1, floor + 1 + count, (held - count) * sizeof(void*));
  client.fast.top[c] = floor + (held - count);
  client.counters.flushes.add();
  client.counters.blocks_flushed.add(count);
  count_freed(heap, count * kClasses[c].size);
}

// Apart, as below it a client may be attached, which takes much of the stack.
MMT_NOINLINE void put_away_direct(Heap& heap, void* block, SizeClass c) {
  leave(heap, Batch::of_blocks(c, &block, 1), DepotWait::kForever);
  heap.notify();
  count_freed(heap, kClasses[c].size);
}

}  // namespace

void flush(Client& client, SizeClass c) {
  now_holds(client);
  keep_manner(client);
  Client::Source& source = client.sources[c];
  const bool full = client.cached(c) >= client.cache_limit(c);
  if (!full) return;
  if (source.widenings_left != 0) {
    --source.widenings_left;
    if (widen(client, c)) return;
    source.widenings_left = 0;  // nor will it be the next time: not to be asked again and again
  }
  const size_t held = client.cached(c);
  if (held == 0) return;
  const size_t fits = source.flushed ? client.first_limit(c) : held;
  flush_oldest(client, c, held - fits / 4);
  if (source.flushed) narrow(client, c);
  source.flushed = true;
}

void put_away(Heap& heap, void* block, SizeClass c) {
  Entry entry(heap);
  Client* client = entry.client();
  if (client == nullptr) return put_away_direct(heap, block, c);
  if (push_exclusive(*client, c, block)) return;
  flush(*client, c);
  if (!push_exclusive(*client, c, block)) give_back(*client, c, &block, 1);
}

}  // namespace mmt::heap
