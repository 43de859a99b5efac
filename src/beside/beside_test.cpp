// Each block is one thread's at a time, and the library's again in the end, while threads allocate
// and the names move on. They move from the guarded calls to the library's own functions, back as
// the program gets a handler, and to the slow paths for good. The test is for ThreadSanitizer above
// all.
#include "beside/beside.h"

#include <atomic>
#include <thread>
#include <vector>

#include <mmt/sys/cpus.h>

#include "beside/library_memory.h"
#include "beside/limits.h"
#include "names/next.h"
#include "support/checked_library.h"
#include "support/traded_blocks.h"

// No block is another allocator's.
void mmt::names::next_free(void* block) { ADD_FAILURE() << block; }

namespace mmt::beside {

using backend::find_library;
using test::CheckedLibrary;
using test::TradedBlocks;

// Fakes: what else has names of libc's, which a sanitizer has too.
static std::atomic<bool> is_handled{false};
void (*on_first_handler)();
bool has_handlers() { return is_handled.load(std::memory_order_relaxed); }
void (*on_limit)();
void (*after_limit)();
void look_for_limits() {}
bool has_limits() { return false; }
uintptr_t end_of_library_memory(uintptr_t) { return 0; }
uint32_t library_memory_version() { return 0; }
void reset_library_memory_in_child() {}

namespace {

struct Heap {
  static void* allocate(size_t bytes) { return Beside::allocate_or(bytes, Beside::allocate_slow); }
  static void free(void* block) { Beside::deallocate_or(block, Beside::deallocate_slow); }
};
TradedBlocks<Heap> blocks;

// Threads work, and meanwhile something happens.
template <class Happen>
void meanwhile(Happen&& happen) {
  std::vector<std::thread> threads;
  for (uint32_t i = 0; i < 3; ++i) {
    threads.emplace_back([i] { blocks.work(i, [](int) {}); });
  }
  happen();
  for (std::thread& thread : threads) thread.join();
}

TEST(Beside, BlocksAreOneThreadsAtATimeWhereverTheNamesLead) {
  find_library();
  CheckedLibrary::install();
  Beside::install_fork_handlers();
  meanwhile([] {});
  meanwhile([] {
    is_handled.store(true, std::memory_order_relaxed);
    on_first_handler();
  });
  meanwhile([] { Beside::keep_to_slow_paths(); });
  EXPECT_EQ(Beside::stop(), sys::affinity_cpus() > 1)
      << "so much was allocated that it was started";
  meanwhile([] {});
  blocks.release_all();
  EXPECT_EQ(CheckedLibrary::live_blocks(), 0U);
}

}  // namespace
}  // namespace mmt::beside
