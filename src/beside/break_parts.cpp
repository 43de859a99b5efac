#include "beside/break_parts.h"

#include <atomic>

#include <mmt/core/compiler.h>
#include <mmt/sys/clock.h>
#include <mmt/sys/thread.h>

#include "beside/resident.h"

namespace mmt::beside {
namespace {

// The latest of the program's parts, kNone: there is none, and where the library's before it
// begins. What lies below counts as nobody's: it was used long ago. Relaxed but for the version,
// which is odd from before the program's move until they have changed: release there and acquire
// here, by the fences.
constexpr uintptr_t kNone = UINTPTR_MAX;
constinit std::atomic<uint32_t> version{0};
constinit std::atomic<uintptr_t> begin{kNone};
constinit std::atomic<uintptr_t> programs{kNone};
constinit std::atomic<uintptr_t> programs_end{kNone};

// The flag is sequentially consistent, as the version is where a move begins. If a step and a move
// begin at the same time, one of them sees the other. The end of a step is a release: a thread that
// waits sees all that the step has done.
constinit std::atomic<bool> is_stepping{false};
// A step takes as long as its thread is kept from its CPU, also by a program of real time that
// yields to nobody. Far beyond it: there is no such thread, in a process made without fork's
// handlers.
constexpr uint64_t kYieldNs = 50'000;
constexpr uint64_t kNapNs = 50'000;
constexpr uint64_t kStepLimitNs = 1000 * sys::kNanosAMilli;

uint32_t next_even(uint32_t number) { return (number + 1) & ~1U; }

void wait_for_step() {
  if (MMT_LIKELY(!is_stepping.load(std::memory_order_seq_cst))) return;
  const uint64_t begin = sys::coarse_ns();
  while (is_stepping.load(std::memory_order_acquire)) {
    const uint64_t waited = sys::coarse_ns() - begin;
    if (waited > kStepLimitNs) return;
    waited < kYieldNs ? sys::yield() : sys::sleep_ns(kNapNs);
  }
}

uintptr_t look(uintptr_t address) {
  if (address < begin.load(std::memory_order_relaxed)) return 0;
  const uintptr_t from = programs.load(std::memory_order_relaxed);
  const uintptr_t to = programs_end.load(std::memory_order_relaxed);
  const uintptr_t end = end_of_break();
  if (from == kNone) return address < end ? end : 0;
  if (address < from) return from;
  return address >= to && address < end ? end : 0;
}

void raised(uintptr_t from, uintptr_t to) {
  const uintptr_t last = programs_end.load(std::memory_order_relaxed);
  if (last != from) {
    if (last != kNone) begin.store(last, std::memory_order_relaxed);
    programs.store(from, std::memory_order_relaxed);
  }
  programs_end.store(to, std::memory_order_relaxed);
}

void lowered(uintptr_t to) {
  if (to > programs.load(std::memory_order_relaxed)) {
    if (to < programs_end.load(std::memory_order_relaxed)) {
      programs_end.store(to, std::memory_order_relaxed);
    }
    return;
  }
  programs.store(kNone, std::memory_order_relaxed);
  programs_end.store(kNone, std::memory_order_relaxed);
  if (to < begin.load(std::memory_order_relaxed)) begin.store(to, std::memory_order_relaxed);
}

}  // namespace

void begin_break(uintptr_t at) { begin.store(at, std::memory_order_relaxed); }

ProgramsMove::ProgramsMove() {
  version.fetch_add(1, std::memory_order_seq_cst);
  wait_for_step();
}

// A handler may have forked in its midst: in the child it is even already.
ProgramsMove::~ProgramsMove() {
  version.store(next_even(version.load(std::memory_order_relaxed)), std::memory_order_release);
}

void ProgramsMove::note(uintptr_t from, uintptr_t to) {
  std::atomic_thread_fence(std::memory_order_release);  // the odd number before the parts
  if (to > from) raised(from, to);
  if (to < from) lowered(to);
}

BreakStep::BreakStep() {
  is_stepping.store(true, std::memory_order_seq_cst);
  may_go_on_ = version.load(std::memory_order_seq_cst) % 2 == 0;
  if (!may_go_on_) is_stepping.store(false, std::memory_order_release);
}

BreakStep::~BreakStep() {
  if (may_go_on_) is_stepping.store(false, std::memory_order_release);
}

void reset_break_parts_in_child() {
  is_stepping.store(false, std::memory_order_relaxed);
  version.store(next_even(version.load(std::memory_order_relaxed)), std::memory_order_relaxed);
}

uintptr_t end_of_break_at(uintptr_t address) {
  const uint32_t before = version.load(std::memory_order_acquire);
  const uintptr_t end = look(address);
  std::atomic_thread_fence(std::memory_order_acquire);
  return before % 2 == 0 && version.load(std::memory_order_relaxed) == before ? end : 0;
}

uint32_t break_version() { return version.load(std::memory_order_acquire); }

}  // namespace mmt::beside
