// Accesses to what is shut in the pool.
#include "harden/memory_fault.h"

#include <signal.h>
#include <ucontext.h>

#include <cstddef>

#include <mmt/sys/thread.h>

#include "guard/pool.h"
#include "guard/tell.h"
#include "harden/capture.h"
#include "harden/finding.h"

namespace mmt::guard {
namespace {

using harden::Fault;
using harden::Finding;

struct Access {
  const char* address;
  bool is_write;
  const void* instruction;
  const void* top;  // of the stack
};

Access access_of(const void* address, const void* context) {
  const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
  const auto* const at = static_cast<const char*>(address);
#if defined(__x86_64__)
  const auto* const instruction = reinterpret_cast<const void*>(machine.gregs[REG_RIP]);
  const auto* const top = reinterpret_cast<const void*>(machine.gregs[REG_RSP]);
  return {at, (machine.gregs[REG_ERR] & 2) != 0, instruction, top};
#else
  return {at, true, reinterpret_cast<const void*>(machine.pc),
          reinterpret_cast<const void*>(machine.sp)};
#endif
}

// So often an access that found its place open is tried again.
constexpr uint32_t kMostRetries = 10000;

size_t distance(Place place, const char* address) {
  const Record& record = pool.record(place);
  const ptrdiff_t before = record.block - address;
  if (before > 0) return static_cast<size_t>(before);
  const ptrdiff_t behind = address - (record.block + record.bytes);
  return behind > 0 ? static_cast<size_t>(behind) : 0;
}

bool is_live(Place place) {
  const State state = pool.state(place);
  return state == State::kLive || state == State::kToldLive;
}

// Whose block the access is nearest to. In the guard between two rooms a live one counts more.
Place accessed_place(const char* address) {
  const Place place = pool.place_of(address);
  const auto in_stride = static_cast<size_t>(address - pool.guard_before(place));
  const bool is_behind_last = in_stride >= kStride;
  if (in_stride >= kGuardBytes || is_behind_last || place == 0) return place;
  const Place left = place - 1;
  if (!pool.was_used(left)) return place;
  if (!pool.was_used(place)) return left;
  if (is_live(left) != is_live(place)) return is_live(left) ? left : place;
  return distance(left, address) <= distance(place, address) ? left : place;
}

const char* text_of(Fault fault, bool is_write) {
  switch (fault) {
    case Fault::kOverflow:
      return is_write ? "it is being written beyond its end" : "it is being read beyond its end";
    case Fault::kUnderflow:
      return is_write ? "it is being written before its beginning"
                      : "it is being read before its beginning";
    default:
      return is_write ? "it is being written after it was freed"
                      : "it is being read after it was freed";
  }
}

void tell(Place place, Fault fault, const Access& access) {
  Record& record = pool.record(place);
  harden::capture_instruction(&record.found, access.instruction, access.top);
  report(about(fault, text_of(fault, access.is_write), place, access.address, access.instruction));
}

// Opens what is shut by right, since it was told of, or is about to be open. Not for ever.
bool try_again(Place place, const char* address, bool is_told) {
  if (pool.record(place).retries.fetch_add(1, std::memory_order_relaxed) >= kMostRetries)
    return false;
  if (is_told) return pool.open_for_good(place, address);
  sys::yield();
  return true;
}

bool allow(const Access& access) {
  const Place place = accessed_place(access.address);
  if (!pool.was_used(place)) return false;
  const State state = pool.state(place);
  switch (state) {
    case State::kLive: {
      if (pool.is_on_pages(place, access.address)) return try_again(place, access.address, false);
      if (!pool.change(place, State::kLive, State::kToldLive))
        return try_again(place, access.address, false);
      const bool is_before = access.address < pool.record(place).block;
      tell(place, is_before ? Fault::kUnderflow : Fault::kOverflow, access);
      return pool.open_for_good(place, access.address);
    }
    case State::kFree:
      if (!pool.change(place, State::kFree, State::kTold))
        return try_again(place, access.address, false);
      tell(place, access.is_write ? Fault::kWriteAfterFree : Fault::kReadAfterFree, access);
      return pool.open_for_good(place, access.address);
    case State::kOpening:
    case State::kClosing:
      return try_again(place, access.address, false);
    case State::kTold:
    case State::kToldLive:
      return try_again(place, access.address, true);
  }
  return false;
}

}  // namespace
}  // namespace mmt::guard

namespace mmt::harden {

bool tell_of_memory_fault(const siginfo_t& info, const void* context) {
  return guard::pool.contains(info.si_addr) &&
         guard::allow(guard::access_of(info.si_addr, context));
}

}  // namespace mmt::harden
