#include "offload/refill.h"

#include <bit>
#include <cstring>

#include "offload/entry.h"
#include "offload/runtime.h"
#include "offload/server.h"

namespace mmt::offload {
namespace {

// Surplus on its way, for each client.
constexpr size_t kInFlightFloor = size_t{2} << 20;
constexpr size_t kInFlightShare = 64;
constexpr size_t kOwnBatches = 4;

void use_span(Client::Source& source, SizeClass c, Slot slot, uint64_t* words) {
  source.words = words;
  source.word = 0;
  source.word_count = kClasses[c].words;
  source.slot = slot;
  source.base = runtime.depot.region().address(slot);
}

bool take_supplied(Client& client, SizeClass c) {
  uint32_t slot;
  if (!client.mailboxes[c].take(&slot)) return false;
  Client::Source& source = client.sources[c];
  use_span(source, c, slot, client.payload(c, source.mailbox_taken++));
  client.counters.spans_supplied.add();
  return true;
}

// Serves the client without the memory thread.
bool take_self(Client& client, SizeClass c) {
  uint64_t* words = client.own_words(c);
  native::SpanSupply span;
  if (runtime.server_running()) {
    if (DepotGuard guard(kDepotLockSpins); guard.held()) {
      span = runtime.depot.take_span_locked(c, words);
      client.counters.spans_self.add();
    } else {
      span = runtime.depot.carve_span(c, words);
      client.counters.spans_carved.add();
    }
  } else {
    DepotGuard guard;
    span = runtime.depot.take_span_locked(c, words);
    client.counters.spans_self.add();
  }
  if (span.slot == kNoSlot) return false;
  use_span(client.sources[c], c, span.slot, words);
  count_volume(size_t{kClasses[c].span_slots} << native::kSlotShift);
  return true;
}

bool next_span(Client& client, SizeClass c) {
  Client::Source& source = client.sources[c];
  const uint32_t taken = source.spans_taken.load(std::memory_order_relaxed);
  if (!take_supplied(client, c) && !take_self(client, c)) return false;
  source.spans_taken.store(taken + 1, std::memory_order_relaxed);
  if (runtime.server_running()) {
    // Release: pairs with the exchange in Server::supply.
    client.wanted.fetch_or(uint64_t{1} << (c - 1), std::memory_order_release);
    runtime.notify();
  }
  return true;
}

// Caches the blocks of `bits` but the lowest, so that they are taken by ascending address, and
// returns the lowest.
void* expand(Client& client, SizeClass c, char* first, uint64_t bits) {
  const size_t size = kClasses[c].size;
  void** const floor = client.sources[c].floor;
  void* lowest = first + static_cast<size_t>(std::countr_zero(bits)) * size;
  if (bits == ~uint64_t{0}) {
    char* block = first + size;
    for (void** entry = floor + 63; entry != floor; --entry, block += size) *entry = block;
    client.fast.top[c] = floor + 63;
    return lowest;
  }
  bits &= bits - 1;
  void** entry = floor + std::popcount(bits);
  client.fast.top[c] = entry;
  for (; bits != 0; bits &= bits - 1)
    *entry-- = first + static_cast<size_t>(std::countr_zero(bits)) * size;
  return lowest;
}

// The part of `bits` that fits into an empty cache (and the block that is returned).
uint64_t lowest_fitting(uint64_t bits, uint32_t limit) {
  if (static_cast<uint32_t>(std::popcount(bits)) <= limit) return bits;
  uint64_t rest = bits;
  for (uint32_t i = 0; i < limit; ++i) rest &= rest - 1;
  return bits & ~rest;
}

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

// Blocks as bitmap words; the number of numbers written to `out`, or 0 when they would take more
// than `most`. A word covers 64 blocks, 64 * size bytes from where its first block lies, but ends
// with the span.
size_t encode_masks(SizeClass c, void* const* blocks, size_t count, uint32_t* out, size_t most) {
  const ClassInfo& info = kClasses[c];
  const auto base = reinterpret_cast<uintptr_t>(runtime.depot.region().base());
  const uintptr_t span_mask = (uintptr_t{info.span_slots} << native::kSlotShift) - 1;
  const uintptr_t word_bytes = uintptr_t{64} * info.size;
  const uint64_t reciprocal = info.reciprocal;
  size_t used = 0;
  size_t i = 0;
  while (i < count) {
    if (used + 3 > most) return 0;
    const uintptr_t offset = reinterpret_cast<uintptr_t>(blocks[i]) - base;
    const uint64_t word = ((offset & span_mask) * reciprocal >> 32) / 64;
    const uintptr_t span_start = offset & ~span_mask;
    const uintptr_t word_start = base + span_start + word * word_bytes;
    const uintptr_t left = base + span_start + span_mask + 1 - word_start;
    const uintptr_t covered = left < word_bytes ? left : word_bytes;
    uint64_t bits = 0;
    do {
      const uintptr_t within = reinterpret_cast<uintptr_t>(blocks[i]) - word_start;
      if (within >= covered) break;
      bits |= uint64_t{1} << (within * reciprocal >> 32);
    } while (++i < count);
    out[used] = static_cast<uint32_t>(span_start >> native::kSlotShift << 6 | word);
    out[used + 1] = static_cast<uint32_t>(bits);
    out[used + 2] = static_cast<uint32_t>(bits >> 32);
    used += 3;
  }
  return used;
}

bool publish(Client& client, BatchHeader header, const uint32_t* words) {
  SurplusRing& ring = client.surplus;
  if (!ring.reserve(header.count + 1)) return false;
  ring.slot(0) = header.pack();
  for (uint32_t i = 0; i < header.count; ++i) ring.slot(1 + i) = words[i];
  ring.publish(header.count + 1);
  ring.prefetch_write(header.count + 1);
  runtime.notify();
  return true;
}

bool send(Client& client, SizeClass c, void* const* blocks, size_t count) {
  uint32_t words[native::kMaxCacheLimit];
  const size_t used = encode_masks(c, blocks, count, words, count);
  if (used != 0)
    return publish(client, {c, BatchHeader::kMasks, static_cast<uint32_t>(used)}, words);
  write_offsets(blocks, count, [&](size_t i, uint32_t offset) { words[i] = offset; });
  return publish(client, {c, window_of(blocks[0]), static_cast<uint32_t>(count)}, words);
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
  put_locked(c, blocks, count);
  return true;
}

void surrender(Client& client, SizeClass c, void* const* blocks, size_t count) {
  const bool offloaded = runtime.server_running();
  while (count != 0) {
    const size_t run = window_run(blocks, count);
    if (!offloaded) {
      DepotGuard guard;
      put_locked(c, blocks, run);
    } else if (put_oneself(client, c, blocks, run)) {
    } else if (send(client, c, blocks, run)) {
      client.sent_bytes += run * kClasses[c].size;
    } else {
      // The channel is full: the memory thread is late. Leave the blocks where it will find them.
      for (size_t i = 0; i < run; ++i) runtime.depot.return_block(blocks[i]);
      client.counters.blocks_returned.add(run);
      runtime.notify();
    }
    blocks += run;
    count -= run;
  }
}

void flush_oldest(Client& client, SizeClass c, size_t count) {
  void** floor = client.sources[c].floor;
  const size_t held = client.cached(c);
  Entry::rebuilding(client, c);
  surrender(client, c, floor + 1, count);
  memmove(floor + 1, floor + 1 + count, (held - count) * sizeof(void*));
  client.fast.top[c] = floor + (held - count);
  client.counters.flushes.add();
  client.counters.blocks_flushed.add(count);
  if (!runtime.server_running()) note_direct_volume(count * kClasses[c].size);
}

}  // namespace

void* refill(Client& client, SizeClass c) {
  Client::Source& source = client.sources[c];
  const ClassInfo& info = kClasses[c];
  Entry::rebuilding(client, c);
  for (;;) {
    for (; source.word < source.word_count; ++source.word) {
      uint64_t& word = source.words[source.word];
      if (word == 0) continue;
      const uint64_t bits = lowest_fitting(word, info.cache_limit);
      word &= ~bits;
      client.counters.refills.add();
      return expand(client, c, source.base + size_t{source.word} * 64 * info.size, bits);
    }
    if (!next_span(client, c)) return nullptr;
  }
}

void flush(Client& client, SizeClass c) {
  const size_t held = client.cached(c);
  flush_oldest(client, c, held - held / 4);
}

void flush_all(Client& client, SizeClass c) {
  if (client.cached(c) != 0) flush_oldest(client, c, client.cached(c));
}

}  // namespace mmt::offload
