#include "agnostic/beside/beside.h"

#include <sys/single_threaded.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <mmt/sys/thread.h>

#include "agnostic/beside/library_memory.h"
#include "agnostic/beside/limits.h"
#include "agnostic/beside/program_break.h"
#include "agnostic/options.h"

namespace mmt::agnostic {
namespace {

// Until then calls go through the guard, which costs more than the thread that comes then.
constexpr uint64_t kStartBytes = uint64_t{256} << 10;
// What a request counts at least. A processor that has seen a jump lead elsewhere some thousand
// times predicts it worse for good: docs/protocols.md.
constexpr size_t kLeastCounted = 128;

// A library asks the system for its heap's next piece at a time, which leaves no room to prepare
// unless it asks for more. With a pad of one's own glibc no longer moves its other thresholds, so
// they get the place where their moves end: a program that allocates large blocks again and again
// would else map or trim, and fault, each time.
constexpr int kMmapThreshold = 32 << 20;
constexpr int kTrimThreshold = 2 * kMmapThreshold;
// Of several threads each has a heap of its own, for which the pad holds.
constexpr int kThreadsTopPad = 1 << 20;
// What glibc begins with, of all three.
constexpr int kPlain = 128 << 10;
// Under a limit, which may not allow what is kept too much; enough for a block of a few megabytes
// that comes and goes, as which glibc's thresholds move no more.
constexpr int kLimitedTrimThreshold = 4 << 20;

// Relaxed: the library's own lock orders what is done by them, and each may come too late anyhow.
std::atomic<bool> has_set_parameters{false};  // those below, by the program or the user
std::atomic<bool> has_asked{false};           // the growth thread
std::atomic<bool> is_pad_due{false};          // as it has asked, and so lives
std::atomic<bool> may_pad{false};             // there is no limit
std::atomic<bool> is_padded{false};
std::atomic<bool> is_for_threads{false};
std::atomic<bool> has_limit{false};

// glibc's own ways to set them from outside.
bool has_set_variables() {
  for (const char* name : {"MALLOC_TOP_PAD_", "MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_",
                           "MALLOC_MMAP_MAX_"}) {
    if (std::getenv(name) != nullptr) return true;
  }
  const char* tunables = std::getenv("GLIBC_TUNABLES");
  return tunables != nullptr && std::strstr(tunables, "glibc.malloc.") != nullptr;
}

void pad_library() {
  const int top_pad = static_cast<int>(options.pad) << 20;
  if (top_pad == 0 || has_limit.load(std::memory_order_relaxed)) return;
  if (!library_is_libc()) {
    extend_break_by(static_cast<size_t>(top_pad), Beside::note);
  } else if (!has_set_parameters.load(std::memory_order_relaxed)) {
    is_for_threads.store(false, std::memory_order_relaxed);
    library.set_parameter(M_MMAP_THRESHOLD, kMmapThreshold);
    library.set_parameter(M_TRIM_THRESHOLD, kTrimThreshold);
    library.set_parameter(M_TOP_PAD, top_pad);
    is_padded.store(true, std::memory_order_relaxed);
  }
}

// What we have set is as glibc begins with.
void reset_parameters() {
  if (!is_padded.exchange(false, std::memory_order_relaxed)) return;
  for (const int parameter : {M_TOP_PAD, M_MMAP_THRESHOLD, M_TRIM_THRESHOLD}) {
    library.set_parameter(parameter, kPlain);
  }
}

void unpad_library() {
  has_limit.store(true, std::memory_order_relaxed);
  extend_break_by(0, Beside::note);
  if (!is_padded.exchange(false, std::memory_order_relaxed)) return;
  library.set_parameter(M_TOP_PAD, kPlain);
  library.set_parameter(M_TRIM_THRESHOLD, kLimitedTrimThreshold);
  library.trim(kPlain);
}

void pad_for_threads() {
  if (__libc_single_threaded || !is_padded.load(std::memory_order_relaxed)) return;
  if (is_for_threads.exchange(true, std::memory_order_relaxed)) return;
  library.set_parameter(M_TOP_PAD, kThreadsTopPad);
}

// Keeps errno.
void pad_when_due() {
  const int kept = errno;
  if (MMT_UNLIKELY(is_pad_due.load(std::memory_order_relaxed)) &&
      may_pad.load(std::memory_order_relaxed) &&
      is_pad_due.exchange(false, std::memory_order_relaxed)) {
    pad_library();
  }
  pad_for_threads();
  errno = kept;
}

}  // namespace

constinit Beside::Entries Beside::entries_{Beside::guarded_malloc, Beside::guarded_free};
constinit Binding Beside::malloc_binding_;
constinit Binding Beside::free_binding_;
constinit std::atomic<Beside::Mode> Beside::mode_{Mode::kStart};
constinit std::atomic<uint64_t> Beside::volume_{0};
constinit GrowthThread Beside::growth_;

// --- entries ---

void* Beside::guarded_malloc(size_t bytes) { return allocate_slow(bytes); }
void Beside::guarded_free(void* block) { deallocate_slow(block); }

// The first call after ask(): where the library's blocks lie now.
void* Beside::noted_malloc(size_t bytes) {
  void* const block = library.malloc(bytes);
  growth_.note(block);
  Malloc* noted = noted_malloc;
  if (entries_.malloc.compare_exchange_strong(noted, library.malloc, std::memory_order_relaxed)) {
    malloc_binding_.lead_direct(true);
    if (!may_lead_aside()) apply();
  }
  pad_when_due();
  return block;
}

// --- slow paths ---

void* Beside::allocate_slow(size_t bytes) {
  find_library();
  const Inside inside;
  if (!inside.is_first()) {
    if (is_librarys(inside)) return library.malloc(bytes);
    void* block = All::allocate_reserved(bytes, layers::kBlockAlignment);
    if (block == nullptr) errno = ENOMEM;
    if (is_aside()) apply();  // it is ours to free
    return block;
  }
  count(bytes);
  pad_when_due();
  void* const block = library.malloc(bytes);
  growth_.note(block);
  return block;
}

void* Beside::reallocate(void* block, size_t bytes) {
  return is_aside() ? library.realloc(block, bytes) : Base::reallocate(block, bytes);
}

void* Beside::allocate_aligned(size_t bytes, size_t alignment) {
  void* const block = Base::allocate_aligned(bytes, alignment);
  if (MMT_UNLIKELY(All::has_reserved()) && is_aside()) apply();  // it is ours to free
  return block;
}

void* Beside::allocate_zeroed(size_t bytes) {
  if (is_aside()) return library.calloc(1, bytes);
  find_library();
  const Inside inside;
  if (inside.is_first()) count(bytes);
  if (inside.is_first() || is_librarys(inside)) return library.calloc(1, bytes);
  void* block = All::allocate_reserved(bytes, layers::kBlockAlignment);
  return block == nullptr ? nullptr : memset(block, 0, bytes);
}

bool Beside::deallocate_slow(void* block) {
  if (block == nullptr || is_freed_here(block)) return true;
  const Inside inside;
  library.free(block);
  return true;
}

// Without handlers nobody else calls.
bool Beside::is_librarys(const Inside& inside) {
  return inside.is_librarys() || (!inside.is_first() && !has_handlers());
}

// --- modes ---

void Beside::enter(Mode mode) {
  Mode now = mode_.load(std::memory_order_relaxed);
  do {
    if (now == Mode::kSlow) return;  // for good
  } while (!mode_.compare_exchange_weak(now, mode, std::memory_order_relaxed));
  apply();
}

// Blocks of the reserve are ours to free.
bool Beside::may_lead_aside() {
  return mode_.load(std::memory_order_relaxed) == Mode::kAside && !has_handlers() &&
         !All::has_reserved();
}

// Makes the names what the mode wants; again, should the wish have changed meanwhile.
void Beside::apply() {
  Entry entry = wanted();
  for (;;) {
    entries_.malloc.store(entry.malloc, std::memory_order_relaxed);
    entries_.free.store(entry.free, std::memory_order_relaxed);
    malloc_binding_.lead_direct(entry.malloc == library.malloc);
    free_binding_.lead_direct(entry.free == library.free);
    // Whoever changes the wish has changed it before this look, or applies it after these stores.
    std::atomic_thread_fence(std::memory_order_seq_cst);
    const Entry now = wanted();
    if (now.malloc == entry.malloc) return;
    entry = now;
  }
}

Beside::Entry Beside::wanted() {
  if (mode_.load(std::memory_order_seq_cst) == Mode::kSlow) {
    return {abi::Translate<Beside>::allocate_slow, abi::Translate<Beside>::deallocate_slow};
  }
  if (may_lead_aside()) return {library.malloc, library.free};
  return {guarded_malloc, guarded_free};
}

// The thread is inside.
void Beside::count(size_t bytes) {
  if (MMT_LIKELY(mode_.load(std::memory_order_relaxed) != Mode::kStart)) return;
  if (!is_time(std::max(bytes, kLeastCounted))) return;
  start_growth();
  enter(Mode::kAside);
}

// Before the system calls are confined: all that would be done later, as it takes some.
void Beside::start_early() {
  if (!at_home()) return;  // a vfork's child, which goes its own way
  find_library();
  const Inside inside;
  if (!inside.is_first() || mode_.load(std::memory_order_relaxed) != Mode::kStart) {
    return growth_.start_early(ask);
  }
  volume_.store(kStartBytes + 1, std::memory_order_relaxed);
  start_growth();
  enter(Mode::kAside);
}

// No call is counted any more, as what comes of that takes system calls.
void Beside::start_none(bool forks_too) {
  growth_.start_none(forks_too);
  volume_.store(kStartBytes + 1, std::memory_order_relaxed);
  if (mode_.load(std::memory_order_relaxed) == Mode::kStart) enter(Mode::kAside);
}

// Once, for the call that crosses the line; not in a vfork's child, whose memory is its parent's.
bool Beside::is_time(size_t bytes) {
  const uint64_t before = volume_.fetch_add(bytes, std::memory_order_relaxed);
  if (before > kStartBytes || bytes <= kStartBytes - before) return false;
  if (at_home()) return true;
  volume_.fetch_sub(bytes, std::memory_order_relaxed);
  return false;
}

void Beside::start_growth() {
  // Under another library that has put itself in front, the names are not ours to lead past it.
  if (is_in_front()) {
    malloc_binding_.find("malloc", reinterpret_cast<void*>(::malloc),
                         reinterpret_cast<void*>(library.malloc));
    free_binding_.find("free", reinterpret_cast<void*>(::free),
                       reinterpret_cast<void*>(library.free));
  }
  has_asked.store(false, std::memory_order_relaxed);
  may_pad.store(false, std::memory_order_relaxed);
  growth_.want(ask);
  // Once the program has confined itself the system calls for this might kill.
  may_pad.store(growth_.is_started() && !has_limits(), std::memory_order_relaxed);
}

// The growth thread: the next block is to tell where it lies. It asks, so it lives.
void Beside::ask() {
  if (!has_asked.exchange(true, std::memory_order_relaxed)) {
    is_pad_due.store(true, std::memory_order_relaxed);
  }
  malloc_binding_.update();
  free_binding_.update();
  Malloc* malloc = library.malloc;
  if (!entries_.malloc.compare_exchange_strong(malloc, noted_malloc, std::memory_order_relaxed) &&
      malloc != noted_malloc) {
    return;
  }
  malloc_binding_.lead_direct(false);
  if (!may_lead_aside()) apply();
}

void Beside::keep_to_slow_paths() { enter(Mode::kSlow); }

int Beside::set_parameter(int parameter, int value) {
  // It is as the program wants it, and the others as they would be.
  if (parameter == M_TOP_PAD || parameter == M_MMAP_THRESHOLD || parameter == M_TRIM_THRESHOLD ||
      parameter == M_MMAP_MAX) {
    has_set_parameters.store(true, std::memory_order_relaxed);
    find_library();
    const Inside inside;
    if (inside.is_first()) reset_parameters();
  }
  return Base::set_parameter(parameter, value);
}

void Beside::install_fork_handlers() {
  static bool is_done = false;
  if (is_done) return;
  is_done = true;
  // Not: it has not. Constructors of the program's libraries may have been before ours.
  if (has_set_variables()) has_set_parameters.store(true, std::memory_order_relaxed);
  look_for_limits();
  on_first_handler = apply;
  on_limit = [] {
    const Inside inside;
    if (at_home() && inside.is_first()) unpad_library();
  };
  sys::prepare_barrier();
  growth_.adopt_process();
  ::pthread_atfork(nullptr, nullptr, [] {
    growth_.reset_in_child();
    reset_break_in_child();
    reset_library_memory_in_child();
    // Where no thread may be started none is missed, and to ask might kill.
    const bool begins_anew = !growth_.stays_away();
    volume_.store(begins_anew ? 0 : kStartBytes + 1, std::memory_order_relaxed);
    enter(begins_anew ? Mode::kStart : Mode::kAside);
  });
}

}  // namespace mmt::agnostic
