#include "agnostic/beside/program_break.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>

#include <mmt/core/checked.h>
#include <mmt/core/compiler.h>
#include <mmt/sys/pages.h>

#include "agnostic/next_break.h"

namespace mmt::agnostic {
namespace {

constinit std::atomic<size_t> extra{0};
constinit std::atomic<void (*)(const void*)> note{[](const void*) {}};

// As for the real one, calls at the same time are the callers' to avoid.
uintptr_t told = 0;  // what they know of as the break; 0: the real one
uintptr_t real = 0;  // as we left it

// More than so many times as far ahead as asked, it goes back.
constexpr uintptr_t kFarAhead = 2;

void* const kFailed = reinterpret_cast<void*>(-1);

uintptr_t now() { return reinterpret_cast<uintptr_t>(next_sbrk(0)); }

// What lies behind the break that they know of goes back. What others have put there stays.
void forget() {
  if (told == 0) return;
  if (now() == real) next_sbrk(-static_cast<intptr_t>(real - told));
  told = real = 0;
}

// The memory goes back, so that it reads as zero when it comes again; the break stays.
bool lower_by(uintptr_t bytes) {
  if (bytes > told) return false;
  const uintptr_t end = core::align_up(told, sys::kPageSize);
  const uintptr_t from = core::align_up(told - bytes, sys::kPageSize);
  if (real - from > kFarAhead * extra.load(std::memory_order_relaxed)) return false;
  if (from < end && !sys::discard(reinterpret_cast<void*>(from), end - from)) return false;
  told -= bytes;
  return true;
}

bool is_lowered_to(uintptr_t end) {
  return told != 0 && end <= told && now() == real && lower_by(told - end);
}

// Of what is there already.
void* give(uintptr_t bytes) {
  void* const before = reinterpret_cast<void*>(told);
  told += bytes;
  note.load(std::memory_order_relaxed)(before);
  return before;
}

void* move(intptr_t by) {
  if (told != 0 && now() != real) told = real = 0;  // others have moved it
  if (by <= 0) {
    void* const before = reinterpret_cast<void*>(told);
    if (told != 0 && (by == 0 || lower_by(0 - static_cast<uintptr_t>(by)))) return before;
    forget();
    return next_sbrk(by);
  }
  const auto bytes = static_cast<uintptr_t>(by);
  if (told != 0 && bytes <= real - told) return give(bytes);
  const size_t more = extra.load(std::memory_order_relaxed);
  if (told == 0 && more == 0) return next_sbrk(by);
  if (told == 0) told = real = now();
  const int kept = errno;
  const uintptr_t missing = bytes - (real - told);
  if (more == 0 || next_sbrk(static_cast<intptr_t>(missing + more)) == kFailed) {
    errno = kept;
    forget();
    return next_sbrk(by);
  }
  real += missing + more;
  return give(bytes);
}

}  // namespace

void extend_break_by(size_t bytes, void (*on_move)(const void* from)) {
  note.store(on_move, std::memory_order_relaxed);
  extra.store(bytes, std::memory_order_relaxed);
}

}  // namespace mmt::agnostic

MMT_EXPORT void* sbrk(intptr_t by) noexcept { return mmt::agnostic::move(by); }

MMT_EXPORT int brk(void* end) noexcept {
  if (mmt::agnostic::is_lowered_to(reinterpret_cast<uintptr_t>(end))) return 0;
  mmt::agnostic::forget();
  return mmt::agnostic::next_brk(end);
}
