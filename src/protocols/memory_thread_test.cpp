// Each block is one thread's at a time, also where another one frees it, and the library's again in
// the end. Threads allocate behind a protocol's engine, with the real memory thread. The test is
// for ThreadSanitizer above all.
#include <thread>
#include <vector>

#include "interprocess/protocol_options.h"
#include "protocols/engine.h"
#include "protocols/main_alloc.h"
#include "protocols/preallocate.h"
#include "protocols/sync.h"
#include "support/checked_library.h"
#include "support/traded_blocks.h"

namespace mmt::protocols {

using backend::Clients;
using backend::find_library;
using backend::LibraryKind;
using backend::Model;
using backend::Options;
using backend::options;
using test::CheckedLibrary;
using test::TradedBlocks;

namespace {

template <class Protocol>
class Engines : public testing::Test {
 public:
  using Heap = Engine<Protocol>;

  static void* allocate(size_t bytes) { return Heap::allocate_or(bytes, Heap::allocate_slow); }
  static void free(void* block) {
    Heap::deallocate_or(block, [](void* one) { Heap::deallocate_slow(one); });
  }

 protected:
  void run(Model model, LibraryKind kind = LibraryKind::kThreadSafe) {
    find_library();
    CheckedLibrary::install();
    options = Options{};
    options.model = model;
    options.library = kind;
    if (kind == LibraryKind::kSingleThreaded) {
      OneAtATime<Clients<typename Protocol::Client>>::install();
    }
    options.start = 0;
    options.base = 20;
    options.slope = 0;
    options.queue = 16;
    Heap::install_fork_handlers();
    std::vector<std::thread> threads;
    for (uint32_t i = 0; i < 3; ++i) threads.emplace_back([this, i] { work(i); });
    for (std::thread& thread : threads) thread.join();
    blocks_.release_all();
    // What ended threads held the memory thread gives back.
    for (int i = 0; i < 60'000 && CheckedLibrary::live_blocks() != 0; ++i) {
      Heap::settle();
      sys::sleep_ns(1'000'000);
    }
    EXPECT_EQ(CheckedLibrary::live_blocks(), 0U);
  }

 private:
  void work(uint32_t seed) {
    // As mallinfo and malloc_trim do, and a caller that is told that there is no memory, in the
    // midst of it.
    blocks_.work(seed, [](int step) {
      if (step % 210 == 0) Heap::settle();
      if (step % 350 == 0) Heap::gather();
    });
    Heap::settle();
  }

  TradedBlocks<Engines> blocks_;
};

using All = testing::Types<Sync<MinimalPrimitives>, AsyncFree<MinimalPrimitives>,
                           MainAlloc<PthreadPrimitives>, MainAlloc<MinimalPrimitives>,
                           MainAllocBulk<MinimalPrimitives>, Preallocate<KeptApart>,
                           Preallocate<SharedRecycling>, Preallocate<SizedRecycling>>;
TYPED_TEST_SUITE(Engines, All);

TYPED_TEST(Engines, BlocksAreOneThreadsAtATime) { this->run(Model::kClientServer); }

TYPED_TEST(Engines, ASingleThreadedLibraryIsCalledByOneAtATime) {
  this->run(Model::kClientServer, LibraryKind::kSingleThreaded);
  EXPECT_EQ(CheckedLibrary::overlaps(), 0U);
}

TYPED_TEST(Engines, AlsoWhereAFreeIsJoinedLater) { this->run(Model::kForkJoin); }

}  // namespace
}  // namespace mmt::protocols
