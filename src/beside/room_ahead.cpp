#include "beside/room_ahead.h"

#include <malloc.h>
#include <sys/single_threaded.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "backend/library.h"
#include "backend/next_break.h"
#include "beside/program_break.h"
#include "interprocess/protocol_options.h"

namespace mmt::beside {

using backend::library;
using backend::library_is_libc;
using backend::next_sbrk;
using backend::options;

namespace {

// With a pad of one's own glibc no longer moves its other thresholds. So they get the place where
// their moves end. A program that allocates large blocks again and again would else map or trim,
// and fault, each time. Blocks that are better mapped all the same are in large_blocks.h.
constexpr int kMmapThreshold = 32 << 20;
constexpr int kTrimThreshold = 2 * kMmapThreshold;
// Each of several threads has a heap of its own, for which the pad holds.
constexpr int kThreadsTopPad = 1 << 20;
// What glibc begins with, of all three.
constexpr int kPlain = 128 << 10;
// The trim threshold under a limit, which may not allow too much to be kept. It is enough for a
// block of a few megabytes that comes and goes. The thresholds of glibc no longer move with such a
// block.
constexpr int kLimitedTrimThreshold = 4 << 20;
// In a heap that has grown by less, no more would be made resident ahead than glibc's own pad holds
// (growth.cpp: an eighth). Until then all is as without us.
constexpr uintptr_t kWorthIt = uintptr_t{8} * kPlain;

int top_pad() { return static_cast<int>(options.pad) << 20; }
uintptr_t break_now() { return reinterpret_cast<uintptr_t>(next_sbrk(0)); }

// glibc's own ways to set them from outside.
bool has_variables() {
  for (const char* name : {"MALLOC_TOP_PAD_", "MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_",
                           "MALLOC_MMAP_MAX_"}) {
    if (std::getenv(name) != nullptr) return true;
  }
  const char* tunables = std::getenv("GLIBC_TUNABLES");
  return tunables != nullptr && std::strstr(tunables, "glibc.malloc.") != nullptr;
}

class ErrnoKept {
 public:
  ErrnoKept() : kept_(errno) {}
  ~ErrnoKept() { errno = kept_; }
  ErrnoKept(const ErrnoKept&) = delete;
  ErrnoKept& operator=(const ErrnoKept&) = delete;

 private:
  int kept_;
};

}  // namespace

size_t RoomAhead::most_free() { return size_t{kTrimThreshold} + 2 * (size_t{options.pad} << 20); }

// Not: there is none. Constructors of the program's libraries may have been before ours.
void RoomAhead::look_around() {
  if (has_variables()) note_parameters();
}

void RoomAhead::begin() {
  has_thread_.store(false, std::memory_order_relaxed);
  may_keep_.store(false, std::memory_order_relaxed);
  begin_.store(break_now(), std::memory_order_relaxed);
}

void RoomAhead::note_thread() {
  if (!has_thread_.exchange(true, std::memory_order_relaxed)) {
    is_due_.store(true, std::memory_order_relaxed);
  }
}

// The block's place is looked at first, as most are asked about in vain.
bool RoomAhead::is_worth_it(const void* block) const {
  const uintptr_t begin = begin_.load(std::memory_order_relaxed);
  return reinterpret_cast<uintptr_t>(block) - begin >= kWorthIt - kPlain &&
         break_now() - begin >= kWorthIt;
}

void RoomAhead::keep(const void* block, Note note) {
  const ErrnoKept kept;
  if (!may_keep_.load(std::memory_order_relaxed)) return;
  if (library_is_libc() && !is_worth_it(block)) return;
  if (!is_due_.exchange(false, std::memory_order_relaxed)) return;
  if (top_pad() == 0 || has_limit_.load(std::memory_order_relaxed)) return;
  if (!library_is_libc()) {
    extend_break_by(static_cast<size_t>(top_pad()), note);
  } else if (!has_parameters_.load(std::memory_order_relaxed)) {
    is_for_threads_.store(false, std::memory_order_relaxed);
    library.set_parameter(M_MMAP_THRESHOLD, kMmapThreshold);
    library.set_parameter(M_TRIM_THRESHOLD, kTrimThreshold);
    library.set_parameter(M_TOP_PAD, top_pad());
    is_kept_.store(true, std::memory_order_relaxed);
  }
}

void RoomAhead::keep_for_threads() {
  if (__libc_single_threaded || is_for_threads_.load(std::memory_order_relaxed)) return;
  if (is_for_threads_.exchange(true, std::memory_order_relaxed)) return;
  const ErrnoKept kept;
  library.set_parameter(M_TOP_PAD, kThreadsTopPad);
}

void RoomAhead::leave_parameters() {
  note_parameters();
  if (!is_kept_.exchange(false, std::memory_order_relaxed)) return;
  const ErrnoKept kept;
  for (const int parameter : {M_TOP_PAD, M_MMAP_THRESHOLD, M_TRIM_THRESHOLD}) {
    library.set_parameter(parameter, kPlain);
  }
}

void RoomAhead::give_up(Note note) {
  const ErrnoKept kept;
  has_limit_.store(true, std::memory_order_relaxed);
  extend_break_by(0, note);
  if (!is_kept_.exchange(false, std::memory_order_relaxed)) return;
  library.set_parameter(M_TOP_PAD, kPlain);
  library.set_parameter(M_TRIM_THRESHOLD, kLimitedTrimThreshold);
  library.trim(kPlain);
}

}  // namespace mmt::beside
