#include "harden/look_at_free.h"

#include <algorithm>
#include <atomic>
#include <cstdint>

#include <mmt/core/checked.h>
#include <mmt/core/compiler.h>
#include <mmt/sys/pages.h>

#include "harden/finding.h"
#include "harden/freed_bytes.h"
#include "harden/look.h"
#include "harden/mapped_object.h"
#include "harden/patrol.h"
#include "harden/place.h"
#include "harden/served_heap.h"
#include "harden/telling.h"
#include "harden/told.h"
#include "heap/process/sparse_bytes.h"

namespace mmt::harden {
namespace {

constexpr size_t kPagesOfSlot = store::kSlotBytes / sys::kPageSize;

const char* slot_start(const void* at) {
  return reinterpret_cast<const char*>(
      core::align_down(reinterpret_cast<uintptr_t>(at), store::kSlotBytes));
}

// What freed blocks have left: zeros, junk, or tails, which lie where sixteen bytes end. `seen` is
// a copy of what lies at `at`.
bool is_word_as_freed(const char* seen, const char* at) {
  const Tail word = Tail::load(seen);
  if (is_freed_word(word.word)) return true;
  return reinterpret_cast<uintptr_t>(at) % 16 == 8 && word.is_right(at);
}

// --- which memory is free: whether `at` is now, where what it is of begins, and where it ends ---

struct Nobodys {
  static bool has(const char* at) { return is_nobodys(served_heap().depot.region().slot_of(at)); }
  static const char* start(const char* at) { return slot_start(at); }
  static const char* end(const char* at) { return slot_start(at) + store::kSlotBytes; }
};

// Addresses are taken as those of blocks of the span at `first`.
struct Unused {
  const char* first;
  const store::ClassInfo& info;

