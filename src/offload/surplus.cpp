#include "offload/surplus.h"

#include "offload/entry.h"
#include "offload/mask_words.h"
#include "offload/runtime.h"
#include "offload/server.h"

namespace mmt::offload {
namespace {

// Surplus on its way, for each client.
constexpr size_t kInFlightFloor = size_t{2} << 20;
constexpr size_t kInFlightShare = 64;
constexpr size_t kOwnBatches = 4;

// Writes the offsets of `count` blocks of one class, all in one window.
template <class Store>
void write_offsets(void* const* blocks, size_t count, Store&& store) {
  const char* base = runtime.depot.region().base();
  for (size_t i = 0; i < count; ++i)
    store(i, static_cast<uint32_t>(static_cast<size_t>(static_cast<char*>(blocks[i]) - base) >> 4));
}

uint32_t window_of(const void* block) {
  return static_cast<uint32_t>(
      static_cast<size_t>(static_cast<const char*>(block) - runtime.depot.region().base()) >>
      kWindowShift);
}

// Length of the leading run of blocks in one window.
size_t window_run(void* const* blocks, size_t count) {
  const size_t frontier = size_t{runtime.depot.region().frontier()} << native::kSlotShift;
  if (frontier >> kWindowShift == 0) return count;
  const uint32_t window = window_of(blocks[0]);
  size_t run = 1;
  while (run < count && window_of(blocks[run]) == window) ++run;
  return run;
}

void finish_batch(Client& client, SizeClass c, uint32_t words) {
  Entry::rebuilding(client, c);
  client.surplus.publish(words);
  client.surplus.prefetch_write(words);
  runtime.notify();
}

// As bitmap words, written straight into the channel. 0: it is full. Otherwise the length of the
// batch, which is not published yet; one that is longer than `most` is left unfinished.
uint32_t write_masks(Client& client, SizeClass c, void* const* blocks, size_t count,
                     uint32_t most) {
  constexpr size_t kAtOnce = 64;
  MaskWord masks[kAtOnce];
  SurplusRing& ring = client.surplus;
  const char* base = runtime.depot.region().base();
  uint32_t length = 1;
  for (size_t i = 0; i < count && length <= most; i += kAtOnce) {
    const size_t here = count - i < kAtOnce ? count - i : kAtOnce;
    const uint32_t used = runtime.encode_masks(base, c, blocks + i, here, masks);
    if (!ring.reserve(length + 3 * used)) return 0;
    for (uint32_t k = 0; k < used; ++k, length += 3) {
      ring.slot(length) = static_cast<uint32_t>(masks[k].position);
      ring.slot(length + 1) = static_cast<uint32_t>(masks[k].bits);
      ring.slot(length + 2) = static_cast<uint32_t>(masks[k].bits >> 32);
    }
  }
  return length;
}

// All in one window. False: the channel is full.
bool send(Client& client, SizeClass c, void* const* blocks, size_t count) {
  SurplusRing& ring = client.surplus;
  const auto plain = static_cast<uint32_t>(count) + 1;
  const uint32_t length = write_masks(client, c, blocks, count, plain);
  if (length == 0) return false;
  if (length <= plain) {
    ring.slot(0) = BatchHeader{c, BatchHeader::kMasks, length - 1}.pack();
    finish_batch(client, c, length);
    return true;
  }
  if (!ring.reserve(plain)) return false;
  ring.slot(0) = BatchHeader{c, window_of(blocks[0]), plain - 1}.pack();
  write_offsets(blocks, count, [&](size_t i, uint32_t offset) {
    ring.slot(1 + static_cast<uint32_t>(i)) = offset;
  });
  finish_batch(client, c, plain);
  return true;
}

void put_locked(SizeClass c, void* const* blocks, size_t count) {
  uint32_t offsets[native::kMaxCacheLimit];
  write_offsets(blocks, count, [&](size_t i, uint32_t offset) { offsets[i] = offset; });
  char* window = runtime.depot.region().base() + (size_t{window_of(blocks[0])} << kWindowShift);
  runtime.depot.put_offsets_locked(c, window, offsets, count);
}

// Surplus in the channel is bounded: a memory thread that is late must not hoard what the program
// could use. The client then puts blocks back itself.
bool put_oneself(Client& client, SizeClass c, void* const* blocks, size_t count) {
  const size_t bound = kInFlightFloor + runtime.depot.in_use_bytes() / kInFlightShare;
  if (client.sent_bytes - client.drained_bytes.get() < bound) return false;
  DepotGuard guard(kDepotLockSpins);
  if (!guard.held()) return false;
  drain_batches_locked(client, kOwnBatches);
  Entry::rebuilding(client, c);
  put_locked(c, blocks, count);
  return true;
}

}  // namespace

void give_back(Client& client, SizeClass c, void* const* blocks, size_t count) {
  const bool offloaded = runtime.server_running();
  while (count != 0) {
    const size_t run = window_run(blocks, count);
    if (!offloaded) {
      DepotGuard guard;
      Entry::rebuilding(client, c);
      put_locked(c, blocks, run);
    } else if (put_oneself(client, c, blocks, run)) {
    } else if (send(client, c, blocks, run)) {
      client.sent_bytes += run * kClasses[c].size;
    } else {
      // The channel is full: the memory thread is late. Leave the blocks where it will find them.
      Entry::rebuilding(client, c);
      for (size_t i = 0; i < run; ++i) runtime.depot.return_block(blocks[i]);
      client.counters.blocks_returned.add(run);
      runtime.notify();
    }
    blocks += run;
    count -= run;
  }
}

}  // namespace mmt::offload
