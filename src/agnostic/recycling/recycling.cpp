#include "agnostic/recycling/recycling.h"

#include <algorithm>

#include <mmt/sys/thread.h>

namespace mmt::agnostic {
namespace {

// The program has allocated enough for a decision to pay.
constexpr uint64_t kStartBytes = uint64_t{1} << 20;
// What did not pay is tried again after so long, then after twice as long, and so on.
constexpr uint64_t kFirstRetryNs = 20 * sys::kNanosAMilli;
constexpr uint64_t kLastRetryNs = 2000 * sys::kNanosAMilli;

// glibc asks the system for the heap's next 128 KiB at a time, which leaves no room to prepare.
// With a pad of one's own it no longer moves its other thresholds, so they get the place that they
// move to.
constexpr int kTopPad = 4 << 20;
constexpr int kMmapThreshold = 4 << 20;
constexpr int kTrimThreshold = 16 << 20;

bool has_set_parameters = false;  // the program has

}  // namespace

constinit Recycling::Entries Recycling::entries_{Recycling::guarded_malloc,
                                                 Recycling::guarded_free};
constinit std::atomic<Recycling::Mode> Recycling::mode_{Mode::kStart};
constinit std::atomic<uint64_t> Recycling::volume_{0};
constinit std::atomic<uint64_t> Recycling::retry_at_{UINT64_MAX};
constinit std::atomic<uint64_t> Recycling::retry_after_{kFirstRetryNs};
constinit Growth Recycling::growth_;

// --- entries ---

void* Recycling::guarded_malloc(size_t bytes) { return allocate_slow(bytes); }
void Recycling::guarded_free(void* block) { deallocate_slow(block); }

void* Recycling::recycling_malloc(size_t bytes) {
  RecyclingClient* const client = All::open();
  if (MMT_UNLIKELY(All::is_closed(client) || bytes > Magazines::kLargest)) {
    return allocate_slow(bytes);
  }
  All::enter();
  void* block = client->take(bytes);
  All::leave(client);
  return MMT_LIKELY(block != nullptr) ? block : allocate_slow(bytes);
}
void Recycling::recycling_free(void* block) {
  if (MMT_UNLIKELY(block == nullptr || All::is_reserved(block))) {
    deallocate_slow(block);
    return;
  }
  // Before the library is asked: it may be what a signal handler has interrupted.
  if (MMT_UNLIKELY(All::is_closed(All::open()))) {
    deallocate_slow(block);
    return;
  }
  const size_t size = library.usable_size(block);
  if (MMT_UNLIKELY(size > Magazines::kLargest)) {
    deallocate_slow(block);
    return;
  }
  RecyclingClient* const client = All::open();
  All::enter();
  const bool is_done = client->give(block, size);
  All::leave(client);
  if (MMT_UNLIKELY(!is_done)) deallocate_slow(block);
}

void* Recycling::noted_malloc(size_t bytes) {
  void* const block = library.malloc(bytes);
  growth_.note(block);
  Malloc* noted = noted_malloc;
  entries_.malloc.compare_exchange_strong(noted, library.malloc, std::memory_order_relaxed);
  return block;
}

// --- slow paths ---

void* Recycling::allocate_slow(size_t bytes) {
  find_library();
  const Inside inside;
  if (!inside.is_first()) {
    void* block = All::allocate_reserved(bytes, layers::kBlockAlignment);
    if (block == nullptr) errno = ENOMEM;
    return block;
  }
  const Mode mode = mode_.load(std::memory_order_relaxed);
  if (MMT_UNLIKELY(mode == Mode::kStart) && is_time(bytes)) decide();
  RecyclingClient* const client = mode == Mode::kRecycling ? All::attach() : nullptr;
  All::open_next(client != nullptr);
  void* const block = client != nullptr ? client->allocate(bytes) : library.malloc(bytes);
  growth_.note(block);
  if (client != nullptr && MMT_UNLIKELY(client->is_due())) review(*client);
  return block;
}

bool Recycling::deallocate_slow(void* block) {
  if (block == nullptr || is_freed_here(block)) return true;
  const Inside inside;
  RecyclingClient* const client =
      mode_.load(std::memory_order_relaxed) == Mode::kRecycling ? All::attach() : nullptr;
  All::open_next(client != nullptr);
  if (client == nullptr) {
    library.free(block);
  } else {
    client->free(block, library.usable_size(block));
    if (MMT_UNLIKELY(client->is_due())) review(*client);
  }
  return true;
}

// --- modes ---

void Recycling::enter(Mode mode) {
  if (mode_.load(std::memory_order_relaxed) == Mode::kSlow) return;  // for good
  Malloc* malloc = guarded_malloc;
  Free* free = guarded_free;
  switch (mode) {
    case Mode::kStart:
      break;
    case Mode::kRecycling:
      malloc = recycling_malloc;
      free = recycling_free;
      break;
    case Mode::kAside:
      // Blocks of the reserve are ours to free.
      if (has_handlers() || All::has_reserved()) break;
      malloc = library.malloc;
      free = library.free;
      break;
    case Mode::kSlow:
      malloc = abi::Translate<Recycling>::allocate_slow;
      free = abi::Translate<Recycling>::deallocate_slow;
      break;
  }
  mode_.store(mode, std::memory_order_relaxed);
  entries_.malloc.store(malloc, std::memory_order_relaxed);
  entries_.free.store(free, std::memory_order_relaxed);
}

// Once: for the call that crosses the line.
bool Recycling::is_time(size_t bytes) {
  const uint64_t before = volume_.fetch_add(bytes, std::memory_order_relaxed);
  return before <= kStartBytes && bytes > kStartBytes - before;
}

void Recycling::decide() {
  RecyclingClient* const client = All::attach();
  if (client == nullptr) return;
  const sys::SignalsBlocked blocked;  // the thread is inside, and not told so
  enter(Mode::kRecycling);
  All::open_next(true);
  All::leave(client);
  const bool is_faster = is_faster_than_library(recycling_malloc, recycling_free);
  All::enter();
  if (!is_faster) {
    client->clear();
    enter(Mode::kAside);
  }
  start_growth();
}

void Recycling::review(RecyclingClient& client) {
  if (client.review()) {
    retry_after_.store(kFirstRetryNs, std::memory_order_relaxed);
    return;
  }
  client.clear();
  enter(Mode::kAside);
  const uint64_t after = retry_after_.load(std::memory_order_relaxed);
  retry_at_.store(sys::monotonic_ns() + after, std::memory_order_relaxed);
  retry_after_.store(std::min(2 * after, kLastRetryNs), std::memory_order_relaxed);
}

void Recycling::start_growth() {
  if (library_is_libc() && !has_set_parameters) {
    library.set_parameter(M_MMAP_THRESHOLD, kMmapThreshold);
    library.set_parameter(M_TRIM_THRESHOLD, kTrimThreshold);
    library.set_parameter(M_TOP_PAD, kTopPad);
  }
  growth_.start(ask);
}

// The growth thread: the next block tells where it lies.
void Recycling::ask(uint64_t now) {
  if (now > retry_at_.load(std::memory_order_relaxed)) {
    retry_at_.store(UINT64_MAX, std::memory_order_relaxed);
    return enter(Mode::kRecycling);
  }
  Malloc* plain = library.malloc;
  entries_.malloc.compare_exchange_strong(plain, noted_malloc, std::memory_order_relaxed);
}

void Recycling::keep_to_slow_paths() { enter(Mode::kSlow); }

void Recycling::set_parameter(int parameter, int value) {
  has_set_parameters = true;
  Base::set_parameter(parameter, value);
}

void Recycling::install_fork_handlers() {
  static bool is_done = false;
  if (is_done) return;
  is_done = true;
  All::install([](void* ended) { All::end(ended, false); });
  on_first_handler = [] {
    if (mode_.load(std::memory_order_relaxed) == Mode::kAside) enter(Mode::kAside);
  };
  ::pthread_atfork(nullptr, nullptr, [] {
    growth_.reset_in_child();
    volume_.store(0, std::memory_order_relaxed);
    enter(Mode::kStart);
  });
}

}  // namespace mmt::agnostic