  bool has(const char* at) const {
    const Place place = place_of(at);
    return place.kind == Place::Kind::kSmall && place.object.size == info.size &&
           place.object.state_now() == kUnknown;
  }
  const char* start(const char* at) const {
    return first + static_cast<size_t>(at - first) / info.size * info.size;
  }
  const char* end(const char* at) const { return start(at) + info.size; }
};

// --- findings ---

// So near before a block it is that one that was meant.
constexpr size_t kNearBytes = 64;

// The block that the next slot begins with. It may have been freed since.
Finding about_next(Object next, const char* at, Tail seen) {
  Finding finding{Fault::kUnderflow, "it was written before its beginning"};
  finding.block = next.block;
  finding.bytes = next.bytes();
  finding.has_bytes = true;
  finding.address = at;
  finding.allocated = Event::allocation_of(seen);
  finding.freed = Event::free_of(seen);
  finding.whole_ms = std::max(last_looked_ms(), finding.allocated.ms);
  return finding;
}

Tail tail_of(Object object) {
  Tail seen{};
  if (is_live(object.state_now())) return Tail::load(object.tail());
  static_cast<void>(is_gone(object.block, &seen));
  return seen;
}

// Freed blocks that lay in [start, end), as far as their words tell.
Finding about_word(const char* at, const char* start, const char* end) {
  const char* const next_slot = slot_start(at) + store::kSlotBytes;
  if (end == next_slot && static_cast<size_t>(end - at) <= kNearBytes) {
    const Place next = place_of(end);
    if (next.is_start && next.object.state != nullptr && (next.object.state_now() & kLive) != 0)
      return about_next(next.object, at, tail_of(next.object));
  }
  Finding finding{Fault::kWriteAfterFree, "freed memory was written"};
  finding.address = at;
  finding.whole_ms = last_looked_ms();
  const uint8_t* state = states_of(at);
  const char* block = start + core::align_down(static_cast<size_t>(at - start), 16);
  while (block > start && !is_freed(*state)) {
    --state;
    block -= 16;
  }
  if (is_freed(*state)) finding.block = block;
  for (const char* word = at + 8; word < end && word <= at + Quarantine::kSmallBytes; word += 8) {
    const Tail tail = Tail::load(word);
    if (tail.word == 0 || !tail.is_right(word)) continue;
    finding.allocated = Event::allocation_of(tail);
    finding.freed = Event::free_of(tail);
    finding.whole_ms = std::max(finding.whole_ms, finding.freed.ms);
    break;
  }
  return finding;
}

// --- looks ---

template <class Free>
bool is_word_written(HeapCopy& copy, const Free& free, const char* at) {
  for (int look = 0; look < kLooks; ++look) {
    const char* const seen = copy.fresh(at, 8);
    if (seen == nullptr || is_word_as_freed(seen, at)) return false;
    // A thread that has taken the memory wrote what it is before anything else.
    std::atomic_thread_fence(std::memory_order_acquire);
    if (!free.has(at)) return false;
    pause_between_looks();
  }
  return true;
}

template <class Free>
void look_at_page(HeapCopy& copy, const Free& free, const char* page) {
  const char* const end = page + sys::kPageSize;
  const char* seen = copy.fresh(page, sys::kPageSize);
  for (const char* at = page; seen != nullptr && at < end; at += 8) {
    if (MMT_LIKELY(is_word_as_freed(seen + (at - page), at))) continue;
    if (!free.has(at)) {
      at = std::min(end, free.end(at)) - 8;
      continue;
    }
    if (is_word_written(copy, free, at)) {
      const Telling now;
      if (note_told(page)) report(about_word(at, free.start(at), free.end(at)));
      return;
    }
    seen = copy.fresh(page, sys::kPageSize);
  }
}

template <class Free>
void look_at_slot(HeapCopy& copy, const Free& free, const char* start) {
  unsigned char resident[kPagesOfSlot];
  if (!sys::look_for_pages(start, store::kSlotBytes, resident)) return;
  for (size_t page = 0; page < kPagesOfSlot; ++page)
    if ((resident[page] & 1) != 0) look_at_page(copy, free, start + page * sys::kPageSize);
}

// A page that is read before it is written faults twice.
void touch(char* at) {
#if defined(__x86_64__)
  __asm__ volatile("orb $0, %0" : "+m"(*at));
#else
  __atomic_fetch_or(at, 0, __ATOMIC_RELAXED);
#endif
}

void tell_of_written_before_use(Object object, const void* caller) {
  const char* at = object.block;
  const char* const end = object.block + object.size;
  while (at < end && is_word_as_freed(at, at)) at += 8;
  if (at == end) return;
  Finding finding = about_word(at, object.block, end);
  finding.caller = caller;
  if (note_told(page_of(at))) report(finding);
}

}  // namespace

bool is_nobodys(store::Slot slot) {
  const store::Region& region = served_heap().depot.region();
  return region.class_of_record(slot) == store::kNoClass && !region.is_marked(slot);
}

void look_at_nobodys(HeapCopy& copy, store::Slot slot) {
  look_at_slot(copy, Nobodys{}, served_heap().depot.region().address(slot));
}

void look_at_unused(HeapCopy& copy, store::Slot first) {
  const store::Region& region = served_heap().depot.region();
  const uint8_t code = region.class_of_record(first);
  if (code == store::kNoClass || code >= store::kClassCount) return;
  const store::ClassInfo& info = store::kClasses[code];
  for (store::Slot slot = first; slot != first + info.span_slots; ++slot)
    look_at_slot(copy, Unused{region.address(first), info}, region.address(slot));
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
  if (ends_at_once() || note_told(page_of(at))) report(finding);
}

// A fork's child may have copied a block before another thread took it, and its state after.
void look_before_use(Object object, const void* caller) {
  const size_t all = object.size - kTailBytes;
  if (object.size <= sys::kPageSize) {
    touch(object.block);
    touch(object.tail());
  }
  if (are_zero(object.block, object.size)) return;
  const bool was_freed = *object.state == kUnknown && settings.checks_freed;
  if (was_freed && settings.trusts_others) tell_of_written_before_use(object, caller);
  object.size <= sys::kPageSize ? make_zero(object.block, all)
                                : heap::clear_sparsely(object.block, all);
}

}  // namespace mmt::harden
