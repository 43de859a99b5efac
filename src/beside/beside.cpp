#include "beside/beside.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <mmt/sys/thread.h>

#include "beside/library_memory.h"
#include "beside/limits.h"
#include "beside/program_break.h"

namespace mmt::beside {

using backend::find_library;
using backend::is_in_front;
using backend::library;

namespace {

// Until then calls go through the guard, which costs more than the thread that comes then.
constexpr uint64_t kStartBytes = uint64_t{256} << 10;
// What a request counts at least. A processor that has seen a jump lead elsewhere some thousand
// times predicts it worse for good: docs/protocols.md.
constexpr size_t kLeastCounted = 128;

}  // namespace

constinit Beside::Entries Beside::entries_{Beside::guarded_malloc, Beside::guarded_free};
constinit Binding Beside::malloc_binding_;
constinit Binding Beside::free_binding_;
constinit std::atomic<Beside::Mode> Beside::mode_{Mode::kStart};
constinit std::atomic<uint64_t> Beside::volume_{0};
constinit GrowthThread Beside::growth_;
constinit RoomAhead Beside::room_;
constinit LargeBlocks Beside::large_;

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
  room_.keep_up(block, note);
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
  void* const block = library.malloc(bytes);
  growth_.note(block);
  room_.keep_up(block, note);
  return block;
}

// What is not done so is the library's.
template <class Call>
void* Beside::large(Call&& call) {
  const Inside inside;
  return inside.is_first() ? call() : nullptr;
}

void* Beside::reallocate(void* block, size_t bytes) {
  if (MMT_UNLIKELY(may_be_mapped(bytes)) && block != nullptr && !All::is_reserved(block) &&
      bytes > library.usable_size(block)) {
    void* const grown = large([=] { return large_.grow(block, bytes, RoomAhead::most_free()); });
    if (grown != nullptr) return grown;
  }
  return is_aside() ? library.realloc(block, bytes) : Base::reallocate(block, bytes);
}

void* Beside::allocate_aligned(size_t bytes, size_t alignment) {
  void* const block = Base::allocate_aligned(bytes, alignment);
  if (MMT_UNLIKELY(All::has_reserved()) && is_aside()) apply();  // it is ours to free
  return block;
}

void* Beside::allocate_zeroed(size_t bytes) {
  if (MMT_UNLIKELY(may_be_mapped(bytes))) {
    void* const mapped =
        large([=] { return large_.allocate_zeroed(bytes, RoomAhead::most_free()); });
    if (mapped != nullptr) return mapped;
  }
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

// Blocks of the reserve are ours to free, as are those of before the relocation.
bool Beside::may_lead_aside() {
  return mode_.load(std::memory_order_relaxed) == Mode::kAside && !has_handlers() &&
         !All::has_reserved() && !names::early_blocks().is_used();
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
    return {[](size_t bytes) { return names::Translate<Beside>::allocate_slow(bytes); },
            [](void* block) { names::Translate<Beside>::deallocate_slow(block); }};
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
    return growth_.start_early(ask, begin_anew);
  }
  volume_.store(kStartBytes + 1, std::memory_order_relaxed);
  start_growth();
  enter(Mode::kAside);
}

// No call is counted any more, as what comes of that takes system calls. Forks too: they are
// confined.
void Beside::start_none(bool forks_too) {
  if (forks_too) large_.stop();
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
  room_.begin();
  growth_.want(ask, begin_anew);
  // Once the program has confined itself the system calls for this might kill.
  room_.allow(growth_.is_started() && !has_limits());
}

bool Beside::stop() {
  const bool was_there = growth_.is_started() && at_home();
  if (growth_.leave_for_change()) begin_anew();
  return was_there;
}

// Calls are counted again, and the one that crosses the line starts the thread.
void Beside::begin_anew() {
  if (growth_.stays_away()) return;
  volume_.store(0, std::memory_order_relaxed);
  enter(Mode::kStart);
}

// The growth thread: the next block is to tell where it lies. It asks, so it lives.
void Beside::ask() {
  room_.note_thread();
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
    room_.note_parameters();
    find_library();
    const Inside inside;
    if (inside.is_first()) room_.leave_parameters();
  }
  return Base::set_parameter(parameter, value);
}

void Beside::install_fork_handlers() {
  static bool is_done = false;
  if (is_done) return;
  is_done = true;
  room_.look_around();
  large_.look_around();
  look_for_limits();
  on_first_handler = apply;
  after_limit = reconsider;
  on_limit = [] {
    const Inside inside;
    if (at_home() && inside.is_first()) room_.give_up(note);
  };
  sys::prepare_barrier();
  growth_.adopt_process();
  ::pthread_atfork(nullptr, nullptr, [] {
    growth_.reset_in_child();
    reset_break_in_child();
    reset_library_memory_in_child();
    large_.reset_in_child();
    // Where no thread may be started none is missed, and to ask might kill.
    const bool begins_anew = !growth_.stays_away();
    volume_.store(begins_anew ? 0 : kStartBytes + 1, std::memory_order_relaxed);
    enter(begins_anew ? Mode::kStart : Mode::kAside);
  });
}

}  // namespace mmt::beside
