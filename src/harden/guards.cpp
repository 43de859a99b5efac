#include "harden/guards.h"

#include <atomic>

#include <mmt/sys/guard_pages.h>
#include <mmt/sys/random.h>

#include "harden/mapped_object.h"
#include "harden/place.h"
#include "harden/served_heap.h"
#include "harden/told.h"
#include "heap/process/large_blocks.h"

namespace mmt::harden {
namespace {

constexpr size_t kPlaces = 16;
constexpr size_t kMostBytes = size_t{256} << 20;  // of one block, whose memory is gone
constinit std::atomic<void*> waiting[kPlaces]{};
constinit std::atomic<uint64_t> turn{0};

// The whole block that the address lies in: its head is before it.
Place place_around(const void* address) {
  const store::Region& region = served_heap().depot.region();
  if (!region.contains(address)) return {};
  store::Slot slot = region.slot_of(address);
  while (slot > region.first() && region.class_of(slot) == store::kLargeBody) --slot;
  return region.class_of(slot) == store::kLargeHead ? place_of(region.address(slot)) : Place{};
}

}  // namespace

namespace {

// The block, and what lies behind it in its slots.
size_t extent_of(Object object) {
  if (object.state == nullptr) return object.size + kGuardBytes;
  return served_heap().depot.large().extent(object.block);
}

}  // namespace

void guard_end(Object object) {
  static_cast<void>(
      sys::install_guard(object.block + object.size, extent_of(object) - object.size));
}
void unguard_end(Object object) {
  sys::remove_guard(object.block + object.size, extent_of(object) - object.size);
}

void* wait_guarded(Object object) {
  const size_t bytes = extent_of(object);
  if (bytes > kMostBytes || !sys::install_guard(object.block, bytes)) return object.block;
  const uint64_t number = turn.fetch_add(1, std::memory_order_relaxed);
  std::atomic<void*>& place = waiting[number * 0x9E3779B97F4A7C15 >> 60];
  static_assert(kPlaces == 16);
  // Release and acquire: the thread that takes it out sees all that was done to it.
  void* const leaving = place.exchange(object.block, std::memory_order_acq_rel);
  if (leaving != nullptr) sys::remove_guard(leaving, extent_of(place_of(leaving).object));
  return leaving;
}

bool release_waiting() {
  bool is_any = false;
  for (std::atomic<void*>& place : waiting) {
    // Acquire: see wait_guarded.
    void* const leaving = place.exchange(nullptr, std::memory_order_acquire);
    if (leaving == nullptr) continue;
    sys::remove_guard(leaving, extent_of(place_of(leaving).object));
    heap::deallocate_large_emptied(served_heap(), leaving);
    is_any = true;
  }
  return is_any;
}

namespace {

// So near before a block it is that one that was meant.
constexpr size_t kNearBytes = 64;

struct Write {
  const void* address;
  const void* instruction;
};

void tell(Fault fault, const char* text, Object object, Write write) {
  Finding finding{fault, text};
  finding.block = object.block;
  finding.bytes = object.bytes();
  finding.has_bytes = true;
  finding.address = write.address;
  finding.caller = write.instruction;
  Tail seen{};
  const bool was_freed = is_freed(*object.state);
  // The pages of a freed one may not be touched.
  if (!was_freed || !object.has_pages)
    seen = Tail::load(object.tail());
  else
    static_cast<void>(is_gone(object.block, &seen));
  finding.allocated = Event::allocation_of(seen);
  if (was_freed) finding.freed = Event::free_of(seen);
  report(finding);
}

// Before the first block of all lies nothing; before others, what guards a block's end.
bool tell_of_next(Write write) {
  const store::Region& region = served_heap().depot.region();
  const char* const first = region.address(region.first());
  const auto* const at = static_cast<const char*>(write.address);
  const bool is_before_all = at < first;
  const char* const next = is_before_all ? first : region.address(region.slot_of(at) + 1);
  if (static_cast<size_t>(next - at) > (is_before_all ? kGuardBytes : kNearBytes)) return false;
  const Place place = place_of(next);
  if (place.kind == Place::Kind::kNone || !place.is_start) return false;
  const uint8_t state = *place.object.state;
  if (is_live(state))
    tell(Fault::kUnderflow, "it is being written before its beginning", place.object, write);
  else if (is_freed(state))
    tell(Fault::kWriteAfterFree, "it is being written, before its beginning, after it was freed",
         place.object, write);
  return is_live(state) || is_freed(state);
}

void tell_of_gone_mapping(Write write) {
  const void* block = nullptr;
  Tail seen{};
  if (!was_gone_around(write.address, &block, &seen)) return;
  Finding finding{Fault::kWriteAfterFree, "it is being written after it was freed"};
  finding.block = block;
  finding.address = write.address;
  finding.caller = write.instruction;
  finding.allocated = Event::allocation_of(seen);
  finding.freed = Event::free_of(seen);
  report(finding);
}

}  // namespace

void tell_of_guarded_write(const void* address, bool is_mapped, const void* instruction) {
  const Write write{address, instruction};
  const store::Region& region = served_heap().depot.region();
  const char* const first = region.address(region.first());
  const bool is_just_before = address < first && address >= first - kGuardBytes;
  if (!region.contains(address) && !is_just_before) {
    if (!is_mapped) tell_of_gone_mapping(write);
    return;
  }
  const Place place = place_around(address);
  const bool is_in_large = place.kind == Place::Kind::kLarge;
  const bool was_freed = is_in_large && is_freed(*place.object.state);
  // Pages within a block are the program's own to protect.
  if (is_in_large && !was_freed && address < place.object.block + place.object.size) return;
  if (tell_of_next(write) || !is_in_large) return;
  if (was_freed)
    tell(Fault::kWriteAfterFree, "it is being written after it was freed", place.object, write);
  else if (note_told(place.object.tail()))
    tell(Fault::kOverflow, "it is being written beyond its end", place.object, write);
}

}  // namespace mmt::harden
