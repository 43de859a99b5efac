#include "harden/look.h"

#include <algorithm>
#include <atomic>

#include <mmt/core/checked.h>
#include <mmt/core/compiler.h>
#include <mmt/sys/pages.h>
#include <mmt/sys/thread.h>

#include "harden/freed_bytes.h"
#include "harden/mapped_object.h"
#include "harden/patrol.h"
#include "harden/place.h"
#include "harden/served_heap.h"

namespace mmt::harden {
namespace {

// A block may go through a whole life between two looks, and be in use at each. So often in a row
// that is as good as impossible.
constexpr int kLooks = 16;

// Blocks of so many bytes are copied by themselves: most of what lies beside them is not looked at.
constexpr size_t kManyBytes = 2048;

uint8_t state_now(Object object) { return __atomic_load_n(object.state, __ATOMIC_ACQUIRE); }

void pause() {
  for (int i = 0; i < 100; ++i) core::cpu_relax();
}

// The last that were told of, as they stay as they are. By one caller at a time; another tells
// twice.
constexpr size_t kRemembered = 64;
const void* remembered[kRemembered];
size_t next_remembered = 0;

bool is_remembered(const void* at) {
  for (const void* one : remembered)
    if (one == at) return true;
  remembered[next_remembered++ % kRemembered] = at;
  return false;
}

// Looks that have found something, and have not told of it yet.
constinit std::atomic<uint32_t> telling{0};

class Telling {
 public:
  Telling() { telling.fetch_add(1, std::memory_order_acquire); }
  ~Telling() { telling.fetch_sub(1, std::memory_order_release); }
  Telling(const Telling&) = delete;
  Telling& operator=(const Telling&) = delete;
};

// --- freed blocks ---

// copied(from, bytes): a copy, or nullptr. What cannot be read was not written.
template <class Copied>
bool is_as_freed(Object object, Copied&& copied) {
  const size_t all = object.size - kTailBytes;
  for (size_t at = 0; at < all; at += HeapCopy::kBytes) {
    const size_t bytes = std::min(HeapCopy::kBytes, all - at);
    const char* const seen = copied(object.block + at, bytes);
    if (seen != nullptr && !are_as_freed(seen, bytes)) return false;
  }
  const char* const end = copied(object.tail(), kTailBytes);
  if (end == nullptr) return true;
  // What went back to the system has no tail either.
  const Tail tail = Tail::load(end);
  return tail.word == 0 || tail.is_right(object.tail());
}

bool is_written(HeapCopy& copy, Object object) {
  for (int look = 0; look < kLooks; ++look) {
    const auto fresh = [&copy](const char* from, size_t bytes) { return copy.fresh(from, bytes); };
    if (!is_at_rest(state_now(object)) || is_as_freed(object, fresh)) return false;
    // A thread that has taken the block wrote its state before anything else.
    std::atomic_thread_fence(std::memory_order_acquire);
    if (!is_at_rest(state_now(object))) return false;
    pause();
  }
  return true;
}

void look_at_freed_block(HeapCopy& copy, Object object, const char* end) {
  if ((state_now(object) & kTold) != 0) return;
  const auto copied = [&copy, end](const char* from, size_t bytes) {
    return copy.of(from, bytes, end);
  };
  if (MMT_LIKELY(is_as_freed(object, copied)) || !is_written(copy, object)) return;
  const Telling now;
  if (mark_told(object.state)) tell_of_written(object, nullptr);
}

// --- live blocks ---

size_t bytes_of(Object object) { return object.size - kTailBytes - excess_of(object.state); }

// Whether what lies behind the program's bytes is as it was laid out.
template <class Copied>
bool is_end_whole(Object object, Copied&& copied) {
  const size_t bytes = bytes_of(object);
  if (bytes > object.size - kTailBytes) return false;  // laid out anew between two looks
  const size_t gap = object.size - kTailBytes - bytes;
  const size_t looked_at = std::min(gap, HeapCopy::kBytes - kTailBytes);
  const char* const from = object.tail() - looked_at;
  const char* const seen = copied(from, looked_at + kTailBytes);
  if (seen == nullptr) return true;
  if (!Tail::load(seen + looked_at).is_right(object.tail())) return false;
  if (bytes == 0 && settings.fills)
    return std::all_of(seen, seen + looked_at, [](char byte) { return byte == 0; });
  return looked_at != gap || is_gap_whole(seen, gap);
}

bool is_overwritten(HeapCopy& copy, Object object) {
  uint8_t state = state_now(object);
  for (int look = 0; look < kLooks; ++look) {
    if (!is_live(state)) return false;
    const auto fresh = [&copy](const char* from, size_t bytes) { return copy.fresh(from, bytes); };
    const bool is_whole = is_end_whole(object, fresh);
    std::atomic_thread_fence(std::memory_order_acquire);
    const uint8_t after = state_now(object);
    if (is_whole || after != state) return false;
    pause();
    state = after;
  }
  return true;
}

// The block is the program's, and stays as it is: a free of it tells again.
void look_at_live_block(HeapCopy& copy, Object object, const char* end) {
  const auto copied = [&copy, end](const char* from, size_t bytes) {
    return copy.of(from, bytes, end);
  };
  if (MMT_LIKELY(is_end_whole(object, copied)) || !is_overwritten(copy, object)) return;
  const Telling now;
  if (!is_remembered(object.tail())) tell_of_live(object, bytes_of(object));
}

// --- slots that are nobody's ---

// What a freed span has left: zeros, junk, or tails, which lie where sixteen bytes end. `seen` is a
// copy of what lies at `at`.
bool is_word_as_freed(const char* seen, const char* at) {
  const Tail word = Tail::load(seen);
  if (is_freed_word(word.word)) return true;
  return reinterpret_cast<uintptr_t>(at) % 16 == 8 && word.is_right(at);
}

// So near before a block it is that one that was meant.
constexpr size_t kNearBytes = 64;

// The block that the next slot begins with. It may have been freed since.
Finding about_next(Object next, const char* at, Tail seen) {
  Finding finding{Fault::kUnderflow, "it was written before its beginning"};
  finding.block = next.block;
  finding.bytes = bytes_of(next);
  finding.has_bytes = true;
  finding.address = at;
  finding.allocated = Event::allocation_of(seen);
  finding.freed = Event::free_of(seen);
  finding.whole_ms = std::max(last_looked_ms(), finding.allocated.ms);
  return finding;
}

Tail tail_of(Object object) {
  Tail seen{};
  if (is_live(state_now(object))) return Tail::load(object.tail());
  static_cast<void>(is_gone(object.block, &seen));
  return seen;
}

// Freed blocks that lay in the slot, as far as their words tell.
Finding about_word(const char* at) {
  const uintptr_t left = store::kSlotBytes - reinterpret_cast<uintptr_t>(at) % store::kSlotBytes;
  if (left <= kNearBytes) {
    const Place next = place_of(at + left);
    if (next.is_start && next.object.state != nullptr && (state_now(next.object) & kLive) != 0)
      return about_next(next.object, at, tail_of(next.object));
  }
  Finding finding{Fault::kWriteAfterFree, "freed memory was written"};
  finding.address = at;
  finding.whole_ms = last_looked_ms();
  const auto* const start = reinterpret_cast<const char*>(
      core::align_down(reinterpret_cast<uintptr_t>(at), store::kSlotBytes));
  const uint8_t* state = states_of(at);
  const char* block = start + core::align_down(static_cast<size_t>(at - start), 16);
  while (block > start && !is_freed(*state)) {
    --state;
    block -= 16;
  }
  if (is_freed(*state)) finding.block = block;
  for (size_t i = 8; i <= Quarantine::kSmallBytes; i += 8) {
    if ((reinterpret_cast<uintptr_t>(at) + i) % store::kSlotBytes == 0) break;
    const Tail tail = Tail::load(at + i);
    if (tail.word == 0 || !tail.is_right(at + i)) continue;
    finding.allocated = Event::allocation_of(tail);
    finding.freed = Event::free_of(tail);
    finding.whole_ms = std::max(finding.whole_ms, finding.freed.ms);
    break;
  }
  return finding;
}

bool is_word_written(HeapCopy& copy, store::Slot slot, const char* at) {
  for (int look = 0; look < kLooks; ++look) {
    const char* const seen = copy.fresh(at, 8);
    if (seen == nullptr || is_word_as_freed(seen, at)) return false;
    // A thread that has taken the slot gave it a class before anything else.
    std::atomic_thread_fence(std::memory_order_acquire);
    if (!is_nobodys(slot)) return false;
    pause();
  }
  return true;
}

void look_at_page(HeapCopy& copy, store::Slot slot, const char* page) {
  const char* seen = copy.fresh(page, sys::kPageSize);
  for (size_t at = 0; seen != nullptr && at < sys::kPageSize; at += 8) {
    if (MMT_LIKELY(is_word_as_freed(seen + at, page + at))) continue;
    if (is_word_written(copy, slot, page + at)) {
      const Telling now;
      if (!is_remembered(page)) report(about_word(page + at));
      return;
    }
    seen = copy.fresh(page, sys::kPageSize);
  }
}

}  // namespace

void look_at(HeapCopy& copy, Object object, const char* end) {
  if (object.size >= kManyBytes) end = object.block;
  const uint8_t state = state_now(object);
  if (is_live(state) && settings.checks_bounds) look_at_live_block(copy, object, end);
  if (is_at_rest(state)) look_at_freed_block(copy, object, end);
}

bool is_nobodys(store::Slot slot) {
  const store::Region& region = served_heap().depot.region();
  return region.class_of_record(slot) == store::kNoClass && !region.is_marked(slot);
}

void look_at_nobodys(HeapCopy& copy, store::Slot slot) {
  constexpr size_t kPages = store::kSlotBytes / sys::kPageSize;
  unsigned char resident[kPages];
  const char* const start = served_heap().depot.region().address(slot);
  if (!sys::look_for_pages(start, store::kSlotBytes, resident)) return;
  for (size_t page = 0; page < kPages && is_nobodys(slot); ++page)
    if ((resident[page] & 1) != 0) look_at_page(copy, slot, start + page * sys::kPageSize);
}

void look_before(Object object, const void* caller) {
  const store::Region& region = served_heap().depot.region();
  const store::Slot slot = region.slot_of(object.block);
  if (slot <= region.first() || !is_nobodys(slot - 1)) return;
  const char* const at = object.block - 8;
  char seen[8];
  if (!sys::copy_if_readable(seen, at, sizeof seen) || is_word_as_freed(seen, at)) return;
  // As above.
  std::atomic_thread_fence(std::memory_order_acquire);
  if (!is_nobodys(slot - 1)) return;
  Finding finding = about_next(object, at, Tail::load(object.tail()));
  finding.caller = caller;
  report(finding);
}

void wait_for_tellers() {
  constexpr uint32_t kTurns = 1000;
  for (uint32_t turn = 0; telling.load(std::memory_order_acquire) != 0 && turn < kTurns; ++turn)
    sys::give_way(turn);
}

}  // namespace mmt::harden
