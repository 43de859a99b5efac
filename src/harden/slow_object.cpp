#include "harden/slow_object.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include <mmt/core/checked.h>
#include <mmt/sys/pages.h>
#include <mmt/sys/thread.h>

#include "harden/begin.h"
#include "harden/freed_bytes.h"
#include "harden/guards.h"
#include "harden/look_at_free.h"
#include "harden/mapped_object.h"
#include "harden/place.h"
#include "harden/seal.h"
#include "harden/served_heap.h"
#include "harden/stacks.h"
#include "harden/times.h"
#include "harden/told.h"
#include "harden/wrong_call.h"
#include "heap/process/large_blocks.h"
#include "heap/process/opening.h"
#include "heap/process/sparse_bytes.h"

namespace mmt::harden {
namespace {

// Beyond so many bytes it is pages that move, as a block is resized.
constexpr size_t kMovedBytes = size_t{2} << 20;

// Bytes of a block whose pages the program may never have touched.
constexpr size_t kSparseBytes = 4096;

void make_all_zero(char* from, size_t bytes) {
  if (bytes > kSparseBytes) return heap::clear_sparsely(from, bytes);
  bytes < kLeastZeroed ? static_cast<void>(memset(from, 0, bytes)) : make_zero(from, bytes);
}

// By whom a block is allocated, or freed: a stack where these are kept.
Site site_of(Call call) {
  return settings.keeps_stacks ? stacks.number_of(call.caller) : sites.number_of(call.caller);
}

// As object.h's, with what the settings want. `is_zero`: the memory reads as zero, and was
// nobody's.
void lay_out_as_set(Object object, size_t bytes, Call call, bool is_zero) {
  const Settings& s = settings;
  char* const tail = object.tail();
  const size_t all = object.size - kTailBytes;
  if (!is_zero && is_freed(*object.state) && s.fills && s.checks_freed) {
    if (!are_as_freed(object.block, all) || !Tail::load(tail).is_right(tail))
      find_written_after_free(object, call.caller);
    is_zero = s.freed_byte == 0;
  } else if (!is_zero && s.checks_freed) {
    look_before_use(object, call.caller);
    is_zero = true;
  }
  set_claimed(object.state);
  if (s.fills && s.allocated_byte != 0)
    memset(object.block, s.allocated_byte, bytes);
  else if (s.fills && !is_zero)
    make_all_zero(object.block, all);
  // What is read of a block of no bytes is neutral, and a write to it is still seen.
  if (bytes != 0 || !s.fills)
    fill_gap(object.block + bytes, all - bytes);
  else if (s.allocated_byte != 0)
    make_all_zero(object.block, all);
  Tail::of_new(tail, site_of(call)).store(tail);
  set_live(object.state, call.form(), all - bytes);
}

bool is_large(const void* block) {
  return heap::code_of(served_heap(), block) == store::kLargeHead;
}

// The block of the heap, as an object.
Object object_of(void* block) {
  const store::Region& region = served_heap().depot.region();
  const bool is_inside = region.contains(block);
  const bool is_guarded = !is_inside || is_large(block);
  const size_t size = heap::usable_size(served_heap(), block) - (is_guarded ? kGuardBytes : 0);
  return {static_cast<char*>(block), size, is_inside ? states_of(block) : nullptr, is_guarded};
}

// How many bytes the heap is asked for: a block of whole pages ends in a guard.
size_t with_pages(size_t bytes) {
  return core::align_up(bytes + mapped_tail_bytes(), sys::kPageSize) + kGuardBytes;
}
size_t with_tail(size_t bytes) {
  if (bytes + kTailBytes <= store::kMaxClassSize) return std::max(bytes + kTailBytes, kLeastSize);
  return with_pages(bytes);
}
bool is_too_much(size_t bytes) { return bytes > SIZE_MAX / 2; }

// A block of whole pages leaves anything in its slots, those included that it may grow into.
void mark_slots(Object object) {
  store::Depot& depot = served_heap().depot;
  store::Region& region = depot.region();
  const size_t bytes = std::max({object.size + kGuardBytes, depot.large().extent(object.block),
                                 depot.growth().clean_room_end(object.block)});
  const store::Slot first = region.slot_of(object.block);
  const auto count = static_cast<store::Slot>((bytes - 1) / store::kSlotBytes + 1);
  for (store::Slot slot = first; slot != first + count; ++slot)
    if (!region.is_marked(slot)) region.mark(slot);
}

// Its end is guarded.
void guard_pages_of(Object object) {
  guard_end(object);
  if (object.state != nullptr) mark_slots(object);
}

// A block of the heap becomes an object.
void* hand_out(void* block, size_t bytes, Call call, bool is_zero) {
  if (block == nullptr) return nullptr;
  const Object object = object_of(block);
  if (object.has_pages) guard_pages_of(object);
  if (object.state == nullptr) {
    lay_out_mapped(object.block, object.size, bytes, call.form(), site_of(call));
  } else {
    lay_out_as_set(object, bytes, call, is_zero);
  }
  return block;
}

// Once more where memory is short, and something waits that can go back.
template <class Attempt>
void* or_of_waiting(Attempt&& attempt) {
  void* const result = attempt();
  if (MMT_LIKELY(result != nullptr) || !release_waiting()) return result;
  return attempt();
}

// From the calling thread's own caches, also where fast paths are shut.
void* take(size_t bytes) {
  const size_t all = with_tail(bytes);
  if (all > store::kMaxClassSize) return heap::allocate_zeroed(served_heap(), all);
  return heap::pop_cached(heap::own_fast_part(), store::class_of_size(all),
                          [all] { return heap::allocate_slow(served_heap(), all); });
}

void give(void* block) {
  const store::Region& region = served_heap().depot.region();
  const size_t c =
      region.contains(block) ? region.class_of(region.slot_index(block)) : store::kForeign;
  heap::push_cached(heap::own_fast_part(), c, block,
                    [block] { heap::deallocate_slow(served_heap(), block); });
}

// The bytes of an object that was freed.
void fill_freed(Object object) {
  const Settings& s = settings;
  if (!s.fills) return;
  const size_t bytes = object.size - kTailBytes;
  if (s.freed_byte != 0) {
    memset(object.block, s.freed_byte, bytes);
    return;
  }
  make_all_zero(object.block, bytes);
}

// Its contents go: to the system, or with it.
void release_large(Object object, Tail seen, Call call) {
  note_gone(object.block, object.size, seen, site_of(call));
  set_freed(object.state);
  void* leaving = object.block;
  if (settings.quarantines) leaving = wait_guarded(object);
  if (leaving == nullptr) return;
  bool is_empty = true;
  if (leaving == object.block) {
    unguard_end(object);
    is_empty = settings.fills &&
               sys::discard(object.block, served_heap().depot.large().extent(object.block));
  }
  is_empty ? heap::deallocate_large_emptied(served_heap(), leaving)
           : heap::deallocate_large(served_heap(), leaving);
}

// Looks at an object that has been claimed, and lets it go.
void release(Object object, Call call) {
  char* const tail = object.tail();
  const size_t bytes = object.bytes();
  const Tail seen = Tail::load(tail);
  if (settings.checks_bounds &&
      (!seen.is_right(tail) ||
       !is_gap_whole(object.block + bytes, object.size - kTailBytes - bytes) ||
       (settings.trusts_others && !is_left_whole(object.block))))
    find_out_of_bounds(object, bytes, Bounds::kOfLeaving, call.caller);
  if (object.has_pages) {
    if (settings.is_sync && settings.checks_freed) look_before(object, call.caller);
    return release_large(object, seen, call);
  }
  fill_freed(object);
  Tail::of_freed(tail, seen, site_of(call)).store(tail);
  set_freed(object.state);
  void* leaving = object.block;
  Quarantine* const quarantine = settings.quarantines ? begin_quarantine(served_heap()) : nullptr;
  if (quarantine != nullptr)
    leaving = object.size <= Quarantine::kSmallBytes
                  ? quarantine->exchange_small(leaving)
                  : quarantine->exchange_large(leaving, object.size);
  if (leaving == nullptr) return;
  if (quarantine != nullptr && settings.is_sync && settings.checks_freed)
    look_at_leaving(leaving, call.caller);
  give(leaving);
}

void release_mapped(Object object, const MappedTail& seen, Call call) {
  note_gone(object.block, object.size, seen.tail, site_of(call));
  unguard_end(object);
  heap::deallocate_slow(served_heap(), object.block);
}

// In place, if the new size fits there as well as anywhere.
bool fits(Object object, size_t bytes) {
  const size_t all = with_tail(bytes);
  if (object.has_pages || all > object.size) return false;
  return all > object.size / 2 + object.size / 4 ||
         store::kClasses[store::class_of_size(all)].size == object.size;
}

void resize_in_place(Object object, size_t before, size_t bytes, Call call) {
  char* const tail = object.tail();
  const Form form = form_of(*object.state);
  const uint8_t alignment_width = alignment_width_of(object.state);
  set_claimed(object.state);
  forget_told(tail);
  if (bytes > before) memset(object.block + before, settings.allocated_byte, bytes - before);
  fill_gap(object.block + bytes, object.size - kTailBytes - bytes);
  Tail::of_new(tail, site_of(call)).store(tail);
  set_live(object.state, form, object.size - kTailBytes - bytes);
  if (is_aligned(form)) set_alignment_width(object.state, alignment_width);
}

// What the call says of the object was looked at.
void* move(Object object, size_t before, size_t bytes, Call call) {
  void* const moved = allocate_slow(bytes, call);
  if (moved == nullptr) return nullptr;
  memcpy(moved, object.block, std::min(before, bytes));
  if (object.state == nullptr)
    release_mapped(object, mapped_tail_of(object.block, object.size), call);
  else if (const uint8_t state = *object.state; is_live(state) && claim(object.state, state))
    release(object, call);
  else
    tell_of_freed(object.block, call);
  return moved;
}

// What a block of pages has gained reads as new. What a mapping gains is new pages.
void fill_grown(Object now, size_t before, size_t bytes, size_t former_size) {
  const size_t end = now.state == nullptr ? std::min(bytes, former_size) : bytes;
  if (end <= before) return;
  if (settings.allocated_byte != 0)
    memset(now.block + before, settings.allocated_byte, end - before);
  else
    make_all_zero(now.block + before, end - before);
}

// By whole pages, where both sizes are of such blocks. The place is nobody's for the moment, so
// that another thread's free of it is told of.
void* move_pages(Object object, size_t before, size_t bytes, Call call) {
  const uint8_t state = object.state != nullptr ? *object.state : 0;
  const Form form =
      object.state != nullptr ? form_of(state) : mapped_tail_of(object.block, object.size).form();
  if (object.state != nullptr && !claim(object.state, state)) {
    tell_of_freed(object.block, call);
    return nullptr;
  }
  const Site site = site_of(call);
  forget_told(object.tail());
  const size_t all = std::max(with_tail(bytes), with_pages(store::kMaxClassSize));
  unguard_end(object);
  void* const moved =
      or_of_waiting([&] { return heap::reallocate(served_heap(), object.block, all); });
  if (moved == nullptr) {
    guard_end(object);
    if (object.state != nullptr) __atomic_store_n(object.state, state, __ATOMIC_RELEASE);
    return nullptr;
  }
  const Object now = object_of(moved);
  guard_pages_of(now);
  if (moved != object.block)
    note_gone(object.block, object.size, Tail::of_new(object.block, site), site);
  if (bytes > before) fill_grown(now, before, bytes, object.size);
  if (now.state == nullptr) {
    lay_out_mapped(now.block, now.size, bytes, form, site);
  } else {
    char* const tail = now.tail();
    fill_gap(now.block + bytes, now.size - kTailBytes - bytes);
    Tail::of_new(tail, site).store(tail);
    set_live(now.state, form, now.size - kTailBytes - bytes);
  }
  return moved;
}

}  // namespace

void* allocate_slow(size_t bytes, Call call) {
  const SealedAgain sealed;
  if (is_too_much(bytes) || !begin()) return nullptr;
  release_old(served_heap(), see_time());
  void* const block = or_of_waiting([bytes] { return take(bytes); });
  return hand_out(block, bytes, call, block != nullptr && is_large(block));
}

void* allocate_aligned(size_t bytes, size_t alignment, Call call) {
  const SealedAgain sealed;
  see_time();
  if (alignment <= 16 && call.form() == Form::kMalloc) return allocate_slow(bytes, call);
  if (is_too_much(bytes) || !begin()) return nullptr;
  size_t all = with_tail(bytes);
  if (is_aligned(call.form())) all = std::max(all, kLeastAlignedSize);
  const bool is_whole = store::class_of_aligned_size(all, alignment) == store::kNoClass;
  if (is_whole) all = with_pages(bytes);
  void* const block =
      or_of_waiting([=] { return heap::allocate_aligned(served_heap(), all, alignment); });
  if (block != nullptr && is_whole) make_all_zero(static_cast<char*>(block), all);
  hand_out(block, bytes, call, is_whole);
  if (block != nullptr && is_aligned(call.form()) && served_heap().depot.region().contains(block))
    set_alignment_width(states_of(block), static_cast<unsigned>(std::bit_width(alignment)));
  return block;
}

void* allocate_zeroed(size_t bytes, Call call) {
  void* const block = allocate_slow(bytes, call);
  if (block != nullptr && (settings.allocated_byte != 0 || !settings.fills))
    memset(block, 0, bytes);
  return block;
}

void deallocate_slow(void* block, Call call) {
  const SealedAgain sealed;
  release_old(served_heap(), see_time());
  if (block == nullptr) return;
  const Place place = place_of(block);
  if (place.kind == Place::Kind::kNone || !place.is_start)
    return tell_of_no_block(block, place, call);
  if (place.kind == Place::Kind::kMapped) {
    const MappedTail seen = mapped_tail_of(block, place.object.size);
    check_mapped(block, place.object.size, seen, call);
    return release_mapped(place.object, seen, call);
  }
  const uint8_t state = place.object.state_now();
  if (!is_live(state)) return tell_of_freed(block, call);
  check_told(place.object, state, call);
  if (!claim(place.object.state, state)) return tell_of_freed(block, call);
  release(place.object, call);
}

void* reallocate(void* block, size_t bytes, Call call) {
  const SealedAgain sealed;
  see_time();
  const Place place = place_of(block);
  if (place.kind == Place::Kind::kNone || !place.is_start) {
    tell_of_no_block(block, place, call);
    return nullptr;
  }
  if (is_too_much(bytes)) return nullptr;
  const bool is_mapped = place.kind == Place::Kind::kMapped;
  size_t before = 0;
  if (is_mapped) {
    const MappedTail seen = mapped_tail_of(block, place.object.size);
    check_mapped(block, place.object.size, seen, call);
    before = seen.bytes(place.object.size);
  } else {
    const uint8_t state = place.object.state_now();
    if (!is_live(state)) {
      tell_of_freed(block, call);
      return nullptr;
    }
    check_told(place.object, state, call);
    before = place.object.bytes();
    check_bounds(place.object, before, call);
    if (fits(place.object, bytes)) {
      resize_in_place(place.object, before, bytes, call);
      return block;
    }
  }
  // To copy lets the former block wait as a freed one.
  const bool is_long = place.object.size > kMovedBytes && !settings.is_sync;
  const bool moves = is_mapped || (place.object.has_pages && is_long);
  if (moves && with_tail(bytes) > store::kMaxClassSize)
    return move_pages(place.object, before, bytes, call);
  void* const moved = move(place.object, before, bytes, call);
  if (moved != nullptr || bytes > before) return moved;
  // To shrink never fails.
  if (place.object.has_pages) return move_pages(place.object, before, bytes, call);
  resize_in_place(place.object, before, bytes, call);
  return block;
}

size_t usable_size(const void* block, Call call) {
  const Place place = place_of(block);
  if (place.kind == Place::Kind::kNone || !place.is_start) {
    tell_of_no_block(block, place, call);
    return 0;
  }
  if (place.kind == Place::Kind::kMapped)
    return mapped_tail_of(block, place.object.size).bytes(place.object.size);
  if (!is_live(place.object.state_now())) {
    tell_of_freed(block, call);
    return 0;
  }
  return place.object.bytes();
}

}  // namespace mmt::harden
