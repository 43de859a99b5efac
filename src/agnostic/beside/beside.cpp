#include "agnostic/beside/beside.h"

#include "agnostic/beside/program_break.h"

namespace mmt::agnostic {
namespace {

// Until then calls go through the guard, which costs more than the thread that comes then.
constexpr uint64_t kStartBytes = uint64_t{256} << 10;

// A library asks the system for its heap's next piece at a time, which leaves no room to prepare
// unless it asks for more. With a pad of one's own glibc no longer moves its other thresholds, so
// they get the place that they move to.
constexpr int kTopPad = 16 << 20;
constexpr int kMmapThreshold = 4 << 20;
constexpr int kTrimThreshold = 16 << 20;

bool has_set_parameters = false;  // the program has

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
  entries_.malloc.compare_exchange_strong(noted, library.malloc, std::memory_order_relaxed);
  malloc_binding_.lead_direct(true);
  if (!may_lead_aside()) apply();
  return block;
}

// --- slow paths ---

void* Beside::allocate_slow(size_t bytes) {
  find_library();
  const Inside inside;
  if (!inside.is_first()) {
    void* block = All::allocate_reserved(bytes, layers::kBlockAlignment);
    if (block == nullptr) errno = ENOMEM;
    return block;
  }
  if (MMT_UNLIKELY(mode_.load(std::memory_order_relaxed) == Mode::kStart) && is_time(bytes)) {
    start_growth();
    enter(Mode::kAside);
  }
  void* const block = library.malloc(bytes);
  growth_.note(block);
  return block;
}

bool Beside::deallocate_slow(void* block) {
  if (block == nullptr || is_freed_here(block)) return true;
  const Inside inside;
  library.free(block);
  return true;
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

// Makes the names what the mode wants; again, should another have come meanwhile.
void Beside::apply() {
  Mode mode;
  do {
    mode = mode_.load(std::memory_order_seq_cst);
    Malloc* malloc = guarded_malloc;
    Free* free = guarded_free;
    if (mode == Mode::kSlow) {
      malloc = abi::Translate<Beside>::allocate_slow;
      free = abi::Translate<Beside>::deallocate_slow;
    } else if (may_lead_aside()) {
      malloc = library.malloc;
      free = library.free;
    }
    entries_.malloc.store(malloc, std::memory_order_relaxed);
    entries_.free.store(free, std::memory_order_relaxed);
    malloc_binding_.lead_direct(malloc == library.malloc);
    free_binding_.lead_direct(free == library.free);
  } while (mode_.load(std::memory_order_seq_cst) != mode);
}

// Once: for the call that crosses the line.
bool Beside::is_time(size_t bytes) {
  const uint64_t before = volume_.fetch_add(bytes, std::memory_order_relaxed);
  return before <= kStartBytes && bytes > kStartBytes - before;
}

void Beside::start_growth() {
  if (!library_is_libc()) {
    extend_break_by(kTopPad, [](const void* at) { growth_.note(at); });
  } else if (!has_set_parameters) {
    library.set_parameter(M_MMAP_THRESHOLD, kMmapThreshold);
    library.set_parameter(M_TRIM_THRESHOLD, kTrimThreshold);
    library.set_parameter(M_TOP_PAD, kTopPad);
  }
  malloc_binding_.find("malloc", reinterpret_cast<void*>(::malloc),
                       reinterpret_cast<void*>(library.malloc));
  free_binding_.find("free", reinterpret_cast<void*>(::free),
                     reinterpret_cast<void*>(library.free));
  growth_.want(ask);
}

// The growth thread: the next block is to tell where it lies.
void Beside::ask() {
  malloc_binding_.update();
  free_binding_.update();
  Malloc* malloc = library.malloc;
  if (!entries_.malloc.compare_exchange_strong(malloc, noted_malloc, std::memory_order_relaxed)) {
    return;
  }
  malloc_binding_.lead_direct(false);
  if (!may_lead_aside()) apply();
}

void Beside::keep_to_slow_paths() { enter(Mode::kSlow); }

void Beside::set_parameter(int parameter, int value) {
  has_set_parameters = true;
  Base::set_parameter(parameter, value);
}

void Beside::install_fork_handlers() {
  static bool is_done = false;
  if (is_done) return;
  is_done = true;
  All::install([](void* ended) { All::end(ended, false); });
  on_first_handler = apply;
  growth_.adopt_process();
  ::pthread_atfork(nullptr, nullptr, [] {
    growth_.reset_in_child();
    volume_.store(0, std::memory_order_relaxed);
    enter(Mode::kStart);
  });
}

}  // namespace mmt::agnostic
