#include "beside/program_break.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>

#include <mmt/core/checked.h>
#include <mmt/core/compiler.h>
#include <mmt/sys/pages.h>
#include <mmt/sys/thread.h>

#include "backend/library.h"
#include "backend/next_break.h"
#include "beside/break_parts.h"

namespace mmt::beside {

using backend::is_of_library;
using backend::next_brk;
using backend::next_sbrk;

namespace {

constinit std::atomic<size_t> extra{0};
constinit std::atomic<void (*)(const void*)> note{[](const void*) {}};

// The thread that moves the break, by its thread pointer, as a system call to name it might be
// forbidden; 0: none. To ask where it is takes no lock: any thread may, any time.
constinit std::atomic<uintptr_t> mover{0};
constinit std::atomic<uintptr_t> told{0};  // what they know of as the break; 0: the real one
uintptr_t real = 0;                        // as we left it
uintptr_t lowest = 0;                      // told as we began

// More than so many times as far ahead as asked, it goes back.
constexpr uintptr_t kFarAhead = 2;

void* const kFailed = reinterpret_cast<void*>(-1);

uintptr_t now() { return reinterpret_cast<uintptr_t>(next_sbrk(0)); }

uintptr_t known_break() { return told != 0 ? told.load() : now(); }

// What lies behind the break that they know of goes back. What others have put there stays.
void forget() {
  if (told == 0) return;
  if (now() == real) next_sbrk(-static_cast<intptr_t>(real - told));
  told = real = 0;
}

// The memory goes back, so that it reads as zero when it comes again; the break stays.
bool lower_by(uintptr_t bytes) {
  if (bytes > told - lowest) return false;
  const uintptr_t end = core::align_up(told, sys::kPageSize);
  const uintptr_t from = core::align_up(told - bytes, sys::kPageSize);
  if (real - from > kFarAhead * extra.load(std::memory_order_relaxed)) return false;
  if (from < end && !sys::discard(reinterpret_cast<void*>(from), end - from)) return false;
  told -= bytes;
  return true;
}

// Gives a piece of what is there already.
void* give(uintptr_t bytes) {
  void* const before = reinterpret_cast<void*>(told.load());
  told += bytes;
  note.load(std::memory_order_relaxed)(before);
  return before;
}

// By more than 0. Half of what lies ahead is left when it moves on, so that memory can be prepared
// there in time.
void* raise(uintptr_t bytes) {
  const size_t more = extra.load(std::memory_order_relaxed);
  const uintptr_t room = told != 0 ? real - told : 0;
  if (told != 0 && bytes <= room && room - bytes >= more / 2) return give(bytes);
  if (told == 0 && more == 0) return next_sbrk(static_cast<intptr_t>(bytes));
  if (told == 0) told = real = lowest = now();
  const int kept = errno;
  const uintptr_t missing = bytes + more - room;
  if (more != 0 && next_sbrk(static_cast<intptr_t>(missing)) != kFailed) {
    real += missing;
    return give(bytes);
  }
  errno = kept;
  if (bytes <= room) return give(bytes);
  forget();
  return next_sbrk(static_cast<intptr_t>(bytes));
}

void* lower(uintptr_t bytes) {
  void* const before = reinterpret_cast<void*>(told.load());
  if (told != 0 && lower_by(bytes)) return before;
  forget();
  return next_sbrk(-static_cast<intptr_t>(bytes));
}

int put(uintptr_t end) {
  const uintptr_t known = known_break();
  if (end > known && extra.load(std::memory_order_relaxed) != 0) {
    return raise(end - known) == kFailed ? -1 : 0;
  }
  if (told != 0 && end <= told && lower_by(told - end)) return 0;
  forget();
  return next_brk(reinterpret_cast<void*>(end));
}

// The program itself: what it gets is not the library's, and nothing of it is to be made resident.
template <class Move>
auto move_for_program(Move&& move) {
  ProgramsMove programs;
  forget();
  const uintptr_t before = now();
  const auto result = move();
  programs.note(before, now());
  return result;
}

// A handler that comes in the midst of it cannot wait for the end.
template <class Result, class Move>
Result locked(Result failed, Move&& move) {
  const auto self = reinterpret_cast<uintptr_t>(__builtin_thread_pointer());
  // Acquire and release: what the last one did is seen.
  for (uintptr_t held = 0; !mover.compare_exchange_weak(held, self, std::memory_order_acquire);
       held = 0) {
    if (held == self) {
      errno = ENOMEM;
      return failed;
    }
    sys::yield();
  }
  if (told != 0 && now() != real) told = real = 0;  // others have moved it
  const Result result = move();
  mover.store(0, std::memory_order_release);
  return result;
}

}  // namespace

void extend_break_by(size_t bytes, void (*on_move)(const void* from)) {
  note.store(on_move, std::memory_order_relaxed);
  extra.store(bytes, std::memory_order_relaxed);
  if (bytes == 0) locked(0, [] { return forget(), 0; });
}

void reset_break_in_child() {
  mover.store(0, std::memory_order_relaxed);
  reset_break_parts_in_child();
}

}  // namespace mmt::beside

namespace p = mmt::beside;

MMT_EXPORT void* sbrk(intptr_t by) noexcept {
  if (by == 0) {
    const uintptr_t known = p::told;
    return known != 0 ? reinterpret_cast<void*>(known) : p::next_sbrk(0);
  }
  const bool is_librarys = p::is_of_library(__builtin_return_address(0));
  return p::locked(p::kFailed, [=] {
    const auto bytes = static_cast<uintptr_t>(by);
    if (!is_librarys) return p::move_for_program([=] { return p::next_sbrk(by); });
    return by > 0 ? p::raise(bytes) : p::lower(0 - bytes);
  });
}

MMT_EXPORT int brk(void* end) noexcept {
  const bool is_librarys = p::is_of_library(__builtin_return_address(0));
  return p::locked(-1, [=] {
    if (is_librarys) return p::put(reinterpret_cast<uintptr_t>(end));
    return p::move_for_program([=] { return p::next_brk(end); });
  });
}
