// Threads that allocate while the names move on, from the guarded calls to the library's own
// functions, back as the program gets a handler, and to the slow paths for good: each block is one
// thread's at a time, and the library's again in the end. For ThreadSanitizer above all.
#include "agnostic/beside/beside.h"

#include <array>
#include <atomic>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

#include "abi/next.h"
#include "agnostic/beside/library_memory.h"
#include "agnostic/beside/limits.h"
#include "agnostic/checked_library.h"

// No block is another allocator's.
void mmt::abi::next_free(void* block) { ADD_FAILURE() << block; }

namespace mmt::agnostic {

// Fakes: what else has names of libc's, which a sanitizer has too.
static std::atomic<bool> is_handled{false};
void (*on_first_handler)();
bool has_handlers() { return is_handled.load(std::memory_order_relaxed); }
void (*on_limit)();
void look_for_limits() {}
bool has_limits() { return false; }
uintptr_t end_of_library_memory(uintptr_t) { return 0; }
uint32_t library_memory_version() { return 0; }
void reset_library_memory_in_child() {}

namespace {

// Blocks wait in a few places, where any thread finds them.
std::array<std::atomic<unsigned char*>, 32> places{};

void* allocate(size_t bytes) { return Beside::allocate_or(bytes, Beside::allocate_slow); }
void release(unsigned char* block) {
  if (block == nullptr) return;
  size_t bytes;
  std::memcpy(&bytes, block, sizeof bytes);
  for (size_t i = sizeof bytes; i < bytes; ++i) ASSERT_EQ(block[i], bytes % 251);
  Beside::deallocate_or(block, Beside::deallocate_slow);
}

void work(uint32_t seed) {
  std::mt19937 random(seed);
  for (int step = 0; step < 4000; ++step) {
    const size_t bytes = 8 + random() % (random() % 20 == 0 ? 2000 : 120);
    auto* const made = static_cast<unsigned char*>(allocate(bytes));
    ASSERT_NE(made, nullptr);
    std::memset(made, static_cast<int>(bytes % 251), bytes);
    std::memcpy(made, &bytes, sizeof bytes);
    release(places[random() % places.size()].exchange(made, std::memory_order_acq_rel));
  }
}

// Threads work, and meanwhile something happens.
template <class Happen>
void meanwhile(Happen&& happen) {
  std::vector<std::thread> threads;
  for (uint32_t i = 0; i < 3; ++i) threads.emplace_back(work, i);
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
  EXPECT_TRUE(Beside::stop()) << "so much was allocated that the growth thread was started";
  meanwhile([] {});
  for (auto& place : places) release(place.exchange(nullptr, std::memory_order_acq_rel));
  EXPECT_EQ(CheckedLibrary::live_blocks(), 0U);
}

}  // namespace
}  // namespace mmt::agnostic
