#include "guard/tell.h"

#include <mmt/sys/pages.h>

#include "harden/capture.h"

namespace mmt::guard {

using harden::Event;
using harden::Fault;
using harden::Finding;

Finding about(Fault fault, const char* text, Place place, const void* address, const void* caller) {
  Record& record = pool.record(place);
  Finding finding{fault, text};
  finding.block = record.block;
  finding.bytes = record.bytes;
  finding.has_bytes = true;
  finding.address = address;
  finding.caller = caller;
  finding.allocated = Event::of(record.allocated);
  if (record.freed.count != 0) finding.freed = Event::of(record.freed);
  if (record.found.count != 0) finding.found_stack = &record.found;
  return finding;
}

namespace {

// A call found it.
Finding by_call(Fault fault, const char* text, Place place, const void* address,
                const void* caller) {
  Record& record = pool.record(place);
  record.found.count = 0;
  if (caller != nullptr) {
    harden::capture_call(&record.found, caller);
  }
  return about(fault, text, place, address, caller);
}

bool is_before(Place place, const void* address) { return address < pool.record(place).block; }

}  // namespace

void tell_of_wrong_call(const void* address, const void* caller) {
  const Place place = pool.place_of(address);
  const bool is_start = pool.was_used(place) && pool.record(place).block == address;
  // Freed by the program, after something was told of it.
  if (is_start && pool.change(place, State::kToldLive, State::kTold)) return;
  const bool was_live = pool.change(place, State::kLive, State::kToldLive);
  if (!was_live && !(pool.was_used(place) && pool.change(place, State::kFree, State::kTold)))
    return;
  pool.open_for_good(place);
  if (is_start) return report(by_call(Fault::kDoubleFree, "freed already", place, address, caller));
  const bool is_aligned = reinterpret_cast<uintptr_t>(address) % 16 == 0;
  const char* const text =
      is_aligned ? "an address inside the block was passed" : "an unaligned address was passed";
  report(by_call(Fault::kInvalidFree, text, place, address, caller));
}

void tell_of_damage(Place place, const char* at, const void* caller) {
  pool.open_for_good(place);
  const bool is_underflow = is_before(place, at);
  Finding finding = by_call(
      is_underflow ? Fault::kUnderflow : Fault::kOverflow,
      is_underflow ? "it was written before its beginning" : "it was written beyond its end", place,
      at, caller);
  finding.whole_ms = finding.allocated.ms;
  pool.change(place, State::kClosing, State::kTold);
  report(finding);
}

// A large block may have pages that the program has shut, and needs.
void look_at_live_blocks() {
  for (Place place = 0; place < kPlaces; ++place) {
    if (pool.record(place).bytes >= sys::kPageSize) continue;
    if (!pool.change(place, State::kLive, State::kClosing)) continue;
    if (const char* const at = pool.damage(place))
      tell_of_damage(place, at, nullptr);
    else
      pool.change(place, State::kClosing, State::kLive);
  }
}

}  // namespace mmt::guard
