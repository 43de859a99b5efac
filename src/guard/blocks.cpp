#include "guard/blocks.h"

#include <pthread.h>

#include <algorithm>
#include <cstring>

#include <mmt/sys/random.h>
#include <mmt/sys/thread.h>

#include "guard/budget.h"
#include "guard/tell.h"
#include "guard/turns.h"
#include "harden/capture.h"
#include "harden/served_heap.h"
#include "harden/settings.h"
#include "heap/process/allocation.h"
#include "heap/process/opening.h"

namespace mmt::guard {
namespace {

constexpr uint64_t kUsualRate = 5000;
// A higher one than this is kept, whatever places cost.
constexpr uint64_t kBoundRate = 1000;

// The place of a live block that becomes closing, and the caller's.
Place take_live(void* block) {
  const Place place = pool.place_of(block);
  const Record& record = pool.record(place);
  return record.block == block && pool.change(place, State::kLive, State::kClosing) ? place
                                                                                    : kNoPlace;
}

// Looks at a block that is closing, and shuts it.
void release(Place place, const void* caller) {
  Record& record = pool.record(place);
  // A program that has confined itself may be killed for more calls: the place stays open.
  if (sys::is_quiet()) {
    pool.change(place, State::kClosing, State::kTold);
    return;
  }
  harden::capture_call(&record.freed, caller);
  if (const char* const at = pool.damage(place)) return tell_of_damage(place, at, caller);
  pool.close(place);
}

}  // namespace

void begin() {
  heap::Heap& heap = harden::served_heap();
  if (!heap::open_heap(heap)) return;
  harden::read_settings(heap.options);
  harden::begin_times();
  pool.reserve();
  pthread_atfork(nullptr, nullptr, [] { pool.renew_in_child(); });
  const uint64_t rate = heap.options.guard != 0 ? heap.options.guard : kUsualRate;
  // Where addresses are the same in each run, so are those of places.
  if (rate >= kBoundRate && !heap.repeatable) bind_to_budget();
  set_rate(rate, heap.repeatable ? 1 : sys::random_bits());
}

void* allocate(size_t bytes, size_t alignment, const void* caller) {
  if (!draw() || bytes > kRoomBytes || alignment >= sys::kPageSize || sys::is_quiet())
    return nullptr;
  if (!pool.lets_in(some_bits())) return nullptr;
  const Spending spending;
  if (!spending.is_allowed()) return nullptr;
  const Place place = pool.open(bytes, alignment, some_bits());
  if (place == kNoPlace) return nullptr;
  Record& record = pool.record(place);
  void* const block = record.block;
  harden::capture_call(&record.allocated, caller);
  pool.hand_out(place);
  return block;
}

void* allocate_zeroed(size_t bytes, const void* caller) {
  void* const block = allocate(bytes, 1, caller);
  if (block != nullptr) memset(block, 0, bytes);
  return block;
}

// Only what lies in a size class: the program may have changed the pages of others.
void* move_in(void* block, size_t bytes, const void* caller) {
  const store::Region& region = harden::served_heap().depot.region();
  if (!region.contains(block)) return nullptr;
  const uint8_t code = region.class_of(region.slot_of(block));
  if (code == store::kNoClass || code >= store::kClassCount) return nullptr;
  void* const moved = allocate(bytes, 1, caller);
  if (moved == nullptr) return nullptr;
  memcpy(moved, block, std::min(bytes, heap::usable_size(harden::served_heap(), block)));
  heap::deallocate(harden::served_heap(), block);
  return moved;
}

void deallocate(void* block, const void* caller) {
  const Place place = take_live(block);
  if (place != kNoPlace) return release(place, caller);
  tell_of_wrong_call(block, caller);
}

void* move_out(void* block, size_t bytes, const void* caller) {
  const Place place = pool.place_of(block);
  if (pool.record(place).block != block || pool.state(place) != State::kLive)
    tell_of_wrong_call(block, caller);
  if (pool.record(place).block != block) return nullptr;
  // What was reported can be read.
  void* const moved = heap::allocate(harden::served_heap(), bytes);
  if (moved == nullptr) return nullptr;
  memcpy(moved, block, std::min<size_t>(bytes, pool.record(place).bytes));
  const Place taken = take_live(block);
  if (taken != kNoPlace)
    release(taken, caller);
  else
    pool.change(place, State::kToldLive, State::kTold);
  return moved;
}

size_t usable_size(const void* block) {
  const Place place = pool.place_of(block);
  const State state = pool.state(place);
  const bool is_live = state == State::kLive || state == State::kToldLive;
  return is_live && pool.record(place).block == block ? pool.record(place).bytes : 0;
}

}  // namespace mmt::guard
