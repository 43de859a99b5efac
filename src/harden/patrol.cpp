#include "harden/patrol.h"

#include <algorithm>
#include <atomic>

#include <mmt/core/checked.h>
#include <mmt/core/compiler.h>
#include <mmt/sys/pages.h>
#include <mmt/sys/thread.h>

#include "harden/freed_bytes.h"
#include "harden/object.h"
#include "harden/served_heap.h"

namespace mmt::harden {
namespace {

// A block may go through a whole life between two looks, and be in use at each. So often in a row
// that is as good as impossible.
constexpr int kLooks = 16;

uint8_t state_now(Object object) { return __atomic_load_n(object.state, __ATOMIC_ACQUIRE); }

bool is_as_freed(Object object) {
  if (!are_as_freed(object.block, object.size - kTailBytes)) return false;
  // What went back to the system has no tail either.
  const Tail seen = Tail::load(object.tail());
  return seen.word == 0 || seen.is_right(object.tail());
}

bool is_written(Object object) {
  for (int look = 0; look < kLooks; ++look) {
    if (!is_at_rest(state_now(object)) || is_as_freed(object)) return false;
    // A thread that has taken the block wrote its state before anything else.
    std::atomic_thread_fence(std::memory_order_acquire);
    if (!is_at_rest(state_now(object))) return false;
    for (int i = 0; i < 100; ++i) core::cpu_relax();
  }
  return true;
}

// Whoever takes the block says no more of it. False: it is told already, or just taken.
bool mark_told(Object object) {
  uint8_t seen = state_now(object);
  if (!is_at_rest(seen) || (seen & kTold) != 0) return false;
  return __atomic_compare_exchange_n(object.state, &seen, static_cast<uint8_t>(seen | kTold), false,
                                     __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

// The last that were told of, as they stay as they are. By one caller at a time; another tells
// twice.
constexpr size_t kRemembered = 64;
const uint64_t* remembered[kRemembered];
size_t next_remembered = 0;

bool is_remembered(const uint64_t* at) {
  for (const uint64_t* one : remembered)
    if (one == at) return true;
  remembered[next_remembered++ % kRemembered] = at;
  return false;
}

constinit std::atomic<uint64_t> looked_ms{0};

// Looks that have found something, and have not told of it yet.
constinit std::atomic<uint32_t> telling{0};

void tell_once(Object object) {
  telling.fetch_add(1, std::memory_order_acquire);
  if (mark_told(object)) tell_of_written(object, nullptr);
  telling.fetch_sub(1, std::memory_order_release);
}

// Whether what lies behind a live block is damaged, now and after some looks.
bool is_overwritten(Object object) {
  uint8_t state = state_now(object);
  for (int look = 0; look < kLooks; ++look) {
    if (!is_live(state)) return false;
    const size_t bytes = object.size - kTailBytes - excess_of(object.state);
    const Tail seen = Tail::load(object.tail());
    const bool is_whole = seen.is_right(object.tail()) &&
                          is_gap_whole(object.block + bytes, object.size - kTailBytes - bytes);
    std::atomic_thread_fence(std::memory_order_acquire);
    const uint8_t after = state_now(object);
    if (is_whole || after != state) return false;
    for (int i = 0; i < 100; ++i) core::cpu_relax();
    state = after;
  }
  return true;
}

// The block is the program's, and stays as it is: a free of it tells again.
void tell_of_overwritten(Object object) {
  telling.fetch_add(1, std::memory_order_acquire);
  if (!is_remembered(reinterpret_cast<const uint64_t*>(object.tail())))
    tell_of_live(object, object.size - kTailBytes - excess_of(object.state));
  telling.fetch_sub(1, std::memory_order_release);
}

// How many bytes were looked at.
size_t look_at_span(const store::Region& region, store::Slot slot, const store::ClassInfo& info) {
  char* const start = region.address(slot);
  size_t bytes = 0;
  for (uint32_t i = 0; i < info.blocks; ++i) {
    char* const block = start + size_t{i} * info.size;
    const Object object{block, info.size, states_of(block)};
    const uint8_t state = state_now(object);
    if (is_live(state) && settings.checks_bounds) {
      bytes += 64;
      if (MMT_UNLIKELY(!Tail::load(object.tail()).is_right(object.tail())) &&
          is_overwritten(object))
        tell_of_overwritten(object);
    }
    if (!is_at_rest(state)) continue;
    bytes += info.size;
    if (MMT_UNLIKELY(!is_as_freed(object)) && is_written(object)) tell_once(object);
  }
  return bytes;
}

// --- slots that are nobody's ---

// What a freed span has left: zeros, junk, or tails, which lie where sixteen bytes end.
bool is_word_as_freed(const uint64_t* at) {
  const uint64_t word = __atomic_load_n(at, __ATOMIC_RELAXED);
  if (is_freed_word(word)) return true;
  return reinterpret_cast<uintptr_t>(at) % 16 == 8 && Tail{word}.is_right(at);
}

bool is_nobodys(const store::Region& region, store::Slot slot) {
  return region.class_of_record(slot) == store::kNoClass && !region.is_marked(slot);
}

// Freed blocks that lay in the slot, as far as their words tell.
Finding about_word(const uint64_t* at) {
  Finding finding{Fault::kWriteAfterFree, "freed memory was written"};
  finding.address = at;
  finding.whole_ms = last_looked_ms();
  const auto* const start = reinterpret_cast<const char*>(
      core::align_down(reinterpret_cast<uintptr_t>(at), store::kSlotBytes));
  const uint8_t* state = states_of(at);
  const char* block =
      start + core::align_down(static_cast<size_t>(reinterpret_cast<const char*>(at) - start), 16);
  while (block > start && !is_freed(*state)) {
    --state;
    block -= 16;
  }
  if (is_freed(*state)) finding.block = block;
  for (size_t i = 1; i <= Quarantine::kSmallBytes / 8; ++i) {
    if ((reinterpret_cast<uintptr_t>(at) + 8 * i) % store::kSlotBytes == 0) break;
    const Tail tail = Tail::load(at + i);
    if (tail.word == 0 || !tail.is_right(at + i)) continue;
    finding.allocated = Event::allocation_of(tail);
    finding.freed = Event::free_of(tail);
    finding.whole_ms = std::max(finding.whole_ms, finding.freed.ms);
    break;
  }
  return finding;
}

bool is_word_written(const store::Region& region, store::Slot slot, const uint64_t* at) {
  for (int look = 0; look < kLooks; ++look) {
    if (is_word_as_freed(at)) return false;
    // A thread that has taken the slot gave it a class before anything else.
    std::atomic_thread_fence(std::memory_order_acquire);
    if (!is_nobodys(region, slot)) return false;
    for (int i = 0; i < 100; ++i) core::cpu_relax();
  }
  return true;
}

// How many bytes were looked at.
size_t look_at_nobodys(const store::Region& region, store::Slot slot) {
  constexpr size_t kPages = store::kSlotBytes / sys::kPageSize;
  unsigned char resident[kPages];
  char* const start = region.address(slot);
  if (!sys::look_for_pages(start, store::kSlotBytes, resident)) return 0;
  size_t bytes = 0;
  for (size_t page = 0; page < kPages; ++page) {
    if ((resident[page] & 1) == 0) continue;
    const auto* const words = reinterpret_cast<const uint64_t*>(start + page * sys::kPageSize);
    bytes += sys::kPageSize;
    for (size_t i = 0; i < sys::kPageSize / 8; ++i) {
      if (MMT_LIKELY(is_word_as_freed(words + i))) continue;
      if (!is_nobodys(region, slot)) return bytes;
      if (!is_word_written(region, slot, words + i)) continue;
      telling.fetch_add(1, std::memory_order_acquire);
      if (!is_remembered(words)) report(about_word(words + i));
      telling.fetch_sub(1, std::memory_order_release);
    }
  }
  return bytes;
}

}  // namespace

uint64_t last_looked_ms() { return looked_ms.load(std::memory_order_relaxed); }

bool Patrol::run(size_t bytes) {
  if (!settings.trusts_others) return false;
  const store::Region& region = served_heap().depot.region();
  const store::Slot end = region.frontier();
  if (next_ >= end) next_ = 0;
  if (next_ == 0) began_ms_ = ms_now();
  next_ = std::max(next_, region.first());
  for (size_t seen = 0; next_ < end && seen < bytes;) {
    const uint8_t code = region.class_of_record(next_);
    const bool is_span = code != store::kNoClass && code < store::kClassCount;
    if (is_span && store::span_start(next_, code) == next_) {
      seen += look_at_span(region, next_, store::kClasses[code]);
      next_ += store::kClasses[code].span_slots;
    } else {
      if (is_nobodys(region, next_)) seen += look_at_nobodys(region, next_);
      ++next_;
    }
    seen += 64;  // a slot without freed blocks costs something, too
  }
  if (next_ < end) return true;
  // Relaxed: a number, by which nothing else is found.
  looked_ms.store(began_ms_, std::memory_order_relaxed);
  return false;
}

void Patrol::run_through(size_t most_bytes) {
  next_ = 0;
  run(most_bytes);
  // What another has found is told, too.
  constexpr uint32_t kTurns = 1000;
  for (uint32_t turn = 0; telling.load(std::memory_order_acquire) != 0 && turn < kTurns; ++turn)
    sys::give_way(turn);
}

}  // namespace mmt::harden
