#include "heap/thread/refill.h"

#include <algorithm>
#include <bit>
#include <utility>

#include <mmt/core/checked.h>
#include <mmt/sys/pages.h>
#include <mmt/sys/thread.h>

#include "heap/gates/arrive.h"
#include "heap/gates/inspection.h"
#include "heap/gates/surplus_reader.h"
#include "heap/object/depot_guard.h"
#include "heap/object/heap.h"
#include "heap/object/page_price.h"
#include "heap/object/samples.h"
#include "heap/object/thread_state.h"
#include "heap/object/volume.h"
#include "heap/thread/cache_width.h"
#include "heap/thread/cpu_caches.h"
#include "heap/thread/entry.h"
#include "heap/thread/hand_over.h"
#include "heap/thread/holders.h"
#include "heap/thread/thrift.h"

namespace mmt::heap {
namespace {

using store::SpanSupply;

// So many batches of the thread's own surplus are put back at each hold of the lock.
constexpr size_t kBatchesAHold = 16;

uint32_t few_blocks(const Client& client, SizeClass c) {
  const uint32_t half = client.cache_limit(c) / 2;
  return half < kFewBlocks ? half : kFewBlocks;
}

// The memory thread prepares what comes next, where that pays.
void note_growth(Heap& heap, SizeClass c, Slot slot) {
  const size_t end = size_t{slot + kClasses[c].span_slots} << store::kSlotShift;
  if (heap.watermarks.passes_frontier(end)) heap.wake();
}

// What is in memory of a span that was just taken.
SpanPages pages_of(Heap& heap, SizeClass c, store::SpanSupply span) {
  using store::SpanMemory;
  const size_t bytes = size_t{kClasses[c].span_slots} << store::kSlotShift;
  if (span.memory == SpanMemory::kUsed || !heap.options.prefault) return SpanPages::kUnknown;
  const size_t from = size_t{span.slot} << store::kSlotShift;
  if (span.memory == SpanMemory::kClean || !heap.depot.prepared().has_some(from, bytes))
    return SpanPages::kNone;
  return heap.depot.prepared().has_all(from, bytes) ? SpanPages::kPrepared : SpanPages::kUnknown;
}

// Usable after its last store only: a signal handler may leave before.
void use_span(Heap& heap, Client::Source& source, SizeClass c, SpanSupply span, uint64_t* words) {
  source.word = source.word_count = 0;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  source.words = words;
  source.slot = span.slot;
  source.base = heap.depot.region().address(span.slot);
  source.fresh = source.fresh_end = source.base;
  source.zeroed = span.memory != store::SpanMemory::kUsed;
  if (span.memory == store::SpanMemory::kFrontier) note_growth(heap, c, span.slot);
  source.pages = pages_of(heap, c, span);
  // Larger blocks are not worth a step each.
  if (source.pages == SpanPages::kNone && kClasses[c].size <= sys::kPageSize &&
      source.spans_taken >= kSettledSpans && heap.samples.is_dense(kind_of_class(c))) {
    source.fresh_end += store::kSlotBytes;
    source.pages = SpanPages::kPrepared;
  }
  // Where the program wants memory kept, its blocks' pages are there before them.
  if (MMT_UNLIKELY(heap.keeps_all()) && source.pages == SpanPages::kNone) {
    source.fresh_end = source.base + (size_t{kClasses[c].span_slots} << store::kSlotShift);
    source.pages = SpanPages::kPrepared;
  }
  std::atomic_signal_fence(std::memory_order_seq_cst);
  source.word_count = kClasses[c].words;
}

// Puts the blocks of `words`, of the span at `slot`, behind the `count` in `blocks`; returns the
// new count.
uint32_t append_blocks(Heap& heap, SizeClass c, Slot slot, const uint64_t* words, void** blocks,
                       uint32_t count) {
  const size_t size = kClasses[c].size;
  char* const base = heap.depot.region().address(slot);
  for (uint32_t w = 0; w < kClasses[c].words; ++w)
    for (uint64_t bits = words[w]; bits != 0; bits &= bits - 1)
      blocks[count++] = base + (w * 64 + static_cast<size_t>(std::countr_zero(bits))) * size;
  return count;
}

uint32_t count_blocks(SizeClass c, const uint64_t* words) {
  uint32_t count = 0;
  for (uint32_t w = 0; w < kClasses[c].words; ++w)
    count += static_cast<uint32_t>(std::popcount(words[w]));
  return count;
}

// Takes spans under the lock until there are blocks enough for a while. The blocks of spans with
// few are written above the floor of the cache, which is empty and remains so. The first span with
// more becomes the source. Returns how many blocks were written.
uint32_t take_spans(LockToken lock, Client& client, SizeClass c, size_t* spans) {
  Heap& heap = *client.heap;
  void** const blocks = client.sources[c].floor + 1;
  uint64_t* words = client.words(c);
  const uint32_t few = few_blocks(client, c);
  uint32_t count = 0;
  do {
    const SpanSupply span = take_span(heap, lock, c, words);
    if (span.slot == kNoSlot) break;
    ++*spans;
    if (count_blocks(c, words) > few) {
      use_span(heap, client.sources[c], c, span, words);
      break;
    }
    count = append_blocks(heap, c, span.slot, words, blocks, count);
  } while (count < few / 2);
  return count;
}

// Caches all but the first of the blocks that were written above the floor, and returns the first.
// The blocks are turned round, so that they are taken in this order.
void* cache_written(Client& client, SizeClass c, uint32_t count) {
  void** const floor = client.sources[c].floor;
  std::reverse(floor + 1, floor + 1 + count);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  client.fast.top[c] = floor + (count - 1);
  return floor[count];
}

// For a client that is thrifty: no more than it may cache, and the one that is returned.
uint32_t few_wanted(const Client& client, SizeClass c) {
  return std::min(client.cache_limit(c) + 1, std::max(client.widest_limit(c), 1u));
}

// From its CPU's cache. One that wants more of a class gets more at a time, within its share.
uint32_t take_few(Client& client, SizeClass c) {
  if (client.sources[c].spans_taken != 0) widen(client, c);
  void** const blocks = client.sources[c].floor + 1;
  const uint32_t count = take_from_cpu(client, c, blocks, few_wanted(client, c));
  if (count != 0) client.counters.refills.add();
  return count;
}

// The lowest free blocks of the process, where its CPU's cache had none.
uint32_t take_few_of_depot(LockToken lock, Client& client, SizeClass c) {
  Heap& heap = *client.heap;
  void** const blocks = client.sources[c].floor + 1;
  const uint32_t most = few_wanted(client, c);
  uint32_t count = 0;
  for (; count < most; ++count)
    if ((blocks[count] = take_block(heap, lock, c)) == nullptr) break;
  client.counters.refills.add();
  return count;
}

// A structure that the thread has just taken down is free before more is taken. If some of it were
// still on its way, each span would have holes, and a structure built there now would lie in two
// places.
void take_surplus_back(Client& client) {
  Heap& heap = *client.heap;
  // Relaxed: the thread's own.
  const bool holds = client.held_blocks.load(std::memory_order_relaxed) != 0;
  if (MMT_LIKELY(client.surplus.size_hint() == 0 && !holds)) return;
  if (Inspections::kAny || heap.options.drain == Switch::kOn) return;
  hand_over_held(client);
  for (;;) {
    SurplusReader reader(heap, client, thread_id(), SurplusReader::kSpins);
    if (!reader.held()) return;
    const DepotGuard lock(heap, DepotWait::kBrief);
    if (!lock.held() || reader.put(lock, kBatchesAHold)) return;
  }
}

uint32_t take_from_depot(LockToken lock, Client& client, SizeClass c, size_t* spans) {
  Heap& heap = *client.heap;
  merge_some_resting(heap, lock);
  return client.thrifty ? take_few_of_depot(lock, client, c) : take_spans(lock, client, c, spans);
}

// A new source that the depot did not have under its lock. How many spans.
size_t take_fresh(Client& client, SizeClass c) {
  Heap& heap = *client.heap;
  uint64_t* const words = client.words(c);
  const SpanSupply span = take_fresh_span(heap, c, words);
  if (span.slot != kNoSlot) use_span(heap, client.sources[c], c, span, words);
  return span.slot != kNoSlot;
}

// What the depot gave a client that asked for a new source, or blocks in its cache.
struct Given {
  size_t spans = 0;
  uint32_t blocks = 0;   // written above the floor
  bool was_held = true;  // the lock was to be had
};

// Apart, as other calls are made where less of the stack is in use.
MMT_NOINLINE Given take_under_lock(Client& client, SizeClass c) {
  Heap& heap = *client.heap;
  Given given;
  // Where the program wants its memory kept, fresh memory costs more than a while.
  const DepotWait wait = heap.keeps_all() ? DepotWait::kPatient : DepotWait::kThrifty;
  DepotGuard lock(heap, heap.server_running() ? wait : DepotWait::kForever);
  given.was_held = lock.held();
  if (given.was_held) given.blocks = take_from_depot(lock, client, c, &given.spans);
  return given;
}

// A new source, or blocks in the cache and one in *first. How many bytes; 0: there are none.
size_t take_more(Client& client, SizeClass c, void** first) {
  take_surplus_back(client);
  Given given;
  // A cache of its CPU may have some.
  if (client.thrifty) given.blocks = take_few(client, c);
  if (given.blocks == 0) given = take_under_lock(client, c);
  if (given.was_held) client.counters.spans_self.add(given.spans);
  const size_t span_bytes = size_t{kClasses[c].span_slots} << store::kSlotShift;
  if (given.spans == 0 && given.blocks == 0) {
    if (client.thrifty) return 0;  // see refill(): from where less of the stack is in use
    given.spans = take_fresh(client, c);
    if (given.spans == 0) return 0;
    (given.was_held ? client.counters.spans_self : client.counters.spans_carved).add(given.spans);
    if (!given.was_held) note_taken_past_lock(*client.heap, given.spans * span_bytes);
  }
  if (given.blocks != 0) *first = cache_written(client, c, given.blocks);
  return given.spans != 0 ? given.spans * span_bytes : given.blocks * size_t{kClasses[c].size};
}

// All blocks of the source's span have been handed out: what the program touched of them tells of
// those that follow.
void look_at_used_span(Heap& heap, Client::Source& source, SizeClass c) {
  const SpanPages pages = std::exchange(source.pages, SpanPages::kUnknown);
  if (pages != SpanPages::kUnknown)
    heap.samples.add_span(heap.depot, c, source.slot, pages == SpanPages::kPrepared);
}

// Sees to a new source, or to blocks in the cache and one in *first.
bool next_span(Client& client, SizeClass c, void** first) {
  Heap& heap = *client.heap;
  Client::Source& source = client.sources[c];
  look_at_used_span(heap, source, c);
  const size_t bytes = take_more(client, c, first);
  if (bytes == 0) return false;
  count_volume(heap, bytes);
  ++source.spans_taken;
  heap.notify();
  return true;
}

// Caches the blocks of `bits` but the lowest, so that they are taken by ascending address, and
// returns the lowest. The cache is empty until the last store.
void* expand(Client& client, SizeClass c, char* first, uint64_t bits) {
  const size_t size = kClasses[c].size;
  void** const floor = client.sources[c].floor;
  void* lowest = first + static_cast<size_t>(std::countr_zero(bits)) * size;
  if (bits == ~uint64_t{0}) {
    char* block = first + size;
    for (void** entry = floor + 63; entry != floor; --entry, block += size) *entry = block;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    client.fast.top[c] = floor + 63;
    return lowest;
  }
  bits &= bits - 1;
  void** const top = floor + std::popcount(bits);
  for (void** entry = top; bits != 0; bits &= bits - 1)
    *entry-- = first + static_cast<size_t>(std::countr_zero(bits)) * size;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  client.fast.top[c] = top;
  return lowest;
}

// Makes `needed` bytes of a fresh span resident, and as much behind them as is cheap. One call into
// the kernel costs less than a fault for each page, but should not keep the program waiting either.
// No clock is read: a program may have forbidden that to itself.
void populate_step(Heap& heap, Client::Source& source, size_t needed) {
  const uint64_t page_price = heap.repeatable ? kUsualPageNs : page_price_ns(heap);
  const size_t affordable = kStepNs / (page_price + 1) * sys::kPageSize;
  const auto left = static_cast<size_t>(source.fresh_end - source.fresh);
  const size_t wanted = std::max(core::align_up(needed, sys::kPageSize), affordable);
  const bool keeps = heap.keeps_all();
  const size_t bytes = keeps ? left : std::min(wanted, left);
  store::Region& region = heap.depot.region();
  if (keeps && !sys::is_quiet())
    sys::populate(source.fresh, bytes);
  else if (!sys::is_quiet())
    populate_all_but_samples(region, static_cast<size_t>(source.fresh - region.base()), bytes);
  source.fresh += bytes;
}

// Returns those of `bits`, free blocks in the source's current word, whose memory is there. In a
// fresh span the lowest block's memory is made resident first.
uint64_t resident_blocks(Heap& heap, Client::Source& source, const ClassInfo& info, uint64_t bits) {
  if (source.fresh == source.fresh_end) return bits;
  char* const first = source.base + size_t{source.word} * 64 * info.size;
  char* const lowest_end = first + (static_cast<size_t>(std::countr_zero(bits)) + 1) * info.size;
  if (lowest_end > source.fresh)
    populate_step(heap, source, static_cast<size_t>(lowest_end - source.fresh));
  // How much is cached decides which block is next: that may not depend on what was touched.
  if (heap.repeatable) return bits;
  const size_t blocks = static_cast<size_t>(source.fresh - first) / info.size;
  return blocks >= 64 ? bits : bits & ((uint64_t{1} << blocks) - 1);
}

// The part of `bits` that fits into an empty cache (and the block that is returned).
uint64_t lowest_fitting(uint64_t bits, uint32_t limit) {
  if (static_cast<uint32_t>(std::popcount(bits)) <= limit) return bits;
  uint64_t left = bits;
  for (uint32_t i = 0; i < limit; ++i) left &= left - 1;
  return bits & ~left;
}

MMT_NOINLINE void* refill_cache(Client& client, SizeClass c, uint32_t most, bool* zeroed) {
  Heap& heap = *client.heap;
  *zeroed = false;
  now_holds(client);
  keep_manner(client);
  Client::Source& source = client.sources[c];
  const ClassInfo& info = kClasses[c];
  source.widenings_left = kMostWidenings;
  source.flushed = false;
  client.flushes_in_a_row = 0;
  for (;;) {
    for (; source.word < source.word_count; ++source.word) {
      uint64_t& word = source.words[source.word];
      if (word == 0) continue;
      const uint32_t room = std::min(std::max(client.cache_limit(c), 1u), most);
      const uint64_t bits = lowest_fitting(resident_blocks(heap, source, info, word), room);
      word &= ~bits;
      *zeroed = source.zeroed;
      client.counters.refills.add();
      return expand(client, c, source.base + size_t{source.word} * 64 * info.size, bits);
    }
    void* first = nullptr;
    if (!next_span(client, c, &first)) return nullptr;
    if (first != nullptr) return first;
  }
}

// For threads without a client, and for calls that interrupted a slow path.
MMT_NOINLINE void* take_direct(Heap& heap, SizeClass c) {
  if (const DepotGuard lock(heap); lock.held())
    if (void* block = take_block(heap, lock, c)) return block;
  return take_fresh_block(heap, c);
}
void* allocate_direct(Heap& heap, SizeClass c) {
  return heap.is_open() ? take_direct(heap, c) : nullptr;
}

}  // namespace

MMT_NOINLINE void* allocate_of_class(Heap& heap, SizeClass c) {
  Entry entry(heap);
  Client* client = entry.client();
  if (client == nullptr) return allocate_direct(heap, c);
  if (void* block = pop_exclusive(*client, c)) return block;
  return refill(*client, c);
}

MMT_NOINLINE void* allocate_of_pages(Heap& heap, SizeClass c, bool* zeroed) {
  Entry entry(heap);
  Client* client = entry.client();
  *zeroed = false;
  if (client == nullptr) return allocate_direct(heap, c);
  if (void* block = pop_exclusive(*client, c)) return block;
  return refill(*client, c, 1, zeroed);
}

// Apart, as allocate_of_class() needs less of the stack then.
MMT_NOINLINE void* refill(Client& client, SizeClass c) {
  bool zeroed;
  return refill(client, c, ~uint32_t{0}, &zeroed);
}

void* refill(Client& client, SizeClass c, uint32_t most, bool* zeroed) {
  Heap& heap = *client.heap;
  void* const block = refill_cache(client, c, most, zeroed);
  if (MMT_LIKELY(block != nullptr) || !client.thrifty) return block;
  count_volume(heap, kClasses[c].size);
  return take_fresh_block(heap, c);
}

}  // namespace mmt::heap
