// What a damaged block tells of the write that damaged it.
#include <algorithm>

#include "harden/freed_bytes.h"
#include "harden/object.h"
#include "harden/patrol.h"
#include "harden/place.h"
#include "harden/served_heap.h"
#include "harden/told.h"

namespace mmt::harden {
namespace {

// The uppermost bytes of a live block's tail are zero: what is written there alone comes from the
// right.
constexpr uint64_t kLowerTail = 0xffffffff;

// Whether the tail would be right, had its upper half stayed as it was: zeros, but for the time.
// Sums are short, so times that are not to be expected are not tried.
bool is_lower_right(Tail seen, const char* tail) {
  const Tick now = tick_at(ms_now());
  const Tick told = seen.allocated_at();
  const bool is_upper_left = seen.freed() == Sites::kNone && seen.freed_at() == 0 && told <= now;
  if (is_upper_left && told != 0) return false;
  for (unsigned tick = 0; tick <= now; ++tick) {
    const uint64_t word = (seen.word & kLowerTail) | uint64_t{tick} << Tail::kAllocatedShift;
    if (Tail{word}.is_right(tail)) return true;
  }
  return false;
}

enum class Damage : uint8_t { kNone, kOverflow, kFromRight };

// The first byte of the gap that was written; the tail, where none was.
char* first_written(Object object, size_t bytes) {
  char* const tail = object.tail();
  // A block of no bytes has zeros there.
  const auto byte = bytes == 0 && settings.fills ? '\0' : static_cast<char>(secrets.gap);
  const auto gap = static_cast<size_t>(tail - (object.block + bytes));
  for (size_t at = 0; at < gap; ++at) {
    const bool is_looked_at = at < kGapBytes || gap - at <= 8;
    if (is_looked_at && object.block[bytes + at] != byte) return object.block + bytes + at;
  }
  return tail;
}

Damage damage_of(Object object, size_t bytes) {
  char* const tail = object.tail();
  const Tail seen = Tail::load(tail);
  if (first_written(object, bytes) != tail) return Damage::kOverflow;
  if (seen.is_right(tail)) return Damage::kNone;
  if (is_lower_right(seen, tail)) return Damage::kFromRight;
  // Behind a whole gap nobody writes who begins at the object's end.
  return object.block + bytes == tail ? Damage::kOverflow : Damage::kFromRight;
}

Finding about(Fault fault, const char* text, Object object, const void* address,
              const void* caller) {
  Finding finding{fault, text};
  finding.block = object.block;
  if ((*object.state & kLive) != 0) {
    finding.bytes = object.bytes();
    finding.has_bytes = true;
  }
  finding.address = address;
  const Tail seen = Tail::load(object.tail());
  finding.whole_ms = caller == nullptr ? last_looked_ms() : 0;
  if (seen.is_right(object.tail())) {
    finding.allocated = Event::allocation_of(seen);
    if (is_freed(*object.state)) finding.freed = Event::free_of(seen);
    finding.whole_ms = std::max({finding.whole_ms, finding.allocated.ms, finding.freed.ms});
  }
  finding.caller = caller;
  return finding;
}

// The block that ends where this one begins, in the same span.
Object left_of(Object object) {
  return {object.block - object.size, object.size, object.state - object.size / 16};
}

// The block that begins where this one ends, live or freed since. Without a state: none does.
Object right_of(Object object) {
  const Place place = place_of(object.block + object.size);
  if (!place.is_start || place.object.state == nullptr) return {};
  const uint8_t state = *place.object.state;
  // The pages of a freed one may not be touched.
  const bool is_known = place.object.has_pages ? is_live(state) : (state & kLive) != 0;
  return is_known ? place.object : Object{};
}

Object last_before(char* slot_start) {
  const store::Region& region = served_heap().depot.region();
  const size_t size = store::kClasses[region.class_of(region.slot_of(slot_start) - 1)].size;
  char* const block = slot_start - size;
  return {block, size, states_of(block)};
}

void tell_of_underflow(Object object, const void* caller) {
  report(about(Fault::kUnderflow, "it was written before its beginning", object, object.block - 1,
               caller));
}

void tell_of_overflow(Object object, size_t bytes, const void* caller) {
  Finding finding = about(Fault::kOverflow, "it was written beyond its end", object,
                          first_written(object, bytes), caller);
  const Tail seen = Tail::load(object.tail());
  // Mostly right: an overflow writes the lowest bytes.
  finding.allocated = Event::allocation_of(seen);
  finding.whole_ms = std::max(finding.whole_ms, finding.allocated.ms);
  report(finding);
}

// The left one's tail was written from the right.
void tell_of_right(Object left, size_t bytes, const void* caller) {
  const Object right = right_of(left);
  right.state != nullptr ? tell_of_underflow(right, caller) : tell_of_overflow(left, bytes, caller);
}

// Whether the tail is broken for good. Another thread may just lay the block out, or free it.
bool is_broken(Object left) {
  constexpr int kLooks = 16;
  for (int look = 0; look < kLooks; ++look) {
    const uint8_t state = left.state_now();
    const Tail seen = Tail::load(left.tail());
    if (seen.word == 0 || seen.is_right(left.tail()) || is_claimed(state)) return false;
    for (int i = 0; i < 100; ++i) core::cpu_relax();
  }
  return true;
}

// So that it is not told of again, unless it has changed meanwhile.
void mend_tail(Object left, Tail seen, Site allocated) {
  uint64_t word = seen.word;
  __atomic_compare_exchange_n(reinterpret_cast<uint64_t*>(left.tail()), &word,
                              Tail::of_new(left.tail(), allocated).word, false, __ATOMIC_RELAXED,
                              __ATOMIC_RELAXED);
}

void tell_of_left(Object object, const void* caller) {
  // The last block of another span may be of another size.
  const bool is_other_span = reinterpret_cast<uintptr_t>(object.block) % store::kSlotBytes == 0;
  const Object left = is_other_span ? last_before(object.block) : left_of(object);
  if (!is_broken(left)) return;
  const uint8_t state = *left.state;
  const Tail seen = Tail::load(left.tail());
  const bool is_told = !ends_at_once() && forget_told(left.tail());
  if (is_live(state) && damage_of(left, left.bytes()) == Damage::kOverflow) {
    if (!is_told) tell_of_overflow(left, left.bytes(), caller);
    note_told(left.tail());  // its gap stays as it is
  } else if (!is_told &&
             ((state & kLive) != 0 || (state != store::kGarbage && settings.freed_byte == 0))) {
    tell_of_underflow(object, caller);
  }
  mend_tail(left, seen, is_live(state) ? seen.allocated() : Sites::kNone);
}

}  // namespace

// Where the block before a slot's first ends with the slot, it has a tail there.
bool is_known_before(const char* slot_start) {
  const store::Region& region = served_heap().depot.region();
  const store::Slot slot = region.slot_of(slot_start);
  if (slot <= region.first()) return false;
  const uint8_t before = region.class_of(slot - 1);
  const uint8_t here = region.class_of(slot);
  // Amid a span of blocks that slots are a multiple of, or the other way round.
  if (here != store::kNoClass && here < store::kClassCount && store::span_start(slot, here) != slot)
    return true;
  if (before == store::kNoClass || before >= store::kFirstGeometricClass) return false;
  return store::kSlotBytes % store::kClasses[before].size == 0;
}

namespace {

void tell_of_damage(Damage damage, Object object, size_t bytes, const void* caller) {
  if (damage == Damage::kOverflow) tell_of_overflow(object, bytes, caller);
  if (damage == Damage::kFromRight) tell_of_right(object, bytes, caller);
}

}  // namespace

MMT_COLD void tell_of_live(Object object, size_t bytes, const void* caller) {
  const Damage damage = damage_of(object, bytes);
  if (damage != Damage::kNone && note_told(object.tail()))
    tell_of_damage(damage, object, bytes, caller);
}

MMT_COLD void find_out_of_bounds(Object object, size_t bytes, Bounds whose, const void* caller) {
  if (whose == Bounds::kOfStaying && !ends_at_once())
    tell_of_live(object, bytes, caller);
  else if (ends_at_once() || !forget_told(object.tail()))
    tell_of_damage(damage_of(object, bytes), object, bytes, caller);
  if (settings.trusts_others && !is_left_whole(object.block)) tell_of_left(object, caller);
}

MMT_COLD void tell_of_written(Object object, const void* caller) {
  const size_t all = object.size - kTailBytes;
  const size_t at = first_not_as_freed(object.block, all);
  // The tail alone is the right neighbour's to write by mistake, sooner than this block's.
  const Object right = at == all ? right_of(object) : Object{};
  if (right.state != nullptr) return tell_of_underflow(right, caller);
  // What was written may lie there still when the memory is nobody's.
  note_told(page_of(object.block + at));
  report(about(Fault::kWriteAfterFree, "it was written since it was freed", object,
               object.block + at, caller));
}

MMT_COLD void look_at_leaving(void* block, const void* caller) {
  const store::Region& region = served_heap().depot.region();
  const Object object{static_cast<char*>(block),
                      store::kClasses[region.true_class_of(region.slot_of(block))].size,
                      states_of(block)};
  const Tail tail = Tail::load(object.tail());
  const size_t all = object.size - kTailBytes;
  if (are_as_freed(object.block, all) && (tail.word == 0 || tail.is_right(object.tail()))) return;
  if (mark_told(object.state)) tell_of_written(object, caller);
  // From now on it is as if its page had gone back to the system.
  make_zero(object.block, all);
  Tail{0}.store(object.tail());
}

MMT_COLD void find_written_after_free(Object object, const void* caller) {
  const size_t all = object.size - kTailBytes;
  // Pages went back to the system, and with the last of them the tail.
  const bool is_tail_gone = Tail::load(object.tail()).word == 0;
  if (!(is_tail_gone && are_as_freed(object.block, all)) && (*object.state & kTold) == 0)
    tell_of_written(object, caller);
  for (size_t i = 0; i < all; ++i)
    if (object.block[i] != 0) object.block[i] = 0;
}

}  // namespace mmt::harden
