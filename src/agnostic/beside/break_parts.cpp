#include "agnostic/beside/break_parts.h"

#include <atomic>

#include "agnostic/beside/resident.h"

namespace mmt::agnostic {
namespace {

// The latest of the program's parts, kNone: there is none, and where the library's before it
// begins. What lies below counts as nobody's: it was used long ago. Relaxed but for the version,
// which is odd while they change: release there and acquire here, by the fences.
constexpr uintptr_t kNone = UINTPTR_MAX;
constinit std::atomic<uint32_t> version{0};
constinit std::atomic<uintptr_t> begin{kNone};
constinit std::atomic<uintptr_t> programs{kNone};
constinit std::atomic<uintptr_t> programs_end{kNone};

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

void note_programs_break(uintptr_t from, uintptr_t to) {
  const uint32_t before = version.load(std::memory_order_relaxed);
  version.store(before + 1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  if (to > from) raised(from, to);
  if (to < from) lowered(to);
  version.store(before + 2, std::memory_order_release);
}

uintptr_t end_of_break_at(uintptr_t address) {
  const uint32_t before = version.load(std::memory_order_acquire);
  const uintptr_t end = look(address);
  std::atomic_thread_fence(std::memory_order_acquire);
  return before % 2 == 0 && version.load(std::memory_order_relaxed) == before ? end : 0;
}

uint32_t break_version() { return version.load(std::memory_order_acquire); }

}  // namespace mmt::agnostic
