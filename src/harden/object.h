#pragma once
// Blocks of the region as objects of the program: laid out as they are handed out, and looked at as
// they are freed. A block of a size class has, in this order, what the program asked for, the gap,
// and the tail (words.h).
//
// The fast paths here serve blocks up to a kilobyte while the settings are the standard ones. They
// look at a block themselves, as its lines are in the cache of the thread that frees it. All else
// is done by the functions of slow_object.h. Any thread may call these, in any context.
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <mmt/core/compiler.h>

#include "harden/call.h"
#include "harden/finding.h"
#include "harden/quarantine.h"
#include "harden/served_heap.h"
#include "harden/settings.h"
#include "harden/sites.h"
#include "harden/states.h"
#include "harden/words.h"
#include "harden/zeros.h"
#include "heap/object/fast_path.h"
#include "heap/process/allocation.h"
#include "names/call.h"

namespace mmt::harden {

struct Object {
  char* block = nullptr;
  size_t size = 0;           // of the block
  uint8_t* state = nullptr;  // of its first bytes; nullptr: it has a mapping of its own
  bool has_pages = false;    // of whole pages, and a guard behind it

  char* tail() const { return block + size - kTailBytes; }
  // That the program asked for; not for one with a mapping of its own.
  size_t bytes() const { return size - kTailBytes - excess_of(state); }
  // Acquire: what lies there was written before.
  uint8_t state_now() const { return __atomic_load_n(state, __ATOMIC_ACQUIRE); }
};

// Tells of what was written to the object since it was freed.
MMT_COLD void tell_of_written(Object object, const void* caller);
// The same, unless it was told before, of an object that is the caller's. Its bytes are zero
// afterwards.
MMT_COLD void find_written_after_free(Object object, const void* caller);
// Tells of what is damaged of a live block that stays the program's, unless it was told before.
MMT_COLD void tell_of_live(Object object, size_t bytes, const void* caller);

enum class Bounds : bool { kOfStaying, kOfLeaving };
// The same of a block that stays, or is being freed, and of the end of its left neighbour.
MMT_COLD void find_out_of_bounds(Object object, size_t bytes, Bounds whose, const void* caller);

// A freed block leaves the quarantine of the calling thread: what was written to it is told now.
MMT_COLD void look_at_leaving(void* block, const void* caller);

// At the first use of a block since its span was laid out: its memory was freed as other blocks.
// Tells of what was written there since. All but the tail is zero afterwards.
void look_before_use(Object object, const void* caller);

// Hands out an object that reads as zero. `size` is of its class.
MMT_ALWAYS_INLINE void lay_out(Object object, size_t bytes, Form form, const void* caller) {
  char* const tail = object.tail();
  if (MMT_LIKELY(is_freed(*object.state))) {
    const bool is_whole = are_zero(object.block, object.size - kTailBytes);
    if (MMT_UNLIKELY(!is_whole || !Tail::load(tail).is_right(tail)))
      find_written_after_free(object, caller);
  } else {
    look_before_use(object, caller);
  }
  set_claimed(object.state);
  fill_gap(object.block + bytes, object.size - kTailBytes - bytes);
  Tail::of_new(tail, sites.number_of(caller)).store(tail);
  set_live(object.state, form, object.size - kTailBytes - bytes);
}

// Whether what lies before a slot is known: the end of a span, which nobody writes to.
bool is_known_before(const char* slot_start);

// The tail of the block before this one.
MMT_ALWAYS_INLINE bool is_left_whole(const char* block) {
  if (MMT_UNLIKELY(reinterpret_cast<uintptr_t>(block) % store::kSlotBytes == 0) &&
      !is_known_before(block))
    return true;
  const char* const tail = block - kTailBytes;
  const Tail left = Tail::load(tail);
  return left.word == 0 || left.is_right(tail);
}

// Takes what the program asked for out of an object that has been claimed. What was written before
// it is found by the left neighbour's tail: at once where that is wanted, else by the patrol.
MMT_ALWAYS_INLINE void look_at_freed(Object object, const void* caller) {
  char* const tail = object.tail();
  const size_t bytes = object.size - kTailBytes - excess_of(object.state);
  const Tail seen = Tail::load(tail);
  const bool is_whole = seen.is_right(tail) &&
                        is_gap_whole(object.block + bytes, object.size - kTailBytes - bytes) &&
                        (!settings.looks_left || is_left_whole(object.block));
  if (MMT_UNLIKELY(!is_whole)) find_out_of_bounds(object, bytes, Bounds::kOfLeaving, caller);
  make_zero(object.block, object.size - kTailBytes);
  Tail::of_freed(tail, seen, sites.number_of(caller)).store(tail);
  set_freed(object.state);
}

// Whether it is sure to be as it was freed, at a glance.
MMT_ALWAYS_INLINE bool is_small_as_freed(const void* block, size_t its_class) {
  if (MMT_UNLIKELY(its_class >= store::kFirstGeometricClass)) return false;
  const size_t bytes = store::kClasses[its_class].size - kTailBytes;
  const char* const start = static_cast<const char*>(block);
  return are_zero(start, bytes) && Tail::load(start + bytes).is_right(start + bytes);
}

// A block of at most so many bytes is the fast path's.
inline constexpr size_t kLeastSize = 17;  // two bytes of states: see set_live

// malloc's fast path. nullptr: it has none, see allocate_slow.
MMT_ALWAYS_INLINE void* allocate_fast(size_t bytes, Form form, const void* caller) {
  // A block of no bytes has a gap of zeros: slow_object.cpp.
  if (MMT_UNLIKELY(!heap::fast_sizes.include(bytes) || bytes == 0)) return nullptr;
  heap::FastPart* const fast = heap::current_fast;
  size_t with_tail = bytes + kTailBytes;
  if (with_tail < kLeastSize) with_tail = kLeastSize;
  const size_t c = fast->class_of_step[(with_tail + 15) / 16];
  void* const block = heap::pop_cached(fast, c, []() -> void* { return nullptr; });
  if (MMT_UNLIKELY(block == nullptr)) return nullptr;
  lay_out({static_cast<char*>(block), store::kClasses[c].size, states_of(block)}, bytes, form,
          caller);
  return block;
}

// free's. False: it has none for this block, and nothing has happened, see deallocate_slow.
MMT_ALWAYS_INLINE bool deallocate_fast(void* block, Call call) {
  const Form form = call.form();
  const void* const caller = call.caller;
  const store::Region& region = served_heap().depot.region();
  if (MMT_UNLIKELY(!region.contains(block))) return false;
  const size_t c = region.class_of(region.slot_index(block));
  uint8_t* const state = states_of(block);
  Quarantine* const quarantine = current_quarantine;
  // Small, at a multiple of 16 bytes, and live.
  if (MMT_UNLIKELY(c - 1 >= store::kFirstGeometricClass - 1 || quarantine == nullptr ||
                   !settings.is_standard || reinterpret_cast<uintptr_t>(block) % 16 != 0 ||
                   *state != live(form)))
    return false;
  const size_t size = store::kClasses[c].size;
  if (call.is_told() && !call.tells(size - kTailBytes - excess_of(state))) return false;
  if (MMT_UNLIKELY(!claim(state, live(form)))) return false;
  look_at_freed({static_cast<char*>(block), size, state}, caller);
  void* const leaving = quarantine->exchange_small(block);
  if (leaving == nullptr) return true;
  const size_t its_class = region.class_of(region.slot_index(leaving));
  if (settings.is_sync && MMT_UNLIKELY(!is_small_as_freed(leaving, its_class)))
    look_at_leaving(leaving, caller);
  heap::push_cached(heap::current_fast, its_class, leaving,
                    [leaving] { heap::deallocate_slow(served_heap(), leaving); });
  return true;
}

}  // namespace mmt::harden
